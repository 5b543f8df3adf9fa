"""Only its owner: secret addresses, unknown senders, stages, and at least twenty-five forgeries that never play."""

from __future__ import annotations

from email.utils import parseaddr
from pathlib import Path

import pytest

from mailgm.service.directory import reply_address
from mailgm.service.master import shell
from mailgm.store import Database
from tests.service.world import World, header, message, words


def reply_to(mail) -> str:  # type: ignore[no-untyped-def]
    """Where an answer to a mail goes, the mark of the stage included."""
    return parseaddr(str(message(mail)["Reply-To"]))[1]


def test_a_secret_address_used_from_elsewhere_plays_and_its_owner_is_told_at_once(night: World) -> None:
    night.deliver(night.address("Bob"), "boudoir", sender="bob.bureau@example.edu")
    assert night.game.orders.of("Bob", "aller")
    mails = night.mails()
    assert {mail.recipient for mail in mails} == {"joueur2@example.net"}
    assert any("bob.bureau@example.edu" in words(mail) and "pris en compte" in words(mail) for mail in mails)
    night.deliver(night.address("Bob"), "geôles", sender="bob.bureau@example.edu")
    assert len(night.mails()) == 1, "once known, the address is no news"


def test_or_it_is_held_until_the_owner_accepts_the_address(database: Database, tmp_path: Path) -> None:
    config = {"mailbox": {"address": "jeu@example.org", "unknown_sender": "hold"}}
    world = World(database, tmp_path, config).start()
    world.mails()
    letter = world.deliver(world.address("Bob"), "boudoir", sender="bob.bureau@example.edu")
    (told,) = world.mails()
    assert told.recipient == "joueur2@example.net"
    assert world.game.orders.of("Bob") is None
    assert world.letter(letter).code == "held"
    world.write("Bob", "accepter bob.bureau@example.edu")
    world.deliver(world.address("Bob"), "boudoir", sender="bob.bureau@example.edu")
    assert world.game.orders.of("Bob", "aller")


def test_a_game_masters_command_from_elsewhere_is_held_where_the_configuration_says_so(
    database: Database, tmp_path: Path
) -> None:
    config = {"mailbox": {"address": "jeu@example.org", "unknown_sender": "hold"}}
    world = World(database, tmp_path, config).start()
    world.mails()
    world.deliver(reply_address(world.ctx.config, world.live.record.gm_token), "clore", sender="pirate@example.edu")
    assert world.game.phase == "night-1.rooms"
    assert [mail.recipient for mail in world.mails()] == ["mj@example.com"]


@pytest.mark.parametrize("typed", ["nouvelle adresse", "Nouvelle adresse.", "new address"])
def test_a_player_renews_his_secret_address(night: World, typed: str) -> None:
    old = night.address("Bob")
    night.write("Bob", f"boudoir\n{typed}")
    (reply,) = night.mails()
    new = night.address("Bob")
    assert new != old
    assert reply_to(reply).startswith(new.partition("@")[0])
    assert night.game.orders.of("Bob", "aller")
    night.deliver(old, "geôles", sender="joueur2@example.net")
    assert night.game.orders.of("Bob", "aller").args == {"room": "boudoir"}


def test_the_game_master_renews_his_own_secret_address(night: World) -> None:
    night.write("Bob", "boudoir")
    tonight = reply_to(night.mails_to("Bob")[0])
    old = reply_address(night.ctx.config, night.live.record.gm_token)
    night.command("nouvelle adresse parce que je l'ai fait suivre")
    (reply,) = night.mails()
    assert "répondez désormais à ce message-ci" in words(reply)
    assert "je l'ai fait suivre" in words(reply)
    assert reply_to(reply) == reply_address(night.ctx.config, night.live.record.gm_token) != old
    night.deliver(old, "clore", sender="mj@example.com")
    night.mails()
    assert night.game.phase == "night-1.rooms"
    night.deliver(reply_to(reply), "clore", sender="mj@example.com")
    assert night.game.phase != "night-1.rooms"
    # Nothing changes for the players: an answer to the mail of a moment ago is still of this night.
    assert night.live.record.gm_token != night.live.record.marks_key
    night.deliver(tonight, "état", sender="joueur2@example.net")
    assert reply_to(night.mails_to("Bob")[-1]) == tonight


def test_renewed_from_the_shell_the_new_address_comes_by_mail(night: World) -> None:
    done = shell(night.ctx, night.name, "new address")
    (letter,) = night.mails()
    assert letter.recipient == "mj@example.com"
    assert reply_to(letter) == reply_address(night.ctx.config, done.live.record.gm_token)


def test_an_answer_to_last_nights_mail_is_not_taken_for_tonights(night: World) -> None:
    night.write("Bob", "boudoir")
    last_night = reply_to(night.mails_to("Bob")[0])
    while night.game.phase != "night-2.rooms":
        night.close()
    tonight = reply_to(night.mails_to("Bob")[-1])
    night.deliver(last_night, "geôles", sender="joueur2@example.net")
    (reply,) = night.mails_to("Bob")
    assert night.game.orders.of("Bob", "aller") is None
    assert "étape déjà passée" in words(reply)
    assert reply_to(reply) == tonight
    night.deliver(last_night, "état", sender="joueur2@example.net")
    assert "Tout ce que le jeu vous a dit" in words(night.mails_to("Bob")[0])
    night.deliver(reply_to(reply), "geôles", sender="joueur2@example.net")
    assert night.game.orders.of("Bob", "aller").args == {"room": "geoles"}


def test_silent_phases_of_one_night_share_their_mark(night: World) -> None:
    night.write("Bob", "état")
    before = reply_to(night.mails_to("Bob")[0])
    night.close()
    assert night.game.phase == "night-1.dracula"
    night.write("Bob", "état")
    assert reply_to(night.mails_to("Bob")[0]) == before


ANA = "joueur1@example.net"
BOB = "joueur2@example.net"
PLAIN = "jeu@example.org"
FORGERIES = {
    "bare From": (PLAIN, {"From": BOB}),
    "From with his name": (PLAIN, {"From": f"Bob <{BOB}>"}),
    "Reply-To": (PLAIN, {"From": "x@evil.example", "Reply-To": BOB}),
    "Sender": (PLAIN, {"From": "x@evil.example", "Sender": BOB}),
    "Return-Path": (PLAIN, {"From": "x@evil.example", "Return-Path": f"<{BOB}>"}),
    "display name is the address": (PLAIN, {"From": f'"{BOB}" <x@evil.example>'}),
    "display name is the game name": (PLAIN, {"From": "Bob <x@evil.example>"}),
    "two From addresses": (PLAIN, {"From": f"x@evil.example, {BOB}"}),
    "From twice": (PLAIN, {"From": f"x@evil.example\r\nFrom: {BOB}"}),
    "encoded From": (PLAIN, {"From": "=?utf-8?q?Bob_=3Cjoueur2=40example=2Enet=3E?= <x@evil.example>"}),
    "encoded word with a line feed": (
        PLAIN,
        {"From": "=?utf-8?q?Bob=0AFrom:_joueur2=40example.net?= <x@evil.example>"},
    ),
    "line feed in the subject": (PLAIN, {"From": BOB, "Subject": "=?utf-8?q?vote=0D=0AX-Player:_Bob?="}),
    "homoglyph domain": (PLAIN, {"From": "joueur2@exаmple.net"}),
    "homoglyph local part": (PLAIN, {"From": "jоueur2@example.net"}),
    "upper case and plus": (PLAIN, {"From": "JOUEUR2+x@EXAMPLE.NET"}),
    "comment": (PLAIN, {"From": f"x@evil.example ({BOB})"}),
    "group": (PLAIN, {"From": f"Bob: {BOB};"}),
    "source route": (PLAIN, {"From": f"<@evil.example:{BOB}>"}),
    "no From at all": (PLAIN, {"From": ""}),
    "stolen Message-ID": (PLAIN, {"From": BOB, "In-Reply-To": "STOLEN", "References": "STOLEN"}),
    "own loop mark": (PLAIN, {"From": BOB, "X-Mailgm-Loop": "0" * 32}),
    "guessed token": ("jeu+aaaaaaaaaaaaaaaaaaaa1@example.org", {"From": BOB}),
    "shortened token": ("SHORT", {"From": BOB}),
    "token of another host's local part": ("jeux+TOKEN@example.org", {"From": BOB}),
    "token in the body only": (PLAIN, {"From": BOB}),
    "authentication from below": (
        PLAIN,
        {"From": BOB, "Authentication-Results": "other.example; dmarc=pass header.from=example.net"},
    ),
    "X-Original-From": (PLAIN, {"From": "x@evil.example", "X-Original-From": BOB}),
    "Resent-From": (PLAIN, {"From": "x@evil.example", "Resent-From": BOB}),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_never_plays(night: World, name: str) -> None:
    recipient, headers = FORGERIES[name]
    token = night.seat("Bob").token
    stolen = str(message(night.mails(new=False)[1])["Message-ID"])
    recipient = recipient.replace("SHORT", f"jeu+{token[:-1]}@example.org").replace("TOKEN", token)
    headers = {key: value.replace("STOLEN", stolen) for key, value in headers.items()}
    text = f"boudoir\njeu+{token}@example.org" if "body" in name else "boudoir"
    night.deliver(recipient, text, sender=headers.pop("From"), headers=headers)
    assert len(night.game.standing) == 0
    assert all("boudoir" not in words(mail) for mail in night.mails())


def test_a_nested_message_does_not_speak_for_the_one_inside(night: World) -> None:
    inner = f"From: {BOB}\r\nTo: {night.address('Bob')}\r\nSubject: ordre\r\n\r\nboudoir\r\n"
    raw = (
        f"From: x@evil.example\r\nTo: {PLAIN}\r\nMessage-ID: <n@evil.example>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n'
        f"{inner}\r\n--b--\r\n"
    )
    night.store(raw.encode())
    assert night.game.orders.of("Bob") is None


def test_a_forwarded_mail_does_not_speak_for_its_owner(night: World) -> None:
    """Chloé passes Bob's mail on from her own secret address: what it says is nobody's order."""
    text = f"Regarde :\n\n---------- Forwarded message ---------\nDe : Bob <{BOB}>\nObjet : ordre\n\nboudoir\n"
    night.write("Chloé", text)
    assert len(night.game.standing) == 0


def test_what_the_mail_server_found_forged_is_quarantined_even_with_the_token(
    database: Database, tmp_path: Path
) -> None:
    config = {"mailbox": {"address": "jeu@example.org", "auth_server": "mx.example.org"}}
    world = World(database, tmp_path, config).start()
    world.mails()
    bad = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.net"}
    letter = world.write("Bob", "boudoir", headers=bad)
    assert world.letter(letter).code == "held"
    assert world.game.orders.of("Bob") is None
    assert {mail.recipient for mail in world.mails()} == {BOB, "mj@example.com"}
    world.write("Bob", "boudoir", headers={"Authentication-Results": "mx.example.org; dmarc=pass"})
    assert world.game.orders.of("Bob", "aller")


def test_tokens_are_worth_nothing_after_the_game(night: World) -> None:
    night.command("arrêter")
    night.mails()
    night.write("Bob", "boudoir")
    (reply,) = night.mails()
    assert header(reply, "Subject") == "[Manoir] Dracula"
    assert night.game.over


@pytest.mark.parametrize(
    ("results", "plays"),
    [
        ({"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.net"}, True),
        ({"Authentication-Results": "mx.example.org; dkim=pass header.d=evil.example"}, False),
        ({"Authentication-Results": "other.example; dmarc=pass header.from=example.net"}, False),
        ({}, False),
    ],
)
def test_a_bare_from_that_is_believed_must_be_proven_where_the_mail_server_tells(
    database: Database, tmp_path: Path, results: dict[str, str], plays: bool
) -> None:
    config = {"mailbox": {"address": PLAIN, "trust_from": True, "auth_server": "mx.example.org"}}
    world = World(database, tmp_path, config).start()
    world.deliver(PLAIN, "boudoir", sender=BOB, headers=results)
    assert bool(world.game.orders.of("Bob", "aller")) == plays
