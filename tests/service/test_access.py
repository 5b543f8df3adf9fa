"""A service whose mailbox takes tokens: it reads and sends with one permission, renewed once for both."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from mailgm.config import parse
from mailgm.demo.processes import short_folder
from mailgm.demo.servers import dovecot_installed
from mailgm.mail.oauth import Token, TokenFile
from mailgm.service.create import NewGame, begin, create
from mailgm.service.players import SignUp
from mailgm.service.run import Service, open_context
from tests.conftest import need
from tests.mail.oauth_servers import CLIENT_ID, CLIENT_SECRET, USER, OAuthDovecot, OAuthSmtp, TokenServer

pytestmark = [pytest.mark.xdist_group("mail servers"), pytest.mark.filterwarnings("ignore:Requiring AUTH")]


@pytest.fixture
def provider() -> Iterator[TokenServer]:
    pytest.importorskip("oauthlib", reason='pip install "mailgm[oauth]"')
    with TokenServer(USER) as server:
        server.rotates = True
        yield server


@pytest.fixture
def dovecot_with_tokens(provider: TokenServer) -> Iterator[OAuthDovecot]:
    need(dovecot_installed(), "Dovecot")
    with short_folder() as folder, OAuthDovecot(folder, provider) as server:
        yield server


def test_reading_and_sending_share_one_renewal(
    provider: TokenServer, dovecot_with_tokens: OAuthDovecot, tmp_path: Path
) -> None:
    """The service starts with a token of yesterday, and each refresh token is good for one time."""
    given = provider.given()
    provider.expire()
    TokenFile(tmp_path / "oauth-token.json", CLIENT_ID).write(
        Token(given["access_token"], given["refresh_token"], renew_at=0, expires_at=0)
    )
    taken: list[bytes] = []
    logins: list[str] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        smtp = await loop.create_server(lambda: OAuthSmtp(provider, taken, logins, loop=loop), "127.0.0.1", 0)
        config = parse(
            {
                "mailbox": {"address": USER},
                "imap": {
                    "host": "127.0.0.1", "port": dovecot_with_tokens.imap_port, "security": "none", "user": USER,
                    "poll_seconds": 1,
                },
                "smtp": {
                    "host": "127.0.0.1", "port": smtp.sockets[0].getsockname()[1], "security": "none", "user": USER,
                },
                "oauth": {
                    "provider": "custom", "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "scope": "mail",
                    "token_url": f"{provider.url}/token", "device_url": f"{provider.url}/device",
                },
            },
            tmp_path,
        )  # fmt: skip
        ctx = open_context(config)
        names = ("Ana", "Bob", "Eva", "Leo", "Max", "Zoe")
        players = [SignUp(name, f"{name}@x.test".lower(), "fr", "Europe/Paris") for name in names]
        create(ctx, NewGame(name="manoir", game="dracula", players=players, gm_address="mj@x.test"))
        begin(ctx, "manoir")
        ctx.db.close()
        sent, stop = asyncio.Event(), asyncio.Event()
        async with smtp:
            service = asyncio.create_task(Service(config, sent=lambda _: loop.call_soon_threadsafe(sent.set)).run(stop))
            await asyncio.wait_for(sent.wait(), 60)
            await asyncio.wait_for(read(dovecot_with_tokens), 60)
            stop.set()
            await service

    asyncio.run(run())
    assert len(taken) >= 6
    assert set(logins) == {"XOAUTH2"}
    assert [form["grant_type"] for form in provider.asked] == ["refresh_token"]


async def read(server: OAuthDovecot) -> None:
    """Come back once Dovecot has let the service in."""
    # Its log is another process's: there is no event to wait for.
    while f"Login: user=<{USER}>, method=XOAUTH2" not in server.log.read_text(encoding="utf-8"):  # noqa: ASYNC110
        await asyncio.sleep(0.05)
