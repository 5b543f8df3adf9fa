"""Statements that every handled message runs, compiled once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

Process = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement as the driver takes it; its parameters in their order, each a key, or None and what always stands."""

    sql: str
    parameters: tuple[tuple[str | None, Process | None, Any], ...]

    def bound(self, values: Mapping[str, Any]) -> list[Any]:
        return [
            fixed if key is None else process(values[key]) if process else values[key]
            for key, process, fixed in self.parameters
        ]


class Prepared:
    """One statement with named values; what it returns, if anything, must be numbers or text.

    On SQLite it goes straight to the driver: SQLAlchemy's own work around such a call takes several times as long as
    the call. PostgreSQL is further away, and there SQLAlchemy runs it. Either way it belongs to the transaction `tx`,
    and raises SQLAlchemy's errors.
    """

    def __init__(self, build: Callable[[str], Executable]) -> None:
        """build: name of a dialect → the statement in it."""
        self._build = build
        self._statements: dict[str, Executable] = {}
        self._compiled: dict[tuple[str, ...], _Compiled] = {}

    def rows(self, tx: Connection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Run it, and give the rows that it returns."""
        if (done := self._by_driver(tx, values)) is not None:
            return done[0]
        return tx.execute(self.on(tx), values).fetchall()

    def change(self, tx: Connection, values: Mapping[str, Any]) -> int:
        """Run it, and give the number of rows that an update changed."""
        if (done := self._by_driver(tx, values)) is not None:
            return done[1]
        return tx.execute(self.on(tx), values).rowcount

    def _by_driver(self, tx: Connection, values: Mapping[str, Any]) -> tuple[list[Any], int] | None:
        """The rows and the number of rows changed, or None where SQLAlchemy has to run it."""
        if tx.dialect.name != "sqlite":
            return None
        names = tuple(values)
        if names not in self._compiled:
            self._compiled[names] = _compile(self.on(tx), names, tx.dialect)
        compiled = self._compiled[names]
        driver: Any = tx.connection.driver_connection
        try:
            cursor: sqlite3.Cursor = driver.execute(compiled.sql, compiled.bound(values))
            return cursor.fetchall(), cursor.rowcount
        except sqlite3.Error:
            # It has changed nothing. SQLAlchemy tries again: it knows what such an error means for the connection.
            return None

    def on(self, tx: Connection) -> Executable:
        """The statement in the dialect of a transaction."""
        name = tx.dialect.name
        if name not in self._statements:
            self._statements[name] = self._build(name)
        return self._statements[name]


def _compile(statement: Any, names: Sequence[str], dialect: Dialect) -> _Compiled:
    made: SQLCompiler = statement.compile(dialect=dialect, column_keys=list(names))
    parameters: list[tuple[str | None, Process | None, Any]] = []
    for key in made.positiontup or ():
        bind = made.binds[key]
        process = bind.type.dialect_impl(dialect).bind_processor(dialect)
        if bind.required or key in names:
            parameters.append((key, process, None))
        else:
            parameters.append((None, None, process(bind.value) if process else bind.value))
    return _Compiled(made.string, tuple(parameters))
