"""Outgoing mails: written in the transaction that made them necessary, sent after it, and once.

A mail is found again by its key, keeps its Message-ID and its bytes for ever, and is claimed before it is sent. A claim
that is not followed by a mark (the worker died) runs out, and the mail is sent again: the same bytes, so that the
reader's program shows it once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, Select, Update, bindparam, func, select, text, update

from mailgm.store.models import mails
from mailgm.store.rows import columns, insert_new, record

ORDERED_ATTEMPTS = 5
"""For so many tries a mail that the server puts off holds back the later ones to its reader; then they overtake it."""

_CLAIM_LOCK = 0x6F7574626F78  # "outbox"


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to be sent.

    key:        says what the mail is ("game/12/Ana/notices"); a second mail of the same key is not queued.
    content:    the whole mail as it will be sent, with this Message-ID in it.
    sender:     envelope sender, where bounces go. recipient: the one address it goes to.
    due_at:     not sent before that instant (aware); None: at once.
    hold:       not "": kept back under this word ("review", "digest") until `release_held`.
    letter_id:  the letter that it answers.
    """

    key: str
    message_id: str
    recipient: str
    sender: str
    content: bytes
    subject: str = ""
    in_reply_to: str = ""
    game_id: int | None = None
    seat_id: int | None = None
    letter_id: int | None = None
    due_at: datetime | None = None
    hold: str = ""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A mail that its claimer must send now. attempts: this one included."""

    id: int
    key: str
    message_id: str
    game_id: int | None
    seat_id: int | None
    recipient: str
    sender: str
    content: bytes
    attempts: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of the outbox as it is listed.

    state: "held", "queued", "claimed", "sent", "failed" (never gets there: `error`), "dropped" (held, then unwanted).
    next_try_at: when it may be sent; while claimed, when the claim runs out.
    """

    id: int
    key: str
    message_id: str
    game_id: int | None
    seat_id: int | None
    letter_id: int | None
    recipient: str
    sender: str
    subject: str
    in_reply_to: str
    content: bytes
    hold: str
    state: str
    created_at: datetime
    next_try_at: datetime
    attempts: int
    claimed_by: str
    error: str
    sent_at: datetime | None


def queue(tx: Connection, new: Iterable[NewMail], now: datetime) -> list[int]:
    """Put mails into the outbox, in the order in which each person is to get them; give the ids of the new ones."""
    rows = [
        {
            "key": mail.key,
            "message_id": mail.message_id,
            "game_id": mail.game_id,
            "seat_id": mail.seat_id,
            "letter_id": mail.letter_id,
            "recipient": mail.recipient,
            "sender": mail.sender,
            "subject": mail.subject,
            "in_reply_to": mail.in_reply_to,
            "content": mail.content,
            "hold": mail.hold,
            "state": "held" if mail.hold else "queued",
            "created_at": now,
            "next_try_at": mail.due_at or now,
            "attempts": 0,
            "claimed_by": "",
            "error": "",
        }
        for mail in new
    ]
    return insert_new(tx, mails, rows, "key")


def claim(
    tx: Connection, worker: str, now: datetime, limit: int = 50, lease: timedelta = timedelta(minutes=10)
) -> list[Claimed]:
    """Claim mails that are due, oldest first, for `lease`; commit, then send them.

    Those to one person must be sent one after the other in this order, and no further one if one of them has to wait
    (give it back with `release`). An earlier mail that waits for its next try holds back the later ones to the same
    person (see ORDERED_ATTEMPTS), so that an answer does not overtake the report before it.
    """
    if tx.dialect.name == "postgresql":
        # One claims at a time, or a colleague's claim that is not committed would let the next mail overtake it.
        tx.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _CLAIM_LOCK})
    taken = {"now": now, "lease_end": now + lease, "worker": worker, "number": limit}
    return sorted((record(Claimed, row) for row in tx.execute(_claiming(), taken)), key=lambda mail: mail.id)


@cache
def _claiming() -> Update:
    now = bindparam("now", type_=mails.c.next_try_at.type)
    due = (
        select(mails.c.id)
        .where(_on_its_way(mails), mails.c.next_try_at <= now, ~_held_up(now))
        .order_by(mails.c.id)
        .limit(bindparam("number", type_=Integer))
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claimed = {"state": "claimed", "claimed_by": bindparam("worker"), "next_try_at": bindparam("lease_end")}
    return (
        update(mails)
        .where(mails.c.id.in_(select(due.c.id)))
        .values(**claimed, attempts=mails.c.attempts + 1)
        .returning(*columns(Claimed, mails))
    )


def _on_its_way(table: Any) -> ColumnElement[bool]:
    return table.c.state.in_(("queued", "claimed"))  # type: ignore[no-any-return]


def _held_up(at: Any) -> ColumnElement[bool]:
    """Whether an earlier mail to the same person still waits at that instant (a datetime or a column)."""
    earlier = mails.alias()
    return (
        select(earlier.c.id)
        .where(
            earlier.c.recipient == mails.c.recipient,
            earlier.c.id < mails.c.id,
            _on_its_way(earlier),
            earlier.c.next_try_at > at,
            earlier.c.attempts.between(1, ORDERED_ATTEMPTS),
        )
        .exists()
    )


def mark_sent(tx: Connection, ids: Sequence[int], now: datetime) -> None:
    """Note that the mail server took these mails."""
    if ids:
        tx.execute(
            update(mails)
            .where(mails.c.id.in_(ids), mails.c.state != "sent")
            .values(state="sent", sent_at=now, claimed_by="", error="")
        )


def mark_retry(tx: Connection, worker: str, tries: Mapping[int, tuple[datetime, str]]) -> None:
    """Note temporary failures: mail id → (when to try again, what the server said). Only of one's own claims."""
    if tries:
        tx.execute(
            update(mails)
            .where(mails.c.id == bindparam("mail"), mails.c.state == "claimed", mails.c.claimed_by == worker)
            .values(state="queued", claimed_by="", next_try_at=bindparam("then"), error=bindparam("said")),
            [{"mail": id_, "then": then, "said": said} for id_, (then, said) in tries.items()],
        )


def mark_failed(tx: Connection, failures: Mapping[int, str]) -> None:
    """Note permanent failures: mail id → what the server said. Such a mail is not tried again by itself."""
    if failures:
        tx.execute(
            update(mails)
            .where(mails.c.id == bindparam("mail"), mails.c.state != "sent")
            .values(state="failed", claimed_by="", error=bindparam("said")),
            [{"mail": id_, "said": said} for id_, said in failures.items()],
        )


def release(tx: Connection, worker: str, ids: Sequence[int], now: datetime) -> None:
    """Give back one's own claims that were not tried; the attempt does not count."""
    if ids:
        tx.execute(
            update(mails)
            .where(mails.c.id.in_(ids), mails.c.state == "claimed", mails.c.claimed_by == worker)
            .values(state="queued", claimed_by="", next_try_at=now, attempts=mails.c.attempts - 1)
        )


def claimers(tx: Connection) -> list[str]:
    """Who holds claims now, sorted."""
    return sorted(tx.execute(select(mails.c.claimed_by).where(mails.c.state == "claimed").distinct()).scalars())


def release_all(tx: Connection, worker: str, now: datetime) -> int:
    """Give back all claims of a worker that is known to be dead, to be sent at once; give their number.

    They may have been sent and not marked: the attempt counts, and the same bytes go again.
    """
    theirs = (mails.c.state == "claimed") & (mails.c.claimed_by == worker)
    return tx.execute(update(mails).where(theirs).values(state="queued", claimed_by="", next_try_at=now)).rowcount


def release_held(tx: Connection, game_id: int, hold: str, now: datetime) -> int:
    """Let the mails of a game go that were kept back under a word; give their number."""
    kept = (mails.c.game_id == game_id) & (mails.c.state == "held") & (mails.c.hold == hold)
    return tx.execute(update(mails).where(kept).values(state="queued", next_try_at=now)).rowcount


def drop_held(tx: Connection, game_id: int, hold: str) -> int:
    """Never send the mails of a game that were kept back under a word; give their number."""
    kept = (mails.c.game_id == game_id) & (mails.c.state == "held") & (mails.c.hold == hold)
    return tx.execute(update(mails).where(kept).values(state="dropped")).rowcount


def send_again(tx: Connection, ids: Sequence[int], now: datetime) -> int:
    """Try mails that failed for good once more (an address or a password was put right); give their number."""
    failed = mails.c.id.in_(ids) & (mails.c.state == "failed")
    return tx.execute(
        update(mails).where(failed).values(state="queued", next_try_at=now, attempts=0, error="")
    ).rowcount


def next_due(tx: Connection) -> datetime | None:
    """When `claim` will next find something (aware; it may be past), or None."""
    return tx.execute(_next()).scalar()


@cache
def _next() -> Select[Any]:
    # A mail that is held up counts with the one before it, or the sender would be woken again and again for nothing.
    waits = _on_its_way(mails) & ~_held_up(mails.c.next_try_at)
    return select(func.min(mails.c.next_try_at)).where(waits)


def unsent(tx: Connection, game_id: int | None = None) -> int:
    """How many mails are still to be sent: held, queued or claimed."""
    query = select(func.count()).select_from(mails).where(mails.c.state.in_(("held", "queued", "claimed")))
    return tx.execute(query if game_id is None else query.where(mails.c.game_id == game_id)).scalar_one()


def counts(tx: Connection, game_id: int | None = None) -> dict[str, int]:
    """How many mails are in each state that occurs."""
    query = select(mails.c.state, func.count().label("number")).group_by(mails.c.state)
    rows = tx.execute(query if game_id is None else query.where(mails.c.game_id == game_id))
    return {row.state: row.number for row in rows}


def find(
    tx: Connection,
    *,
    game_id: int | None = None,
    seat_id: int | None = None,
    states: Sequence[str] = (),
    message_id: str | None = None,
    limit: int = 100,
) -> list[Mail]:
    """The latest mails, newest first, that fit all that is given."""
    query = select(*columns(Mail, mails)).order_by(mails.c.id.desc()).limit(limit)
    if game_id is not None:
        query = query.where(mails.c.game_id == game_id)
    if seat_id is not None:
        query = query.where(mails.c.seat_id == seat_id)
    if states:
        query = query.where(mails.c.state.in_(states))
    if message_id is not None:
        query = query.where(mails.c.message_id == message_id)
    return [record(Mail, row) for row in tx.execute(query)]
