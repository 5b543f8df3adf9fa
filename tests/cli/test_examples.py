"""The example files are those that the documents tell people to copy: they load, and they name every setting."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from mailgm.cli import main
from mailgm.config import written
from mailgm.service.calendar import DEFAULTS
from mailgm.service.settings import GameSettings

EXAMPLES = Path(__file__).parents[2] / "examples"
PARTIE = (EXAMPLES / "partie.toml").read_text(encoding="utf-8")


def test_a_game_can_be_made_of_the_example_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.toml").write_text(written({"mailbox": {"address": "jeu@example.org"}}), encoding="utf-8")
    players, settings = str(EXAMPLES / "joueurs.csv"), str(EXAMPLES / "partie.toml")
    words = ["--game", "dracula", "--players", players, "--gm", "mj@example.org", "--settings", settings]
    assert main(["game", "new", "manoir", *words]) == 0
    assert "6 players are seated" in capsys.readouterr().out
    assert main(["game", "start", "manoir"]) == 0
    assert main(["game", "outbox", "manoir"]) == 0
    assert "fiona@example.org" in capsys.readouterr().out


def test_every_setting_of_a_game_stands_in_the_example() -> None:
    known = {field.name for field in fields(GameSettings)} - {"calendar"} | set(DEFAULTS)
    assert set(tomllib.loads(PARTIE)["settings"]) == known


def test_the_defaults_that_the_example_tells_are_those_of_the_code() -> None:
    defaults = {field.name: field.default for field in fields(GameSettings)} | dict(DEFAULTS)
    told = re.findall(r"^(\w+) = ([^#]+?) +# default(?:: ([^(\n]+))?", PARTIE, flags=re.MULTILINE)
    assert len(told) > 12
    for key, given, other in told:
        value = tomllib.loads(f"value = {other.strip() or given}")["value"]
        if key in defaults:
            found = defaults[key]
            assert value == (list(found) if isinstance(found, tuple) else found), key
