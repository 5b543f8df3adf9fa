"""Games as plain data: saved after every input, loaded again, replayed from the log (architecture §2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from toys import LIBRARY, PHARE, PLAYERS, at_vote, close, gm, phare, post, say

from mailgm.engine import Input, apply, replay
from mailgm.engine.bot import play
from mailgm.engine.plain import dump, freeze, load, rename
from mailgm.engine.saved import dump_game, dump_snapshot, load_game, load_snapshot


def saved(game):
    """A game through JSON text and back, as the store keeps it."""
    data = json.loads(json.dumps(dump_game(game)))
    history = [json.loads(json.dumps(dump_snapshot(snapshot))) for snapshot in game.history]
    return load_game(PHARE, data, history)


def test_a_game_saved_and_loaded_is_the_same_game():
    game = phare(options={"rounds": 2}, forced={"night-2.douse": "Chloé"}, decoys=True)
    game = say(game, "Bob", "signaler Ana, Chloé\njurer\nchuchoter Ana : oui\nabandon").game
    game = gm(game, "remplacer Denis par Zoé").game
    assert saved(game) == game
    assert saved(at_vote(game)) == at_vote(game)
    over = gm(game, "arrêter").game
    assert saved(over) == over


def test_a_loaded_game_goes_on_as_if_nothing_had_been():
    for given, outcome in play(phare(), "bots"):
        del given
        assert saved(outcome.game) == outcome.game
    game = phare()
    for _ in range(3):
        assert close(saved(game)) == close(game)
        game = close(game).game


def test_what_is_taken_over_from_the_last_save_is_what_a_whole_save_writes():
    game = phare()
    dumped = dump_game(game)
    lines = ["signaler Ana, Chloé", "jurer", "rien", "signaler Bob", "jurer", "passer", "abandon"]
    turns = [(name, line) for line in lines for name in ("Bob", "Ana", "Denis")]
    for name, line in turns:
        after = say(game, name, line).game
        dumped, game = dump_game(after, game, dumped), after
        assert dumped == dump_game(game)
    for _, outcome in play(game, "bots"):
        dumped, game = dump_game(outcome.game, game, dumped), outcome.game
        assert dumped == dump_game(game)


def test_a_game_of_another_variant_is_refused():
    data = dump_game(phare())
    with pytest.raises(ValueError, match="a game of moulin cannot be loaded by the rules of phare"):
        load_game(PHARE, {**data, "variant": "moulin"})


def test_a_field_that_an_older_version_did_not_have_takes_its_default():
    data = dump_game(phare())
    del data["state"]["sworn"], data["resigning"], data["aliases"], data["decoys"], data["forced"]
    loaded = load_game(PHARE, data, [dump_snapshot(s) for s in phare().history])
    assert loaded == phare()


def test_a_field_without_a_default_that_is_missing_is_named():
    snapshot = dump_snapshot(phare().history[0])
    del snapshot["state"]["roles"]
    with pytest.raises(ValueError, match=r"State cannot be rebuilt: .*'roles'"):
        load_snapshot(PHARE, snapshot)


def test_a_field_that_is_no_more_is_left_out():
    data = dump_game(phare())
    data["state"]["tide"] = "high"
    assert load_game(PHARE, data).state == phare().state


def test_every_snapshot_is_the_state_at_an_opening():
    game = at_vote(phare())
    assert [snapshot.key for snapshot in game.history] == [
        "night-1.lamps",
        "dawn-1.heir",
        "day-1.talk",
        "day-1.vote",
    ]
    assert game.history[0].state == phare().state
    assert game.history[-1].state == game.state


def test_the_log_replayed_gives_the_same_outcomes():
    """Whole messages, posts, words of the game master and deadlines, in the order of the log."""
    inputs = [
        Input("message", "Bob", "veiller Ana\nquai et graver « ici »"),
        Input("message", "Ana", "Denis svp"),
        Input("gm", text="météo tempête\nremplacer Élise par Yves yves@example.org"),
        Input("message", "Yves", "blabla"),
        Input("deadline"),
        Input("order", "Bob", command="go", args={"place": "watch"}),
        Input("deadline"),
        Input("gm", text="revenir night-1.lamps parce que Bob s'est trompé"),
        Input("deadline"),
        Input("deadline"),
        Input("deadline"),
        Input("message", "Bob", "Bonjour\nvote Ana", "public"),
        Input("deadline"),
    ]
    once, again = list(replay(phare(), inputs)), list(replay(phare(), inputs))
    assert once == again
    logged = [Input(**json.loads(json.dumps(dump(given)))) for given in inputs]
    assert list(replay(phare(), logged)) == once
    game = phare()
    for given, outcome in zip(inputs, once, strict=True):
        assert apply(game, given) == outcome
        game = outcome.game


def test_notices_and_verdicts_are_plain_data():
    for _, outcome in play(phare(), "bots"):
        for notice in outcome.notices:
            json.dumps(dump(notice))
        for verdict in outcome.verdicts:
            json.dumps(dump(verdict))


@dataclass(frozen=True)
class Inner:
    name: str
    pair: tuple[str, int] = ("", 0)


@dataclass(frozen=True)
class Outer:
    inner: Inner
    maybe: Inner | None = None
    many: tuple[Inner, ...] = ()
    table: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nested: Mapping[str, Inner] = field(default_factory=dict)
    number: int | None = None


def test_nested_data_comes_back_as_its_type_hints_say():
    value = Outer(Inner("a", ("b", 1)), Inner("c"), (Inner("d"),), {"x": ("y", "z")}, {"k": Inner("e")}, 3)
    assert load(Outer, json.loads(json.dumps(dump(value)))) == value
    assert load(Outer, {"inner": {"name": "a"}}) == Outer(Inner("a"))


class Colour(str):
    """A str that is more than a str."""


@pytest.mark.parametrize("value", [{1, 2}, object(), {1: "a"}, b"bytes", Colour("red"), lambda: 0, [{"a": {3}}], Inner])
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(TypeError, match="not plain data"):
        dump(value)


def test_lists_become_tuples_and_names_change_where_they_stand_alone():
    assert freeze([1, [2, {"a": [3]}]]) == (1, (2, {"a": (3,)}))
    data = {"Bob": ["Bob", "Bobby", {"x": "Bob"}], "text": "Bob ment"}
    assert rename(data, "Bob", "Zoé") == {"Zoé": ["Zoé", "Bobby", {"x": "Zoé"}], "text": "Bob ment"}


def test_the_users_own_folder_is_searched_first():
    assert "phare" in LIBRARY.ids()
    assert LIBRARY.variant("phare") is PHARE
    assert LIBRARY.preset("phare-long").options == {"preset": "phare-long"}
    assert PHARE.options({"preset": "phare-long"})["rounds"] == 2
    assert post(phare(PLAYERS), "Bob", "salut").verdicts
