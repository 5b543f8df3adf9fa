"""A stage for the proofs: a game, its people with real mailboxes, and the real service before them.

What the proofs ask at the end is always the same: nothing lost, nothing doubled, nothing out of order (`accounts`).
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import email
import itertools
import random
import smtplib
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from email.message import Message
from pathlib import Path
from typing import Any

from imapclient import IMAPClient

from mailgm.config import Config, parse
from mailgm.demo import shapes
from mailgm.demo.play import NAMES
from mailgm.demo.players import Troupe, everybody
from mailgm.demo.servers import Dovecot, MailServer
from mailgm.service.context import Context, Live
from mailgm.service.create import NewGame, begin, create
from mailgm.service.directory import TABLE, channel_token, reply_address
from mailgm.service.players import SignUp
from mailgm.service.run import Service, open_context
from mailgm.store import letters, log, outbox

PATIENCE = 60.0
NEW_LINE = b"\r\n"
_numbers = itertools.count(1)


def mail_server(dovecot: Dovecot, smtp_port: int) -> MailServer:
    """Two running servers, as the demonstration's people want them."""
    host = dovecot.host
    return MailServer(host, dovecot.imap_port, host, smtp_port, dovecot.password, "dovecot", contextlib.ExitStack())


class Stage:
    """One game under way, named `name`; each stage has mailboxes of its own on the servers that all tests share."""

    def __init__(self, server: MailServer, folder: Path, database_url: str, **changes: Mapping[str, Any]) -> None:
        """changes: section of the configuration → settings that are not the usual ones."""
        self.server = server
        self.domain = f"stage{next(_numbers)}.test"
        self.address = f"jeu@{self.domain}"
        self.name = "manoir"
        imap = {"host": server.imap_host, "port": server.imap_port, "security": "none", "user": self.address}
        self.settings: dict[str, dict[str, Any]] = {
            "mailbox": {"address": self.address},
            "imap": {**imap, "password": server.password, "poll_seconds": 1},
            "smtp": {"host": server.smtp_host, "port": server.smtp_port, "security": "none", "connections": 4},
            "database": {"url": database_url},
            "limits": {"answers_per_hour": 1000, "posts_per_hour": 1000},
        }
        for section, table in changes.items():
            self.settings[section] = {**self.settings.get(section, {}), **table}
        self.folder = folder
        self.config: Config = parse(self.settings, folder)
        self.ctx: Context = open_context(self.config)
        self.stirred = threading.Event()
        self.sent_ids: list[str] = []
        self.dice = random.Random(1)

    def open(
        self,
        players: int = 6,
        span: str = "24h",
        options: Mapping[str, Any] | None = None,
        odd_share: float = 0.3,
        seed: int = 1,
        **others: Any,
    ) -> Stage:
        """Make a Dracula game in French and begin it. span: of every phase; Ana is Dracula."""
        self.people = everybody(self.server, NAMES[:players], self.domain, "fr")
        new = NewGame(
            name=self.name,
            game="dracula",
            players=[SignUp(one.name, one.address, "fr", "Europe/Paris") for one in self.people[:-1]],
            gm_address=self.people[-1].address,
            options={"early_close": "all", "rounds": 1, "fill_seats": "empty", **(options or {})},
            settings={
                "title": "Manoir",
                "remind_before": [],
                **dict.fromkeys(("day", "night", "short", "instant"), span),
            },
            **{"deal": {"dracula": "Ana"}, "seed": f"{seed:064x}", "decoys": False, **others},
        )
        create(self.ctx, new)
        begin(self.ctx, self.name)
        self.troupe = Troupe(self.server, self.people, self.address, seed, odd_share)
        return self

    # The service ------------------------------------------------------------------------------------------------------

    def changed(self, **sections: Mapping[str, Any]) -> Config:
        """The configuration with some settings that no file could hold, such as a timeout of a second."""
        parts = {name: dataclasses.replace(getattr(self.config, name), **table) for name, table in sections.items()}
        return dataclasses.replace(self.config, **parts)

    @contextlib.contextmanager
    def service(self, config: Config | None = None) -> Iterator[Service]:
        """The real service, in a thread with an event loop of its own."""
        service = Service(config or self.config, sent=lambda mails: self.stirred.set())
        loops: list[asyncio.AbstractEventLoop] = []
        stops: list[asyncio.Event] = []
        faults: list[BaseException] = []
        ready = threading.Event()

        async def main() -> None:
            loops.append(asyncio.get_running_loop())
            stops.append(asyncio.Event())
            ready.set()
            await service.run(stops[0])

        def run() -> None:
            try:
                asyncio.run(main())
            except BaseException as error:
                faults.append(error)
                raise

        thread = threading.Thread(target=run, name="service")
        thread.start()
        ready.wait(PATIENCE)
        try:
            yield service
        finally:
            if not faults:
                loops[0].call_soon_threadsafe(stops[0].set)
            thread.join(PATIENCE)
        assert not faults, faults
        assert not thread.is_alive()

    # What people do ---------------------------------------------------------------------------------------------------

    def seat(self, player: str) -> Any:
        return self.live.seat(player)

    def to(self, player: str, channel: str = "private") -> str:
        """A player's secret address."""
        return reply_address(self.config, channel_token(self.seat(player).token, channel))

    def write(self, player: str, text: str, channel: str = "private", send: bool = True, shape: Any = None) -> bytes:
        """A player's message, to the service's mailbox unless `send` is false; gives it raw."""
        seat = self.seat(player)
        draft = shapes.Draft(player, seat.email, self.to(player, channel), "fr", text)
        raw = shapes.build(draft, self.dice, shape or shapes.plain)
        self.sent_ids.append(str(parsed(raw)["Message-ID"]))
        if send:
            self.deliver(draft.recipient, raw, seat.email)
        return raw

    def post(self, player: str, text: str) -> bytes:
        """A player's message to the table."""
        return self.write(player, text, TABLE)

    def deliver(self, recipient: str, raw: bytes, sender: str) -> None:
        """Hand a message to the mail server, not by way of any proxy."""
        with smtplib.SMTP(self.server.smtp_host, self.server.smtp_port) as smtp:
            smtp.sendmail(sender, [recipient], raw)

    def play(self, seconds: float, between: Callable[[], None] = lambda: None) -> None:
        """Let the players act once in each phase until the game is over. between: done at every look."""
        acted = ""
        until = time.monotonic() + seconds
        while (live := self.live).record.status not in ("over", "stopped"):
            assert time.monotonic() < until, f"the game stands in {live.record.phase_key} after {seconds} s"
            between()
            if live.record.phase_key != acted and self._told(live):
                acted = live.record.phase_key
                self.troupe.act(live.running)
            self.stirred.wait(0.1)
            self.stirred.clear()

    def _told(self, live: Live) -> bool:
        """Whether the players know of the phase; those who know no address yet could not write."""
        return all(person.private for person in self.people[:-1]) or self._read_first()

    def _read_first(self) -> bool:
        for person in self.people[:-1]:
            if not person.private:
                person.read()
        return all(person.private for person in self.people[:-1])

    # What can be seen -------------------------------------------------------------------------------------------------

    @property
    def live(self) -> Live:
        with self.ctx.db.read() as tx:
            return self.ctx.load(tx, self.name, for_update=False)

    def letters(self) -> list[letters.Letter]:
        """All letters, in order of arrival."""
        with self.ctx.db.read() as tx:
            return letters.find(tx, limit=1_000_000)[::-1]

    def mails(self) -> list[outbox.Mail]:
        """All mails, oldest first."""
        with self.ctx.db.read() as tx:
            return outbox.find(tx, limit=1_000_000)[::-1]

    def quiet(self, messages: int | None = None) -> bool:
        """Whether every message that was sent is handled, and every mail is out."""
        expected = len(self.sent_ids) + self.troupe.sent.messages if messages is None else messages
        with self.ctx.db.read() as tx:
            counted = letters.counts(tx)
            return sum(counted.values()) >= expected and not counted.get("stored", 0) and outbox.unsent(tx) == 0

    def wait(self, true: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
        """Until something is so; fails after `seconds`, saying what was waited for."""
        until = time.monotonic() + seconds
        while not (found := true()):
            assert time.monotonic() < until, f"waited {seconds} s in vain: {what}"
            self.stirred.wait(0.05)
            self.stirred.clear()
        return found

    def settled(self, messages: int | None = None) -> None:
        """Wait until all is handled and sent, and has arrived."""
        self.wait(lambda: self.quiet(messages), "every message handled, every mail out")
        self.wait(lambda: not self.missing(), "every mail in its mailbox")

    def mailbox(self, address: str, folder: str = "INBOX") -> list[bytes]:
        """What lies in a mailbox, in the order of its arrival."""
        with IMAPClient(self.server.imap_host, self.server.imap_port, ssl=False) as box:
            box.login(address, self.server.password)
            if not box.folder_exists(folder):
                return []
            box.select_folder(folder, readonly=True)
            uids = sorted(box.search())
            found = box.fetch(uids, ["BODY.PEEK[]"]) if uids else {}
            return [found[uid][b"BODY[]"] for uid in uids]

    def missing(self) -> set[str]:
        """Message-IDs of mails that were sent and have not arrived."""
        found: set[str] = set()
        for address, mails in self._by_recipient().items():
            there = {str(parsed(raw)["Message-ID"]) for raw in self.mailbox(address)}
            found |= {mail.message_id for mail in mails if mail.state == "sent"} - there
        return found

    def _by_recipient(self) -> dict[str, list[outbox.Mail]]:
        grouped: dict[str, list[outbox.Mail]] = defaultdict(list)
        for mail in self.mails():
            grouped[mail.recipient].append(mail)
        return grouped

    # The account ------------------------------------------------------------------------------------------------------

    def faults(self, *, doubles: bool = False, ordered: bool = True, failed: Sequence[str] = ()) -> list[str]:
        """What was lost, doubled, or out of order; [] if all is well.

        doubles: a mail may lie twice in a mailbox, if it is the same to the byte. ordered: no mail overtook another
        (Postfix does not promise it). failed: addresses whose mails may have failed.
        """
        return [*self._lost_letters(), *self._wrong_replies(), *self._wrong_mails(doubles, ordered, failed)]

    def _lost_letters(self) -> Iterator[str]:
        counted = Counter(letter.message_id for letter in self.letters())
        for message_id in self.sent_ids:
            if counted[message_id] != 1:
                yield f"the message {message_id} is there {counted[message_id]} times"
        for letter in self.letters():
            if letter.state != "handled":
                yield f"letter {letter.id} is {letter.state}: {letter.error}"

    def _wrong_replies(self) -> Iterator[str]:
        replies = Counter(mail.letter_id for mail in self.mails() if mail.letter_id is not None)
        with self.ctx.db.read() as tx:
            entries = log.read(tx, self.live.record.id)
        taken = Counter(entry.letter_id for entry in entries if entry.letter_id and entry.kind == "message")
        for letter in self.letters():
            answered = letter.code in ("order", "gm", "nothing", "channel") or (letter.detail or {}).get("answered")
            if replies[letter.id] != (1 if answered else 0):
                yield f"letter {letter.id} ({letter.code}) has {replies[letter.id]} replies"
            said = letter.code in ("order", "post") and "note" not in (letter.detail or {})
            if taken[letter.id] != (1 if said else 0):
                yield f"letter {letter.id} ({letter.code}) was taken {taken[letter.id]} times"
        arrivals = {letter.id: (letter.arrived_at, letter.id) for letter in self.letters()}
        order = [arrivals[entry.letter_id] for entry in entries if entry.letter_id and entry.kind == "message"]
        if order != sorted(order):
            yield "messages were not taken in the order of their arrival"

    def _wrong_mails(self, doubles: bool, ordered: bool, failed: Sequence[str]) -> Iterator[str]:
        for address, mails in self._by_recipient().items():
            arrived: dict[str, list[bytes]] = {}
            for raw in self.mailbox(address):
                message_id = str(parsed(raw)["Message-ID"])
                arrived.setdefault(message_id, []).append(_written(raw))
            for mail in mails:
                copies = arrived.pop(mail.message_id, [])
                if mail.state != "sent" and address not in failed:
                    yield f"mail {mail.id} is {mail.state}: {mail.error}"
                if mail.state == "sent" and not copies:
                    yield f"mail {mail.id} never arrived"
                if len(copies) > 1 and not doubles:
                    yield f"mail {mail.id} arrived {len(copies)} times"
                if any(copy.strip() != mail.content.strip() for copy in copies):
                    yield f"mail {mail.id} arrived in another form than it was written"
            if arrived:
                yield f"{len(arrived)} mails to {address} that nobody wrote"
            if ordered:
                yield from self._overtaken(address, mails)

    def _overtaken(self, address: str, mails: Sequence[outbox.Mail]) -> Iterator[str]:
        """Mails that were taken, or arrived, before an earlier one.

        By the hour and not by the place: Dovecot numbers a mail later whose mailbox is being read as it comes.
        """
        came = self._arrivals(address)
        done = [mail for mail in mails if mail.message_id in came]
        for earlier, later in itertools.pairwise(done):
            assert earlier.sent_at is not None
            assert later.sent_at is not None
            if came[later.message_id] < came[earlier.message_id] or later.sent_at < earlier.sent_at:
                yield f"mail {later.id} ({later.key}) to {address} overtook {earlier.id} ({earlier.attempts} tries)"

    def _arrivals(self, address: str) -> dict[str, datetime]:
        """When each mail came first, to the second, by its Message-ID."""
        with IMAPClient(self.server.imap_host, self.server.imap_port, ssl=False) as box:
            box.login(address, self.server.password)
            box.select_folder("INBOX", readonly=True)
            found = box.fetch(box.search(), ["BODY.PEEK[HEADER]", "INTERNALDATE"])
        came: dict[str, datetime] = {}
        for one in found.values():
            message_id = str(parsed(one[b"BODY[HEADER]"])["Message-ID"])
            came[message_id] = min(one[b"INTERNALDATE"], came.get(message_id, one[b"INTERNALDATE"]))
        return came


def parsed(raw: bytes) -> Message:
    """A mail, parsed."""
    return email.message_from_bytes(raw)


_TRACE = (b"return-path", b"received", b"delivered-to", b"x-original-to")


def _written(raw: bytes) -> bytes:
    """A mail without what the servers on its way have put before it."""
    head, gap, body = raw.partition(2 * NEW_LINE)
    kept: list[bytes] = []
    dropping = False
    for line in head.split(NEW_LINE):
        if line[:1] not in (b" ", b"\t"):
            dropping = line.partition(b":")[0].lower() in _TRACE
        if not dropping:
            kept.append(line)
    return NEW_LINE.join(kept) + gap + body
