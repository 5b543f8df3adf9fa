"""A Maildir on disk as the second kind of inbox."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mailgm.mail import maildir
from mailgm.mail.inbox import OVERSIZED_BYTES, InboxError
from mailgm.mail.maildir import MaildirInbox

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for name in ("tmp", "new", "cur"):
        (tmp_path / name).mkdir()
    return tmp_path


def put(box: Path, name: str, raw: bytes = b"Subject: s\n\nbody\n", folder: str = "new", second: float = 0) -> Path:
    path = box / folder / name
    path.write_bytes(raw)
    os.utime(path, (NOON.timestamp() + second,) * 2)
    return path


def opened(box: Path, **settings: int) -> MaildirInbox:
    inbox = MaildirInbox(box, **settings)
    inbox.open()
    return inbox


def test_letters_come_in_order_of_arrival_from_new_and_cur(box: Path) -> None:
    put(box, "3.host", second=3.7)
    put(box, "2.host:2,S", folder="cur", second=1)
    put(box, "1.host", second=2)
    letters = opened(box).unread()
    assert [letter.uid for letter in letters] == ["2.host", "1.host", "3.host"]
    assert letters[2].arrived_at == datetime(2026, 12, 1, 12, 0, 3, tzinfo=UTC)
    assert letters[0].raw == b"Subject: s\n\nbody\n"
    assert {(letter.mailbox, letter.uidvalidity) for letter in letters} == {(f"maildir:{box}", 0)}


def test_mail_that_is_still_being_written_is_not_looked_at(box: Path) -> None:
    put(box, "half", folder="tmp")
    assert opened(box).unread() == []


def test_handled_mail_is_moved_with_its_flags_and_its_time(box: Path) -> None:
    put(box, "1.host,S=16")
    put(box, "2.host:2,FR", folder="cur")
    inbox = opened(box)
    letters = inbox.unread()
    inbox.done(letters)
    assert inbox.unread() == []
    assert sorted(os.listdir(box / ".processed" / "cur")) == ["1.host,S=16:2,S", "2.host:2,FRS"]
    assert (box / ".processed" / "maildirfolder").exists()
    assert (box / ".processed" / "cur" / "2.host:2,FRS").stat().st_mtime == NOON.timestamp()
    inbox.done(letters)  # again, after a crash


def test_only_what_is_done_is_moved(box: Path) -> None:
    for n in range(5):
        put(box, f"{n}.host", second=n)
    inbox = opened(box)
    first = inbox.unread(limit=2)
    assert inbox.unread(limit=2) == first
    inbox.done(first)
    assert [letter.uid for letter in inbox.unread()] == ["2.host", "3.host", "4.host"]


def test_a_letter_that_a_mail_program_has_flagged_meanwhile_is_still_the_same(box: Path) -> None:
    path = put(box, "1.host")
    inbox = opened(box)
    letters = inbox.unread()
    path.rename(box / "cur" / "1.host:2,S")
    assert inbox.unread() == letters
    inbox.done(letters)
    assert inbox.unread() == []


def test_a_letter_that_goes_away_while_it_is_read_is_passed_over(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(box, "1.host")
    gone = put(box, "2.host")
    inbox = opened(box)
    read = MaildirInbox._read

    def too_late(self: MaildirInbox, *arguments: object) -> object:
        gone.unlink(missing_ok=True)
        return read(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(MaildirInbox, "_read", too_late)
    assert [letter.uid for letter in inbox.unread()] == ["1.host"]


@pytest.mark.parametrize(("over", "oversized"), [(0, False), (1, True)])
def test_of_a_message_over_the_limit_only_the_beginning_is_read(box: Path, over: int, oversized: bool) -> None:
    put(box, "1.host", b"x" * (300_000 + over))
    (letter,) = opened(box, max_bytes=300_000).unread()
    assert letter.oversized is oversized
    assert len(letter.raw) == (OVERSIZED_BYTES if oversized else 300_000)


def test_one_call_takes_no_more_than_the_memory_allows(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maildir, "MAX_BATCH_BYTES", 2500)
    for n in range(5):
        put(box, f"{n}.host", b"x" * 1000)
    inbox = opened(box)
    sizes = []
    while letters := inbox.unread():
        sizes.append(len(letters))
        inbox.done(letters)
    assert sizes == [2, 2, 1]


def test_what_is_no_letter_is_left_alone(box: Path) -> None:
    (box / "new" / "folder").mkdir()
    put(box, ".hidden")
    (box / "new" / "link").symlink_to("/etc/passwd")
    put(box, "1.host")
    assert [letter.uid for letter in opened(box).unread()] == ["1.host"]


def test_a_letter_that_cannot_be_read_does_not_block_the_others(
    box: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    put(box, "1.host")
    put(box, "2.host")
    real_open = open

    def denied(path: str, mode: str) -> object:
        if "1.host" in path:
            raise PermissionError(13, "Permission denied", path)
        return real_open(path, mode)

    monkeypatch.setattr("builtins.open", denied)
    inbox = opened(box)
    letters = inbox.unread()
    assert [letter.uid for letter in letters] == ["2.host"]
    inbox.done(letters)
    assert inbox.unread() == []
    assert "1.host" in caplog.text


def test_a_path_that_is_no_maildir_is_told(tmp_path: Path) -> None:
    with pytest.raises(InboxError, match="not a Maildir") as error:
        MaildirInbox(tmp_path / "nothing").open()
    assert not error.value.temporary


def test_a_disk_that_goes_away_is_temporary(box: Path) -> None:
    put(box, "1.host")
    inbox = opened(box)
    letters = inbox.unread()
    box.rename(box.with_name("away"))
    for use in (inbox.unread, lambda: inbox.done(letters), lambda: inbox.wait(60, threading.Event())):
        with pytest.raises(InboxError) as error:
            use()
        assert error.value.temporary


def test_waiting_ends_when_mail_comes_or_when_the_service_stops(box: Path) -> None:
    inbox = opened(box)
    assert inbox.unread() == []
    stop = threading.Event()
    answers: list[bool] = []
    waiting = threading.Thread(target=lambda: answers.append(inbox.wait(60, stop)))
    waiting.start()
    put(box, "1.host")
    waiting.join(30)
    assert answers == [True]
    inbox.done(inbox.unread())
    assert inbox.unread() == []
    waiting = threading.Thread(target=lambda: answers.append(inbox.wait(60, stop)))
    waiting.start()
    stop.set()
    waiting.join(30)
    assert answers == [True, False]


def test_waiting_ends_by_itself_when_nothing_comes(box: Path) -> None:
    inbox = opened(box)
    inbox.unread()
    assert not inbox.wait(0.05, threading.Event())
