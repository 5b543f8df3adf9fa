"""`mailgm login`: from the configuration to a permission that is kept."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mailgm.cli import main
from mailgm.config import load, written
from mailgm.service import access
from tests.mail.oauth_servers import CLIENT_ID, CLIENT_SECRET, USER, TokenServer

pytest.importorskip("oauthlib", reason='pip install "mailgm[oauth]"')


@pytest.fixture
def provider() -> Iterator[TokenServer]:
    with TokenServer(USER) as server:
        yield server


def installed(folder: Path, server: TokenServer, **oauth: Any) -> Path:
    values = {
        "mailbox": {"address": USER},
        "imap": {"host": "127.0.0.1", "user": USER, "security": "none"},
        "oauth": {
            "provider": "custom", "client_id": CLIENT_ID, "client_secret_file": "client-secret",
            "scope": "mail offline", "token_url": f"{server.url}/token", **oauth,
        },
    }  # fmt: skip
    secret = folder / "client-secret"
    secret.write_text(CLIENT_SECRET)
    secret.chmod(0o600)
    file = folder / "config.toml"
    file.write_text(written(values), encoding="utf-8")
    return file


def test_a_code_is_shown_and_the_permission_kept(
    provider: TokenServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    provider.interval, provider.pending = 0, 2
    file = installed(tmp_path, provider, device_url=f"{provider.url}/device")
    assert main(["login", "--config", str(file)]) == 0
    said = capsys.readouterr()
    assert "ABCD-EFGH" in said.out
    kept = tmp_path / "oauth-token.json"
    assert str(kept) in said.out
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not any(secret in said.out + said.err for secret in provider.secrets())
    tokens = access.tokens(load(file))
    assert tokens is not None
    assert tokens.get() in provider.access


def test_an_address_is_pasted_back(
    provider: TokenServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(question: str) -> str:
        page = capsys.readouterr().out.split("\n\n")[1]
        return provider.consent(page)

    monkeypatch.setattr("builtins.input", ask)
    file = installed(tmp_path, provider, authorize_url="https://provider.test/authorize", token_file="jeton.json")
    assert main(["login", "--config", str(file)]) == 0
    assert (tmp_path / "jeton.json").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"provider": "none"}, '[oauth] provider is "none"'),
        ({"client_id": ""}, "[oauth] client_id: it is missing"),
        ({"token_url": ""}, '[oauth] token_url: provider = "custom" needs it'),
        ({}, "[oauth] device_url"),
        ({"authorize_url": "http://provider.test/"}, "no https:// URL"),
        ({"device_url": "https://provider.test/", "client_secret_file": "missing"}, "[oauth] client_secret_file"),
        ({"authorize_url": "https://provider.test/"}, "nothing was copied"),
        ({"authorize_url": "https://provider.test/", "token_file": "nowhere/x.json"}, "cannot be written to"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(
    provider: TokenServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, str], said: str,
) -> None:  # fmt: skip
    def closed(question: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    file = installed(tmp_path, provider, **settings)
    assert main(["login", "--config", str(file)]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert not (tmp_path / "oauth-token.json").exists()
