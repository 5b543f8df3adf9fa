"""Dracula: what scenarios cannot say: draws that are refused, what a reply adds, what is asked, timing, undoing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mailgm.engine import ForcedDraw, Input, SetupError, apply, start
from mailgm.loader import Library
from tests.variants.table import Play

Begin = Callable[..., Play]

NIGHT_1 = (
    ("say", "Bob", "boudoir"), ("say", "Chloé", "boudoir"), ("say", "Denis", "boudoir"), ("say", "Élise", "bal"),
    ("say", "Fanny", "bal"), ("close",), ("say", "Ana", "boudoir"), ("close",), ("say", "Ana", "mordre Bob"),
    ("close",),
)  # fmt: skip
NIGHT_2 = (
    ("close",), ("say", "Ana", "torture"), ("say", "Bob", "torture"), ("say", "Chloé", "boudoir"),
    ("say", "Denis", "boudoir"), ("say", "Élise", "bal"), ("say", "Fanny", "bal"), ("close",), ("say", "Bob", "Ana"),
    ("close",),
)  # fmt: skip


def test_a_forced_object_must_be_in_the_deck(dracula: Begin) -> None:
    """dracula R28, R29: what is forced must be in the deck, and is told by its label."""
    play = dracula(deck={"pieu": 1}, forced={"night-2.items": {"Chloé": "clef"}})
    play.do(*NIGHT_1)
    with pytest.raises(ForcedDraw, match=r"night-2\.items"):
        play.do(("close",))


def test_a_forced_sanctuary_has_as_many_names_as_seats(dracula: Begin) -> None:
    """dracula R11."""
    play = dracula(fill_seats="draw", sanctuary_seats=2, forced={"day-2.sanctuary": ["Ana"]})
    play.do(*NIGHT_1)
    with pytest.raises(ForcedDraw, match=r"day-2\.sanctuary"):
        play.do(("close",))


def test_set_up_names_the_key_at_fault(library: Library) -> None:
    """dracula R1: set-up draws nothing but Dracula."""
    with pytest.raises(SetupError) as caught:
        start(library.variant("dracula"), ("A1", "B1", "C1", "D1", "E1", "F1"), {}, "1", deal={"vampire": "A1"})
    assert caught.value.key == "vampire"


@pytest.mark.parametrize(
    ("players", "seats", "deck"),
    [
        (6, 1, {"crucifix": 1, "loupe": 1, "pieu": 1, "bougie": 1}),
        (8, 1, {"crucifix": 1, "loupe": 1, "pieu": 1, "bougie": 1, "gousse-ail": 1, "clef": 1}),
        (13, 3, {"crucifix": 1, "loupe": 3, "pieu": 3, "bougie": 2, "gousse-ail": 1, "clef": 1}),
        (14, 3, {"crucifix": 1, "loupe": 4, "pieu": 3, "bougie": 2, "gousse-ail": 1, "clef": 1}),
    ],
)
def test_the_deck_grows_with_the_table(library: Library, players: int, seats: int, deck: dict[str, int]) -> None:
    """dracula R2, R10, R29."""
    names = [f"Joueur{chr(65 + place)}" for place in range(players)]
    outcome = start(library.variant("dracula"), names, {}, "1")
    opened = next(notice for notice in outcome.notices if notice.kind == "round.opened")
    assert (opened.data["seats"], opened.data["deck"]) == (seats, deck)


def test_the_reply_says_how_many_flames_still_owe_a_target(dracula: Begin) -> None:
    """dracula R63."""
    play = dracula(nights=2)
    play.do(*NIGHT_1, *NIGHT_2, ("post", "Chloé", "fuir Denis"), ("post", "Denis", "combattre"), ("close",))
    assert play.do(("say", "Denis", "brûler Bob")).verdicts[0].details == {"owed": 1}
    assert play.do(("say", "Denis", "brûler Bob et Ana")).verdicts[0].details == {"owed": 0}


def test_a_refusal_names_what_would_be_accepted(dracula: Begin) -> None:
    """dracula R16, R17: the rooms where somebody is, and nothing else, for Dracula."""
    play = dracula()
    play.do(
        ("say", "Bob", "bal"), *[("say", name, "geôles") for name in ("Chloé", "Denis", "Élise", "Fanny")], ("close",)
    )
    verdict = play.do(("say", "Ana", "aller boudoir")).verdicts[0]
    assert (verdict.code, verdict.accepted) == ("empty-room", ("bal", "geoles"))


def test_the_cursed_are_asked_for_their_room_before_their_vote(dracula: Begin) -> None:
    """dracula R53: the vote is owed all the while, and barred until the announcement."""
    play = dracula()
    play.do(("say", "Chloé", "torture"), *NIGHT_1[0:1], *NIGHT_1[2:], ("say", "Chloé", "maudire Chloé"), ("close",))
    assert [(ask.command, ask.barred) for ask in play.game.asks("Chloé")] == [("maudit", ""), ("voter", "curse-first")]
    play.do(("post", "Chloé", "**Bob**"))
    assert play.codes() == ["curse-first"]
    play.do(("post", "Chloé", "Je suis maudite ! bal"))
    assert [ask.command for ask in play.game.owed("Chloé")] == ["voter"]


def test_a_lone_candidate_who_may_not_name_himself_owes_nothing(dracula: Begin) -> None:
    """dracula R9."""
    play = dracula(self_vote=False, sanctuary_seats=5)
    votes = zip(("Ana", "Bob", "Chloé", "Denis", "Élise"), ("Bob", "Chloé", "Denis", "Élise", "Ana"), strict=True)
    play.do(*NIGHT_1, *[("post", voter, name) for voter, name in votes], ("close",))
    play.do(("say", "Fanny", "boudoir"), ("close",))
    assert play.game.phase == "day-3.vote"
    assert not play.game.owed("Fanny")
    assert [ask.command for ask in play.game.owed("Ana")] == ["voter"]


@pytest.mark.parametrize("decoys", [False, True])
def test_a_silent_night_has_its_hours_where_games_play_with_decoys(dracula: Begin, decoys: bool) -> None:
    """dracula R4, R36: nobody can tell from the timing that no vampire had company (Q37)."""
    play = dracula(decoys=decoys)
    play.do(*NIGHT_1)
    assert play.game.phase == ("night-1.dawn" if decoys else "day-2.vote")
    if decoys:
        play.do(("close",))
    play.do(("close",), ("say", "Ana", "geôles"), ("say", "Bob", "torture"))
    play.do(*[("say", name, "boudoir") for name in ("Chloé", "Denis", "Élise", "Fanny")], ("close",))
    assert play.game.phase == ("night-2.bites" if decoys else "day-3.vote")


def test_with_decoys_the_loupe_phase_comes_whether_or_not_anybody_looks(dracula: Begin) -> None:
    """dracula R19: from night 3 on, if the deck holds a loupe at all."""
    for deck, phase in (({"loupe": 1}, "night-3.loupe"), ({"pieu": 1}, "night-3.bites")):
        play = dracula(decoys=True, deck=deck)
        while play.game.phase != "night-3.rooms":
            play.do(("close",))
        play.do(("close",))
        assert play.game.phase == phase


def test_nothing_closes_early_while_a_stake_or_a_waltz_may_come(dracula: Begin) -> None:
    """dracula R33 (Q38): optional asks wait for the deadline, or for a "rien"."""
    items = {"Chloé": "pieu", "Denis": "loupe", "Élise": "crucifix", "Fanny": "bougie"}
    play = dracula(sanctuary_seats=2, forced={"night-2.items": items})
    play.do(*NIGHT_1, *NIGHT_2, ("post", "Ana", "Chloé"), ("post", "Bob", "Denis"), ("close",))
    play.do(("say", "Ana", "bal"), ("say", "Bob", "bal"), ("close",))
    assert sorted(play.game.owing()) == ["Ana", "Bob", "Chloé"]
    play.do(("say", "Chloé", "rien"), ("say", "Ana", "rien"), ("say", "Bob", "Ana"))
    assert not play.game.owing()


def test_rien_takes_back_what_one_need_not_do(dracula: Begin) -> None:
    """dracula R37: "rien" undoes Dracula's bite, not a vampire's, who must bite."""
    play = dracula()
    play.do(*NIGHT_1, ("close",))
    rooms = {"Ana": "bal", "Bob": "boudoir", "Chloé": "boudoir", "Denis": "boudoir", "Élise": "bal", "Fanny": "bal"}
    play.do(*[("say", name, room) for name, room in rooms.items()], ("close",))
    play.do(
        ("say", "Ana", "Fanny"), ("say", "Ana", "rien"), ("say", "Bob", "Denis"), ("say", "Bob", "rien"), ("close",)
    )
    assert play.game.state.seats["Fanny"].role == "human"
    assert play.game.state.seats["Denis"].role == "vampire"


def test_an_undone_night_draws_the_same(dracula: Begin) -> None:
    """dracula R15, R28: going back to a phase replays its draws."""
    play = dracula()
    play.do(*NIGHT_1, ("close",), ("close",))
    first = play.game.state
    play.do(("gm", "revenir night-2.rooms"), ("close",))
    assert play.game.state == first


def test_an_order_by_value_is_judged_as_a_typed_one(dracula: Begin) -> None:
    """dracula R18: the validator is one."""
    play = dracula()
    given = Input("order", "Bob", command="aller", args={"room": "sanctuaire"})
    assert apply(play.game, given).verdicts[0].code == "sanctuary-closed"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("corriger Chloé.score = 4", ""), ("corriger Chloé.cursed = oui", ""), ("corriger wall.bal = coucou", ""),
        ("corriger telepathy.used = oui", ""), ("corriger Chloé.score = -1", "wrong-value"),
        ("corriger Chloé.role = vampire", "no-such-fact"), ("corriger wall.cave = rien", "no-such-fact"),
    ],
)  # fmt: skip
def test_the_game_master_puts_a_fact_right(dracula: Begin, line: str, code: str) -> None:
    """What can be changed without breaking the round can be (rulebook 9), and only that."""
    play = dracula()
    assert play.do(("gm", line)).verdicts[0].code == code


def test_a_follower_who_declared_a_loupe_may_still_say_where_he_would_go(dracula: Begin) -> None:
    """dracula R19, R24: he will not choose later, so that nothing is to wait for."""
    items = {"Chloé": "clef", "Denis": "loupe", "Élise": "bougie", "Fanny": "pieu"}
    play = dracula(deck={"clef": 1, "loupe": 1, "bougie": 1, "pieu": 1}, forced={"night-2.items": items})
    play.do(*NIGHT_1, *NIGHT_2, ("close",), *[("say", name, "bal") for name in ("Chloé", "Fanny")])
    play.do(
        ("say", "Denis", "boudoir"), ("say", "Élise", "boudoir"), ("say", "Ana", "torture"), ("say", "Bob", "torture")
    )
    play.do(("close",), ("say", "Bob", "Ana"), ("close",), ("close",))
    assert play.game.phase == "day-4.partners"
    play.do(("post", "Denis", "Chloé"), ("post", "Élise", "Fanny"), ("post", "Ana", "Bob"), ("close",))
    play.do(("say", "Denis", "loupe"), ("say", "Denis", "geôles"), ("say", "Chloé", "clef"))
    assert play.codes() == []
    play.do(("close",))
    assert play.game.state.seats["Denis"].room == "geoles"


def test_several_orders_are_taken_back_at_once(dracula: Begin) -> None:
    """dracula R27: the second object of the list is not used instead."""
    items = {"Chloé": "bougie", "Denis": "loupe", "Élise": "gousse-ail", "Fanny": "pieu"}
    play = dracula(deck={"bougie": 1, "loupe": 1, "gousse-ail": 1, "pieu": 1}, forced={"night-2.items": items})
    play.do(*NIGHT_1, ("close",))
    rooms = {"Ana": "torture", "Bob": "boudoir", "Chloé": "boudoir", "Denis": "boudoir", "Élise": "bal", "Fanny": "bal"}
    play.do(*[("say", name, room) for name, room in rooms.items()], ("close",), ("say", "Bob", "Denis"), ("close",))
    play.do(("close",), ("say", "Chloé", "bougie\nloupe"), ("say", "Chloé", "annuler la bougie et la loupe"))
    assert play.codes() == []
    assert not play.game.orders.all(player="Chloé")
    play.do(("say", "Chloé", "annuler bougie et loupe"))
    assert play.codes() == ["not-your-turn"]
