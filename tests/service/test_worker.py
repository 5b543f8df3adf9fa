"""The service's one writer: what counts for a deadline, when it waits, whom it tells, and what it leaves alone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mailgm.demo.shapes import words_of
from mailgm.engine.said import say
from mailgm.mail.inbox import InboxError, RawLetter
from mailgm.service import due, intake
from mailgm.service.worker import ALIVE, Worker
from mailgm.store import Database, mailboxes
from tests.service.world import World, message, words


class Box:
    """A mailbox in memory. error: what the next looks raise. late: letters that come while it is being read."""

    def __init__(self, name: str = "imap://jeu@example.org/INBOX") -> None:
        self.name = name
        self.since: datetime | None = None
        self.there: list[RawLetter] = []
        self.put_away: list[RawLetter] = []
        self.error: InboxError | None = None
        self.opened = 0

    def open(self) -> None:
        self.opened += 1
        if self.error:
            raise self.error

    def unread(self, limit: int = 100) -> list[RawLetter]:
        if self.error:
            raise self.error
        return sorted(self.there, key=lambda one: one.arrived_at)[:limit]

    def done(self, letters: Sequence[RawLetter]) -> None:
        self.put_away += letters
        self.there = [one for one in self.there if one not in letters]

    def wait(self, seconds: float, stop: threading.Event) -> bool:
        return stop.wait(min(seconds, 0.01))

    def close(self) -> None:
        pass


class Desk:
    """A world whose letters come out of mailboxes."""

    def __init__(self, world: World, *boxes: Box) -> None:
        self.world = world
        self.boxes = boxes or (Box(),)
        self.worker = Worker(world.ctx, self.boxes, poll_seconds=60, committed=lambda: None)

    def write(self, player: str, text: str, at: datetime, box: int = 0) -> None:
        number = sum(len(one.there) + len(one.put_away) for one in self.boxes)
        head = (
            f"From: {self.world.seat(player).email}\r\nTo: {self.world.address(player)}\r\nMessage-ID: <{number}@x>\r\n"
        )
        raw = f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n".encode()
        self.boxes[box].there.append(RawLetter(self.boxes[box].name, 1, str(number), at, raw, False))

    def cycle(self, at: datetime) -> None:
        """A look at an hour, by a service that has run until a moment before."""
        if at - self.world.hour > timedelta(hours=1):
            with self.world.ctx.db.write() as tx:
                mailboxes.set_mark(tx, ALIVE, (at - timedelta(minutes=1)).isoformat())
        self.world.hour = at
        self.worker.cycle()


@pytest.fixture
def desk(night: World) -> Desk:
    made = Desk(night)
    made.cycle(night.hour)
    return made


def deadline_of(world: World) -> datetime:
    assert world.live.record.deadline is not None
    return world.live.record.deadline


# Deadlines ------------------------------------------------------------------------------------------------------------


def test_an_order_that_came_in_time_counts_however_late_it_is_read(desk: Desk) -> None:
    deadline = deadline_of(desk.world)
    desk.write("Bob", "boudoir", deadline - timedelta(seconds=1))
    desk.write("Chloé", "geôles", deadline + timedelta(seconds=1))
    desk.cycle(deadline + timedelta(minutes=40))
    assert desk.world.game.phase == "night-1.dracula"
    replies = {mail.recipient: words(mail) for mail in desk.world.mails() if mail.key.startswith("letter/")}
    assert "Vous irez au boudoir" in replies["joueur2@example.net"]
    assert "Vous irez" not in replies["joueur3@example.net"]


def test_a_deadline_leaves_the_mail_server_a_moment_to_show_what_it_took_in_time(desk: Desk) -> None:
    deadline = deadline_of(desk.world)
    desk.cycle(deadline + timedelta(seconds=1))
    assert desk.world.game.phase == "night-1.rooms"
    desk.write("Bob", "boudoir", deadline - timedelta(seconds=1))
    desk.cycle(deadline + timedelta(seconds=11))
    assert desk.world.game.phase == "night-1.dracula"
    assert any("Vous irez au boudoir" in words(mail) for mail in desk.world.mails())


def test_a_phase_waits_while_a_mailbox_cannot_be_read(desk: Desk) -> None:
    deadline = deadline_of(desk.world)
    (box,) = desk.boxes
    box.error = InboxError("imap: timed out", temporary=True)
    for minutes in (1, 5, 20):
        desk.cycle(deadline + timedelta(minutes=minutes))
    assert desk.world.game.phase == "night-1.rooms"
    assert [mail.recipient for mail in desk.world.mails()] == ["mj@example.com"]
    desk.write("Bob", "boudoir", deadline - timedelta(seconds=1))
    box.error = None
    desk.cycle(deadline + timedelta(minutes=60))
    assert desk.world.game.phase == "night-1.dracula"
    assert any("Vous irez au boudoir" in words(mail) for mail in desk.world.mails())


def test_what_came_after_a_deadline_waits_for_the_mailbox_that_may_hold_what_came_before(night: World) -> None:
    desk = Desk(night, Box("imap://a"), Box("maildir:/b"))
    desk.cycle(night.hour)
    deadline = deadline_of(night)
    desk.boxes[0].error = InboxError("imap: timed out", temporary=True)
    desk.write("Bob", "boudoir", deadline - timedelta(minutes=1), box=0)
    desk.write("Denis", "torture", deadline - timedelta(minutes=2), box=1)
    desk.write("Chloé", "geôles", deadline + timedelta(minutes=1), box=1)
    desk.cycle(deadline + timedelta(minutes=5))
    assert night.game.phase == "night-1.rooms"
    assert night.game.orders.of("Denis", "aller") is not None
    desk.boxes[0].error = None
    desk.cycle(deadline + timedelta(minutes=20))
    assert night.game.phase == "night-1.dracula"
    replies = {mail.recipient: words(mail) for mail in night.mails() if mail.key.startswith("letter/")}
    assert "Vous irez au boudoir" in replies["joueur2@example.net"]
    assert "Vous irez" not in replies["joueur3@example.net"]


def test_a_mailbox_that_stays_away_holds_nothing_up_for_ever(night: World) -> None:
    desk = Desk(night, Box("imap://a"), Box("maildir:/b"))
    desk.cycle(night.hour)
    deadline = deadline_of(night)
    desk.boxes[0].error = InboxError("imap: timed out", temporary=True)
    desk.write("Chloé", "geôles", deadline + timedelta(minutes=1), box=1)
    desk.cycle(deadline + timedelta(hours=4))
    assert night.game.phase == "night-1.dracula"
    with night.ctx.db.read() as tx:
        assert mailboxes.failing(tx) is not None


# Who is told ----------------------------------------------------------------------------------------------------------


def test_a_password_that_is_refused_is_told_to_the_game_master_long_before_a_deadline(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    world, (box,) = desk.world, desk.boxes
    refused = "{name}: the server refuses the login ({error}). {advice}"
    box.error = InboxError(say(refused, name="imap", error="BAD", advice=say("Check its name")), temporary=False)
    with caplog.at_level(logging.ERROR):
        for minutes in (1, 10, 30, 60):
            desk.cycle(world.hour + timedelta(minutes=minutes))
    assert "refuses the login" in caplog.text
    (told,) = world.mails()
    assert told.recipient == "mj@example.com"
    assert "le serveur refuse la connexion (BAD). Vérifiez son nom" in words_of(message(told))
    box.error = None
    desk.cycle(world.hour + timedelta(minutes=10))
    assert world.mails() == []
    box.error = InboxError("imap: the server refuses the login again", temporary=False)
    desk.cycle(world.hour + timedelta(minutes=10))
    assert [mail.recipient for mail in world.mails()] == ["mj@example.com"]


def test_a_network_that_fails_is_no_news_as_long_as_nothing_waits_for_it(desk: Desk) -> None:
    (box,) = desk.boxes
    box.error = InboxError("imap: timed out", temporary=True)
    desk.cycle(desk.world.hour + timedelta(minutes=5))
    assert desk.world.mails() == []


def test_tries_come_at_longer_and_longer_intervals(desk: Desk) -> None:
    (box,) = desk.boxes
    box.error = InboxError("imap: timed out", temporary=True)
    start, opened = desk.world.hour, box.opened
    for second in range(0, 3600, 5):
        desk.cycle(start + timedelta(seconds=second))
    assert 8 < box.opened - opened < 40


# Faults of ours -------------------------------------------------------------------------------------------------------


def test_a_game_whose_deadline_breaks_the_code_stops_no_other(night: World, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(night)
    desk.cycle(night.hour)
    other = World(night.ctx.db, night.ctx.config.folder)
    other.ctx, other.name = night.ctx, "donjon"
    other.start()
    night.mails()
    deadline = deadline_of(night)
    whole = due.close_due

    def broken(ctx, tx, live, moment):  # type: ignore[no-untyped-def]
        if live.record.name == night.name:
            raise KeyError("a fault of ours")
        return whole(ctx, tx, live, moment)

    monkeypatch.setattr(due, "close_due", broken)
    for minutes in (1, 2, 12):
        desk.cycle(deadline + timedelta(minutes=minutes))
    assert night.game.phase == "night-1.rooms"
    assert other.game.phase == "night-1.dracula"
    told = [words(mail) for mail in night.mails() if "stuck" in mail.key]
    assert len(told) == 1
    assert "a fault of ours" in told[0]
    monkeypatch.setattr(due, "close_due", whole)
    desk.cycle(deadline + timedelta(minutes=30))
    assert night.game.phase == "night-1.dracula"


def test_a_message_that_breaks_the_reader_is_set_aside_and_the_game_master_told(
    night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(raw: bytes, **others: object) -> None:
        raise RecursionError("too deep")

    with monkeypatch.context() as patched:
        patched.setattr(intake, "read", broken)
        bad = night.write("Bob", "boudoir")
    assert night.letter(bad).state == "aside"
    assert [mail.recipient for mail in night.mails()] == ["mj@example.com"]
    night.write("Chloé", "geôles")
    assert night.game.orders.of("Chloé", "aller") is not None


def test_a_database_that_is_away_while_the_service_rests_does_not_end_it(
    night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mailgm.store import DatabaseAway

    desk = Desk(night)
    looked = threading.Event()
    whole = desk.worker._seconds
    tries: list[int] = []

    def away() -> float:
        tries.append(1)
        if len(tries) < 3:
            raise DatabaseAway("gone")
        looked.set()
        return whole()

    monkeypatch.setattr(desk.worker, "_seconds", away)
    monkeypatch.setattr("random.random", lambda: 1.0)
    thread = threading.Thread(target=desk.worker.run)
    thread.start()
    assert looked.wait(30)
    desk.worker.stop()
    thread.join(30)
    assert not thread.is_alive()


# Somebody's own mail --------------------------------------------------------------------------------------------------


def test_a_mailbox_is_the_games_since_the_first_game_was_made(night: World) -> None:
    desk = Desk(night)
    made = night.live.record.created_at
    night.hour += timedelta(days=3)
    desk.worker.cycle()
    assert desk.boxes[0].since == made
    again = Desk(night)
    again.cycle(night.hour + timedelta(days=30))
    assert again.boxes[0].since == made


def test_another_mailbox_is_the_games_since_the_service_last_ran(night: World) -> None:
    Desk(night, Box("imap://old")).cycle(night.hour + timedelta(days=3))
    last = night.hour
    desk = Desk(night, Box("imap://new"))
    night.hour += timedelta(hours=5)
    desk.worker.cycle()
    assert desk.boxes[0].since == last


def test_without_a_game_a_mailbox_is_ours_from_the_first_look(database: Database, tmp_path: Path) -> None:
    world = World(database, tmp_path)
    desk = Desk(world)
    desk.cycle(world.hour)
    assert desk.boxes[0].since == datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
