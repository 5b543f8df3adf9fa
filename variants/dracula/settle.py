"""Settle: everybody is in his room, and those are told who may know something before the bites (rulebook 5)."""

from __future__ import annotations

from collections.abc import Sequence

from mailgm.engine import Dice, Notice, Step
from mailgm.engine.plain import evolve

from .state import SANCTUARY, State


def settle(state: State, notices: Sequence[Notice], dice: Dice) -> Step:
    """Settle the night and go to the bites; `notices` are those of the phase that closes."""
    going = state.tonight.going
    state = state.seated({name: evolve(state.seats[name], room=room) for name, room in going.items()})
    state, failed = _paint(state)
    told = [*failed, *_partners(state), *_key_users(state)]
    state, sick = _garlic(state)
    return Step(state, (*notices, *told, *sick, *_companions(state)), f"night-{state.night}.bites")


def _paint(state: State) -> tuple[State, list[Notice]]:
    """R49: one message a room for the whole round."""
    walls = dict(state.walls)
    painted = []
    failed = []
    for name, text in state.tonight.paints.items():
        room = state.seats[name].room
        if walls.get(room):
            failed.append(Notice("paint.failed", name, {"room": room}))
        else:
            walls[room] = text
            painted.append(name)
    return evolve(state, walls=walls).during(painted=tuple(painted)), failed


def _partners(state: State) -> list[Notice]:
    """R24-R25: the follower learns his room, unless he escaped to the sanctuary."""
    notices = []
    for name in state.living:
        seat = state.seats[name]
        if seat.follows and seat.room != SANCTUARY:
            together = state.seats[seat.partner].room == seat.room
            told = {"partner": seat.partner, "room": seat.room, "together": together}
            notices.append(Notice("partner.room", name, told))
    return notices


def _key_users(state: State) -> list[Notice]:
    """R21: the others in the sanctuary are told of each key user."""
    inside = state.in_room(SANCTUARY)
    users = [name for name in inside if name not in state.elected]
    return [Notice("key.presence", other, {"player": user}) for user in users for other in inside if other != user]


def _garlic(state: State) -> tuple[State, list[Notice]]:
    """R31: every vampire in the room of a garlic user is sick, in the sanctuary too."""
    rooms = {state.seats[name].room for name, item in state.tonight.used if item == "gousse-ail"}
    sick = tuple(name for name in state.vampires if state.seats[name].room in rooms)
    return state.during(sick=sick), [Notice("garlic.sick", name, {"room": state.seats[name].room}) for name in sick]


def _companions(state: State) -> list[Notice]:
    """R36, R51: vampires in the four rooms, and the phonograph's holder anywhere, are told who is with them."""
    notices = []
    for name in state.living:
        seat = state.seats[name]
        if "phonographe" in seat.items or (seat.vampire and seat.room != SANCTUARY):
            told = {"room": seat.room, "players": state.companions(name)}
            notices.append(Notice("room.companions", name, told))
    return notices
