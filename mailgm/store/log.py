"""The log of a game: every input in order, what the game told, and the state at each opening of a phase."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from mailgm.engine.game import Snapshot
from mailgm.engine.model import PUBLIC
from mailgm.engine.said import say
from mailgm.engine.saved import dump_snapshot
from mailgm.store.errors import NotFound
from mailgm.store.models import inputs, notices, snapshots
from mailgm.store.rows import columns, insert_all, record, values


@dataclass(frozen=True, slots=True)
class LoggedInput:
    """One input of a game, never changed afterwards.

    n:        1, 2, … in the order in which the game took them. kind: the kernel's, or a word of the shell's.
    payload:  the input as plain values. who: a player's name, "gm" or "clock"; why: the reason that was given.
    at:       when it counts: for a message its arrival, for a deadline the deadline.
    verdicts: what became of each line. phase_key: the phase in which it came.
    """

    game_id: int
    n: int
    kind: str
    payload: Mapping[str, Any]
    who: str
    at: datetime
    phase_key: str
    rules_version: str
    why: str = ""
    letter_id: int | None = None
    verdicts: Sequence[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class NewNotice:
    """Something the game tells. audience: names, "public" or "gm". waiting: it is not told yet (gathered, reviewed)."""

    kind: str
    audience: Sequence[str]
    data: Mapping[str, Any]
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class LoggedNotice:
    """A notice as it is stored: that of place `place` (from 1) that input `n` made. n is 0 for the game's start.

    state: "told", "waiting" (see `told`), or "withdrawn": the game went back to a time before it.
    """

    id: int
    game_id: int
    n: int
    place: int
    kind: str
    audience: Sequence[str]
    data: Mapping[str, Any]
    phase_key: str
    at: datetime
    state: str


def add(tx: Connection, given: LoggedInput) -> None:
    """Append an input. Raises sqlalchemy.exc.IntegrityError if this number is taken, which the game's lock prevents."""
    insert_all(tx, inputs, [values(given)])


def tell(tx: Connection, game_id: int, n: int, new: Sequence[NewNotice], *, phase_key: str, at: datetime) -> None:
    """Note what input `n` (0: the start) made the game tell, in the kernel's order."""
    rows = [
        {
            "game_id": game_id,
            "n": n,
            "place": place,
            "kind": notice.kind,
            "audience": list(notice.audience),
            "data": notice.data,
            "phase_key": phase_key,
            "at": at,
            "state": "waiting" if notice.waiting else "told",
        }
        for place, notice in enumerate(new, start=1)
    ]
    insert_all(tx, notices, rows)


def read(tx: Connection, game_id: int, *, last: int | None = None) -> list[LoggedInput]:
    """The inputs of a game, oldest first; the `last` so many if that is given."""
    query = select(*columns(LoggedInput, inputs)).where(inputs.c.game_id == game_id)
    if last is None:
        return [record(LoggedInput, row) for row in tx.execute(query.order_by(inputs.c.n))]
    found = tx.execute(query.order_by(inputs.c.n.desc()).limit(last))
    return [record(LoggedInput, row) for row in found][::-1]


def notices_of(tx: Connection, game_id: int, *, states: Collection[str] = (), since: int = 0) -> list[LoggedNotice]:
    """What a game told, in order, from input `since` on; only of the given states, if any are given."""
    query = (
        select(*columns(LoggedNotice, notices))
        .where(notices.c.game_id == game_id, notices.c.n >= since)
        .order_by(notices.c.n, notices.c.place)
    )
    if states:
        query = query.where(notices.c.state.in_(states))
    return [record(LoggedNotice, row) for row in tx.execute(query)]


def told_to(tx: Connection, game_id: int, names: Collection[str]) -> list[LoggedNotice]:
    """Everything the game has told a player so far, public things included, in order.

    names: the player's name and those of whoever sat there before.
    """
    wanted = {PUBLIC, *names}
    return [notice for notice in notices_of(tx, game_id, states=("told",)) if wanted & set(notice.audience)]


def told(tx: Connection, ids: Collection[int]) -> None:
    """Waiting notices are told now: their mail is in the outbox, in the same transaction."""
    if ids:
        waits = notices.c.id.in_(ids) & (notices.c.state == "waiting")
        tx.execute(update(notices).where(waits).values(state="told"))


def withdraw(tx: Connection, game_id: int, after: int) -> None:
    """The game goes back: what inputs after number `after` made it tell no longer holds, nor will it be told."""
    which = (notices.c.game_id == game_id) & (notices.c.n > after)
    tx.execute(update(notices).where(which).values(state="withdrawn"))


def save_history(
    tx: Connection, game_id: int, before: Sequence[Snapshot], after: Sequence[Snapshot], *, n: int
) -> None:
    """Keep the stored snapshots in step with the kernel's `Game.history`, before and after input `n` (0: the start)."""
    # Going back keeps the first snapshot as it is; only a new name on a seat makes all of them new, each in its place.
    renamed = bool(before and after) and before[0] is not after[0]
    kept = 0
    while kept < min(len(before), len(after)) and before[kept] is after[kept]:
        kept += 1
    if renamed:
        kept = min(len(before), len(after))
        tx.execute(
            update(snapshots)
            .where(snapshots.c.game_id == game_id, snapshots.c.n == bindparam("place"))
            .values(plain=bindparam("again")),
            [{"place": place, "again": dump_snapshot(one)} for place, one in enumerate(after[:kept], start=1)],
        )
    if kept < len(before):
        tx.execute(delete(snapshots).where(snapshots.c.game_id == game_id, snapshots.c.n > kept))
    rows = [
        {"game_id": game_id, "n": place, "key": one.key, "input_n": n, "plain": dump_snapshot(one)}
        for place, one in enumerate(after[kept:], start=kept + 1)
    ]
    insert_all(tx, snapshots, rows)


def history(tx: Connection, game_id: int) -> list[Mapping[str, Any]]:
    """The snapshots of a game, oldest first, as engine.saved.load_game takes them."""
    query = select(snapshots.c.plain).where(snapshots.c.game_id == game_id).order_by(snapshots.c.n)
    return list(tx.execute(query).scalars())


def opened_by(tx: Connection, game_id: int, key: str) -> int:
    """The number of the input that opened the phase of this key: what `withdraw` takes when the game goes back there.

    Raises NotFound for a key that is not in the history.
    """
    query = select(snapshots.c.input_n).where(snapshots.c.game_id == game_id, snapshots.c.key == key)
    found = tx.execute(query.order_by(snapshots.c.n.desc())).scalar()
    if found is None:
        raise NotFound(say("the game has no phase {key} in its history", key=key))
    return int(found)
