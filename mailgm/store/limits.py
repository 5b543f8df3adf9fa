"""How often somebody is answered: a stranger once a day, anybody so many times an hour."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from sqlalchemy import Connection, Executable, bindparam, case, delete, or_
from sqlalchemy.dialects import postgresql, sqlite

from mailgm.store.columns import Utc
from mailgm.store.models import answers
from mailgm.store.prepared import Prepared


def allow(tx: Connection, address: str, kind: str, now: datetime, *, most: int, window: timedelta) -> bool:
    """Count one more answer of a kind to an address; tell whether it is among the first `most` of its window.

    The window begins with the first answer. The address is kept as a hash only: most strangers are spammers' victims.
    """
    one = {"address_key": _key(address), "kind": kind, "since": now, "count": 1, "ago": now - window}
    [[count]] = _COUNT.rows(tx, one)
    return int(count) <= most


def _count(dialect: str) -> Executable:
    new = (postgresql if dialect == "postgresql" else sqlite).insert(answers)
    # A clock that was set back must not silence somebody until the old hour comes again.
    past = or_(answers.c.since <= bindparam("ago", type_=Utc), answers.c.since > new.excluded.since)
    changes = {
        "since": case((past, new.excluded.since), else_=answers.c.since),
        "count": case((past, 1), else_=answers.c.count + 1),
    }
    statement: Executable = new.on_conflict_do_update(index_elements=["address_key", "kind"], set_=changes).returning(
        answers.c.count
    )
    return statement


_COUNT = Prepared(_count)


def forget(tx: Connection, before: datetime) -> None:
    """Drop the counts of windows that began before an instant."""
    tx.execute(delete(answers).where(answers.c.since < before))


def _key(address: str) -> str:
    return hashlib.sha256(address.strip().lower().encode("utf-8", "replace")).hexdigest()
