"""What the service remembers of its mailboxes, and of itself, from one run to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import postgresql, sqlite

from mailgm.store.models import mailboxes, marks
from mailgm.store.rows import columns, record


@dataclass(frozen=True, slots=True)
class Mailbox:
    """What is known of a mailbox.

    read_at: all that had arrived before then is stored. failed_at: since when it cannot be read, error: why, as it was
    told last; None and "" once it works.
    """

    name: str
    uidvalidity: int
    read_at: datetime | None
    failed_at: datetime | None
    error: str


def drained(tx: Connection, name: str, began_at: datetime, uidvalidity: int = 0) -> None:
    """Note that a mailbox was read to its end, by a look that began at `began_at`: mail from before then is stored."""
    _upsert(tx, name=name, uidvalidity=uidvalidity, read_at=began_at, failed_at=None, error="")


def failed(tx: Connection, name: str, now: datetime, error: str) -> None:
    """Note that a mailbox cannot be read, since `now` if it could until then; `read_at` stays what it was."""
    _upsert(tx, {"failed_at": func.coalesce(mailboxes.c.failed_at, now)}, name=name, failed_at=now, error=error)


def _upsert(tx: Connection, instead: Mapping[str, Any] | None = None, **new: Any) -> None:
    """Write a row; `instead`: what an existing one gets in place of the new values."""
    dialect = postgresql if tx.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(mailboxes).values({"uidvalidity": 0, "error": "", **new})
    changes = {name: value for name, value in new.items() if name != "name"} | dict(instead or {})
    tx.execute(statement.on_conflict_do_update(index_elements=["name"], set_=changes))


def get(tx: Connection, name: str) -> Mailbox | None:
    """One mailbox, or None if it was never read."""
    found = tx.execute(select(*columns(Mailbox, mailboxes)).where(mailboxes.c.name == name)).first()
    return record(Mailbox, found) if found else None


def read_until(tx: Connection, names: Sequence[str]) -> datetime | None:
    """The instant up to which the mail of ALL these mailboxes is stored; None if one was never read.

    A phase may resolve once this is past its deadline and no letter from before the deadline waits (letters.waiting).
    """
    found = tx.execute(select(mailboxes.c.read_at).where(mailboxes.c.name.in_(names))).scalars()
    hours = [hour for hour in found if hour is not None]
    return min(hours) if hours and len(hours) == len(set(names)) else None


def use_since(tx: Connection, name: str, since: datetime) -> None:
    """Remember from when on a mailbox's mail is the game's."""
    set_mark(tx, _since(name), since.isoformat())


def used_since(tx: Connection, name: str) -> datetime | None:
    """From when on a mailbox's mail is the game's (aware); None for a mailbox that was never used."""
    found = mark(tx, _since(name))
    return datetime.fromisoformat(found) if found else None


def _since(name: str) -> str:
    # A mailbox's name may be longer than a mark's.
    return f"since/{hashlib.sha256(name.encode()).hexdigest()}"


def failing(tx: Connection) -> Mailbox | None:
    """The mailbox that cannot be read for the longest time now, or None if all are well."""
    query = select(*columns(Mailbox, mailboxes)).where(mailboxes.c.failed_at.is_not(None))
    found = tx.execute(query.order_by(mailboxes.c.failed_at, mailboxes.c.name).limit(1)).first()
    return record(Mailbox, found) if found else None


def latest_error(tx: Connection) -> str:
    """What went wrong with the mailbox that failed last; "" if all are well."""
    query = select(mailboxes.c.error).where(mailboxes.c.failed_at.is_not(None)).order_by(mailboxes.c.failed_at.desc())
    return tx.execute(query.limit(1)).scalar() or ""


def set_mark(tx: Connection, name: str, value: Any) -> None:
    """Remember a plain value under a name, such as when the service last looked at the clock."""
    dialect = postgresql if tx.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(marks).values(name=name, value=value)
    tx.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": statement.excluded.value}))


def mark(tx: Connection, name: str) -> Any:
    """The value remembered under a name, or None."""
    return tx.execute(select(marks.c.value).where(marks.c.name == name)).scalar()
