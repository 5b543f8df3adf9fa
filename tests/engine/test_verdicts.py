"""One validator for all games: which reason is given, what an order replaces, what a pass or a cancel takes back."""

from __future__ import annotations

import pytest
from toys import DEAL, PHARE, at_vote, close, gm, heard, phare, post, say, told

from mailgm.engine import Ask, Dice, Input, Orders, apply, start
from mailgm.engine.apply import UnknownPlayer
from mailgm.engine.judge import judge
from mailgm.engine.parse import Draft, Named


def standing(game, player):
    return {order.command: dict(order.args) for order in game.standing if order.player == player}


def test_the_first_reason_in_the_games_list_is_given():
    """The rulebook lists the order in which its codes are tried; every reason is found, one is given (§3)."""
    game = at_vote(phare())
    # A dead player, in private, for a dead target: three reasons.
    assert heard(say(game, "Élise", "vote Élise")) == ["!dead-player"]
    assert heard(say(game, "Bob", "vote Élise")) == ["!wrong-channel"]
    assert heard(post(game, "Bob", "vote Élise")) == ["!dead-target"]
    assert heard(post(game, "Bob", "dormir")) == ["!wrong-channel"]
    assert heard(say(game, "Bob", "dormir")) == ["!not-your-turn"]


def test_a_refusal_says_what_would_be_accepted():
    game = phare()
    verdict = say(game, "Bob", "veiller Zorro").verdicts[0]
    assert (verdict.code, verdict.accepted) == ("unknown-player", ("Ana", "Bob", "Chloé", "Denis", "Élise"))
    assert verdict.details == {"typed": "zorro", "argument": "player"}
    candidates = say(phare(("Ana", "Bob", "Clara", "Claire")), "Bob", "veiller Cla").verdicts[0]
    assert (candidates.code, candidates.accepted) == ("ambiguous-player", ("Clara", "Claire"))
    missing = say(game, "Bob", "aller").verdicts[0]
    assert (missing.code, missing.accepted) == ("missing-argument", ("quay", "watch", "old"))
    assert say(game, "Bob", "aller salle des machines").verdicts[0].details["value"] == "engine"


def test_a_later_order_replaces_the_earlier_of_its_command():
    game = phare()
    for place in ("quai", "vieux phare"):
        game = say(game, "Chloé", place).game
    assert standing(game, "Chloé") == {"go": {"place": "old"}}
    assert [order.n for order in game.standing] == [2]


def test_alternatives_share_a_slot():
    """veiller and dormir are one choice: the later one stands, and settles what both are asked for."""
    game = phare()
    for line, command in (("veiller Ana", "guard"), ("dormir", "sleep"), ("veiller Ana", "guard")):
        game = say(game, "Bob", line).game
        assert list(standing(game, "Bob")) == [command]
        assert {ask.command for ask in game.owed("Bob")} == {"go", "signal", "swear"}


def test_a_final_order_cannot_be_changed():
    game = say(phare(), "Bob", "jurer Ana").game
    outcome = say(game, "Bob", "jurer Chloé\nquai")
    assert heard(outcome) == ["!already-final", "go quay"]
    assert standing(outcome.game, "Bob")["swear"] == {"player": "Ana"}


def test_a_final_order_holds_its_whole_slot():
    """An alternative that is not final itself cannot take the place of one that is (cinquieme-element §4)."""
    game = phare()
    order = say(game, "Bob", "jurer Ana").game.standing[0]
    ask = Ask("Bob", "guard", {"player": ("Ana",)}, slot="swear")
    draft = Draft("guard", {"player": Named(("Ana",))})
    judged = judge(PHARE, game.state, game.rules, "Bob", draft, ask, "private", Orders([order]))
    assert judged.code == "already-final"


def test_orders_of_a_starred_slot_pile_up():
    game = phare()
    first = say(game, "Chloé", "chuchoter Ana : un")
    second = say(first.game, "Chloé", "chuchoter Bob : deux")
    assert [order.get("text") for order in second.game.orders.all("whisper")] == ["un", "deux"]
    assert [(n.to, n.data["text"]) for n in (*told(first, "relay"), *told(second, "relay"))] == [
        ("Ana", "un"),
        ("Bob", "deux"),
    ]


def test_a_rule_may_refuse_an_order_as_it_comes():
    """Then nothing has happened: no order, no notice, and the count of orders goes on as before."""
    game = phare()
    outcome = say(game, "Chloé", "chuchoter Ana : rien")
    assert heard(outcome) == ["!power-used"]
    assert outcome.verdicts[0].details == {"why": "nothing to say"}
    assert outcome.game == game
    assert outcome.notices == ()


def test_an_accepted_order_carries_its_remarks():
    assert say(phare(), "Bob", "quai").verdicts[0].details == {"night": 1}


def test_pass_answers_everything_and_withdraws_what_the_game_says():
    game = say(phare(), "Bob", "veiller Ana\nquai\nje jure").game
    game = say(game, "Bob", "rien").game
    assert set(standing(game, "Bob")) == {"go", "swear", "pass"}
    assert game.owed("Bob") == []


def test_any_order_undoes_an_earlier_pass():
    game = say(phare(), "Bob", "rien\nquai").game
    assert set(standing(game, "Bob")) == {"go"}
    assert {ask.command for ask in game.owed("Bob")} == {"guard", "sleep", "signal", "swear"}


def test_who_is_asked_nothing_cannot_pass():
    game = at_vote(phare())
    assert heard(say(game, "Élise", "rien")) == ["!dead-player"]


def test_cancel_takes_back_an_order():
    game = say(phare(), "Bob", "veiller Ana\nquai").game
    outcome = say(game, "Bob", "annuler veiller")
    assert heard(outcome) == ["cancel guard"]
    assert set(standing(outcome.game, "Bob")) == {"go"}
    assert heard(say(outcome.game, "Bob", "annuler veiller")) == ["!not-your-turn"]


def test_asks_are_made_anew_after_every_order_of_one_message():
    assert heard(say(phare(), "Bob", "annuler veiller\nveiller Ana\nannuler veiller")) == [
        "!not-your-turn",
        "guard Ana",
        "cancel guard",
    ]


def test_an_order_may_come_already_taken_apart():
    game = phare()
    outcome = apply(game, Input("order", "Bob", command="signal", args={"players": ["Ana", "Chloé"]}))
    assert standing(outcome.game, "Bob") == {"signal": {"players": ("Ana", "Chloé")}}
    refused = apply(game, Input("order", "Bob", command="guard", args={"player": "Zorro"}))
    assert heard(refused) == ["!dead-target"]
    assert heard(apply(game, Input("order", "Bob", command="guard"))) == ["!missing-argument"]


def test_list_bounds_come_from_the_ask():
    ask = Ask("Bob", "signal", {"players": ("Ana", "Chloé", "Denis")}, counts={"players": (2, 3)})
    game = phare()

    def code(*names):
        draft = Draft("signal", {"players": Named(names)})
        return judge(PHARE, game.state, game.rules, "Bob", draft, ask, "private", Orders()).code

    assert code("Ana") == "missing-argument"
    assert code("Ana", "Chloé", "Denis") == ""
    assert code("Ana", "Chloé", "Denis", "Élise") == "too-many"


def test_an_input_from_nobody_is_a_fault_of_the_caller():
    for given in (Input("message", "Zorro", "quai"), Input("order", "Zorro", command="go")):
        with pytest.raises(UnknownPlayer, match="'Zorro' has no seat"):
            apply(phare(), given)
    with pytest.raises(ValueError, match="unknown kind of input"):
        apply(phare(), Input("telegram", "Bob"))


def test_resigning_is_asked_back_once_and_then_told_to_the_game_master():
    first = say(phare(), "Bob", "j'abandonne")
    assert first.verdicts[0].details == {"confirmed": False}
    assert told(first, "player.resigned") == []
    second = say(first.game, "Bob", "abandon")
    assert second.verdicts[0].details == {"confirmed": True}
    assert [(n.to, n.data) for n in told(second, "player.resigned")] == [("gm", {"player": "Bob"})]


def test_the_question_lapses_with_the_phase():
    game = close(say(phare(), "Bob", "abandon").game).game
    assert say(game, "Bob", "abandon").verdicts[0].details == {"confirmed": False}


def test_after_the_end_nothing_is_an_order_but_help_still_helps():
    game = gm(phare(), "arrêter").game
    assert heard(say(game, "Bob", "veiller Ana\naide\nétat\nabandon")) == [
        "!game-over",
        "?help",
        "?status",
        "!game-over",
    ]
    assert heard(post(game, "Bob", "vote Ana")) == ["~"]


def test_same_game_same_input_same_outcome():
    one, two = (start(PHARE, ("Ana", "Bob", "Chloé"), {}, "7", deal=DEAL) for _ in range(2))
    assert one == two
    assert say(one.game, "Bob", "quai") == say(two.game, "Bob", "quai")
    assert Dice("7").pick("x", (1, 2, 3)) == Dice("7").pick("x", (1, 2, 3))
