"""The running service: one thread that reads and writes games, one event loop that sends and wakes it on time."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

from mailgm.config import Config
from mailgm.loader import Library
from mailgm.mail.imap import ImapInbox, ImapSettings
from mailgm.mail.inbox import Inbox
from mailgm.mail.maildir import MaildirInbox
from mailgm.mail.oauth import AccessTokens
from mailgm.mail.smtp import SmtpSender, SmtpSettings
from mailgm.render import Renderer
from mailgm.service import access
from mailgm.service.bounces import note_failures
from mailgm.service.context import Context, utc_now
from mailgm.service.sender import Outbox, sender_name
from mailgm.service.worker import Worker
from mailgm.store import Database, StoreError, Tx, games, open_database
from mailgm.store.outbox import Claimed

logger = logging.getLogger(__name__)

LOOK_AHEAD = timedelta(seconds=20)
"""How often the scheduler asks when the next game is due, so that changes made elsewhere are seen."""


def open_context(config: Config, now: Callable[[], datetime] = utc_now) -> Context:
    """The service's surroundings for a configuration.

    Raises StoreError where the database cannot be opened, ConfigError where mail cannot be signed as is asked for.
    """
    signer = access.signer(config)
    return Context(
        config,
        open_database(config.database_url),
        Library(config.variants_path),
        Renderer(config.templates_path),
        now,
        signer,
    )


def inboxes(config: Config, tokens: AccessTokens | None) -> list[Inbox]:
    """The mailboxes that the configuration names. Raises ConfigError for a password file that cannot be read."""
    found: list[Inbox] = []
    if config.imap.host:
        found.append(ImapInbox(imap_settings(config, tokens)))
    if config.maildir.path:
        found.append(MaildirInbox(config.folder / config.maildir.path))
    return found


def imap_settings(config: Config, tokens: AccessTokens | None = None) -> ImapSettings:
    """What the IMAP client needs, from the configuration; tokens: shared by all who log in; None: of its own.

    Raises ConfigError.
    """
    imap = config.imap
    password = config.password("imap")
    return ImapSettings(
        host=imap.host,
        user=imap.user,
        password=password,
        tokens=None if password else tokens or access.tokens(config),
        port=imap.port,
        security=imap.security,  # type: ignore[arg-type]
        ca_file=_path(config, imap.ca_file),
        verify=imap.verify,
        folder=imap.folder,
        processed_folder=imap.processed_folder,
        timeout=float(imap.timeout_seconds),
        max_bytes=imap.max_megabytes * 1_000_000,
        idle=imap.idle,
    )


def smtp_settings(config: Config, tokens: AccessTokens | None = None) -> SmtpSettings:
    """What the SMTP client needs, from the configuration; tokens: shared by all who log in; None: of its own.

    Raises ConfigError.
    """
    smtp = config.smtp
    password = config.password("smtp")
    return SmtpSettings(
        host=smtp.host,
        port=smtp.port,
        security=smtp.security,  # type: ignore[arg-type]
        user=smtp.user or None,
        password=password,
        tokens=tokens or access.tokens(config) if smtp.user and not password else None,
        ca_file=_path(config, smtp.ca_file),
        verify=smtp.verify,
        connections=smtp.connections,
        per_minute=smtp.per_minute or None,
        timeout=float(smtp.timeout_seconds),
    )


def _path(config: Config, name: str) -> Path | None:
    return config.folder / name if name else None


class Service:
    """Everything that runs for one configuration. `sent` is told of every batch of mails that the server took."""

    def __init__(self, config: Config, sent: Callable[[Sequence[Claimed]], None] = lambda mails: None) -> None:
        self.config = config
        self.ctx = open_context(config)
        # The sender works in other threads than the worker: it has a context of its own.
        self._sending = Context(config, self.ctx.db, self.ctx.library, self.ctx.renderer, signer=self.ctx.signer)
        self._sent = sent
        self._lock = threading.Lock()

    @property
    def db(self) -> Database:
        """The database."""
        return self.ctx.db

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; what is under way is finished first."""
        loop = asyncio.get_running_loop()
        tokens = access.tokens(self.config)
        smtp = SmtpSender(smtp_settings(self.config, tokens))
        outbox = Outbox(self.db, smtp, self.ctx.now, sender_name(), self._failed, self._sent)

        def committed() -> None:
            loop.call_soon_threadsafe(outbox.wake.set)

        worker = Worker(self.ctx, inboxes(self.config, tokens), self.config.imap.poll_seconds, committed)
        scheduler = AsyncIOScheduler(timezone=UTC)
        scheduler.start()
        scheduler.add_job(self._plan, "interval", [scheduler, worker], seconds=LOOK_AHEAD.total_seconds(), id="plan")
        thread = threading.Thread(target=worker.run, name="mailgm-worker", daemon=True)
        thread.start()
        logger.info("the service runs for %s", self.config.mailbox.address)
        try:
            await outbox.run(stop)
        finally:
            scheduler.shutdown(wait=False)
            worker.stop()
            await asyncio.to_thread(thread.join)
            await smtp.close()
            self.db.close()

    def _failed(self, tx: Tx, failures: Sequence[tuple[Claimed, str]]) -> None:
        with self._lock:
            note_failures(self._sending, tx, list(failures))

    async def _plan(self, scheduler: AsyncIOScheduler, worker: Worker) -> None:
        """Put the next due hour of all games on the scheduler: it wakes the worker to the second."""
        try:
            due = await asyncio.to_thread(self._next_wake)
        except StoreError as error:
            logger.error("the next deadline cannot be read: %s", error)
            return
        if due is not None:
            at = max(due, self.ctx.now())
            scheduler.add_job(
                worker.wake.set, DateTrigger(at), id="due", replace_existing=True, misfire_grace_time=None
            )

    def _next_wake(self) -> datetime | None:
        with self.db.read() as tx:
            return games.next_wake(tx)


def run_until_signal(config: Config) -> None:
    """Run the service until SIGINT or SIGTERM. Raises StoreError, ConfigError where it cannot begin."""

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        await Service(config).run(stop)

    asyncio.run(main())
