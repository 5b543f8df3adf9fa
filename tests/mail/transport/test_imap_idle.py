"""IDLE is a hint only, and its traps must neither stop the service nor make it spin."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from mailgm.mail import imap
from mailgm.mail.imap import ImapInbox, ImapSettings
from mailgm.mail.inbox import InboxError
from tests.mail.transport.fakes import Line, Mail, ScriptedImap

LONG = 60.0
"""Far longer than any test may take: who waits that long has not been woken."""


class CountedStop(threading.Event):
    """A stop event on which nobody really waits: the seconds asked for are only noted."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0.0)
        return self.is_set()


def opened(server: ScriptedImap, **settings: object) -> ImapInbox:
    inbox = ImapInbox(
        ImapSettings("127.0.0.1", "jeu@x.test", "secret", port=server.port, security="none", timeout=20, **settings)  # type: ignore[arg-type]
    )
    inbox.open()
    return inbox


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_server_that_closes_during_idle_is_told_as_a_fault(stop: threading.Event) -> None:
    """imapclient's idle_check gives [] at once, for ever, after the server has closed."""

    def closes(server: ScriptedImap, line: Line, tag: str, _: str) -> str:
        line.send("+ idling", "* BYE too long")
        return "close"

    with ScriptedImap(IDLE=closes) as server:
        inbox = opened(server)
        with pytest.raises(InboxError) as error:
            inbox.wait(LONG, stop)
        assert error.value.temporary
        assert len(server.commands("IDLE")) == 1


def test_after_a_closed_idle_the_mail_is_read_on_a_new_connection(stop: threading.Event) -> None:
    def closes(server: ScriptedImap, line: Line, tag: str, _: str) -> str:
        line.send("+ idling")
        return "close"

    with ScriptedImap(IDLE=closes) as server:
        inbox = opened(server)
        with pytest.raises(InboxError):
            inbox.wait(LONG, stop)
        server.mails[3] = Mail(3)
        inbox.open()
        assert [letter.uid for letter in inbox.unread()] == ["3"]


def test_a_line_in_two_segments_is_one_line(stop: threading.Event) -> None:
    """The second half only comes once the client has reacted to the first: imapclient aborts on half a line."""

    def splits(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send("+ idling")
        line.send(b"* 1 EXI")
        assert line.read() == "DONE"
        line.send(b"STS\r\n")
        line.send(f"{tag} OK done")

    with ScriptedImap(IDLE=splits) as server:
        assert opened(server).wait(LONG, stop)


def test_news_in_the_same_segment_as_the_go_ahead_is_seen(stop: threading.Event) -> None:
    def at_once(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send("+ idling", "* 1 EXISTS")
        assert line.read() == "DONE"
        line.send(f"{tag} OK done")

    with ScriptedImap(IDLE=at_once) as server:
        assert opened(server).wait(LONG, stop)


def test_news_before_the_go_ahead_is_seen(stop: threading.Event) -> None:
    def early(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send("* 1 EXISTS", "* 1 RECENT", "+ idling")
        assert line.read() == "DONE"
        line.send(f"{tag} OK done")

    with ScriptedImap(IDLE=early) as server:
        inbox = opened(server)
        assert inbox.wait(LONG, stop)
        assert inbox.unread() == []  # the connection is in good order


def test_a_message_that_comes_while_waiting_wakes_the_service(stop: threading.Event) -> None:
    def tells(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send("+ idling")
        server.mails[1] = Mail(1)
        line.send("* 1 EXISTS")
        assert line.read() == "DONE"
        line.send(f"{tag} OK done")

    with ScriptedImap(IDLE=tells) as server:
        inbox = opened(server)
        assert inbox.unread() == []
        assert inbox.wait(LONG, stop)
        assert [letter.uid for letter in inbox.unread()] == ["1"]


def test_a_server_that_refuses_to_idle_is_polled(stop: threading.Event) -> None:
    def refuses(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send(f"{tag} NO not now")

    with ScriptedImap(IDLE=refuses) as server:
        inbox = opened(server)
        counted = CountedStop()
        assert not inbox.wait(LONG, counted)
        assert max(counted.waits) > LONG - 20
        assert len(server.commands("IDLE")) == 1
        assert inbox.unread() == []


def test_a_server_without_idle_is_polled() -> None:
    with ScriptedImap(capabilities="MOVE") as server:
        counted = CountedStop()
        assert not opened(server).wait(LONG, counted)
        assert len(counted.waits) == 1
        assert server.commands("IDLE") == []


def test_chatter_is_no_news_and_costs_at_most_one_look_a_second() -> None:
    def chats(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send("+ idling", "* OK still here")
        assert line.read() == "DONE"
        if len(server.commands("IDLE")) == 5:
            counted.set()
        line.send(f"{tag} OK done")

    counted = CountedStop()
    with ScriptedImap(IDLE=chats) as server:
        assert not opened(server).wait(LONG, counted)
    assert counted.waits == [1.0] * 5


def test_announcements_of_nothing_are_believed_less_and_less() -> None:
    """Some servers repeat EXISTS at every IDLE; the service must not poll as fast as it can."""

    def cries(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send("+ idling", "* 1 EXISTS")
        assert line.read() == "DONE"
        line.send(f"{tag} OK done")

    with ScriptedImap(IDLE=cries) as server:
        inbox = opened(server)
        counted = CountedStop()
        for _ in range(7):
            assert inbox.wait(LONG, counted)
            assert inbox.unread() == []
        assert counted.waits == [1.0, 2.0, 4.0, 8.0]
        server.mails[1] = Mail(1)
        assert inbox.wait(LONG, counted)
        assert inbox.unread()
        counted.waits.clear()
        assert inbox.wait(LONG, counted)
        assert counted.waits == []  # a true one makes it believed again


def test_idle_is_renewed_before_servers_and_routers_drop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert imap.REIDLE_SECONDS == 9 * 60
    monkeypatch.setattr(imap, "REIDLE_SECONDS", 0.01)
    counted = CountedStop()

    def third_time_ends(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        if len(server.commands("IDLE")) == 3:
            counted.set()
        server.do_idle(line, tag, arguments)

    with ScriptedImap(IDLE=third_time_ends) as server:
        assert not opened(server).wait(LONG, counted)
        assert len(server.commands("IDLE")) == 3


def test_stopping_wakes_an_idle_at_once(stop: threading.Event) -> None:
    with ScriptedImap() as server:
        inbox = opened(server)
        answers: list[bool] = []
        waiting = threading.Thread(target=lambda: answers.append(inbox.wait(LONG, stop)))
        waiting.start()
        assert server.idling.wait(20)
        stop.set()
        waiting.join(LONG / 2)
        assert answers == [False]
        assert inbox.unread() == []  # and it could go on


def test_after_every_wait_the_folder_is_selected_anew(stop: threading.Event) -> None:
    """A mailbox that was made anew meanwhile has another UIDVALIDITY, and the old keys mean other mail."""
    with ScriptedImap(Mail(1), Mail(2)) as server:
        inbox = opened(server, idle=False)
        old = inbox.unread()
        server.uidvalidity = 8
        inbox.wait(0.01, stop)
        new = inbox.unread()
        assert {letter.uidvalidity for letter in old} == {7}
        assert {letter.uidvalidity for letter in new} == {8}
        inbox.done(old)
        assert server.commands("MOVE") == []
        inbox.done(new)
        assert server.mails == {}
