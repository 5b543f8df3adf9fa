"""A mail is queued once, sent once where that is possible, in order, and is the same mail when it is tried again."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from mailgm.store import Database, games, outbox
from mailgm.store.outbox import Claimed, NewMail

LEASE = timedelta(minutes=10)


def mail(n: int, recipient: str = "ana@jeu.example", **other: object) -> NewMail:
    return NewMail(
        f"game/{n}", f"<{n}@jeu.example>", recipient, "jeu@jeu.example", b"Subject: x\r\n\r\n%d" % n, **other
    )  # type: ignore[arg-type]


def queue(database: Database, now: datetime, *new: NewMail) -> list[int]:
    with database.write() as tx:
        return outbox.queue(tx, new, now)


def claim(database: Database, now: datetime, worker: str = "w", limit: int = 50) -> list[Claimed]:
    with database.write() as tx:
        return outbox.claim(tx, worker, now, limit, LEASE)


def ids(claimed: list[Claimed]) -> list[int]:
    return [one.id for one in claimed]


def test_a_mail_of_the_same_key_is_queued_once(database: Database, now: datetime) -> None:
    assert len(queue(database, now, mail(1), mail(2))) == 2
    assert queue(database, now, mail(1)) == []
    assert len(queue(database, now, mail(2), mail(3))) == 1
    assert [one.content for one in claim(database, now)] == [b"Subject: x\r\n\r\n%d" % n for n in (1, 2, 3)]


def test_what_is_claimed_is_not_claimed_by_another(database: Database, now: datetime) -> None:
    queue(database, now, *[mail(n, f"{n}@jeu.example") for n in range(5)])
    first, second = claim(database, now, "a", 3), claim(database, now, "b", 3)
    assert (len(first), len(second)) == (3, 2)
    assert not set(ids(first)) & set(ids(second))


def test_the_claim_of_a_dead_worker_runs_out_and_the_same_mail_goes_out_again(
    database: Database, now: datetime
) -> None:
    queue(database, now, mail(1))
    [first] = claim(database, now, "dead")
    assert claim(database, now + LEASE - timedelta(seconds=1), "b") == []
    [again] = claim(database, now + LEASE, "b")
    assert (again.id, again.message_id, again.content) == (first.id, first.message_id, first.content)
    assert (first.attempts, again.attempts) == (1, 2)


def test_a_worker_that_was_taken_for_dead_says_sent_and_is_believed(database: Database, now: datetime) -> None:
    queue(database, now, mail(1))
    [one] = claim(database, now, "slow")
    claim(database, now + LEASE, "b")
    with database.write() as tx:
        outbox.mark_sent(tx, [one.id], now + LEASE)
        outbox.mark_retry(tx, "b", {one.id: (now + LEASE, "connection lost")})
        outbox.mark_failed(tx, {one.id: "no such user"})
        assert outbox.counts(tx) == {"sent": 1}


def test_a_worker_that_was_taken_for_dead_cannot_put_off_what_another_sends(database: Database, now: datetime) -> None:
    queue(database, now, mail(1))
    [one] = claim(database, now, "slow")
    claim(database, now + LEASE, "b")
    with database.write() as tx:
        outbox.mark_retry(tx, "slow", {one.id: (now, "4.2.0")})
        outbox.release(tx, "slow", [one.id], now)
    assert claim(database, now + LEASE) == []


def test_a_temporary_failure_waits_for_its_hour(database: Database, now: datetime) -> None:
    queue(database, now, mail(1))
    [one] = claim(database, now)
    with database.write() as tx:
        outbox.mark_retry(tx, "w", {one.id: (now + timedelta(minutes=5), "451 greylisted")})
        [listed] = outbox.find(tx, states=["queued"])
        assert (listed.error, outbox.next_due(tx)) == ("451 greylisted", now + timedelta(minutes=5))
    assert claim(database, now + timedelta(minutes=4)) == []
    assert ids(claim(database, now + timedelta(minutes=5))) == [one.id]


def test_a_later_mail_does_not_overtake_one_that_waits_for_its_next_try(database: Database, now: datetime) -> None:
    one, two, other = queue(database, now, mail(1), mail(2), mail(3, "bob@jeu.example"))
    assert ids(claim(database, now, limit=1)) == [one]
    # While the first is on its way or put off, the second waits; Bob's does not.
    assert ids(claim(database, now)) == [other]
    with database.write() as tx:
        outbox.mark_retry(tx, "w", {one: (now + timedelta(minutes=5), "451")})
    assert claim(database, now) == []
    assert ids(claim(database, now + timedelta(minutes=5))) == [one, two]


def test_a_mail_that_will_not_go_holds_the_others_back_for_some_tries_only(database: Database, now: datetime) -> None:
    stuck, other = queue(database, now, mail(1), mail(2))
    for n in range(outbox.ORDERED_ATTEMPTS):
        assert ids(claim(database, now + n * LEASE, limit=1)) == [stuck]
        with database.write() as tx:
            outbox.mark_retry(tx, "w", {stuck: (now + (n + 1) * LEASE, "452 mailbox full")})
    last = now + outbox.ORDERED_ATTEMPTS * LEASE
    assert ids(claim(database, last - timedelta(seconds=1))) == []
    assert ids(claim(database, last, limit=1)) == [stuck]
    assert ids(claim(database, last)) == [other]


def test_nobody_is_woken_for_a_mail_that_is_held_back(database: Database, now: datetime) -> None:
    later = now + timedelta(minutes=5)
    stuck, _held, _other = queue(database, now, mail(1), mail(2), mail(3, "bob@jeu.example"))
    claim(database, now, limit=1)
    with database.write() as tx:
        outbox.mark_retry(tx, "w", {stuck: (later, "451")})
        assert outbox.next_due(tx) == now
    sent = claim(database, now)
    with database.write() as tx:
        outbox.mark_sent(tx, ids(sent), now)
        assert outbox.next_due(tx) == later
        outbox.mark_failed(tx, {stuck: "550"})
        assert outbox.next_due(tx) == now


def test_what_was_not_tried_is_given_back_and_does_not_count(database: Database, now: datetime) -> None:
    queue(database, now, mail(1))
    [one] = claim(database, now)
    with database.write() as tx:
        outbox.release(tx, "w", [one.id], now)
    [again] = claim(database, now)
    assert again.attempts == 1


def test_a_permanent_failure_is_kept_with_its_reason_and_can_be_sent_again(database: Database, now: datetime) -> None:
    queue(database, now, mail(1))
    [one] = claim(database, now)
    with database.write() as tx:
        outbox.mark_failed(tx, {one.id: "550 5.1.1 no such user"})
        [failed] = outbox.find(tx, states=["failed"])
        assert failed.error == "550 5.1.1 no such user"
        assert outbox.unsent(tx) == 0
    assert claim(database, now + timedelta(days=9)) == []
    with database.write() as tx:
        assert outbox.send_again(tx, [one.id], now) == 1
    assert ids(claim(database, now)) == [one.id]


def test_mail_that_is_held_back_goes_on_a_word_and_never_without(
    database: Database, now: datetime, game: games.GameRecord
) -> None:
    held, digest = queue(
        database, now, mail(1, game_id=game.id, hold="review"), mail(2, game_id=game.id, hold="digest")
    )
    assert claim(database, now + timedelta(days=1)) == []
    with database.write() as tx:
        assert outbox.counts(tx, game.id) == {"held": 2}
        assert outbox.release_held(tx, game.id, "review", now) == 1
        assert outbox.drop_held(tx, game.id, "digest") == 1
    assert ids(claim(database, now)) == [held]
    with database.read() as tx:
        assert [one.id for one in outbox.find(tx, states=["dropped"])] == [digest]


def test_a_mail_for_later_goes_later(database: Database, now: datetime) -> None:
    later = now + timedelta(hours=2)
    first, second = queue(database, now, mail(1, due_at=later), mail(2))
    assert ids(claim(database, now)) == [second]
    with database.read() as tx:
        assert outbox.unsent(tx) == 2
    assert first in ids(claim(database, later))


def test_two_mails_cannot_have_one_message_id(database: Database, now: datetime) -> None:
    twin = NewMail("game/other", "<1@jeu.example>", "bob@jeu.example", "jeu@jeu.example", b"x")
    queue(database, now, mail(1))
    with pytest.raises(Exception, match=r"(?i)unique"):
        queue(database, now, twin)


def test_a_long_mail_comes_back_as_it_was(database: Database, now: datetime) -> None:
    content = "Subject: été\r\n\r\n".encode() + b"La nuit tombe sur le manoir.\r\n" * 500
    with database.write() as tx:
        outbox.queue(tx, [NewMail("k", "<k@x>", "ana@jeu.example", "", content)], now)
        stored = tx.exec_driver_sql("SELECT length(content) FROM mails").scalar_one()
        assert stored < len(content) / 5
        [one] = outbox.find(tx, message_id="<k@x>")
    assert one.content == content
