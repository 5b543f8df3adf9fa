"""Passwords, client secrets and reply tokens: where they may come from, and that they are never to be seen."""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from mailgm.config import Config, ConfigError, parse, written
from mailgm.demo.processes import free_ports, short_folder
from mailgm.demo.servers import Dovecot, dovecot_installed
from mailgm.secrets import Secret
from mailgm.service.create import NewGame, begin, create
from mailgm.service.directory import reply_address
from mailgm.service.players import SignUp
from mailgm.service.run import imap_settings, open_context, smtp_settings
from mailgm.store import seats
from tests.conftest import need

WAIT = 60.0


def config(folder: Path, **imap: Any) -> Config:
    return parse({"imap": {"host": "imap.x.test", "user": "jeu@x.test", **imap}}, folder)


def kept(folder: Path, text: str, mode: int = 0o600) -> str:
    file = folder / "password"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return "password"


# Where they come from -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["épée de bois\n", "  épée de bois  \r\nand more\n", "\ufeffépée de bois"])
def test_from_a_file_it_is_the_first_line(tmp_path: Path, text: str) -> None:
    assert config(tmp_path, password_file=kept(tmp_path, text)).password("imap") == "épée de bois"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "No such file"), (b"\n\nx", "is empty"), (b"", "is empty"), (b"caf\xe9", "not UTF-8")],
)
def test_a_file_without_a_password_is_told_of(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / "password").write_bytes(content)
    with pytest.raises(ConfigError, match=said) as error:
        config(tmp_path, password_file="password").password("imap")
    assert "[imap] password_file" in str(error.value)
    assert "caf" not in "".join(traceback.format_exception(error.value))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_file_that_others_can_read_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int) -> None:
    settings = config(tmp_path, password_file=kept(tmp_path, "épée", mode))
    assert settings.password("imap") == "épée"
    assert f"others on this machine may read {tmp_path / 'password'}" in caplog.text
    assert "chmod 600" in caplog.text
    caplog.clear()
    (tmp_path / "password").chmod(0o400)
    settings.password("imap")
    assert not caplog.text


def test_so_is_a_configuration_that_holds_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "config.toml"
    file.touch(0o644)
    assert config(tmp_path, password="épée").password("imap") == "épée"
    assert f"others on this machine may read {file}" in caplog.text


def test_the_environment_goes_before_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = parse(
        {
            "imap": {"password": "a", "password_file": "missing"},
            "oauth": {"provider": "google", "client_id": "id", "client_secret": "b"},
        },
        tmp_path,
    )
    monkeypatch.setenv("MAILGM_IMAP_PASSWORD", "from outside")
    monkeypatch.setenv("MAILGM_OAUTH_CLIENT_SECRET", "this too")
    assert settings.password("imap") == "from outside"
    assert settings.password("smtp") == ""
    assert settings.client_secret == "this too"


@pytest.fixture
def keyring() -> Iterator[dict[tuple[str, str], str]]:
    """The system's keyring, in memory."""
    keyring = pytest.importorskip("keyring", reason='pip install "mailgm[keyring]"')
    entries: dict[tuple[str, str], str] = {}

    class InMemory(keyring.backend.KeyringBackend):  # type: ignore[misc, name-defined]
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return entries.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            entries[service, username] = password

    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())
    yield entries
    keyring.set_keyring(before)


def test_the_systems_keyring_holds_passwords_and_the_client_secret(
    tmp_path: Path, keyring: dict[tuple[str, str], str]
) -> None:
    keyring["mailgm-imap", "jeu@x.test"] = "épée"
    keyring["mailgm-oauth", "id"] = "baguette"
    settings = parse(
        {
            "imap": {"user": "jeu@x.test", "password_keyring": True},
            "smtp": {"user": "jeu@x.test", "password_keyring": True},
            "oauth": {"provider": "google", "client_id": "id", "client_secret_keyring": True},
        },
        tmp_path,
    )
    assert settings.password("imap") == "épée"
    assert settings.client_secret == "baguette"
    with pytest.raises(ConfigError, match=r"\[smtp\] password_keyring: .*: keyring set mailgm-smtp jeu@x.test"):
        settings.password("smtp")


def test_a_keyring_that_cannot_be_opened_is_told_of(tmp_path: Path) -> None:
    """A server without a desktop has none."""
    keyring = pytest.importorskip("keyring", reason='pip install "mailgm[keyring]"')
    fail = pytest.importorskip("keyring.backends.fail")
    before = keyring.get_keyring()
    keyring.set_keyring(fail.Keyring())
    try:
        with pytest.raises(ConfigError, match="keyring cannot be used"):
            config(tmp_path, password_keyring=True).password("imap")
    finally:
        keyring.set_keyring(before)


# Out of sight ---------------------------------------------------------------------------------------------------------


def test_nothing_that_is_printed_for_people_shows_one(tmp_path: Path) -> None:
    settings = parse(
        {
            "imap": {"host": "x.test", "user": "jeu", "password": "épée-1"},
            "smtp": {"host": "x.test", "user": "jeu", "password": "épée-2"},
            "oauth": {"provider": "google", "client_id": "id", "client_secret": "épée-3"},
            "database": {"url": "postgresql://jeu:épée-4@db/mailgm"},
        },
        tmp_path,
    )
    imap, smtp = imap_settings(settings), smtp_settings(settings)
    password = settings.password("imap")
    shown = f"{settings!r} {settings} {imap!r} {smtp!r} {password!r} {[password]} {settings.client_secret!r}"
    assert "épée" not in shown
    assert (imap.password, smtp.password) == ("épée-1", "épée-2")


def test_a_traceback_with_its_variables_shows_none(tmp_path: Path) -> None:
    """Some programs print the variables of every frame: here as `traceback` can."""

    def breaks() -> None:
        settings = config(tmp_path, password="épée")
        password = settings.password("imap")
        raise RuntimeError(f"broken with {len(password)} letters, {settings.imap.user}")

    try:
        breaks()
    except RuntimeError as error:
        shown = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format(chain=True))
    assert "password = (secret)" in shown
    # The line of this test that sets it is quoted as it is.
    assert "épée" not in shown.replace('password="épée"', "")


def test_a_secret_is_a_text_like_any_other() -> None:
    secret = Secret("épée")
    assert secret == "épée"
    assert f"{secret}" == str(secret) == "épée"
    assert not Secret("")


def test_a_wrong_setting_shows_no_secret(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        parse({"imap": {"password": ["épée"]}, "oauth": {"client_secret": 12345}}, tmp_path)
    assert "(a secret)" in str(error.value)
    assert "épée" not in str(error.value)
    assert "12345" not in str(error.value)


# A whole run ----------------------------------------------------------------------------------------------------------


class Post:
    """An SMTP server that wants a login; `taken`: recipients, `more`: set when something new was taken."""

    def __init__(self, password: str) -> None:
        self.taken: list[str] = []
        self.more = threading.Condition()

        def authenticate(
            server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: LoginPassword
        ) -> AuthResult:
            return AuthResult(success=data.password == password.encode(), handled=False)

        self.server = Controller(
            self,
            hostname="127.0.0.1",
            port=free_ports(1)[0],
            authenticator=authenticate,
            auth_required=True,
            auth_require_tls=False,
        )

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        with self.more:
            self.taken += envelope.rcpt_tos
            self.more.notify_all()
        return "250 OK"

    def wait(self, enough: Callable[[list[str]], bool]) -> None:
        with self.more:
            assert self.more.wait_for(lambda: enough(self.taken), WAIT), self.taken


@pytest.fixture
def own_dovecot() -> Iterator[Dovecot]:
    need(dovecot_installed(), "Dovecot")
    with short_folder() as folder, Dovecot(folder, password="imap-p4ssw0rd-zz") as server:
        yield server


def command_lines() -> str:
    """What `ps` shows of every process of this machine."""
    shown = []
    for entry in Path("/proc").iterdir():
        try:
            shown.append((entry / "cmdline").read_bytes().decode(errors="replace") if entry.name.isdigit() else "")
        except OSError:
            continue  # it has ended meanwhile
    return "\n".join(shown)


@pytest.mark.xdist_group("mail servers")
@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_run_shows_no_password_and_no_reply_token(own_dovecot: Dovecot, tmp_path: Path) -> None:
    """The service sends a game's mails, answers a player, a stranger and a robot, and then is refused everywhere."""
    smtp_password = "smtp-p4ssw0rd-yy"
    post = Post(smtp_password)
    kept(tmp_path, own_dovecot.password)
    post.server.start()
    try:
        values = {
            "mailbox": {"address": "jeu@x.test"},
            "imap": {
                "host": "127.0.0.1", "port": own_dovecot.imap_port, "security": "none", "user": "jeu@x.test",
                "password_file": "password", "poll_seconds": 1,
            },
            "smtp": {
                "host": "127.0.0.1", "port": post.server.port, "security": "none",
                "user": "jeu@x.test",
            },
        }  # fmt: skip
        file = tmp_path / "config.toml"
        file.write_text(written(values), encoding="utf-8")
        tokens = start_game(parse(values, tmp_path))
        environment = {**os.environ, "MAILGM_SMTP_PASSWORD": smtp_password}

        with running(file, environment, tmp_path / "first.log") as service:
            post.wait(lambda taken: len(set(taken)) == 7)
            before = len(post.taken)
            with smtplib.LMTP("127.0.0.1", own_dovecot.lmtp_port) as lmtp:
                deliver(lmtp, reply_address(parse(values, tmp_path), tokens["Ana"]), "ana@x.test", "morsure Bob")
                deliver(lmtp, "jeu@x.test", "inconnue@y.test", "bonjour")
                deliver(lmtp, "jeu@x.test", "mailer-daemon@y.test", "undelivered " + tokens["Bob"])
            post.wait(lambda taken: {"ana@x.test", "inconnue@y.test"} <= set(taken[before:]))
            shown = command_lines()
            assert str(file) in shown
            assert service.poll() is None

        kept(tmp_path, "the-wr0ng-password")
        with running(file, {**environment, "MAILGM_SMTP_PASSWORD": "wr0ng-too"}, tmp_path / "second.log"):
            await_line(tmp_path / "second.log", "refuses the login")
    finally:
        post.server.stop()
    said = "".join((tmp_path / f"{name}.log").read_text(encoding="utf-8") for name in ("first", "second"))
    assert "the service runs for jeu@x.test" in said
    secrets = [own_dovecot.password, smtp_password, "the-wr0ng-password", "wr0ng-too", *tokens.values()]
    assert len(secrets) > 8
    for secret in secrets:
        assert secret not in shown
        assert secret not in said


def start_game(settings: Config) -> dict[str, str]:
    """A game that has begun, its mails waiting; gives the reply tokens by name."""
    ctx = open_context(settings)
    names = ("Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny")
    addresses = ("ana", "bob", "chloe", "denis", "elise", "fanny")
    players = [
        SignUp(name, f"{address}@x.test", "fr", "Europe/Paris")
        for name, address in zip(names, addresses, strict=True)
    ]  # fmt: skip
    create(ctx, NewGame(name="manoir", game="dracula", players=players, gm_address="mj@x.test", options={"rounds": 1}))
    begin(ctx, "manoir")
    with ctx.db.read() as tx:
        live = ctx.load(tx, "manoir", for_update=False)
        tokens = {seat.name: seat.token for seat in seats.of_game(tx, live.record.id) if seat.name in names}
    ctx.db.close()
    return {**tokens, "MJ": live.record.gm_token}


class running:
    """The service as a process of its own, told to stop at the end."""

    def __init__(self, file: Path, environment: dict[str, str], log: Path) -> None:
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "mailgm", "run", "--verbose", "--config", str(file)],
                env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def __enter__(self) -> subprocess.Popen[bytes]:
        return self.process

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(WAIT)
        finally:
            self.process.kill()
            self.process.wait()


def await_line(log: Path, words: str) -> None:
    """Come back once a log holds some words."""
    ended = threading.Event()
    timer = threading.Timer(WAIT, ended.set)
    timer.start()
    try:
        while words not in log.read_text(encoding="utf-8"):
            assert not ended.wait(0.05), log.read_text(encoding="utf-8")
    finally:
        timer.cancel()


def deliver(lmtp: smtplib.LMTP, recipient: str, sender: str, text: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, recipient, "Re: Manoir"
    mail["Message-ID"] = f"<{abs(hash((recipient, sender, text)))}@y.test>"
    mail.set_content(text)
    lmtp.sendmail(sender, [recipient], mail.as_bytes())
