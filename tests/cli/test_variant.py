"""`mailgm variant`: the games there are, one in words, and the check of one that somebody has composed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mailgm.cli import main

GOOD = """
title = "Nuit courte"
roles_by_count = { "5" = { wolf = 1, seer = 1 }, "8" = { wolf = 2, seer = 1, witch = 1 } }
night = [ { id = "soir", acts = ["seer"] }, { id = "meute", acts = ["wolves"] }, { id = "fin", acts = ["witch"] } ]
wolves_win = "parity"
"""


def test_all_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variant", "list"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in ("dracula", "loup-garou", "mulou-garou", "tire-toi", "thiercelieux"))


def test_a_game_is_shown_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variant", "show", "mulou-garou"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "1. thief (night 1 only): Thief" in told
    assert "3. main: Guardian → Werewolf → Seer → Raven" in told
    assert main(["variant", "show", "dracula"]) == 0


def test_a_game_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variant", "show", "belote"]) == 1
    assert "belote" in capsys.readouterr().err


def test_a_composed_game_is_checked_and_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nuit-courte.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert main(["variant", "check", str(file), "-n", "12", "--jobs", "1"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "1. soir: Seer" in told
    assert "Werewolf ×2" in told
    assert "games: 12 of loup-garou; players: 13; seed: 1" in told
    assert "the villagers" in told or "the werewolves" in told


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("roles = { wolf = 1, loup = 1 }", "roles.loup: there is no such role"),
        ("tie = 'duel'", "tie: 'duel' is not one of"),
        ("colour = 'red'", "colour: no such option"),
        ("roles = { seer = 2 }", "roles: no card of the wolves' camp"),
        ("roles = {", "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    file = tmp_path / "rates.toml"
    file.write_text(text, encoding="utf-8")
    assert main(["variant", "check", str(file)]) == 1
    told = capsys.readouterr().err
    assert str(file) in told
    assert says in told


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variant", "check", str(tmp_path / "rien.toml")]) == 1
    assert "cannot be read" in capsys.readouterr().err
