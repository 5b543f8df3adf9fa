"""Articles, lists, plurals, dates: French and English as they are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mailgm.engine import Ask, Spec
from mailgm.engine.master import WORDS
from mailgm.render.dates import last, say
from mailgm.render.templates import Shelf
from mailgm.render.words import Words, capitalised
from mailgm.shipped import shipped

SPEC = Spec(
    {
        "id": "lamps",
        "title": {"fr": "Le Phare", "en": "The Lighthouse"},
        "players": {"min": 2, "max": 17},
        "small_words": ["le", "la"],
        "words": {"room": {"salon": ["salon"], "ile": ["île"]}},
        "commands": {
            "aller": {"fr": ["aller"], "en": ["go"], "args": [{"name": "room", "kind": "choice", "words": "room"}]},
            "dire": {
                "fr": ["dire"],
                "en": ["tell"],
                "args": [{"name": "player", "kind": "player"}, {"name": "text", "kind": "text"}],
            },
            "lier": {"fr": ["lier"], "en": ["bind"], "args": [{"name": "players", "kind": "player", "max": 2}]},
        },
        "labels": {
            "fr": {"salon": "le salon", "ile": "l'île", "cour": "la cour", "geoles": "les geôles", "oeil": "un œil",
                   "clef": "une clef", "night.rooms": "nuit {n}, les pièces", "bare": "humain"},
            "en": {"salon": "the lounge", "oeil": "an eye", "ile": "island", "night.rooms": "night {n}, the rooms"},
        },
    }
)  # fmt: skip


def table(lang: str) -> dict[str, Any]:
    return Shelf([shipped("templates")], lang, ["common"]).words()


FR = Words(SPEC, ("Ana", "Bob", "Le Grand", "Élise"), "fr", table("fr"))
EN = Words(SPEC, ("Ana", "Bob"), "en", table("en"))


@pytest.mark.parametrize(
    ("value", "le", "au", "du", "un", "dans", "bare"),
    [
        ("salon", "le salon", "au salon", "du salon", "un salon", "dans le salon", "salon"),
        ("cour", "la cour", "à la cour", "de la cour", "une cour", "dans la cour", "cour"),
        ("ile", "l'île", "à l'île", "de l'île", "l'île", "dans l'île", "île"),
        ("geoles", "les geôles", "aux geôles", "des geôles", "des geôles", "dans les geôles", "geôles"),
        ("oeil", "l'œil", "à l'œil", "de l'œil", "un œil", "dans l'œil", "œil"),
        ("clef", "la clef", "à la clef", "de la clef", "une clef", "dans la clef", "clef"),
        ("Ana", "Ana", "à Ana", "d'Ana", "Ana", "dans Ana", "Ana"),
        ("Élise", "Élise", "à Élise", "d'Élise", "Élise", "dans Élise", "Élise"),
        ("Bob", "Bob", "à Bob", "de Bob", "Bob", "dans Bob", "Bob"),
        ("Le Grand", "Le Grand", "à Le Grand", "de Le Grand", "Le Grand", "dans Le Grand", "Le Grand"),
        ("bare", "humain", "à humain", "de humain", "humain", "dans humain", "humain"),
    ],
)  # fmt: skip
def test_french_articles(value: str, le: str, au: str, du: str, un: str, dans: str, bare: str) -> None:
    assert (FR.le(value), FR.au(value), FR.du(value), FR.un(value), FR.dans(value), FR.bare(value)) == (
        le, au, du, un, dans, bare,
    )  # fmt: skip


def test_english_articles() -> None:
    assert EN.the("salon") == "the lounge"
    assert EN.the("ile") == "the island"
    assert EN.the("Ana") == "Ana"
    assert EN.a("salon") == "a lounge"
    assert EN.a("oeil") == "an eye"


def test_names_are_joined_as_people_do() -> None:
    assert FR.listed([]) == ""
    assert FR.listed(["Ana"]) == "Ana"
    assert FR.listed(["Ana", "Bob", "Le Grand"]) == "Ana, Bob et Le Grand"
    assert EN.listed(["Ana", "Bob"]) == "Ana and Bob"
    assert FR.either(["salon", "geoles"]) == "salon ou geôles"
    assert FR.listed(["salon", "cour"], FR.du) == "du salon et de la cour"


def test_plurals() -> None:
    assert [FR.plural(n, "humain", "humains") for n in (0, 1, 2)] == ["0 humain", "1 humain", "2 humains"]
    assert [EN.plural(n, "human", "humans") for n in (0, 1, 2)] == ["0 humans", "1 human", "2 humans"]
    assert capitalised("élise ET Bob") == "Élise ET Bob"


def test_phases_have_their_number() -> None:
    assert FR.phase_name("night-2.rooms") == "nuit 2, les pièces"
    assert EN.phase_name("round-3.night-2.rooms#2") == "night 2, the rooms"
    assert FR.phase_name("") == ""


def test_examples_of_orders() -> None:
    room = Ask("Ana", "aller", {"room": ("salon", "ile")})
    assert FR.example(room, 0) == "aller salon"
    assert FR.example(room, 1) == "aller île"
    assert EN.example(Ask("Ana", "aller", {"room": ("salon",)}, bare=True), 5) == "lounge"
    assert FR.example(Ask("Ana", "dire", {"player": ("Bob",)}), 0) == "dire Bob\u00a0: votre texte"
    assert EN.example(Ask("Ana", "dire", {"player": ("Bob",)}), 0) == "tell Bob: your text"
    assert (
        FR.example(Ask("Ana", "lier", {"players": ("Ana", "Bob")}, counts={"players": (2, 2)}), 1) == "lier Bob et Ana"
    )
    assert FR.example(Ask("Ana", "pass"), 0) == "rien"


def test_a_moment_is_told_in_the_readers_zone() -> None:
    moment = datetime(2026, 12, 31, 23, 5, tzinfo=UTC)
    assert say(moment, "Europe/Paris", table("fr")["dates"]) == "vendredi 1er janvier à 0 h 05 (heure de Paris)"
    assert say(moment, "America/New_York", table("en")["dates"]) == "Thursday 31 December at 18:05 (New York time)"
    assert say(moment.isoformat(), "Europe/London", table("fr")["dates"]).endswith("23 h 05 (heure de Londres)")


def test_a_moment_is_right_on_both_sides_of_the_change_of_the_hour() -> None:
    words = table("fr")["dates"]
    assert "à 1 h 59" in say(datetime(2026, 3, 29, 0, 59, tzinfo=UTC), "Europe/Paris", words)
    assert "à 3 h 00" in say(datetime(2026, 3, 29, 1, 0, tzinfo=UTC), "Europe/Paris", words)
    assert "à 2 h 30" in say(datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "Europe/Paris", words)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="naive time"):
        say(datetime(2026, 12, 2, 20, 0), "Europe/Paris", table("fr")["dates"])


def test_durations() -> None:
    words = table("fr")["dates"]
    assert last(timedelta(days=1, hours=2, minutes=5), words) == "1 jour et 2 heures"
    assert last(5400.0, words) == "1 heure et 30 minutes"
    assert last(20, words) == "un instant"


@pytest.mark.parametrize("words", [FR, EN], ids=["fr", "en"])
def test_the_game_masters_commands_are_named_as_he_types_them(words: Words) -> None:
    assert [command for command, typed in WORDS.items() if words.word(command) not in typed] == []


def test_a_game_master_who_forgets_something_is_told_after_which_word_of_his_own_language() -> None:
    assert (FR.word("extend"), EN.word("extend")) == ("prolonger", "extend")
