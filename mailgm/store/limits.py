"""How often somebody is answered: a stranger once a day, anybody so many times an hour."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Connection, Executable, bindparam, case, delete, or_
from sqlalchemy.dialects import postgresql, sqlite

from mailgm.store.columns import Utc
from mailgm.store.models import answers


def allow(tx: Connection, address: str, kind: str, now: datetime, *, most: int, window: timedelta) -> bool:
    """Count one more answer of a kind to an address; tell whether it is among the first `most` of its window.

    The window begins with the first answer. The address is kept as a hash only: most strangers are spammers' victims.
    """
    one = {"address_key": _key(address), "kind": kind, "since": now, "count": 1, "ago": now - window}
    return bool(tx.execute(_count(tx.dialect.name), one).scalar_one() <= most)


@cache
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


def forget(tx: Connection, before: datetime) -> None:
    """Drop the counts of windows that began before an instant."""
    tx.execute(delete(answers).where(answers.c.since < before))


def _key(address: str) -> str:
    return hashlib.sha256(address.strip().lower().encode("utf-8", "replace")).hexdigest()
