"""The game master in command: by mail and by shell, in both languages, answered and logged."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mailgm.service.master import shell
from mailgm.store import log
from tests.service.world import World, words


def said(world: World, text: str) -> str:
    """What the game master is answered by mail."""
    letter = world.command(text)
    (reply,) = [mail for mail in world.mails() if mail.letter_id == letter]
    assert reply.recipient == "mj@example.com"
    return words(reply)


@pytest.mark.parametrize("word", ["état", "status"])
def test_status_says_who_owes_what(night: World, word: str) -> None:
    night.write("Bob", "boudoir")
    night.mails()
    text = said(night, word)
    assert "Chloé" in text
    assert "night-1.rooms" in text
    assert "Bob" not in text.partition("Étape")[2].partition("Partie")[0]


def test_an_order_for_a_player_is_taken_as_his(night: World) -> None:
    said(night, "ordre Bob: boudoir parce que Bob est en voyage")
    assert night.game.orders.of("Bob", "aller").args == {"room": "boudoir"}


@pytest.mark.parametrize("words_typed", ["prolonger 24h", "extend 24h", "prolonger 1 jour parce que panne"])
def test_extend_moves_the_deadline_and_tells_everybody(night: World, words_typed: str) -> None:
    before = night.live.record.deadline
    letter = night.command(words_typed)
    assert night.live.record.deadline == before + timedelta(hours=24)
    mails = night.mails()
    assert {mail.recipient for mail in mails if mail.letter_id is None} == {
        *(f"joueur{n}@example.net" for n in range(1, 7)),
        "mj@example.com",
    }
    assert [mail.recipient for mail in mails if mail.letter_id == letter] == ["mj@example.com"]


@pytest.mark.parametrize(
    "typed", ["prolonger", "prolonger demain peut-être", "prolonger 500 jours", "prolonger jusqu'à hier"]
)
def test_an_extension_that_cannot_be_is_refused_with_the_reason(night: World, typed: str) -> None:
    before = night.live.record.deadline
    assert said(night, typed)
    assert night.live.record.deadline == before


def test_pause_stops_the_clock_and_resume_gives_back_what_was_left(night: World) -> None:
    night.pass_time(hours=4)
    said(night, "pause")
    assert night.live.record.status == "paused"
    night.pass_time(days=6)
    assert night.game.phase == "night-1.rooms"
    night.write("Bob", "boudoir")
    said(night, "reprendre")
    assert night.live.record.deadline == night.hour + timedelta(hours=20)
    assert night.game.orders.of("Bob", "aller") is not None


def test_close_now(night: World) -> None:
    said(night, "clore")
    assert night.game.phase == "night-1.dracula"


def test_remove_tells_all_and_the_seat_orders_no_more(night: World) -> None:
    said(night, "retirer Fanny parce que injoignable")
    night.write("Fanny", "boudoir")
    assert night.game.orders.of("Fanny") is None


def test_replace_gives_the_seat_another_name_address_and_secret(night: World) -> None:
    night.write("Bob", "boudoir")
    old = night.address("Bob")
    night.mails()
    letter = night.command("remplacer Bob par Gaston gaston@example.net")
    mails = night.mails()
    recap = next(mail for mail in mails if mail.recipient == "gaston@example.net" and mail.letter_id is None)
    assert "Votre rôle : humain" in words(recap) or any("Votre rôle : humain" in words(m) for m in mails)
    assert night.address("Gaston") != old
    assert night.game.orders.of("Gaston", "aller").args == {"room": "boudoir"}
    assert [mail for mail in mails if mail.letter_id == letter]
    night.deliver(old, "geôles", sender="joueur2@example.net")
    assert night.game.orders.of("Gaston", "aller").args == {"room": "boudoir"}
    night.write("Gaston", "geôles")
    assert night.game.orders.of("Gaston", "aller").args == {"room": "geoles"}


def test_back_undoes_to_the_opening_of_a_phase_with_a_note_to_all(night: World) -> None:
    night.write("Bob", "boudoir")
    night.close()
    night.mails()
    night.command("revenir night-1.rooms parce que erreur du MJ")
    assert night.game.phase == "night-1.rooms"
    assert night.game.standing == ()
    told = {mail.recipient for mail in night.mails() if mail.letter_id is None}
    assert "joueur2@example.net" in told
    assert night.live.record.deadline > night.hour


def test_say_to_all_and_to_one(night: World) -> None:
    night.command("dire Bonne chance à tous")
    assert len([mail for mail in night.mails() if "Bonne chance à tous" in words(mail)]) >= 6
    night.command("dire à Bob: pensez à répondre")
    heard = [mail for mail in night.mails() if "pensez à répondre" in words(mail) and mail.letter_id is None]
    assert [mail.recipient for mail in heard] == ["joueur2@example.net"]


def test_stop_ends_the_game_and_later_mail_is_told_so(night: World) -> None:
    said(night, "arrêter")
    assert night.live.record.status == "stopped"
    letter = night.write("Bob", "boudoir")
    assert [mail.letter_id for mail in night.mails()] == [letter]


def test_the_shell_has_the_same_words_and_the_log_says_who_and_why(night: World) -> None:
    shell(night.ctx, night.name, "prolonger 2h parce que coupure de courant")
    night.command("ordre Bob: boudoir")
    with night.ctx.db.read() as tx:
        entries = log.read(tx, night.live.record.id)
    said_by = [(entry.kind, entry.who, entry.payload.get("via"), entry.why) for entry in entries]
    assert ("extend", "gm", "shell", "coupure de courant") in said_by
    assert ("gm", "gm", "mail", "") in said_by


def test_words_that_are_none_are_refused_and_nothing_is_lost(night: World) -> None:
    assert "abracadabra" in said(night, "abracadabra\nétat")


@pytest.fixture
def reviewed(database, tmp_path) -> World:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path).start(settings={"review": "dawn", "review_hours": 10})
    world.write("Bob", "boudoir")
    while world.live.record.status == "running":
        world.mails()
        world.close()
    return world


def test_a_dawn_under_review_goes_to_the_game_master_alone(reviewed: World) -> None:
    mails = reviewed.mails()
    assert {mail.recipient for mail in mails} == {"mj@example.com"}
    assert "L'aube de la nuit 1" in words(mails[-1])
    letter = reviewed.write("Bob", "état")
    (reply,) = [mail for mail in reviewed.mails() if mail.letter_id == letter]
    assert "L'aube de la nuit 1" not in words(reply)


def test_ok_releases_the_dawn(reviewed: World) -> None:
    reviewed.mails()
    reviewed.hour += timedelta(hours=2)
    reviewed.command("ok")
    told = {mail.recipient: words(mail) for mail in reviewed.mails() if mail.letter_id is None}
    assert len(told) == 7
    assert "L'aube de la nuit 1" in told["joueur2@example.net"]
    assert reviewed.live.record.deadline == reviewed.hour + timedelta(hours=24)


def test_the_dawn_goes_out_by_itself_at_its_hour(reviewed: World) -> None:
    reviewed.mails()
    reviewed.pass_time(hours=9)
    assert reviewed.mails() == []
    reviewed.pass_time(hours=1)
    assert len(reviewed.mails()) == 7
    assert reviewed.live.record.status == "running"


def test_redo_opens_the_phase_again_with_its_orders_and_tells_nobody(reviewed: World) -> None:
    from mailgm.service.verify import verify

    reviewed.mails()
    reviewed.command("refaire")
    assert {mail.recipient for mail in reviewed.mails()} == {"mj@example.com"}
    assert reviewed.game.phase.startswith("night-1.")
    reviewed.command("clore")
    assert reviewed.live.record.status == "held"
    reviewed.command("ok")
    assert reviewed.game.phase == "day-2.vote"
    assert verify(reviewed.ctx, reviewed.name).identical


def test_verify_replays_a_game_with_all_of_this(night: World) -> None:
    from mailgm.service.verify import verify

    night.write("Bob", "boudoir")
    night.command("prolonger 2h")
    night.command("remplacer Chloé par Zoé zoe@example.net")
    night.close()
    night.command("revenir night-1.rooms")
    night.write("Zoé", "geôles")
    for _ in range(4):
        night.close()
    night.post("Bob", "vote Zoé")
    report = verify(night.ctx, night.name)
    assert report.identical, report.differences
    assert len(report.phases) >= 4
