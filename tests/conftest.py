"""Real servers for all tests, each started at most once a run, and only when a test asks for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from sqlalchemy import text

from mailgm.demo.servers import Dovecot, Postfix, PymapServer, dovecot_installed, postfix_installed, short_folder
from mailgm.store import Database, open_database
from mailgm.store.database import connect
from mailgm.store.models import metadata
from tests.store.cluster import Cluster, binaries


def need(there: bool, what: str) -> None:
    """Skip the test where something is not installed; on CI, where the set-up installs it, fail."""
    if not there and os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, though CI installs it (scripts/setup-services.sh)")
    if not there:
        pytest.skip(f"{what} is missing; `make test` installs it where it may")


@pytest.fixture(scope="session")
def server_folder() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def dovecot(server_folder: Path) -> Iterator[Dovecot]:
    """IMAP (also with TLS) and LMTP; a test takes user names of its own."""
    need(dovecot_installed(), "Dovecot")
    with Dovecot(server_folder, tls=True) as server:
        yield server


@pytest.fixture(scope="session")
def postfix(server_folder: Path, dovecot: Dovecot) -> Iterator[Postfix]:
    """SMTP that delivers to `dovecot`."""
    need(postfix_installed(), "Postfix (and root or sudo)")
    with Postfix(server_folder, dovecot.lmtp_port) as server:
        yield server


@pytest.fixture(scope="session")
def pymap() -> Iterator[PymapServer]:
    """SMTP and IMAP of the demo, from pip."""
    need(bool(find_spec("pymap") and find_spec("aiosmtpd")), 'pymap or aiosmtpd (pip install "mailgm[demo]")')
    with PymapServer() as server:
        yield server


# Every test that asks for a database runs on SQLite and on PostgreSQL -----------------------------------------------


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
