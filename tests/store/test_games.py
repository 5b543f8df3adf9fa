"""Games have one writer at a time; seats and their secrets; what is due."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from mailgm.store import Database, NotFound, StaleRecord, StoreError, games, seats
from mailgm.store.games import GameRecord


def test_a_game_comes_back_as_it_was_stored(database: Database, now: datetime) -> None:
    state = {
        "phase": "night-1.rooms",
        "zebra": 1,
        "alpha": ["é", "\0", "\ud800", None, True, 1.5],
        "players": {"Chloé": {}},
    }
    made = GameRecord(
        *("manoir", "dracula", "mj@jeu.example", "gm", "marks", "ab" * 32),
        options={"nights": 4},
        settings={"night": "21:00"},
        forced={"deal": ["Ana"]},
        state=state,
        deadline=now.astimezone(ZoneInfo("Pacific/Auckland")),
        reminders=[now.isoformat()],
        remaining=12.5,
    )
    with database.write() as tx:
        stored = games.create(tx, made, now)
    with database.read() as tx:
        loaded = games.load(tx, "manoir")
        assert games.load_id(tx, stored.id) == games.by_gm_token(tx, "gm") == loaded
        assert games.by_gm_token(tx, "") is None
    assert loaded == stored
    assert loaded.state is not None
    # The order of the keys holds too, or a replay would not be byte for byte.
    assert list(loaded.state) == list(state)
    assert loaded.deadline == now
    assert loaded.deadline.utcoffset() == timedelta()


def test_a_name_is_given_once_and_the_transaction_goes_on(database: Database, now: datetime, game: GameRecord) -> None:
    with database.write() as tx:
        with pytest.raises(StoreError, match="already a game called manoir"):
            games.create(tx, replace(game, gm_token="other"), now)
        games.create(tx, replace(game, name="phare", gm_token="other"), now)
    with database.read() as tx:
        assert [one.name for one in games.every(tx)] == ["manoir", "phare"]
        assert games.every(tx, "running") == []
        with pytest.raises(NotFound, match="no game 'chateau'"):
            games.load(tx, "chateau")


def test_a_game_that_was_written_meanwhile_is_not_written_over(
    database: Database, now: datetime, game: GameRecord
) -> None:
    with database.write() as tx:
        newer = games.save(tx, replace(game, status="running"), now)
    assert newer.version == game.version + 1
    with database.write() as tx, pytest.raises(StaleRecord, match="manoir"):
        games.save(tx, replace(game, status="paused"), now)
    with database.read() as tx:
        assert games.load(tx, "manoir").status == "running"


def test_only_what_changed_is_written_when_the_old_record_is_known(
    database: Database, now: datetime, game: GameRecord
) -> None:
    later = now + timedelta(minutes=1)
    with database.write() as tx:
        newer = games.save(tx, replace(game, state={"a": 1}, deadline=now), later, known=game)
    with database.read() as tx:
        loaded = games.load(tx, "manoir")
    assert loaded == newer
    assert (loaded.state, loaded.deadline, loaded.version, loaded.updated_at) == ({"a": 1}, now, 2, later)


def test_a_known_record_is_given_back_until_somebody_writes(
    database: Database, now: datetime, game: GameRecord
) -> None:
    with database.write() as tx:
        known = games.load(tx, "manoir", for_update=True)
        assert games.load(tx, "manoir", for_update=True, known=known) is known
        newer = games.save(tx, replace(known, status="running"), now)
        assert games.load(tx, "manoir", known=known) == newer


def test_two_writers_of_one_game_come_one_after_the_other(database: Database, now: datetime, game: GameRecord) -> None:
    """Twenty inputs by four writers at once: each sees the game as the one before has left it."""
    faults: list[BaseException] = []

    def write() -> None:
        try:
            for _ in range(5):
                with database.write(patience=60) as tx:
                    mine = games.load(tx, "manoir", for_update=True)
                    games.save(tx, replace(mine, inputs=mine.inputs + 1), now)
        except BaseException as error:  # noqa: BLE001 - told by the main thread
            faults.append(error)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    with database.read() as tx:
        assert games.load(tx, "manoir").inputs == 20


def test_games_that_are_due_come_the_longest_overdue_first(database: Database, now: datetime, game: GameRecord) -> None:
    with database.write() as tx:
        for name, minutes, status in [("a", 0, "running"), ("b", -90, "held"), ("c", 1, "running"), ("d", -99, "over")]:
            wake = now + timedelta(minutes=minutes)
            games.create(tx, replace(game, name=name, gm_token=name, status=status, wake_at=wake), now)
    with database.read() as tx:
        assert games.due(tx, now) == ["b", "a"]
        assert games.next_wake(tx) == now - timedelta(minutes=90)


def test_nothing_is_due_where_no_clock_runs(database: Database, now: datetime, game: GameRecord) -> None:
    with database.read() as tx:
        assert games.due(tx, now) == []
        assert games.next_wake(tx) is None


def test_a_record_in_the_log_shows_no_secret(database: Database, game: GameRecord) -> None:
    with database.read() as tx:
        [ana, *_] = seats.of_game(tx, game.id)
    shown = repr(replace(game, state={"role": "vampire"})) + repr(ana)
    for secret in (game.seed, game.gm_token, game.marks_key, "vampire", repr(ana.token)):
        assert secret not in shown


def test_a_seat_is_found_by_its_token_and_by_its_address(database: Database, game: GameRecord) -> None:
    with database.read() as tx:
        bob = seats.by_token(tx, "t2")
        assert bob is not None
        assert (bob.name, bob.place, bob.game_id) == ("Bob", 2, game.id)
        assert seats.by_token(tx, "t9") is None
        assert [seat.name for seat in seats.by_address(tx, " BOB@Jeu.example")] == ["Bob"]
        assert [seat.name for seat in seats.of_game(tx, game.id)] == ["Ana", "Bob", "Chloé"]


def test_who_leaves_a_seat_is_remembered_and_his_token_dies(
    database: Database, now: datetime, game: GameRecord
) -> None:
    with database.write() as tx:
        bob = seats.by_token(tx, "t2")
        assert bob is not None
        seats.mark_address(tx, bob.id, "bouncing")
        new = seats.hand_over(tx, bob, name="Dora", email="dora@jeu.example", token="t7", now=now, lang="en")
    with database.read() as tx:
        assert seats.by_token(tx, "t2") is None
        dora = seats.by_token(tx, "t7")
    assert dora == new
    assert (dora.place, dora.lang, dora.address_state) == (2, "en", "ok")
    assert dora.former == [{"name": "Bob", "email": "bob@jeu.example", "until": now.isoformat()}]


def test_an_address_that_bounces_is_noticed_once(database: Database, game: GameRecord) -> None:
    with database.write() as tx:
        [ana, *_] = seats.of_game(tx, game.id)
        assert seats.mark_address(tx, ana.id, "bouncing") is True
        assert seats.mark_address(tx, ana.id, "bouncing") is False
        assert seats.mark_address(tx, ana.id, "ok") is True


def test_a_seat_that_is_not_there_cannot_be_saved(database: Database, game: GameRecord) -> None:
    with database.write() as tx, pytest.raises(NotFound, match="no seat 99"):
        seats.save(tx, seats.Seat(game.id, 1, "Ana", "ana@jeu.example", "t9", id=99))
