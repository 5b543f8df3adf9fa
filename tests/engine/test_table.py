"""The public table: talk is passed on, orders in posts count, refused lines go no further (architecture §3)."""

from __future__ import annotations

from toys import at_vote, close, heard, phare, post, told

from mailgm.engine import Ask


def at_talk():
    game = close(phare(forced={"night-1.weather": "calm", "night-1.douse": "Élise"})).game
    return close(game).game


def test_talk_is_passed_on_under_the_authors_game_name():
    outcome = post(at_vote(phare()), "Bob", "Bonsoir !\n\nJe me demande qui a éteint la lampe.")
    (notice,) = told(outcome, "table.post")
    assert notice.to == "public"
    assert notice.data == {
        "author": "Bob",
        "text": "Bonsoir !\n\nJe me demande qui a éteint la lampe.",
        "ballots": {},
    }
    assert heard(outcome) == ["~", "~"]


def test_an_order_in_a_post_counts_and_the_post_goes_on_whole_with_the_count():
    game = post(at_vote(phare()), "Ana", "vote Bob").game
    outcome = post(game, "Bob", "Ana a menti.\n**vote Ana**\nVoilà.")
    (notice,) = told(outcome, "table.post")
    assert notice.data["text"] == "Ana a menti.\n**vote Ana**\nVoilà."
    assert notice.data["ballots"] == {"Ana": "Bob", "Bob": "Ana"}
    assert heard(outcome) == ["~", "vote Ana", "~"]


def test_votes_in_one_post_are_taken_in_order():
    outcome = post(at_vote(phare()), "Bob", "vote Ana\nvote Chloé")
    assert told(outcome, "table.post")[0].data["ballots"] == {"Bob": "Chloé"}


def test_refused_lines_are_not_passed_on():
    """A private order sent to the table by mistake would tell who somebody is."""
    outcome = post(at_vote(phare()), "Bob", "Salut\nveiller Ana\nvote Zorro\nvote Chloé")
    assert heard(outcome) == ["~", "!wrong-channel", "!unknown-player", "vote Chloé"]
    assert told(outcome, "table.post")[0].data["text"] == "Salut\nvote Chloé"


def test_what_follows_a_secret_text_goes_no_further_either():
    """A long line comes wrapped, or its author began a new one: it is the rest of the secret for all we know."""
    outcome = post(at_vote(phare()), "Bob", "Salut\nchuchoter Ana : je suis naufrageur\net toi ?\nvote Chloé\nÀ demain")
    assert heard(outcome) == ["~", "!wrong-channel", "!wrong-channel", "vote Chloé", "!wrong-channel"]
    assert told(outcome, "table.post")[0].data["text"] == "Salut\nvote Chloé"


def test_a_secret_text_is_not_passed_on_behind_many_lines():
    outcome = post(at_vote(phare()), "Bob", "chuchoter Ana : un\n" + "encore\n" * 400)
    assert told(outcome, "table.post") == []


def test_what_somebody_is_asked_in_secret_does_not_show_at_the_table():
    """Else all might be challenged to post the same words, and one of them could not."""
    game = at_vote(phare())
    asks = game.asks("Bob")
    secret = [
        Ask("Bob", "guard", {"player": ("Ana", "Chloé")}, bare=True),
        Ask("Bob", "whisper", {"player": ("Ana", "Chloé")}),
        Ask("Bob", "sleep"),
    ]
    lines = ("Ana", "veiller", "veiller Ana", "Veiller bien tard", "chuchoter Ana salut", "dormir", "Dormir un peu")
    for line in lines:
        reading = game.parser.read(line, asks, public=True)
        assert game.parser.read(line, [*asks, *secret], public=True) == reading, line


def test_a_post_of_refused_lines_only_is_not_passed_on_at_all():
    outcome = post(at_vote(phare()), "Bob", "veiller Ana")
    assert outcome.notices == ()


def test_the_post_stands_before_what_it_causes():
    game = at_vote(phare())
    assert post(game, "Bob", "vote Ana").notices[0].kind == "table.post"


def test_by_night_the_table_is_closed():
    """A line with a command word is refused, anything else is talk of which its author hears that it went nowhere."""
    outcome = post(phare(), "Bob", "veiller Ana\nBonne nuit à tous\nChloé")
    assert heard(outcome) == ["!wrong-channel", "~", "~"]
    assert [(n.kind, n.to, n.data) for n in outcome.notices] == [("table.closed", "Bob", {"out": False})]
    assert outcome.game.standing == ()


def test_the_dead_are_silent():
    outcome = post(at_vote(phare()), "Élise", "C'est Ana !\nvote Ana")
    assert heard(outcome) == ["~", "!dead-player"]
    assert [(n.kind, n.to, n.data) for n in outcome.notices] == [("table.closed", "Élise", {"out": True})]


def test_a_day_of_talk_has_an_open_table_and_no_orders():
    game = at_talk()
    assert game.phase == "day-1.talk"
    assert told(post(game, "Bob", "Bonjour"), "table.post")
    assert heard(post(game, "Bob", "vote Ana")) == ["!not-your-turn"]


def test_an_empty_post_is_nothing():
    for text in ("", "\n\n", "   "):
        outcome = post(at_vote(phare()), "Bob", text)
        assert (outcome.notices, outcome.verdicts) == ((), ())


def test_a_name_below_a_post_is_its_authors_signature_and_no_vote():
    game = at_vote(phare())
    assert heard(post(game, "Bob", "vote Ana\n\nBob")) == ["vote Ana", "~"]
    assert heard(post(game, "Bob", "Je ne sais pas.\nBob")) == ["~", "~"]
    assert heard(post(game, "Bob", "Bob")) == ["vote Bob"], "alone it is a vote"
    assert heard(post(game, "Bob", "C'est moi.\n**Bob**")) == ["~", "vote Bob"], "in bold too"
    assert heard(post(game, "Bob", "Je ne sais pas.\nAna")) == ["~", "vote Ana"], "so is another's name"
