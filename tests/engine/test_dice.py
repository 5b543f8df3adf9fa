"""All chance is labelled, forceable and stable."""

from __future__ import annotations

import pytest

from mailgm.engine import Dice, ForcedDraw, commitment

NAMES = ("Ana", "Bob", "Chloé", "Denis", "Élise")


def test_draws_never_shift():
    """Golden values: a change here would change the course of every running game when it is replayed."""
    dice = Dice("golden")
    assert dice.pick("night-1.room", NAMES) == "Chloé"
    assert dice.pick("night-1.room", NAMES) == "Élise"
    assert dice.sample("pairs", NAMES, 3) == ("Chloé", "Ana", "Bob")
    assert dice.shuffle("seats", NAMES) == ("Chloé", "Élise", "Denis", "Ana", "Bob")
    assert dice.chance("rain", 50) is True
    assert dice.text("salt", 8) == "3d582101"
    assert dice.deal("roles", NAMES, ["wolf", "seer", "villager", "villager", "witch"]) == {
        "Ana": "villager",
        "Bob": "seer",
        "Chloé": "villager",
        "Denis": "witch",
        "Élise": "wolf",
    }


def test_a_draw_depends_on_its_label_alone():
    """Another draw before it, under another label, changes nothing: a new rule shifts no old draw."""
    alone = Dice("s").pick("b", NAMES)
    dice = Dice("s")
    dice.shuffle("a", NAMES)
    assert dice.pick("b", NAMES) == alone


def test_a_label_drawn_again_has_a_number():
    dice = Dice("s", {"x#2": "Bob", "x#3": "Ana"})
    dice.pick("x", NAMES)
    assert [dice.pick("x", NAMES), dice.pick("x", NAMES)] == ["Bob", "Ana"]
    assert dice.drawn == {"x": 3}


def test_draws_go_on_counting_where_a_game_left_off():
    first = Dice("s")
    values = [first.pick("x", NAMES) for _ in range(6)]
    again = Dice("s", drawn={"x": 3})
    assert [again.pick("x", NAMES) for _ in range(3)] == values[3:]


def test_all_values_come_up():
    dice = Dice("s")
    seen = [dice.pick("x", NAMES) for _ in range(200)]
    assert set(seen) == set(NAMES)
    assert 20 < sum(dice.chance("y", 25) for _ in range(200)) < 80
    assert not any(dice.chance("never", 0) for _ in range(50))
    assert all(dice.chance("always", 100) for _ in range(50))


def test_a_forced_pick_must_be_possible():
    with pytest.raises(ForcedDraw, match=r"night-1\.room: 'Zoé' is not among Ana, Bob") as caught:
        Dice("s", {"night-1.room": "Zoé"}).pick("night-1.room", NAMES)
    assert caught.value.label == "night-1.room"


def test_a_forced_sample_keeps_its_order_and_must_have_the_right_number():
    assert Dice("s", {"x": ["Bob", "Ana"]}).sample("x", NAMES, 2) == ("Bob", "Ana")
    for wrong in (["Bob"], ["Bob", "Bob"], ["Bob", "Zoé"]):
        with pytest.raises(ForcedDraw):
            Dice("s", {"x": wrong}).sample("x", NAMES, 2)


def test_pairs_can_be_forced():
    """TOML has lists only; a pair in a list of options is a tuple."""
    pairs = (("a", "b"), ("c", "d"))
    assert Dice("s", {"x": ["c", "d"]}).pick("x", pairs) == ("c", "d")
    assert Dice("s", {"x": [["c", "d"], ["a", "b"]]}).shuffle("x", pairs) == (("c", "d"), ("a", "b"))


def test_none_is_forced_by_its_word():
    assert Dice("s", {"x": "@none"}).pick("x", ("Ana", None)) is None


def test_chance_and_text_can_be_forced():
    dice = Dice("s", {"rain": True, "salt": "cafe"})
    assert dice.chance("rain", 0) is True
    assert dice.text("salt", 8) == "cafe"
    with pytest.raises(ForcedDraw):
        Dice("s", {"rain": "maybe"}).chance("rain", 50)


def test_a_deal_partly_forced_deals_the_rest():
    dealt = Dice("s", {"roles": {"Bob": "wolf"}}).deal(
        "roles", NAMES[:3], ["wolf", "seer", "villager"], {"Ana": "seer"}
    )
    assert dealt == {"Ana": "seer", "Bob": "wolf", "Chloé": "villager"}


def test_fewer_cards_than_keys_leave_some_without():
    dealt = Dice("s").deal("objects", NAMES, ["ail", "clef"])
    assert len(dealt) == 2
    assert sorted(dealt.values()) == ["ail", "clef"]
    assert list(dealt) == [name for name in NAMES if name in dealt]
    forced = Dice("s", {"objects": {"Élise": "ail", "Ana": "@none"}}).deal(
        "objects", NAMES[:2] + NAMES[4:], ["ail", "clef"]
    )
    assert forced == {"Bob": "clef", "Élise": "ail"}


@pytest.mark.parametrize(
    "forced",
    [{"Zoé": "wolf"}, {"Ana": "dragon"}, {"Ana": "wolf", "Bob": "wolf"}, "wolf"],
    ids=["no such key", "no such card", "card given twice", "no table"],
)
def test_an_impossible_deal_names_its_label(forced):
    with pytest.raises(ForcedDraw) as caught:
        Dice("s", {"roles": forced}).deal("roles", NAMES[:3], ["wolf", "seer", "villager"])
    assert caught.value.label == "roles"


def test_nothing_to_draw_from_is_a_fault_of_the_rules():
    with pytest.raises(ValueError, match="x: nothing to draw from"):
        Dice("s").pick("x", ())


def test_the_seed_is_committed_by_its_sha256():
    assert commitment("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
