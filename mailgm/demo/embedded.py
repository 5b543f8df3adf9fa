"""A mail server in Python, run as a process of its own: `python -m mailgm.demo.embedded`.

Two uses. Alone, it is pymap (IMAP, mail in memory) with aiosmtpd (SMTP) before it, so that a demo needs nothing but
pip. With `--lmtp PORT` there is only the SMTP side, which hands everything to a Dovecot. It writes its ports as one
line of JSON when it is ready, and ends when its standard input closes, so that it never outlives who started it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import smtplib
import sys
from argparse import Namespace
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from mailgm.demo.processes import HOST

if TYPE_CHECKING:
    from pymap.backend.dict import Config, Login

SIZE_LIMIT = 20_000_000


class ToLmtp:
    """Hands each recipient's copy to an LMTP server (RFC 2033)."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: smtplib.LMTP | None = None
        self._one_at_a_time = asyncio.Lock()
        self._under_way: set[asyncio.Task[str]] = set()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        # A client that vanishes cancels this; the delivery goes on, and keeps the one connection to itself.
        task = asyncio.create_task(self._in_turn(envelope))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def _in_turn(self, envelope: Envelope) -> str:
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._deliver, envelope)

    def _deliver(self, envelope: Envelope) -> str:
        for fresh in (False, True):
            try:
                if self._connection is None or fresh:
                    self._connection = smtplib.LMTP(HOST, self._port)
                self._connection.sendmail(envelope.mail_from or "", envelope.rcpt_tos, envelope.content or b"")
                return "250 OK"
            except (smtplib.SMTPServerDisconnected, OSError) as error:
                self._connection = None
                said = f"451 4.3.0 no delivery: {error}"
            except smtplib.SMTPRecipientsRefused as error:
                code, text = next(iter(error.recipients.values()))
                return f"{code} {text.decode(errors='replace')}"
            except smtplib.SMTPResponseException as error:
                return f"{error.smtp_code} {error.smtp_error!r}"
        return said


class ToPymap:
    """Appends each recipient's copy to the INBOX of their base mailbox, the way a delivery agent does."""

    def __init__(self, login: Login) -> None:
        self._login = login
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        from pymap.parsing.message import AppendMessage

        now = datetime.now(UTC).replace(microsecond=0)
        for recipient in envelope.rcpt_tos:
            local, _, domain = recipient.lower().rpartition("@")
            user = f"{local.partition('+')[0]}@{domain}"
            trace = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {recipient}\r\n"
            content = envelope.original_content or b""
            async with self._turns[user], open_account(self._login, user) as account:
                await account.append_messages("INBOX", [AppendMessage(trace.encode() + content, now, frozenset())])
        return "250 OK"


@contextlib.asynccontextmanager
async def open_account(login: Login, user: str) -> Any:
    """Open a user's mailboxes from within, making the user on the first use."""
    from pymap.backend.dict import Identity

    add_user(login, user)
    async with Identity(user, login, None, frozenset()).new_session() as account:
        yield account


def add_user(login: Login, user: str) -> None:
    """Any user exists, with the one password."""
    from pymap.user import UserMetadata

    config = login.config
    login.users_dict.setdefault(user, UserMetadata(config, user, password=config.demo_password))


def pymap_server(password: str) -> tuple[Login, Config]:
    """Make a pymap whose users all have the one password, kept as it is: hashing it takes a second a login."""
    from pymap.backend.dict import Config, Identity, Login
    from pysasl.creds.server import ServerCredentials
    from pysasl.hashing import Cleartext

    class AnyUser(Login):
        async def authenticate(self, credentials: ServerCredentials) -> Identity:
            add_user(self, credentials.authcid)
            return await super().authenticate(credentials)

    config = Config(
        Namespace(passlib_cfg=None, proxy_protocol=None),
        host=HOST, port=0, demo_data=False, demo_user="", demo_password=password,
        tls_enabled=False, hash_context=Cleartext(), reject_dnsbl=False,
    )  # fmt: skip
    return AnyUser(config), config


async def serve(password: str, lmtp_port: int | None) -> None:
    """Serve until standard input closes."""
    loop = asyncio.get_running_loop()
    ports: dict[str, int] = {}
    async with contextlib.AsyncExitStack() as stack:
        handler: ToLmtp | ToPymap
        if lmtp_port is None:
            from proxyprotocol.reader import ProxyProtocolReader
            from pymap.imap import IMAPServer

            login, config = pymap_server(password)
            config.apply_context()
            client = ProxyProtocolReader(config.proxy_protocol).get_callback(IMAPServer(login, config))
            imap = await stack.enter_async_context(await asyncio.start_server(client, HOST, 0))
            ports["imap"] = imap.sockets[0].getsockname()[1]
            handler = ToPymap(login)
        else:
            handler = ToLmtp(lmtp_port)
        smtp = await loop.create_server(
            lambda: SMTP(handler, data_size_limit=SIZE_LIMIT, enable_SMTPUTF8=True, ident="mailgm demo", loop=loop),
            HOST, 0,
        )  # fmt: skip
        await stack.enter_async_context(smtp)
        ports["smtp"] = smtp.sockets[0].getsockname()[1]
        print(json.dumps(ports), flush=True)
        await asyncio.to_thread(sys.stdin.buffer.read)


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--password", default="demo", help="the one password of all mailboxes (of this machine only)")
    parser.add_argument("--lmtp", type=int, metavar="PORT", help="hand mail to the LMTP server on this port")
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.password, arguments.lmtp))


if __name__ == "__main__":
    main()
