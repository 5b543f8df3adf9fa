"""Players who live on a forum: the game master forwards their messages, and pastes what they are to get."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from mailgm.store import games, seats
from tests.service.world import World, message, words

NOTICE = """---------- Forwarded message ---------
De : Forum des Loups <noreply@forum.example>
Date: Mon, 02 Mar 2026 20:58:00 +0100
Objet : Nouveau message privé de Bob
À : <mj@example.com>

Bonjour MJ,

Vous avez reçu un nouveau message privé de Bob sur "Forum des Loups" :

------------------------
boudoir
------------------------

Vous pouvez voir le message ici : https://forum.example/ucp.php?i=pm
"""


@pytest.mark.parametrize(
    "text",
    [
        NOTICE,
        "joueur: Bob\nboudoir",
        '[quote="Bob"]boudoir[/quote]',
        '[quote="Bob, post:3, topic:12"]\nboudoir\n[/quote]',
        "player : bob\nballroom",
    ],
    ids=["phpBB", "joueur:", "BBCode", "Discourse", "player:"],
)
def test_what_the_game_master_passes_on_counts_for_its_author(night: World, text: str) -> None:
    night.command(text)
    (reply,) = night.mails()
    assert night.game.orders.of("Bob", "aller")
    assert reply.recipient == "mj@example.com"
    assert "Pris pour Bob" in words(reply)


def test_what_cannot_be_told_apart_is_asked_back_and_answered_with_one_word(night: World) -> None:
    night.command("joueur: Bobby Lapointe\nboudoir")
    (question,) = night.mails()
    assert "de quel joueur" in words(question)
    assert night.game.orders.of("Bob") is None
    night.command("Bob", headers={"In-Reply-To": str(message(question)["Message-ID"])})
    assert night.game.orders.of("Bob", "aller").args == {"room": "boudoir"}


def test_a_player_cannot_pass_on_for_another(night: World) -> None:
    night.write("Chloé", "joueur: Bob\nboudoir")
    assert night.game.orders.of("Bob") is None


@pytest.mark.parametrize("trusted", [True, False])
def test_the_forums_hour_counts_where_the_game_trusts_it(database, tmp_path, trusted: bool) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path).start(settings={"forum_dates": trusted})
    deadline = world.live.record.deadline
    dated = NOTICE.replace("Mon, 02 Mar 2026 20:58:00 +0100", "Tue, 03 Mar 2026 20:30:00 +0100")
    world.hour = deadline + timedelta(minutes=20)
    world.command(dated)
    if trusted:
        assert world.game.phase == "night-1.rooms"
        assert world.game.orders.of("Bob", "aller")
    else:
        assert world.game.phase == "night-1.dracula"
        assert world.game.orders.of("Bob") is None


def test_what_a_player_of_the_forum_is_to_get_goes_to_the_game_master_as_bbcode(night: World) -> None:
    with night.ctx.db.write() as tx:
        for name in ("Bob", "Chloé"):
            seats.save(tx, replace(night.seat(name), forum=True))
        games.save(tx, night.live.record, night.hour)
    while night.game.phase != "day-2.vote":
        night.close()
    mails = night.mails()
    assert not [mail for mail in mails if mail.recipient in ("joueur2@example.net", "joueur3@example.net")]
    pasted = [mail for mail in mails if mail.key.endswith("/forum")]
    assert pasted
    assert all(mail.recipient == "mj@example.com" for mail in pasted)
    last = words(pasted[-1])
    assert "Bob" in last
    assert "Chloé" in last
    assert "[b]" in last
    assert "jeu+" not in last.partition("Pour jouer à leur place")[0]


def test_a_player_without_an_address_breaks_nothing_and_one_who_gets_it_plays_by_mail(night: World) -> None:
    with night.ctx.db.write() as tx:
        seats.save(tx, replace(night.seat("Bob"), forum=True, email=""))
        games.save(tx, night.live.record, night.hour)
    stolen = night.address("Bob")
    letters = [night.command("nouvelle adresse: Bob"), night.deliver(stolen, "boudoir", sender="pirate@example.edu")]
    letters.append(night.deliver(night.address("Bob"), "boudoir", sender="pirate@example.edu"))
    assert [night.letter(letter).code for letter in letters] == ["gm", "stranger", "stranger"]
    assert night.game.orders.of("Bob") is None
    night.command("remplacer Bob par Zoé zoe@example.net")
    night.mails()
    night.command("dire bonsoir")
    assert "zoe@example.net" in {mail.recipient for mail in night.mails()}
