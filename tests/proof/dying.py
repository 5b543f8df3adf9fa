"""`python -m tests.proof.dying POINT NUMBER COMMAND…`: a mailgm that kills itself, unasked, at a point of its work.

POINT names a step between two others (see POINTS); NUMBER says at the how-manieth time it is reached.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event

from mailgm.cli import main as mailgm
from mailgm.mail.imap import ImapInbox
from mailgm.mail.smtp import SmtpSender
from mailgm.service import intake
from mailgm.service.sender import Outbox
from mailgm.store import games, letters, log, outbox

# Name → (owner, function, "before" or "after" it).
POINTS: dict[str, tuple[Any, str, str]] = {
    "fetched, not stored": (letters, "store", "before"),
    "stored, not committed": (letters, "store", "after"),
    "committed, not put away": (ImapInbox, "done", "before"),
    "put away, not begun": (letters, "begin", "before"),
    "begun, not handled": (intake, "handle", "before"),
    "logged, state not saved": (log, "add", "after"),
    "answered, not settled": (letters, "settle", "before"),
    "settled, not committed": (letters, "settle", "after"),
    "state saved, mails not queued": (games, "save", "after"),
    "queued, not committed": (outbox, "queue", "after"),
    "handled, not sent": (intake, "handle", "after"),
    "claimed, not sent": (SmtpSender, "send", "before"),
    "sent, not marked": (outbox, "mark_sent", "before"),
    "marked, not committed": (outbox, "mark_sent", "after"),
    "marked, next not claimed": (Outbox, "_claim", "before"),
}
STATEMENT = "statement"


def die() -> None:
    """End as `kill -9` ends a process."""
    os.kill(os.getpid(), signal.SIGKILL)


class Fuse:
    """Burns down with each call."""

    def __init__(self, number: int) -> None:
        self.left = number

    def burn(self) -> None:
        self.left -= 1
        if self.left <= 0:
            die()


def arm(point: str, number: int) -> None:
    """Make the process die when the point is reached for the `number`th time."""
    fuse = Fuse(number)
    if point == STATEMENT:
        # Every statement that is carried out, counted from the start.
        event.listen(Engine, "after_cursor_execute", lambda *_: fuse.burn())
        return
    owner, name, side = POINTS[point]
    setattr(owner, name, _wrapped(getattr(owner, name), side, fuse))


def _wrapped(whole: Callable[..., Any], side: str, fuse: Fuse) -> Callable[..., Any]:
    @functools.wraps(whole)
    def broken(*args: Any, **others: Any) -> Any:
        if side == "before" and _counts(whole.__name__, args):
            fuse.burn()
        result = whole(*args, **others)
        if side == "after" and _counts(whole.__name__, args):
            fuse.burn()
        return result

    return broken


def _counts(name: str, args: tuple[Any, ...]) -> bool:
    """Whether a call is the step itself: a mark of no mails, for instance, is none."""
    return name not in ("mark_sent", "queue", "done") or bool(args[1])


def main() -> None:
    """Arm, then be mailgm."""
    arm(sys.argv[1], int(sys.argv[2]))
    sys.exit(mailgm(sys.argv[3:]))


if __name__ == "__main__":
    main()
