"""Signed mail: verified by dkimpy as a receiver would, with the public key from a DNS that stands here."""

from __future__ import annotations

import asyncio
import base64
import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Received

from mailgm.config import ConfigError, parse
from mailgm.mail.compose import OutgoingMail, compose
from mailgm.mail.dkim import Signer
from mailgm.mail.smtp import Envelope, SmtpSender, SmtpSettings
from mailgm.service import access
from mailgm.service.run import open_context
from mailgm.store import Database
from tests.service.world import World

dkim = pytest.importorskip("dkim", reason='pip install "mailgm[dkim]"')

DATE = datetime(2025, 12, 2, 21, 30, tzinfo=UTC)


def openssl(*arguments: str) -> bytes:
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with keys of every kind that somebody might name."""
    folder = tmp_path_factory.mktemp("keys")
    openssl("genrsa", "-out", str(folder / "key.pem"), "2048")
    openssl("rsa", "-in", str(folder / "key.pem"), "-traditional", "-out", str(folder / "pkcs1.pem"))
    openssl("rsa", "-in", str(folder / "key.pem"), "-pubout", "-out", str(folder / "public.pem"))
    openssl("genrsa", "-out", str(folder / "other.pem"), "2048")
    openssl("genpkey", "-algorithm", "ed25519", "-out", str(folder / "ed25519.pem"))
    openssl("genrsa", "-out", str(folder / "short.pem"), "512")
    openssl("genrsa", "-aes256", "-passout", "pass:x", "-out", str(folder / "locked.pem"), "2048")
    (folder / "empty.pem").touch()
    for file in folder.iterdir():
        file.chmod(0o600)
    return folder


@pytest.fixture(scope="module")
def dns(keys: Path) -> Callable[..., bytes | None]:
    """What DNS says of a name."""
    public = base64.b64encode(openssl("rsa", "-in", str(keys / "key.pem"), "-pubout", "-outform", "DER"))

    def record(name: bytes, timeout: float = 5) -> bytes | None:
        return b"v=DKIM1; k=rsa; p=" + public if name == b"mgm._domainkey.example.org." else None

    return record


def signer(keys: Path, file: str = "key.pem") -> Signer:
    return Signer("example.org", "mgm", (keys / file).read_bytes())


def letter(**others: object) -> OutgoingMail:
    known: dict[str, object] = {
        "sender_name": "Le maître du jeu", "sender_address": "jeu@example.org", "recipient": "ana@example.net",
        "subject": "Nuit 1 : à vous, Chloé – et n'oubliez pas le boudoir, ni l'ail, ni la clé", "date": DATE,
        "message_id": "<a@example.org>", "text": "Bonsoir,\n\n  .\n.\nune ligne  \n\n\n", "html": "<p>Bonsoir</p>\n",
    }  # fmt: skip
    return OutgoingMail(**{**known, **others})  # type: ignore[arg-type]


SHAPES = [
    letter(),
    letter(html=""),
    letter(reply_to="jeu+secret@example.org", in_reply_to="<b@example.net>", references=("<c@x.y>", "<b@example.net>")),
]


@pytest.mark.parametrize("mail", SHAPES)
@pytest.mark.parametrize("file", ["key.pem", "pkcs1.pem"])
def test_whoever_receives_it_can_verify_it(
    keys: Path, dns: Callable[..., bytes | None], mail: OutgoingMail, file: str
) -> None:
    signed = signer(keys, file).sign(compose(mail), mail.date)
    assert dkim.verify(signed, dnsfunc=dns)
    assert signed.endswith(compose(mail))
    assert all(len(line) <= 998 for line in signed.split(b"\r\n"))
    assert b"\n" not in signed.replace(b"\r\n", b"")
    tags = dict(part.strip().split("=", 1) for part in _signature(signed).split(";"))
    assert tags["c"] == "relaxed/relaxed"
    assert tags["a"] == "rsa-sha256"
    assert tags["t"] == str(int(DATE.timestamp()))
    assert {name.strip() for name in tags["h"].split(":")} >= {
        "from", "to", "reply-to", "subject", "date", "message-id", "in-reply-to", "references", "mime-version",
        "content-type", "content-transfer-encoding",
    }  # fmt: skip


def _signature(signed: bytes) -> str:
    header = re.match(rb"DKIM-Signature: (.*?)\r\n(?=\S)", signed, re.DOTALL)
    assert header
    return header[1].decode()


@pytest.mark.parametrize("mail", SHAPES)
def test_what_relays_do_does_no_harm(keys: Path, dns: Callable[..., bytes | None], mail: OutgoingMail) -> None:
    signed = signer(keys).sign(compose(mail), mail.date)
    passed = b"Received: from a by b; Tue, 1 Dec 2026 22:00:00 +0100\r\nX-Spam: no\r\n" + signed
    assert dkim.verify(passed.replace(b"\r\nTo: ", b"\r\nto:   ") + b"\r\n\r\n", dnsfunc=dns)


@pytest.mark.parametrize("mail", SHAPES)
@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b"\r\nSubject: ", b"\r\nSubject: Vote pour Bob ", 1),
        lambda raw: raw.replace(b"\r\nFrom: ", b"\r\nFrom: mj@example.net\r\nFrom: ", 1),
        lambda raw: raw.replace(b"\r\nFrom: ", b"\r\nSubject: un autre\r\nFrom: ", 1),
        lambda raw: raw.replace(b"\r\nFrom: ", b"\r\nReply-To: mallory@example.net\r\nFrom: ", 1),
        lambda raw: raw.replace(b"Date: Tue, 02", b"Date: Wed, 03", 1),
        lambda raw: raw.replace(b"\r\nFrom: ", b"\r\nIn-Reply-To: <z@z.z>\r\nFrom: ", 1),
        lambda raw: raw.replace(b"Bonsoir", b"Bonjour"),
        lambda raw: raw + b"PS\r\n",
    ],
)
def test_what_is_changed_on_the_way_shows(
    keys: Path, dns: Callable[..., bytes | None], mail: OutgoingMail, change: Callable[[bytes], bytes]
) -> None:
    signed = signer(keys).sign(compose(mail), mail.date)
    changed = change(signed)
    assert changed != signed
    assert not dkim.verify(changed, dnsfunc=dns)


def test_another_key_is_not_ours(keys: Path, dns: Callable[..., bytes | None]) -> None:
    signed = signer(keys, "other.pem").sign(compose(letter()), DATE)
    assert not dkim.verify(signed, dnsfunc=dns)


def test_a_mail_that_is_written_again_is_the_same_mail(keys: Path) -> None:
    first = signer(keys).sign(compose(letter()), DATE)
    assert signer(keys).sign(compose(letter()), DATE) == first
    assert signer(keys).sign(compose(letter(text="autre\n")), DATE) != first


# In the service -------------------------------------------------------------------------------------------------------


def settings(keys: Path, **others: str) -> dict[str, dict[str, str]]:
    known = {"domain": "example.org", "selector": "mgm", "key_file": str(keys / "key.pem")}
    return {"mailbox": {"address": "jeu@example.org"}, "dkim": {**known, **others}}


def test_every_mail_of_a_game_is_signed_as_it_is_stored_and_arrives_so(
    database: Database, tmp_path: Path, keys: Path, dns: Callable[..., bytes | None]
) -> None:
    """News, replies, and the answer to a stranger; what SMTP hands over is what was stored with the game."""
    world = World(database, tmp_path, settings(keys))
    world.ctx.signer = access.signer(world.ctx.config)
    world.start()
    world.write("Ana", "bonjour, que puis-je faire ?")
    world.deliver("jeu@example.org", "Bonjour, je peux jouer ?", sender="inconnue@example.net")
    mails = world.mails()
    assert {"joueur1@example.net", "mj@example.com", "inconnue@example.net"} <= {mail.recipient for mail in mails}
    assert all(dkim.verify(mail.content, dnsfunc=dns) for mail in mails)

    got: list[bytes] = []

    class Taken:
        async def handle_DATA(self, server: SMTP, session: Session, envelope: Received) -> str:
            got.append(envelope.original_content or b"")
            return "250 OK"

    async def send() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(Taken(), loop=loop), "127.0.0.1", 0)
        post = SmtpSettings("127.0.0.1", server.sockets[0].getsockname()[1], "none", connections=1)
        async with server, SmtpSender(post) as sender:
            for mail in mails:
                assert (await sender.send(Envelope(mail.key, "", mail.recipient, mail.content))).status == "sent"

    asyncio.run(send())
    assert got == [mail.content for mail in mails]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"key_file": "missing.pem"}, "[dkim] key_file: {folder}/missing.pem cannot be read: No such file"),
        ({"key_file": "{keys}/ed25519.pem"}, "ed25519.pem: it holds no private RSA key"),
        ({"key_file": "{keys}/public.pem"}, "public.pem: it holds no private RSA key"),
        ({"key_file": "{keys}/empty.pem"}, "empty.pem: it holds no private RSA key"),
        ({"key_file": "{keys}/locked.pem"}, "locked.pem: the key is protected by a password"),
        ({"key_file": "{keys}/short.pem"}, "short.pem: its key has 512 bits"),
        ({"key_file": ""}, "[dkim] key_file: it is missing"),
        ({"selector": ""}, "[dkim] selector: it is missing"),
        ({"selector": "a b"}, "'a b' is not a selector"),
        ({"domain": ""}, "[dkim] domain: it is missing"),
        ({"domain": "example.net"}, "[dkim] domain: example.net cannot sign for jeu@example.org"),
    ],
)
def test_a_signature_that_cannot_be_made_stops_the_service_at_its_start(
    tmp_path: Path, keys: Path, change: dict[str, str], said: str
) -> None:
    filled = {key: value.format(keys=keys) for key, value in change.items()}
    with pytest.raises(ConfigError) as error:
        open_context(parse(settings(keys, **filled), tmp_path))
    assert said.format(folder=tmp_path) in str(error.value)
    assert "PRIVATE" not in str(error.value)


def test_a_key_that_others_can_read_is_warned_of(tmp_path: Path, keys: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes((keys / "key.pem").read_bytes())
    file.chmod(0o640)
    assert access.signer(parse(settings(keys, key_file="key.pem"), tmp_path)) is not None
    assert f"others on this machine may read {file}" in caplog.text


def test_without_dkim_nothing_is_signed(tmp_path: Path) -> None:
    assert access.signer(parse({"mailbox": {"address": "jeu@example.org"}}, tmp_path)) is None
