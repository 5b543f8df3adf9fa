"""The service as a guest: in a mailbox with a person's own mail in it, and on a small machine."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from imapclient import IMAPClient

from tests.proof.conftest import MakeStage
from tests.proof.stage import Stage
from tests.proof.test_crash import running

OWN = b"From: Tante Lise <lise@example.org>\r\nTo: jeu@example.org\r\nSubject: Nouvelles\r\n\r\nBonjour !\r\n"


def own_mail(scene: Stage) -> dict[bytes, tuple[bytes, ...]]:
    """What lies in the inbox: subject line → flags."""
    with IMAPClient(scene.server.imap_host, scene.server.imap_port, ssl=False) as box:
        box.login(scene.address, scene.server.password)
        box.select_folder("INBOX", readonly=True)
        found = box.fetch(box.search(), ["FLAGS", "BODY.PEEK[HEADER.FIELDS (SUBJECT)]"])
        return {
            one[b"BODY[HEADER.FIELDS (SUBJECT)]"].strip(): tuple(flag for flag in one[b"FLAGS"] if flag != b"\\Recent")
            for one in found.values()
        }


def test_what_was_in_the_mailbox_before_is_left_alone(stage: MakeStage) -> None:
    scene = stage()
    now = datetime.now(UTC)
    with IMAPClient(scene.server.imap_host, scene.server.imap_port, ssl=False) as box:
        box.login(scene.address, scene.server.password)
        ages = {"an": timedelta(days=400), "hier": timedelta(days=1), "heure": timedelta(hours=1)}
        for name, age in ages.items():
            box.append("INBOX", OWN.replace(b"Nouvelles", name.encode()), msg_time=now - age)
    scene.open(options={"first_day": False})
    before = own_mail(scene)
    assert len(before) == len(ages)
    for _ in range(2):
        with scene.service():
            scene.write("Bruno", "boudoir")
            scene.settled()
        assert own_mail(scene) == before
    assert scene.live.running.orders.of("Bruno", "aller") is not None
    assert len(scene.letters()) == 2
    assert not any("lise" in mail.recipient for mail in scene.mails())
    # What a stranger writes now is answered as ever.
    with scene.service():
        scene.deliver(scene.address, OWN.replace(b"Nouvelles", b"maintenant"), "lise@example.org")
        scene.wait(lambda: any("lise" in mail.recipient for mail in scene.mails()), "an answer to the stranger")
        scene.wait(lambda: own_mail(scene) == before, "the new message is put away")


def test_what_was_in_the_maildir_before_is_left_alone(stage: MakeStage, tmp_path: Path) -> None:
    box = tmp_path / "Maildir"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    own = [box / "new" / "1.host", box / "cur" / "2.host:2,"]
    for path in own:
        path.write_bytes(OWN.replace(b"\r\n", b"\n"))
        hour = (datetime.now(UTC) - timedelta(hours=3)).timestamp()
        os.utime(path, (hour, hour))
    scene = stage(imap={"host": ""}, maildir={"path": str(box)}).open(options={"first_day": False})
    with scene.service():
        raw = scene.write("Bruno", "boudoir", send=False)
        (box / "new" / "3.host").write_bytes(raw)
        scene.settled()
    assert all(path.exists() for path in own)
    assert not (box / "new" / "3.host").exists()
    assert len(scene.letters()) == 1
    assert scene.live.running.orders.of("Bruno", "aller") is not None


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_service_at_rest_takes_less_than_80_megabytes(stage: MakeStage) -> None:
    scene = stage().open(13, options={"fill_seats": "draw"}, deal={})
    with running(scene):
        scene.settled()
    with running(scene) as child:
        scene.write("Bruno", "état")
        scene.settled()
        status = Path(f"/proc/{child.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    print(f"at rest: {int(found[1]) / 1024:.0f} MB")
    assert int(found[1]) < 80 * 1024
