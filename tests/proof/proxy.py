"""A TCP proxy that can be told to misbehave: it hangs, cuts, delays, and answers in place of the server."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self


class Cut(Exception):
    """Raised by a rule: the connection ends here."""


class Answer(Exception):
    """Raised by a rule on what the client says: the server does not hear it, and this is the answer."""

    def __init__(self, said: bytes) -> None:
        super().__init__(said)
        self.said = said


Rule = Callable[[bytes], bytes]
"""What becomes of bytes under way; it may raise Cut or Answer, and may take its time."""


class Proxy:
    """Stands before a server of this machine. to_server, to_client: the rules, to be set and changed at any time."""

    def __init__(self, port: int) -> None:
        self._server = port
        self.to_server: Rule = _pass
        self.to_client: Rule = _pass
        self.hanging = threading.Event()
        self.closed = False
        """Set `hanging`: nothing goes through any more, and nobody is told."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._sockets: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closed = True
        self.hanging.clear()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def behave(self) -> None:
        """Be an honest proxy again."""
        self.to_server = self.to_client = _pass
        self.hanging.clear()

    def cut(self) -> None:
        """End all connections."""
        for sock in list(self._sockets):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self.closed:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server))
            except OSError:
                continue
            self._sockets |= {client, server}
            for source, target, inward in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._pump, args=(source, target, inward), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, inward: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                while self.hanging.is_set():
                    time.sleep(0.02)
                try:
                    target.sendall((self.to_server if inward else self.to_client)(data))
                except Answer as answer:
                    source.sendall(answer.said)
                except Cut:
                    break
        for sock in (source, target):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        self._sockets -= {source, target}


def _pass(data: bytes) -> bytes:
    return data
