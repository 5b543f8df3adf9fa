"""Every test of the store that asks for a database runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from mailgm.mail.inbox import RawLetter
from mailgm.store import Database, games, open_database, seats
from mailgm.store.database import connect
from mailgm.store.models import metadata
from tests.conftest import need
from tests.store.cluster import Cluster, binaries


@pytest.fixture(scope="session")
def postgresql(server_folder: Path) -> Iterator[Cluster]:
    """A private PostgreSQL server."""
    need(binaries() is not None, "PostgreSQL (initdb)")
    with Cluster(server_folder) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def file_with_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with its tables, to be copied: making them for each test would take most of the time."""
    path = tmp_path_factory.mktemp("tables") / "games.sqlite"
    open_database(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def postgresql_with_tables(postgresql: Cluster) -> str:
    """A PostgreSQL database with its tables, to be emptied."""
    url = postgresql.url()
    open_database(url).close()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables, or without rows where `database` is wanted too."""
    ready = "database" in request.fixturenames
    if request.param == "sqlite":
        path = tmp_path / "games.sqlite"
        if ready:
            shutil.copy(request.getfixturevalue("file_with_tables"), path)
        return f"sqlite:///{path}"
    if not ready:
        cluster: Cluster = request.getfixturevalue("postgresql")
        return cluster.url()
    url: str = request.getfixturevalue("postgresql_with_tables")
    database = connect(url)
    with database.write() as tx:
        tx.execute(text(f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY"))
    database.close()
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database with its tables."""
    opened = open_database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 12, 1, 20, 0, tzinfo=UTC)


@pytest.fixture
def game(database: Database, now: datetime) -> games.GameRecord:
    """A game of three players, Ana, Bob and Chloé."""
    with database.write() as tx:
        made = games.create(tx, games.GameRecord("manoir", "phare", "mj@jeu.example", "gmtoken", "ab" * 32), now)
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
