"""What the commands say to a game master: the same in French and in English."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import mailgm
from mailgm.cli import main
from mailgm.service.said import phrases, say, told, word

CHECKS = (
    "configuration", "secrets", "database", "games", "templates", "IMAP", "folders", "clock", "Maildir", "SMTP",
    "round trip", "ok", "wrong", "untested", "note",
)  # fmt: skip


def written(tree: ast.Module) -> Iterator[str]:
    """The templates that a module gives to `say`: a text, or a name that was set to one just before."""
    texts = [
        (node.lineno, target.id, node.value.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant):
                yield str(first.value)
            else:
                assert isinstance(first, ast.Name)
                yield str(
                    max((line, text) for line, name, text in texts if name == first.id and line <= node.lineno)[1]
                )


def templates() -> set[str]:
    files = Path(mailgm.__file__).parent.glob("service/*.py")
    return {text for file in files for text in written(ast.parse(file.read_text("utf-8")))}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_sentence_has_its_words_and_none_is_left_over(lang: str) -> None:
    words = phrases(lang).keys()
    assert (templates() | set(CHECKS)) - words == set()
    assert words - templates() - set(CHECKS) == set()


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_both_languages_speak_of_the_same_things(lang: str) -> None:
    assert [said for said, words in phrases(lang).items() if fields(said) != fields(words)] == []


def test_a_sentence_within_a_sentence_is_told_too() -> None:
    within = say("is up to date")
    sentence = say("{database} can be written and {state}", database="x.sqlite", state=within)
    assert sentence == "x.sqlite can be written and is up to date"
    assert told(sentence, "fr") == "x.sqlite accepte l'écriture et est à jour"
    assert told("550 no such user", "fr") == "550 no such user"
    assert (word("clock", "fr"), word("clock", "en")) == ("horloge", "clock")


def test_the_doctor_speaks_the_language_of_the_locale_or_the_one_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[mailbox]\naddress = ""\n')
    config.chmod(0o600)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["doctor", "--config", str(config)]) == 1
    french = capsys.readouterr().out
    assert "à revoir  configuration : [mailbox] address : elle manque" in french
    assert "non testé aller-retour : il faut d'abord" in french
    assert main(["doctor", "--config", str(config), "--lang", "en"]) == 1
    assert "wrong     configuration: [mailbox] address: it is missing" in capsys.readouterr().out


def test_a_french_game_master_reads_in_french_what_is_wrong_with_his_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = tmp_path / "joueurs.csv"
    players.write_text("Ana,ana@example.org\nBob,bob\nAna,ana2@example.org\n", "utf-8")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    command = ["game", "new", "manoir", "--game", "dracula", "--players", str(players), "--gm", "mj@example.org"]
    assert main(command) == 1
    told_of = capsys.readouterr().err
    assert "joueurs.csv, ligne 2, courriel : 'bob' n'est pas une adresse" in told_of
    assert "joueurs.csv, ligne 3, nom : une fois tapé, 'Ana' se confond avec 'Ana' de la ligne 1" in told_of
