"""Access tokens: renewed in time and once, kept for their owner alone, and what the provider's refusals mean."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import threading
from pathlib import Path

import pytest

from mailgm.mail import oauth
from mailgm.mail.imap import ImapSettings
from mailgm.mail.oauth import Token, TokenError, TokenFile, Tokens
from mailgm.mail.smtp import SmtpSettings
from tests.mail.oauth_servers import CLIENT_ID, HOUR, USER, Clock, TokenServer

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
