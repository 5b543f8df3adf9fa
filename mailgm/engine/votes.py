"""Counting votes: ballots, voices from elsewhere, who leads, what is told of it. The same for every game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mailgm.engine.dice import Dice
from mailgm.engine.model import Orders
from mailgm.engine.plain import worked_out


@dataclass(frozen=True)
class Tally:
    """A count.

    votes:  voter → whom he named, in seat order of the voters.
    counts: name → voices, in seat order; nobody with 0.
    """

    votes: Mapping[str, Any]
    counts: Mapping[str, int]

    @worked_out
    def leaders(self) -> tuple[str, ...]:
        """Those with the most voices, in seat order; nobody if there is no voice at all."""
        most = max(self.counts.values(), default=0)
        return tuple(name for name, count in self.counts.items() if count == most)

    @property
    def elected(self) -> str | None:
        """The only leader, or None."""
        return self.leaders[0] if len(self.leaders) == 1 else None

    @property
    def tie(self) -> bool:
        """Whether several share the first place."""
        return len(self.leaders) > 1

    def data(self, **more: Any) -> dict[str, Any]:
        """The data of a `vote.tally` notice; `more` adds keys or replaces them."""
        told = {"counts": dict(self.counts), "votes": dict(self.votes), "elected": self.elected, "tie": self.tie}
        return {**told, **more}


def ballots(orders: Orders, command: str = "vote") -> dict[str, Any]:
    """The standing ballots: voter → what his order names (a name, or a tuple of names)."""
    return {order.player: next(iter(order.args.values()), None) for order in orders.all(command)}


def tally(
    votes: Mapping[str, Any],
    seats: Sequence[str],
    *,
    weights: Mapping[str, int] | None = None,
    extra: Mapping[str, int] | None = None,
) -> Tally:
    """Count ballots.

    votes:   voter → a name, or a tuple of names that get a voice each.
    seats:   all names in seat order: the order of everything that is told.
    weights: voter → the number of his voices, where it is not 1.
    extra:   name → voices added or, if negative, taken away; no total goes below 0.
    """
    counts = dict.fromkeys(seats, 0)
    for voter, named in votes.items():
        for name in named if isinstance(named, tuple) else (named,):
            counts[name] += (weights or {}).get(voter, 1)
    for name, voices in (extra or {}).items():
        counts[name] += voices
    return Tally(
        {voter: votes[voter] for voter in seats if voter in votes},
        {name: count for name, count in counts.items() if count > 0},
    )


def elect(count: Tally, everyone: Sequence[str], dice: Dice, label: str) -> tuple[str, bool]:
    """Who is elected where chance settles what the voices do not: (name, whether it was drawn).

    A tie is drawn among the tied, a vote without any voice among `everyone`.
    """
    if count.elected is not None:
        return count.elected, False
    return dice.pick(label, count.leaders or tuple(everyone)), True
