"""Logging in with a token, at Dovecot and by SMTP: let in, refused, out of date in the middle of a session."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mailgm.demo.processes import find_program, short_folder
from mailgm.demo.servers import dovecot_installed
from mailgm.mail import oauth
from mailgm.mail.imap import ImapInbox, ImapSettings
from mailgm.mail.inbox import InboxError
from mailgm.mail.oauth import Token, TokenFile, Tokens
from mailgm.mail.smtp import Delivery, Envelope, SmtpSender, SmtpSettings
from tests.conftest import need
from tests.mail.oauth_servers import CLIENT_ID, HOUR, USER, Clock, OAuthDovecot, OAuthSmtp, TokenServer
from tests.mail.transport.fakes import Line, ScriptedImap, ScriptedSmtp

# The server warns that it takes a login without TLS: it is one of this machine.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")

# Dovecot --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> Iterator[tuple[TokenServer, dict[str, OAuthDovecot]]]:
    """A provider, and a Dovecot for each way in which servers take tokens."""
    need(dovecot_installed(), "Dovecot")
    said = subprocess.run([find_program("dovecot") or "", "--version"], capture_output=True, text=True).stdout
    if not said.startswith("2.3"):
        pytest.skip(f"the configuration of these tests is Dovecot 2.3's, this is {said.strip()}")
    with (
        TokenServer(USER) as provider,
        short_folder() as one,
        short_folder() as other,
        OAuthDovecot(one, provider) as both,
        OAuthDovecot(other, provider, "oauthbearer") as bearer,
    ):
        yield provider, {"XOAUTH2": both, "OAUTHBEARER": bearer}


@pytest.fixture(params=["XOAUTH2", "OAUTHBEARER"])
def box(
    request: pytest.FixtureRequest, real: tuple[TokenServer, dict[str, OAuthDovecot]], file: Path, clock: Clock
) -> tuple[ImapInbox, TokenServer, OAuthDovecot]:
    """A mailbox in Dovecot, with tokens of an hour."""
    provider, servers = real
    provider.clock, provider.lifetime, provider.faults = clock, HOUR, []
    given = provider.given()
    TokenFile(file, CLIENT_ID).write(
        Token(given["access_token"], given["refresh_token"], clock() + HOUR - oauth.MARGIN_SECONDS, clock() + HOUR)
    )
    provider.asked.clear()
    server = servers[request.param]
    settings = ImapSettings(
        "127.0.0.1", USER, port=server.imap_port, security="none", tokens=Tokens(provider.app(), file, clock)
    )
    return ImapInbox(settings), provider, server


def test_dovecot_lets_a_token_in(box: tuple[ImapInbox, TokenServer, OAuthDovecot]) -> None:
    inbox, provider, _ = box
    inbox.open()
    assert inbox.unread() == []
    inbox.close()
    assert not provider.asked


def test_a_token_that_dovecot_refuses_before_its_time_is_replaced(
    box: tuple[ImapInbox, TokenServer, OAuthDovecot],
) -> None:
    inbox, provider, _ = box
    provider.expire()
    inbox.open()
    assert len(provider.asked) == 1
    inbox.close()


def test_a_session_outlives_its_token_and_the_next_one_has_a_fresh_one(
    box: tuple[ImapInbox, TokenServer, OAuthDovecot], clock: Clock
) -> None:
    """The server ends the session an hour later; the service opens the mailbox again, as after any fault."""
    inbox, provider, server = box
    inbox.open()
    clock.hour += HOUR + 1
    subprocess.run(
        [find_program("doveadm") or "", "-c", str(server.log.with_name("dovecot.conf")), "kick", USER],
        check=True, capture_output=True,
    )  # fmt: skip
    with pytest.raises(InboxError) as error:
        inbox.unread()
    assert error.value.temporary
    inbox.open()
    assert inbox.unread() == []
    assert len(provider.asked) == 1
    inbox.close()


def test_a_withdrawn_permission_is_told_as_something_to_put_right(
    box: tuple[ImapInbox, TokenServer, OAuthDovecot], clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    inbox, provider, server = box
    secrets = provider.secrets()
    provider.revoke()
    clock.hour += HOUR
    with pytest.raises(InboxError, match="run `mailgm login`") as error:
        inbox.open()
    assert not error.value.temporary
    shown = f"{error.value} {caplog.text} {server.log.read_text()}"
    assert not any(secret in shown for secret in secrets)


def test_a_token_of_somebody_else_is_refused_with_advice(
    box: tuple[ImapInbox, TokenServer, OAuthDovecot], monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox, provider, _ = box
    monkeypatch.setattr(provider, "user", "autre@x.test")
    with pytest.raises(InboxError, match="the mailbox for which `mailgm login` was run") as error:
        inbox.open()
    assert not error.value.temporary
    assert len(provider.asked) == 1  # a fresh one was tried


# A session that ends with its token -----------------------------------------------------------------------------------


class Given:
    """Access tokens, one after the other."""

    def __init__(self, *tokens: str) -> None:
        self.left = list(tokens)

    def get(self) -> str:
        return self.left.pop(0)

    async def get_async(self) -> str:
        return self.get()

    def refused(self, token: str) -> None:
        raise AssertionError("no token is refused here")


def takes_tokens(server: ScriptedImap, line: Line, tag: str, _: str) -> None:
    line.send("+ ")
    server.heard.append(line.read())
    line.send(f"{tag} OK done")


@pytest.mark.parametrize(
    ("doing", "goodbye"),
    [
        ("reading", "* BYE Session invalidated - AccessTokenExpired"),
        ("reading", "BAD access token expired"),
        ("waiting", "* BYE Session invalidated - AccessTokenExpired"),
    ],
)
def test_a_session_that_ends_with_its_token_is_followed_by_another(doing: str, goodbye: str) -> None:
    """Exchange ends every session after an hour: nobody is bothered with it; but it is not run after either."""
    tokens = Given("first", "second", "third")
    ended = 0

    def expires(server: ScriptedImap, line: Line, tag: str, rest: str) -> object:
        nonlocal ended
        ended += 1
        if ended == 2 and doing == "reading":
            return server.do_uid_search(line, tag, rest)
        line.send(goodbye if goodbye.startswith("*") else f"{tag} {goodbye}")
        return "close"

    def act(inbox: ImapInbox) -> None:
        if doing == "reading":
            assert inbox.unread() == []
        else:
            assert inbox.wait(60, threading.Event())

    ends = {"reading": "UID_SEARCH", "waiting": "IDLE"}[doing]
    capabilities = "IDLE MOVE UIDPLUS AUTH=PLAIN AUTH=XOAUTH2"
    with ScriptedImap(capabilities=capabilities, **{"AUTHENTICATE": takes_tokens, ends: expires}) as server:
        inbox = ImapInbox(ImapSettings("127.0.0.1", USER, port=server.port, security="none", tokens=tokens))
        inbox.open()
        act(inbox)
        assert tokens.left == ["third"]
        with pytest.raises(InboxError):
            act(inbox)
        assert tokens.left == ["third"]


def test_a_server_that_takes_no_tokens_is_told_of() -> None:
    tokens = Given("first")
    with ScriptedImap(capabilities="IDLE AUTH=PLAIN") as server:
        inbox = ImapInbox(ImapSettings("127.0.0.1", USER, port=server.port, security="none", tokens=tokens))
        with pytest.raises(InboxError, match="neither XOAUTH2 nor OAUTHBEARER") as error:
            inbox.open()
    assert not error.value.temporary
    assert tokens.left == ["first"]


# SMTP -----------------------------------------------------------------------------------------------------------------

MAIL = Envelope("k", USER, "ana@y.test", b"Subject: s\r\n\r\nbody\r\n")


def handed_over(
    provider: TokenServer, tokens: Tokens, only: str = "", later: Clock | None = None
) -> tuple[list[Delivery], list[str], list[bytes]]:
    """Two mails over one sender; only: the one mechanism that the server has; later: the second is for an hour later,
    when the server takes the login for ended."""
    taken: list[bytes] = []
    logins: list[str] = []

    async def run() -> list[Delivery]:
        loop = asyncio.get_running_loop()
        excluded = {"XOAUTH2", "OAUTHBEARER"} - {only} if only else set()
        sessions: list[OAuthSmtp] = []

        def session() -> OAuthSmtp:
            sessions.append(
                OAuthSmtp(provider, taken, logins, loop=loop, auth_exclude_mechanism={"LOGIN", "PLAIN", *excluded})
            )
            return sessions[-1]

        server = await loop.create_server(session, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        settings = SmtpSettings("127.0.0.1", port, "none", USER, tokens=tokens, connections=1)
        async with server, SmtpSender(settings) as sender:
            first = await sender.send(MAIL)
            if later is not None:
                later.hour += HOUR
                assert sessions[-1].session is not None
                sessions[-1].session.authenticated = False
            return [first, await sender.send(MAIL)]

    return asyncio.run(run()), logins, taken


@pytest.mark.parametrize("mechanism", ["XOAUTH2", "OAUTHBEARER"])
def test_mail_is_handed_over_with_a_token(provider: TokenServer, tokens: Tokens, mechanism: str) -> None:
    deliveries, logins, taken = handed_over(provider, tokens, mechanism)
    assert [delivery.status for delivery in deliveries] == ["sent", "sent"]
    assert logins == [mechanism]
    assert len(taken) == 2


@pytest.mark.parametrize("mechanism", ["XOAUTH2", "OAUTHBEARER"])
def test_a_token_that_smtp_refuses_before_its_time_is_replaced(
    provider: TokenServer, tokens: Tokens, mechanism: str
) -> None:
    provider.expire()
    deliveries, logins, _ = handed_over(provider, tokens, mechanism)
    assert [delivery.status for delivery in deliveries] == ["sent", "sent"]
    assert logins == [mechanism] * 2
    assert len(provider.asked) == 1


def test_a_login_that_ends_between_two_mails_is_made_again(provider: TokenServer, tokens: Tokens, clock: Clock) -> None:
    deliveries, logins, taken = handed_over(provider, tokens, later=clock)
    assert [delivery.status for delivery in deliveries] == ["sent", "sent"]
    assert logins == ["XOAUTH2"] * 2
    assert len(taken) == 2


def test_a_withdrawn_permission_keeps_the_mail_for_later_and_says_what_to_do(
    provider: TokenServer, tokens: Tokens, clock: Clock
) -> None:
    provider.revoke()
    clock.hour += HOUR
    deliveries, _, taken = handed_over(provider, tokens)
    assert all(delivery.status == "temporary" and delivery.config_problem for delivery in deliveries)
    assert "run `mailgm login`" in deliveries[0].text
    assert not taken


def test_a_token_of_somebody_else_keeps_the_mail_for_later(
    provider: TokenServer, tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "user", "autre@x.test")
    deliveries, _, taken = handed_over(provider, tokens)
    assert all(delivery.status == "temporary" and delivery.config_problem for delivery in deliveries)
    assert deliveries[0].code == 535
    assert not taken


def test_an_smtp_server_that_takes_no_tokens_is_told_of(provider: TokenServer, tokens: Tokens) -> None:
    deliveries, _, _ = handed_over(provider, tokens, "NONE")
    assert deliveries[0].config_problem
    assert "neither XOAUTH2 nor OAUTHBEARER" in deliveries[0].text


def test_a_token_is_asked_for_at_each_connection() -> None:
    tokens = Given("one", "two")
    answers = {"EHLO": "250-scripted\r\n250 AUTH XOAUTH2", "AUTH": "235 ok", "MAIL": ["250 ok", None, "250 ok"]}
    with ScriptedSmtp(**answers) as server:

        async def run() -> list[str]:
            settings = SmtpSettings("127.0.0.1", server.port, "none", USER, tokens=tokens, connections=1)
            async with SmtpSender(settings) as sender:
                return [(await sender.send(MAIL)).status for _ in range(2)]

        assert asyncio.run(run()) == ["sent", "sent"]
    assert not tokens.left
