"""Composing a werewolf game: what a preset may say, what is refused and how, and a role that is one more file."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mailgm.engine import Input, SetupError, apply, start
from mailgm.loader import Library
from mailgm.shipped import shipped

FOLDER = shipped("variants") / "loup-garou"
NAMES = tuple(f"Joueur {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn")
NUIT_COURTE = """
title = "Nuit courte"
roles_by_count = { "5" = { wolf = 1, seer = 1 }, "8" = { wolf = 2, seer = 1, witch = 1 } }
tie = "draw"
wolves_win = "parity"

[[night]]
id = "soir"
acts = ["guardian", "seer"]

[[night]]
id = "meute"
acts = ["wolves"]

[[night]]
id = "fin"
acts = ["witch"]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Library:
    """A game master's own folder with a preset of his."""
    presets = tmp_path / "loup-garou" / "presets"
    presets.mkdir(parents=True)
    (presets / "nuit-courte.toml").write_text(NUIT_COURTE, encoding="utf-8")
    (presets / "nuit-secrete.toml").write_text('preset = "nuit-courte"\nballot = "secret"\n', encoding="utf-8")
    return Library([tmp_path])


def test_a_preset_of_ones_own_stands_beside_the_shipped_ones(mine: Library) -> None:
    """loup-garou R97, R98: from the game master's folder, by its id, with its title and its windows."""
    chosen = mine.preset("nuit-courte")
    assert chosen.variant.id == "loup-garou"
    assert chosen.title == {"fr": "Nuit courte", "en": "Nuit courte"}
    assert mine.preset("tire-toi").title["fr"].startswith("Les Loups-Garous de Tire-toi")
    game = start(chosen.variant, NAMES[:8], chosen.options, "1").game
    assert game.phase == "night-1.soir"
    assert game.options["tie"] == "draw"


def test_a_preset_may_start_from_another(mine: Library) -> None:
    options = mine.variant("loup-garou").options({"preset": "nuit-secrete"})
    assert (options["ballot"], options["tie"]) == ("secret", "draw")


def test_options_beat_the_preset_and_the_preset_the_defaults(library: Library) -> None:
    """loup-garou R99: an option given beats the preset's, the preset beats the bare default."""
    variant = library.variant("loup-garou")
    assert variant.options({"preset": "custom"})["tie"] == "nobody"
    assert variant.options({"preset": "tire-toi"})["tie"] == "mayor"
    assert variant.options({"preset": "tire-toi", "tie": "draw"})["tie"] == "draw"


@pytest.mark.parametrize(
    ("options", "key", "says"),
    [
        ({"roles": {"vampire": 1}}, "roles.vampire", "no such role"),
        ({"roles": {"wolf": -1}}, "roles.wolf", "not a number of cards"),
        ({"roles": {"wolf": 1, "thief": 2}}, "roles.thief", "at most 1"),
        ({"roles_by_count": {"huit": {"wolf": 1}}}, "roles_by_count", "not a number of players"),
        ({"roles_by_count": {"8": 3}}, "roles_by_count.8", "not a table"),
        ({"night": [{"id": "x"}]}, "night", "acts"),
        ({"night": ["wolves"]}, "night", "id"),
        ({"night": [{"id": "x", "acts": ["wolves"], "when": 1}]}, "night", "'when'"),
        ({"night": [{"id": "x", "acts": ["loups"]}]}, "night", "no act 'loups'"),
        ({"night": [{"id": "x", "acts": ["wolves", "witch"]}]}, "night", "after the window of the wolves"),
        ({"ballot": "both"}, "ballot", "one of 'open', 'secret'"),
        ({"spy_risk": 101}, "spy_risk", "from 0 to 100"),
        ({"preset": "loups"}, "preset", "tire-toi"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_key(library: Library, options: dict[str, Any], key: str, says: str) -> None:
    """loup-garou R97: the key at fault, and what would be right, before a card is dealt."""
    with pytest.raises(SetupError, match=says) as caught:
        library.variant("loup-garou").options({"preset": "custom", **options})
    assert caught.value.key == key


def test_a_fault_in_a_preset_names_its_file(tmp_path: Path) -> None:
    presets = tmp_path / "loup-garou" / "presets"
    presets.mkdir(parents=True)
    (presets / "rates.toml").write_text("roles = { wolf = 2, sorciere = 1 }\n", encoding="utf-8")
    with pytest.raises(SetupError, match=r"presets/rates\.toml") as caught:
        Library([tmp_path]).variant("loup-garou").options({"preset": "rates"})
    assert caught.value.key == "roles.sorciere"


@pytest.mark.parametrize(
    ("roles", "players", "says"),
    [
        ({"wolf": 3, "seer": 3}, 5, "6 cards for 5 players"),
        ({"seer": 1}, 5, "wolves' camp"),
        ({"wolf": 5}, 5, "wolves only"),
    ],
)
def test_cards_that_make_no_game(library: Library, roles: dict[str, int], players: int, says: str) -> None:
    """loup-garou R97: too many cards, no wolf, nobody but wolves: no way to play."""
    with pytest.raises(SetupError, match=says):
        start(library.variant("loup-garou"), NAMES[:players], {"preset": "custom", "roles": roles}, "1")


WOLVES = {
    "mulou-garou": lambda n: max(1, n // 4),
    "tire-toi": lambda n: max(1, n // 4),
    "thiercelieux": lambda n: 1 if n < 8 else 2 if n < 12 else 3 if n < 18 else 4,
}
JOIN = {
    "mulou-garou": {"seer": 5, "witch": 6, "hunter": 7, "cupid": 8, "guardian": 9, "raven": 10, "thief": 11},
    "tire-toi": {
        "seer": 5, "witch": 6, "exorcist": 7, "little-girl": 8, "hunter": 9, "cupid": 10, "shaman": 11, "lapinou": 12,
        "diviner": 13, "flutist": 14,
    },
    "thiercelieux": {"seer": 4, "witch": 6, "hunter": 7, "cupid": 8, "little-girl": 9, "thief": 12},
}  # fmt: skip


@pytest.mark.parametrize("preset", JOIN)
def test_the_default_cards_of_every_number_of_players(library: Library, preset: str) -> None:
    """loup-garou R2, R3, R4, R5: wolves by number, the others one by one, villagers to fill up."""
    variant = library.variant("loup-garou")
    options = variant.options({"preset": preset})
    for players in range(4, 41):
        deck = dict(variant.cards(options, players))
        wolves = deck.pop("wolf", 0) + deck.pop("pack-chief", 0)
        assert wolves == WOLVES[preset](players), players
        villagers = deck.pop("villager", 0)
        assert deck == {role: 1 for role, first in JOIN[preset].items() if players >= first}, players
        assert villagers + wolves + len(deck) == players + (2 if "thief" in deck else 0), players


def test_presets_are_toml_and_nothing_else() -> None:
    """loup-garou R9, R10, R11: one readable list a game says the order of its night."""
    for file in (FOLDER / "presets").iterdir():
        assert file.suffix == ".toml"
        data = tomllib.loads(file.read_text("utf-8"))
        assert all(isinstance(window["acts"], list) for window in data.get("night", ()))


GUIDE = FOLDER.parent.parent / "docs" / "werewolves.md"


def fox() -> str:
    """The role that the guide shows, under an id that nobody takes who follows the guide."""
    return GUIDE.read_text("utf-8").partition("```python\n")[2].partition("```")[0].replace('"fox"', '"guide-fox"')


@pytest.fixture
def with_fox(tmp_path: Path) -> Library:
    """The family with one file more in its pool."""
    shutil.copytree(FOLDER, tmp_path / "loup-garou", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "loup-garou" / "roles" / "guide_fox.py").write_text(fox(), encoding="utf-8")
    return Library([tmp_path])


def test_a_new_role_is_one_file(with_fox: Library) -> None:
    """loup-garou R8, R97: its words, its ask and its effect stand in it; the game gives it a place in the night."""
    variant = with_fox.variant("loup-garou")
    options = {"preset": "custom", "night": [{"id": "main", "acts": ["guide-fox", "wolves"]}]}
    deal = {"roles": {"Ana": "wolf", "Bob": "guide-fox", "Chloé": "villager", "Denis": "villager"}}
    game = start(variant, ("Ana", "Bob", "Chloé", "Denis"), options, "1", deal=deal).game
    game = apply(game, Input("message", "Bob", "flairer Ana")).game
    told = [notice for notice in apply(game, Input("deadline")).notices if notice.kind == "fox.nose"]
    assert [(notice.to, dict(notice.data)) for notice in told] == [("Bob", {"target": "Ana", "wolf": True})]
    assert variant.spec.label("guide-fox", "fr") == "le Renard"


def test_a_role_without_its_place_in_the_night_is_refused(with_fox: Library) -> None:
    """loup-garou R8, R97: in no window of the game, nor of the bare default."""
    variant = with_fox.variant("loup-garou")
    with pytest.raises(SetupError, match="guide-fox has no place in the night") as caught:
        start(variant, NAMES[:5], {"preset": "custom", "roles": {"wolf": 1, "guide-fox": 1}}, "1")
    assert caught.value.key == "night"


@pytest.mark.parametrize(
    ("written", "instead", "told"),
    [
        ('id = "guide-fox"', 'id = "seer"', "two roles have the id 'seer'"),
        ('"sniff": {', '"see": {', "both define the command 'see'"),
        ('"fr": ["le Renard"], ', "", "the role guide-fox has no names in fr"),
        ("class Fox(Role)", "class Fox(Rôle)", "name 'Rôle' is not defined"),
    ],
)
def test_a_faulty_role_is_named_with_its_file(
    with_fox: Library, tmp_path: Path, written: str, instead: str, told: str
) -> None:
    file = tmp_path / "loup-garou" / "roles" / "guide_fox.py"
    file.write_text(fox().replace(written, instead), encoding="utf-8")
    with pytest.raises(SetupError, match=told) as caught:
        with_fox.variant("loup-garou")
    assert caught.value.key.startswith(str(tmp_path / "loup-garou"))
    assert re.search(r" \(line \d+\)$", caught.value.message)
