"""Giving mailgm the permission to use a mailbox: a code typed in elsewhere, or an address pasted back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mailgm.mail import oauth
from mailgm.mail.oauth import TokenError
from mailgm.mail.oauth_login import by_browser, by_device_code
from tests.mail.oauth_servers import Clock, TokenServer


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
