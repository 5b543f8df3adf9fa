"""Locked, full, gone, killed: the fault is told as one that may pass, nothing is half done, and nothing is lost."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from mailgm.mail.inbox import RawLetter
from mailgm.store import Database, DatabaseAway, StaleRecord, Tx, games, letters, mailboxes, open_database, outbox
from mailgm.store import database as module
from tests.store.cluster import Cluster

Make = Callable[..., RawLetter]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "disk" / "games.sqlite"


@pytest.fixture
def sqlite(file: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """An SQLite database whose statements do not wait for other writers."""
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.01)
    file.parent.mkdir()
    return open_database(f"sqlite:///{file}")


def marks(database: Database, *names: str) -> list[object]:
    with database.read(patience=0) as tx:
        return [mailboxes.mark(tx, name) for name in names]


def mark(database: Database, name: str, value: object = 1) -> None:
    with database.write(patience=0) as tx:
        mailboxes.set_mark(tx, name, value)


# Another writer ---------------------------------------------------------------------------------------------------


def test_a_locked_file_is_told_as_a_passing_fault(sqlite: Database, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseAway, match="database is locked") as caught:
            mark(sqlite, "a")
        assert (caught.value.temporary, caught.value.unsure) == (True, False)
        other.execute("ROLLBACK")
    mark(sqlite, "a")
    assert marks(sqlite, "a") == [1]


def test_who_is_patient_waits_for_the_other_writer(sqlite: Database, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        begins = threading.Thread(target=lambda: sqlite.run(lambda tx: mailboxes.set_mark(tx, "a", 1), patience=60))
        begins.start()
        other.execute("COMMIT")
        begins.join(60)
    assert marks(sqlite, "a") == [1]


def test_work_that_was_rolled_back_for_anothers_sake_is_done_again(database: Database) -> None:
    tries = []

    def work(tx: Tx) -> str:
        tries.append(1)
        mailboxes.set_mark(tx, "tries", len(tries))
        if len(tries) < 3:
            raise DatabaseAway("deadlock detected")
        return "done"

    assert database.run(work) == "done"
    assert marks(database, "tries") == [3]


@pytest.mark.parametrize("code", ["40001", "40P01", "53100", "53300", "55P03", "57P03", "25006"])
def test_passing_faults_of_postgresql_are_told_as_such(postgresql: Cluster, code: str) -> None:
    """Serialisation, deadlock, disk full, too many connections, lock timeout, starting up, a standby."""
    database = open_database(postgresql.url())
    with pytest.raises(DatabaseAway, match="what it says") as caught, database.write() as tx:
        tx.execute(text(f"DO $$ BEGIN RAISE EXCEPTION 'what it says' USING ERRCODE = '{code}'; END $$"))
    assert caught.value.unsure is False
    database.close()


def test_a_fault_of_the_program_is_not_tried_again(database: Database, game: games.GameRecord, now: datetime) -> None:
    tries = []

    def work(tx: Tx) -> None:
        tries.append(1)
        tx.execute(text("INSERT INTO marks (name, value) VALUES ('a', '1'), ('a', '1')"))

    with pytest.raises(IntegrityError):
        database.run(work)
    assert len(tries) == 1


def test_a_game_that_somebody_else_has_written_is_for_the_caller_to_load_again(
    database: Database, game: games.GameRecord, now: datetime
) -> None:
    with database.write() as tx:
        games.save(tx, game, now)
    with pytest.raises(StaleRecord) as caught:
        database.run(lambda tx: games.save(tx, game, now))
    assert caught.value.temporary


def test_two_workers_never_claim_the_same_mail(database: Database, now: datetime) -> None:
    mails = [outbox.NewMail(f"{n}", f"<{n}@x>", f"p{n % 7}@jeu.example", "jeu@jeu.example", b"x") for n in range(70)]
    with database.write() as tx:
        outbox.queue(tx, mails, now)
    claimed: dict[str, list[int]] = {"a": [], "b": [], "c": []}

    def work(name: str) -> None:
        while True:
            with database.write(patience=60) as tx:
                mine = outbox.claim(tx, name, now, 4)
            if not mine:
                return
            claimed[name] += [mail.id for mail in mine]
            with database.write(patience=60) as tx:
                outbox.mark_sent(tx, [mail.id for mail in mine], now)

    threads = [threading.Thread(target=work, args=(name,)) for name in claimed]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    # Whoever finds everything held up by a colleague stops; what is left is for the last one.
    everything = [id_ for ids in claimed.values() for id_ in ids]
    assert len(everything) == len(set(everything))
    with database.write() as tx:
        assert len(everything) + len(outbox.claim(tx, "d", now, 100)) == 70


# Full and gone ----------------------------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing_and_the_work_goes_on_when_there_is_room(
    sqlite: Database, now: datetime, letter: Make
) -> None:
    with sqlite.write() as tx:
        letters.store(tx, [letter("vote Bob")], now)
        pages = tx.exec_driver_sql("PRAGMA page_count").scalar_one()
        tx.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
    big = RawLetter("m", 1, "1", now, random.Random(1).randbytes(200_000), False)
    with pytest.raises(DatabaseAway, match="full") as caught, sqlite.write() as tx:
        letters.store(tx, [letter("vote Chloé"), big], now)
    assert caught.value.unsure is False
    with sqlite.read() as tx:
        assert letters.counts(tx) == {"stored": 1}
    with sqlite.write() as tx:
        tx.exec_driver_sql("PRAGMA max_page_count=1000000")
        letters.store(tx, [letter("vote Chloé"), big], now)
        assert letters.counts(tx) == {"stored": 3}
    sqlite.close()


def test_a_disk_that_is_gone_makes_no_new_and_empty_database(sqlite: Database, file: Path) -> None:
    mark(sqlite, "before")
    sqlite.close()
    away = file.parent.rename(file.parent.with_name("away"))
    file.parent.mkdir()
    with pytest.raises(DatabaseAway, match="unable to open database file"):
        mark(sqlite, "lost")
    assert list(file.parent.iterdir()) == []
    file.parent.rmdir()
    away.rename(file.parent)
    mark(sqlite, "after")
    assert marks(sqlite, "before", "lost", "after") == [1, None, 1]


def test_a_file_that_cannot_be_written_any_more_is_a_passing_fault(sqlite: Database) -> None:
    """A disk that went read-only."""

    def work(tx: Tx) -> None:
        mailboxes.set_mark(tx, "lost", 1)
        tx.exec_driver_sql("PRAGMA query_only=ON")
        mailboxes.set_mark(tx, "lost too", 1)

    with pytest.raises(DatabaseAway, match="readonly database") as caught:
        sqlite.run(work, patience=0)
    assert caught.value.unsure is False
    assert marks(sqlite, "lost") == [None]
    # The connection with the fault was given up.
    mark(sqlite, "after")
    assert marks(sqlite, "after") == [1]


def test_a_server_that_is_stopped_and_comes_back(postgresql: Cluster) -> None:
    database = open_database(postgresql.url())
    mark(database, "before")
    postgresql.stop()
    try:
        for _ in range(2):
            with pytest.raises(DatabaseAway):
                mark(database, "lost")
        with pytest.raises(DatabaseAway):
            marks(database, "before")
    finally:
        postgresql.start()
    mark(database, "after")
    assert marks(database, "before", "lost", "after") == [1, None, 1]
    database.close()


def test_a_server_that_stops_in_the_middle_leaves_nothing_half_done(postgresql: Cluster) -> None:
    database = open_database(postgresql.url())

    def work(tx: Tx) -> None:
        mailboxes.set_mark(tx, "half", 1)
        postgresql.stop()
        mailboxes.set_mark(tx, "other half", 1)

    try:
        with pytest.raises(DatabaseAway) as caught:
            database.run(work, patience=0)
    finally:
        postgresql.start()
    assert caught.value.unsure is False
    assert marks(database, "half", "other half") == [None, None]
    database.close()


def test_work_whose_commit_may_have_gone_through_is_not_done_again_unseen(postgresql: Cluster) -> None:
    database = open_database(postgresql.url())
    tries = []

    def work(tx: Tx) -> None:
        tries.append(1)
        mailboxes.set_mark(tx, "a", 1)
        mine = tx.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        with database.write() as other:
            other.execute(text("SELECT pg_terminate_backend(:pid, 60000)"), {"pid": mine})

    with pytest.raises(DatabaseAway) as caught:
        database.run(work)
    assert (caught.value.unsure, tries) == (True, [1])
    database.close()


# Killed -----------------------------------------------------------------------------------------------------------

_HANDLES_A_LETTER = """
import sys
from datetime import UTC, datetime
from dataclasses import replace
from mailgm.store import games, letters, open_database, outbox

database = open_database(sys.argv[1])
now = datetime(2026, 12, 1, 20, tzinfo=UTC)
with database.write() as tx:
    [one] = letters.begin(tx, now).letters
with database.write() as tx:
    letters.take(tx, one.id)
    game = games.load(tx, "manoir", for_update=True)
    games.save(tx, replace(game, inputs=game.inputs + 1), now)
    outbox.queue(tx, [outbox.NewMail(f"letter/{one.id}", "<1@x>", "ana@jeu.example", "", b"x")], now)
    letters.settle(tx, one.id, "orders", now)
    if sys.argv[2] == "before":
        print("here", flush=True)
        sys.stdin.read()
print("here", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_that_is_killed_has_handled_its_letter_whole_or_not_at_all(
    database_url: str, database: Database, game: games.GameRecord, now: datetime, letter: Make, moment: str
) -> None:
    with database.write() as tx:
        [one] = letters.store(tx, [letter()], now)
    command = [sys.executable, "-c", _HANDLES_A_LETTER, database_url, moment]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.kill()
    with database.write() as tx:
        done = int(moment == "after")
        assert games.load(tx, "manoir", for_update=True).inputs == done
        assert outbox.unsent(tx) == done
        assert letters.get(tx, one).state == ("handled" if done else "stored")
        assert letters.take(tx, one) is not bool(done)
