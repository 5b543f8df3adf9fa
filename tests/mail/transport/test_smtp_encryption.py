"""Logging in and sending through TLS, against aiosmtpd with a certificate of its own."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from mailgm.demo.processes import self_signed
from mailgm.mail import smtp
from mailgm.mail.smtp import Delivery, SmtpSender, SmtpSettings

# The server warns that it would take a login without TLS: here TLS is around it.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")

MAIL = smtp.Envelope("k", "jeu@x.test", "ana@y.test", b"Subject: s\r\n\r\nbody\r\n")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return self_signed(tmp_path_factory.mktemp("tls"))


class Taken:
    """What the server has taken, and whether it came encrypted."""

    def __init__(self) -> None:
        self.encrypted: list[bool] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.encrypted.append(session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None)
        return "250 OK"


def authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: LoginPassword) -> AuthResult:
    return AuthResult(success=(data.login, data.password) == (b"jeu", "clé".encode()), handled=False)


def send(
    certificate: tuple[Path, Path], implicit: bool, settings: Callable[[int], SmtpSettings]
) -> tuple[Delivery, Taken]:
    async def run() -> tuple[Delivery, Taken]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        taken = Taken()
        loop = asyncio.get_running_loop()

        def session() -> SMTP:
            return SMTP(
                taken, loop=loop, authenticator=authenticate, auth_required=True, auth_require_tls=not implicit,
                tls_context=None if implicit else context, require_starttls=not implicit,
            )  # fmt: skip

        server = await loop.create_server(session, "127.0.0.1", 0, ssl=context if implicit else None)
        async with server, SmtpSender(settings(server.sockets[0].getsockname()[1])) as sender:
            return await sender.send(MAIL), taken

    return asyncio.run(run())


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_mail_goes_encrypted_with_a_login(certificate: tuple[Path, Path], security: smtp.Security) -> None:
    delivery, taken = send(
        certificate,
        security == "tls",
        lambda port: SmtpSettings("127.0.0.1", port, security, "jeu", "clé", ca_file=certificate[0]),
    )
    assert delivery.status == "sent", delivery
    assert taken.encrypted == [True]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_stops_it(
    certificate: tuple[Path, Path], security: smtp.Security
) -> None:
    delivery, taken = send(
        certificate, security == "tls", lambda port: SmtpSettings("127.0.0.1", port, security, "jeu", "clé")
    )
    assert (delivery.status, delivery.config_problem) == ("temporary", True)
    assert "certificate" in delivery.text
    assert taken.encrypted == []


def test_unless_it_is_not_to_be_checked(certificate: tuple[Path, Path]) -> None:
    delivery, _ = send(
        certificate, True, lambda port: SmtpSettings("127.0.0.1", port, "tls", "jeu", "clé", verify=False)
    )
    assert delivery.status == "sent"


def test_a_certificate_for_another_name_stops_it(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def elsewhere(self: asyncio.BaseEventLoop, *_: object, **__: object) -> list[object]:
        return [(2, 1, 6, "", ("127.0.0.1", port))]

    port = 0

    def settings(free: int) -> SmtpSettings:
        nonlocal port
        port = free
        return SmtpSettings("smtp.other.test", free, "tls", "jeu", "clé", ca_file=certificate[0])

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", elsewhere)
    delivery, taken = send(certificate, True, settings)
    assert (delivery.status, delivery.config_problem) == ("temporary", True)
    assert taken.encrypted == []


def test_a_wrong_password_is_for_somebody_to_put_right(certificate: tuple[Path, Path]) -> None:
    delivery, taken = send(
        certificate, True, lambda port: SmtpSettings("127.0.0.1", port, "tls", "jeu", "faux", ca_file=certificate[0])
    )
    assert (delivery.status, delivery.code, delivery.config_problem) == ("temporary", 535, True)
    assert taken.encrypted == []
