"""`mailgm init`, as somebody at a terminal meets it, and as a script does."""

from __future__ import annotations

import os
import pty
import select
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mailgm.cli import main
from mailgm.config import example, load
from mailgm.mail.providers import PROVIDERS, guess

PATIENCE = 30.0
SECRET = "à la pêche 42"


class Terminal:
    """A person before `mailgm init`: reads what is shown, and types."""

    def __init__(self, folder: Path, *words: str, lang: str = "fr_FR.UTF-8") -> None:
        ours, theirs = pty.openpty()
        environment = {
            **os.environ,
            "LC_ALL": lang,
            "PYTHONIOENCODING": "utf-8",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mailgm", "init", *words], cwd=folder, env=environment,
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._fd = ours
        self.shown = ""
        self._read = 0

    def sees(self, words: str) -> None:
        """Wait until these words are shown, after all that was seen before."""
        until = time.monotonic() + PATIENCE
        while words not in self.shown[self._read :]:
            assert self._more(until), f"{words!r} never came; shown was: {self.shown}"
        self._read = self.shown.index(words, self._read) + len(words)

    def types(self, words: str) -> None:
        """Type a line."""
        os.write(self._fd, f"{words}\n".encode())

    def answers(self, question: str, words: str) -> None:
        """Wait for a question, and answer it."""
        self.sees(question)
        self.sees(": ")
        self.types(words)

    def ends(self) -> int:
        """Read to the end; gives the exit status."""
        until = time.monotonic() + PATIENCE
        while self._more(until):
            pass
        os.close(self._fd)
        return self.process.wait(PATIENCE)

    def _more(self, until: float) -> bool:
        if not select.select([self._fd], [], [], max(0.0, until - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self._fd, 4096)
        except OSError:  # the other end of a terminal is gone
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_at_gmail_enter_is_enough_and_the_password_is_never_shown(tmp_path: Path) -> None:
    someone = Terminal(tmp_path)
    someone.answers("Adresse de la boîte", "dracula.partie@gmail.com")
    someone.answers("Fournisseur", "")
    someone.sees("mot de passe d'application")
    someone.answers("Est-ce bien cela ?", "")
    someone.answers("dracula.partie+test@gmail.com", "")
    someone.answers("Nom montré", "")
    someone.answers("Mot de passe", SECRET)
    assert someone.ends() == 0
    assert SECRET not in someone.shown
    assert "mailgm doctor" in someone.shown
    made = load(tmp_path / "config.toml")
    assert (made.imap.host, made.imap.port, made.imap.security) == ("imap.gmail.com", 993, "tls")
    assert (made.smtp.host, made.smtp.port, made.smtp.security) == ("smtp.gmail.com", 465, "tls")
    assert made.imap.user == made.smtp.user == made.mailbox.address == "dracula.partie@gmail.com"
    assert made.mailbox.name == "Le maître du jeu"
    assert made.mailbox.plus_addresses
    assert made.password("imap") == made.password("smtp") == SECRET
    assert SECRET not in (tmp_path / "config.toml").read_text(encoding="utf-8")
    assert mode(tmp_path / "mailbox-password") == mode(tmp_path / "config.toml") == 0o600


def test_a_server_of_ones_own_in_english_with_wrong_answers_on_the_way(tmp_path: Path) -> None:
    someone = Terminal(tmp_path, lang="C.UTF-8")
    someone.answers("Address of the game's mailbox", "no address")
    someone.sees("will not do")
    someone.answers("Address of the game's mailbox", "game@example.org")
    someone.answers("Provider", "nobody")
    someone.sees("one of gmail")
    someone.answers("Provider", "other")
    someone.answers("IMAP server", "")
    someone.answers("IMAP port", "70000")
    someone.sees("a number from 1 to 65535")
    someone.answers("IMAP port", "143")
    someone.answers("IMAP encryption", "ssl")
    someone.sees("tls, starttls, none")
    someone.answers("IMAP encryption", "starttls")
    someone.answers("IMAP login", "game")
    someone.answers("SMTP server", "mail.example.org")
    someone.answers("SMTP port", "")
    someone.answers("SMTP encryption", "")
    someone.answers("SMTP login", "-")
    someone.answers("game+test@example.org", "n")
    someone.answers("Name shown", "The Count")
    someone.answers("Password", "")
    assert someone.ends() == 0
    assert "password is still missing" in someone.shown
    made = load(tmp_path / "config.toml")
    assert (made.imap.host, made.imap.port, made.imap.security, made.imap.user) == (
        "imap.example.org", 143, "starttls", "game",
    )  # fmt: skip
    assert (made.smtp.host, made.smtp.port, made.smtp.user) == ("mail.example.org", 465, "")
    assert (made.mailbox.name, made.mailbox.plus_addresses) == ("The Count", False)
    assert not (tmp_path / "mailbox-password").exists()


def test_nothing_is_replaced_without_a_yes(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("# mine\n", encoding="utf-8")
    someone = Terminal(tmp_path)
    someone.answers("config.toml existe déjà", "")
    assert someone.ends() == 0
    assert "Rien n'est changé" in someone.shown
    assert (tmp_path / "config.toml").read_text(encoding="utf-8") == "# mine\n"


def test_a_yes_replaces_and_keeps_the_password_to_its_owner(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("# mine\n", encoding="utf-8")
    (tmp_path / "mailbox-password").write_text("old\n", encoding="utf-8")
    (tmp_path / "mailbox-password").chmod(0o644)
    someone = Terminal(tmp_path, "--address", "jeu@posteo.net", "--provider", "posteo", "--name", "MJ")
    someone.answers("mailbox-password existe déjà", "oui")
    someone.answers("Est-ce bien cela ?", "o")
    someone.answers("jeu+test@posteo.net", "o")
    someone.answers("Mot de passe", SECRET)
    assert someone.ends() == 0
    assert load(tmp_path / "config.toml").password("imap") == SECRET
    assert mode(tmp_path / "mailbox-password") == 0o600


def test_leaving_in_the_middle_writes_nothing(tmp_path: Path) -> None:
    someone = Terminal(tmp_path)
    someone.answers("Adresse de la boîte", "jeu@example.org")
    someone.sees("Fournisseur")
    os.write(someone._fd, b"\x04")
    assert someone.ends() == 1
    assert "rien n'est écrit" in someone.shown
    assert list(tmp_path.iterdir()) == []


def test_a_script_gives_options_and_no_question_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.toml"
    secret = tmp_path / "secret"
    secret.write_text(SECRET, encoding="utf-8")
    words = ["init", "--non-interactive", "--config", str(file), "--lang", "fr", "--password-file", str(secret)]
    assert main([*words, "--address", "jeu@free.fr"]) == 0
    made = load(file)
    assert made.imap.user == "jeu"  # Free takes what stands before the @
    assert not made.mailbox.plus_addresses
    assert made.password("smtp") == SECRET
    assert main([*words, "--address", "jeu@free.fr"]) == 1
    assert "--force" in capsys.readouterr().err
    assert main([*words, "--address", "jeu@gmail.com", "--force", "--imap-port", "1993", "--no-plus-addresses"]) == 0
    assert (load(file).imap.port, load(file).mailbox.plus_addresses) == (1993, False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "[mailbox] address"),
        (["--address", "nowhere"], "[mailbox] address"),
        (["--address", "jeu@example.org", "--imap-security", "none"], "[imap] security"),
        (["--address", "jeu@example.org", "--imap-port", "0"], "[imap] port: 0"),
    ],
)
def test_a_script_hears_what_is_wrong_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["init", "--non-interactive", "--config", str(tmp_path / "config.toml"), *words]) == 1
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_every_setting_can_be_seen_where_there_is_no_checkout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--example"]) == 0
    assert capsys.readouterr().out == example()


def test_a_maildir_takes_the_place_of_imap(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    words = ["init", "--non-interactive", "--config", str(file), "--address", "jeu@example.org"]
    mail = ["--maildir", "/var/mail/jeu", "--smtp-host", "127.0.0.1", "--smtp-security", "none", "--smtp-user", "-"]
    assert main([*words, *mail]) == 0
    made = load(file)
    assert (made.maildir.path, made.imap.host, made.smtp.user) == ("/var/mail/jeu", "", "")


def test_at_microsoft_no_password_is_asked_for_none_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.toml"
    assert (
        main(["init", "--non-interactive", "--config", str(file), "--address", "jeu@outlook.fr", "--lang", "fr"]) == 0
    )
    assert "mailgm login" in capsys.readouterr().out
    assert (load(file).oauth.provider, load(file).oauth.tenant) == ("microsoft", "consumers")


def test_every_provider_can_be_used_as_it_stands() -> None:
    domains = [domain for provider in PROVIDERS for domain in provider.domains]
    assert len(domains) == len(set(domains))
    for provider in PROVIDERS:
        assert set(provider.traps) in (set(), {"fr", "en"})
        for domain in provider.domains:
            assert guess(f"jeu@{domain.upper()}") is provider
    assert guess("jeu@example.org") is None
