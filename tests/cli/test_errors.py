"""Whatever goes wrong, a command says it in a sentence, ends with 1, and shows no traceback unless asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mailgm.cli import COMMANDS, main
from mailgm.config import written

PLAYERS = "nom;e-mail\nAna;ana@example.net\nBob;bob@example.net\nChloé;c@example.net\nDan;d@example.net\n" + (
    "Eve;e@example.net\nFay;f@example.net\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration, in which we stand."""
    monkeypatch.chdir(tmp_path)
    values = {"mailbox": {"address": "jeu@example.org"}, "imap": {"password": "hunter2"}}
    (tmp_path / "config.toml").write_text(written(values), encoding="utf-8")
    (tmp_path / "joueurs.csv").write_text(PLAYERS, encoding="utf-8")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that fails says."""
    assert main(words) == 1
    said = capsys.readouterr().err
    assert said.strip()
    assert "Traceback" not in said
    assert "unforeseen" not in said
    return said


NEW = ("game", "new", "manoir", "--game", "dracula", "--players", "joueurs.csv", "--gm", "mj@example.com")


@pytest.mark.parametrize(
    "words",
    [
        ("game", "show", "x"),
        ("game", "start", "x"),
        ("game", "log", "x"),
        ("game", "outbox", "x"),
        ("gm", "x", "status"),
        ("verify", "x"),
        ("read", "--as", "Ana", "--game", "x", "config.toml"),
    ],
)
def test_a_game_that_there_is_not(folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert "there is no game 'x'" in told(capsys, *words)


@pytest.mark.parametrize(
    "words",
    [("run",), ("game", "list"), ("gm", "x", "status"), ("letters", "list"), ("verify", "x"), ("doctor",)],
)
def test_no_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "mailgm init" in told(capsys, *words)


@pytest.mark.parametrize("words", [("verify", "manoir"), ("read", "--as", "Ana", "--game", "manoir", "config.toml")])
def test_a_game_that_has_not_begun(folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert main(NEW) == 0
    assert "mailgm game start manoir" in told(capsys, *words)


def test_a_player_who_has_no_seat(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(NEW) == 0
    assert main(["game", "start", "manoir"]) == 0
    said = told(capsys, "read", "--as", "Zoé", "--game", "manoir", "config.toml")
    assert "there are Ana, Bob, Chloé" in said
    assert "already" in told(capsys, "game", "start", "manoir")
    assert "already" in told(capsys, *NEW)


def test_the_service_does_not_start_with_an_unfinished_configuration(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = told(capsys, "run")
    assert "[imap] host" in said
    assert "[smtp] host" in said


def test_a_database_that_cannot_be_opened(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "config.toml").open("a", encoding="utf-8") as file:
        file.write('[database]\nurl = "sqlite:///nulle/part.sqlite"\n')
    assert "nulle/part.sqlite cannot be opened" in told(capsys, "game", "list")


def test_a_database_address_is_told_without_its_password(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "config.toml").open("a", encoding="utf-8") as file:
        file.write('[database]\nurl = "postgresql://jeu:geheim@127.0.0.1:1/jeu?connect_timeout=1"\n')
    assert "geheim" not in told(capsys, "game", "list")


def test_files_that_are_not_there_or_may_not_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, *NEW[:6], "absent.csv", *NEW[7:]).startswith("absent.csv: ")
    assert "reglages.toml" in told(capsys, *NEW, "--settings", "reglages.toml")
    (folder / "reglages.toml").write_text("[reglages]\n", encoding="utf-8")
    assert "there are [settings] and [options]" in told(capsys, *NEW, "--settings", "reglages.toml")
    (folder / "reglages.toml").write_text("[settings\n", encoding="utf-8")
    assert "line 1" in told(capsys, *NEW, "--settings", "reglages.toml")
    assert told(capsys, "read", str(folder)).strip().endswith("directory")


def test_every_fault_of_a_players_file_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "joueurs.csv").write_text(
        "nom,e-mail,langue,fuseau\n"
        "Ana,ana@example.net,fr,\n"
        "Bob,bob@example.net,en,Europe/Lndon\n"
        "\n"
        "Chloé,chloe.example.net,fr,Europe/Paris\n"
        ",x@example.net,de,\n"
        "ana,ana@example.net,,\n"
        "Max;,max@example.net,,,,\n",
        encoding="utf-8",
    )
    said = told(capsys, *NEW)
    for place in ("line 3, time zone", "line 5, e-mail", "line 6, name", "line 6, language", "line 7, name",
                  "line 7, e-mail", "line 8, name", "line 8: 6 columns"):  # fmt: skip
        assert f"joueurs.csv, {place}" in said
    assert "line 2" in said  # whom line 7 is mistaken for
    assert len(said.splitlines()) == 8


def test_a_players_file_may_come_from_a_french_spreadsheet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "joueurs.csv").write_bytes(PLAYERS.replace("\n", "\r\n").encode("cp1252"))
    assert main(NEW) == 0
    assert main(["game", "show", "manoir"]) == 0
    assert "Chloé" in capsys.readouterr().out


def test_all_that_is_wrong_with_a_new_game_is_told_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, *NEW[:-1], "mj", "--option", "rounds=0", "--set", "table=jamais")
    assert [line.partition(":")[0] for line in said.splitlines()] == ["gm", "table", "rounds"]
    assert "--zone" in told(capsys, *NEW, "--zone", "Europe/Pariss")


def test_a_letter_that_was_not_set_aside_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "not set aside: 7" in told(capsys, "letters", "retry", "7")
    assert "there is no letter 7" in told(capsys, "letters", "show", "7")


def test_something_unforeseen_is_one_sentence_too_and_its_traceback_can_be_had(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the moon\nis full")

    monkeypatch.setattr("mailgm.service.run.open_context", broken)
    assert main(["game", "list"]) == 1
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "RuntimeError: the moon is full" in said
    assert "mailgm --debug game" in said
    assert main(["--debug", "game", "list"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_closed_pipe_ends_a_command_quietly(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "mailgm", "game", "list"], stdout=writer, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    os.close(writer)
    assert done.stderr == b""


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert COMMANDS[command][1] in " ".join(capsys.readouterr().out.split())


def test_help_loads_nothing_heavy() -> None:
    """So that `mailgm --help` answers at once: the benchmarks measure it, this says what must not creep in."""
    script = "import sys; from mailgm.cli import main; assert main(['--help']) == 0; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    loaded = {module.partition(".")[0] for module in done.stdout.splitlines()[-1].split()}
    assert not loaded & {
        "argparse",
        "asyncio",
        "rich",
        "sqlalchemy",
        "jinja2",
        "imapclient",
        "aiosmtplib",
        "email",
        "tomllib",
    }
