"""How often somebody is answered, and what is remembered of mailboxes."""

from __future__ import annotations

from datetime import datetime, timedelta

from mailgm.store import Database, limits, mailboxes

DAY = timedelta(days=1)


def test_a_stranger_is_answered_once_a_day(database: Database, now: datetime) -> None:
    def ask(at: datetime, address: str = "x@spam.example") -> bool:
        with database.write() as tx:
            return limits.allow(tx, address, "stranger", at, most=1, window=DAY)

    assert ask(now) is True
    assert ask(now + timedelta(hours=1)) is False
    assert ask(now + timedelta(hours=2), " X@Spam.example ") is False
    assert ask(now + timedelta(hours=2), "y@spam.example") is True
    assert ask(now + DAY - timedelta(seconds=1)) is False
    assert ask(now + DAY) is True
    assert ask(now + DAY + timedelta(hours=1)) is False


def test_each_kind_of_answer_has_its_own_count(database: Database, now: datetime) -> None:
    with database.write() as tx:
        replies = [limits.allow(tx, "ana@jeu.example", "reply", now, most=3, window=DAY) for _ in range(5)]
        assert replies == [True, True, True, False, False]
        assert limits.allow(tx, "ana@jeu.example", "help", now, most=1, window=DAY) is True


def test_a_clock_that_was_set_back_silences_nobody(database: Database, now: datetime) -> None:
    with database.write() as tx:
        assert limits.allow(tx, "ana@jeu.example", "reply", now + 400 * DAY, most=1, window=DAY)
        assert limits.allow(tx, "ana@jeu.example", "reply", now, most=1, window=DAY)
        assert not limits.allow(tx, "ana@jeu.example", "reply", now, most=1, window=DAY)


def test_addresses_of_strangers_are_not_kept_and_old_counts_go(database: Database, now: datetime) -> None:
    with database.write() as tx:
        limits.allow(tx, "x@spam.example", "stranger", now, most=1, window=DAY)
        assert "spam" not in str(tx.exec_driver_sql("SELECT * FROM answers").fetchall())
        limits.forget(tx, now + timedelta(seconds=1))
        assert tx.exec_driver_sql("SELECT count(*) FROM answers").scalar() == 0


def test_a_phase_waits_for_the_mailbox_that_was_read_last(database: Database, now: datetime) -> None:
    with database.write() as tx:
        assert mailboxes.read_until(tx, ["a", "b"]) is None
        mailboxes.drained(tx, "a", now, uidvalidity=4_294_967_295)
        mailboxes.failed(tx, "b", now, "connection refused")
        assert mailboxes.read_until(tx, ["a", "b"]) is None
        mailboxes.drained(tx, "b", now - timedelta(minutes=2))
        assert mailboxes.read_until(tx, ["a", "b"]) == now - timedelta(minutes=2)
        assert mailboxes.read_until(tx, []) is None


def test_a_failure_does_not_make_forget_how_far_a_mailbox_was_read(database: Database, now: datetime) -> None:
    later = now + timedelta(minutes=1)
    with database.write() as tx:
        assert mailboxes.get(tx, "a") is None
        mailboxes.drained(tx, "a", now, uidvalidity=7)
        mailboxes.failed(tx, "a", later, "timed out")
        assert mailboxes.get(tx, "a") == mailboxes.Mailbox("a", 7, now, later, "timed out")
        mailboxes.drained(tx, "a", later, uidvalidity=8)
        assert mailboxes.get(tx, "a") == mailboxes.Mailbox("a", 8, later, None, "")


def test_a_mark_is_remembered(database: Database, now: datetime) -> None:
    with database.write() as tx:
        assert mailboxes.mark(tx, "swept") is None
        mailboxes.set_mark(tx, "swept", now.isoformat())
        mailboxes.set_mark(tx, "swept", {"at": 2})
    with database.read() as tx:
        assert mailboxes.mark(tx, "swept") == {"at": 2}
