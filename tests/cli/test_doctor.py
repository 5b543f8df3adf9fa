"""`mailgm doctor` against real servers: all is well, and each thing that can be wrong with its advice."""

from __future__ import annotations

import email
import smtplib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from imapclient import IMAPClient

from mailgm.cli import main
from mailgm.config import parse, written
from mailgm.demo.processes import free_ports
from mailgm.demo.servers import Dovecot, Postfix
from mailgm.service.context import utc_now
from mailgm.service.doctor import examine
from mailgm.service.doctor_mail import examine_mail
from mailgm.service.finding import Finding
from mailgm.store import open_database

pytestmark = [
    pytest.mark.xdist_group("mail servers"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]

BOX = "docteur@doctor.test"
WAIT = 20.0


@pytest.fixture
def values(dovecot: Dovecot, postfix: Postfix, tmp_path: Path) -> dict[str, dict[str, Any]]:
    """The settings of an installation that is well."""
    secret = tmp_path / "secret"
    secret.write_text(f"{dovecot.password}\n", encoding="utf-8")
    secret.chmod(0o600)
    imap = {"host": "127.0.0.1", "port": dovecot.imaps_port, "ca_file": str(dovecot.certificate)}
    return {
        "mailbox": {"address": BOX},
        "imap": {**imap, "user": BOX, "password_file": "secret"},
        "smtp": {"host": "127.0.0.1", "port": postfix.port, "security": "none"},
        "maildir": {}, "database": {}, "paths": {},
    }  # fmt: skip


@pytest.fixture
def box(dovecot: Dovecot) -> Iterator[IMAPClient]:
    """The mailbox, to see what is left in it."""
    with IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False) as client:
        client.login(BOX, dovecot.password)
        client.select_folder("INBOX")
        yield client


def local(values: dict[str, dict[str, Any]], folder: Path, check: str) -> Finding:
    """What the doctor finds first of one check; later ones, those of the mail above all, are not begun."""
    file = folder / "config.toml"
    file.write_text(written(values), encoding="utf-8")
    return next(finding for finding in examine(parse(values, folder), file) if finding.check == check)


class Report:
    """What the doctor says of the mail with some settings."""

    def __init__(
        self,
        values: dict[str, dict[str, Any]],
        folder: Path,
        wait: float = WAIT,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self.findings = list(examine_mail(parse(values, folder), now, wait))

    def of(self, check: str) -> Finding:
        """The one finding of a check, or the first that is not well."""
        found = [finding for finding in self.findings if finding.check == check]
        return next((finding for finding in found if finding.status != "ok"), found[0])

    def wrong(self) -> list[str]:
        """The checks that are not well."""
        return [finding.check for finding in self.findings if finding.status in ("wrong", "untested")]


def test_an_installation_that_is_well(
    values: dict[str, dict[str, Any]], tmp_path: Path, box: IMAPClient, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(written(values), encoding="utf-8")
    assert main(["doctor", "--config", str(file), "--wait", str(WAIT)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok ") for line in lines)
    checks = [line.split()[1].rstrip(":") for line in lines]
    assert checks == [
        "configuration", "secrets", "database", "games", "templates", "IMAP", "folders", "clock", "SMTP", "round",
    ]  # fmt: skip
    for folder in ("INBOX", "mailgm-processed"):
        box.select_folder(folder)
        assert box.search() == [], f"something is left in {folder}"
    assert not (tmp_path / "mailgm.sqlite").exists()


def test_a_database_that_is_in_use_is_well_too(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path / 'mailgm.sqlite'}").close()
    found = local(values, tmp_path, "database")
    assert (found.status, "up to date" in found.text) == ("ok", True)


def test_a_postgresql_database_is_well(values: dict[str, dict[str, Any]], tmp_path: Path, database_url: str) -> None:
    values["database"]["url"] = database_url
    found = local(values, tmp_path, "database")
    assert found.status == "ok", found
    assert "is empty" in found.text or "will be made" in found.text


# What can be wrong here ---------------------------------------------------------------------------------------------


def test_settings_that_do_not_fit_together(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["mailbox"]["address"] = "docteur"
    values["imap"]["verify"] = False
    file = tmp_path / "config.toml"
    findings = takewhile(lambda finding: finding.check == "configuration", examine(parse(values, tmp_path), file))
    address, verify = list(findings)
    assert "[mailbox] address" in address.text
    assert "[imap] verify = false" in verify.text
    assert Report(values, tmp_path).wrong() == ["round trip"]


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_password_that_others_can_read(values: dict[str, dict[str, Any]], tmp_path: Path, mode: int) -> None:
    (tmp_path / "secret").chmod(mode)
    found = local(values, tmp_path, "secrets")
    assert found.status == "wrong"
    assert found.advice == f"chmod 600 {tmp_path / 'secret'}"


def test_a_password_in_a_configuration_that_others_can_read(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["imap"].update(password_file="", password="demo")
    (tmp_path / "config.toml").touch(0o644)
    assert local(values, tmp_path, "secrets").advice == f"chmod 600 {tmp_path / 'config.toml'}"
    assert Report(values, tmp_path).of("IMAP").status == "ok"


def test_a_password_file_that_is_not_there(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "secret").unlink()
    assert str(tmp_path / "secret") in local(values, tmp_path, "secrets").text
    assert Report(values, tmp_path).of("IMAP").status == "wrong"


def test_a_permission_that_has_not_been_given_yet(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["imap"]["password_file"] = ""
    values["oauth"] = {"provider": "microsoft", "client_id": "mailgm"}
    found = local(values, tmp_path, "secrets")
    assert found.status == "wrong"
    assert "mailgm login" in found.advice
    values["oauth"]["client_id"] = ""
    assert "[oauth] client_id" in local(values, tmp_path, "configuration").text


def test_a_signature_without_its_key(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["dkim"] = {"domain": "doctor.test", "selector": "jeu", "key_file": "absent.pem"}
    found = local(values, tmp_path, "configuration")
    assert found.status == "wrong"
    assert "absent.pem" in found.text


def test_a_database_whose_folder_is_missing(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["database"]["url"] = "sqlite:///nowhere/mailgm.sqlite"
    found = local(values, tmp_path, "database")
    assert found.status == "wrong"
    assert "nowhere/mailgm.sqlite" in found.text
    assert "Make the folder" in found.advice


def test_a_database_server_that_is_away(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["database"]["url"] = f"postgresql://jeu:geheim@127.0.0.1:{free_ports(1)[0]}/jeu"
    found = local(values, tmp_path, "database")
    assert found.status == "wrong"
    assert "refused" in found.text
    assert "geheim" not in found.text + found.advice


@pytest.mark.parametrize(("revision", "words"), [("0000", "brings it up to date"), ("9999", "a later one")])
def test_tables_of_another_version(
    values: dict[str, dict[str, Any]], tmp_path: Path, revision: str, words: str
) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'mailgm.sqlite'}")
    with database.write() as tx:
        tx.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
    database.close()
    found = local(values, tmp_path, "database")
    assert found.status == "wrong"
    assert words in found.advice


def test_a_file_that_is_no_database(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "mailgm.sqlite").write_bytes(b"Ceci n'est pas une base." * 100)
    found = local(values, tmp_path, "database")
    assert found.status == "wrong"
    assert "not a database" in found.text


def test_a_reworded_template_with_a_slip(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["paths"]["templates"] = "mots"
    (tmp_path / "mots" / "fr" / "dracula").mkdir(parents=True)
    (tmp_path / "mots" / "fr" / "dracula" / "dawn.md").write_text("Aube\n\n{{ day\n", encoding="utf-8")
    found = local(values, tmp_path, "templates")
    assert found.status == "wrong"
    assert "dawn.md:3" in found.text


def test_small_words_that_are_no_toml(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["paths"]["templates"] = "mots"
    (tmp_path / "mots" / "fr" / "common").mkdir(parents=True)
    (tmp_path / "mots" / "fr" / "common" / "words.toml").write_text("and = et\n", encoding="utf-8")
    found = local(values, tmp_path, "templates")
    assert found.status == "wrong"
    assert "words.toml" in found.text


@pytest.mark.parametrize("kind", ["variants", "templates"])
def test_a_folder_of_ones_own_that_is_not_there(values: dict[str, dict[str, Any]], tmp_path: Path, kind: str) -> None:
    values["paths"][kind] = "absent"
    found = local(values, tmp_path, "games" if kind == "variants" else kind)
    assert found.status == "wrong"
    assert f"[paths] {kind}" in found.text


def test_a_game_of_ones_own_that_does_not_load(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["paths"]["variants"] = "jeux"
    (tmp_path / "jeux" / "phare").mkdir(parents=True)
    (tmp_path / "jeux" / "phare" / "variant.toml").write_text("id = phare\n", encoding="utf-8")
    found = local(values, tmp_path, "games")
    assert found.status == "wrong"
    assert "phare cannot be loaded" in found.text


# What can be wrong with the mailbox ---------------------------------------------------------------------------------


def _password(values: dict[str, dict[str, Any]], dovecot: Dovecot) -> None:
    values["imap"].update(password_file="", password="faux")


def _certificate(values: dict[str, dict[str, Any]], dovecot: Dovecot) -> None:
    values["imap"]["ca_file"] = ""


def _no_tls_there(values: dict[str, dict[str, Any]], dovecot: Dovecot) -> None:
    values["imap"]["port"] = dovecot.imap_port


def _nobody_there(values: dict[str, dict[str, Any]], dovecot: Dovecot) -> None:
    values["imap"]["port"] = free_ports(1)[0]


def _folder(values: dict[str, dict[str, Any]], dovecot: Dovecot) -> None:
    values["imap"]["folder"] = "Parties"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_password, "Check user and password"),
        (_certificate, "ca_file"),
        (_no_tls_there, "Check port and security"),
        (_nobody_there, "Connection refused"),
        (_folder, "Check its name"),
    ],
)
def test_a_mailbox_that_cannot_be_read(
    values: dict[str, dict[str, Any]],
    dovecot: Dovecot,
    tmp_path: Path,
    spoil: Callable[[dict[str, dict[str, Any]], Dovecot], None],
    words: str,
) -> None:
    spoil(values, dovecot)
    report = Report(values, tmp_path)
    found = report.of("IMAP")
    assert found.status == "wrong"
    assert words in f"{found.text}. {found.advice}"
    assert "faux" not in found.text
    assert report.wrong() == ["IMAP", "folders", "clock", "round trip"]


def test_a_processed_folder_that_cannot_be_made(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["imap"]["processed_folder"] = "x" * 300
    found = Report(values, tmp_path).of("folders")
    assert found.status == "wrong"
    assert "processed_folder" in found.advice


@pytest.mark.parametrize(("hours", "way"), [(1, "ahead of"), (-1, "behind")])
def test_a_clock_that_is_wrong(values: dict[str, dict[str, Any]], tmp_path: Path, hours: int, way: str) -> None:
    found = Report(values, tmp_path, now=lambda: utc_now() + timedelta(hours=hours)).of("clock")
    assert found.status == "wrong"
    assert way in found.text
    assert "timedatectl" in found.advice


def test_the_clock_may_be_in_another_time_zone(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    elsewhere = datetime.now(UTC).astimezone(tz=None).tzinfo
    assert Report(values, tmp_path, now=lambda: datetime.now(elsewhere)).of("clock").status == "ok"


# What can be wrong with sending -------------------------------------------------------------------------------------


class Odd:
    """An SMTP server that takes mail for one mailbox of a Dovecot, and does with it what a test wants."""

    def __init__(self, dovecot: Dovecot, does: str) -> None:
        self.dovecot, self.does = dovecot, does

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, _: Any) -> str:
        if self.does == "refuse plus" and "+" in address:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_MAIL(self, server: SMTP, session: Session, envelope: Envelope, address: str, _: Any) -> str:
        if self.does == "refuse sender":
            return "553 5.7.1 sender address rejected: not owned by user"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        if self.does == "bounce":
            mark = email.message_from_bytes(content)["Message-ID"]
            report = (
                f"From: MAILER-DAEMON@doctor.test\r\nTo: {BOX}\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\n"
                "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n"
                "Content-Type: text/plain\r\n\r\nno such user\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
                f"Message-ID: {mark}\r\n--b--\r\n"
            )
            with smtplib.LMTP("127.0.0.1", self.dovecot.lmtp_port) as lmtp:
                lmtp.sendmail("", [BOX], report.encode())
        if self.does == "spam":
            with IMAPClient("127.0.0.1", self.dovecot.imap_port, ssl=False) as client:
                client.login(BOX, self.dovecot.password)
                client.append("Junk", content)
        return "250 OK"


@pytest.fixture
def odd(dovecot: Dovecot, values: dict[str, dict[str, Any]]) -> Iterator[Callable[..., None]]:
    """Puts an odd SMTP server into the settings."""
    running: list[Controller] = []

    def start(does: str, **others: Any) -> None:
        (port,) = free_ports(1)
        controller = Controller(Odd(dovecot, does), hostname="127.0.0.1", port=port, **others)
        controller.start()
        running.append(controller)
        values["smtp"]["port"] = port

    yield start
    for controller in running:
        controller.stop()


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("refuse plus", "no such user"),
        ("refuse sender", "not owned by user"),
        ("drop", "did not arrive within 2 s"),
        ("bounce", "came back undelivered"),
    ],
)
def test_plus_addresses_that_do_not_work_are_to_be_switched_off(
    values: dict[str, dict[str, Any]], odd: Callable[..., None], tmp_path: Path, box: IMAPClient, does: str, words: str
) -> None:
    odd(does)
    report = Report(values, tmp_path, wait=2.0)
    found = report.of("round trip")
    assert report.wrong() == ["round trip"]
    assert words in found.text
    assert "plus_addresses = false" in found.advice
    box.select_folder("INBOX")
    assert box.search() == []


def test_without_plus_addresses_the_plain_address_is_tried(
    values: dict[str, dict[str, Any]], odd: Callable[..., None], tmp_path: Path
) -> None:
    values["mailbox"]["plus_addresses"] = False
    found = Report(values, tmp_path).of("round trip")
    assert found.status == "ok", found
    assert f"a mail to {BOX} was there" in found.text
    odd("drop")
    assert "webmail" in Report(values, tmp_path, wait=1.0).of("round trip").advice


def test_mail_that_goes_to_spam(
    values: dict[str, dict[str, Any]], odd: Callable[..., None], tmp_path: Path, box: IMAPClient
) -> None:
    box.create_folder("Junk")
    odd("spam")
    found = Report(values, tmp_path).of("round trip")
    assert found.status == "wrong"
    assert "Junk" in found.text


def test_a_login_that_the_smtp_server_refuses(
    values: dict[str, dict[str, Any]], odd: Callable[..., None], tmp_path: Path
) -> None:
    odd(
        "take", authenticator=lambda *_: AuthResult(success=False, handled=False), auth_required=True,
        auth_require_tls=False,
    )  # fmt: skip
    values["smtp"].update(user=BOX, password_file="secret")
    report = Report(values, tmp_path)
    assert report.wrong() == ["SMTP", "round trip"]
    assert "app password" in report.of("SMTP").advice


def test_an_smtp_server_that_is_not_there(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["smtp"]["port"] = free_ports(1)[0]
    report = Report(values, tmp_path)
    assert report.wrong() == ["SMTP", "round trip"]
    assert "Check host, port" in report.of("SMTP").advice


# A Maildir, and the providers' traps --------------------------------------------------------------------------------


def test_a_maildir_is_tested_in_its_own_way(
    values: dict[str, dict[str, Any]], dovecot: Dovecot, tmp_path: Path
) -> None:
    values["imap"] = {}
    values["maildir"]["path"] = "absent"
    report = Report(values, tmp_path)
    assert report.wrong() == ["Maildir", "round trip"]
    for name in ("new", "cur", "tmp"):
        (tmp_path / "boite" / name).mkdir(parents=True)
    values["maildir"]["path"] = "boite"
    assert "did not arrive" in Report(values, tmp_path, wait=1.0).of("round trip").text


def test_a_maildir_that_mail_arrives_in(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / "boite" / name).mkdir(parents=True)

    class ToDisk:
        async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
            (tmp_path / "boite" / "new" / "1.mail").write_bytes(envelope.original_content or b"")
            return "250 OK"

    values["imap"], values["maildir"]["path"] = {}, "boite"
    (values["smtp"]["port"],) = free_ports(1)
    controller = Controller(ToDisk(), hostname="127.0.0.1", port=values["smtp"]["port"])
    controller.start()
    try:
        assert Report(values, tmp_path).wrong() == []
    finally:
        controller.stop()
    assert list((tmp_path / "boite" / "new").iterdir()) == []


def test_the_known_traps_of_the_provider_are_named(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    values["mailbox"]["address"] = "partie@outlook.fr"
    values["imap"]["host"] = values["smtp"]["host"] = ""
    findings = examine(parse(values, tmp_path), tmp_path / "config.toml")
    notes = [finding.text for finding in findings if finding.status == "note"]
    assert any("mailgm login" in note for note in notes)
