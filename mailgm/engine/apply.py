"""The kernel's one door: an input comes in, an outcome goes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mailgm.engine import master, play
from mailgm.engine.game import Game, Input, Outcome, Run
from mailgm.engine.model import GM
from mailgm.engine.said import say


class UnknownPlayer(ValueError):
    """Somebody who has no seat in the game."""


def apply(game: Game, given: Input) -> Outcome:
    """Handle one input. Never raises for what a player or the game master typed: the verdicts say what became of it.

    Raises ValueError for a kind of input that does not exist, UnknownPlayer for somebody who has no seat in the game.
    """
    run = Run(game)
    if given.kind in ("message", "order") and given.player != GM and given.player not in game.players:
        raise UnknownPlayer(
            say(
                "{player!r} has no seat in this game; there are {names}",
                player=given.player,
                names=", ".join(game.players),
            )
        )
    if given.kind == "message":
        play.hear(run, given.player, given.text, given.channel)
    elif given.kind == "order":
        play.take(run, given.player, play.direct(given), given.command, given.channel)
    elif given.kind == "gm":
        master.command(run, given.text)
    elif given.kind == "deadline":
        if not game.over:
            run.close()
    else:
        raise ValueError(f"unknown kind of input: {given.kind!r}")
    return run.outcome()


def replay(game: Game, inputs: Iterable[Input]) -> Iterator[Outcome]:
    """Apply inputs one after the other, as they stand in the log; yields what each makes."""
    for given in inputs:
        outcome = apply(game, given)
        game = outcome.game
        yield outcome
