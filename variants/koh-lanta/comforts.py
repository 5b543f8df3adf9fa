"""Comforts: which may be offered, and what the one that is taken does (rulebook R61-R76)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mailgm.engine import Dice
from mailgm.engine.work import Work

from .lines import COMFORTS
from .state import State


def in_time(state: State) -> tuple[str, ...]:
    """The comforts that there are today: at 12 players no kit after day 2 (R65)."""
    late = len(state.players) == 12 and state.day > 2
    return tuple(comfort for comfort in COMFORTS if not (late and comfort == "kit"))


def available(state: State, tribe: str) -> tuple[str, ...]:
    """What may be offered to a tribe today (R64)."""
    return tuple(comfort for comfort in in_time(state) if comfort not in state.taken.get(tribe, ()))


def renew(work: Work[State]) -> None:
    """A tribe for which fewer than two are left may be offered all again (R64)."""
    for tribe in work.state.tribes:
        if len(available(work.state, tribe)) < 2:
            work.set(taken={**work.state.taken, tribe: ()})


def never_offered(state: State, tribe: str) -> tuple[str, ...]:
    """The available ones that nobody has been offered yet."""
    return tuple(comfort for comfort in available(state, tribe) if comfort not in state.offered)


def drawn_pair(state: State, tribe: str, dice: Dice) -> tuple[str, ...]:
    """Two comforts, as many as possible of those never offered (R63)."""
    fresh = never_offered(state, tribe)
    pairs = [
        pair
        for pair in itertools.permutations(available(state, tribe), 2)
        if sum(comfort in fresh for comfort in pair) >= min(2, len(fresh))
    ]
    return dice.pick(f"day-{state.day}.offer", pairs)


def offer_fault(state: State, tribe: str, pair: Sequence[str]) -> str:
    """Why the game master may not offer this pair today, or "" (R64-R66)."""
    if not set(pair) <= set(available(state, tribe)):
        return "comfort-unavailable"
    if not state.options["comfort_quota"]:
        return ""
    fresh = never_offered(state, tribe)
    days_left = max(0, len(state.living) - 1 - state.merge_at)
    needed = min(2, max(0, len(fresh) - 2 * days_left))
    kit = len(state.players) == 12 and state.day == 2 and "kit" in fresh
    few = sum(comfort in fresh for comfort in pair) < needed
    return "comfort-quota" if few or (kit and "kit" not in pair) else ""


def take(work: Work[State], tribe: str, comfort: str, drawn: bool) -> None:
    """A tribe takes a comfort, which works from now on (R61, R67, R71, R73, R75)."""
    state = work.state
    work.announce("comfort.chosen", tribe=tribe, comfort=comfort, drawn=drawn)
    mine = state.taken.get(tribe, ())
    work.set(taken={**state.taken, tribe: mine if comfort in mine else (*mine, comfort)}, offers=())
    if comfort == "feu":
        work.set(fire=_with(state.fire, tribe))
    elif comfort == "kit":
        work.set(kit=_with(state.kit, tribe))
    elif comfort == "repas":
        work.set(meal=_with(state.meal, tribe))
    else:
        work.set(clue=_with(state.clue, tribe))
        number = work.dice.pick(f"day-{state.day}.clue", _wrong_numbers(state, tribe))
        for player in state.members(tribe):
            work.tell("necklace.clue", player, number=number)


def _with(tribes: tuple[str, ...], tribe: str) -> tuple[str, ...]:
    return tribes if tribe in tribes else (*tribes, tribe)


def _wrong_numbers(state: State, tribe: str) -> tuple[int, ...]:
    """The wrong numbers that this home tribe has sent least often (R75)."""
    sent = state.guesses.get(tribe, ())
    wrong = [number for number in range(1, 7) if number != state.number]
    least = min(sent.count(number) for number in wrong)
    return tuple(number for number in wrong if sent.count(number) == least)
