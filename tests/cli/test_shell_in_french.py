"""A French game master at the shell: whatever he does, he reads French."""

from __future__ import annotations

from pathlib import Path

import pytest

from mailgm.cli import main
from mailgm.cli.errors import report

CONFIG = '[mailbox]\naddress = "jeu@example.org"\n[database]\nurl = "sqlite:///jeu.sqlite"\n'
PLAYERS = "\n".join(f"{name},{name.lower()}@example.org" for name in ("Ana", "Bob", "Carl", "Denis", "Fanny", "Gus"))


class Shell:
    """The command line of somebody whose locale is French."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.config = self.file("config.toml", CONFIG)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, "utf-8")
        path.chmod(0o600)
        return path

    def run(self, *words: object, status: int = 0) -> str:
        """What a command says, on both streams; one line, single spaces."""
        assert main([*map(str, words)]) == status
        said = self._capsys.readouterr()
        return " ".join((said.out + said.err).split())

    def game(self, *words: object, status: int = 0) -> str:
        return self.run(*words, "--config", self.config, status=status)

    def new(self, name: str = "manoir", *words: object, status: int = 0) -> str:
        players = self.file("joueurs.csv", PLAYERS)
        given = ("--game", "dracula", "--players", players, "--gm", "mj@example.org", *words)
        return self.game("game", "new", name, *given, status=status)


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    return Shell(tmp_path, capsys)


def test_a_wrong_configuration(shell: Shell) -> None:
    shell.config = shell.file("config.toml", '[mailbox]\nadress = "x"\n[imap]\nport = "a"\nidle = 3\n[foo]\n')
    said = shell.game("game", "list", status=1)
    assert "config.toml, [mailbox] adress : il n'y a pas de réglage de ce nom ; il y a address" in said
    assert "config.toml, [imap] port : 'a' n'est pas un nombre entier de 1 à 65535" in said
    assert "config.toml, [imap] idle : 3 n'est pas true ou false" in said
    assert "config.toml, [foo] : il n'y a pas de section de ce nom" in said
    shell.config.unlink()
    assert "config.toml n'existe pas ; `mailgm init` en écrit un" in shell.game("game", "list", status=1)


def test_a_game_from_its_list_of_players_to_its_first_night(shell: Shell) -> None:
    assert "pas encore de partie ; mailgm game new en crée une" in shell.game("game", "list")
    assert "manoir : joueurs inscrits : 6. Pour la lancer : mailgm game start manoir" in shell.new()
    assert "manoir dracula inscriptions" in shell.game("game", "list")
    assert "pas encore commencée" in shell.game("game", "show", "manoir")
    assert "la partie manoir n'a pas commencé : mailgm game start manoir" in shell.game("verify", "manoir", status=1)
    assert "manoir a commencé : day-1.talk, jusqu'au " in shell.game("game", "start", "manoir")
    assert "(heure de Paris)" in shell.game("game", "list")
    assert "manoir : dracula, en cours, day-1.talk, jusqu'au " in shell.game("game", "show", "manoir")
    assert "en attente: 7" in shell.game("game", "outbox", "manoir")
    assert "manoir a déjà commencé" in shell.game("game", "start", "manoir", status=1)
    assert "parce que Bob voyage" in shell.game("gm", "manoir", "prolonger 24h parce que Bob voyage") + shell.game(
        "game", "log", "manoir"
    )
    said = shell.game("verify", "manoir")
    assert "identique" in said
    assert "toutes les annonces sont identiques" in said


def test_a_game_that_cannot_be_made(shell: Shell) -> None:
    assert "il n'y a pas de jeu 'belote' ; il y a cinquieme-element" in shell.run("variant", "show", "belote", status=1)
    assert "rounds : 'deux' n'est pas un nombre entier" in shell.new("manoir", "--option", "rounds=deux", status=1)
    assert "pas d'option de ce nom ; il y a" in shell.new("manoir", "--option", "tours=2", status=1)
    said = shell.new("manoir", "--set", "night=tard", status=1)
    assert 'night : \'tard\' n\'est ni une durée comme "24h" ni une heure comme "21:00"' in said
    said = shell.new("manoir", "--zone", "Paris", status=1)
    assert "--zone : 'Paris' n'est pas un fuseau horaire" in said
    assert "nom : 'ma noir' n'est pas fait de lettres" in shell.new("ma noir", status=1)
    shell.new()
    assert "il y a déjà une partie nommée manoir" in shell.new(status=1)
    assert "il n'y a pas de partie 'chateau'" in shell.game("game", "show", "chateau", status=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("roles = [", "n'est pas du TOML"),
        ("roles = { wolf = 1, fox = 1 }", "roles.fox : il n'y a pas de rôle de ce nom ; il y a cupid"),
        ("roles = { seer = 1 }", "aucune carte du camp des loups"),
        ('roles = { wolf = 1 }\ntie = "dés"', "tie : 'dés' n'est pas l'un de 'nobody', 'revote'"),
        (
            'roles = { wolf = 1, seer = 1 }\nnight = [{ id = "n", acts = ["wolves", "dance"] }]',
            "fenêtre 'n' : il n'y a pas d'acte 'dance'",
        ),
        ('roles = { wolf = 1 }\nnight = [{ id = "lapinou", acts = ["wolves"] }]', "est réservé au lapinou"),
    ],
)
def test_a_composed_game_that_cannot_work(shell: Shell, text: str, said: str) -> None:
    file = shell.file("mien.toml", text)
    found = shell.run("variant", "check", file, status=1)
    assert said in found
    assert str(file) in found


def test_a_composed_game_in_words(shell: Shell) -> None:
    file = shell.file("mien.toml", 'roles = { wolf = 2, "pack-chief" = 1, witch = 1 }\ntie = "draw"\n')
    said = shell.run("variant", "check", file, "-n", "4", "--jobs", "1")
    assert "La nuit, fenêtre après fenêtre : 1. main : Chef de Meute, Loup-garou 2. witch : Sorcière" in said
    assert "Le vote : bulletins publics. À égalité : le sort décide entre les ex æquo." in said
    assert "Loup-garou ×2" in said
    assert "étapes par partie : de " in said


def test_letters_and_what_was_not_foreseen(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert "lettres que le service va reprendre : 0 (aucune)" in shell.game("letters", "retry")
    assert "il n'y a pas de lettre 7" in shell.game("letters", "show", "7", status=1)
    assert report(ZeroDivisionError("division by zero"), "game", debug=False) == 1
    said = capsys.readouterr().err
    assert "mailgm game s'est arrêté sur un imprévu (ZeroDivisionError : division by zero)." in said


def test_help_speaks_the_language_of_its_reader(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["game", "new", "--help"])
    said = capsys.readouterr().out
    assert said.startswith("utilisation : mailgm game new")
    assert "langue de la partie (fr)" in said
    assert "montrer cette aide" in said
