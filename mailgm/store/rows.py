"""Between table rows and the records that this package hands out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Connection, Executable, Row, Table, insert
from sqlalchemy.dialects import postgresql, sqlite

from mailgm.store.prepared import Prepared

R = TypeVar("R")


def record(cls: type[R], row: Row[*tuple[Any, ...]]) -> R:
    """Make a record of a row of `columns(cls, …)`."""
    return cls(*row)


def values(item: Any, *left_out: str) -> dict[str, Any]:
    """The fields of a record as column values; not its nested values, which are stored as JSON as they are."""
    return {field.name: getattr(item, field.name) for field in dataclasses.fields(item) if field.name not in left_out}


def columns(cls: type[Any], table: Table) -> list[Any]:
    """The columns of a table that a record has fields for."""
    return [table.c[field.name] for field in dataclasses.fields(cls)]


def insert_new(tx: Connection, table: Table, rows: Sequence[Mapping[str, Any]], *key: str) -> list[int]:
    """Insert the rows whose `key` columns are not there yet; give the ids of those that were new, in their order."""
    if not rows:
        return []
    statement = _insert_new(table, key)
    if tx.dialect.name == "sqlite":
        # There is no way to the server that one statement for all rows would save.
        return [int(new) for row in rows for (new,) in statement.rows(tx, row)]
    return sorted(tx.execute(statement.on(tx), list(rows)).scalars())


def insert_all(tx: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, none of which may be there already."""
    if not rows:
        return
    statement = _insert(table)
    if tx.dialect.name == "sqlite":
        for row in rows:
            statement.change(tx, row)
    else:
        tx.execute(statement.on(tx), list(rows))


@cache
def _insert(table: Table) -> Prepared:
    return Prepared(lambda dialect: insert(table))


@cache
def _insert_new(table: Table, key: tuple[str, ...]) -> Prepared:
    def build(dialect: str) -> Executable:
        new = (postgresql if dialect == "postgresql" else sqlite).insert(table)
        statement: Executable = new.on_conflict_do_nothing(index_elements=list(key)).returning(table.c.id)
        return statement

    return Prepared(build)
