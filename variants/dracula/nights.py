"""The nights up to the settling: rooms, Dracula's wait on night 1, the magnifying glasses (R14-R25)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mailgm.engine import GM, Ask, Dice, Notice, Order, Orders, Step
from mailgm.engine.plain import evolve

from .powers import OBJECT_OF, NightWindow, cancel_asks
from .settle import settle
from .state import DRACULA, ROOMS, SANCTUARY, Night, Seat, State, by_room

ITEMS_NIGHT = 2


class Rooms(NightWindow):
    """Each chooses a room in secret, and may use what he holds (R13-R25)."""

    id = "night.rooms"
    announced = True

    def opens(self, state: State, dice: Dice) -> Step:
        night = state.night + 1
        state = evolve(state, night=night, tonight=Night(roll=tuple(state.living)))
        if night == ITEMS_NIGHT:  # R28: in secret
            pool = [item for item, copies in state.settings.deck.items() for _ in range(copies)]
            dealt = dice.deal(state.dusk_label("items"), state.humans, pool)
            state = state.seated({name: evolve(state.seats[name], reserved=dealt[name]) for name in dealt})
        holder = state.holder("manuel")
        if holder is None:
            return Step(state)
        return Step(state, (Notice("floor.list", holder, {"objects": {room: state.floors[room] for room in ROOMS}}),))

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        if player in state.elected or _waits(state, seat):
            return []
        given = {order.command for order in standing if order.player == player}
        asks = []
        if "clef" not in given and ("loupe" not in given or seat.follows):  # R19, R21, R24
            asks.append(_go(player, seat))
        asks += _object_asks(player, seat, OBJECT_OF)
        return asks + (cancel_asks(player, standing) if given else [])

    def bars_tonight(self, state: State, player: str, seat: Seat, command: str, standing: Orders) -> str:
        if command in OBJECT_OF:
            return "no-object" if OBJECT_OF[command] not in seat.items else ""
        if command != "aller":
            return ""
        if _waits(state, seat):
            return "wait-counts"
        return "choose-later" if standing.of(player, "loupe") and not seat.follows else "key-used"

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        return "sanctuary-closed" if value == SANCTUARY else "cursed-bound"

    def takes(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        if order.command == "loupe" and not state.seats[order.player].follows:
            return Step(state, withdraw=tuple(other.n for other in standing.all("aller", player=order.player)))  # R19
        return None

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        choosing = [name for name in state.outside if not _waits(state, state.seats[name])]
        state, notices = _choose(state, choosing, orders, dice)
        if state.night == 1:
            return Step(state, tuple(notices), "night-1.dracula")
        if state.night > ITEMS_NIGHT and state.settings.deck.get("loupe"):
            return Step(state, tuple(notices), f"night-{state.night}.loupe")
        # Everybody knows that nobody can use a loupe tonight: it is not on the list, or not handed out yet (R30).
        return settle(state, notices, dice)


class DraculaWaits(NightWindow):
    """Night 1: Dracula chooses last, by the numbers in the rooms (R16-R17)."""

    id = "night.dracula"
    decoy = True
    curses = False

    def opens(self, state: State, dice: Dice) -> Step:
        return Step(state, (Notice("dracula.counts", state.dracula, {"counts": _counts(state)}),))

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        if seat.role != DRACULA:
            return []
        return [Ask(player, "aller", {"room": _inhabited(state)}, bare=True, missing="drawn")]

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        return "sanctuary-closed" if value == SANCTUARY else "empty-room"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        dracula = state.dracula
        notices = []
        order = orders.of(dracula, "aller")
        if order is None:
            notices.append(_missed(dracula))
        room = order.args["room"] if order else ""
        if room not in _inhabited(state):  # nor where the only guest was removed since (R17)
            room = dice.pick(state.dusk_label(f"room.{dracula}"), _inhabited(state))
        return settle(state.during(going={**state.tonight.going, dracula: room}), notices, dice)


class Loupe(NightWindow):
    """Those who look see where all others go, then choose (R19-R20, R25)."""

    id = "night.loupe"
    decoy = True

    def opens(self, state: State, dice: Dice) -> Step:
        return Step(state, tuple(_positions(state, name) for name in state.tonight.lookers))

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        if player not in state.tonight.looking:
            return []
        asks = [] if standing.of(player, "clef") else [_go(player, seat)]
        asks += _object_asks(player, seat, ("ail", "bougie", "clef", "peindre"))
        return asks + cancel_asks(player, standing)

    def bars_tonight(self, state: State, player: str, seat: Seat, command: str, standing: Orders) -> str:
        if player not in state.tonight.looking:
            return ""
        if command == "aller":
            return "key-used"
        if command in OBJECT_OF and command != "loupe":
            return "no-object"
        return ""

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        return "sanctuary-closed" if value == SANCTUARY else "cursed-bound"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        looking = state.tonight.looking
        state, notices = _choose(state.during(looking=()), looking, orders, dice)
        return settle(state, notices, dice)


def _waits(state: State, seat: Seat) -> bool:
    """R16: on night 1 Dracula chooses after all others."""
    return state.night == 1 and seat.role == DRACULA


def _go(player: str, seat: Seat) -> Ask:
    """`aller`: a cursed player may only name the room that he announced (R54); a follower need not choose (R24)."""
    rooms = (seat.announced,) if seat.announced else ROOMS
    if seat.follows:
        return Ask(player, "aller", {"room": rooms}, need="optional", bare=True, missing="follows")
    return Ask(player, "aller", {"room": rooms}, bare=True, missing="announced" if seat.announced else "drawn")


def _object_asks(player: str, seat: Seat, commands: Iterable[str]) -> list[Ask]:
    """The objects in hand that are used when one chooses a room (R27)."""
    if not seat.items:
        return []
    return [Ask(player, command, need="optional") for command in commands if OBJECT_OF[command] in seat.items]


def _choose(state: State, choosing: Iterable[str], orders: Orders, dice: Dice) -> tuple[State, list[Notice]]:
    """Where each of these players goes, what they use, and who follows them (R15, R19, R21, R24, R27)."""
    night = state.tonight
    going, wishes, paints = dict(night.going), dict(night.wishes), dict(night.paints)
    used, lookers, looking = list(night.used), list(night.lookers), list(night.looking)
    seats = {}
    notices = []
    for name in choosing:
        seat = state.seats[name]
        given = {order.command: order for order in orders.all(player=name)}
        if "clef" in given:
            going[name] = SANCTUARY
        elif seat.follows:
            if "aller" in given:
                wishes[name] = given["aller"].args["room"]
        elif "loupe" in given:
            looking.append(name)
        elif "aller" in given:
            going[name] = given["aller"].args["room"]
        else:
            notices.append(_missed(name))
            going[name] = seat.announced or dice.pick(state.dusk_label(f"room.{name}"), ROOMS)
        if "loupe" in given:
            lookers.append(name)
        if "peindre" in given:
            paints[name] = given["peindre"].args["text"]
        for command in ("loupe", "clef", "ail", "bougie"):
            if command in given:
                seat = seats[name] = seat.drop(OBJECT_OF[command])
                used.append((name, OBJECT_OF[command]))
    state = state.seated(seats).during(
        going=going, wishes=wishes, paints=paints, used=tuple(used), lookers=tuple(lookers), looking=tuple(looking)
    )
    return follow(state, dice), notices


def follow(state: State, dice: Dice) -> State:
    """R24: each follower goes where his chooser goes, as soon as that is known; deserted, where he wished."""
    going = dict(state.tonight.going)
    for name in state.outside:
        seat = state.seats[name]
        if not seat.follows or name in going or seat.partner not in going:
            continue
        if going[seat.partner] != SANCTUARY:
            going[name] = going[seat.partner]
        else:
            wished = state.tonight.wishes.get(name) or seat.announced
            going[name] = wished or dice.pick(state.dusk_label(f"room.{name}"), ROOMS)
    return state.during(going=going)


def _positions(state: State, player: str) -> Notice:
    """R19-R20: where every other living player goes, as far as it does not depend on somebody who still looks."""
    going = state.tonight.going
    others = [name for name in state.living if name != player]
    where = {name: SANCTUARY if name in state.elected else going.get(name, "") for name in others}
    known = {name: room for name, room in where.items() if room}
    return Notice(
        "loupe.positions", player, {"positions": known, "unknown": tuple(name for name in others if not where[name])}
    )


def _counts(state: State) -> dict[str, int]:
    return by_room(state.tonight.going, state.tonight.going)


def _inhabited(state: State) -> tuple[str, ...]:
    """R17: the rooms where somebody is; all of them in a manor that the game master has emptied."""
    counts = _counts(state)
    return tuple(room for room in ROOMS if counts[room]) or ROOMS


def _missed(player: str) -> Notice:
    return Notice("missed", GM, {"player": player, "command": "aller"})
