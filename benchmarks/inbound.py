"""Messages a second from IMAP to the committed reply, against a floor: bare fetch, parse, one commit each.

Both read the same mails from the same server and commit with the same durability (SQLite, synchronous FULL, WAL).
"""

from __future__ import annotations

import email
import smtplib
import sqlite3
import statistics
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

from imapclient import IMAPClient

from benchmarks.measure import report
from mailgm.config import Config
from mailgm.demo.play import ADDRESS, NAMES, configuration
from mailgm.demo.servers import MailServer, local_mail_server
from mailgm.render import Renderer
from mailgm.service.create import NewGame, begin, create
from mailgm.service.directory import reply_address
from mailgm.service.players import SignUp
from mailgm.service.run import inboxes, open_context
from mailgm.service.worker import Worker

MESSAGES = 300
ROOMS = ("boudoir", "salle de bal", "geôles", "salle de torture")


def main() -> None:
    """Print the ratio, the median of five rounds."""
    ours, floors = [], []
    # As in the service, it lives as long as the process: the templates are read and compiled in the first round.
    renderer = Renderer()
    with local_mail_server() as server:
        for turn in range(5):
            with tempfile.TemporaryDirectory() as name:
                floors.append(_floor(server, Path(name), f"floor{turn}@demo.test"))
                ours.append(_service(server, Path(name), renderer))
    mine, floor = statistics.median(ours), statistics.median(floors)
    report("bare fetch + parse + commit", f"{floor:.0f} messages/s")
    report("IMAP to committed reply", f"{mine:.0f} messages/s")
    ratio = statistics.median(one / other for one, other in zip(ours, floors, strict=True))
    report("inbound ratio", f"{ratio:.2f}", "at least 0.4", ratio >= 0.4)


def _mail(sender: str, recipient: str, number: int) -> bytes:
    return (
        f"From: {sender}\r\nTo: {recipient}\r\nSubject: Re: [Demo] Dracula\r\n"
        f"Message-ID: <{number}.{time.time_ns()}@demo.test>\r\n"
        "Date: Tue, 01 Dec 2026 20:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding: 8bit\r\n\r\n"
        f"{ROOMS[number % 4]}\r\n\r\nLe mar. 1 déc. 2026 à 21:04, Le maître du jeu <{ADDRESS}> a écrit :\r\n"
        + "> Bonjour,\r\n> La nuit tombe. Que chacun choisisse sa pièce.\r\n"
        * 10
    ).encode()


def _deliver(server: MailServer, mails: list[tuple[str, str, bytes]]) -> None:
    with smtplib.SMTP(server.smtp_host, server.smtp_port) as smtp:
        for sender, recipient, raw in mails:
            smtp.sendmail(sender, [recipient], raw)


def _floor(server: MailServer, folder: Path, box: str) -> float:
    _deliver(server, [(f"j{n}@demo.test", box, _mail(f"j{n}@demo.test", box, n)) for n in range(MESSAGES)])
    database = sqlite3.connect(folder / "floor.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE mails (id INTEGER PRIMARY KEY, subject TEXT, body TEXT)")
    began = time.perf_counter()
    with IMAPClient(server.imap_host, server.imap_port, ssl=False) as client:
        client.login(box, server.password)
        client.select_folder("INBOX")
        uids = client.search("ALL")
        for start in range(0, len(uids), 100):
            for found in client.fetch(uids[start : start + 100], ["BODY.PEEK[]", "INTERNALDATE"]).values():
                message = email.message_from_bytes(found[b"BODY[]"])
                body = message.get_payload(decode=True)
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    database.execute("INSERT INTO mails (subject, body) VALUES (?, ?)", (message["Subject"], body))
                    database.execute("COMMIT")
    taken = time.perf_counter() - began
    database.close()
    return MESSAGES / taken


def _service(server: MailServer, folder: Path, renderer: Renderer) -> float:
    config: Config = configuration(server, folder)
    ctx = replace(open_context(config), renderer=renderer)
    players = [SignUp(name, f"j{n}@demo.test", "fr", "Europe/Paris") for n, name in enumerate(NAMES[:13])]
    options = {"rounds": 1, "first_day": False}
    create(ctx, NewGame("banc", "dracula", players, "mj@demo.test", options=options))
    live = begin(ctx, "banc")
    seats = live.seats[1:]
    mails = []
    for number in range(MESSAGES):
        seat = seats[number % len(seats)]
        mails.append((seat.email, reply_address(config, seat.token), _mail(seat.email, "x@demo.test", number)))
    _deliver(server, [(sender, to, raw.replace(b"To: x@demo.test", f"To: {to}".encode())) for sender, to, raw in mails])
    done = threading.Event()
    worker = Worker(ctx, inboxes(config, None), 3600, done.set)
    began = time.perf_counter()
    worker.cycle()
    taken = time.perf_counter() - began
    with ctx.db.read() as tx:
        from mailgm.store import letters

        counted = letters.counts(tx)
    assert counted == {"handled": MESSAGES}, counted
    ctx.db.close()
    return MESSAGES / taken
