"""The service's one writer: reads the mailboxes, handles letters in order, then does what is due.

A cycle always goes the same way: drain every mailbox, store what came, handle it by its time of arrival, and only then
let deadlines pass that lie before the moment when draining began. So an order that the server had in time counts.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from mailgm.engine.said import sentence
from mailgm.faults import log_fault
from mailgm.mail.inbox import Backoff, Inbox, InboxError
from mailgm.service import due, intake
from mailgm.service.context import Context
from mailgm.store import StoreError, games, letters, mailboxes
from mailgm.store.mailboxes import set_mark

logger = logging.getLogger(__name__)

ALIVE = "service.alive"
"""The mark of the last cycle: how long the service was away is judged by it."""

SETTLING = timedelta(seconds=10)
"""A server dates a message when it takes it, and may show it a moment later: a deadline waits so long for that, or one
poll interval if that is shorter."""

LONGEST_WAIT = 30.0
"""Seconds between two tries, at most, while the database is away."""


class Box:
    """One mailbox with what is known of its health."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self.backoff = Backoff()
        self.is_open = False
        self.retry_at: datetime | None = None


class Worker:
    """Runs cycles in a thread of its own until it is told to stop."""

    def __init__(
        self, ctx: Context, inboxes: Sequence[Inbox], poll_seconds: float, committed: Callable[[], None]
    ) -> None:
        """poll_seconds: between two looks, whatever IDLE says. committed: called after something was written."""
        self._ctx = ctx
        self._boxes = [Box(inbox) for inbox in inboxes]
        self._poll = timedelta(seconds=poll_seconds)
        self._settling = min(SETTLING, self._poll)
        # Not only after a cycle, which may be long: mails go while the next ones are written.
        self._committed = ctx.committed = committed
        self._stopping = threading.Event()
        self.wake = threading.Event()

    def stop(self) -> None:
        """End after the running cycle."""
        self._stopping.set()
        self.wake.set()

    def run(self) -> None:
        """Cycle until `stop`. Faults of the database or network are logged and waited out; nothing ends the loop."""
        faults = Backoff(longest=LONGEST_WAIT)
        while not self._stopping.is_set():
            self.wake.clear()
            try:
                self.cycle()
                faults.reset()
                if not self._stopping.is_set():
                    self._rest()
            except StoreError as error:
                logger.error("the database cannot be used: %s", error)
                self._after_fault(faults)
            except Exception as error:  # noqa: BLE001 (logged by log_fault)
                # The loop must outlive any fault of ours; the letter at fault is set aside by intake.
                log_fault(logger, error, "a cycle failed")
                self._after_fault(faults)
        for box in self._boxes:
            box.inbox.close()

    def _after_fault(self, faults: Backoff) -> None:
        self._ctx.forget()
        self._stopping.wait(faults.next(random.random()))

    def cycle(self) -> None:
        """Drain, handle, then what is due."""
        began = self._ctx.now()
        due.check_outage(self._ctx, began, ALIVE)
        reached = [self._drain(box, began) for box in self._boxes]
        complete = all(reached)
        settled = began - self._settling
        until = None if complete else due.first_waiting(self._ctx, settled)
        handled = intake.handle_waiting(self._ctx, self._stopping.is_set, until)
        if self._stopping.is_set():
            return
        acted = due.act(self._ctx, settled, mail_complete=complete)
        with self._ctx.db.write() as tx:
            set_mark(tx, ALIVE, began.isoformat())
        if handled or acted:
            self._committed()

    def _drain(self, box: Box, began: datetime) -> bool:
        """Store all that the mailbox holds now; whether it could be read to its end."""
        if box.retry_at is not None and began < box.retry_at:
            return False
        if box.inbox.since is None:
            box.inbox.since = self._first_use(box.inbox.name)
        try:
            if not box.is_open:
                box.inbox.open()
                box.is_open = True
            while batch := box.inbox.unread():
                with self._ctx.db.write() as tx:
                    letters.store(tx, batch, self._ctx.now())
                box.inbox.done(batch)
                if self._stopping.is_set():
                    return False
        except InboxError as error:
            self._broken(box, error, began)
            return False
        with self._ctx.db.write() as tx:
            mailboxes.drained(tx, box.inbox.name, began)
        box.backoff.reset()
        box.retry_at = None
        return True

    def _first_use(self, name: str) -> datetime:
        """From when on a mailbox's mail is the game's: what was there before is its owner's, and is left alone.

        That is since the service last ran, if it read another mailbox until then; else since the first game was made.
        """
        with self._ctx.db.write() as tx:
            known = mailboxes.used_since(tx, name)
            if known is None:
                alive = mailboxes.mark(tx, ALIVE)
                first = [game.created_at for game in games.every(tx)[:1] if game.created_at]
                known = datetime.fromisoformat(alive) if alive else min([*first, self._ctx.now()])
                mailboxes.use_since(tx, name, known)
        return known

    def _broken(self, box: Box, error: InboxError, now: datetime) -> None:
        wait = box.backoff.next(random.random())
        level = logging.WARNING if error.temporary else logging.ERROR
        logger.log(level, "mailbox %s: %s; next try in %.0f s", box.inbox.name, error, wait)
        box.is_open = False
        box.inbox.close()
        box.retry_at = now + timedelta(seconds=wait)
        self._ctx.faults = {str(error): sentence(error)}
        with self._ctx.db.write() as tx:
            mailboxes.failed(tx, box.inbox.name, now, str(error))
        if not error.temporary and due.tell_of_mailbox(self._ctx):
            self._committed()

    def _rest(self) -> None:
        """Until mail may have come, the poll interval is over, something is due, or somebody wakes the worker."""
        seconds = self._seconds()
        open_box = next((box for box in self._boxes if box.is_open), None)
        if open_box is None or seconds <= 0:
            self.wake.wait(max(0.05, seconds))
            return
        try:
            open_box.inbox.wait(seconds, self.wake)
        except InboxError as error:
            self._broken(open_box, error, self._ctx.now())

    def _seconds(self) -> float:
        now = self._ctx.now()
        with self._ctx.db.read() as tx:
            wake_at = games.next_wake(tx)
        moments = [now + self._poll]
        moments += [wake_at + self._settling] if wake_at else []
        moments += [box.retry_at for box in self._boxes if box.retry_at]
        return (min(moments) - now).total_seconds()
