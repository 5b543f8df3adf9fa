"""Seats: who sits where in which game, and how to reach them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from mailgm.engine.said import say
from mailgm.store.errors import NotFound
from mailgm.store.models import seats
from mailgm.store.rows import columns, insert_all, record, values


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a game. Change it with `dataclasses.replace`, then `save` it.

    place:   from 1, in the kernel's seat order. token: the secret of the player's reply address, unique over all games.
    active:  False once nobody plays it any more (removed).
    address_state: "ok", or "bouncing" while mail to it comes back.
    forum:   this player lives on a forum: mails for the seat go to the game master.
    known:   other addresses from which this player has written, in lower case.
    former:  those who sat here before: {name, email, until (ISO 8601, UTC)}, the earliest first.
    """

    game_id: int
    place: int
    name: str
    email: str
    token: str = field(repr=False)
    lang: str = "fr"
    zone: str = "Europe/Paris"
    active: bool = True
    address_state: str = "ok"
    forum: bool = False
    former: Sequence[Mapping[str, Any]] = field(default_factory=list)
    known: Sequence[str] = field(default=(), repr=False)
    id: int = 0


_BY_TOKEN = select(*columns(Seat, seats)).where(seats.c.token == bindparam("token"))


def add(tx: Connection, new: Iterable[Seat]) -> list[Seat]:
    """Store new seats; give all seats of their games in order. Names and places are unique in a game."""
    rows = [values(seat, "id") for seat in new]
    insert_all(tx, seats, rows)
    return [seat for game_id in sorted({row["game_id"] for row in rows}) for seat in of_game(tx, game_id)]


def of_game(tx: Connection, game_id: int) -> list[Seat]:
    """All seats of a game, in seat order."""
    query = select(*columns(Seat, seats)).where(seats.c.game_id == game_id).order_by(seats.c.place)
    return [record(Seat, row) for row in tx.execute(query)]


def doors(tx: Connection) -> list[tuple[int, int, str]]:
    """(id, game id, token) of every seat that somebody plays."""
    which = select(seats.c.id, seats.c.game_id, seats.c.token).where(seats.c.active)
    return [tuple(row) for row in tx.execute(which)]


def by_token(tx: Connection, token: str) -> Seat | None:
    """The seat with this reply token, or None."""
    found = tx.execute(_BY_TOKEN, {"token": token}).first()
    return record(Seat, found) if found else None


def by_address(tx: Connection, email: str) -> list[Seat]:
    """The seats whose mail goes to this address (case apart), the latest games first. It proves nothing by itself."""
    which = func.lower(seats.c.email) == email.strip().lower()
    query = select(*columns(Seat, seats)).where(which).order_by(seats.c.game_id.desc(), seats.c.place)
    return [record(Seat, row) for row in tx.execute(query)]


def save(tx: Connection, seat: Seat) -> Seat:
    """Write a changed seat; to be done while its game is locked. Raises NotFound."""
    changed = tx.execute(update(seats).where(seats.c.id == seat.id).values(values(seat, "id", "game_id", "place")))
    if changed.rowcount != 1:
        raise NotFound(say("there is no seat {id}", id=seat.id))
    return seat


def hand_over(tx: Connection, seat: Seat, *, name: str, email: str, token: str, now: datetime, **others: Any) -> Seat:
    """Give a seat to another person: the token of the one who leaves is worth nothing from then on.

    others: further fields that are the new one's, `lang`, `zone` or `forum`.
    """
    left = {"name": seat.name, "email": seat.email, "until": now.isoformat()}
    fresh = {"active": True, "address_state": "ok", "known": [], "former": [*seat.former, left], **others}
    return save(tx, dataclasses.replace(seat, name=name, email=email, token=token, **fresh))


def mark_address(tx: Connection, seat_id: int, state: str) -> bool:
    """Set the state of a seat's address, "ok" or "bouncing"; tell whether that is a change."""
    changing = (seats.c.id == seat_id) & (seats.c.address_state != state)
    return tx.execute(update(seats).where(changing).values(address_state=state)).rowcount == 1
