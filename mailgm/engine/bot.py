"""A random player for any variant: it knows nothing but the asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mailgm.engine.apply import apply
from mailgm.engine.dice import Dice, Stream
from mailgm.engine.game import Game, Input, Outcome
from mailgm.engine.model import Ask
from mailgm.engine.variant import Argument

_WORDS = ("méfiez-vous du boudoir", "je n'ai rien vu", "trust nobody", "rendez-vous demain")


def choose(game: Game, player: str, dice: Dice, silence: int = 10) -> Input | None:
    """Draw one legal answer to what `player` is asked now, or None: he keeps silent, or is asked nothing.

    silence: in how many cases of a hundred a required ask stays unanswered; optional ones are left in half the cases,
    side asks in nine of ten.
    """
    asked = game.asks(player)
    if not asked:
        return None
    mine = [order for order in game.standing if order.player == player]
    beside = []
    for ask in asked:
        if ask.need == "side":
            beside.append(ask)
        elif not (mine and game.settled(ask, mine)) and not dice.chance(
            "silent", silence if ask.need == "required" else 50
        ):
            given = _answer(game, player, ask, dice)
            if given is not None:
                return given
    for ask in beside:
        if not dice.chance("silent", 90):
            given = _answer(game, player, ask, dice)
            if given is not None:
                return given
    return None


def _answer(game: Game, player: str, ask: Ask, dice: Dice) -> Input | None:
    """A drawn order for one ask, or None where it has nothing legal to offer."""
    if ask.barred:
        return None
    args: dict[str, Any] = {}
    for argument in game.variant.spec.commands[ask.command].args:
        name = argument.name
        least, most = ask.counts.get(name, (argument.least, argument.most))
        if most == 0 or (least == 0 and dice.chance("left out", 50)):
            continue
        if argument.listed or argument.kind == "text":
            values = _values(argument, ask.legal.get(name), dice, least, most)
            if values:
                args[name] = values if argument.listed else values[0]
                continue
        elif legal := ask.legal.get(name):
            args[name] = dice.pick("value", legal)
            continue
        if least > 0:
            return None
    if game.rules.objects(game.state, ask, args, game.orders):
        return None
    return Input("order", player, "", "private" if ask.channel == "any" else ask.channel, ask.command, args)


def _values(argument: Argument, legal: Sequence[Any] | None, dice: Dice, least: int, most: int) -> tuple[Any, ...]:
    """What is drawn for an argument that is a text or takes several values."""
    if argument.kind == "text":
        return (dice.pick("text", _WORDS),)
    if not legal:
        return ()
    if argument.twice == "ok":
        count = dice.pick("count", range(max(least, 1), most + 1))
        return tuple(dice.pick("value", legal) for _ in range(count))
    most = min(most, len(legal))
    if most < max(least, 1):
        return ()
    return dice.sample("value", legal, dice.pick("count", range(max(least, 1), most + 1)))


def play(game: Game, seed: str, *, silence: int = 10, most: int = 5000) -> Iterator[tuple[Input, Outcome]]:
    """Play a game to its end with random players, one input at a time; yields each input and what it made.

    In every phase each player, in a drawn order, gives a few answers or none; then the deadline passes.
    Raises RuntimeError if the game is not over after `most` inputs.
    """
    dice = Stream(seed)
    for _ in range(most):
        if game.over:
            return
        open_still = True
        for player in dice.shuffle("order", tuple(game.askable)):
            for _ in range(4):
                given = choose(game, player, dice, silence)
                if given is None:
                    break
                outcome = apply(game, given)
                yield given, outcome
                game = outcome.game
                open_still = not outcome.opened and not game.over
                if not open_still:
                    break
            if not open_still:
                break
        if open_still:
            given = Input("deadline")
            outcome = apply(game, given)
            yield given, outcome
            game = outcome.game
    raise RuntimeError(f"the game is not over after {most} phases")
