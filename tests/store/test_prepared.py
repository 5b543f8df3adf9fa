"""Statements that go straight to SQLite's driver behave as SQLAlchemy's do, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError, StatementError

from mailgm.store import Database
from mailgm.store.models import marks
from mailgm.store.prepared import Prepared

ADD = Prepared(lambda dialect: insert(marks))
SET = Prepared(lambda dialect: update(marks).where(marks.c.name == bindparam("which")))
NAMES = Prepared(lambda dialect: select(marks.c.name).where(marks.c.name != "hidden").order_by(marks.c.name).limit(2))


def test_values_are_written_as_their_columns_write_them_and_rows_come_back(database: Database) -> None:
    with database.write() as tx:
        for name in ("c", "b", "a", "hidden"):
            ADD.change(tx, {"name": name, "value": {"é": [1, None]}})
        assert SET.change(tx, {"which": "a", "value": ["changed"]}) == 1
        assert SET.change(tx, {"which": "nobody", "value": []}) == 0
    with database.read() as tx:
        assert [tuple(row) for row in NAMES.rows(tx, {})] == [("a",), ("b",)]
        assert tx.execute(select(marks.c.value).where(marks.c.name == "b")).scalar() == {"é": [1, None]}
        assert tx.execute(select(marks.c.value).where(marks.c.name == "a")).scalar() == ["changed"]


def test_a_fault_is_sqlalchemys_and_a_savepoint_holds_it(database: Database) -> None:
    with database.write() as tx:
        ADD.change(tx, {"name": "a", "value": 1})
        with pytest.raises(IntegrityError), tx.begin_nested():
            ADD.change(tx, {"name": "a", "value": 2})
        ADD.change(tx, {"name": "b", "value": 3})
    with database.read() as tx:
        assert {row.name: row.value for row in tx.execute(select(marks))} == {"a": 1, "b": 3}


def test_what_is_rolled_back_is_gone(database: Database) -> None:
    with database.write() as tx:
        ADD.change(tx, {"name": "a", "value": 1})
        tx.rollback()
    with database.read() as tx:
        assert NAMES.rows(tx, {}) == []


def test_a_value_that_is_missing_is_a_fault_and_not_nothing(database: Database) -> None:
    with pytest.raises((KeyError, StatementError)), database.write() as tx:
        SET.change(tx, {"value": 1})
    with pytest.raises(IntegrityError), database.write() as tx:
        ADD.change(tx, {"name": "a"})
