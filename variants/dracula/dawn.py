"""The open minutes of the dawn, and the morning: candles, telepathy, the dead, the report (R32, R51-R59)."""

from __future__ import annotations

from collections.abc import Sequence

from mailgm.engine import Ask, Dice, Notice, Order, Orders, Step
from mailgm.engine.plain import evolve
from mailgm.engine.work import Work

from .ending import all_turned
from .powers import NightWindow, copied, delivered
from .state import PLACES, Night, Seat, State


class Dawn(NightWindow):
    """The partner of the waltz may answer once; the grimoire may still curse (R51-R52)."""

    id = "night.dawn"
    decoy = True

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        holder, partner = state.tonight.waltz or ("", "")
        if player != partner or not state.seats[holder].alive:
            return []
        return [Ask(player, "repondre", need="optional", final=True)]

    def cursable(self, state: State) -> Sequence[str]:
        """Somebody staked this night still counts: nobody is told of his death before the morning (rulebook 5)."""
        return [name for name in state.players if state.seats[name].alive or name in state.tonight.staked]

    def curse_asks(self, state: State, player: str) -> list[Ask]:
        return [evolve(ask, need="optional") for ask in super().curse_asks(state, player)]

    def takes(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        if order.command != "repondre":
            return None
        holder, text = state.tonight.waltz[0], order.args["text"]
        relayed = {"channel": "phonograph", "author": order.player, "text": text}
        return Step(state, (Notice("relay", holder, relayed), copied("phonograph", order.player, [holder], text)))

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        return morning(Work(state, dice))


def morning(work: Work[State]) -> Step:
    """Morning (rulebook 5): what the night leaves is told; then comes the day, the final phase or the end."""
    for room in PLACES:
        _candle(work, room)
    if work.state.kept:  # R57
        work.notices += delivered(work.state, work.state.kept)
        work.set(kept="")
    for name in work.state.tonight.staked:
        seat = work.state.seats[name]
        work.announce("death", player=name, role=seat.role, camp=seat.camp, cause="stake")
        if name in work.state.tonight.lost:  # R56
            work.announce("object.lost", player=name, objects=work.state.tonight.lost[name])
    work.announce("dawn", **_report(work.state))
    work.state = _cleared(work.state)
    state = work.state
    if not state.humans:
        return all_turned(work)
    if state.night < state.settings.nights:
        return work.step(f"day-{state.night + 1}.vote")
    return work.step(f"final-{state.round}.choice")


def _candle(work: Work[State], room: str) -> None:
    """R32: all that was done in a room by candlelight, to all the living who spent the night there."""
    state = work.state
    night = state.tonight
    inside = {name for name in state.players if state.seats[name].room == room}
    if not any(item == "bougie" and name in inside for name, item in night.used):
        return

    def there(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple(pair for pair in pairs if pair[0] in inside)

    seen = {
        "room": room,
        "bites": there(night.bites),
        "objects": there(night.used),
        "painted": tuple(name for name in night.painted if name in inside),
        "waltzes": there(((night.waltz[0], night.waltz[1]),) if night.waltz else ()),
        "curses": there(night.curses),
        "found": there(night.found),
        "destroyed": there(night.destroyed),
    }
    for name in state.in_room(room):
        work.tell("candle.report", name, **seen)


def _report(state: State) -> dict[str, object]:
    """R59: numbers, places, the livid and the dead, and nothing else."""
    night = state.tonight
    total = sum(state.seats[name].cursed for name in state.living)
    return {
        "night": state.night,
        "round": state.round,
        "turned": len(night.turned),
        "cursed": total if state.settings.dawn_cursed == "total" else len(night.cursed),
        "positions": {name: state.seats[name].room for name in night.roll},
        "livid": night.sick,
        "dead": night.staked,
    }


def _cleared(state: State) -> State:
    """What lasts for one night only is over: rooms, announcements, partners (R26, R53)."""
    seats = {name: evolve(seat, room="", announced="", partner="", follows=False) for name, seat in state.seats.items()}
    return evolve(state, seats=seats, elected=(), tonight=Night())
