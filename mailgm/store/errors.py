"""What can go wrong between the service and its database."""

from __future__ import annotations


class StoreError(Exception):
    """Something is wrong with the database; the text says what and what to do, and holds no password.

    temporary: True for what may pass by itself (locked, full, away): nothing was written, try the same again later.
    """

    temporary = False


class DatabaseAway(StoreError):
    """The database cannot be used now: locked, full, unreachable, restarted. What was being written is not there.

    unsure: True where the connection broke while the commit was under way, so that it may have gone through after all;
    work that looks first whether it is already done (all of the service's does) is simply done again.
    """

    temporary = True

    def __init__(self, text: str, *, unsure: bool = False) -> None:
        super().__init__(text)
        self.unsure = unsure


class StaleRecord(StoreError):
    """Somebody else has written this record since it was read: load it again and redo the work."""

    temporary = True


class NotFound(StoreError, LookupError):
    """There is no such game, seat, letter or mail."""
