"""A game master who plays too: his answers and logs hide roles and orders unless he asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mailgm.cli import main
from mailgm.service.master import shell
from mailgm.store import Database
from tests.service.world import World, words


@pytest.fixture
def blind(database: Database, database_url: str, tmp_path: Path) -> World:
    world = World(database, tmp_path).start(settings={"blind": True})
    (tmp_path / "config.toml").write_text(
        f'[mailbox]\naddress = "jeu@example.org"\n[database]\nurl = "{database_url}"\n', encoding="utf-8"
    )
    world.mails()
    return world


def test_the_game_master_gets_what_is_public_and_nothing_else(blind: World) -> None:
    blind.write("Bob", "boudoir\ntélépathie : coucou")
    for _ in range(5):
        blind.close()
    told = " ".join(words(mail) for mail in blind.mails() if mail.recipient == "mj@example.com")
    assert "L'aube de la nuit 1" in told
    assert "boudoir" not in told.lower().partition("qui y a passé la nuit")[0]
    assert "n'a pas répondu" not in told


def test_status_says_how_many_owe_and_not_who_unless_asked(blind: World) -> None:
    blind.write("Bob", "boudoir")
    blind.mails()
    done = shell(blind.ctx, blind.name, "état")
    assert done.answers["status"]["owing"] == {}
    assert done.answers["status"]["hidden"] == 4
    assert set(shell(blind.ctx, blind.name, "état --reveal").answers["status"]["owing"]) == {
        "Chloé",
        "Denis",
        "Élise",
        "Fanny",
    }
    blind.command("status --reveal")
    assert "Chloé" in words(blind.mails_to("gm")[0])


def test_logs_hide_secret_orders_unless_asked(blind: World, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    letter = blind.write("Bob", "boudoir")
    config = ["--config", str(tmp_path / "config.toml")]
    assert main(["game", "log", blind.name, *config]) == 0
    assert "boudoir" not in capsys.readouterr().out
    assert main(["game", "log", blind.name, "--reveal", *config]) == 0
    assert "boudoir" in capsys.readouterr().out
    assert main(["letters", "show", str(letter), *config]) == 1
    assert "boudoir" not in capsys.readouterr().out
    assert main(["game", "show", blind.name, *config]) == 0
    assert "owes" not in capsys.readouterr().out
