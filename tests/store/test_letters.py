"""Messages are stored raw, once, and handled once, in the order of their arrival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from mailgm.mail.inbox import RawLetter
from mailgm.store import Database, NotFound, letters

Make = Callable[..., RawLetter]


def store(database: Database, now: datetime, *new: RawLetter) -> list[int]:
    with database.write() as tx:
        return letters.store(tx, new, now)


def begin(database: Database, now: datetime, limit: int = 50) -> letters.Batch:
    with database.write() as tx:
        return letters.begin(tx, now, limit)


def handle(database: Database, now: datetime, letter_id: int, code: str = "orders") -> bool:
    with database.write() as tx:
        if not letters.take(tx, letter_id):
            return False
        letters.settle(tx, letter_id, code, now, sender="ana@jeu.example", detail={"orders": ["vote"]})
        return True


def test_a_letter_is_kept_byte_for_byte(database: Database, now: datetime) -> None:
    raw = bytes(range(256)) * 40
    [kept] = store(database, now, RawLetter("maildir:/x", 4_294_967_295, "1733.host", now, raw, True))
    with database.read() as tx:
        letter = letters.get(tx, kept)
    assert letter.raw == raw
    assert (letter.arrived_at, letter.uidvalidity, letter.uid, letter.oversized) == (
        now,
        4_294_967_295,
        "1733.host",
        True,
    )
    assert (letter.state, letter.size) == ("stored", len(raw))


def test_delivered_twice_counts_once(database: Database, now: datetime, letter: Make) -> None:
    one = letter("vote Bob", number=5)
    assert len(store(database, now, one)) == 1
    assert store(database, now, one, one) == []


def test_the_second_delivery_of_a_message_has_other_trace_headers(
    database: Database, now: datetime, letter: Make
) -> None:
    first = letter(number=5, headers="Received: from a by b; Tue, 1 Dec 2026 20:00:00 +0100\r\n")
    again = letter(
        number=5,
        at=now + timedelta(minutes=3),
        headers="Return-Path: <ana@jeu.example>\r\nReceived: from c\r\n by d\r\nX-Spam: 3\r\nDelivered-To: jeu\r\n",
    )
    elsewhere = replace(again, mailbox="imap://jeu@other.example/INBOX", uidvalidity=8, uid="900")
    as_a_file = replace(first, raw=first.raw.replace(b"\r\n", b"\n") + b"\n", mailbox="maildir:/x", uid="a.b")
    assert len(store(database, now, first, again, elsewhere, as_a_file)) == 1


def test_a_mailbox_put_back_from_a_copy_reuses_its_numbers_and_loses_nothing(
    database: Database, now: datetime, letter: Make
) -> None:
    """The same place (UIDVALIDITY, UID) with other content is another message."""
    before = letter("vote Bob", number=5)
    after = replace(letter("vote Chloé", number=6), uid=before.uid)
    assert len(store(database, now, before)) == 1
    assert len(store(database, now, after)) == 1


def test_a_message_id_that_is_used_again_is_no_double(database: Database, now: datetime, letter: Make) -> None:
    assert len(store(database, now, letter("vote Bob", number=5), letter("vote Chloé", number=5))) == 2


def test_the_same_words_written_again_without_date_and_message_id_are_two_letters(
    database: Database, now: datetime
) -> None:
    raw = b"From: ana@jeu.example\r\n\r\nvote Bob\r\n"
    first = RawLetter("m", 1, "1", now, raw, False)
    later = RawLetter("m", 1, "2", now + timedelta(hours=1), raw, False)
    assert len(store(database, now, first, later)) == 2
    assert store(database, now, first, later) == []


def test_letters_are_taken_up_by_arrival_whatever_the_order_of_storing(
    database: Database, now: datetime, letter: Make
) -> None:
    late, early = letter("late", at=now + timedelta(seconds=1)), letter("early", at=now)
    store(database, now, late, early, letter("early too", at=now))
    first = begin(database, now).letters
    assert [one.raw.split()[-1] for one in first] == [b"early", b"too", b"late"]


def test_mailboxes_that_are_read_later_go_first_if_their_mail_is_older(
    database: Database, now: datetime, letter: Make
) -> None:
    [second] = store(database, now, letter(at=now))
    assert [one.id for one in begin(database, now).letters] == [second]
    [first] = store(database, now, letter(at=now - timedelta(minutes=1)))
    assert handle(database, now, second) is False
    assert handle(database, now, first) is True
    assert handle(database, now, second) is True


def test_a_letter_is_settled_once(database: Database, now: datetime, letter: Make) -> None:
    """Two services on one mailbox: the second finds it settled."""
    [one] = store(database, now, letter())
    assert handle(database, now, one) is True
    assert handle(database, now, one) is False
    with database.read() as tx:
        settled = letters.get(tx, one)
    assert (settled.state, settled.code, settled.sender) == ("handled", "orders", "ana@jeu.example")
    assert settled.detail == {"orders": ["vote"]}
    assert begin(database, now).letters == ()


def test_a_letter_that_breaks_the_code_is_set_aside_and_taken_up_again(
    database: Database, now: datetime, letter: Make
) -> None:
    bad, good = store(database, now, letter("bad"), letter("good", at=now + timedelta(minutes=1)))
    with database.write() as tx:
        letters.set_aside(tx, bad, "ValueError: no such charset", now)
    assert [one.id for one in begin(database, now).letters] == [good]
    with database.read() as tx:
        [aside] = letters.find(tx, "aside")
    assert (aside.id, aside.error) == (bad, "ValueError: no such charset")
    with database.write() as tx:
        assert letters.retry(tx) == [bad]
        assert letters.retry(tx, [bad, good]) == []
    assert handle(database, now, bad) is True


def test_after_a_crash_letters_come_one_by_one_until_the_deadly_one_is_known(
    database: Database, now: datetime, letter: Make
) -> None:
    """The process dies whenever it handles `deadly`, and is started again a minute later; the others get through."""
    ids = store(database, now, *[letter(at=now + timedelta(minutes=n)) for n in range(5)])
    deadly, done, set_aside = ids[1], [], []
    for life in range(40):
        while batch := begin(database, now + timedelta(minutes=life)):
            set_aside += [one.id for one in batch.set_aside]
            if not batch.letters:
                break
            for one in batch.letters:
                if one.id == deadly:
                    break
                if handle(database, now, one.id):
                    done.append(one.id)
            else:
                continue
            break
    assert set_aside == [deadly]
    assert done == [one for one in ids if one != deadly]


def test_a_machine_that_goes_down_again_and_again_is_no_fault_of_the_letters(
    database: Database, now: datetime, letter: Make
) -> None:
    (only,) = store(database, now, letter())
    for second in range(60):
        batch = begin(database, now + timedelta(seconds=second))
        assert [one.id for one in batch.letters] == [only]
    assert handle(database, now, only) is True


def test_letters_that_were_begun_when_the_service_was_told_to_stop_are_not_suspect(
    database: Database, now: datetime, letter: Make
) -> None:
    ids = store(database, now, letter(), letter(), letter())
    for _ in range(10):
        assert len(begin(database, now).letters) == 3
        with database.write() as tx:
            letters.unbegin(tx, ids)


def test_a_batch_does_not_fill_the_memory(
    database: Database, now: datetime, letter: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "MOST_BYTES", 3000)
    store(database, now, *[letter("x" * 1200, at=now + timedelta(minutes=n)) for n in range(4)], letter("y" * 9000))
    assert [len(begin(database, now).letters)] == [1]


def test_what_arrived_before_a_deadline_is_counted(database: Database, now: datetime, letter: Make) -> None:
    first, *_ = store(database, now, letter(at=now - timedelta(seconds=1)), letter(at=now))
    with database.write() as tx:
        assert (letters.waiting(tx), letters.waiting(tx, before=now)) == (2, 1)
        letters.settle(tx, first, "orders", now)
        assert (letters.waiting(tx), letters.waiting(tx, before=now)) == (1, 0)
        assert letters.counts(tx) == {"handled": 1, "stored": 1}


def test_hostile_headers_are_stored(database: Database, now: datetime) -> None:
    """NUL, bytes that are no UTF-8, endless headers, no head at all."""
    raws = [
        b"Message-ID: <a\0b@x>\r\nFrom: \xff\xfe\r\n\r\nhi",
        b"Message-ID: " + b"<x@" + b"y" * 70_000 + b">\r\n\r\nhi",
        b"",
        b" folded\n\tagain\n\nhi",
        b"no head at all",
        b"Message-ID:\n <folded@x>\n\nhi",
    ]
    ids = store(database, now, *[RawLetter("m", 1, str(n), now, raw, False) for n, raw in enumerate(raws)])
    with database.read() as tx:
        kept = [letters.get(tx, one) for one in ids]
    assert [one.raw for one in kept] == raws
    assert kept[0].message_id == "<a\ufffdb@x>"
    assert kept[5].message_id == "<folded@x>"


def test_settling_what_is_not_there_is_an_error(database: Database, now: datetime) -> None:
    with database.write() as tx, pytest.raises(NotFound, match="no letter 99"):
        letters.settle(tx, 99, "orders", now)
