"""What an IMAP server may do, and must not cost a message."""

from __future__ import annotations

import logging
import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mailgm.demo.processes import self_signed
from mailgm.mail import imap
from mailgm.mail.imap import HANDLED_KEYWORD, ImapInbox, ImapSettings
from mailgm.mail.inbox import OVERSIZED_BYTES, InboxError
from tests.mail.transport.fakes import Line, Mail, ScriptedImap

PASSWORD = "tres-secret-42"


def inbox_of(server: ScriptedImap, **settings: object) -> ImapInbox:
    known: dict[str, object] = {"security": "none", "timeout": 20.0, "password": PASSWORD}
    return ImapInbox(ImapSettings("127.0.0.1", "jeu@x.test", port=server.port, **{**known, **settings}))  # type: ignore[arg-type]


def opened(server: ScriptedImap, **settings: object) -> ImapInbox:
    inbox = inbox_of(server, **settings)
    inbox.open()
    return inbox


def refused(server: ScriptedImap, **settings: object) -> InboxError:
    with pytest.raises(InboxError) as error:
        opened(server, **settings)
    assert PASSWORD not in str(error.value)
    return error.value


def no(text: str):  # type: ignore[no-untyped-def]
    return lambda server, line, tag, _: line.send(f"{tag} NO {text}")


# Reading


def test_letters_come_in_order_of_arrival_whatever_their_uids() -> None:
    """A mail that a person moves back out of the spam folder gets a new UID and keeps its INTERNALDATE."""
    with ScriptedImap(
        Mail(5, date="01-Dec-2026 10:00:02 +0000"),
        Mail(6, date="01-Dec-2026 12:00:01 +0200"),
        Mail(9, date=" 1-Dec-2026 10:00:01 +0000"),
    ) as server:
        letters = opened(server).unread()
    assert [letter.uid for letter in letters] == ["6", "9", "5"]
    assert letters[0].arrived_at == datetime(2026, 12, 1, 10, 0, 1, tzinfo=UTC)
    assert all(letter.arrived_at.tzinfo is UTC for letter in letters)


def test_the_oldest_come_first_and_the_same_ones_until_they_are_done() -> None:
    with ScriptedImap(*(Mail(n, date=f"01-Dec-2026 10:00:{60 - n} +0000") for n in range(1, 31))) as server:
        inbox = opened(server)
        first = inbox.unread(limit=10)
        assert [int(x.uid) for x in first] == list(range(30, 20, -1))
        assert inbox.unread(limit=10) == first
        inbox.done(first)
        assert [int(x.uid) for x in inbox.unread(limit=10)] == list(range(20, 10, -1))


def test_reading_does_not_mark_mail_as_seen() -> None:
    with ScriptedImap(Mail(1)) as server:
        opened(server).unread()
        bodies = [c for c in server.commands("FETCH") if "BODY" in c]
        assert bodies
        assert all("BODY.PEEK[" in c for c in bodies)


def test_mail_that_a_person_has_read_is_read_all_the_same() -> None:
    with ScriptedImap(Mail(1, flags={r"\Seen"})) as server:
        assert len(opened(server).unread()) == 1


def test_bytes_come_as_they_are() -> None:
    raw = b"Subject: \xff\x00\r\n\r\n)\r\n* 3 EXISTS\r\n{5}\r\n" + bytes(range(256)) * 2000
    with ScriptedImap(Mail(1, raw=raw), Mail(2)) as server:
        letters = opened(server).unread()
    assert letters[0].raw == raw
    assert not letters[0].oversized


@pytest.mark.parametrize(("over", "oversized"), [(0, False), (1, True)])
def test_of_a_message_over_the_limit_only_the_beginning_is_fetched(over: int, oversized: bool) -> None:
    limit = OVERSIZED_BYTES * 2
    raw = b"Subject: big\r\n\r\n" + b"x" * (limit - 16 + over)
    assert len(raw) == limit + over
    with ScriptedImap(Mail(1, raw=raw)) as server:
        (letter,) = opened(server, max_bytes=limit).unread()
        whole = [c for c in server.commands("FETCH") if "BODY.PEEK[]" in c and "<" not in c]
    assert letter.oversized is oversized
    assert letter.raw == (raw[:OVERSIZED_BYTES] if oversized else raw)
    assert bool(whole) is not oversized


def test_a_server_that_only_guesses_sizes_does_not_get_past_the_limit() -> None:
    with ScriptedImap(Mail(1, raw=b"S: x\r\n\r\n" + b"x" * 400_000, size=10)) as server:
        (letter,) = opened(server, max_bytes=300_000).unread()
    assert letter.oversized
    assert len(letter.raw) == OVERSIZED_BYTES


def test_one_call_takes_no_more_than_the_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap, "MAX_BATCH_BYTES", 2500)
    with ScriptedImap(*(Mail(n, raw=b"S: x\r\n\r\n" + b"x" * 1000) for n in range(1, 6))) as server:
        inbox = opened(server)
        sizes = []
        while letters := inbox.unread():
            sizes.append(len(letters))
            inbox.done(letters)
    assert sizes == [2, 2, 1]


def test_a_message_that_the_server_cannot_give_does_not_block_the_others(caplog: pytest.LogCaptureFixture) -> None:
    def chokes(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        if "BODY" in arguments and "2" in arguments.split()[0].split(","):
            line.send(f"{tag} NO [SERVERBUG] cannot read it")
        else:
            server.do_uid_fetch(line, tag, arguments)

    with ScriptedImap(Mail(1), Mail(2), Mail(3), UID_FETCH=chokes) as server:
        inbox = opened(server)
        letters = inbox.unread()
        assert [x.uid for x in letters] == ["1", "3"]
        inbox.done(letters)
        assert inbox.unread() == []
        assert "message 2" in caplog.text
        del server.answers["UID FETCH"]
        inbox.open()
        assert [x.uid for x in inbox.unread()] == ["2"]


def test_a_message_that_goes_away_between_search_and_fetch_is_passed_over() -> None:
    def gone(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        if "BODY" in arguments:
            server.mails.pop(2, None)
        server.do_uid_fetch(line, tag, arguments)

    with ScriptedImap(Mail(1), Mail(2), UID_FETCH=gone) as server:
        assert [x.uid for x in opened(server).unread()] == ["1"]


def test_a_server_that_lists_what_it_never_gives_does_not_keep_the_service_busy() -> None:
    def nothing(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        if "BODY" in arguments:
            line.send(f"{tag} OK done")
        else:
            server.do_uid_fetch(line, tag, arguments)

    with ScriptedImap(Mail(1), UID_FETCH=nothing) as server:
        assert opened(server).unread() == []


# Putting handled mail away


def test_handled_mail_is_moved_to_a_folder_that_is_made() -> None:
    with ScriptedImap(Mail(1), Mail(2)) as server:
        inbox = opened(server, processed_folder="Traités")
        letters = inbox.unread()
        inbox.done(letters[:1])
        assert server.commands("UID MOVE") == ['UID MOVE 1 "Trait&AOk-s"']
        assert "Trait&AOk-s" in server.folders
        assert [x.uid for x in inbox.unread()] == ["2"]
        inbox.done(letters)  # again, after a crash
        assert inbox.unread() == []


def test_without_move_handled_mail_is_copied_and_only_it_is_expunged() -> None:
    with ScriptedImap(Mail(1), Mail(2, flags={r"\Deleted"}), capabilities="UIDPLUS") as server:
        inbox = opened(server)
        inbox.done(inbox.unread())
        assert [c.split()[1] for c in server.commands("UID ") if c.split()[1] in ("COPY", "STORE", "EXPUNGE")] == [
            "COPY",
            "STORE",
            "EXPUNGE",
        ]
        assert set(server.mails) == {2}  # what a person marked is theirs


def keyword_box(server: ScriptedImap) -> None:
    inbox = opened(server)
    letters = inbox.unread()
    inbox.done(letters)
    assert server.mails[1].flags == {HANDLED_KEYWORD}
    assert inbox.unread() == []
    inbox.open()
    assert inbox.unread() == []


def test_where_nothing_can_be_moved_handled_mail_is_flagged() -> None:
    with ScriptedImap(Mail(1), capabilities="IDLE") as server:
        keyword_box(server)


def test_where_the_folder_is_refused_handled_mail_is_flagged(caplog: pytest.LogCaptureFixture) -> None:
    with ScriptedImap(Mail(1), CREATE=no("[NOPERM] not yours")) as server:
        keyword_box(server)
    assert "NOPERM" in caplog.text


def test_where_the_move_is_refused_handled_mail_is_flagged() -> None:
    with ScriptedImap(Mail(1), UID_MOVE=no("[NOPERM] not yours")) as server:
        keyword_box(server)


def test_a_processed_folder_that_was_removed_is_made_again() -> None:
    def try_create(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        if "mailgm-processed" in server.folders:
            server.do_uid_move(line, tag, arguments)
        else:
            line.send(f"{tag} NO [TRYCREATE] no such folder")

    with ScriptedImap(Mail(1), UID_MOVE=try_create) as server:
        inbox = opened(server)
        server.folders.discard("mailgm-processed")
        inbox.done(inbox.unread())
        assert server.mails == {}


@pytest.mark.parametrize("said", ["[ALREADYEXISTS] it is there", "it is there, says another server"])
def test_a_processed_folder_that_appears_meanwhile_is_used(said: str) -> None:
    def already(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        server.folders.add("mailgm-processed")
        line.send(f"{tag} NO {said}")

    with ScriptedImap(Mail(1), CREATE=already) as server:
        inbox = opened(server)
        inbox.done(inbox.unread())
        assert server.mails == {}


def test_a_move_that_somebody_else_has_done_is_done() -> None:
    def already(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        server.mails.clear()
        line.send(f"{tag} NO [NONEXISTENT] no such message")

    with ScriptedImap(Mail(1), Mail(2), UID_MOVE=already) as server:
        inbox = opened(server)
        inbox.done(inbox.unread())
        server.answers.clear()
        server.mails[3] = Mail(3)
        inbox.done(inbox.unread())
        assert server.mails == {}  # it still moves


@pytest.mark.parametrize("read_only", [False, True])
def test_where_nothing_may_be_written_handled_mail_is_remembered(read_only: bool) -> None:
    def only_read(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        line.send("* 1 EXISTS", "* 0 RECENT", "* OK [UIDVALIDITY 7] ok", f"{tag} OK [READ-ONLY] done")

    with ScriptedImap(Mail(1), capabilities="IDLE") as server:
        server.permanent_flags = r"\Seen"
        if read_only:
            server.answers |= {"SELECT": only_read, "EXAMINE": only_read}
        inbox = opened(server)
        inbox.done(inbox.unread())
        assert inbox.unread() == []
        inbox.open()
        assert inbox.unread() == []
        server.mails[2] = Mail(2)
        assert [x.uid for x in inbox.unread()] == ["2"]
        assert server.commands("STORE") == []


def test_the_folder_is_made_in_the_personal_namespace() -> None:
    def namespace(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send('* NAMESPACE (("INBOX." ".")) NIL NIL', f"{tag} OK done")

    with ScriptedImap(capabilities="MOVE NAMESPACE", NAMESPACE=namespace) as server:
        opened(server, processed_folder="jeux/faits")
        assert "INBOX.jeux.faits" in server.folders


# Faults


def test_a_connection_that_breaks_while_reading_is_temporary_and_loses_nothing() -> None:
    def breaks(server: ScriptedImap, line: Line, tag: str, arguments: str) -> str | None:
        if "BODY" not in arguments:
            server.do_uid_fetch(line, tag, arguments)
            return None
        line.send(b"* 1 FETCH (UID 1 BODY[] {300}\r\nFrom: half a le")
        return "close"

    with ScriptedImap(Mail(1), UID_FETCH=breaks) as server:
        inbox = opened(server)
        with pytest.raises(InboxError) as error:
            inbox.unread()
        assert error.value.temporary
        server.answers.clear()
        inbox.open()
        assert len(inbox.unread()) == 1


def test_a_server_that_says_nothing_is_given_up() -> None:
    def silent(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        line.read()  # waits until the client has gone

    with ScriptedImap(Mail(1), UID_SEARCH=silent) as server:
        inbox = opened(server, timeout=0.2)
        with pytest.raises(InboxError) as error:
            inbox.unread()
        assert error.value.temporary


def test_garbage_is_a_temporary_fault() -> None:
    def garbage(server: ScriptedImap, line: Line, tag: str, arguments: str) -> None:
        line.send('* 1 FETCH (UID one "', "garbage", f"{tag} OK done")

    with ScriptedImap(Mail(1), UID_FETCH=garbage) as server, pytest.raises(InboxError) as error:
        opened(server).unread()
    assert error.value.temporary


def test_nobody_there_is_temporary() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    inbox = ImapInbox(ImapSettings("127.0.0.1", "jeu@x.test", port=port, security="none"))
    with pytest.raises(InboxError) as error:
        inbox.open()
    assert error.value.temporary
    assert str(port) in str(error.value)


def test_an_unknown_host_is_temporary(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_dns(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", no_dns)
    with pytest.raises(InboxError) as error:
        ImapInbox(ImapSettings("mail.x.test", "jeu@x.test")).open()
    assert error.value.temporary


def test_a_refused_password_is_for_somebody_to_put_right_and_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedImap(LOGIN=no("[AUTHENTICATIONFAILED] wrong")) as server:
        error = refused(server)
    assert not error.temporary
    assert "password" in str(error)
    assert PASSWORD not in caplog.text


@pytest.mark.parametrize("said", ["[UNAVAILABLE] database away", "[ALERT] Too many simultaneous connections"])
def test_a_login_refused_for_now_is_temporary(said: str) -> None:
    with ScriptedImap(LOGIN=no(said)) as server:
        assert refused(server).temporary


def test_a_folder_that_does_not_exist_is_for_somebody_to_put_right() -> None:
    with ScriptedImap(SELECT=no("[NONEXISTENT] no such folder")) as server:
        assert not refused(server, folder="Jeux").temporary


def test_a_folder_that_is_away_for_now_is_temporary() -> None:
    with ScriptedImap(SELECT=no("[UNAVAILABLE] storage is being moved")) as server:
        assert refused(server).temporary


def test_a_server_without_starttls_gets_no_password() -> None:
    with ScriptedImap() as server:
        assert not refused(server, security="starttls").temporary
        assert server.commands("LOGIN") == []


def test_what_is_slipped_in_before_the_encryption_is_not_believed(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def starttls(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send(f"{tag} OK begin", "* CAPABILITY IMAP4rev1 AUTH=PLAIN SLIPPED-IN")
        line.sock = context.wrap_socket(line.sock, server_side=True)

    with ScriptedImap(Mail(1), capabilities="STARTTLS MOVE", STARTTLS=starttls) as server:
        inbox = opened(server, security="starttls", ca_file=certificate)
        assert len(server.commands("LOGIN")) == 1
        assert len(inbox.unread()) == 1


def test_plain_text_is_only_for_this_machine() -> None:
    with pytest.raises(ValueError, match="only for a server on this machine"):
        ImapInbox(ImapSettings("imap.x.test", "jeu@x.test", security="none"))


def test_a_ca_file_that_is_missing_is_named(tmp_path: Path) -> None:
    inbox = ImapInbox(ImapSettings("127.0.0.1", "jeu@x.test", ca_file=tmp_path / "ca.pem"))
    with pytest.raises(InboxError, match=r"ca\.pem") as error:
        inbox.open()
    assert not error.value.temporary


def test_a_password_with_accents_goes_where_the_server_has_a_way_for_it() -> None:
    def plain(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
        line.send("+ ")
        server.heard.append(line.read())
        line.send(f"{tag} OK done")

    with ScriptedImap(capabilities="MOVE AUTH=PLAIN", AUTHENTICATE=plain) as server:
        opened(server, password="épée")
        assert "AGpldUB4LnRlc3QAw6lww6ll" in server.heard  # base64 of NUL user NUL password, in UTF-8


def test_a_password_with_accents_is_refused_with_a_reason_elsewhere() -> None:
    with ScriptedImap() as server:
        error = refused(server, password="épée")
    assert "ASCII" in str(error)
    assert "épée" not in str(error)


def test_the_name_of_the_box_holds_no_secret_and_does_not_change() -> None:
    settings = ImapSettings("Mail.X.test", "jeu@x.test", PASSWORD, port=1993)
    assert ImapInbox(settings).name == "imap://jeu%40x.test@mail.x.test/INBOX"
    assert PASSWORD not in repr(settings)
