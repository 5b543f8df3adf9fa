"""Tokens in place of passwords: renewed in time, refused, withdrawn, out of date in the middle of a session."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mailgm.demo.processes import find_program, short_folder
from mailgm.demo.servers import dovecot_installed
from mailgm.mail import oauth
from mailgm.mail.imap import ImapInbox, ImapSettings
from mailgm.mail.inbox import InboxError
from mailgm.mail.oauth import Token, TokenError, TokenFile, Tokens
from mailgm.mail.oauth_login import by_browser, by_device_code
from mailgm.mail.smtp import Delivery, Envelope, SmtpSender, SmtpSettings
from tests.conftest import need
from tests.mail.oauth_servers import CLIENT_ID, OAuthDovecot, OAuthSmtp, TokenServer
from tests.mail.transport.fakes import Line, ScriptedImap

pytest.importorskip("oauthlib", reason='pip install "mailgm[oauth]"')

# The server warns that it takes a login without TLS: it is one of this machine.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")

USER = "jeu@x.test"
HOUR = 3600.0


class Clock:
    """The hour here, in seconds since 1970."""

    def __init__(self) -> None:
        self.hour = 1_800_000_000.0

    def __call__(self) -> float:
        return self.hour


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider(clock: Clock) -> Iterator[TokenServer]:
    with TokenServer(USER) as server:
        server.clock = clock
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "oauth-token.json"


@pytest.fixture
def tokens(provider: TokenServer, file: Path, clock: Clock) -> Tokens:
    """The tokens after `mailgm login`."""
    page: list[str] = []
    token = by_browser(provider.app(), page.append, lambda _: provider.consent(page[0].split("\n\n")[1]), clock)
    TokenFile(file, CLIENT_ID).write(token)
    provider.asked.clear()
    return Tokens(provider.app(), file, clock)


# In time --------------------------------------------------------------------------------------------------------------


def test_a_token_is_used_until_shortly_before_its_end(tokens: Tokens, provider: TokenServer, clock: Clock) -> None:
    first = tokens.get()
    clock.hour += HOUR - oauth.MARGIN_SECONDS - 1
    assert tokens.get() == first
    assert not provider.asked
    clock.hour += 1
    second = tokens.get()
    assert second != first
    assert provider.access[second] == clock.hour + HOUR
    assert len(provider.asked) == 1


def test_a_short_lived_token_is_not_renewed_at_every_call(tokens: Tokens, provider: TokenServer, clock: Clock) -> None:
    provider.lifetime = 100
    clock.hour += HOUR
    first = tokens.get()
    clock.hour += 79
    assert tokens.get() == first
    clock.hour += 1
    assert tokens.get() != first


def test_a_token_without_a_lifetime_counts_for_an_hour(tokens: Tokens, provider: TokenServer, clock: Clock) -> None:
    provider.lifetime = None
    clock.hour += HOUR
    first = tokens.get()
    clock.hour += HOUR - 301
    assert tokens.get() == first
    clock.hour += 1
    assert tokens.get() != first


def test_all_who_ask_at_once_get_the_one_renewal(tokens: Tokens, provider: TokenServer, clock: Clock) -> None:
    """The mailbox's thread and the sender's loop log in at the same time, a refresh token is good for one time."""
    provider.rotates = True
    clock.hour += HOUR
    got: list[str] = []
    threads = [threading.Thread(target=lambda: got.append(tokens.get())) for _ in range(8)]
    for thread in threads:
        thread.start()

    async def asked() -> list[str]:
        return await asyncio.gather(*(tokens.get_async() for _ in range(8)))

    got += asyncio.run(asked())
    for thread in threads:
        thread.join()
    assert len(got) == 16
    assert len(set(got)) == 1
    assert len(provider.asked) == 1


def test_two_processes_do_not_spoil_each_others_refresh_token(
    tokens: Tokens, provider: TokenServer, file: Path, clock: Clock
) -> None:
    """`mailgm doctor` runs beside the service; the provider takes each refresh token once."""
    provider.rotates = True
    doctor = Tokens(provider.app(), file, clock)
    for _ in range(3):
        clock.hour += HOUR
        assert doctor.get() == tokens.get()
        clock.hour += HOUR
        assert tokens.get() == doctor.get()
    assert len(provider.asked) == 6


def test_the_file_is_its_owners_alone_and_whole_at_any_time(
    tokens: Tokens, provider: TokenServer, file: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    provider.rotates = True
    before = file.read_text()
    modes: list[int] = []
    replace = Path.replace

    def seen(self: Path, target: Path) -> Path:
        modes.append(stat.S_IMODE(self.stat().st_mode))
        assert file.read_text() == before
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", seen)
    old_mask = os.umask(0)
    try:
        clock.hour += HOUR
        tokens.get()
    finally:
        os.umask(old_mask)
    assert modes == [0o600]
    assert json.loads(file.read_text())["refresh_token"] in provider.refresh
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_file_that_others_can_read_is_warned_of(tokens: Tokens, file: Path, caplog: pytest.LogCaptureFixture) -> None:
    file.chmod(0o644)
    tokens.get()
    assert f"others on this machine may read {file}" in caplog.text


def test_a_token_that_cannot_be_kept_is_used_all_the_same(
    tokens: Tokens, provider: TokenServer, clock: Clock, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    provider.rotates = True
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        clock.hour += HOUR
        first = tokens.get()
        assert "No space left on device" in caplog.text
        # What is in the file is used up: it is not fallen back to.
        assert tokens.get() == first
    clock.hour += HOUR
    with pytest.raises(TokenError, match="mailgm login"):
        tokens.get()


# Refused --------------------------------------------------------------------------------------------------------------


def test_a_permission_that_was_withdrawn_needs_a_login(tokens: Tokens, provider: TokenServer, clock: Clock) -> None:
    provider.revoke()
    clock.hour += HOUR
    with pytest.raises(TokenError) as error:
        tokens.get()
    assert not error.value.temporary
    assert "invalid_grant" in str(error.value)
    assert "run `mailgm login`" in str(error.value)


@pytest.mark.parametrize(
    ("status", "body", "temporary", "said"),
    [
        (500, "oops", True, "HTTP 500"),
        (429, "slow down", True, "HTTP 429"),
        (404, "not here", False, "HTTP 404"),
        (302, "http://127.0.0.1:9/", False, "HTTP 302"),
        (200, "<html>a captive portal</html>", True, "no token"),
        (200, '{"access_token": "x", "expires_in": "soon"}', True, "unreadable"),
        (200, "[]", True, "unreadable"),
        (400, '{"error": "temporarily_unavailable"}', True, "Trying again"),
        (400, '{"error": "server_error"}', True, "Trying again"),
        (401, '{"error": "invalid_client"}', False, "client_id and client_secret"),
        (400, '{"error": "invalid_scope", "error_description": "a\\r\\nb"}', False, "a b"),
        (400, '{"error": "interaction_required", "error_description": "AADSTS50076"}', False, "mailgm login"),
    ],
)
def test_what_a_provider_answers_is_told_apart(
    tokens: Tokens, provider: TokenServer, clock: Clock, status: int, body: str, temporary: bool, said: str
) -> None:
    provider.faults = [(status, body)]
    clock.hour += HOUR
    with pytest.raises(TokenError) as error:
        tokens.get()
    assert error.value.temporary == temporary
    assert said in str(error.value)
    assert not any(secret in str(error.value) for secret in provider.secrets())
    if temporary:
        assert tokens.get() in provider.access


def test_while_the_provider_is_away_the_last_minutes_of_a_token_are_used(
    tokens: Tokens, provider: TokenServer, clock: Clock
) -> None:
    first = tokens.get()
    provider.faults = [(503, ""), (503, ""), (503, "")]
    clock.hour += HOUR - 1
    assert tokens.get() == first
    clock.hour += 1
    with pytest.raises(TokenError) as error:
        tokens.get()
    assert error.value.temporary
    provider.faults = [(503, "")]
    tokens.refused(first)
    with pytest.raises(TokenError):
        tokens.get()


def test_a_provider_that_cannot_be_reached_is_tried_again(file: Path, provider: TokenServer, tokens: Tokens) -> None:
    tokens.refused(tokens.get())
    provider.__exit__()
    with pytest.raises(TokenError, match="cannot be reached") as error:
        tokens.get()
    assert error.value.temporary


def test_secrets_go_over_no_open_line() -> None:
    with pytest.raises(TokenError, match="https"):
        oauth.post("http://login.example.org/token", "refresh_token=x")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "does not exist: run `mailgm login`"),
        ("", "does not hold a token"),
        ("{}", "does not hold a token"),
        ('{"client_id": "c", "access_token": "a", "refresh_token": "r", "renew_at": 0, "expires_at": 0}', "client_id"),
    ],
)
def test_without_a_login_it_says_so(
    provider: TokenServer, file: Path, clock: Clock, content: str | None, said: str
) -> None:
    if content is not None:
        file.write_text(content)
    with pytest.raises(TokenError, match=said) as error:
        Tokens(provider.app(), file, clock).get()
    assert not error.value.temporary


def test_nothing_shows_a_token(tokens: Tokens, provider: TokenServer, file: Path) -> None:
    app, kept = provider.app(), TokenFile(file, CLIENT_ID).read()
    shown = f"{app!r} {kept!r} {tokens!r} {vars(tokens)!r} {tokens.get()!r} {Token('a-secret', 'b-secret', 0, 0)!r}"
    assert not any(secret in shown for secret in [*provider.secrets(), "a-secret", "b-secret"])
    settings = f"{ImapSettings('h', USER, tokens=tokens)!r} {SmtpSettings('h', user=USER, tokens=tokens)!r}"
    assert not any(secret in settings for secret in provider.secrets())


# Giving the permission ------------------------------------------------------------------------------------------------


def test_a_code_typed_in_elsewhere_is_awaited(provider: TokenServer, clock: Clock) -> None:
    said: list[str] = []
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        clock.hour += seconds

    provider.pending = 3
    token = by_device_code(provider.app(device=True), said.append, sleep, clock)
    assert "ABCD-EFGH" in said[0]
    assert f"{provider.url}/activate" in said[0]
    assert pauses == [5, 5, 5, 5]
    assert token.access in provider.access
    assert token.refresh in provider.refresh


@pytest.mark.parametrize(
    ("faults", "said", "pauses"),
    [
        ([(400, '{"error": "slow_down"}'), (400, '{"error": "access_denied"}')], "refused on the provider's", [5, 10]),
        ([(500, ""), (400, '{"error": "expired_token"}')], "in time", [5, 5]),
        ([(400, '{"error": "invalid_grant"}')], "invalid_grant", [5]),
    ],
)
def test_a_code_that_comes_to_nothing(
    provider: TokenServer, clock: Clock, faults: list[tuple[int, str]], said: str, pauses: list[float]
) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        if not slept:
            provider.faults = list(faults)
        slept.append(seconds)

    with pytest.raises(TokenError, match=said):
        by_device_code(provider.app(device=True), lambda _: None, sleep, clock)
    assert slept == pauses


def test_a_code_that_nobody_types_in_is_not_awaited_for_ever(provider: TokenServer, clock: Clock) -> None:
    def sleep(seconds: float) -> None:
        clock.hour += seconds

    provider.pending = 10**9
    with pytest.raises(TokenError, match="mailgm login"):
        by_device_code(provider.app(device=True), lambda _: None, sleep, clock)


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        (lambda url: "", "nothing was copied"),
        (lambda url: url.replace("state=", "state=x"), "another login"),
        (lambda url: url.partition("?")[0] + "?error=access_denied", "access_denied"),
        (lambda url: "https://mail.example.org/?q=1", "no code"),
        (lambda url: "an-invented-code", "invalid_grant"),
    ],
)
def test_what_is_pasted_is_checked(
    provider: TokenServer, clock: Clock, pasted: Callable[[str], str], said: str
) -> None:
    page: list[str] = []
    with pytest.raises(TokenError, match=said):
        by_browser(
            provider.app(), page.append, lambda _: pasted(provider.consent(page[0].split("\n\n")[1])), clock
        )  # fmt: skip


def test_the_code_alone_will_do(provider: TokenServer, clock: Clock) -> None:
    page: list[str] = []

    def ask(_: str) -> str:
        provider.consent(page[0].split("\n\n")[1])
        return " the-code "

    assert by_browser(provider.app(), page.append, ask, clock).refresh in provider.refresh


def test_the_big_providers_are_asked_for_mail_while_nobody_is_there() -> None:
    google, microsoft = oauth.google(), oauth.microsoft("consumers")
    assert google.scope == "https://mail.google.com/"
    assert ("access_type", "offline") in google.parameters
    assert not google.device_url  # theirs refuses that scope
    assert "/consumers/oauth2/v2.0/devicecode" in microsoft.device_url
    assert {word.rpartition("/")[2] for word in microsoft.scope.split()} == {
        "IMAP.AccessAsUser.All", "SMTP.Send", "offline_access",
    }  # fmt: skip


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
