"""The log of a game: inputs, what was told, snapshots; and going back."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from mailgm.engine import Snapshot
from mailgm.store import Database, NotFound, log
from mailgm.store.games import GameRecord
from mailgm.store.log import LoggedInput, NewNotice


def given(game: GameRecord, n: int, now: datetime, text: str = "vote Bob") -> LoggedInput:
    return LoggedInput(game.id, n, "message", {"text": text}, "Ana", now, "day-1.vote", "3", verdicts=[{"code": ""}])


def snapshot(key: str, **state: object) -> Snapshot:
    return Snapshot(key, key, state, {})


def test_inputs_come_back_in_their_order(database: Database, now: datetime, game: GameRecord) -> None:
    with database.write() as tx:
        for n in range(1, 13):
            log.add(tx, given(game, n, now + timedelta(seconds=n), text=f"été {n}"))
    with database.read() as tx:
        assert [one.n for one in log.read(tx, game.id)] == list(range(1, 13))
        assert log.read(tx, game.id, last=2) == [
            given(game, n, now + timedelta(seconds=n), text=f"été {n}") for n in (11, 12)
        ]


def test_no_input_takes_the_number_of_another(database: Database, now: datetime, game: GameRecord) -> None:
    with database.write() as tx:
        log.add(tx, given(game, 1, now))
    with database.write() as tx, pytest.raises(IntegrityError):
        log.add(tx, given(game, 1, now, text="vote Chloé"))
    with database.read() as tx:
        assert log.read(tx, game.id) == [given(game, 1, now)]


def test_a_player_is_told_again_all_he_was_told_and_nothing_else(
    database: Database, now: datetime, game: GameRecord
) -> None:
    with database.write() as tx:
        new = [
            NewNotice("role", ["Ana"], {"role": "vampire"}),
            NewNotice("role", ["Bob"], {"role": "human"}),
            NewNotice("pack", ["Ana", "Chloé"], {}),
            NewNotice("dawn", ["public"], {"é": 1}),
            NewNotice("resigned", ["gm"], {}),
            NewNotice("later", ["public"], {}, waiting=True),
        ]
        log.tell(tx, game.id, 0, new, phase_key="night-1", at=now)
    with database.read() as tx:
        assert [(one.kind, one.data) for one in log.told_to(tx, game.id, ["Bob"])] == [
            ("role", {"role": "human"}),
            ("dawn", {"é": 1}),
        ]
        assert [one.kind for one in log.told_to(tx, game.id, ["Chloé", "Bob"])] == ["role", "pack", "dawn"]


def test_what_waits_is_told_once(database: Database, now: datetime, game: GameRecord) -> None:
    with database.write() as tx:
        log.tell(tx, game.id, 1, [NewNotice("post", ["public"], {}, waiting=True)], phase_key="day-1", at=now)
        [waits] = log.notices_of(tx, game.id, states=["waiting"])
        log.told(tx, [waits.id])
        assert log.notices_of(tx, game.id, states=["waiting"]) == []
        assert [one.kind for one in log.told_to(tx, game.id, [])] == ["post"]


def test_going_back_withdraws_what_was_told_since_and_the_log_keeps_it(
    database: Database, now: datetime, game: GameRecord
) -> None:
    first, second, third = snapshot("night-1"), snapshot("day-1"), snapshot("night-2")
    with database.write() as tx:
        log.save_history(tx, game.id, (), (first,), n=0)
        log.save_history(tx, game.id, (first,), (first, second), n=3)
        log.save_history(tx, game.id, (first, second), (first, second, third), n=5)
        for n in range(7):
            log.tell(tx, game.id, n, [NewNotice(f"n{n}", ["public"], {})], phase_key="x", at=now)
        log.tell(tx, game.id, 7, [NewNotice("post", ["public"], {}, waiting=True)], phase_key="x", at=now)

        log.withdraw(tx, game.id, after=log.opened_by(tx, game.id, "day-1"))
        log.save_history(tx, game.id, (first, second, third), (first, second), n=8)
        log.tell(tx, game.id, 8, [NewNotice("back", ["public"], {})], phase_key="day-1", at=now)
    with database.read() as tx:
        assert [one.kind for one in log.told_to(tx, game.id, ["Ana"])] == ["n0", "n1", "n2", "n3", "back"]
        assert len(log.notices_of(tx, game.id)) == 9
        assert [one["key"] for one in log.history(tx, game.id)] == ["night-1", "day-1"]
        with pytest.raises(NotFound, match="night-2"):
            log.opened_by(tx, game.id, "night-2")


def test_a_phase_that_is_played_again_takes_the_place_of_the_first(
    database: Database, now: datetime, game: GameRecord
) -> None:
    first, second, again = snapshot("night-1"), snapshot("day-1", dead="Ana"), snapshot("day-1", dead="Bob")
    with database.write() as tx:
        log.save_history(tx, game.id, (), (first, second), n=1)
        log.save_history(tx, game.id, (first, second), (first, again), n=4)
    with database.read() as tx:
        assert [one["state"] for one in log.history(tx, game.id)] == [{}, {"dead": "Bob"}]
        assert log.opened_by(tx, game.id, "day-1") == 4


def test_a_new_name_on_a_seat_goes_into_every_snapshot_and_their_inputs_stay(
    database: Database, now: datetime, game: GameRecord
) -> None:
    before = (snapshot("night-1", who="Bob"), snapshot("day-1", who="Bob"))
    after = (snapshot("night-1", who="Dora"), snapshot("day-1", who="Dora"), snapshot("night-2", who="Dora"))
    with database.write() as tx:
        log.save_history(tx, game.id, (), before, n=2)
        log.save_history(tx, game.id, before, after, n=9)
    with database.read() as tx:
        assert [one["state"]["who"] for one in log.history(tx, game.id)] == ["Dora", "Dora", "Dora"]
        assert [log.opened_by(tx, game.id, one.key) for one in after] == [2, 2, 9]
