"""At dawn: objects are handed out, picked up and destroyed, the walls are read (R30, R44-R50)."""

from __future__ import annotations

from mailgm.engine.plain import evolve
from mailgm.engine.work import Work

from .state import HUMAN, PLACES, ROOMS, SPECIAL, State, in_hand


def hand_out(work: Work[State]) -> None:
    """R30: to each who is still human; the object of somebody turned this night falls where he was turned."""
    for name in work.state.players:
        seat = work.state.seats[name]
        item = seat.reserved
        if not item:
            continue
        if seat.role == HUMAN:
            work.state = work.state.seat(name, items=in_hand((*seat.items, item)), reserved="")
            work.tell("item.received", name, object=item)
        else:
            work.state = work.state.seat(name, reserved="")
            _lay(work, seat.room, (*work.state.floors[seat.room], item))


def sweep(work: Work[State]) -> None:
    """R44-R47: first who picks up, then who destroys."""
    for room in ROOMS:
        inside = work.state.in_room(room)
        humans = [name for name in inside if work.state.seats[name].role == HUMAN]
        thief = next((name for name in inside if "manuel" in work.state.seats[name].items), None)
        if len(humans) == 1:
            _pick_up(work, room, humans[0])
        elif thief in humans:  # R45
            _pick_up(work, room, thief)
        if thief is not None and work.state.seats[thief].role != HUMAN:  # R46
            _destroy(work, room, thief)


def walls(work: Work[State]) -> None:
    """R50: every living human in a painted room reads the message, the painter too."""
    state = work.state
    for room in PLACES:
        if text := state.walls.get(room):
            for name in state.in_room(room):
                if state.seats[name].role == HUMAN:
                    work.tell("wall.read", name, room=room, text=text)


def _pick_up(work: Work[State], room: str, player: str) -> None:
    objects = work.state.floors[room]
    if not objects:
        return
    seat = work.state.seats[player]
    work.state = work.state.seat(player, items=in_hand((*seat.items, *objects)))
    _lay(work, room, ())
    work.state = work.state.during(found=(*work.state.tonight.found, *((player, item) for item in objects)))
    work.tell("item.found", player, room=room, objects=objects)


def _destroy(work: Work[State], room: str, player: str) -> None:
    objects = work.state.floors[room]
    if not objects:
        return
    special = [item for item in objects if item in SPECIAL]
    work.set(gone=in_hand((*work.state.gone, *special)))
    _lay(work, room, ())
    work.state = work.state.during(destroyed=(*work.state.tonight.destroyed, *((player, item) for item in objects)))
    work.tell("item.destroyed", player, room=room, objects=objects)


def _lay(work: Work[State], room: str, objects: tuple[str, ...]) -> None:
    work.state = evolve(work.state, floors={**work.state.floors, room: in_hand(objects)})
