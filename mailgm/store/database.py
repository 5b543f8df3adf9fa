"""One database, SQLite or PostgreSQL: opening it, reading it, and writing in transactions that hold whole or not."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, text
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mailgm.engine.said import say
from mailgm.store import migrations
from mailgm.store.errors import DatabaseAway, StoreError
from mailgm.store.turns import Turns

T = TypeVar("T")
Tx = Connection
"""A transaction in which the functions of this package work."""

BUSY_SECONDS = 5.0
"""How long one statement waits for another writer of the SQLite file before it gives up."""

_UPGRADE_LOCK = 0x6D61696C676D  # "mailgm": any number that no other program on the server uses
_SQLITE_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_SQLITE_GONE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
_SQLITE_PASSING = _SQLITE_BUSY | _SQLITE_GONE | {sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM}
_SQLITE_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
# PostgreSQL, appendix A: connection lost (08), rolled back for another's sake (40), out of resources (53), shut down
# (57), system error (58), a standby that is not yet the master (25006), a lock not available (55P03).
_POSTGRESQL_PASSING = ("08", "40", "53", "57", "58", "25006", "55P03")


class Database:
    """A database that is open; safe for several threads, each with a transaction of its own."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine = engine
        self._writing = engine.execution_options(mailgm_writing=True)
        self._turns = Turns() if engine.dialect.name == "sqlite" else None
        self._idle: Connection | None = None
        self.name = name
        """Its address without the password, for logs and errors."""

    @contextlib.contextmanager
    def write(self, patience: float = 10.0) -> Iterator[Tx]:
        """One transaction: everything in it is committed at the end, or nothing if the block raises.

        Waits about `patience` seconds for the database to let it begin. SQLite has one writer at a time (BEGIN
        IMMEDIATE), within the process in the order in which they came; PostgreSQL locks rows (see `games.load`).
        Raises DatabaseAway, and then nothing was written.
        """
        until = time.monotonic() + patience
        if self._turns is not None and not self._turns.take(patience):
            raise DatabaseAway(
                say(
                    "database {name}: this service itself has been writing for {patience:.0f} s",
                    name=self.name,
                    patience=patience,
                )
            )
        try:
            yield from self._write(max(0.0, until - time.monotonic()))
        finally:
            if self._turns is not None:
                self._turns.give()

    def _write(self, patience: float) -> Iterator[Tx]:
        connection = self._begin(patience, writing=True)
        committing = False
        try:
            yield connection
            committing = True
            connection.commit()
        except BaseException as error:
            connection.close()
            if isinstance(error, DBAPIError) and (told := self._told(error, committing)):
                raise told from error
            raise
        if self._turns is None:
            connection.close()
        else:
            # One at a time writes, so the next one needs no other connection.
            self._idle = connection

    @contextlib.contextmanager
    def read(self, patience: float = 10.0) -> Iterator[Tx]:
        """A transaction that only reads; on SQLite it sees one moment of the database. Raises DatabaseAway."""
        connection = self._begin(patience, writing=False)
        try:
            with connection:
                yield connection
        except DBAPIError as error:
            if told := self._told(error):
                raise told from error
            raise

    def run(self, work: Callable[[Tx], T], patience: float = 30.0) -> T:
        """Do `work` in one writing transaction, again from its beginning when it was rolled back for a passing reason.

        `work` may therefore be called several times; it must change nothing but the database. Raises DatabaseAway
        after about `patience` seconds, at once if the commit itself may or may not have gone through.
        """
        until = time.monotonic() + patience
        for delay in _delays():
            try:
                with self.write(max(0.0, until - time.monotonic())) as tx:
                    return work(tx)
            except DatabaseAway as error:
                if error.unsure or time.monotonic() + delay > until:
                    raise
            time.sleep(delay)
        raise AssertionError("the delays never end")

    def close(self) -> None:
        """Close the connections that are not in use; to be called at the end."""
        idle, self._idle = self._idle, None
        if idle is not None:
            idle.close()
        self.engine.dispose()

    def _begin(self, patience: float, *, writing: bool) -> Connection:
        until = time.monotonic() + patience
        connection: Connection | None = None
        if writing:
            connection, self._idle = self._idle, None
        for delay in _delays():
            try:
                connection = connection or (self._writing if writing else self.engine).connect()
                connection.begin()
                return connection
            except (DBAPIError, PoolTimeout) as error:
                if connection is not None:
                    connection.close()
                    connection = None
                told = self._told(error)
                if told is None:
                    raise
                if not told.temporary or time.monotonic() + delay > until:
                    raise told from error
            time.sleep(delay)
        raise AssertionError("the delays never end")

    def _told(self, error: DBAPIError | PoolTimeout, committing: bool = False) -> StoreError | None:
        """What to raise in place of a driver's error; None for a fault of the program, to be raised as it is."""
        if isinstance(error, PoolTimeout):
            return DatabaseAway(say("database {name}: all connections are in use", name=self.name))
        cause = error.orig
        words = (str(cause).strip().splitlines() or [""])[0]
        if isinstance(cause, sqlite3.Error):
            code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in _SQLITE_DAMAGED:
                return StoreError(
                    say("database {name}: {words}; put back the last copy of the file", name=self.name, words=words)
                )
            passing, unsure = code in _SQLITE_PASSING, code == sqlite3.SQLITE_IOERR
        else:
            state = getattr(cause, "sqlstate", None)
            cut_off = isinstance(error, (OperationalError, InterfaceError)) and state is None
            passing = error.connection_invalidated or cut_off or (state or "").startswith(_POSTGRESQL_PASSING)
            unsure = error.connection_invalidated or cut_off
        return (
            DatabaseAway(say("database {name}: {words}", name=self.name, words=words), unsure=committing and unsure)
            if passing
            else None
        )


def open_database(url: str, *, upgrade: bool = True, patience: float = 10.0) -> Database:
    """Open a database and bring its tables up to date; an SQLite file that is not there yet is made.

    url: `sqlite:///path/to/file.sqlite` or `postgresql://user:password@host/name`.
    upgrade: False leaves the tables alone and raises StoreError where they are not up to date.
    patience: about how many seconds to wait for a database that cannot be reached.
    Raises StoreError for a wrong address or a database of a newer version, DatabaseAway where it cannot be reached.
    """
    database = connect(url)
    try:
        _bring_up_to_date(database, upgrade, patience)
    except BaseException:
        database.close()
        raise
    return database


def connect(url: str) -> Database:
    """Open a database as it is, without a look at its tables. Raises StoreError for a wrong address."""
    parsed = _url(url)
    backend = parsed.get_backend_name()
    name = parsed.set(drivername=backend).render_as_string(hide_password=True)
    return Database(_sqlite(parsed) if backend == "sqlite" else _postgresql(parsed), name)


def _url(url: str) -> URL:
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1) if url.startswith("postgres://") else url)
        backend = parsed.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        # Not chained: the error of the parser repeats the address, password and all.
        raise StoreError(say("database_url is no address such as sqlite:///mailgm.sqlite or postgresql://…")) from None
    if backend == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise StoreError(
            say("database_url: {backend} is not supported; use sqlite:///… or postgresql://…", backend=backend)
        )
    if not parsed.database or parsed.database == ":memory:":
        raise StoreError(say("database_url: SQLite needs a file, such as sqlite:///mailgm.sqlite"))
    return parsed.set(drivername="sqlite+pysqlite")


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "").expanduser().absolute()
    try:
        # It holds addresses and the seeds of games: nobody else on the machine reads it. SQLite gives the files that
        # it puts beside it the same permissions.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(
            say("database_url: the file {path} cannot be opened: {error}", path=path, error=error.strerror)
        ) from error
    # mode=rw: a file that has vanished (a disk that is not mounted) is an error and not a new, empty database.
    file = URL.create("sqlite+pysqlite", database=f"file:{quote(str(path))}", query={"uri": "true", "mode": "rw"})
    arguments = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(file, hide_parameters=True, poolclass=QueuePool, connect_args=arguments)

    @event.listens_for(engine, "connect")
    def _settle(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say, not at the first change
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("mailgm_writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    @event.listens_for(engine, "handle_error")
    def _gone(context: ExceptionContext) -> None:
        # A file that was moved away and put back is another file to the connections that are open.
        code = getattr(context.original_exception, "sqlite_errorcode", sqlite3.SQLITE_OK)
        if code & 0xFF not in _SQLITE_GONE:
            return
        context.is_disconnect = True
        if context.connection is not None:
            # A connection that is closed while an error still holds its cursor would keep the lock on the file.
            with contextlib.suppress(sqlite3.Error):
                context.connection.connection.rollback()

    return engine


def _postgresql(url: URL) -> Engine:
    # A server that has vanished from the network must not hang the service: 20 s (in ms) without an answer.
    arguments = {"connect_timeout": 10, "tcp_user_timeout": 20_000}
    try:
        engine = create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=arguments)
    except ModuleNotFoundError as error:
        raise StoreError(say('PostgreSQL needs its driver: pip install "mailgm[postgresql]"')) from error

    @event.listens_for(engine, "connect")
    def _settle(connection: Any, _record: Any) -> None:
        connection.execute("SET lock_timeout = '30s'")
        connection.commit()

    return engine


def _bring_up_to_date(database: Database, upgrade: bool, patience: float) -> None:
    with database.read(patience) as tx:
        found = migrations.revision(tx)
        if tx.dialect.name == "sqlite" and tx.exec_driver_sql("PRAGMA journal_mode").scalar() != "wal":
            raise StoreError(
                say("{name}: SQLite cannot keep its journal here; put the file on a local disk", name=database.name)
            )
    if found == migrations.HEAD:
        return
    if not upgrade:
        raise StoreError(
            say(
                "{name}: tables of revision {found}, but this mailgm needs {head}",
                name=database.name,
                found=found,
                head=migrations.HEAD,
            )
        )
    with database.write(patience=60.0) as tx:
        if tx.dialect.name == "postgresql":
            tx.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        migrations.upgrade(tx)


def _delays() -> Iterator[float]:
    """Seconds between tries: longer and longer up to one second, with jitter so that two writers do not keep step."""
    delay = 0.05
    while True:
        yield delay * random.uniform(0.5, 1.0)
        delay = min(1.0, delay * 2)
