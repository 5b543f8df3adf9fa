"""The game of docs/add-a-game.md is taken from the page, played and written, so that the page cannot go out of date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mailgm.cli import main
from mailgm.config import written
from mailgm.loader import Library
from mailgm.render import Renderer

PAGE = (Path(__file__).parents[1] / "docs" / "add-a-game.md").read_text(encoding="utf-8")


def files_of_the_page() -> dict[str, str]:
    """Path → text: a block belongs to the path in its section's heading, or to the `name.md` just before it."""
    found: dict[str, str] = {}
    heading = name = ""
    inside = False
    for line in PAGE.splitlines():
        if line.startswith("## "):
            heading = name = (re.findall(r"`([^`]+)`", line) or [""])[0]
        elif line.startswith("```"):
            inside = not inside and bool(name) and not line.startswith("```console")
            if inside:
                found[name] = ""
        elif inside:
            found[name] += f"{line}\n"
        elif "…" in heading and (named := re.match(r"`([\w./]+\.md)`", line)):
            name = heading.replace("…", named[1])
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the page, where it says that they stand."""
    for path, text in files_of_the_page().items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    values = {
        "mailbox": {"address": "jeu@example.org"},
        "paths": {"variants": "jeux", "templates": "mots"},
    }
    (tmp_path / "config.toml").write_text(written(values), encoding="utf-8")
    return tmp_path


def test_its_scenario_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", "scenarios", "--variants", "jeux"]) == 0
    assert "1 of 1 scenarios hold" in capsys.readouterr().out


def test_random_games_of_it_end(folder: Path) -> None:
    assert main(["simulate", "lueur", "-n", "50", "--jobs", "1", "--variants", "jeux"]) == 0


def test_its_templates_are_sound(folder: Path) -> None:
    assert Renderer([folder / "mots"]).faults() == []
    assert "lueur" in Library([folder / "jeux"]).ids()


def test_a_game_of_it_is_played_by_mail(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "joueurs.csv").write_text(
        "Ana,ana@example.net\nBob,bob@example.net\nChloé,chloe@example.net\nDenis,denis@example.net\n", encoding="utf-8"
    )
    words = ["--game", "lueur", "--players", "joueurs.csv", "--gm", "mj@example.org"]
    assert main(["game", "new", "essai", *words]) == 0
    assert main(["game", "start", "essai"]) == 0
    assert "night-1.lamps" in capsys.readouterr().out
    assert main(["gm", "essai", "clore"]) == 0
    assert main(["game", "show", "essai"]) == 0
    assert "day-1.vote" in capsys.readouterr().out
    assert main(["verify", "essai"]) == 0
