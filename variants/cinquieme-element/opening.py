"""Before the first night: the choice of powers and the election of the mayor (rulebook 5.1, 5.2, R8-R15)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mailgm.engine import Ask, Dice, Orders, Step
from mailgm.engine.votes import ballots, elect, tally
from mailgm.engine.work import Work, missed

from .powers import ELEMENTS, POWERS, UNIVERSAL, of
from .state import Part, State, name_mayor


class Powers(Part):
    """Everyone chooses, in secret, a universal power and one of his camp (R8, R9)."""

    id = "start.powers"

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.living:
            return []
        # R15: in a pair each order fixes both powers, so that the later one replaces the earlier.
        slot = "pair" if player in state.pairs else ""
        return [
            Ask(player, command, {"power": _legal(state, player, category)}, slot=slot, bare=True, missing="drawn")
            for command, category in (("universal", UNIVERSAL), ("special", state.role(player)))
        ]

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        right = POWERS[value].category in (UNIVERSAL, state.role(ask.player))
        return "element-not-allowed" if right else "wrong-category"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        work.notices += missed(self, state, state.living, orders)
        universal, special = _choices(state, orders)
        pools = {player: _legal(state, player, UNIVERSAL) for player in state.living if player not in universal}
        universal |= dice.each("start.universal", pools)
        special |= {player: _other(state, player, universal[player]) for player in pools if player in state.pairs}
        pools = {player: _legal(state, player, state.role(player)) for player in state.living if player not in special}
        special |= dice.each("start.special", pools)
        work.set(universal=universal, special=special)
        for player in state.living:
            work.tell("powers.chosen", player, universal=universal[player], special=special[player])
        for wolf in state.pack:
            work.tell("pack.members", wolf, members=tuple(name for name in state.pack if name != wolf))
        count = Counter(POWERS[power].element for power in (*universal.values(), *special.values()))
        work.announce("elements.count", **{element: count[element] for element in ELEMENTS}, players=state.living)
        return work.step("day-0.mayor")


def _legal(state: State, player: str, category: str) -> tuple[str, ...]:
    """The powers of a category that a player may choose: of his pair's elements only, if he has one (R14)."""
    pair = state.pairs.get(player)
    return of(category, tuple(pair.split("-")) if pair else ELEMENTS)


def _other(state: State, player: str, chosen: str) -> str:
    """In a pair, the power of the other category and the other element (R15)."""
    category = state.role(player) if POWERS[chosen].category == UNIVERSAL else UNIVERSAL
    return next(power for power in _legal(state, player, category) if POWERS[power].element != POWERS[chosen].element)


def _choices(state: State, orders: Orders) -> tuple[dict[str, str], dict[str, str]]:
    """Universal and special powers as they were chosen."""
    universal = {order.player: order.args["power"] for order in orders.all("universal")}
    special = {order.player: order.args["power"] for order in orders.all("special")}
    for player in state.pairs:
        if player in universal:
            special[player] = _other(state, player, universal[player])
        elif player in special:
            universal[player] = _other(state, player, special[player])
    return universal, special


class Mayor(Part):
    """Day 0: everyone elects the mayor publicly (R12)."""

    id = "day.mayor"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        return [ballot(state, player)] if player in state.living else []

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        count = tally(ballots(orders), state.players)
        work.announce("vote.tally", **count.data())
        if state.living:  # ruling 24: all may have been removed
            mayor, drawn = elect(count, state.living, dice, "day-0.mayor")
            name_mayor(work, mayor, "draw" if drawn else "vote")
        work.set(night=1)
        return work.step("night-1.actions")


def ballot(state: State, player: str) -> Ask:
    """A public vote for one living player, oneself allowed; who does not vote abstains (R37)."""
    legal = {"player": state.living}
    return Ask(player, "vote", legal, need="optional", channel="public", bare=True, ballot=True, missing="abstains")
