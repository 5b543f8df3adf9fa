"""Real mail servers on loopback ports, for the demo and for the tests.

Every mailbox appears when it is first used, all have the one password, mail for whatever domain is delivered here, and
plus-addresses reach the base mailbox with Delivered-To kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self

from mailgm.demo.dovecot import Dovecot
from mailgm.demo.dovecot import installed as dovecot_installed
from mailgm.demo.postfix import Postfix
from mailgm.demo.postfix import installed as postfix_installed
from mailgm.demo.processes import HOST, START_SECONDS, ServerError, short_folder, stop
from mailgm.engine.said import say

__all__ = [
    "Dovecot",
    "MailServer",
    "Postfix",
    "PymapServer",
    "ServerError",
    "SmtpToLmtp",
    "dovecot_installed",
    "local_mail_server",
    "postfix_installed",
    "short_folder",
]


class _Embedded:
    """A child process that says its ports when it is ready, and ends with us."""

    def __init__(self, arguments: list[str]) -> None:
        self.host = HOST
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mailgm.demo.embedded", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        try:
            self._ports = self._said()
        except ServerError:
            self.close()
            raise

    def _said(self) -> dict[str, int]:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            line = self._process.stdout.readline() if selector.select(START_SECONDS) else b""
        if not line:
            self._errors.seek(0)
            said = self._errors.read().decode(errors="replace")[-2000:]
            raise ServerError(
                say(
                    'the mail server in Python does not start (it needs `pip install "mailgm[demo]"`): {said}',
                    said=said,
                )
            )
        ports: dict[str, int] = json.loads(line)
        return ports

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop it."""
        stop(self._process)
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                pipe.close()


class PymapServer(_Embedded):
    """pymap and aiosmtpd in one process of their own: IMAP and SMTP without anything but pip; mail is in memory."""

    def __init__(self, *, password: str = "demo") -> None:
        super().__init__(["--password", password])
        self.password = password
        self.imap_port, self.smtp_port = self._ports["imap"], self._ports["smtp"]


class SmtpToLmtp(_Embedded):
    """aiosmtpd before an LMTP server: SMTP for a Dovecot where there is no Postfix."""

    def __init__(self, lmtp_port: int) -> None:
        super().__init__(["--lmtp", str(lmtp_port)])
        self.port = self._ports["smtp"]


@dataclass
class MailServer:
    """A running mail server without encryption on loopback ports; `close` stops all of it.

    kind: what it is made of. password: that of every mailbox.
    """

    imap_host: str
    imap_port: int
    smtp_host: str
    smtp_port: int
    password: str
    kind: Literal["dovecot", "pymap"]
    _parts: contextlib.ExitStack = field(repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the servers."""
        self._parts.close()


def local_mail_server(folder: Path | None = None, *, kind: Literal["dovecot", "pymap"] | None = None) -> MailServer:
    """Start a mail server: Dovecot where it is installed, else pymap; `kind` asks for one of them.

    folder: where Dovecot keeps its files (short path, and open to the user nobody when we are root); None: one of its
    own, removed when the server is closed. Raises ServerError when it does not start.
    """
    with contextlib.ExitStack() as stack:
        kind = kind or ("dovecot" if dovecot_installed() else "pymap")
        if kind == "pymap":
            pymap = stack.enter_context(PymapServer())
            imap_port, smtp_port, password = pymap.imap_port, pymap.smtp_port, pymap.password
        else:
            dovecot = stack.enter_context(Dovecot(folder or stack.enter_context(short_folder())))
            relay = stack.enter_context(SmtpToLmtp(dovecot.lmtp_port))
            imap_port, smtp_port, password = dovecot.imap_port, relay.port, dovecot.password
        return MailServer(HOST, imap_port, HOST, smtp_port, password, kind, stack.pop_all())
