"""The toy game of these tests, and short ways to play it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mailgm.engine import GM, Game, Input, Notice, Outcome, apply, start
from mailgm.loader import Library

TOY = Path(__file__).parent / "toy"
LIBRARY = Library([TOY])
PHARE = LIBRARY.variant("phare")
PLAYERS = ("Ana", "Bob", "Chloé", "Denis", "Élise")
DEAL = {"wrecker": "Ana", "keeper": "Bob"}


def phare(players: tuple[str, ...] = PLAYERS, deal: dict[str, Any] | None = None, **settings: Any) -> Game:
    """A game of the toy in its first night: Ana is the wrecker, Bob the keeper."""
    return opening(players, deal, **settings).game


def opening(players: tuple[str, ...] = PLAYERS, deal: dict[str, Any] | None = None, **settings: Any) -> Outcome:
    """The same, with what is told at the start."""
    options = settings.pop("options", {})
    return start(PHARE, players, options, settings.pop("seed", "1"), deal=DEAL if deal is None else deal, **settings)


def say(game: Game, player: str, text: str) -> Outcome:
    return apply(game, Input("message", player, text))


def post(game: Game, player: str, text: str) -> Outcome:
    return apply(game, Input("message", player, text, "public"))


def gm(game: Game, text: str) -> Outcome:
    return apply(game, Input("gm", GM, text))


def close(game: Game) -> Outcome:
    return apply(game, Input("deadline"))


def at_vote(game: Game, victim: str = "Élise") -> Game:
    """The game moved on to the vote of its first day; `victim` died in the night."""
    game = say(game, "Ana", f"éteindre {victim}").game
    game = gm(game, "météo calme").game
    while game.phase != "day-1.vote":
        game = close(game).game
    return game


def heard(outcome: Outcome) -> list[str]:
    """What became of each line, in short: "guard Chloé", "!dead-target", "~" (talk), "?help", "= close" (gm)."""
    return [_short(verdict) for verdict in outcome.verdicts]


def _short(verdict: Any) -> str:
    if verdict.status == "accepted":
        values = [v if isinstance(v, tuple) else (v,) for v in verdict.order.args.values()]
        return " ".join([verdict.command, *("+".join(map(str, value)) for value in values)])
    return {"refused": f"!{verdict.code}", "talk": "~", "asked": f"?{verdict.command}", "done": f"= {verdict.command}"}[
        verdict.status
    ]


def told(outcome: Outcome, kind: str) -> list[Notice]:
    """The notices of a kind."""
    return [notice for notice in outcome.notices if notice.kind == kind]
