"""Counting votes, and the bookkeeping of a resolution: what all games share."""

from __future__ import annotations

import pytest

from mailgm.engine import GM, Dice, ForcedDraw, Order, Orders
from mailgm.engine.votes import ballots, elect, tally
from mailgm.engine.work import naming

SEATS = ("Ana", "Bob", "Chloé", "Denis")


def order(voter: str, n: int, **args: object) -> Order:
    return Order(voter, "vote", args, n, "public", "vote")


def test_a_count_is_told_in_seat_order_and_leaves_out_who_has_no_voice():
    count = tally({"Chloé": "Bob", "Ana": "Chloé", "Bob": "Bob"}, SEATS)
    assert list(count.counts.items()) == [("Bob", 2), ("Chloé", 1)]
    assert list(count.votes) == ["Ana", "Bob", "Chloé"]
    assert count.data(day=1) == {
        "counts": {"Bob": 2, "Chloé": 1},
        "votes": {"Ana": "Chloé", "Bob": "Bob", "Chloé": "Bob"},
        "elected": "Bob",
        "tie": False,
        "day": 1,
    }


def test_heavy_voices_voices_from_elsewhere_and_voices_taken_away():
    count = tally({"Ana": "Bob", "Bob": "Chloé"}, SEATS, weights={"Ana": 2}, extra={"Chloé": 1, "Bob": -3, "Denis": -1})
    assert dict(count.counts) == {"Chloé": 2}, "no total goes below 0"


def test_two_names_on_one_ballot_get_a_voice_each():
    assert dict(tally({"Ana": ("Bob", "Chloé"), "Bob": ("Chloé",)}, SEATS).counts) == {"Bob": 1, "Chloé": 2}


def test_a_tie_is_drawn_among_the_tied_and_no_vote_among_all():
    tied = tally({"Ana": "Bob", "Bob": "Ana"}, SEATS)
    assert (tied.elected, tied.tie, tied.leaders) == (None, True, ("Ana", "Bob"))
    with pytest.raises(ForcedDraw):
        elect(tied, SEATS, Dice("1", {"chief": "Denis"}), "chief")
    assert elect(tied, SEATS, Dice("1", {"chief": "Bob"}), "chief") == ("Bob", True)
    nobody = tally({}, SEATS)
    assert (nobody.leaders, nobody.tie) == ((), False)
    assert elect(nobody, SEATS, Dice("1", {"chief": "Denis"}), "chief") == ("Denis", True)


def test_the_last_ballot_of_each_counts_and_orders_that_name_somebody_are_found():
    standing = Orders([order("Ana", 1, player="Bob"), order("Bob", 2, players=("Ana", "Chloé")), order(GM, 3)])
    assert ballots(standing) == {"Ana": "Bob", "Bob": ("Ana", "Chloé"), GM: None}
    assert naming("Chloé", standing) == [2]
    assert naming("Bob", standing) == [1]
