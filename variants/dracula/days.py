"""The days: the talk of the first one, the vote for the sanctuary, the partners of day 4 (R6-R13, R22-R23, R53)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mailgm.engine import GM, PUBLIC, Ask, Dice, Notice, Order, Orders, Step
from mailgm.engine.plain import evolve
from mailgm.engine.votes import ballots, tally
from mailgm.engine.work import missed

from .powers import Window
from .state import ROOMS, SANCTUARY, Seat, State

PAIRING_DAY = 4


class Talk(Window):
    """Day 1: nobody but Dracula is asked anything, and he need not answer (R6, Q6)."""

    id = "day.talk"
    announced = True
    keeps_hours = True
    table = True

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        return Step(state, next="night-1.rooms")


class Vote(Window):
    """Who stays in the sanctuary tonight; the cursed say first where they will go (R7-R13, R53)."""

    id = "day.vote"
    announced = True
    table = True

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        asks = []
        if seat.cursed:
            asks.append(Ask(player, "maudit", {"room": ROOMS}, channel="public", final=True, missing="drawn"))
        legal = state.electable
        if legal:
            named = legal if state.settings.self_vote else tuple(name for name in legal if name != player)
            asks.append(
                Ask(
                    player, "voter", {"player": named},
                    # Somebody who could name only himself, and may not, owes nothing (R9).
                    need="required" if named else "side",
                    channel="public", final=True, bare=True, missing="lost", ballot=True,
                    barred="curse-first" if seat.cursed and not seat.announced else "",
                )
            )  # fmt: skip
        return asks

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        if ask.command == "maudit":
            return "sanctuary-closed"
        if not state.seats[value].alive:
            return "dead-target"
        if value == ask.player and not state.settings.self_vote:
            return "self-target"
        return "already-sheltered"

    def takes(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        if order.command != "maudit":
            return None
        room = order.args["room"]
        return Step(state.seat(order.player, announced=room), (_destination(order.player, room, drawn=False),))

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        notices = missed(self, state, state.living, orders)
        day = state.night + 1
        for name in state.living:  # R53: who kept silent goes where the lot sends him
            if state.seats[name].cursed and not state.seats[name].announced:
                room = dice.pick(state.label(f"day-{day}.curse.{name}"), ROOMS)
                state = state.seat(name, announced=room)
                notices.append(_destination(name, room, drawn=True))
        candidates = state.electable
        elected, tie = _elected(orders, state.settings.seats)
        drawn = _filled(state, [name for name in candidates if name not in elected], len(elected), dice)
        if candidates:
            told = tally(ballots(orders, "voter"), state.players).data(elected=elected, tie=tie)
            notices.append(Notice("vote.tally", PUBLIC, told))
        staying = (*elected, *drawn)
        seats = {name: evolve(state.seats[name], sheltered=True, room=SANCTUARY) for name in staying}  # R12
        state = evolve(state.seated(seats), elected=staying)
        dusk = {"day": day, "round": state.round, "sanctuary": staying, "drawn": drawn}
        notices.append(Notice("dusk", PUBLIC, dusk))
        following = f"day-{day}.partners" if day == PAIRING_DAY else f"night-{day}.rooms"
        return Step(state, tuple(notices), following)


class Partners(Window):
    """Day 4: those outside the sanctuary pair off at the table, at once and for good (R22-R23)."""

    id = "day.partners"
    announced = True
    table = True

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        free = state.single
        if player not in free or len(free) < 2:
            return []
        legal = tuple(name for name in free if name != player)
        return [
            Ask(
                player, "coequipier", {"player": legal},
                channel="public", final=True, bare=True, missing="drawn",
            )
        ]  # fmt: skip

    def bars(self, state: State, player: str, seat: Seat, command: str, standing: Orders) -> str:
        if command != "coequipier":
            return ""
        # Whoever is left over without a partner has nobody to name who is not already paired.
        return "in-sanctuary" if player in state.elected else "already-paired"

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        if not state.seats[value].alive:
            return "dead-target"
        if value == ask.player:
            return "self-target"
        return "in-sanctuary" if value in state.elected else "already-paired"

    def takes(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        chooser, follower = order.args["player"], order.player
        return Step(_paired(state, chooser, follower), (_pair(chooser, follower, drawn=False),))

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        free = state.single
        notices = []
        if len(free) > 1:
            notices += [Notice("missed", GM, {"player": name, "command": "coequipier"}) for name in free]
            for chooser, follower in dice.pairs(state.label(f"day-{PAIRING_DAY}.pairs"), free):
                state = _paired(state, chooser, follower)
                notices.append(_pair(chooser, follower, drawn=True))
        notices += [Notice("partner.alone", PUBLIC, {"player": name}) for name in state.single]
        return Step(state, tuple(notices), f"night-{PAIRING_DAY}.rooms")


def _elected(orders: Orders, seats: int) -> tuple[tuple[str, ...], bool]:
    """R10: the most votes first; among equals, whose last vote came first. Also: did that decide who got in?"""
    counts: dict[str, int] = {}
    last: dict[str, int] = {}
    for order in orders.all("voter"):
        name = order.args["player"]
        counts[name] = counts.get(name, 0) + 1
        last[name] = order.n
    ranked = sorted(counts, key=lambda name: (-counts[name], last[name]))
    tie = len(ranked) > seats and counts[ranked[seats - 1]] == counts[ranked[seats]]
    return tuple(ranked[:seats]), tie


def _filled(state: State, left: Sequence[str], taken: int, dice: Dice) -> tuple[str, ...]:
    """R11: who takes the seats that the vote left; nobody if they stay empty."""
    seats = state.settings.seats - taken
    if state.settings.fill_seats == "empty" or seats <= 0 or not left:
        return ()
    if len(left) <= seats:
        return tuple(left)
    return dice.sample(state.label(f"day-{state.night + 1}.sanctuary"), left, seats)


def _destination(player: str, room: str, *, drawn: bool) -> Notice:
    return Notice("curse.destination", PUBLIC, {"player": player, "room": room, "drawn": drawn})


def _paired(state: State, chooser: str, follower: str) -> State:
    return state.seat(chooser, partner=follower).seat(follower, partner=chooser, follows=True)


def _pair(chooser: str, follower: str, *, drawn: bool) -> Notice:
    return Notice("partner.pair", PUBLIC, {"chooser": chooser, "follower": follower, "drawn": drawn})
