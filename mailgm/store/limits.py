"""How often somebody is answered: a stranger once a day, anybody so many times an hour."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from sqlalchemy import Connection, case, delete, or_
from sqlalchemy.dialects import postgresql, sqlite

from mailgm.store.models import answers


def allow(tx: Connection, address: str, kind: str, now: datetime, *, most: int, window: timedelta) -> bool:
    """Count one more answer of a kind to an address; tell whether it is among the first `most` of its window.

    The window begins with the first answer. The address is kept as a hash only: most strangers are spammers' victims.
    """
    dialect = postgresql if tx.dialect.name == "postgresql" else sqlite
    # A clock that was set back must not silence somebody until the old hour comes again.
    past = or_(answers.c.since <= now - window, answers.c.since > now)
    statement = (
        dialect.insert(answers)
        .values(address_key=_key(address), kind=kind, since=now, count=1)
        .on_conflict_do_update(
            index_elements=["address_key", "kind"],
            set_={
                "since": case((past, now), else_=answers.c.since),
                "count": case((past, 1), else_=answers.c.count + 1),
            },
        )
        .returning(answers.c.count)
    )
    return bool(tx.execute(statement).scalar_one() <= most)


def forget(tx: Connection, before: datetime) -> None:
    """Drop the counts of windows that began before an instant."""
    tx.execute(delete(answers).where(answers.c.since < before))


def _key(address: str) -> str:
    return hashlib.sha256(address.strip().lower().encode("utf-8", "replace")).hexdigest()
