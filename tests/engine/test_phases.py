"""Phases: how they open, wait, close early or not, are passed over, and follow one another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from toys import DEAL, PHARE, PLAYERS, at_vote, close, gm, opening, phare, post, say, told

from mailgm.engine import GM, Phase, SetupError, Step, Variant, commitment, split_phase, start
from mailgm.engine.bot import play


def early(setting="all", **more):
    return phare(options={"early_close": setting}, **more)


def everybody(game, text="rien"):
    for player in game.players:
        game = say(game, player, text).game
    return game


def test_a_game_begins_with_the_commitment_the_deal_and_the_first_phase():
    outcome = opening(seed="abc")
    kinds = [(notice.kind, notice.to) for notice in outcome.notices]
    assert kinds == [("seed.committed", "public"), *(("role.assigned", p) for p in PLAYERS), ("phase.opened", "public")]
    assert outcome.notices[0].data == {"sha256": commitment("abc")}
    assert outcome.notices[-1].data == {"phase": "night-1.lamps"}
    assert outcome.opened == ("night-1.lamps",)
    assert outcome.game.key == "night-1.lamps"


def test_an_announced_phase_tells_what_the_variant_adds():
    game = at_vote(phare())
    assert game.history[-1].key == "day-1.vote"
    outcome = close(phare())
    while outcome.game.phase != "day-1.vote":
        outcome = close(outcome.game)
    (opened,) = told(outcome, "phase.opened")
    assert opened.data["phase"] == "day-1.vote"
    assert opened.data["lit"] == list(outcome.game.state.living)


@pytest.mark.parametrize(
    ("players", "options", "deal", "key"),
    [
        (("Ana", "Bob"), {}, DEAL, "players"),
        (tuple(f"Nom{n}x" for n in range(13)), {}, {}, "players"),
        (PLAYERS, {"round": 2}, DEAL, "round"),
        (PLAYERS, {"rounds": 4}, DEAL, "rounds"),
        (PLAYERS, {"rounds": "2"}, DEAL, "rounds"),
        (PLAYERS, {"rounds": True}, DEAL, "rounds"),
        (PLAYERS, {"early_close": "never"}, DEAL, "early_close"),
        (PLAYERS, {"wreckers": 3}, DEAL, "wreckers"),
        (PLAYERS, {}, {"captain": "Ana"}, "captain"),
        (("Ana", "Bob", "Ana"), {}, {}, "players"),
        (("Ana", "Bob", "ana"), {}, {}, "players"),
        (("Ana", "Bob", "MJ"), {}, {}, "players"),
        (("Ana", "Bob", "🦊"), {}, {}, "players"),
    ],
)
def test_a_game_that_must_not_start_names_what_is_wrong(players, options, deal, key):
    with pytest.raises(SetupError) as caught:
        start(PHARE, players, options, "1", deal=deal)
    assert caught.value.key == key
    assert caught.value.message


def test_a_phase_closes_at_its_deadline_and_not_before():
    """Early closing is off unless the settings say otherwise."""
    game = everybody(phare())
    assert game.owing() == {GM: game.asks(GM)}
    assert not game.closes_early()
    assert close(game).game.phase != "night-1.lamps"


def test_early_closing_waits_for_everybody_even_for_optional_asks():
    game = early()
    for player in PLAYERS[:-1]:
        game = say(game, player, "rien").game
        assert not game.closes_early()
    game = say(game, PLAYERS[-1], "aller quai").game
    assert list(game.owing()) == ["Élise", GM]
    assert {ask.command for ask in game.owing()["Élise"]} == {"signal", "swear"}
    game = gm(say(game, "Élise", "rien").game, "météo calme").game
    assert game.closes_early()


def test_an_ask_with_nothing_to_choose_from_is_neither_shown_nor_awaited():
    game = early()
    (guard,) = (ask for ask in game.asks("Bob") if ask.command == "guard")
    game.asked["Bob"] = [replace(guard, legal=dict.fromkeys(guard.legal, ()))]
    assert game.open_to("Bob") == game.owed("Bob") == []
    assert [verdict.status for verdict in say(game, "Bob", "garder Ana").verdicts] == ["refused"]
    game.asked["Bob"] = [
        replace(guard, legal=dict.fromkeys(guard.legal, ()), counts=dict.fromkeys(guard.legal, (0, 1)))
    ]
    assert game.open_to("Bob") == game.owed("Bob") != [], "it may be given without a name"


def test_side_asks_never_keep_a_phase_open():
    game = gm(everybody(early()), "météo calme").game
    assert {ask.need for ask in game.asks("Ana")} >= {"side"}
    assert game.closes_early()


def test_by_night_only():
    game = gm(everybody(early("night")), "météo calme").game
    assert game.closes_early()
    game = close(game).game
    while game.phase != "day-1.vote":
        game = close(game).game
    for player in game.state.living:
        game = post(game, player, "vote Bob").game
    assert game.owing() == {}
    assert not game.closes_early()


def test_a_phase_that_keeps_its_hours_does_not_close_early():
    game = early()
    while game.phase != "day-1.talk":
        game = close(game).game
    assert game.owing() == {}
    assert not game.closes_early()


def test_a_phase_in_which_nobody_is_asked_is_passed_over():
    """Its opening and its close are carried out; nothing says that it was there (scenarios, rules of the runner)."""
    outcome = close(gm(phare(), "météo calme").game)
    assert outcome.game.phase == "dawn-1.heir"
    assert outcome.opened == ("dawn-1.heir",)
    assert [snapshot.key for snapshot in outcome.game.history] == ["night-1.lamps", "dawn-1.heir"]
    assert "phase.opened" not in [notice.kind for notice in outcome.notices]


def test_a_decoy_lasts_its_hours_though_nobody_is_asked():
    """With decoys nobody can tell by the clock whether there was a storm."""
    calm = gm(early(decoys=True), "météo calme").game
    calm = close(calm).game
    assert calm.phase == "night-1.storm"
    assert calm.owing() == {}
    assert not calm.closes_early()
    stormy = say(gm(early(decoys=True), "météo tempête").game, "Chloé", "quai").game
    stormy = close(say(stormy, "Ana", "éteindre Denis").game).game
    assert stormy.phase == "night-1.storm"
    stormy = say(stormy, "Chloé", "salle de veille").game
    assert not stormy.closes_early()


def test_without_decoys_the_same_phase_may_close_early():
    game = say(gm(early(), "météo tempête").game, "Chloé", "quai").game
    game = close(say(game, "Ana", "éteindre Denis").game).game
    assert game.phase == "night-1.storm"
    game = say(game, "Chloé", "salle de veille").game
    assert game.closes_early()


def test_the_dead_can_be_asked_something():
    game = close(gm(say(phare(), "Ana", "éteindre Denis").game, "météo calme").game).game
    assert game.phase == "dawn-1.heir"
    assert [ask.command for ask in game.asks("Denis")] == ["bequeath"]
    outcome = close(say(game, "Denis", "je lègue à Chloé").game)
    assert outcome.game.variant.facts(outcome.game.state)["Chloé.points"] == 1


def test_the_game_masters_ask_has_a_drawn_default():
    forced = phare(forced={"night-1.weather": "storm"})
    assert close(forced).game.state.weather == "storm"
    assert close(gm(forced, "météo calme").game).game.state.weather == "calm"


def test_rounds_begin_again_and_their_keys_and_draws_say_so():
    game = phare(("Ana", "Bob", "Chloé"), options={"rounds": 2}, forced={"round-2.night-1.weather": "storm"})
    game = close(say(game, "Ana", "éteindre Chloé").game).game
    game = close(game).game
    assert game.phase == "night-1.lamps"
    assert game.key == "round-2.night-1.lamps"
    assert close(say(game, "Bob", "quai").game).game.state.weather == "storm"


def test_the_end_reveals_the_seed_and_asks_nothing_more():
    game = phare(("Ana", "Bob", "Chloé"), seed="abc")
    outcome = close(close(say(game, "Ana", "éteindre Chloé").game).game)
    assert outcome.game.over
    assert outcome.game.end.winner_camp == "wreckers"
    assert outcome.game.end.winners == ("Ana",)
    assert outcome.notices[-1].data == {"seed": "abc", "sha256": commitment("abc")}
    assert all(outcome.game.asks(player) == [] for player in (*outcome.game.players, GM))
    assert close(outcome.game).game == outcome.game


def test_random_players_play_to_the_end_in_every_size():
    for count in range(3, 13):
        names = tuple(f"{letter}{letter.lower()}x" for letter in "ABCDEFGHIJKL"[:count])
        game = start(PHARE, names, {"rounds": 2}, str(count)).game
        for _, outcome in play(game, f"bots-{count}"):
            assert not [verdict for verdict in outcome.verdicts if verdict.status == "refused"]
            game = outcome.game
        assert game.over


def test_random_players_repeat_themselves():
    once, again = (list(play(phare(), "bots")) for _ in range(2))
    assert once == again
    assert once != list(play(phare(), "other bots"))


@pytest.mark.parametrize(
    ("full", "base"),
    [
        ("night-2.rooms", ("night.rooms", 2)),
        ("day-0.mayor", ("day.mayor", 0)),
        ("start.powers", ("start.powers", None)),
        ("final-3.choice", ("final.choice", 3)),
        ("night-12", ("night", 12)),
    ],
)
def test_phase_ids_are_taken_apart(full, base):
    assert split_phase(full) == base


def test_a_close_that_leads_nowhere_is_a_fault_of_the_rules():
    class Stuck(Phase[Any]):
        id = "day.vote"
        keeps_hours = True

        def resolves(self, state, orders, dice):
            return Step(state)

    game = at_vote(phare())
    variant: Variant[Any] = type(PHARE)(PHARE.spec, [Stuck()])
    with pytest.raises(RuntimeError, match=r"the close of day-1\.vote leads nowhere"):
        close(replace(game, variant=variant))
