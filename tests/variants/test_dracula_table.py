"""What is passed on at the table: never a secret order, and never more or less because of who wrote it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.variants.table import Play
from tests.variants.test_dracula import NIGHT_1, NIGHT_2

Begin = Callable[..., Play]

SECRETS = (
    "télépathie : mordez Bob", "télépathie mordez Bob", "TELEPATHIE - mordez Bob", "**télépathie mordez Bob**",
    "télepatie : mordez Bob", "telepahtie mordez Bob", "Télépathie, mes amis : mordez Bob", "télépathie",
    "télépathie :\nmordez Bob", "télépathie : mordez Bob\n\net laissez Chloé en paix", "telepathy bite Bob",
    "j'utilise la télépathie : mordez Bob", "Je veux utiliser la télépathie : mordez Bob",
    "Bonsoir, télépathie : mordez Bob", "peindre Bob ment", "je peins : Bob ment", "piendre : Bob ment",
    "valser Denis coucou", "valser Denis : coucou\nqui es-tu ?", "danser avec Denis : coucou", "répondre : oui, moi",
    "mordre Denis", "mordrre Denis", "maudire Denis et Élise", "maudir Denis", "aller boudoir", "alle boudoir",
    "pieu Denis", "brûler Ana", "brulre Ana", "mes flammes : Ana", "bougie", "annuler loupe",
)  # fmt: skip
TALK = (
    "La télépathie est un pouvoir", "Mordez Bob !", "Brûlez Ana !", "Personne ne ment", "Danse macabre",
    "Je vous écoute", "Répondre à cela serait long", "Bob, tu mens", "Maudire quelqu'un ne sert à rien",
)  # fmt: skip


def passed_on(play: Play, author: str, text: str) -> list[str]:
    """What the table is given of a post; the game goes on as if it had not been made."""
    game, seen = play.game, len(play.outcomes)
    outcome = play.do(("post", author, text))
    assert outcome.game.state == game.state
    assert outcome.game.standing == game.standing
    play.game, play.outcomes = game, play.outcomes[:seen]
    return [notice.data["text"] for notice in outcome.notices if notice.kind == "table.post"]


def tables(dracula: Begin) -> list[Play]:
    """The table on days 1 and 2, before and after telepathy was used, and in both phases of the end."""
    found = []
    for used in (False, True):
        opening = dracula(first_day=True)
        day = dracula()
        day.do(*NIGHT_1)
        found += [opening, day]
        if used:
            for play in (opening, day):
                play.do(("say", "Ana", "télépathie : à table"))
    choice = dracula(nights=2)
    choice.do(*NIGHT_1, *NIGHT_2)
    flames = dracula(nights=2)
    flames.do(*NIGHT_1, *NIGHT_2, ("close",))
    assert [play.game.phase for play in (choice, flames)] == ["final-1.choice", "final-1.flames"]
    return [*found, choice, flames]


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_order_at_the_table_goes_nowhere(dracula: Begin, text: str) -> None:
    """dracula §4, R3, R57: with a colon or without, mistyped, in several lines, asked now or not, whoever wrote it."""
    for play in tables(dracula):
        for author in ("Ana", "Bob", "Chloé"):
            assert passed_on(play, author, text) == [], (play.game.phase, author)


@pytest.mark.parametrize("text", TALK)
def test_talk_is_passed_on_whoever_it_comes_from(dracula: Begin, text: str) -> None:
    """dracula R3: nobody shows that he is not Dracula by a sentence that the table gets from anybody else."""
    for play in tables(dracula):
        for author in ("Ana", "Bob", "Chloé"):
            assert passed_on(play, author, text) == [text], (play.game.phase, author)


def test_the_author_hears_of_each_line_that_was_kept_back(dracula: Begin) -> None:
    """dracula §4 `wrong-channel`: what he said before it, and his vote, reach the table."""
    play = dracula()
    play.do(*NIGHT_1)
    outcome = play.do(("post", "Ana", "Bonjour !\ntélépathie : mordez\nce soir\nDenis\nvote Chloé\nÀ demain"))
    assert [verdict.code or verdict.status for verdict in outcome.verdicts] == [
        "talk", "wrong-channel", "wrong-channel", "wrong-channel", "accepted", "wrong-channel",
    ]  # fmt: skip
    assert [notice.data["text"] for notice in outcome.notices if notice.kind == "table.post"] == [
        "Bonjour !\nvote Chloé"
    ]
    assert not outcome.game.state.telepathy
