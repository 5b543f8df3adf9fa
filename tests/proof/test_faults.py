"""Servers that hang, refuse and forget, a full disk, two services: nothing is lost, doubled or out of order."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient
from sqlalchemy import Connection, event

from mailgm.demo.shapes import words_of
from mailgm.service import sender
from mailgm.store import Database, mailboxes
from mailgm.store import database as store
from tests.proof.conftest import MakeStage
from tests.proof.proxy import Answer, Cut, Proxy
from tests.proof.stage import Stage, parsed
from tests.store.cluster import Cluster

NIGHT = {"first_day": False}
ROOMS = {"Bruno": "boudoir", "Chloé": "geôles", "Denis": "torture"}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail that is put off is tried again in half a second, not in a minute."""
    monkeypatch.setattr(sender, "RETRIES", (timedelta(seconds=0.5),))


@pytest.fixture
def behind(stage: MakeStage) -> Any:
    """Makes a stage whose service reaches IMAP or SMTP through a proxy; gives both, and the impatient settings."""
    proxies: list[Proxy] = []

    def make(what: str, **sections: Any) -> tuple[Stage, Proxy, Any]:
        server = stage().server
        proxies.append(Proxy(server.imap_port if what == "imap" else server.smtp_port))
        sections[what] = {**sections.get(what, {}), "port": proxies[-1].port}
        scene = stage(**sections).open(options=NIGHT)
        return scene, proxies[-1], scene.changed(imap={"timeout_seconds": 1}, smtp={"timeout_seconds": 1})

    yield make
    for proxy in proxies:
        proxy.__exit__(None, None, None)


def orders(scene: Stage, send: Callable[[str, str], object] | None = None) -> None:
    for player, room in ROOMS.items():
        (send or scene.write)(player, room)


def stand(scene: Stage) -> None:
    """The orders of all three stand."""
    found = {player: scene.live.running.orders.of(player, "aller") for player in ROOMS}
    assert all(found.values()), found


def away(scene: Stage) -> bool:
    with scene.ctx.db.read() as tx:
        return mailboxes.failing(tx) is not None


# The mailbox ----------------------------------------------------------------------------------------------------------


def test_a_mailbox_that_hangs(behind: Any) -> None:
    scene, proxy, config = behind("imap")
    with scene.service(config):
        scene.settled()
        proxy.hanging.set()
        orders(scene)
        scene.wait(lambda: away(scene), "the mailbox is known to be away")
        proxy.behave()
        scene.settled()
    stand(scene)
    assert scene.faults() == []


def test_a_mailbox_that_breaks_off_in_the_middle_of_a_message(behind: Any) -> None:
    scene, proxy, config = behind("imap")
    broken: list[bytes] = []

    def half(data: bytes) -> bytes:
        if broken and broken[-1]:
            broken.append(b"")
            raise Cut
        if b"BODY[]" in data and len(broken) < 4:
            broken.append(data)
            return data[: len(data) // 2]
        return data

    with scene.service(config):
        scene.settled()
        proxy.to_client = half
        orders(scene)
        scene.settled()
    assert len(broken) == 4
    stand(scene)
    assert scene.faults() == []


def test_a_login_that_is_refused_for_a_while_is_told_to_the_game_master_once(behind: Any) -> None:
    scene, proxy, config = behind("imap")
    refused: list[bytes] = []

    def refuse(data: bytes) -> bytes:
        if b"AUTHENTICATE" in data or b"LOGIN" in data:
            refused.append(data)
            raise Answer(data.split()[0] + b" NO [AUTHENTICATIONFAILED] no longer\r\n")
        return data

    with scene.service(config):
        scene.settled()
        proxy.to_server = refuse
        proxy.cut()
        orders(scene)
        scene.wait(lambda: len(refused) >= 2, "two tries to log in")
        proxy.behave()
        scene.settled()
    stand(scene)
    told = [mail for mail in scene.mails() if "/mailbox" in mail.key]
    assert [mail.recipient for mail in told] == [f"mj@{scene.domain}"]
    assert "boîte aux lettres" in words_of(parsed(told[0].content))
    assert "Vérifiez l'identifiant" in words_of(parsed(told[0].content))
    assert scene.faults() == []


def test_a_mailbox_that_is_numbered_anew(stage: MakeStage) -> None:
    scene = stage(imap={"folder": "jeux"})
    with IMAPClient(scene.server.imap_host, scene.server.imap_port, ssl=False) as box:
        box.login(scene.address, scene.server.password)
        box.create_folder("jeux")
        scene.open(options=NIGHT)
        kept: list[bytes] = []

        def put(player: str, room: str) -> None:
            kept.append(delivered(scene, player, scene.write(player, room, send=False)))
            box.append("jeux", kept[-1])

        with scene.service():
            put("Bruno", "boudoir")
            scene.settled()
            box.delete_folder("jeux")
            box.create_folder("jeux")
            box.append("jeux", kept[0])
            put("Chloé", "geôles")
            put("Denis", "torture")
            scene.settled()
    stand(scene)
    assert scene.faults() == []


def delivered(scene: Stage, player: str, raw: bytes) -> bytes:
    """A message as a mail server leaves it in the mailbox."""
    return f"Delivered-To: {scene.to(player)}\r\n".encode() + raw


def test_a_mailbox_that_is_put_back_from_a_copy(stage: MakeStage) -> None:
    scene = stage().open(options=NIGHT)
    with scene.service():
        orders(scene)
        scene.settled()
        before = [mail.id for mail in scene.mails()]
        with IMAPClient(scene.server.imap_host, scene.server.imap_port, ssl=False) as box:
            box.login(scene.address, scene.server.password)
            box.select_folder("mailgm-processed", readonly=True)
            for one in box.fetch(box.search(), ["BODY.PEEK[]", "INTERNALDATE"]).values():
                box.append("INBOX", one[b"BODY[]"], msg_time=one[b"INTERNALDATE"])
        scene.write("Ana", "état")
        scene.wait(lambda: scene.mailbox(scene.address) == [], "the old mail is put away again")
        scene.settled()
    assert len(scene.mails()) == len(before) + 1
    stand(scene)
    assert scene.faults() == []


def test_the_same_message_in_two_mailboxes(stage: MakeStage, tmp_path: Path) -> None:
    box = tmp_path / "Maildir"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    scene = stage(maildir={"path": str(box)}).open(options=NIGHT)
    with scene.service():
        scene.settled()
        for number, (player, room) in enumerate(ROOMS.items()):
            raw = scene.write(player, room)
            trace = b"Return-Path: <x@example.org>\nReceived: by another way\n"
            (box / "new" / f"{number}.host").write_bytes(trace + raw.replace(b"\r\n", b"\n"))
        scene.settled()
        scene.wait(lambda: not list((box / "new").iterdir()), "the Maildir is drained")
        scene.wait(lambda: scene.mailbox(scene.address) == [], "the mailbox is drained")
        scene.settled()
    stand(scene)
    assert len(scene.letters()) == len(ROOMS)
    assert scene.faults() == []


# The way out ----------------------------------------------------------------------------------------------------------


def test_a_server_that_takes_a_mail_and_then_breaks_off(behind: Any) -> None:
    scene, proxy, config = behind("smtp", smtp={"connections": 1})
    ends: list[int] = []
    cuts: list[int] = []

    def watch(data: bytes) -> bytes:
        if data.endswith(b"\r\n.\r\n"):
            ends.append(1)
        return data

    def swallow(data: bytes) -> bytes:
        if len(ends) > len(cuts) and data.startswith(b"250"):
            cuts.append(1)
            if len(cuts) % 3 == 1 and len(cuts) < 12:
                raise Cut
        return data

    proxy.to_server, proxy.to_client = watch, swallow
    with scene.service(config):
        orders(scene)
        scene.settled()
    doubled = sum(len(scene.mailbox(person.address)) for person in scene.people) - len(scene.mails())
    assert doubled >= 2, "no mail was sent twice: the proxy has cut nothing"
    stand(scene)
    assert scene.faults(doubles=True) == []


def test_a_server_that_puts_mail_off_for_a_minute(behind: Any) -> None:
    scene, proxy, config = behind("smtp")
    put_off: list[bytes] = []

    def later(data: bytes) -> bytes:
        if data.upper().startswith(b"MAIL FROM"):
            put_off.append(data)
            raise Answer(b"451 4.3.2 come back later\r\n")
        return data

    proxy.to_server = later
    with scene.service(config):
        orders(scene)
        scene.wait(lambda: len(put_off) > 20, "every mail is put off, more than once")
        assert not any(mail.state == "sent" for mail in scene.mails())
        proxy.behave()
        scene.settled()
    stand(scene)
    assert scene.faults() == []


def test_a_recipient_who_does_not_exist(behind: Any) -> None:
    scene, proxy, config = behind("smtp")
    nobody = scene.seat("Élise").email

    def refuse(data: bytes) -> bytes:
        if data.upper().startswith(b"RCPT") and nobody.encode() in data:
            raise Answer(b"550 5.1.1 no such user here\r\n")
        return data

    proxy.to_server = refuse
    with scene.service(config):
        scene.settled()
        scene.wait(lambda: scene.seat("Élise").address_state == "bouncing", "the address is marked")
        orders(scene)
        scene.settled()
        told = [mail for mail in scene.mails() if mail.recipient.startswith("mj@") and "bounce" in mail.key]
        assert len(told) == 1
        assert "550 5.1.1 no such user here" in words_of(parsed(told[0].content))
        assert scene.mailbox(nobody) == []
        # She wrote, so her address works again; only what is sent from now on reaches her.
        proxy.behave()
        scene.write("Élise", "état")
        scene.settled()
    assert scene.seat("Élise").address_state == "ok"
    stand(scene)
    assert scene.faults(failed=[nobody]) == []


def test_orders_are_handled_while_the_way_out_hangs(behind: Any) -> None:
    scene, proxy, config = behind("smtp")
    proxy.hanging.set()
    with scene.service(config):
        orders(scene)
        scene.wait(lambda: sum(one.state == "handled" for one in scene.letters()) == len(ROOMS), "all is handled")
        stand(scene)
        assert not any(mail.state == "sent" for mail in scene.mails())
        proxy.behave()
        scene.settled()
    assert scene.faults(doubles=True) == []


# The database ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for the database gives up after a fraction of a second."""
    begin = Database._begin
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(
        Database, "_begin", lambda self, patience, *, writing: begin(self, min(patience, 0.2), writing=writing)
    )


def test_a_disk_that_is_full(stage: MakeStage, caplog: pytest.LogCaptureFixture) -> None:
    scene = stage().open(options=NIGHT)
    full = [False]
    with scene.service() as service:

        @event.listens_for(service.db.engine, "begin")
        def _room(connection: Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count={1 if full[0] else 1_000_000}")

        scene.settled()
        full[0] = True
        for player, room in ROOMS.items():
            scene.write(player, room + "\n\n" + "bla " * 2000)
        scene.wait(lambda: "full" in caplog.text, "the disk is full")
        full[0] = False
        scene.settled()
    stand(scene)
    assert scene.faults() == []


@pytest.mark.usefixtures("impatient")
def test_a_database_that_another_process_locks(stage: MakeStage, caplog: pytest.LogCaptureFixture) -> None:
    scene = stage().open(options=NIGHT)
    with scene.service():
        scene.settled()
        with closing(sqlite3.connect(scene.folder / "games.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            orders(scene)
            scene.wait(lambda: caplog.text.count("database cannot be used") >= 2, "the lock is noticed")
            other.execute("ROLLBACK")
        scene.settled()
    stand(scene)
    assert scene.faults() == []


@pytest.mark.usefixtures("impatient")
def test_a_database_server_that_stops_and_comes_back(
    stage: MakeStage, postgresql: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    scene = stage(postgresql.url()).open(options=NIGHT)
    addresses = {player: scene.to(player) for player in ROOMS}
    messages = {player: scene.write(player, room, send=False) for player, room in ROOMS.items()}
    senders = {player: scene.seat(player).email for player in ROOMS}
    with scene.service():
        scene.settled(0)
        postgresql.stop()
        try:
            for player, raw in messages.items():
                scene.deliver(addresses[player], raw, senders[player])
            scene.wait(lambda: caplog.text.count("database cannot be used") >= 2, "the server is missed")
        finally:
            postgresql.start()
        scene.settled()
    stand(scene)
    assert scene.faults() == []


# Two services ---------------------------------------------------------------------------------------------------------


@pytest.mark.proof
def test_two_services_started_by_mistake(stage: MakeStage, database_url: str) -> None:
    scene = stage(database_url).open(7, span="3s", seed=2)
    with scene.service(), scene.service():
        scene.play(150)
        scene.settled()
    assert scene.live.running.over
    assert scene.faults() == []
