"""Finding games on disk: the user's own folders first, and what is said of one that is not as it should be."""

from __future__ import annotations

import shutil

import pytest
from toys import TOY

from mailgm.engine import SetupError
from mailgm.loader import Library, UnknownVariant


@pytest.fixture
def mine(tmp_path):
    """A folder of the user's own with a copy of the toy."""
    shutil.copytree(TOY / "phare", tmp_path / "phare", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_folder_of_ones_own_comes_before_another(mine):
    edit(mine / "phare" / "variant.toml", "version = 3", "version = 4")
    assert Library([mine, TOY]).variant("phare").version == 4
    assert Library([TOY, mine]).variant("phare").version == 3
    assert Library([mine]).variant("phare").version == 4


def test_shipped_games_are_there_too(mine):
    ids = Library([mine]).ids()
    assert "phare" in ids
    assert "dracula" in ids
    assert ids == sorted(ids)


def test_a_preset_of_ones_own_for_a_game_that_is_elsewhere(tmp_path):
    (tmp_path / "phare" / "presets").mkdir(parents=True)
    (tmp_path / "phare" / "presets" / "phare-court.toml").write_text("rounds = 3\n", encoding="utf-8")
    library = Library([tmp_path, TOY])
    chosen = library.preset("phare-court")
    assert chosen.variant.options(chosen.options)["rounds"] == 3
    assert {"phare-court", "phare-long"} <= set(library.presets())


def test_an_unknown_game_lists_those_that_there_are():
    for look in (Library([TOY]).variant, Library([TOY]).preset):
        with pytest.raises(UnknownVariant, match=r"there is no game 'moulin'; there are .*dracula.*phare"):
            look("moulin")


@pytest.mark.parametrize(
    ("file", "old", "new", "key", "reason"),
    [
        ("variant.toml", "version = 3", "version = ", "variant.toml", "is not TOML"),
        ("variant.toml", "players = {", "seats = {", "players", "the key 'players' is missing"),
        ("variant.toml", "min = 3, ", "", "min", "the key 'min' is missing"),
        (
            "variant.toml",
            'kind = "number"',
            'kind = "digit"',
            "bell",
            "'digit' is none of player, choice, text, number",
        ),
        ("variant.toml", 'words = "weather"', 'words = "sky"', "weather", "there is no table [words.sky]"),
        ("variant.toml", 'name = "strokes", kind', 'naem = "strokes", kind', "name", "[commands.bell]"),
        (
            "variant.toml",
            'type = "integer", default = 1, min = 1, max = 3',
            'type = "integer"',
            "default",
            "[options.rounds]",
        ),
        ("presets/phare-long.toml", "rounds = 2", "rounds = two", "phare-long.toml", "is not TOML"),
        ("rules.py", "def variant(", "def game(", "rules.py", "cannot be loaded"),
        ("rules.py", "class State:", "class State", "rules.py", "cannot be loaded"),
        (
            "rules.py",
            "from collections.abc",
            "from nowhere",
            "rules.py",
            "cannot be loaded: No module named",
        ),
    ],
)
def test_a_folder_that_is_not_as_it_should_be_is_named(mine, file, old, new, key, reason):
    edit(mine / "phare" / file, old, new)
    with pytest.raises(SetupError) as caught:
        Library([mine]).variant("phare")
    assert caught.value.key.endswith(key)
    assert reason in caught.value.message
