"""An IMAPClient that can be trusted with IDLE.

imapclient 4.1's `idle_check` reads through a buffered file in non-blocking mode, which has three traps: it returns []
at once for ever when the server has closed; it breaks on a line that comes in two segments; it does not see what came
in the same segment as `+ idling`. Here the connection keeps a buffer of its own, through the hooks that imaplib has
for it (`open`, `read`, `readline`), so that a line is only read when it is wanted, whole, and it is known what waits.
"""

from __future__ import annotations

import contextlib
import imaplib
import selectors
import socket
import ssl
import threading
import time
from typing import Any

from imapclient import IMAPClient
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.tls import IMAP4_TLS

MAX_LINE_BYTES = 8_000_000
"""imaplib's own limit, a million bytes, breaks on the search of a box that holds 150,000 mails."""

STOP_CHECK_SECONDS = 0.2
"""How often an IDLE looks whether the service is being stopped."""

LEAVE_SECONDS = 5.0


class _OwnBuffer(imaplib.IMAP4):
    """Reads whole lines and literals from the socket, and can say whether bytes wait."""

    received: bytearray
    source: socket.socket

    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        super().open(host, port, timeout)
        self.received, self.source = bytearray(), self.sock

    def read(self, size: int) -> bytes:
        data = self.received[:size]
        del self.received[:size]
        while len(data) < size:
            chunk = self.sock.recv(min(size - len(data), 1 << 18))
            if not chunk:
                raise self.abort("socket error: EOF")
            data += chunk
        return bytes(data)

    def readline(self) -> bytes:
        if self.sock is not self.source:
            # STARTTLS: bytes that somebody slipped in before the encryption must not be read as if they came after it.
            self.received, self.source = bytearray(), self.sock
        seen = 0
        while (end := self.received.find(b"\n", seen)) < 0:
            seen = len(self.received)
            if seen > MAX_LINE_BYTES:
                raise self.abort(f"a line of more than {MAX_LINE_BYTES} bytes")
            chunk = self.sock.recv(1 << 16)
            if not chunk:
                # imaplib takes an empty line for the end, and half a line for "unterminated".
                end = seen - 1
                break
            self.received += chunk
        line = bytes(self.received[: end + 1])
        del self.received[: end + 1]
        return line

    def waits(self) -> bool:
        """Whether bytes are there that select on the socket would not show."""
        return bool(self.received) or (isinstance(self.sock, ssl.SSLSocket) and self.sock.pending() > 0)


class _Plain(_OwnBuffer, IMAP4WithTimeout):  # type: ignore[misc]
    pass


class _Tls(_OwnBuffer, IMAP4_TLS):  # type: ignore[misc]
    pass


class ImapConnection(IMAPClient):  # type: ignore[misc]
    """IMAPClient with keepalive, without secrets in its debug log, and with an IDLE that neither spins nor breaks.

    host, port; tls: encrypted from the first byte; context: for that and for `starttls`;
    timeout: seconds for connecting and for each read and write.
    """

    def __init__(self, host: str, port: int, *, tls: bool, context: ssl.SSLContext | None, timeout: float) -> None:
        super().__init__(host, port, ssl=tls, ssl_context=context, timeout=timeout)
        self.normalise_times = False  # INTERNALDATE keeps its offset
        self._imap.debug = 0  # imapclient turns on a trace of every line, at the price of formatting each
        _tune(self._imap.sock)
        self.idling = False

    def _create_IMAP4(self) -> imaplib.IMAP4:
        if self.ssl:
            return _Tls(self.host, self.port, self.ssl_context, self._timeout.connect)  # type: ignore[call-arg]
        return _Plain(self.host, self.port, self._timeout.connect)

    def idle_for(self, seconds: float, stop: threading.Event) -> bool | None:
        """IDLE at most `seconds` (RFC 2177); True when a message may have come, None when the server refuses to idle.

        When `stop` is set it comes back at once and leaves the connection idling: it need only be closed then.
        Raises OSError or imaplib's abort when the connection is gone.
        """
        hint = self._start_idle()
        if hint is None:
            return None
        deadline = time.monotonic() + seconds
        while not hint and not self._imap.waits():
            left = deadline - time.monotonic()
            if left <= 0:
                break
            if stop.is_set():
                return False
            if _readable(self._imap.sock, min(left, STOP_CHECK_SECONDS)):
                break
        # Whatever came, even the end of the connection or half a line, is read here: whole lines, with the timeout.
        responses = self.end_idle()
        return hint or any(isinstance(r, tuple) and r[1:2] in ((b"EXISTS",), (b"RECENT",)) for r in responses)

    def _start_idle(self) -> bool | None:
        """Send IDLE; whether a new message was announced before the go-ahead (None: refused)."""
        self._idle_tag = tag = self._imap._command("IDLE")
        self.idling = True
        announced = False
        while (line := self._imap._get_response()) is not None:
            if self._imap.tagged_commands.get(tag):
                self._imap.tagged_commands.pop(tag)
                self.idling = False
                return None
            announced = announced or line.upper().endswith((b" EXISTS", b" RECENT"))
        return announced

    def end_idle(self) -> list[Any]:
        """End an IDLE, if there is one; gives what the server told meanwhile."""
        if not self.idling:
            return []
        _, responses = self.idle_done()
        self.idling = False
        return list(responses)

    def farewell(self) -> str:
        """What the server said when it ended the session by itself; "" where it said nothing."""
        said = self._imap.untagged_responses.get("BYE") or [b""]
        return bytes(said[-1] or b"").decode("utf-8", "replace").strip()

    def leave(self) -> None:
        """Log out, and close; never raises, and takes no more than a few seconds."""
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            if not self.idling:
                self._imap.sock.settimeout(LEAVE_SECONDS)
                self.logout()
                return
        self.cut()

    def cut(self) -> None:
        """Close without a word: for a connection that is broken."""
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            self.shutdown()


def _readable(sock: socket.socket, seconds: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _tune(sock: socket.socket) -> None:
    """Notice within two minutes that the other side is gone, and do not hold back half a command.

    A NAT drops quiet connections without a word; imapclient sends a command and its line end one after the other.
    """
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
