"""The table: posts passed on to all, votes taken in the order of arrival, closed when the rules say so."""

from __future__ import annotations

import pytest

from tests.service.world import World, answers_to, header, words


@pytest.fixture
def day(night: World) -> World:
    """The second day: the vote is open."""
    while night.game.phase != "day-2.vote":
        night.close()
    night.mails()
    return night


def test_a_post_goes_to_all_with_the_authors_game_name_only(day: World) -> None:
    day.post("Bob", "Je ne dis rien.\n\n-- \nRobert Martin, 06 00 00 00 00\nbob@vraie-adresse.example")
    mails = day.mails()
    assert len(mails) == 7
    for mail in mails:
        assert "Bob écrit à la table" in words(mail)
        assert "Je ne dis rien." in words(mail)
        assert "Martin" not in words(mail)
        assert "vraie-adresse" not in mail.content.decode()
    chloe = next(mail for mail in mails if mail.recipient == "joueur3@example.net")
    assert answers_to(chloe) == day.address("Chloé", "table")
    assert "table" in header(chloe, "From")


def test_a_vote_in_a_post_is_counted_shown_and_answered(day: World) -> None:
    letter = day.post("Bob", "**Chloé**\nparce que je l'aime bien")
    mails = day.mails()
    reply = [mail for mail in mails if mail.letter_id == letter]
    assert len(reply) == 1
    assert reply[0].recipient == "joueur2@example.net"
    passed = next(mail for mail in mails if mail.recipient == "joueur3@example.net")
    assert "Le compte des voix" in words(passed)
    assert day.game.orders.of("Bob", "voter").args == {"player": "Chloé"} or day.game.orders.of("Bob", "voter")


def test_talk_alone_gets_no_reply_of_its_own(day: World) -> None:
    letter = day.post("Bob", "Qui a vu Fanny hier soir ?")
    assert not [mail for mail in day.mails() if mail.letter_id == letter]


def test_a_secret_order_posted_by_mistake_is_not_passed_on(day: World) -> None:
    letter = day.post("Bob", "aller boudoir")
    mails = day.mails()
    assert [mail.letter_id for mail in mails] == [letter]
    assert mails[0].recipient == "joueur2@example.net"


def test_at_night_the_table_is_closed_and_the_author_is_told(night: World) -> None:
    letter = night.post("Bob", "Quelqu'un est là ?")
    (reply,) = night.mails()
    assert (reply.letter_id, reply.recipient) == (letter, "joueur2@example.net")
    assert "table" in words(reply).lower()


def test_posts_are_gathered_where_the_game_says_so(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path).start(settings={"table": "digest", "table_digest_minutes": 30})
    while world.game.phase != "day-2.vote":
        world.close()
    world.mails()
    world.post("Bob", "Première chose.")
    world.pass_time(minutes=10)
    world.post("Chloé", "**Bob**")
    assert [mail for mail in world.mails() if mail.letter_id is None] == []
    world.pass_time(minutes=21)
    mails = world.mails()
    assert len(mails) == 7
    assert "Première chose." in words(mails[0])
    assert "Chloé" in words(mails[0])
    assert "Le compte des voix" in words(mails[0])
    world.pass_time(minutes=60)
    assert world.mails() == []


def test_gathered_posts_go_out_with_the_end_of_the_phase(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path).start(settings={"table": "digest", "table_digest_minutes": 600})
    while world.game.phase != "day-2.vote":
        world.close()
    world.mails()
    deadline = world.live.record.deadline
    world.hour = deadline.replace(minute=50) if deadline.minute < 50 else deadline
    world.post("Bob", "Juste avant la nuit.", at=world.live.record.phase_opened_at)
    world.mails()
    world.close()
    mails = world.mails()
    assert len(mails) == 7
    assert all("Juste avant la nuit." in words(mail) for mail in mails)
