"""The threads of one process write in the order in which they came."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from mailgm.store import Database, DatabaseAway, open_database
from mailgm.store.mailboxes import mark, set_mark
from mailgm.store.turns import Turns


@pytest.fixture
def file(tmp_path: Path) -> Database:
    return open_database(f"sqlite:///{tmp_path}/x.sqlite")


def waiting(turns: Turns, done: Callable[[], None]) -> threading.Thread:
    """A thread that waits for its turn, once it does wait."""
    before = len(turns._waiting)
    thread = threading.Thread(target=lambda: turns.take(60) and done())
    thread.start()
    while len(turns._waiting) == before:
        pass
    return thread


def test_a_turn_goes_to_whoever_has_waited_longest_and_not_back_to_a_busy_writer() -> None:
    turns = Turns()
    order: list[str] = []

    def done(who: str) -> None:
        order.append(who)
        turns.give()

    assert turns.take(1)
    threads = [waiting(turns, partial(done, who)) for who in ("sender", "shell")]
    turns.give()
    assert turns.take(60)
    assert order == ["sender", "shell"]
    for thread in threads:
        thread.join()


def test_who_has_waited_too_long_is_told_and_holds_up_nobody() -> None:
    turns = Turns()
    assert turns.take(0)
    assert not turns.take(0.01)
    turns.give()
    assert turns.take(0)


def test_a_thread_that_cannot_write_for_a_colleague_is_told_so_and_nothing_is_written(
    file: Database, now: datetime
) -> None:
    with file.write() as tx:
        set_mark(tx, "x", "first")
        refused: list[Exception] = []

        def colleague() -> None:
            try:
                with file.write(patience=0.01) as other:
                    set_mark(other, "x", "second")
            except DatabaseAway as error:
                refused.append(error)

        thread = threading.Thread(target=colleague)
        thread.start()
        thread.join()
    assert "has been writing" in str(refused[0])
    with file.read() as tx:
        assert mark(tx, "x") == "first"


def test_a_transaction_that_fails_leaves_the_next_one_a_connection_that_works(file: Database) -> None:
    def fail() -> None:
        with file.write() as tx:
            set_mark(tx, "x", "never")
            raise RuntimeError

    for _ in range(3):
        with pytest.raises(RuntimeError):
            fail()
        with file.write() as tx:
            assert mark(tx, "x") in (None, "kept")
            set_mark(tx, "x", "kept")
    file.close()
    with file.read() as tx:
        assert mark(tx, "x") == "kept"
