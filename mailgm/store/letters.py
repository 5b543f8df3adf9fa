"""Incoming messages: stored raw before anything else, handled once, in the order of their arrival.

The service stores what a mailbox holds (`store`), begins a batch (`begin`), and settles each letter in the same
transaction in which its orders, state and mails are written (`take`, then `settle`). A letter that breaks the code is
set aside, and the others go on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import Connection, bindparam, func, select, update

from mailgm.engine.said import say
from mailgm.store.errors import NotFound
from mailgm.store.models import letters
from mailgm.store.prepared import Prepared
from mailgm.store.rows import columns, insert_new, record

MOST_BYTES = 32_000_000
"""A batch stops growing past this many bytes of raw mail, so that a full box cannot fill the memory."""

MOST_ATTEMPTS = 5
"""A letter that was begun this often and never settled is set aside: it must be what kills the process."""

DEADLY_AFTER = timedelta(minutes=10)
"""But only so long after it was stored: a machine that is restarted again and again is no fault of the letter's."""

# What the machines on the way add or change. X-* are theirs too, or the mail program's, and say nothing of the content.
_TRACE = re.compile(
    rb"(x-.*|received.*|return-path|delivered-to|envelope-to|delivery-date|original-recipient|authentication-results"
    rb"|arc-.*|dkim-.*|domainkey-.*|dmarc-.*|spf-.*|status|lines|content-length|autocrypt|errors-to|resent-.*|old-.*)",
    re.IGNORECASE,
)


class Arrived(Protocol):
    """A message as a mailbox gives it (mailgm.mail.inbox.RawLetter)."""

    @property
    def mailbox(self) -> str: ...
    @property
    def uidvalidity(self) -> int: ...
    @property
    def uid(self) -> str: ...
    @property
    def arrived_at(self) -> datetime: ...
    @property
    def raw(self) -> bytes: ...
    @property
    def oversized(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Letter:
    """A stored message.

    arrived_at: aware, UTC: when the mail server took it; the hour that counts.
    raw:        as the mailbox gave it, cut if `oversized`.
    state:      "stored" (waits), "handled", or "aside" (broke the code: `error`; see `retry`).
    code:       the verdict's word, detail: plain values beside it; "" and None before it is settled.
    attempts:   how often it was begun.
    """

    id: int
    mailbox: str
    uidvalidity: int
    uid: str
    message_id: str
    arrived_at: datetime
    stored_at: datetime
    raw: bytes
    size: int
    oversized: bool
    state: str
    attempts: int
    sender: str
    code: str
    detail: Any
    game_id: int | None
    seat_id: int | None
    error: str
    settled_at: datetime | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What is to be handled next, oldest first, and what was set aside because it killed the process every time."""

    letters: tuple[Letter, ...]
    set_aside: tuple[Letter, ...]


_OLDEST = Prepared(
    lambda dialect: (
        select(letters.c.id)
        .where(letters.c.state == "stored")
        .order_by(letters.c.arrived_at, letters.c.id)
        .limit(1)
        .with_for_update()
    )
)
_BY_ID = Prepared(lambda dialect: update(letters).where(letters.c.id == bindparam("letter")))


def content_key(raw: bytes, arrived_at: datetime) -> str:
    """Tell what makes two deliveries the same message: SHA-256 over all but trace headers and line endings, in hex.

    A message with neither Message-ID nor Date could be written twice with the same words, so its arrival counts too.
    """
    head, body = _split(raw)
    digest = hashlib.sha256()
    names = set()
    for name, field in _fields(head):
        if not _TRACE.fullmatch(name):
            names.add(name.lower())
            digest.update(field.rstrip() + b"\n")
    digest.update(b"\n" + body.replace(b"\r\n", b"\n").rstrip())
    if not names & {b"message-id", b"date"}:
        digest.update(b"\0" + arrived_at.isoformat().encode())
    return digest.hexdigest()


def message_id(raw: bytes) -> str:
    """The Message-ID of a raw message, as it stands there, or ""; only a hint, for some programs use one again."""
    for name, field in _fields(_split(raw)[0]):
        if name.lower() == b"message-id":
            return " ".join(field.partition(b":")[2].decode("utf-8", "replace").split())[:998]
    return ""


def store(tx: Connection, arrived: Iterable[Arrived], now: datetime) -> list[int]:
    """Keep messages raw; give the ids of those that are new, in order of arrival.

    A message that is there already, by its content, is left alone, whatever its place in whichever mailbox: a server
    that starts its numbers anew, or is put back from a copy, gives old messages new places and new ones old places.
    """
    rows = [
        {
            "mailbox": one.mailbox,
            "uidvalidity": one.uidvalidity,
            "uid": one.uid,
            "content_key": content_key(one.raw, one.arrived_at),
            "message_id": message_id(one.raw),
            "arrived_at": one.arrived_at,
            "stored_at": now,
            "raw": one.raw,
            "size": len(one.raw),
            "oversized": one.oversized,
            "state": "stored",
            "attempts": 0,
            "sender": "",
            "code": "",
            "error": "",
        }
        # A stable sort: within one second the mailbox's own order holds.
        for one in sorted(arrived, key=lambda one: one.arrived_at)
    ]
    return insert_new(tx, letters, rows, "content_key")


def begin(tx: Connection, now: datetime, limit: int = 50, before: datetime | None = None) -> Batch:
    """Take up the oldest letters that wait, and count the attempt, to be committed before they are handled.

    before: leave those that arrived at or after that instant (mail from before it may still be missing).
    A letter that was begun before and not settled (the process died) comes alone, so that it is known which one is
    deadly; after MOST_ATTEMPTS, and DEADLY_AFTER, it is set aside.
    """
    waiting = (
        select(letters.c.id, letters.c.size, letters.c.attempts, letters.c.stored_at)
        .where(letters.c.state == "stored")
        .order_by(letters.c.arrived_at, letters.c.id)
        .limit(limit)
    )
    if before is not None:
        waiting = waiting.where(letters.c.arrived_at < before)
    dead: list[int] = []
    chosen: list[int] = []
    total = 0
    for row in tx.execute(waiting):
        if row.attempts >= MOST_ATTEMPTS and now - row.stored_at >= DEADLY_AFTER:
            dead.append(row.id)
            continue
        if chosen and (row.attempts or total + row.size > MOST_BYTES):
            break
        chosen.append(row.id)
        total += row.size
        if row.attempts:
            break
    for id_ in dead:
        set_aside(tx, id_, f"the service stopped {MOST_ATTEMPTS} times or more while it handled this message", now)
    if chosen:
        tx.execute(update(letters).where(letters.c.id.in_(chosen)).values(attempts=letters.c.attempts + 1))
    return Batch(_by_ids(tx, chosen), _by_ids(tx, dead))


def unbegin(tx: Connection, ids: Sequence[int]) -> None:
    """Take attempts back that were no fault of the letters: the service was told to stop, or the database was away."""
    if ids:
        counted = letters.c.id.in_(ids) & (letters.c.state == "stored") & (letters.c.attempts > 0)
        tx.execute(update(letters).where(counted).values(attempts=letters.c.attempts - 1))


def take(tx: Connection, letter_id: int) -> bool:
    """Tell, at the beginning of the transaction that handles a letter, whether it is its turn, and lock it.

    False: another process has settled it, or an older letter has come meanwhile; begin a new batch then.
    """
    return [id_ for (id_,) in _OLDEST.rows(tx, {})] == [letter_id]


def settle(
    tx: Connection,
    letter_id: int,
    code: str,
    now: datetime,
    *,
    sender: str = "",
    detail: Mapping[str, Any] | None = None,
    game_id: int | None = None,
    seat_id: int | None = None,
) -> None:
    """Note that a letter is handled, with its verdict; to be done in the transaction that carries the verdict out."""
    verdict = {"code": code, "detail": detail, "sender": sender, "game_id": game_id, "seat_id": seat_id}
    settled = {"letter": letter_id, "state": "handled", "error": "", "settled_at": now, **verdict}
    if _BY_ID.change(tx, settled) != 1:
        raise NotFound(say("there is no letter {letter_id}", letter_id=letter_id))


def set_aside(tx: Connection, letter_id: int, error: str, now: datetime) -> None:
    """Put a letter out of the way because handling it fails; `error` is for the game master, without secrets."""
    waits = (letters.c.id == letter_id) & (letters.c.state == "stored")
    tx.execute(update(letters).where(waits).values(state="aside", error=error, settled_at=now))


def retry(tx: Connection, ids: Sequence[int] | None = None) -> list[int]:
    """Take letters up again that were set aside (all of them, without `ids`); give the ids of those that now wait."""
    aside = letters.c.state == "aside"
    if ids is not None:
        aside &= letters.c.id.in_(ids)
    found = sorted(tx.execute(select(letters.c.id).where(aside)).scalars())
    if found:
        again = {"state": "stored", "attempts": 0, "error": "", "settled_at": None}
        tx.execute(update(letters).where(letters.c.id.in_(found)).values(again))
    return found


def waiting(tx: Connection, before: datetime | None = None) -> int:
    """How many letters wait to be handled; with `before`, of those that arrived before that instant (a deadline)."""
    query = select(func.count()).select_from(letters).where(letters.c.state == "stored")
    if before is not None:
        query = query.where(letters.c.arrived_at < before)
    return tx.execute(query).scalar_one()


def get(tx: Connection, letter_id: int) -> Letter:
    """One letter. Raises NotFound."""
    found = _by_ids(tx, [letter_id])
    if not found:
        raise NotFound(say("there is no letter {letter_id}", letter_id=letter_id))
    return found[0]


def find(tx: Connection, state: str | None = None, game_id: int | None = None, limit: int = 100) -> list[Letter]:
    """The latest letters, newest first, of one state and one game where these are given."""
    query = select(*columns(Letter, letters)).order_by(letters.c.arrived_at.desc(), letters.c.id.desc()).limit(limit)
    if state is not None:
        query = query.where(letters.c.state == state)
    if game_id is not None:
        query = query.where(letters.c.game_id == game_id)
    return [record(Letter, row) for row in tx.execute(query)]


def counts(tx: Connection) -> dict[str, int]:
    """How many letters are in each state that occurs."""
    query = select(letters.c.state, func.count().label("number")).group_by(letters.c.state)
    return {row.state: row.number for row in tx.execute(query)}


def _by_ids(tx: Connection, ids: Sequence[int]) -> tuple[Letter, ...]:
    if not ids:
        return ()
    query = select(*columns(Letter, letters)).where(letters.c.id.in_(ids)).order_by(letters.c.arrived_at, letters.c.id)
    return tuple(record(Letter, row) for row in tx.execute(query))


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """Head and body of a message, the head with LF line ends."""
    end = re.search(rb"\r?\n\r?\n", raw)
    head, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    return head.replace(b"\r\n", b"\n"), body


def _fields(head: bytes) -> list[tuple[bytes, bytes]]:
    """The header fields in their order: (name, the whole field with its folded lines)."""
    found: list[tuple[bytes, bytes]] = []
    field: list[bytes] = []
    for line in [*head.split(b"\n"), b""]:
        if line[:1] in (b" ", b"\t") and field:
            field.append(line)
            continue
        if field:
            found.append((field[0].partition(b":")[0].strip(), b"\n".join(field)))
        field = [line]
    return found
