"""The players of a demonstration: each has a mailbox, reads what comes, and sends real messages.

They draw what they do from the asks of the game, and write it in the shapes that people use. All they know of
addresses comes out of their mails.
"""

from __future__ import annotations

import email
import random
import re
import smtplib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parseaddr

from imapclient import IMAPClient

from mailgm.demo import shapes
from mailgm.demo.servers import MailServer
from mailgm.engine import GM, Dice, Game, Input
from mailgm.engine.bot import choose
from mailgm.engine.wording import render_order

_FOOTER = re.compile(r"(?:Pour parler à tous|To talk to everybody)[^@]*?([\w.+-]+@[\w.-]+)")
CHAT = {
    "fr": ("Je ne fais confiance à personne ici.", "Qui a une idée ?", "J'ai mal dormi, et vous ?"),
    "en": ("I trust nobody here.", "Does anybody have an idea?", "I slept badly, did you?"),
}


@dataclass
class Sent:
    """What the players have sent, by kind, for the account at the end."""

    messages: int = 0
    odd: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)

    def count(self, kind: str, message_id: str, what: str, *, odd: bool) -> None:
        """One more message; what: who wrote it where and how, to find it again if it never arrives."""
        self.ids[message_id] = what
        self.messages += 1
        self.odd += odd
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


class Correspondent:
    """One person: his mailbox, what he has read, and where he writes to."""

    def __init__(self, server: MailServer, name: str, address: str, lang: str) -> None:
        self.name = name
        self.address = address
        self.lang = lang
        self._server = server
        self._seen = 0
        self.mails: list[bytes] = []
        self.latest: Message | None = None
        self.private = ""
        self.table = ""

    def read(self) -> None:
        """Fetch what is new in the mailbox and learn the addresses that stand in it."""
        with IMAPClient(self._server.imap_host, self._server.imap_port, ssl=False) as box:
            box.login(self.address, self._server.password)
            box.select_folder("INBOX", readonly=True)
            uids = [uid for uid in box.search(["UID", f"{self._seen + 1}:*"]) if uid > self._seen]
            for uid in sorted(uids):
                raw = box.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
                self._seen = uid
                self.mails.append(raw)
                self._learn(email.message_from_bytes(raw))

    def expect_a_mail(self, seconds: float = 10) -> bool:
        """Read until the first mail is there, which holds the addresses to write to. Whether it came."""
        until = time.monotonic() + seconds
        while not self.private:
            self.read()
            if self.private or time.monotonic() > until:
                break
            time.sleep(0.1)
        return bool(self.private)

    def _learn(self, message: Message) -> None:
        answers_to = parseaddr(str(message["Reply-To"]))[1]
        footer = _FOOTER.search(" ".join(shapes.words_of(message).split()))
        if footer:
            self.table = footer[1].rstrip(".")
        # A mail that came from the table or from a channel: answering it is not speaking to the game master alone.
        if "table" not in str(message["From"]) and answers_to != self.table:
            self.latest, self.private = message, answers_to


class Troupe:
    """All players of a game at once; `act` lets everybody do something in the running phase."""

    def __init__(
        self, server: MailServer, people: Sequence[Correspondent], game_address: str, seed: int, odd_share: float = 0.3
    ) -> None:
        """odd_share: the share of messages that come in a shape that is hard to read."""
        self.people = {person.name: person for person in people}
        self.sent = Sent()
        self._server = server
        self._address = game_address
        self._random = random.Random(seed)
        self._dice = Dice(f"troupe-{seed}")
        self._odd_share = odd_share
        self._turn = 0
        self._stale: list[tuple[str, str]] = []

    def act(self, game: Game) -> list[tuple[str, str, str]]:
        """Send, for each player, what he draws from what he is asked now; gives (player, channel, text) in order."""
        self._turn += 1
        done: list[tuple[str, str, str]] = []
        for name in self._dice.shuffle(f"turn-{self._turn}", game.players):
            person = self.people[name]
            person.read()
            if not person.expect_a_mail():
                continue  # he knows no address to write to yet
            done += self._late(person)
            done += self._orders(game, person)
            if game.rules.table and self._random.random() < 0.15:
                done.append(self._send(person, "public", self._random.choice(CHAT[person.lang]), "talk"))
        return done

    def _orders(self, game: Game, person: Correspondent) -> list[tuple[str, str, str]]:
        """One or several orders: private ones of one player go in one message, public ones to the table."""
        lines: dict[str, list[str]] = {}
        taken: set[str] = set()
        for turn in range(3):
            given = choose(game, person.name, Dice(f"{self._turn}/{person.name}/{turn}/{self._random.random()}"), 4)
            if given is None or given.command in taken:
                break
            taken.add(given.command)
            lines.setdefault(given.channel, []).append(self._write(game, person, given))
            if turn == 0 and self._random.random() < 0.7:
                break
        sent = []
        for channel, said in lines.items():
            if channel == "private" and self._random.random() < 0.05:
                self._stale.append((person.name, said[0]))
            sent.append(self._send(person, channel, "\n".join(said), "orders" if len(said) > 1 else "order"))
        return sent

    def _late(self, person: Correspondent) -> list[tuple[str, str, str]]:
        """What somebody sends again too late, when its phase is closed."""
        again = [text for name, text in self._stale if name == person.name]
        self._stale = [(name, text) for name, text in self._stale if name != person.name]
        return [self._send(person, "private", text, "late") for text in again]

    def _write(self, game: Game, person: Correspondent, given: Input) -> str:
        text = render_order(game.variant.spec, given.command, given.args, person.lang)
        return shapes.slip(text, self._random) if self._random.random() < 0.1 else text

    def _send(self, person: Correspondent, channel: str, text: str, kind: str) -> tuple[str, str, str]:
        odd = self._random.random() < self._odd_share
        shape = self._random.choice(shapes.ODD if odd else shapes.TIDY)
        recipient = person.table if channel == "public" else person.private
        draft = shapes.Draft(person.name, person.address, recipient, person.lang, text, person.latest)
        raw = shapes.build(draft, self._random, shape)
        # As the header has it, which some shapes change; an address in Bcc stands nowhere.
        head = email.message_from_bytes(raw)
        goes_to = parseaddr(str(head["To"]))[1] or recipient
        with smtplib.SMTP(self._server.smtp_host, self._server.smtp_port) as smtp:
            smtp.sendmail(person.address, [goes_to], raw)
        what = f"{person.name} to {goes_to} ({shape.__name__}): {text!r}"
        self.sent.count(kind, str(head["Message-ID"]), what, odd=odd)
        return person.name, channel, text


def everybody(server: MailServer, names: Sequence[str], domain: str, lang: str) -> list[Correspondent]:
    """The players and the game master, each with a mailbox of his own."""
    people = [Correspondent(server, name, f"joueur{place}@{domain}", lang) for place, name in enumerate(names, 1)]
    return [*people, Correspondent(server, GM, f"mj@{domain}", lang)]
