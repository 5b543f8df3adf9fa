"""What the doctor tests of the mail: login, folders, the clock, sending, and a mail to the game's own plus-address."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Protocol

from imapclient.exceptions import IMAPClientError
from imapclient.imapclient import JUNK

from mailgm.config import Config, ConfigError
from mailgm.engine.said import Said, say
from mailgm.mail.compose import OutgoingMail, compose
from mailgm.mail.imap import ImapInbox
from mailgm.mail.imap_connection import ImapConnection
from mailgm.mail.imap_login import ImapSettings, connect, log_in, personal_folder
from mailgm.mail.inbox import InboxError
from mailgm.mail.maildir import PROCESSED, MaildirInbox
from mailgm.mail.smtp import Delivery, Envelope, SmtpSender, SmtpSettings
from mailgm.mail.tokens import message_id, new_token, plus_address
from mailgm.service.directory import bounce_address
from mailgm.service.finding import Finding
from mailgm.service.ready import address_faults
from mailgm.service.run import imap_settings, smtp_settings

CLOCK_SECONDS = 30
"""How far two clocks may be apart: deadlines go by the mail server's clock, and fall by this machine's."""

LOOK_SECONDS = 1.0
NOBODY = "doctor@mailgm.invalid"
"""Who writes a mail that is only stored, never sent."""


class Box(Protocol):
    """The mailbox in which the doctor looks for his own mail."""

    def find(self, mark: str) -> str | None:
        """The folder that holds the mail of that Message-ID, or None."""

    def bounced(self, mark: str) -> bool:
        """Whether a mail came back that speaks of that Message-ID."""

    def remove(self, mark: str) -> None:
        """Take away every mail that bears that Message-ID or speaks of it."""

    def spam(self, folder: str) -> bool:
        """Whether that folder is the one for spam."""

    def close(self) -> None:
        """Let go of it; never raises."""


def examine_mail(config: Config, now: Callable[[], datetime], wait: float) -> Iterator[Finding]:
    """Test receiving, the clock, sending, and the way round from one to the other."""
    box: Box | None = None
    try:
        if config.imap.host:
            findings, box = _imap(config, now)
            yield from findings
        if config.maildir.path:
            findings, disk = _maildir(config)
            yield from findings
            box = box or disk
        sending = _smtp(config)
        yield sending
        if box is None or sending.status != "ok" or address_faults(config):
            needs = say("needs an address, a mailbox and a server for outgoing mail that work")
            yield Finding("round trip", "untested", needs)
        else:
            yield _round_trip(config, box, now(), wait)
    finally:
        if box is not None:
            box.close()


# Receiving ----------------------------------------------------------------------------------------------------------


def _imap(config: Config, now: Callable[[], datetime]) -> tuple[list[Finding], Box | None]:
    untested = [Finding(check, "untested", say("needs the IMAP login")) for check in ("folders", "clock")]
    try:
        settings = imap_settings(config)
        inbox = ImapInbox(settings)
        inbox.open()
        inbox.close()
        box = ImapBox(settings)
    except InboxError as error:
        text = str(error).removesuffix(". Trying again").removesuffix(". Trying again later")
        advice = say("Check host, port, security, and the network") if error.temporary else ""  # else the text says it
        return [Finding("IMAP", "wrong", text, advice), *untested], None
    except (ConfigError, ValueError) as error:
        return [Finding("IMAP", "wrong", str(error), say("Correct that setting")), *untested], None
    except (OSError, IMAPClientError) as error:
        text = f"{settings.host}:{settings.port}: {error}"
        return [Finding("IMAP", "wrong", text, say("Try again in a minute")), *untested], None
    found = [Finding("IMAP", "ok", _let_in(settings))]
    try:
        found += box.try_folders(now)
    except (OSError, IMAPClientError) as error:
        advice = say("Look in the webmail whether mail can be stored, moved and removed there, and whether it is full")
        found.append(
            Finding(
                "folders", "wrong", say("{folder} cannot be used: {error}", folder=settings.folder, error=error), advice
            )
        )
    return found, box


class ImapBox:
    """A mailbox on an IMAP server, logged in. Raises OSError and imaplib's errors."""

    def __init__(self, settings: ImapSettings) -> None:
        self._client: ImapConnection = connect(settings, settings.host)
        try:
            log_in(self._client, settings, settings.host)
            self._inbox = settings.folder
            self._processed = personal_folder(self._client, settings.processed_folder)
            self._junk = self._client.find_special_folder(JUNK)
        except BaseException:
            self._client.cut()
            raise

    def try_folders(self, now: Callable[[], datetime]) -> list[Finding]:
        """Store a mail in the inbox, move it to the processed folder, and remove it; its arrival tells the clock."""
        client = self._client
        if not client.folder_exists(self._processed):
            return [
                Finding(
                    "folders", "wrong",
                    say("there is no folder {folder}, and none can be made", folder=repr(self._processed)),
                    say("Make it in the webmail, or set [imap] processed_folder to one that there is"),
                )
            ]  # fmt: skip
        mark = _mark(NOBODY)
        before = now()
        client.append(self._inbox, _letter(NOBODY, NOBODY, mark, before))
        after = now()
        try:
            client.select_folder(self._inbox)
            uids = client.search(["HEADER", "Message-ID", mark])
            arrived = [entry[b"INTERNALDATE"] for entry in client.fetch(uids, ["INTERNALDATE"]).values()]
            moved = self._move(uids)
            gone = not moved or self.find(mark) == self._processed
        finally:
            self.remove(mark)
        places = {"inbox": self._inbox, "processed": self._processed}
        found = Finding("folders", "ok", say("{inbox} is read, handled mail goes to {processed}", **places))
        if not moved:
            text = say("{inbox} is read; handled mail stays there, for the server cannot move mail", inbox=self._inbox)
            found = Finding("folders", "ok", text)
        elif not gone:
            text = say("mail is not moved from {inbox} to {processed}", **places)
            found = Finding("folders", "wrong", text, say("Look at the rules of that mailbox in the webmail"))
        return [found, _clock(arrived, before, after)]

    def _move(self, uids: list[int]) -> bool:
        client = self._client
        if client.has_capability("MOVE"):
            client.move(uids, self._processed)
        elif client.has_capability("UIDPLUS"):
            client.copy(uids, self._processed)
            client.delete_messages(uids, silent=True)
            client.uid_expunge(uids)
        else:
            return False
        return True

    def _folders(self) -> list[str]:
        others = (folder for folder in (self._processed, self._junk) if folder and self._client.folder_exists(folder))
        return [self._inbox, *others]

    def find(self, mark: str) -> str | None:
        """As Box says."""
        for folder in self._folders():
            self._client.select_folder(folder)  # a fresh look: what came meanwhile is seen
            if self._client.search(["HEADER", "Message-ID", mark]):
                return folder
        return None

    def bounced(self, mark: str) -> bool:
        """As Box says."""
        self._client.select_folder(self._inbox)
        return bool(self._client.search(["TEXT", mark.strip("<>"), "NOT", "HEADER", "Message-ID", mark]))

    def remove(self, mark: str) -> None:
        """As Box says."""
        for folder in self._folders():
            with contextlib.suppress(IMAPClientError):
                self._client.select_folder(folder)
                if uids := self._client.search(["TEXT", mark.strip("<>")]):
                    self._client.delete_messages(uids, silent=True)
                    if self._client.has_capability("UIDPLUS"):
                        self._client.uid_expunge(uids)

    def spam(self, folder: str) -> bool:
        """As Box says."""
        return bool(folder == self._junk)

    def close(self) -> None:
        """As Box says."""
        self._client.leave()


def _clock(arrived: list[datetime], before: datetime, after: datetime) -> Finding:
    """Compare the server's hour of a mail that was stored between two moments of this machine."""
    if not arrived:
        return Finding("clock", "untested", say("the mail stored for it was taken away meanwhile"), say("Try again"))
    ahead = (before - arrived[0]).total_seconds() - 1.0  # the server gives whole seconds
    behind = (arrived[0] - after).total_seconds()
    apart = max(ahead, behind)
    if apart <= CLOCK_SECONDS:
        return Finding("clock", "ok", say("as the mail server's"))
    seconds = f"{apart:.0f}"
    if ahead > behind:
        text = say(
            "this machine is {seconds} s ahead of the mail server, by whose clock orders are in time", seconds=seconds
        )
    else:
        text = say(
            "this machine is {seconds} s behind the mail server, by whose clock orders are in time", seconds=seconds
        )
    return Finding("clock", "wrong", text, say("Turn on time synchronisation (timedatectl set-ntp true)"))


def _maildir(config: Config) -> tuple[list[Finding], Box | None]:
    path = config.folder / config.maildir.path
    try:
        MaildirInbox(path).open()
    except InboxError as error:
        return [Finding("Maildir", "wrong", str(error), say("Set [maildir] path to the right folder"))], None
    text = say("{path} is read, handled mail goes to its folder {processed}", path=path, processed=PROCESSED)
    return [Finding("Maildir", "ok", text)], MaildirBox(path)


class MaildirBox:
    """A Maildir on this disk."""

    def __init__(self, path: Path) -> None:
        self._folders = [path / "new", path / "cur", path / PROCESSED / "cur"]

    def _files(self, mark: str) -> Iterator[Path]:
        for file in (file for folder in self._folders if folder.is_dir() for file in folder.iterdir()):
            with contextlib.suppress(OSError):
                if mark.strip("<>").encode() in file.read_bytes():
                    yield file

    def find(self, mark: str) -> str | None:
        """As Box says."""
        header = f"\nmessage-id: {mark}".encode().lower()
        found = (file for file in self._files(mark) if header in b"\n" + file.read_bytes()[:8192].lower())
        return next((str(file.parent) for file in found if not self._is_report(file)), None)

    def bounced(self, mark: str) -> bool:
        """As Box says."""
        return any(self._is_report(file) for file in self._files(mark))

    def _is_report(self, file: Path) -> bool:
        return b"multipart/report" in file.read_bytes()[:8192].lower()

    def remove(self, mark: str) -> None:
        """As Box says."""
        for file in self._files(mark):
            file.unlink(missing_ok=True)

    def spam(self, folder: str) -> bool:
        """As Box says."""
        return False

    def close(self) -> None:
        """Nothing is held open."""


# Sending ------------------------------------------------------------------------------------------------------------


def _smtp(config: Config) -> Finding:
    try:
        settings = smtp_settings(config)
        delivery = asyncio.run(_checked(settings)) if settings.host else None
    except (ConfigError, ValueError) as error:
        return Finding("SMTP", "wrong", str(error), say("Correct that setting"))
    if delivery is None:
        return Finding("SMTP", "untested", say("needs [smtp] host"))
    if delivery.status == "sent":
        return Finding("SMTP", "ok", _let_in(settings))
    advice = say("Check user and password (many providers want an app password)")
    if delivery.code is None:
        advice = say("Check host, port, security, and the network")
    return Finding("SMTP", "wrong", delivery.text, advice)


def _let_in(settings: ImapSettings | SmtpSettings) -> Said:
    server = f"{settings.host}:{settings.port}"
    if not settings.user:
        return say("mail is taken without a login by {server}", server=server)
    return say("{user} is let in at {server}", user=settings.user, server=server)


async def _checked(settings: SmtpSettings) -> Delivery:
    async with SmtpSender(settings) as sender:
        return await sender.check()


async def _sent(settings: SmtpSettings, envelope: Envelope) -> Delivery:
    async with SmtpSender(settings) as sender:
        return await sender.send(envelope)


def _round_trip(config: Config, box: Box, now: datetime, wait: float) -> Finding:
    """Send a mail to ourselves, as the game sends its own, and wait until it is in the mailbox."""
    plus, own = config.mailbox.plus_addresses, config.mailbox.address
    recipient = plus_address(own, new_token()) if plus else own
    mark = _mark(own)
    envelope = Envelope(mark, bounce_address(config, mark), recipient, _letter(own, recipient, mark, now))
    without_plus = say("Set [mailbox] plus_addresses = false: players are then known by a token in the subject")
    delivery = asyncio.run(_sent(smtp_settings(config), envelope))
    if delivery.status != "sent":
        advice = without_plus if plus else say("Check that this login may send from that address")
        text = say("mail from and to {recipient} is refused: {error}", recipient=recipient, error=delivery.text)
        return Finding("round trip", "wrong", text, advice)
    try:
        return _awaited(box, mark, recipient, wait, without_plus if plus else "")
    except (OSError, IMAPClientError) as error:
        text = say("the mailbox cannot be read any more: {error}", error=error)
        return Finding("round trip", "wrong", text, say("Try again in a minute"))
    finally:
        with contextlib.suppress(OSError, IMAPClientError):
            box.remove(mark)


def _awaited(box: Box, mark: str, recipient: str, wait: float, without_plus: str) -> Finding:
    began = time.monotonic()
    while True:
        folder = box.find(mark)
        seconds = time.monotonic() - began
        if folder is not None and box.spam(folder):
            text = say("a mail to {recipient} went to the folder {folder}", recipient=recipient, folder=folder)
            advice = say("Mark it there as wanted, and add the game's address to the mailbox's contacts")
            return Finding("round trip", "wrong", text, advice)
        if folder is not None:
            after = f"{seconds:.0f}"
            text = say("a mail to {recipient} was there after {seconds} s", recipient=recipient, seconds=after)
            return Finding("round trip", "ok", text)
        if box.bounced(mark):
            text = say("a mail to {recipient} came back undelivered", recipient=recipient)
            return Finding("round trip", "wrong", text, without_plus or say("Check [mailbox] address"))
        if seconds >= wait:
            limit = f"{wait:.0f}"
            text = say("a mail to {recipient} did not arrive within {seconds} s", recipient=recipient, seconds=limit)
            return Finding("round trip", "wrong", text, without_plus or say("Look in the webmail where it is"))
        time.sleep(min(LOOK_SECONDS, max(0.0, wait - seconds)))


def _mark(address: str) -> str:
    """A Message-ID that nobody else has."""
    return message_id(address.rpartition("@")[2], "doctor", secrets.token_hex(16))


def _letter(sender: str, recipient: str, mark: str, now: datetime) -> bytes:
    """The doctor's mail; a running service takes it for a robot's and answers nothing (RFC 3834 §2)."""
    return compose(
        OutgoingMail(
            sender_name="mailgm doctor",
            sender_address=sender,
            recipient=recipient,
            subject="mailgm doctor",
            date=now,
            message_id=mark,
            text="This is a test of mailgm doctor. It goes away by itself.\n",
        )
    )
