"""A game, its letters and the hour, for the tests of the store."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from mailgm.mail.inbox import RawLetter
from mailgm.store import Database, games, seats


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 12, 1, 20, 0, tzinfo=UTC)


@pytest.fixture
def game(database: Database, now: datetime) -> games.GameRecord:
    """A game of three players, Ana, Bob and Chloé."""
    with database.write() as tx:
        made = games.create(
            tx, games.GameRecord("manoir", "phare", "mj@jeu.example", "gmtoken", "marks", "ab" * 32), now
        )
        names = enumerate(["Ana", "Bob", "Chloé"], start=1)
        seats.add(tx, [seats.Seat(made.id, n, name, f"{name.lower()}@jeu.example", f"t{n}") for n, name in names])
    return made


@pytest.fixture
def letter(now: datetime) -> Callable[..., RawLetter]:
    """Makes a message as a mailbox gives it, by default a new one that arrives now."""
    numbers = itertools.count(1)

    def make(text: str = "vote Bob", *, at: datetime | None = None, headers: str = "", number: int = 0) -> RawLetter:
        n = number or next(numbers)
        head = f"From: Ana <ana@jeu.example>\r\nMessage-ID: <{n}@phone.example>\r\n{headers}"
        raw = f"{head}\r\n{text}\r\n".encode()
        return RawLetter("imap://jeu@mail.example/INBOX", 7, str(n), at or now, raw, False)

    return make
