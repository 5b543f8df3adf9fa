"""A game master passes on what players wrote on a forum."""

# ruff: noqa: E501 - notices are written as they are sent
from __future__ import annotations

import time

import pytest

from mailgm.mail.reader import forum_message

SHAPES = {
    "pasted": "joueur : Ana\nmordre Bob\nboudoir",
    "pasted in English": "Player: Ana\nmordre Bob\nboudoir",
    "bbcode": '[quote="Ana"]mordre Bob\nboudoir[/quote]',
    "bbcode with post id": "[quote=Ana post_id=12 time=1710234720 user_id=4]mordre Bob\nboudoir[/quote]",
    "bbcode of Discourse": '[quote="Ana, post:3, topic:12"]\nmordre Bob\nboudoir\n[/quote]',
    "forumactif": "Bonjour MJ,\n\nVous avez reçu un nouveau message privé de Ana sur le forum « Le Manoir ».\n\nmordre Bob\nboudoir\n\nPour répondre à ce message, cliquez ici :\nhttp://manoir.forumactif.com/privmsg",
    "mybb": "MJ,\n\nAna vous a envoyé un nouveau message privé sur Le Manoir. Le voici :\n\n------------------------------------------\nmordre Bob\nboudoir\n------------------------------------------\n\nPour lire ce message : http://x",
    "mybb in English": "MJ,\n\nAna has sent you a new private message on Manor.\n\n------------------------------------------\nmordre Bob\nboudoir\n------------------------------------------\nTo view this message, visit http://x",
    "english": "Hello MJ,\n\nYou have received a new private message from \"Ana\" to your account on \"Manor\".\n\nmordre Bob\nboudoir\n\nYou can view your new message by clicking http://x\n",
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_the_writer_and_the_words_are_found(shape: str) -> None:
    found = forum_message(SHAPES[shape], "Nuit 2")
    assert found is not None
    assert found.name == "Ana"
    assert found.text.split() == ["mordre", "Bob", "boudoir"]
    assert found.address == ""


def test_a_date_and_a_subject_of_the_forum_are_kept() -> None:
    found = forum_message("joueur : Ana\nDate : 12 mars 2024, 10:12\nSujet : Nuit 2\nmordre Bob")
    assert found is not None
    assert (found.date, found.subject) == ("12 mars 2024, 10:12", "Nuit 2")


def test_phpbb_does_not_send_the_message_itself() -> None:
    notice = "Bonjour MJ,\n\nVous avez reçu un nouveau message privé de « Ana » sur votre compte sur « Le Manoir », avec le titre suivant :\n\nVous pouvez consulter votre nouveau message en cliquant ici :\n\nhttp://x"
    found = forum_message(notice)
    assert found is not None
    assert (found.name, found.text) == ("Ana", "")


@pytest.mark.parametrize(
    "text", ["mordre Bob", "", "Bob a écrit un message à Ana", "le joueur suivant : Bob\nx", "[quote]x[/quote]"]
)
def test_other_texts_name_nobody(text: str) -> None:
    assert forum_message(text) is None


@pytest.mark.parametrize(
    "text",
    ['[quote="' * 20_000, "message privé de " * 20_000, "a " * 100_000, "joueur : " + "a" * 60_000, "----\n" * 20_000],
)
def test_hostile_text_takes_no_time(text: str) -> None:
    started = time.thread_time()
    forum_message(text)
    assert time.thread_time() - started < 1
