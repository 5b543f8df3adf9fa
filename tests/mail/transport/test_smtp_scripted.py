"""What an SMTP server may answer, and what becomes of the mail."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mailgm.mail.smtp import Delivery, Envelope, SmtpSender, SmtpSettings
from tests.mail.transport.fakes import ScriptedSmtp

MESSAGE = b"Subject: s\r\n\r\nbody\r\n.\r\n..two\r\n"


def envelope(key: str = "k", **changes: object) -> Envelope:
    known: dict[str, object] = {"sender": "jeu+v1@x.test", "recipient": "ana@y.test", "message": MESSAGE}
    return Envelope(key, **{**known, **changes})  # type: ignore[arg-type]


def settings(server: ScriptedSmtp, **changes: object) -> SmtpSettings:
    known: dict[str, object] = {"security": "none", "timeout": 20.0, "connections": 1, "local_hostname": "jeu.test"}
    return SmtpSettings("127.0.0.1", server.port, **{**known, **changes})  # type: ignore[arg-type]


def deliver(server: ScriptedSmtp, *envelopes: Envelope, **changes: object) -> list[Delivery]:
    async def run() -> list[Delivery]:
        async with SmtpSender(settings(server, **changes)) as sender:
            return [await sender.send(e) for e in envelopes or (envelope(),)]

    return asyncio.run(run())


def verdict(**answers: str | list[str | None] | None) -> tuple[str, int | None, bool]:
    with ScriptedSmtp(**answers) as server:
        (delivery,) = deliver(server)
    assert delivery.key == "k"
    return delivery.status, delivery.code, delivery.config_problem


def test_a_mail_arrives_byte_for_byte() -> None:
    with ScriptedSmtp() as server:
        (delivery,) = deliver(server)
    assert (delivery.status, delivery.code, delivery.text) == ("sent", 250, "taken")
    assert "MAIL FROM:<jeu+v1@x.test>" in server.heard
    assert "RCPT TO:<ana@y.test>" in server.heard
    assert server.bodies == [b"Subject: s\r\n\r\nbody\r\n..\r\n...two"]  # dots doubled on the way (RFC 5321 §4.5.2)


def test_one_connection_serves_many_mails_and_is_left_politely() -> None:
    with ScriptedSmtp() as server:
        deliveries = deliver(server, *(envelope(str(n)) for n in range(5)))
    assert [d.status for d in deliveries] == ["sent"] * 5
    assert server.connections == 1
    assert server.verbs().count("EHLO") == 1
    assert server.verbs()[-1] == "QUIT"


@pytest.mark.parametrize(
    "answers",
    [
        {"RCPT": "450 4.2.0 greylisted"},
        {"RCPT": "452 4.2.2 mailbox full"},
        {"MAIL": "451 4.3.0 try later"},
        {"DATA": "451 4.3.0 try later"},
        {"BODY": "451 4.3.0 try later"},
        {"MAIL": "421 4.3.2 closing"},
        {"BODY": "421 4.3.2 closing"},
        {"GREETING": "421 too busy"},
        {"GREETING": None},
        {"MAIL": None},
        {"DATA": None},
        {"BODY": None},
        {"MAIL": "what is this"},
    ],
    ids=str,
)
def test_what_may_pass_is_temporary(answers: dict[str, str | None]) -> None:
    status, _, config_problem = verdict(**answers)
    assert status == "temporary"
    assert not config_problem


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ({"RCPT": "550 5.1.1 no such user"}, 550),
        ({"RCPT": "550 5.1.1 <relay@y.test>: unknown"}, 550),
        ({"RCPT": "553 5.1.3 bad address"}, 553),
        ({"BODY": "554 5.7.1 looks like spam"}, 554),
        ({"DATA": "554 no"}, 554),
        ({"MAIL": "552 5.3.4 too big"}, 552),
    ],
    ids=str,
)
def test_what_never_will_go_to_this_person_is_permanent(answers: dict[str, str | None], code: int) -> None:
    assert verdict(**answers) == ("permanent", code, False)


@pytest.mark.parametrize(
    "answers",
    [
        {"MAIL": "550 5.7.1 sender not allowed"},
        {"MAIL": "530 5.7.0 authentication required"},
        {"RCPT": "530 5.7.0 must authenticate first"},
        {"RCPT": "554 5.7.1 <ana@y.test>: Relay access denied"},
        {"RCPT": "550 5.7.1 Unable to relay"},
        {"GREETING": "554 5.7.1 you are on a list"},
        {"EHLO": "550 bad name", "HELO": "550 bad name"},
    ],
    ids=str,
)
def test_what_is_our_own_fault_waits_until_somebody_has_put_it_right(answers: dict[str, str | None]) -> None:
    status, _, config_problem = verdict(**answers)
    assert (status, config_problem) == ("temporary", True)


@pytest.mark.parametrize(("answer", "config_problem"), [("535 5.7.8 wrong", True), ("454 4.7.0 later", False)])
def test_a_refused_login_keeps_the_mail_and_the_password(answer: str, config_problem: bool) -> None:
    with ScriptedSmtp(EHLO="250-scripted\r\n250 AUTH PLAIN", AUTH=answer) as server:
        (delivery,) = deliver(server, user="jeu", password="tres-secret-42")
    assert (delivery.status, delivery.config_problem) == ("temporary", config_problem)
    assert "tres-secret-42" not in repr(delivery)
    assert "MAIL" not in server.verbs()


def test_a_server_without_login_is_told() -> None:
    with ScriptedSmtp() as server:
        (delivery,) = deliver(server, user="jeu", password="tres-secret-42")
    assert (delivery.status, delivery.config_problem) == ("temporary", True)


def test_a_server_without_starttls_gets_neither_mail_nor_password() -> None:
    with ScriptedSmtp(EHLO="250-scripted\r\n250 AUTH PLAIN") as server:
        (delivery,) = deliver(server, security="starttls", user="jeu", password="x")
    assert (delivery.status, delivery.config_problem) == ("temporary", True)
    assert not {"AUTH", "MAIL"} & set(server.verbs())


def test_after_a_refusal_the_connection_goes_on_with_a_clean_envelope() -> None:
    with ScriptedSmtp(RCPT=["550 no", "250 ok"]) as server:
        deliveries = deliver(server, envelope("bad"), envelope("good"))
    assert [d.status for d in deliveries] == ["permanent", "sent"]
    assert server.connections == 1
    assert server.verbs() == ["EHLO", "MAIL", "RCPT", "RSET", "MAIL", "RCPT", "DATA", "QUIT"]


@pytest.mark.parametrize("drop", [None, "421 idle too long"])
def test_a_connection_that_was_dropped_between_two_mails_is_opened_again(drop: str | None) -> None:
    with ScriptedSmtp(MAIL=["250 ok", drop, "250 ok"]) as server:
        deliveries = deliver(server, envelope("1"), envelope("2"))
    assert [d.status for d in deliveries] == ["sent", "sent"]
    assert server.connections == 2
    assert len(server.bodies) == 2


def test_it_is_opened_again_once_only() -> None:
    with ScriptedSmtp(MAIL=["250 ok", None]) as server:
        deliveries = deliver(server, envelope("1"), envelope("2"), envelope("3"))
    assert [d.status for d in deliveries] == ["sent", "temporary", "temporary"]
    assert server.connections == 3


def test_a_mail_whose_acceptance_was_not_heard_is_left_to_the_outbox() -> None:
    """It may have been taken: whether and when to send it again is not for the transport to say."""
    with ScriptedSmtp(BODY=["250 ok", None]) as server:
        deliveries = deliver(server, envelope("1"), envelope("2"))
    assert [d.status for d in deliveries] == ["sent", "temporary"]
    assert len(server.bodies) == 2


@pytest.mark.parametrize(("limit", "status"), [(len(MESSAGE), "sent"), (len(MESSAGE) - 1, "permanent"), (0, "sent")])
def test_a_mail_over_the_limit_of_the_server_is_not_sent(limit: int, status: str) -> None:
    with ScriptedSmtp(EHLO=f"250-scripted\r\n250 SIZE {limit}") as server:
        delivery, after = deliver(server, envelope(), envelope("small", message=b"S: x\r\n\r\nx\r\n"))
    assert delivery.status == status
    assert (delivery.code == 552) is (status == "permanent")
    assert after.status == "sent" or limit == len(MESSAGE) - 1
    assert server.connections == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"recipient": "ana@y.test>\r\nRCPT TO:<eve@z.test"},
        {"recipient": "ana@y.test SIZE=1"},
        {"recipient": "ana"},
        {"recipient": ""},
        {"recipient": "a,b@y.test"},
        {"recipient": "zoé@y.test"},
        {"sender": "jeu@x.test> BODY=8BITMIME"},
    ],
    ids=str,
)
def test_an_address_that_cannot_be_sent_to_never_reaches_the_server(changes: dict[str, object]) -> None:
    with ScriptedSmtp() as server:
        (delivery,) = deliver(server, envelope(**changes))
    assert (delivery.status, delivery.code) == ("permanent", None)
    assert server.connections == 0


def test_bounces_can_be_sent_from_nobody() -> None:
    with ScriptedSmtp() as server:
        (delivery,) = deliver(server, envelope(sender=""))
    assert delivery.status == "sent"
    assert "MAIL FROM:<>" in server.heard


def test_a_server_that_says_nothing_is_given_up() -> None:
    with ScriptedSmtp(RCPT="...") as server:
        (delivery,) = deliver(server, timeout=0.2)
    assert (delivery.status, delivery.config_problem) == ("temporary", False)


def test_nobody_there_is_temporary() -> None:
    with ScriptedSmtp() as server:
        pass
    (delivery,) = deliver(server)
    assert (delivery.status, delivery.code, delivery.config_problem) == ("temporary", None, False)
    assert str(server.port) in delivery.text


def test_an_unknown_host_is_temporary(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_dns(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", no_dns)

    async def run() -> Delivery:
        async with SmtpSender(SmtpSettings("mail.x.test", local_hostname="jeu.test")) as sender:
            return await sender.send(envelope())

    delivery = asyncio.run(run())
    assert (delivery.status, delivery.config_problem) == ("temporary", False)


def test_plain_text_is_only_for_this_machine() -> None:
    with pytest.raises(ValueError, match="only for a server on this machine"):
        SmtpSender(SmtpSettings("smtp.x.test", security="none"))


def test_a_ca_file_that_is_missing_is_a_matter_of_configuration(tmp_path: Path) -> None:
    with ScriptedSmtp() as server:
        (delivery,) = deliver(server, security="tls", ca_file=tmp_path / "ca.pem")
    assert (delivery.status, delivery.config_problem) == ("temporary", True)
    assert "ca.pem" in delivery.text


def test_many_mails_go_over_as_many_connections_as_are_allowed() -> None:
    async def source() -> AsyncIterator[Envelope]:
        for n in range(50):
            yield envelope(str(n))

    async def run(server: ScriptedSmtp) -> list[tuple[Envelope, Delivery]]:
        async with SmtpSender(settings(server, connections=3)) as sender:
            return [result async for result in sender.send_many(source())]

    with ScriptedSmtp() as server:
        results = asyncio.run(run(server))
    assert sorted(int(e.key) for e, _ in results) == list(range(50))
    assert all(e.key == d.key and d.status == "sent" for e, d in results)
    assert 1 < server.connections <= 3
    assert len(server.bodies) == 50


def test_one_bad_mail_among_many_stops_none_of_the_others() -> None:
    async def run(server: ScriptedSmtp) -> dict[str, str]:
        async with SmtpSender(settings(server, connections=2)) as sender:
            mails = [envelope(str(n), recipient="nobody" if n == 3 else "ana@y.test") for n in range(8)]
            return {d.key: d.status async for _, d in sender.send_many(mails)}

    with ScriptedSmtp() as server:
        statuses = asyncio.run(run(server))
    assert statuses.pop("3") == "permanent"
    assert set(statuses.values()) == {"sent"}
    assert len(statuses) == 7


def test_a_source_that_breaks_is_heard_of_after_what_it_gave_was_sent() -> None:
    def source():  # type: ignore[no-untyped-def]
        yield envelope("1")
        raise RuntimeError("the database went away")

    async def run(server: ScriptedSmtp) -> None:
        async with SmtpSender(settings(server)) as sender:
            async for _, delivery in sender.send_many(source()):
                seen.append(delivery.status)

    seen: list[str] = []
    with ScriptedSmtp() as server, pytest.raises(RuntimeError, match="went away"):
        asyncio.run(run(server))
    assert seen == ["sent"]


def test_a_sender_that_is_stopped_in_the_middle_of_a_mail_drops_the_connection() -> None:
    async def run(server: ScriptedSmtp) -> Delivery:
        async with SmtpSender(settings(server)) as sender:
            stuck = asyncio.create_task(sender.send(envelope("stuck")))
            await asyncio.to_thread(server.silent.wait, 20)
            stuck.cancel()
            await asyncio.gather(stuck, return_exceptions=True)
            return await sender.send(envelope("next"))

    with ScriptedSmtp(RCPT=["...", "250 ok"]) as server:
        assert asyncio.run(run(server)).status == "sent"
    assert server.connections == 2


def test_the_rate_limit_holds_in_every_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def run(server: ScriptedSmtp) -> None:
        loop = asyncio.get_running_loop()
        real_time, ahead = loop.time, 0.0

        async def jump(seconds: float) -> None:
            nonlocal ahead
            slept.append(seconds)
            ahead += seconds

        async with SmtpSender(settings(server, per_minute=3)) as sender:
            monkeypatch.setattr(loop, "time", lambda: real_time() + ahead)
            monkeypatch.setattr(asyncio, "sleep", jump)
            for n in range(7):
                assert (await sender.send(envelope(str(n)))).status == "sent"
            monkeypatch.undo()

    with ScriptedSmtp() as server:
        asyncio.run(run(server))
    waits = [seconds for seconds in slept if seconds > 1]
    assert len(waits) == 2  # the 4th and the 7th mail wait until the 1st and the 4th are a minute old
    assert all(50 < seconds <= 60 for seconds in waits)


def test_the_check_of_a_configuration_sends_nothing() -> None:
    async def run(server: ScriptedSmtp) -> Delivery:
        async with SmtpSender(settings(server)) as sender:
            return await sender.check()

    with ScriptedSmtp() as server:
        assert asyncio.run(run(server)).status == "sent"
        assert server.verbs() == ["EHLO", "QUIT"]
    assert asyncio.run(run(server)).status == "temporary"


def test_what_a_server_says_can_be_stored_and_shown() -> None:
    with ScriptedSmtp(RCPT=b"550-no\xff\x00such\r\n550 user \x1b[31m" + b"x" * 2000 + b"\r\n") as server:
        (delivery,) = deliver(server)
    assert delivery.text.startswith("no? such user [31mxxx")
    assert len(delivery.text) == 500
    assert delivery.text.isprintable()


def test_a_password_is_not_shown_with_the_settings() -> None:
    assert "tres-secret-42" not in repr(SmtpSettings("smtp.x.test", user="jeu", password="tres-secret-42"))
