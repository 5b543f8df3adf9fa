"""A game under way, driven by what people type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mailgm.engine import Game, Input, Outcome, apply
from mailgm.engine.plain import dump

Act = tuple[str, ...]  # ("say", player, text), ("post", player, text), ("gm", text) or ("close",)


class Play:
    """A game under way and all that it has told, driven by what people type."""

    def __init__(self, first: Outcome) -> None:
        self.game: Game = first.game
        self.outcomes: list[Outcome] = [first]

    def do(self, *acts: Act) -> Outcome:
        """Carry out some acts; returns the outcome of the last one."""
        for act in acts:
            if act[0] == "close":
                given = Input("deadline")
            elif act[0] == "gm":
                given = Input("gm", "gm", act[1])
            else:
                given = Input("message", act[1], act[2], "private" if act[0] == "say" else "public")
            self.outcomes.append(apply(self.game, given))
            self.game = self.outcomes[-1].game
        return self.outcomes[-1]

    def view(self, player: str) -> list[Any]:
        """All that a player has been told so far, input by input."""
        return [
            [(notice.kind, notice.data) for notice in outcome.notices if notice.reaches(player)]
            for outcome in self.outcomes
        ]

    def codes(self) -> list[str]:
        """The refusal codes of the last input."""
        return [verdict.code for verdict in self.outcomes[-1].verdicts if verdict.status == "refused"]


def alike(one: Play, other: Play, players: Sequence[str], acts: Sequence[Act], mirrored: Sequence[Act] = ()) -> None:
    """Play two tables side by side; after every act, these players must have heard and be asked the same at both.

    mirrored: what happens at the other table, where it is not the same.
    """
    for act, mirror in zip(acts, mirrored or acts, strict=True):
        one.do(act)
        other.do(mirror)
        for player in players:
            assert one.view(player) == other.view(player), (act, player)
            assert [dump(ask) for ask in one.game.asks(player)] == [dump(ask) for ask in other.game.asks(player)], act
        assert one.game.phase == other.game.phase
