"""Every mail of the corpora through the whole service: no crash, no answer to a machine, the right seat marked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path

import pytest

from mailgm.mail.reader import read
from mailgm.service import caps, intake
from mailgm.service.directory import reply_address
from mailgm.store import open_database
from tests.service.world import World, message

ROOT = Path(os.environ.get("MAILGM_CORPUS") or Path(__file__).resolve().parents[3] / "shared" / "corpus")
WRITTEN_BY_MACHINES = ("sisimai/bsd", "sisimai/err", "flufl_bounce/mails")
WRITTEN_BY_PEOPLE = ("crisp_reply", "email_reply_trimmer", "github_reply", "willdurand_reply", "zapier_reply", "talon")
ANSWERS = ".json", ".tsv", ".list", ".md"
BOB = "joueur2@example.net"
PLAYERS = {f"joueur{place}@example.net" for place in range(1, 7)}
PEOPLE = PLAYERS | {"mj@example.com"}


@pytest.fixture(autouse=True)
def corpus() -> None:
    """The corpora are no part of this repository."""
    if not ROOT.is_dir():
        pytest.skip(f"no mail corpora at {ROOT.name}; set MAILGM_CORPUS to their folder")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A game whose caps do not hide an answer."""
    monkeypatch.setattr(caps, "STRANGERS_PER_HOUR", 100_000)
    limits = {"answers_per_hour": 1000, "posts_per_hour": 1000, "stranger_answers_per_day": 10}
    with_caps = {"mailbox": {"address": "jeu@example.org"}, "limits": limits}
    database = open_database(f"sqlite:///{tmp_path}/games.sqlite")
    world = World(database, tmp_path, with_caps).start()
    world.mails()
    yield world
    database.close()


def mails(*folders: str) -> list[Path]:
    """The files of some folders of the corpora, or of all of them, the right answers left out."""
    roots = [ROOT / folder for folder in folders] or [ROOT]
    found = (path for root in roots for path in sorted(root.rglob("*")) if path.is_file())
    return [path for path in found if path.suffix not in ANSWERS and "expected" not in path.parts]


def delivered(path: Path, address: str) -> bytes:
    """A file as the server of `address` hands it over; a bare body becomes a mail of Bob's."""
    raw = re.sub(rb"\AFrom [^\n]*\n", b"", path.read_bytes())
    trace = f"Delivered-To: {address}\r\n".encode()
    if re.match(rb"[A-Za-z][A-Za-z0-9-]*:" + (b"" if path.suffix == ".eml" else rb"\s"), raw):
        return trace + raw
    name = "-".join(path.relative_to(ROOT).parts).encode("ascii", "replace").replace(b" ", b"_")
    head = (
        b"From: Bob <" + BOB.encode() + b">\r\nSubject: Re: [Manoir] Dracula\r\nMessage-ID: <" + name + b"@x.test>\r\n"
    )
    return trace + head + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + raw


def hand_over(world: World, raws: Sequence[bytes]) -> list[int]:
    """All of them arrive before the first deadline; few an hour, so that no cap hides anything. 0: a double."""
    start, found = world.hour, []
    for place, raw in enumerate(raws):
        if place % 100 == 99:
            world.hour += timedelta(hours=2)
        found.append(world.store(raw, at=start))
    world.hour = start
    return found


def doors(world: World) -> dict[str, str]:
    return {
        "player": world.address("Bob"),
        "table": world.address("Bob", "table"),
        "game master": reply_address(world.ctx.config, world.live.record.gm_token),
        "nobody": "jeu@example.org",
    }


@pytest.mark.parametrize("door", ["player", "table", "game master", "nobody"])
def test_nothing_crashes_and_no_machine_is_answered(game: World, door: str, caplog: pytest.LogCaptureFixture) -> None:
    files = mails()
    raws = [delivered(path, doors(game)[door]) for path in files]
    ids = hand_over(game, raws)
    written = game.mails()
    answers = {mail.letter_id for mail in written if mail.letter_id is not None}
    for path, raw, id_ in zip(files, raws, ids, strict=True):
        if not id_:
            continue
        letter = game.letter(id_)
        assert (letter.state, letter.error) == ("handled", ""), path
        if not read(raw).answerable:
            assert id_ not in answers, path
            caused = [mail for mail in written if re.match(rf"letter/{id_}(/|$)", mail.key)]
            assert all(mail.recipient == "mj@example.com" for mail in caused), path
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    strangers = {mail.recipient for mail in written} - PEOPLE
    assert door == "nobody" or not strangers, "who has a secret address is no stranger"
    if door != "game master":
        assert game.game.phase == "night-1.rooms"


def test_at_least_98_percent_of_reports_and_automatic_answers_get_no_answer(game: World) -> None:
    files = mails(*WRITTEN_BY_MACHINES)
    ids = hand_over(game, [delivered(path, game.address("Bob")) for path in files])
    answered = {mail.letter_id for mail in game.mails() if mail.letter_id is not None}
    wrong = [path.name for path, id_ in zip(files, ids, strict=True) if id_ in answered]
    assert len(wrong) <= 0.02 * len(files), wrong
    assert not game.game.orders.of("Bob"), "a report gives no order"


def test_a_bounce_marks_its_own_seat_and_the_next_mail_heals_it(game: World) -> None:
    sent = next(mail for mail in game.mails(new=False) if mail.recipient == BOB)
    marked, start = 0, game.hour
    for path in mails(*WRITTEN_BY_MACHINES):
        raw = delivered(path, sent.sender)
        report = read(raw).bounce
        for_good = report is not None and any(recipient.permanent for recipient in report.recipients)
        if game.store(raw, at=start) == 0:
            continue
        told = [mail.recipient for mail in game.mails()]
        states = {seat.name: seat.address_state for seat in game.live.seats if seat.address_state != "ok"}
        assert states == ({"Bob": "bouncing"} if for_good else {}), path
        if for_good:
            assert told == ["mj@example.com"], path
            marked += 1
            game.hour += timedelta(minutes=10)
            game.write("Bob", "état", at=start)
            assert game.seat("Bob").address_state == "ok"
            game.mails()
    assert marked > 200


def test_no_ordinary_mail_is_taken_for_a_bounce(game: World) -> None:
    files = [path for path in mails(*WRITTEN_BY_PEOPLE) if path.suffix in (".txt", ".eml")]
    raws = [delivered(path, game.address("Bob")) for path in files]
    ids = hand_over(game, raws)
    codes = {path: game.letter(id_).code for path, id_ in zip(files, ids, strict=True) if id_}
    assert [path.name for path, code in codes.items() if code == "bounce"] == []
    assert game.seat("Bob").address_state == "ok"
    people = [path for path, raw in zip(files, raws, strict=True) if parseaddr(str(read(raw).sender))[1] == BOB]
    assert len([path for path in people if codes.get(path) in ("order", "nothing")]) >= 0.98 * len(people)


def test_a_flood_within_the_hour_is_answered_up_to_the_cap(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/games.sqlite")
    world = World(database, tmp_path).start()
    world.mails()
    for door in doors(world).values():
        for path in mails("crisp_reply", "email_reply_trimmer"):
            world.store(delivered(path, door), handle=False)
    intake.handle_waiting(world.ctx)
    sent = [mail.recipient for mail in world.mails()]
    cap = world.ctx.config.limits.answers_per_hour
    assert sent
    for address in {*sent}:
        # Answers and warnings have a cap each; so have what the table passes on.
        assert sent.count(address) <= 2 * cap + world.ctx.config.limits.posts_per_hour, address
    assert all(message(mail)["Auto-Submitted"] for mail in world.mails(new=False))
    database.close()
