"""A provider of access tokens on this machine, an hour that moves when told to, and a mailbox that may be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mailgm.mail.oauth import TokenFile, Tokens
from mailgm.mail.oauth_login import by_browser
from tests.mail.oauth_servers import CLIENT_ID, USER, Clock, TokenServer


@pytest.fixture
def clock() -> Clock:
    """The hour, here and at the provider."""
    return Clock()


@pytest.fixture
def provider(clock: Clock) -> Iterator[TokenServer]:
    """Whoever gives the tokens."""
    pytest.importorskip("oauthlib", reason='pip install "mailgm[oauth]"')
    with TokenServer(USER) as server:
        server.clock = clock
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the permission is kept."""
    return tmp_path / "oauth-token.json"


@pytest.fixture
def tokens(provider: TokenServer, file: Path, clock: Clock) -> Tokens:
    """The tokens after `mailgm login`."""
    page: list[str] = []
    token = by_browser(provider.app(), page.append, lambda _: provider.consent(page[0].split("\n\n")[1]), clock)
    TokenFile(file, CLIENT_ID).write(token)
    provider.asked.clear()
    return Tokens(provider.app(), file, clock)
