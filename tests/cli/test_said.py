"""What the commands say to a game master: the same in French and in English."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import mailgm
from mailgm.cli import COMMANDS, main
from mailgm.engine.model import SetupError
from mailgm.engine.said import joined, named, say, sentence
from mailgm.phrases import overview, phrases
from mailgm.service.said import told, word
from mailgm.shipped import shipped
from mailgm.store.models import ADDRESS_STATE, GAME_STATUS, LETTER_STATE, MAIL_STATE

# Words that the programs look up by what stands in a row, a finding or a parser of Python's own.
CHECKS = (
    "configuration", "secrets", "database", "games", "templates", "IMAP", "folders", "clock", "Maildir", "SMTP",
    "round trip", "ok", "wrong", "untested", "note",
)  # fmt: skip
STATES = {*GAME_STATUS, *LETTER_STATE, *MAIL_STATE, *ADDRESS_STATE} - {"ok"}
RESULTS = ("identical", "different", "other-version")
PARSER = (
    "positional arguments", "options", "show this help message and exit", "show program's version number and exit",
)  # fmt: skip
SHOWN = (
    "send the roles and open the first phase", "where a game stands", "every input, with who and why",
    "its mails and what became of them", "id", "French", "English", "value", "default",
)  # fmt: skip
LOOKED_UP = {*CHECKS, *STATES, *RESULTS, *PARSER, *SHOWN, *(about for _, about in COMMANDS.values())}


def written(tree: ast.Module) -> Iterator[str]:
    """The templates that a module gives to `say`, `put` or `phrase`, and the help of its arguments: each a text, or a
    name that was set to one just before."""
    texts = [
        (node.lineno, target.id, node.value.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    ]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given = [word.value for word in node.keywords if word.arg == "help"]
        if isinstance(node.func, ast.Name) and node.func.id in ("say", "put", "phrase"):
            given += node.args[:1]
        for text in given:
            if isinstance(text, ast.Constant):
                yield str(text.value)
            elif isinstance(text, ast.Name) and (
                before := [(line, said) for line, name, said in texts if name == text.id and line <= node.lineno]
            ):
                yield max(before)[1]


def sources() -> list[Path]:
    package = Path(mailgm.__file__).parent
    return [*package.rglob("*.py"), *shipped("variants").rglob("*.py")]


def templates() -> set[str]:
    return {text for file in sources() for text in written(ast.parse(file.read_text("utf-8")))}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_sentence_has_its_words_and_none_is_left_over(lang: str) -> None:
    words = phrases(lang).keys()
    assert (templates() | LOOKED_UP) - words == set()
    assert words - templates() - LOOKED_UP == set()


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


def test_a_name_and_sentences_in_a_row_are_told_too() -> None:
    wolf = named({"fr": "Loup", "en": "Wolf"})
    row = joined([wolf, say("the role")], " → ")
    assert (row, told(row, "fr"), told(row, "en")) == ("Wolf → the role", "Loup → le rôle", "Wolf → the role")
    error = SetupError("roles", say("there is no such role; there are {names}", names="wolf"))
    assert str(error) == "roles: there is no such role; there are wolf"
    assert told(sentence(error), "fr") == "roles : il n'y a pas de rôle de ce nom ; il y a wolf"
    assert sentence(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")).startswith("'utf-8' codec can't")
    within = say("cannot be loaded: {error}", error=error)
    assert told(within, "fr") == "ne peut pas être chargé : roles : il n'y a pas de rôle de ce nom ; il y a wolf"


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_overview_names_every_command(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", f"{lang}_CA.UTF-8")
    listed = [line for line in overview().splitlines() if line.startswith("  ") and "--" not in line]
    assert listed == [f"  {command:10} {phrases(lang)[about]}" for command, (_, about) in COMMANDS.items()]


def literal(node: ast.expr) -> str:
    """The letters of a text that a program prints as they are written."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


@pytest.mark.parametrize("file", sorted(Path(mailgm.__file__).parent.glob("cli/*.py")), ids=lambda file: file.name)
def test_no_command_prints_words_that_have_no_translation(file: Path) -> None:
    printed = [
        literal(argument)
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and (node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")) in ("print", "fail")
        for argument in node.args
    ]
    assert [text for text in printed if re.search(r"[^\W\d_]{2}", text)] == []


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
