"""Opening a database; what is committed and what is not; what values survive."""

from __future__ import annotations

import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, StatementError

from mailgm.store import Database, StoreError, games, mailboxes, open_database
from mailgm.store.games import GameRecord


def test_a_file_that_is_not_there_yet_is_made_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "mes parties n° #1.sqlite"
    open_database(f"sqlite:///{path}").close()
    assert [stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("*.sqlite*")] == [0o600]
    assert path.exists()


def test_sqlite_keeps_what_it_has_committed_even_in_a_power_cut(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with database.write() as tx:
        settings = {name: tx.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")}
        assert settings == {"journal_mode": "wal", "synchronous": 2}
        assert tx.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    database.close()


def test_an_opened_database_opens_again_with_what_it_held(database_url: str, now: datetime) -> None:
    first = open_database(database_url)
    with first.write() as tx:
        games.create(tx, GameRecord("manoir", "phare", "mj@jeu.example", "gm", "marks", "ab"), now)
    first.close()
    second = open_database(database_url, upgrade=False)
    with second.read() as tx:
        assert games.load(tx, "manoir").variant == "phare"
    second.close()


def test_tables_that_are_not_up_to_date_are_left_alone_on_request(database_url: str) -> None:
    with pytest.raises(StoreError, match="tables of revision None"):
        open_database(database_url, upgrade=False)


def test_two_services_that_start_at_once_make_the_tables_once(database_url: str) -> None:
    faults: list[BaseException] = []

    def start() -> None:
        try:
            open_database(database_url).close()
        except BaseException as error:  # noqa: BLE001 - told by the main thread
            faults.append(error)

    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []


def test_a_database_of_a_newer_version_is_not_touched(database_url: str) -> None:
    database = open_database(database_url)
    with database.write() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(StoreError, match=r"newer mailgm \(revision 9999\)"):
        open_database(database_url)


def test_a_database_of_another_program_is_not_touched(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    database = open_database(url)
    with database.write() as tx:
        tx.execute(text("DROP TABLE alembic_version"))
    database.close()
    with pytest.raises(StoreError, match="a database of its own"):
        open_database(url)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://root:hunter2@host/db", "mysql is not supported"),
        ("not an address: hunter2", "no address such as sqlite:///"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite:////nowhere/at/all/games.sqlite", "No such file or directory"),
        ("nonsense://x:hunter2@y/z", "nonsense is not supported"),
        ("postgresql://mailgm:hunter2@127.0.0.1:1/games", r"mailgm:\*\*\*@127.0.0.1"),
    ],
)
def test_a_wrong_address_is_told_without_its_password(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as caught:
        open_database(url, patience=0)
    assert "hunter2" not in f"{caught.value!s} {caught.value.__cause__!s}"


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"these are my notes, and no database\n" * 100)
    with pytest.raises(StoreError, match="not a database") as caught:
        open_database(f"sqlite:///{path}")
    assert not caught.value.temporary
    assert path.read_bytes().startswith(b"these are my notes")


def test_what_raises_in_the_middle_leaves_nothing(database: Database, now: datetime, game: GameRecord) -> None:
    with pytest.raises(ZeroDivisionError), database.write() as tx:
        mailboxes.set_mark(tx, "half", 1 / (len(games.every(tx)) - 1))
    with pytest.raises(KeyboardInterrupt):
        _interrupted(database)
    with database.read() as tx:
        assert mailboxes.mark(tx, "half") is None


def _interrupted(database: Database) -> None:
    with database.write() as tx:
        mailboxes.set_mark(tx, "half", 1)
        raise KeyboardInterrupt


def test_a_reader_sees_what_is_committed_and_no_more(database: Database) -> None:
    with database.write() as tx:
        mailboxes.set_mark(tx, "a", 1)
        with database.read() as reader:
            assert mailboxes.mark(reader, "a") is None
    with database.read() as reader:
        assert mailboxes.mark(reader, "a") == 1


def test_a_fault_of_the_program_is_not_taken_for_a_database_that_is_away(database: Database) -> None:
    with pytest.raises((OperationalError, StatementError)), database.write() as tx:
        tx.execute(text("SELECT * FROM no_such_table"))


def test_errors_show_no_values(database: Database, game: GameRecord, now: datetime) -> None:
    """A traceback ends up in the log; tokens and seeds must not."""
    with pytest.raises(StoreError) as caught, database.write() as tx:
        games.create(tx, game, now)
    chain = f"{caught.value!r} {caught.value.__cause__!s}"
    assert "INSERT INTO games" in chain
    assert game.seed not in chain


def test_naive_times_are_refused(database: Database) -> None:
    with pytest.raises(StatementError, match="naive time"), database.write() as tx:
        mailboxes.drained(tx, "a", datetime(2026, 12, 1, 20))


def test_times_before_and_after_a_change_of_the_hour_sort_as_they_happened(
    database: Database, game: GameRecord
) -> None:
    from dataclasses import replace
    from zoneinfo import ZoneInfo

    paris = ZoneInfo("Europe/Paris")
    summer = datetime(2026, 10, 25, 2, 45, tzinfo=paris, fold=0)
    winter = datetime(2026, 10, 25, 2, 15, tzinfo=paris, fold=1)
    with database.write() as tx:
        games.create(tx, replace(game, name="b", gm_token="b", status="running", wake_at=winter), winter)
        games.create(tx, replace(game, name="a", gm_token="a", status="running", wake_at=summer), winter)
        assert games.due(tx, summer + timedelta(minutes=1)) == ["a"]
        assert games.due(tx, winter) == ["a", "b"]
        assert games.load(tx, "b").wake_at == datetime(2026, 10, 25, 1, 15, tzinfo=UTC)
