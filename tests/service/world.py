"""A game of mails without servers: letters go straight into the store, mails are read in the outbox."""

from __future__ import annotations

import email
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr
from pathlib import Path
from typing import Any

from mailgm.config import parse
from mailgm.demo.shapes import words_of
from mailgm.engine import Game
from mailgm.loader import Library
from mailgm.mail.inbox import RawLetter
from mailgm.render import Renderer
from mailgm.service import due, intake
from mailgm.service.context import Context, Live
from mailgm.service.create import NewGame, begin, create
from mailgm.service.directory import TABLE, channel_token, reply_address
from mailgm.service.players import SignUp
from mailgm.store import Database, letters, outbox
from mailgm.store.outbox import Mail

BOX = "imap://jeu@example.org/INBOX"
NAMES = ("Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny")


class World:
    """A database, a service that acts when told to, and an hour that moves when told to."""

    def __init__(self, database: Database, folder: Path, config: Mapping[str, Any] | None = None) -> None:
        self.hour = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
        settings = {"mailbox": {"address": "jeu@example.org"}, **(config or {})}
        self.ctx = Context(parse(settings, folder), database, Library(), Renderer(), now=lambda: self.hour)
        self.name = "manoir"
        self._uid = 0
        self._seen = 0

    def start(
        self,
        names: Sequence[str] = NAMES,
        settings: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> World:
        """Make a Dracula game, Ana is Dracula, and open its first night."""
        players = [
            SignUp(name, f"joueur{place}@example.net", "fr", "Europe/Paris") for place, name in enumerate(names, 1)
        ]
        new = NewGame(
            name=self.name,
            game="dracula",
            players=players,
            gm_address="mj@example.com",
            options={"rounds": 1, "first_day": False, "fill_seats": "empty", **(options or {})},
            settings={"title": "Manoir", **(settings or {})},
            **{"deal": {"dracula": "Ana"}, "seed": "7", "decoys": False, **others},
        )
        create(self.ctx, new)
        begin(self.ctx, self.name)
        return self

    # What people do ---------------------------------------------------------------------------------------------------

    def write(self, player: str, text: str, **others: Any) -> int:
        """A private message of a player; the letter's id."""
        return self.deliver(self.address(player), text, sender=self.seat(player).email, **others)

    def post(self, player: str, text: str, **others: Any) -> int:
        """A message of a player to the table."""
        return self.deliver(self.address(player, TABLE), text, sender=self.seat(player).email, **others)

    def command(self, text: str, **others: Any) -> int:
        """A message of the game master."""
        address = reply_address(self.ctx.config, self.live.record.gm_token)
        return self.deliver(address, text, sender="mj@example.com", **others)

    def deliver(
        self,
        recipient: str,
        text: str,
        *,
        sender: str,
        at: datetime | None = None,
        headers: Mapping[str, str] | None = None,
        handle: bool = True,
    ) -> int:
        """A letter arrives (at `at`, else now) and is handled unless `handle` is false."""
        self._uid += 1
        lines = {
            "From": sender,
            "To": recipient,
            "Subject": "Re: [Manoir] Dracula",
            "Message-ID": f"<{self._uid}@example.net>",
            **(headers or {}),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        raw = f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n".encode()
        return self.store(raw, at, handle=handle)

    def store(self, raw: bytes, at: datetime | None = None, *, handle: bool = True) -> int:
        """A raw message arrives."""
        self._uid += 1
        letter = RawLetter(BOX, 1, str(self._uid), at or self.hour, raw, False)
        with self.ctx.db.write() as tx:
            new = letters.store(tx, [letter], self.hour)
        if handle:
            intake.handle_waiting(self.ctx)
        return new[0] if new else 0

    def pass_time(self, **span: float) -> None:
        """The clock moves on, and what falls due at its new hour is done."""
        self.hour += timedelta(**span)
        self.look()

    def look(self, *, mail_complete: bool = True) -> None:
        """The sweep at the present hour."""
        intake.handle_waiting(self.ctx)
        due.act(self.ctx, self.hour, mail_complete=mail_complete)

    def close(self) -> None:
        """The clock moves on to the running phase's deadline."""
        deadline = self.live.record.deadline
        assert deadline is not None
        self.hour = max(self.hour, deadline)
        self.look()

    # What they see ----------------------------------------------------------------------------------------------------

    @property
    def live(self) -> Live:
        """The game as it is stored."""
        with self.ctx.db.read() as tx:
            return self.ctx.load(tx, self.name, for_update=False)

    @property
    def game(self) -> Game:
        """The kernel's game."""
        return self.live.running

    def seat(self, player: str) -> Any:
        """A player's seat."""
        found = self.live.seat(player)
        assert found is not None
        return found

    def address(self, player: str, channel: str = "private") -> str:
        """A player's secret address of a channel."""
        return reply_address(self.ctx.config, channel_token(self.seat(player).token, channel))

    def mails(self, *, new: bool = True) -> list[Mail]:
        """The mails written since the last look (all of them, unless `new`), oldest first."""
        with self.ctx.db.read() as tx:
            found = outbox.find(tx, limit=10_000)[::-1]
        fresh = [mail for mail in found if mail.id > self._seen] if new else found
        self._seen = max([self._seen, *(mail.id for mail in found)])
        return fresh

    def mails_to(self, who: str) -> list[Mail]:
        """The new mails to one player, or to "gm"; those to others count as seen too."""
        address = "mj@example.com" if who == "gm" else self.seat(who).email
        return [mail for mail in self.mails() if mail.recipient == address]

    def letter(self, letter_id: int) -> letters.Letter:
        """A letter as it is stored."""
        with self.ctx.db.read() as tx:
            return letters.get(tx, letter_id)


def message(mail: Mail) -> Message:
    """A mail of the outbox, parsed."""
    return email.message_from_bytes(mail.content)


def words(mail: Mail) -> str:
    """The text part of a mail, line breaks made spaces."""
    return " ".join(words_of(message(mail)).replace("\u00a0", " ").split())


def header(mail: Mail, name: str) -> str:
    """A header of a mail, decoded."""
    return str(make_header(decode_header(str(message(mail)[name] or ""))))


def answers_to(mail: Mail) -> str:
    """Where an answer to a mail goes, without the mark of the stage beside the token."""
    return re.sub(r"\.[0-9a-z]{4}@", "@", parseaddr(str(message(mail)["Reply-To"]))[1])
