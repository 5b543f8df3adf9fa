"""A letter comes in: who is it, what was understood, what is answered."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mailgm.service import hearing, intake
from mailgm.store import Database
from tests.service.world import World, answers_to, header, message, words


def test_an_order_is_taken_and_answered_once_in_its_thread(night: World) -> None:
    letter = night.write("Bob", "boudoir")
    (reply,) = night.mails()
    assert reply.recipient == "joueur2@example.net"
    assert "Vous irez au boudoir" in words(reply)
    assert night.game.orders.of("Bob", "aller").args == {"room": "boudoir"}
    assert header(reply, "In-Reply-To") == "<1@example.net>"
    assert message(reply)["References"].split()[-1] == "<1@example.net>"
    assert header(reply, "Auto-Submitted") == "auto-replied"
    assert answers_to(reply) == night.address("Bob")
    assert night.letter(letter).code == "order"


def test_the_reply_says_what_was_refused_what_was_not_understood_and_until_when(night: World) -> None:
    night.write("Bob", "boudoir\nmordre Ana\nabracadabra\n")
    text = words(night.mails()[0])
    assert "Vous irez au boudoir" in text
    assert "mordre Ana" in text
    assert "abracadabra" in text
    assert "mardi 3 mars à 21 h 00 (heure de Paris)" in text


def test_a_later_order_replaces_the_earlier_one(night: World) -> None:
    night.write("Bob", "boudoir")
    night.write("Bob", "non, finalement : geôles")
    night.write("Bob", "geôles")
    assert night.game.orders.of("Bob", "aller").args == {"room": "geoles"}


def test_a_message_delivered_twice_counts_once(night: World) -> None:
    night.write("Bob", "boudoir", headers={"Message-ID": "<same@example.net>"})
    night.mails()
    assert night.write("Bob", "boudoir", headers={"Message-ID": "<same@example.net>", "Received": "by another"}) == 0
    assert night.mails() == []


def test_a_letter_handled_again_after_a_crash_changes_nothing(night: World) -> None:
    letter = night.write("Bob", "boudoir")
    night.mails()
    before = night.live.record.version
    assert intake.handle(night.ctx, night.letter(letter)) is False
    assert night.live.record.version == before
    assert night.mails() == []


def test_an_order_counts_by_its_arrival_and_not_by_the_hour_it_is_read(night: World) -> None:
    deadline = night.live.record.deadline
    night.write("Bob", "boudoir", at=deadline - timedelta(seconds=1), handle=False)
    night.write("Chloé", "boudoir", at=deadline, handle=False)
    night.hour = deadline + timedelta(hours=5)
    night.look()
    assert night.game.phase == "night-1.dracula"
    replies = {mail.recipient: words(mail) for mail in night.mails() if mail.key.startswith("letter/")}
    assert "Vous irez au boudoir" in replies["joueur2@example.net"]
    assert "Vous irez" not in replies["joueur3@example.net"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List-Id": "<list.example.org>"},
        {"Return-Path": "<>"},
        {"Subject": "Réponse automatique : absente jusqu'au 12"},
        {"X-Mailgm-Loop": "0" * 32},
    ],
    ids=lambda headers: next(iter(headers)),
)
def test_robots_lists_and_our_own_mail_get_no_answer_and_give_no_order(night: World, headers: dict[str, str]) -> None:
    letter = night.write("Bob", "boudoir", headers=headers)
    told = {mail.recipient for mail in night.mails()}
    assert told == ({"mj@example.com"} if headers.keys() & {"Precedence", "List-Id"} else set())
    assert night.game.orders.of("Bob") is None
    assert night.letter(letter).code == "robot"


@pytest.mark.parametrize("mark", [{"Precedence": "bulk"}, {"List-Unsubscribe": "<mailto:stop@example.org>"}], ids=str)
def test_an_order_that_a_program_has_marked_as_bulk_mail_is_not_lost_unseen(night: World, mark: dict[str, str]) -> None:
    night.write("Bob", "boudoir", headers=mark)
    (told,) = night.mails()
    assert told.recipient == "mj@example.com"
    assert "à l'adresse secrète de Bob ressemble à un ordre" in words(told)
    assert "boudoir" not in words(told)


@pytest.mark.parametrize(
    ("text", "headers"),
    [("Je suis en vacances.", {"Precedence": "bulk"}), ("boudoir", {"Auto-Submitted": "auto-replied"})],
)
def test_the_game_master_is_not_bothered_with_what_machines_write(
    night: World, text: str, headers: dict[str, str]
) -> None:
    night.write("Bob", text, headers=headers)
    assert night.mails() == []


def test_a_game_master_who_plays_does_not_learn_from_a_marked_letter_who_is_asked(
    database: Database, tmp_path: Path
) -> None:
    world = World(database, tmp_path).start(settings={"blind": True})
    world.mails()
    world.write("Bob", "boudoir", headers={"Precedence": "bulk"})
    assert world.mails() == []


def test_a_bare_from_is_not_believed_and_the_real_player_is_told(night: World) -> None:
    letter = night.deliver("jeu@example.org", "boudoir", sender="joueur2@example.net")
    told = {mail.recipient: words(mail) for mail in night.mails()}
    assert set(told) == {"joueur2@example.net", "mj@example.com"}
    assert "rien ne prouve qu'il vient de vous" in told["joueur2@example.net"]
    assert night.game.orders.of("Bob") is None
    assert night.letter(letter).code == "held"


def test_a_bare_from_is_believed_where_the_configuration_says_so(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path, {"mailbox": {"address": "jeu@example.org", "trust_from": True}}).start()
    world.deliver("jeu@example.org", "boudoir", sender="Bob <JOUEUR2@example.net>")
    assert world.game.orders.of("Bob", "aller").args == {"room": "boudoir"}


def test_a_stranger_gets_one_polite_answer_a_day(night: World) -> None:
    for _ in range(3):
        night.deliver("jeu@example.org", "Bonjour, je peux jouer ?", sender="curieux@example.edu")
    (answer,) = night.mails()
    assert answer.recipient == "curieux@example.edu"
    assert answer.sender == ""
    night.pass_time(hours=25)
    night.mails()
    night.deliver("jeu@example.org", "Toujours pas ?", sender="curieux@example.edu")
    assert [mail.recipient for mail in night.mails()] == ["curieux@example.edu"]


def test_an_empty_message_is_answered_with_what_is_expected(night: World) -> None:
    night.write("Bob", "> boudoir ?\n")
    (reply,) = night.mails()
    assert "rien" in words(reply).lower()
    assert night.game.orders.of("Bob") is None


def test_the_subject_token_serves_where_the_provider_has_no_plus_addresses(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path, {"mailbox": {"address": "jeu@example.org", "plus_addresses": False}}).start()
    first = next(mail for mail in world.mails() if mail.recipient == "joueur2@example.net")
    assert answers_to(first) == "jeu@example.org"
    world.deliver(
        "jeu@example.org",
        "boudoir",
        sender="ailleurs@example.net",
        headers={"Subject": f"RE: {header(first, 'Subject')}"},
    )
    assert world.game.orders.of("Bob", "aller").args == {"room": "boudoir"}


def test_a_message_that_breaks_the_code_is_set_aside_and_the_others_go_on(
    night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = hearing.apply

    def broken(game, given):  # type: ignore[no-untyped-def]
        if given.player == "Bob":
            raise RuntimeError("a fault of ours")
        return whole(game, given)

    monkeypatch.setattr(hearing, "apply", broken)
    bad = night.write("Bob", "boudoir", handle=False)
    good = night.write("Chloé", "geôles", handle=False)
    night.look()
    assert night.letter(bad).state == "aside"
    assert "a fault of ours" in night.letter(bad).error
    assert night.letter(good).code == "order"
    told = {mail.recipient: words(mail) for mail in night.mails()}
    assert "a fault of ours" in told["mj@example.com"]
    assert "joueur2@example.net" not in told

    monkeypatch.setattr(hearing, "apply", whole)
    with night.ctx.db.write() as tx:
        from mailgm.store import letters

        letters.retry(tx)
    night.look()
    assert night.game.orders.of("Bob", "aller").args == {"room": "boudoir"}


def test_answers_to_one_address_are_capped_an_hour(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    config = {"mailbox": {"address": "jeu@example.org"}, "limits": {"answers_per_hour": 3}}
    world = World(database, tmp_path, config).start()
    world.mails()
    for _ in range(5):
        world.write("Bob", "boudoir")
    assert len(world.mails()) == 3
    assert len(world.game.orders.all("aller", player="Bob")) == 1
