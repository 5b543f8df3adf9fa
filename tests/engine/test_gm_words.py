"""The game master's words, in both languages (scenarios, "The game master's words")."""

from __future__ import annotations

import pytest
from toys import DEAL, at_vote, close, gm, heard, opening, phare, say, told

from mailgm.engine import start
from mailgm.engine.master import read_word


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("état", "status", ""),
        ("status", "status", ""),
        ("prolonger 24h", "extend", "24h"),
        ("prolonger jusqu'à mardi 21h", "extend", "jusqu'à mardi 21h"),
        ("extend until Tuesday 9pm", "extend", "until Tuesday 9pm"),
        ("pause", "pause", ""),
        ("reprendre", "resume", ""),
        ("resume", "resume", ""),
        ("ok", "ok", ""),
        ("refaire", "redo", ""),
        ("redo", "redo", ""),
        ("aide", "help", ""),
        ("Joueurs !", "players", ""),
    ],
)
def test_words_of_the_clock_and_the_mailbox_are_handed_to_the_shell(line, word, rest):
    outcome = gm(phare(), line)
    assert heard(outcome) == [f"= {word}"]
    assert [(w, r.strip(" !")) for w, r in outcome.clock] == [(word, rest)]
    assert outcome.game == phare()


@pytest.mark.parametrize("line", ["clore", "close", "CLORE", "Clôturer", "- clore", "**clore**"])
def test_close_passes_the_deadline_now(line):
    outcome = gm(phare(), line)
    assert heard(outcome) == ["= close"]
    assert outcome.game == close(phare()).game


@pytest.mark.parametrize("line", ["clore parce que tout le monde dort", "close because everybody sleeps"])
def test_each_word_may_end_with_its_reason(line):
    verdict = gm(phare(), line).verdicts[0]
    assert verdict.details["why"] in ("tout le monde dort", "everybody sleeps")
    assert read_word("retirer Bob parce qu'il est parti").rest == "Bob"
    assert read_word("retirer Bob parce qu’il est parti").why == "il est parti"


@pytest.mark.parametrize("line", ["ordre Bob: veiller Ana", "order bob : guard Ana", "ordre Bo: Veiller sur ana svp"])
def test_an_order_for_a_player_is_as_if_he_had_typed_it(line):
    outcome = gm(phare(), line)
    assert heard(outcome) == ["= order"]
    assert outcome.verdicts[0].details["player"] == "Bob"
    assert [(order.player, order.command) for order in outcome.game.standing] == [("Bob", "guard")]


def test_its_channel_is_not_checked():
    game = gm(at_vote(phare()), "ordre Bob: vote Ana").game
    assert game.orders.of("Bob", "vote").get("player") == "Ana"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ordre Bob: éteindre Ana", "not-your-turn"),
        ("ordre Bob: blabla", "not-understood"),
        ("ordre Bob veiller Ana", "missing-argument"),
        ("ordre Bob:", "missing-argument"),
        ("ordre Zorro: veiller Ana", "unknown-player"),
        ("retirer Zorro", "unknown-player"),
        ("retirer", "missing-argument"),
        ("remplacer Bob", "missing-argument"),
        ("remplacer Zorro par Zoé", "unknown-player"),
        ("revenir night-7.lamps", "unknown-phase"),
        ("corriger Bob.points", "missing-argument"),
        ("corriger Bob.role = wrecker", "no-such-fact"),
        ("dire", "missing-argument"),
        ("dire à Zorro : bonsoir", "unknown-player"),
        ("foudroyer Zorro", "unknown-player"),
        ("foudroyer", "missing-argument"),
        ("fermer les volets", "not-understood"),
        ("vote Ana", "not-understood"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(line, code):
    outcome = gm(phare(), line)
    assert heard(outcome) == [f"!{code}"]
    assert outcome.game == phare()
    assert outcome.notices == ()


def test_an_order_of_which_a_part_is_refused_is_refused_whole():
    outcome = gm(phare(), "ordre Bob: veiller Ana et éteindre Chloé")
    assert heard(outcome) == ["!not-your-turn"]
    assert outcome.game.standing == ()


def test_remove_is_the_variants_and_takes_the_players_orders_away():
    game = say(phare(), "Chloé", "quai").game
    for line in ("retirer Chloé", "remove chloe"):
        outcome = gm(game, line)
        assert heard(outcome) == ["= remove"]
        assert told(outcome, "death")[0].data == {"player": "Chloé", "role": None, "cause": "removed"}
        assert outcome.game.standing == ()
        assert heard(gm(outcome.game, line)) == ["!dead-target"]


def test_removing_may_end_the_game():
    assert gm(phare(), "retirer Ana").game.end.winner_camp == "island"


@pytest.mark.parametrize("line", ["remplacer Bob par Zoé zoe@example.org", "replace bob by Zoé <zoe@example.org>"])
def test_replace_puts_another_person_on_the_seat(line):
    outcome = gm(phare(), line)
    assert outcome.verdicts[0].details == {"player": "Bob", "by": "Zoé", "address": "zoe@example.org"}
    assert told(outcome, "player.replaced")[0].data == {"player": "Bob", "by": "Zoé"}


def test_a_new_name_stands_everywhere():
    """State, standing orders, snapshots, forced draws; and the old name is still understood."""
    game = phare(forced={"night-2.douse": "Chloé"})
    game = say(game, "Bob", "signaler Chloé").game
    game = say(game, "Chloé", "jurer Bob\nabandon").game
    game = gm(game, "remplacer Chloé par Zoé").game
    assert game.players == ("Ana", "Bob", "Zoé", "Denis", "Élise")
    assert game.state.players == game.players
    assert "Chloé" not in repr(game.state)
    assert [(order.player, *order.args.values()) for order in game.standing] == [("Bob", ("Zoé",)), ("Zoé", "Bob")]
    assert game.history[0].state == game.state
    assert game.forced == {"night-2.douse": "Zoé"}
    assert heard(say(game, "Bob", "veiller chloe")) == ["guard Zoé"]
    assert heard(say(game, "Zoé", "quai")) == ["go quay"]


def test_a_seat_may_change_hands_twice_and_back():
    game = gm(gm(phare(), "remplacer Chloé par Zoé").game, "remplacer Zoé par Yves").game
    assert dict(game.aliases) == {"Chloé": "Yves", "Zoé": "Yves"}
    assert heard(say(game, "Bob", "veiller Zoé")) == ["guard Yves"]
    game = gm(game, "remplacer Yves par Chloé").game
    assert game.players == ("Ana", "Bob", "Chloé", "Denis", "Élise")
    assert heard(say(game, "Bob", "veiller Zoé")) == ["guard Chloé"]


def test_the_same_name_and_another_address():
    outcome = gm(phare(), "remplacer Bob par bob2@example.org")
    assert outcome.verdicts[0].details == {"player": "Bob", "by": "Bob", "address": "bob2@example.org"}
    assert outcome.game == phare()


@pytest.mark.parametrize("name", ["Ana", "ANA", "MJ", "quay", "wrecker", "🦊"])
def test_a_name_that_is_taken_or_cannot_be_typed_is_refused(name):
    assert heard(gm(phare(), f"remplacer Bob par {name}")) == ["!name-taken"]


def walk(game, *closes):
    for _ in closes:
        game = close(game).game
    return game


def test_back_goes_to_the_opening_of_a_phase_and_draws_the_same():
    """An input like any other: the same labels draw the same values (scenarios, `revenir`)."""
    first = close(phare())
    again = gm(first.game, "revenir night-1.lamps")
    assert heard(again) == ["= back"]
    assert again.game.phase == "night-1.lamps"
    assert again.game.state == phare().state
    assert again.opened == ("night-1.lamps",)
    assert told(again, "phase.back")[0].data == {"phase": "night-1.lamps"}
    assert close(again.game).notices == first.notices


def test_back_forgets_the_orders_given_since():
    game = say(phare(), "Bob", "veiller Ana").game
    assert gm(game, "back night-1.lamps").game.standing == ()


def test_a_phase_that_opened_in_silence_is_not_named():
    game = close(gm(say(phare(), "Ana", "éteindre Denis").game, "météo calme").game).game
    outcome = gm(close(game).game, "revenir dawn-1.heir")
    assert outcome.game.phase == "dawn-1.heir"
    assert told(outcome, "phase.back")[0].data == {"phase": ""}


def test_the_latest_phase_of_that_id_is_meant_unless_a_round_or_a_number_is_named():
    game = phare(("Ana", "Bob", "Chloé"), options={"rounds": 3})
    for _ in range(2):
        game = close(close(say(game, "Ana", "éteindre Chloé").game).game).game
    assert game.key == "round-3.night-1.lamps"
    assert gm(game, "revenir night-1.lamps").game.key == "round-3.night-1.lamps"
    assert gm(game, "revenir round-2.night-1.lamps").game.key == "round-2.night-1.lamps"
    assert gm(game, "revenir round-1.night-1.lamps").game.key == "night-1.lamps"
    assert gm(game, "Revenir Night-1.lamps.").game.key == "round-3.night-1.lamps"


def test_a_phase_that_came_twice_is_named_by_its_number():
    game = close(say(phare(), "Ana", "éteindre Denis").game).game
    game = gm(game, "revenir night-1.lamps").game
    from dataclasses import replace

    twice = (*game.history, replace(game.history[0], key="night-1.lamps#2"))
    game = replace(game, history=twice)
    assert gm(game, "revenir night-1.lamps").game.key == "night-1.lamps#2"
    assert gm(game, "revenir night-1.lamps#1").game.key == "night-1.lamps"
    assert gm(game, "back night-1.lamps#2").game.key == "night-1.lamps#2"


@pytest.mark.parametrize("line", ["corriger game.weather = storm", "set game.weather=storm because it rains"])
def test_set_changes_a_fact_where_the_game_allows_it(line):
    outcome = gm(phare(), line)
    assert heard(outcome) == ["= set"]
    assert outcome.game.state.weather == "storm"
    assert gm(phare(), "corriger Bob.points = 3").game.state.points == {"Bob": 3}


def test_say_speaks_to_all_or_to_one():
    cases = {
        "dire Bonsoir, parce que c'est poli": ("public", "Bonsoir, parce que c'est poli"),
        "say: Hello there": ("public", "Hello there"),
        "dire à Bob: c'est l'heure": ("Bob", "c'est l'heure"),
        "say to bob : it is time": ("Bob", "it is time"),
        "dire à tous : bonsoir": ("public", "bonsoir"),
        "say to all: hello": ("public", "hello"),
    }
    for line, (to, text) in cases.items():
        outcome = gm(phare(), line)
        assert heard(outcome) == ["= say"]
        assert [(n.kind, n.to, n.data) for n in outcome.notices] == [("gm.word", to, {"text": text})], line


@pytest.mark.parametrize("line", ["arrêter", "stop", "Arrêter la partie parce que tout le monde est parti"])
def test_stop_ends_the_game_without_a_winner(line):
    outcome = gm(phare(), line)
    assert [notice.kind for notice in outcome.notices] == ["game.stopped", "seed.revealed"]
    assert outcome.game.end.winners == ()
    assert heard(gm(outcome.game, "clore\nétat")) == ["!game-over", "= status"]


def test_a_game_may_add_words_of_its_own():
    for line in ("foudroyer Bob", "strike bob because of the storm"):
        outcome = gm(phare(), line)
        assert heard(outcome) == ["= strike"]
        assert told(outcome, "death")[0].data["cause"] == "lightning"
    assert gm(phare(), "strike Bob because of the storm").verdicts[0].details == {"why": "of the storm"}


def test_several_lines_are_carried_out_in_order():
    outcome = gm(phare(), "météo calme\nordre Ana: éteindre Bob\n\nclore\npause")
    assert heard(outcome) == ["weather calm", "= order", "= close", "= pause"]
    assert outcome.game.phase == "dawn-1.heir"


def test_greetings_around_the_words_are_passed_over():
    assert heard(gm(phare(), "Bonsoir,\n\nclore\n\nMerci, bonne nuit")) == ["= close"]
    assert heard(gm(phare(), "Bonsoir")) == ["!not-understood"]


def test_words_for_players_are_no_words_of_the_game_master_and_back():
    assert heard(say(phare(), "Bob", "météo calme\nfoudroyer Ana\nclore")) == ["!not-understood"] * 3


def test_two_games_that_differ_in_a_secret_answer_a_player_alike():
    """Refusals and prompts use only what that player knows (architecture §2)."""
    one = opening(deal=DEAL).game
    two = start(one.variant, one.players, {}, "1", deal={"wrecker": "Denis", "keeper": "Ana"}).game
    text = "quai\nveiller Ana\néteindre Bob\nsignaler Denis, Ana\nvote Ana\ngraver oui\nrien\n?"
    assert say(one, "Chloé", text).verdicts == say(two, "Chloé", text).verdicts
    assert one.asks("Chloé") == two.asks("Chloé")
