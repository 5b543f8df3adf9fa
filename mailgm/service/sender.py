"""The outbox: mails are claimed, handed to the SMTP server and marked; nothing is sent that is not committed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy.exc import DBAPIError

from mailgm.faults import log_fault
from mailgm.mail.smtp import Delivery, Envelope, SmtpSender
from mailgm.store import Database, StoreError, Tx, outbox
from mailgm.store.outbox import Claimed

logger = logging.getLogger(__name__)

BATCH = 100
"""Mails claimed at a time."""

RETRIES = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 15, 30, 60, 120))
"""How long a mail that the server puts off waits; the last one is repeated."""

GIVE_UP = timedelta(days=4)
"""A mail that could not be handed over for so long has failed."""

IDLE_SECONDS = 30.0

_ALIVE: set[str] = set()


def sender_name() -> str:
    """A name for a sender's claims that no other one has, and that tells later whether the sender still lives."""
    return f"{os.getpid()}@{socket.gethostname()[:40]}/{secrets.token_hex(4)}"


@contextlib.contextmanager
def _alive(name: str) -> Iterator[None]:
    _ALIVE.add(name)
    try:
        yield
    finally:
        _ALIVE.discard(name)


def _is_dead(name: str) -> bool:
    """Whether the sender of a name ran on this machine and does so no more."""
    pid, _, place = name.partition("@")
    if name in _ALIVE or place.partition("/")[0] != socket.gethostname()[:40] or not pid.isdigit():
        return False
    if int(pid) == os.getpid():
        return True  # in a container every service has the same number
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


@dataclass
class Results:
    """What became of a batch: ids by what is to be noted."""

    sent: list[int] = field(default_factory=list)
    later: dict[int, tuple[datetime, str]] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)
    untouched: list[int] = field(default_factory=list)


class Outbox:
    """Sends what is due. `failed` is called, in the marking transaction, with mails that will never get there."""

    def __init__(
        self,
        db: Database,
        smtp: SmtpSender,
        now: Callable[[], datetime],
        worker: str,
        failed: Callable[[Tx, Sequence[tuple[Claimed, str]]], None],
        sent: Callable[[Sequence[Claimed]], None] = lambda mails: None,
    ) -> None:
        """worker: a name that no other sender of this database has. sent: told of every batch that the server took."""
        self._db = db
        self._smtp = smtp
        self._now = now
        self._worker = worker
        self._failed = failed
        self._sent = sent
        self._unmarked: list[tuple[Mapping[int, Claimed], Results]] = []
        self.wake = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Send until `stop` is set; the mails that the server is being given are finished first, the others are left
        for the next start. A database that is away is waited for."""
        with _alive(self._worker):
            orphans = True
            while not stop.is_set():
                self.wake.clear()
                count = 0
                try:
                    if orphans:
                        await asyncio.to_thread(self._adopt)
                        orphans = False
                    count = await self.once(stop)
                except StoreError as error:
                    logger.error("the outbox cannot be used: %s", error)
                except Exception as error:  # noqa: BLE001 (logged by log_fault)
                    # Mails must go on going out whatever one of them does to us.
                    log_fault(logger, error, "a batch of mails failed")
                if count == 0:
                    await self._rest(stop)

    async def once(self, stop: asyncio.Event | None = None) -> int:
        """Claim one batch, send it, mark it; give its size (0: nothing is due). Raises StoreError.

        What was sent while the database was away is marked first, or it would be sent again. stop: once it is set, no
        other mail of the batch is begun: a server that is slow to answer must not hold up the end of the service.
        """
        await asyncio.to_thread(self._mark)
        claimed = await asyncio.to_thread(self._claim)
        if not claimed:
            return 0
        results = Results()
        chains: dict[str, list[Claimed]] = defaultdict(list)
        for mail in claimed:
            chains[mail.recipient.lower()].append(mail)
        self._unmarked.append(({mail.id: mail for mail in claimed}, results))
        room = asyncio.Semaphore(self._smtp.settings.connections)
        await asyncio.gather(*(self._chain(chain, results, room, stop) for chain in chains.values()))
        await asyncio.to_thread(self._mark)
        return len(claimed)

    async def _chain(
        self, mails: Sequence[Claimed], results: Results, room: asyncio.Semaphore, stop: asyncio.Event | None
    ) -> None:
        """The mails to one person, one after the other: none overtakes one that has to wait."""
        for place, mail in enumerate(mails):
            async with room:
                if stop is not None and stop.is_set():
                    results.untouched += [waiting.id for waiting in mails[place:]]
                    return
                delivery = await self._smtp.send(Envelope(mail.key, mail.sender, mail.recipient, mail.content))
            self._judge(mail, delivery, results)
            if mail.id in results.later:
                results.untouched += [waiting.id for waiting in mails[place + 1 :]]
                return

    def _judge(self, mail: Claimed, delivery: Delivery, results: Results) -> None:
        now = self._now()
        said = f"{delivery.code or ''} {delivery.text}".strip()
        if delivery.status == "sent":
            results.sent.append(mail.id)
        elif delivery.status == "permanent" or now - mail.created_at > GIVE_UP:
            logger.warning("mail %s cannot be delivered: %s", mail.id, said)
            results.failed[mail.id] = said
        else:
            level = logging.ERROR if delivery.config_problem else logging.INFO
            logger.log(level, "mail %s waits for its next try: %s", mail.id, said)
            results.later[mail.id] = (now + RETRIES[min(mail.attempts, len(RETRIES)) - 1], said)

    def _claim(self) -> list[Claimed]:
        with self._db.read() as tx:
            due = outbox.next_due(tx)
        if due is None or due > self._now():
            return []
        return self._db.run(lambda tx: outbox.claim(tx, self._worker, self._now(), BATCH))

    def _adopt(self) -> None:
        """Take over what senders that died on this machine had claimed: sent or not, it goes (again) at once."""

        def work(tx: Tx) -> int:
            dead = [name for name in outbox.claimers(tx) if _is_dead(name)]
            return sum(outbox.release_all(tx, name, self._now()) for name in dead)

        if found := self._db.run(work):
            logger.warning("%d mails were being sent when the service stopped; they go again as they were", found)

    def _mark(self) -> None:
        """Note what became of the batches that were sent; those that cannot be noted now are kept for the next time."""
        while self._unmarked:
            mails, results = self._unmarked[0]
            try:
                self._db.run(lambda tx: self._note(tx, mails, results))  # noqa: B023 (called at once)
            except StoreError:
                logger.error("%d mails were sent and are still to be marked", len(results.sent))
                raise
            del self._unmarked[0]
            self._sent([mails[id_] for id_ in results.sent])

    def _note(self, tx: Tx, mails: Mapping[int, Claimed], results: Results) -> None:
        now = self._now()
        outbox.mark_sent(tx, results.sent, now)
        outbox.mark_retry(tx, self._worker, results.later)
        outbox.mark_failed(tx, results.failed)
        outbox.release(tx, self._worker, results.untouched, now)
        if not results.failed:
            return
        try:
            with tx.begin_nested():
                self._failed(tx, [(mails[id_], said) for id_, said in results.failed.items()])
        except (StoreError, DBAPIError):
            raise
        except Exception as error:  # noqa: BLE001 (logged by log_fault)
            # What was sent must be marked all the same, or it would be sent for ever.
            log_fault(logger, error, "nobody can be told of %d mails that failed", len(results.failed))

    async def _rest(self, stop: asyncio.Event) -> None:
        """Until there is something new, the next try is due, or the service stops."""
        seconds = await asyncio.to_thread(self._until_next)
        waiting = [asyncio.create_task(self.wake.wait()), asyncio.create_task(stop.wait())]
        try:
            await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    def _until_next(self) -> float:
        try:
            with self._db.read() as tx:
                due = outbox.next_due(tx)
        except StoreError:
            logger.exception("the outbox cannot be read")
            return IDLE_SECONDS
        if due is None:
            return IDLE_SECONDS
        return max(0.05, min(IDLE_SECONDS, (due - self._now()).total_seconds()))
