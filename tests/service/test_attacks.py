"""What a cheating player or an outsider tries besides forging: floods, loops, bombs, old mails, hidden words."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mailgm.faults import log_fault
from mailgm.service import caps, post
from mailgm.service.create import NewGame, begin, create
from mailgm.service.directory import reply_address
from mailgm.service.master import shell
from mailgm.service.passing import passable
from mailgm.service.players import SignUp
from mailgm.store import Database, open_database
from tests.service.world import World, header, message, words

ANA, BOB, MJ = "joueur1@example.net", "joueur2@example.net", "mj@example.com"
NO_ONE_SENDER = {
    "two senders": {"From": f"{BOB}, pirate@example.edu"},
    "From twice": {"From": f"{BOB}\r\nFrom: pirate@example.edu"},
    "an empty From": {"From": ""},
    "a From that is no address": {"From": "Bob"},
}


def configured(database: Database, folder: Path, **mailbox: Any) -> World:
    world = World(database, folder, {"mailbox": {"address": "jeu@example.org", **mailbox}}).start()
    world.mails()
    return world


def master_address(world: World) -> str:
    return reply_address(world.ctx.config, world.live.record.gm_token)


def day(world: World) -> World:
    """The second day: the table is open, one votes."""
    while world.game.phase != "day-2.vote":
        world.close()
    world.mails()
    return world


# Only its owner ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["accept", "hold"])
@pytest.mark.parametrize("name", NO_ONE_SENDER)
def test_a_stolen_address_without_one_readable_sender_never_plays(
    database: Database, tmp_path: Path, name: str, policy: str
) -> None:
    world = configured(database, tmp_path, unknown_sender=policy)
    letter = world.deliver(world.address("Bob"), "boudoir", sender="", headers=NO_ONE_SENDER[name])
    assert world.game.orders.of("Bob") is None
    assert world.letter(letter).code == "held"
    assert {mail.recipient for mail in world.mails()} == {BOB, MJ}
    world.deliver(master_address(world), "clore", sender="", headers=NO_ONE_SENDER[name])
    assert world.game.phase == "night-1.rooms"
    assert {mail.recipient for mail in world.mails()} == {MJ}


def test_a_command_from_another_address_than_the_game_masters_is_carried_out_and_he_is_warned(night: World) -> None:
    night.deliver(master_address(night), "état", sender="pirate@example.edu")
    (reply,) = night.mails()
    assert reply.recipient == MJ
    assert "pas venu de votre adresse habituelle" in words(reply)
    night.command("état")
    assert "pas venu de votre adresse habituelle" not in words(night.mails()[0])


def test_what_is_asked_back_and_answered_after_the_step_is_not_taken_for_the_next(night: World) -> None:
    night.command("joueur: Bobby Lapointe\ngeôles")
    (question,) = night.mails()
    while night.game.phase != "night-2.rooms":
        night.close()
    night.mails()
    night.command("Bob", headers={"In-Reply-To": str(message(question)["Message-ID"])})
    assert night.game.orders.of("Bob") is None
    assert "étape déjà passée" in words(night.mails()[0])


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("remplacer Bob par Zoé zoé@exemple.fr", "bad-address"),
        ("remplacer Bob par Zoé zoe@@exemple", "bad-address"),
        ("remplacer Bob par Zo\u202eé zoe@exemple.fr", "bad-name"),
        ("remplacer Bob par Zoé (la vraie) zoe@exemple.fr", "bad-name"),
    ],
)
def test_no_player_gets_a_name_or_an_address_that_no_mail_can_bear(night: World, typed: str, code: str) -> None:
    done = shell(night.ctx, night.name, typed)
    assert [(verdict.status, verdict.code) for verdict in done.verdicts] == [("refused", code)]
    assert night.seat("Bob").email == BOB
    assert night.mails() == []


# Floods and loops ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["accept", "hold"])
def test_who_has_a_secret_address_cannot_flood_its_owner(database: Database, tmp_path: Path, policy: str) -> None:
    world = configured(database, tmp_path, unknown_sender=policy)
    for place in range(100):
        world.deliver(world.address("Bob"), "boudoir", sender=f"robot{place}@example.edu")
        world.deliver(master_address(world), "état", sender=f"robot{place}@example.edu")
    sent = [mail.recipient for mail in world.mails()]
    cap = world.ctx.config.limits.answers_per_hour
    assert 1 <= sent.count(BOB) <= 2 * cap  # warnings, and answers
    assert 1 <= sent.count(MJ) <= 2 * cap
    assert len(world.seat("Bob").known) <= 20


def test_an_outsider_with_forged_senders_gets_few_answers_sent_to_them(night: World) -> None:
    for place in range(100):
        night.deliver("jeu@example.org", "Bonjour", sender=f"victime{place}@example.edu")
    mails = night.mails()
    assert len(mails) == caps.STRANGERS_PER_HOUR
    assert {mail.sender for mail in mails} == {""}
    night.hour = night.hour.replace(hour=night.hour.hour + 2)
    night.deliver("jeu@example.org", "Bonjour", sender="curieux@example.edu")
    assert [mail.recipient for mail in night.mails()] == ["curieux@example.edu"]


@pytest.mark.parametrize("sender", ["jeu@example.org", "JEU@example.org", "jeu+quelqu-un@example.org", "é@example.net"])
def test_our_own_addresses_and_those_nobody_can_write_to_are_not_answered(night: World, sender: str) -> None:
    letter = night.deliver("jeu@example.org", "Bonjour", sender=sender)
    assert night.mails() == []
    assert night.letter(letter).state == "handled"


def test_a_forged_letter_in_the_name_of_somebody_whose_game_is_over_is_answered_to_nobody(
    database: Database, tmp_path: Path
) -> None:
    world = configured(database, tmp_path, auth_server="mx.example.org")
    world.command("arrêter")
    world.mails()
    world.deliver(
        "jeu@example.org",
        "boudoir",
        sender=BOB,
        headers={"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.net"},
    )
    assert world.mails() == []


def test_two_installations_do_not_talk_to_each_other(night: World, tmp_path: Path) -> None:
    """All that another one writes comes here by every door, and all that this one writes goes there."""
    (tmp_path / "other").mkdir()
    other = World(open_database(f"sqlite:///{tmp_path}/other/games.sqlite"), tmp_path).start()
    for world in (night, other):
        world.write("Bob", "boudoir")
        world.command("état")
        world.deliver("jeu@example.org", "Bonjour", sender="curieux@example.edu")
    ours, theirs = night.mails(new=False), other.mails(new=False)
    for here, written in ((night, theirs), (other, ours)):
        for door in (here.address("Bob"), here.address("Bob", "table"), master_address(here), "jeu@example.org"):
            for mail in written:
                # It came back from a list or a forwarder: not even its own address stands in it.
                raw = mail.content.replace(b"<jeu@example.org>", b"<autre@example.com>")
                here.store(f"Delivered-To: {door}\r\nComments: {door}\r\n".encode() + raw)
        assert here.mails() == []
    other.ctx.db.close()


def test_a_player_whose_robot_answers_the_table_is_passed_on_up_to_a_cap(database: Database, tmp_path: Path) -> None:
    limits = {"posts_per_hour": 5, "answers_per_hour": 3}
    world = World(database, tmp_path, {"mailbox": {"address": "jeu@example.org"}, "limits": limits}).start()
    day(world)
    for place in range(20):
        world.post("Bob", f"Je suis en congé, message {place}")
    mails = world.mails()
    passed = [mail for mail in mails if mail.recipient == ANA]
    told = [mail for mail in mails if mail.recipient == BOB and mail.letter_id is not None]
    assert len(passed) == 5
    assert len(told) == 3
    assert all("pas été transmis" in words(mail) for mail in told)
    world.post("Chloé", "Bonjour")
    assert any(mail.recipient == ANA for mail in world.mails())


def test_a_message_that_breaks_the_reader_is_set_aside_and_told_of(
    night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mailgm.mail.reader import reader

    def broken(*_: object) -> None:
        raise KeyError("boudoir")

    monkeypatch.setattr(reader, "choose", broken)
    letter = night.write("Bob", "boudoir")
    assert night.letter(letter).state == "aside"
    assert [mail.recipient for mail in night.mails()] == [MJ]


# Bounces -------------------------------------------------------------------------------------------------------------

REPORT = (
    "From: MAILER-DAEMON@mx.example\r\nTo: {to}\r\nSubject: Undelivered Mail Returned to Sender\r\n{headers}"
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\n\r\nfailed\r\n'
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
    "Final-Recipient: rfc822; {failed}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
)


def report(to: str, failed: str, headers: str = "") -> bytes:
    return REPORT.format(to=to, failed=failed, headers=headers).encode()


def test_a_forged_report_marks_nobody(night: World) -> None:
    for to, headers in (
        ("jeu@example.org", ""),
        ("jeu+b.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@example.org", ""),
        ("jeu@example.org", "In-Reply-To: <guessed@example.org>\r\n"),
        (night.address("Ana"), ""),  # her own address, another's failure
    ):
        night.store(report(to, BOB, headers))
    assert {seat.address_state for seat in night.live.seats} == {"ok"}
    assert night.mails() == []


def test_a_report_to_the_secret_address_marks_its_owner_and_only_mail_of_his_heals_it(night: World) -> None:
    night.store(report(night.address("Bob"), BOB))
    assert night.seat("Bob").address_state == "bouncing"
    assert [mail.recipient for mail in night.mails()] == [MJ]
    night.deliver(night.address("Bob"), "boudoir", sender="ailleurs@example.edu")
    assert night.seat("Bob").address_state == "bouncing", "that says nothing of his own address"
    night.write("Bob", "boudoir")
    assert night.seat("Bob").address_state == "ok"


# What is passed on ---------------------------------------------------------------------------------------------------

EVERYTHING = """On y va ? moi@vrai.example https://suivi.example/p.gif?u=1 [img]https://suivi.example/x.png[/img]
<img src="https://suivi.example/y.png"> ![z](https://suivi.example/z.png) <b>gras</b> piè\u200bge \u202eretourné
https://lettre.example/stop/4f9a8b7c6d5e4f3a2b1c et {address} et [#{token}]

--\u0020
Robert Martin, 06 00 00 00 00

Le lun. 2 mars 2026 à 20:00, Manoir <{address}> a écrit :
> rien que pour moi
"""
NEVER = (
    "vrai.example", "u=1", "x.png", "y.png", "z.png", "<img", "<b>", "4f9a8b7c", "Martin", "06 00",
    "rien que pour moi", "\u202e", "\u200b", "X-Secret", "phone.example",
)  # fmt: skip


def assert_clean(mails: list[Any], token: str, author: str) -> None:
    assert mails
    for mail in mails:
        parts = [part.get_payload(decode=True).decode() for part in message(mail).walk() if not part.is_multipart()]
        heads = "\n".join(f"{name}: {value}" for name, value in message(mail).items())
        text = "\n".join([heads, *parts])
        assert "On y va ?" in text
        assert [word for word in (*NEVER, token, author) if word in text] == []


def test_a_post_carries_nothing_of_its_authors(night: World) -> None:
    day(night)
    token = night.seat("Bob").token
    night.post(
        "Bob",
        EVERYTHING.format(address=night.address("Bob"), token=token),
        headers={"X-Secret": "oui", "Message-ID": "<1@phone.example>", "References": "<0@phone.example>"},
    )
    assert_clean([mail for mail in night.mails() if mail.recipient not in (BOB, MJ)], token, BOB)


def pack(world: World) -> tuple[World, list[str]]:
    """A night of werewolves, and the two whose channel is open."""
    names = ("Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny", "Gus", "Hugo")
    players = [SignUp(name, f"joueur{n}@example.net", "fr", "Europe/Paris") for n, name in enumerate(names, 1)]
    game = NewGame(name=world.name, game="thiercelieux", players=players, gm_address=MJ, seed="7")
    create(world.ctx, replace(game, settings={"title": "Village"}))
    begin(world.ctx, world.name)
    while not (wolves := [name for name in names if post.open_channels(world.live, name)]):
        world.close()
    world.mails()
    return world, wolves


def test_nor_does_what_is_said_in_a_pack_and_no_header_tells_that_it_is_one(world: World) -> None:
    world, (one, other) = pack(world)
    token = world.seat(one).token
    text = EVERYTHING.format(address=world.address(one), token=token)
    world.deliver(world.address(one, "pack"), text, sender=world.seat(one).email)
    heard = [mail for mail in world.mails() if mail.recipient == world.seat(other).email]
    assert_clean(heard, token, world.seat(one).email)
    world.command("dire : bonsoir")
    public = [mail for mail in world.mails() if mail.recipient == world.seat(other).email]
    for name in ("From", "Subject", "Auto-Submitted"):
        assert header(heard[0], name) == header(public[0], name)


def test_nor_do_the_game_masters_words(night: World) -> None:
    token = night.seat("Bob").token
    night.command(f"dire : {BOB} me demande, voyez https://forum.example/v.php?t=3 jeu+{token}@example.org \u202ehop")
    told = [mail for mail in night.mails() if mail.recipient == ANA]
    assert "https://forum.example/v.php?t=3" in words(told[0])
    assert BOB not in words(told[0])
    assert token not in told[0].content.decode().replace("=\r\n", "")


ENDLESS: Mapping[str, str] = {
    "letters": "a" * 63_000,
    "dots": "a." * 31_000,
    "links": "https://" * 7_800,
    "pluses": "+a." * 20_000,
    "at": "a@b" + "-" * 60_000,
    "path": "https://a/" + "a1/" * 20_000,
    "pictures": "[img]" * 12_000,
    "tags": "<a " * 20_000,
    "accents": "e" + "\u0301" * 60_000,
    "votes": "vote Bob et " * 5_000,
    "crossed out": "~~" * 31_000,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_no_text_stops_the_game(night: World, name: str) -> None:
    began = time.process_time()
    passable(ENDLESS[name], 8000)
    for channel in ("private", "table"):
        night.deliver(night.address("Bob", channel), ENDLESS[name], sender=BOB)
    night.command(ENDLESS[name])
    assert time.process_time() - began < 5.0  # by the square of the length it would be a minute
    assert all(night.letter(number).state == "handled" for number in (1, 2, 3))


# Logs ----------------------------------------------------------------------------------------------------------------


def test_a_fault_is_logged_without_what_somebody_wrote(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    order = "mordre Chloé"
    try:
        raise KeyError(order)
    except KeyError as error:
        log_fault(logging.getLogger("mailgm"), error, "letter %d cannot be handled", 12)
    assert "letter 12 cannot be handled (KeyError)" in caplog.text
    assert "test_attacks.py" in caplog.text
    assert "Chloé" not in caplog.text
