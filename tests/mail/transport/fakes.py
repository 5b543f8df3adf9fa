"""Servers that say what a test wants them to say, when it wants: what real ones rarely do on demand."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

HOST = "127.0.0.1"
READ_SECONDS = 20


class Line:
    """One connection, from the server's side."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._received = b""
        self.last = ""
        sock.settimeout(READ_SECONDS)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, *texts: str | bytes) -> None:
        """Send in one segment; lines end as they must."""
        self.sock.sendall(b"".join(t if isinstance(t, bytes) else t.encode() + b"\r\n" for t in texts))

    def read(self) -> str:
        """Read one line; raises ConnectionError when the client is gone."""
        while b"\n" not in self._received:
            chunk = self.sock.recv(65536)
            if not chunk:
                raise ConnectionError
            self._received += chunk
        line, _, self._received = self._received.partition(b"\n")
        return line.decode().rstrip("\r")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()


class Scripted:
    """Listens on a free port and runs `talk` in a thread for each connection."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.connections = 0
        self.faults: list[BaseException] = []
        self._listener = socket.create_server((HOST, 0))
        self.port = self._listener.getsockname()[1]
        self._lines: list[Line] = []
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            line = Line(sock)
            self._lines.append(line)
            thread = threading.Thread(target=self._serve, args=(line,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, line: Line) -> None:
        with contextlib.suppress(OSError):
            try:
                self.talk(line)
            except Exception as error:
                if not isinstance(error, OSError):
                    self.faults.append(error)
                raise
            finally:
                line.close()

    def talk(self, line: Line) -> None:
        raise NotImplementedError

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for line in self._lines:
            line.close()
        for thread in self._threads:
            thread.join(READ_SECONDS)
        assert not self.faults, self.faults


@dataclass
class Mail:
    """One message of the scripted mailbox."""

    uid: int
    raw: bytes = b"From: a@x.test\r\nSubject: s\r\n\r\nbody\r\n"
    date: str = "01-Dec-2026 10:00:00 +0000"
    flags: set[str] = field(default_factory=set)
    size: int | None = None


Answer = Callable[["ScriptedImap", Line, str, str], object]


class ScriptedImap(Scripted):
    """A small IMAP server. `answers` replaces its behaviour command by command ("UID MOVE", "IDLE", "SELECT", ...)."""

    def __init__(self, *mails: Mail, capabilities: str = "IDLE MOVE UIDPLUS", **answers: Answer) -> None:
        self.mails = {mail.uid: mail for mail in mails}
        self.capabilities = capabilities
        self.answers = {name.replace("_", " "): answer for name, answer in answers.items()}
        self.uidvalidity = 7
        self.permanent_flags = r"\Deleted \Seen \*"
        self.folders = {"INBOX"}
        self.idling = threading.Event()
        super().__init__()

    def talk(self, line: Line) -> None:
        line.send("* OK scripted")
        while True:
            said = line.read()
            self.heard.append(said)
            tag, _, command = said.partition(" ")
            name, _, arguments = command.partition(" ")
            if name == "UID":
                verb, _, arguments = arguments.partition(" ")
                name = f"UID {verb}"
            answer = self.answers.get(name) or getattr(type(self), "do_" + name.lower().replace(" ", "_"), None)
            if answer is None:
                line.send(f"{tag} BAD unknown {name}")
            elif answer(self, line, tag, arguments) == "close" or name == "LOGOUT":
                return

    def commands(self, word: str) -> list[str]:
        """The commands heard that hold a word, without their tags."""
        return [said.partition(" ")[2] for said in self.heard if word in said]

    # How it behaves unless it is told otherwise

    def do_capability(self, line: Line, tag: str, _: str) -> None:
        line.send(f"* CAPABILITY IMAP4rev1 {self.capabilities}", f"{tag} OK done")

    def do_login(self, line: Line, tag: str, _: str) -> None:
        line.send(f"{tag} OK logged in")

    def do_logout(self, line: Line, tag: str, _: str) -> None:
        line.send("* BYE bye", f"{tag} OK done")

    def do_list(self, line: Line, tag: str, arguments: str) -> None:
        wanted = arguments.split()[-1].strip('"')
        if wanted in self.folders:
            line.send(f'* LIST () "/" "{wanted}"')
        line.send(f"{tag} OK done")

    def do_create(self, line: Line, tag: str, arguments: str) -> None:
        self.folders.add(arguments.strip('"'))
        line.send(f"{tag} OK done")

    def do_subscribe(self, line: Line, tag: str, _: str) -> None:
        line.send(f"{tag} OK done")

    def do_select(self, line: Line, tag: str, _: str) -> None:
        line.send(
            f"* {len(self.mails)} EXISTS",
            "* 0 RECENT",
            f"* OK [UIDVALIDITY {self.uidvalidity}] ok",
            f"* OK [PERMANENTFLAGS ({self.permanent_flags})] ok",
            f"{tag} OK [READ-WRITE] done",
        )

    def do_uid_search(self, line: Line, tag: str, arguments: str) -> None:
        keyword = re.search(r"UNKEYWORD (\S+)", arguments)
        found = [
            uid
            for uid, mail in sorted(self.mails.items())
            if r"\Deleted" not in mail.flags and not (keyword and keyword[1] in mail.flags)
        ]
        line.send(" ".join(["* SEARCH", *map(str, found)]), f"{tag} OK done")

    def do_uid_fetch(self, line: Line, tag: str, arguments: str) -> None:
        for number, mail in self._named(arguments):
            if "BODY" in arguments:
                cut = re.search(r"<0\.(\d+)>", arguments)
                raw = mail.raw[: int(cut[1])] if cut else mail.raw
                item = "BODY[]<0>" if cut else "BODY[]"
                line.send(f"* {number} FETCH (UID {mail.uid} {item} {{{len(raw)}}}\r\n".encode() + raw + b")\r\n")
            else:
                size = len(mail.raw) if mail.size is None else mail.size
                line.send(f'* {number} FETCH (UID {mail.uid} INTERNALDATE "{mail.date}" RFC822.SIZE {size})')
        line.send(f"{tag} OK done")

    def do_uid_move(self, line: Line, tag: str, arguments: str) -> None:
        self._remove(arguments)
        line.send(f"{tag} OK done")

    def do_uid_copy(self, line: Line, tag: str, _: str) -> None:
        line.send(f"{tag} OK done")

    def do_uid_store(self, line: Line, tag: str, arguments: str) -> None:
        for _, mail in self._named(arguments):
            mail.flags.update(re.findall(r"\((.*)\)", arguments)[0].split())
        line.send(f"{tag} OK done")

    def do_uid_expunge(self, line: Line, tag: str, arguments: str) -> None:
        self._remove(arguments)
        line.send(f"{tag} OK done")

    def do_idle(self, line: Line, tag: str, _: str) -> None:
        line.send("+ idling")
        self.idling.set()
        assert line.read() == "DONE"
        line.send(f"{tag} OK idle done")

    def _named(self, arguments: str) -> Iterator[tuple[int, Mail]]:
        for uid in map(int, arguments.split()[0].split(",")):
            if uid in self.mails:
                yield sorted(self.mails).index(uid) + 1, self.mails[uid]

    def _remove(self, arguments: str) -> None:
        for _, mail in list(self._named(arguments)):
            del self.mails[mail.uid]


class ScriptedSmtp(Scripted):
    """A small SMTP server. `answers[verb]`: what it says, one answer after the other; the last one stays.

    An answer is a text, None (close without a word), or "..." (say nothing and wait). The verbs: GREETING, EHLO, MAIL,
    RCPT, DATA, BODY (after the dot), RSET, AUTH, ...
    """

    DEFAULTS: ClassVar = {
        "GREETING": "220 scripted",
        "EHLO": "250 scripted",
        "MAIL": "250 ok",
        "RCPT": "250 ok",
        "DATA": "354 go on",
        "BODY": "250 taken",
        "RSET": "250 ok",
        "QUIT": "221 bye",
    }

    def __init__(self, **answers: str | bytes | list[str | None] | None) -> None:
        self.answers = {verb: list(a) if isinstance(a, list) else [a] for verb, a in answers.items()}
        self.bodies: list[bytes] = []
        self.silent = threading.Event()
        super().__init__()

    def talk(self, line: Line) -> None:
        if not self._answer(line, "GREETING"):
            return
        while True:
            said = line.read()
            self.heard.append(said)
            verb = said.split()[0].upper() if said.strip() else ""
            if not self._answer(line, verb) or verb == "QUIT":
                return
            if verb == "DATA" and line.last.startswith("354"):
                body = []
                while (text := line.read()) != ".":
                    body.append(text)
                self.bodies.append("\r\n".join(body).encode())
                if not self._answer(line, "BODY"):
                    return

    def _answer(self, line: Line, verb: str) -> bool:
        row = self.answers.get(verb)
        answer = (row.pop(0) if len(row) > 1 else row[0]) if row else self.DEFAULTS.get(verb, "500 what?")
        if answer is None:
            return False
        if answer == "...":
            self.silent.set()
            line.sock.recv(1)
            return False
        line.send(answer)
        line.last = answer if isinstance(answer, str) else ""
        return not line.last.startswith("421")

    def verbs(self) -> list[str]:
        """The verbs heard, in order."""
        return [said.split()[0].upper() for said in self.heard if said.strip()]
