"""What the service asks of a mailbox, whatever stands behind it (IMAP or a Maildir on disk).

The order of things, which makes sure that nothing is lost and nothing happens twice: `unread` reads, the caller
commits what it made of the letters, and only then `done` takes them out of the way. A letter whose `done` did not get
through comes again; the caller knows it by its key (`mailbox`, `uidvalidity`, `uid`) or by its content.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

MAX_LETTER_BYTES = 10_000_000
"""Default limit of a whole message, in bytes; of a larger one only the beginning is fetched."""

OVERSIZED_BYTES = 262_144
"""How much of an oversized message is fetched, in bytes: its headers and, nearly always, its first text part."""

MAX_BATCH_BYTES = 32_000_000
"""`unread` stops adding letters past this many bytes, so that a full box cannot fill the memory."""


@dataclass(frozen=True, slots=True)
class RawLetter:
    """One message as the server holds it.

    mailbox:      stable name of the box (`imap://user@host/INBOX`, `maildir:/path`); holds no secret.
    uidvalidity:  the server's epoch of its keys (RFC 3501 §2.3.1.1); 0 for a Maildir.
    uid:          the server's key within the epoch; for a Maildir the unique base name of the file.
    arrived_at:   aware, UTC, whole seconds: when the server took the message. This, and never the Date header, counts
                  for a deadline.
    raw:          the whole message, or its first `OVERSIZED_BYTES` if it is over the size limit.
    oversized:    whether `raw` was cut.
    """

    mailbox: str
    uidvalidity: int
    uid: str
    arrived_at: datetime
    raw: bytes
    oversized: bool


class InboxError(Exception):
    """A mailbox cannot be used now.

    temporary: True for what may pass by itself (network, a busy server): reopen after a `Backoff`. False for what
    somebody has to put right (password, certificate, folder); trying again is harmless then, but will not help.
    The text says what is wrong, where and what to do; it never holds a password or a token.
    """

    def __init__(self, text: str, *, temporary: bool) -> None:
        super().__init__(text)
        self.temporary = temporary


class Inbox(Protocol):
    """A mailbox from which the service reads; used by one thread at a time.

    Every method but `close` raises InboxError. After one, call `open` again (it drops the old connection first).
    """

    name: str
    """As in RawLetter.mailbox."""

    since: datetime | None
    """Messages that arrived before then (aware) are their owner's: never given, never touched. None: all are given."""

    def open(self) -> None:
        """Connect and select; makes the folder for handled mail where that is possible."""

    def unread(self, limit: int = 100) -> list[RawLetter]:
        """Give the oldest unhandled messages that the server holds now, in order of arrival; [] when drained.

        May give fewer than `limit` though there are more: only an empty list says that the box is drained. Until
        `done` is called for them, the same letters come again.
        """

    def done(self, letters: Sequence[RawLetter]) -> None:
        """Move handled letters to the processed folder, or flag them where moving is not allowed.

        To be called after the commit. May be called again for the same letters, after any fault.
        """

    def wait(self, seconds: float, stop: threading.Event) -> bool:
        """Wait at most `seconds`; True as soon as something may have come. Poll with `unread` whatever it says.

        Comes back at once (within a fifth of a second) when `stop` is set.
        """

    def close(self) -> None:
        """Let go of the connection; never raises. The inbox may be opened again."""


class Backoff:
    """How long to wait before the next try: `first` seconds, doubled every time, at most `longest` seconds.

    The caller draws the jitter, so that this stays without chance of its own: many services that lost one server must
    not come back in the same second.
    """

    def __init__(self, first: float = 1.0, longest: float = 300.0) -> None:
        self._first = first
        self._longest = longest
        self._tries = 0

    def next(self, jitter: float) -> float:
        """Give the next delay in seconds; jitter from 0 to 1 takes off up to half of it."""
        if not 0 <= jitter <= 1:
            raise ValueError(f"jitter must be from 0 to 1, not {jitter!r}")
        # The exponent is bounded, or a week without network would overflow a float.
        delay = min(self._longest, self._first * 2.0 ** min(self._tries, 32))
        self._tries += 1
        return delay * (1 - jitter / 2)

    def reset(self) -> None:
        """Start again from the first delay: to be called once something worked."""
        self._tries = 0
