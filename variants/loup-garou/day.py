"""The day: election, vote, second ballots, the mayor's word (R36, R46-R52, R87, R88, R91, R95)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mailgm.engine import Ask, End, Orders
from mailgm.engine.model import Channel, Need
from mailgm.engine.votes import Tally, ballots, elect, tally

from .flow import dusk
from .moment import Moment, passing
from .role import victims
from .state import Village
from .turn import Turn


class Ballot(Moment):
    """What an election, a vote and a second ballot share: one public or secret ballot each."""

    clock = "day"
    announced = True
    table = True
    command = "vote"

    def eligible(self, state: Village, player: str) -> tuple[str, ...]:
        """For whom the player may vote."""
        return victims(state, player, self.command)

    def calls(self, state: Village) -> tuple[str, ...]:
        """Every living player."""
        return state.living

    def asked(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """One ballot."""
        legal = self.eligible(state, player)
        secret = state.rules.ballot == "secret"
        ballot = Ask(
            player,
            self.command,
            {"player": legal},
            need="required" if legal else "optional",
            channel="private" if secret else "public",
            slot="vote",
            bare=True,
            missing="abstains",
            ballot=not secret,
        )
        return [ballot, *_besides(player, self.command == "vote", secret)]


class Vote(Ballot):
    """day.vote: whom the village puts to death."""

    id = "day.vote"

    def asked(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """A ballot or a blank one; and two under the evil tongue must accuse each other at the table (R88)."""
        asks = super().asked(state, player, standing)
        tongues = self.tongues(state) if state.today.tongues else []
        if accused := tuple(dict.fromkeys(_other(pair, player) for pair in tongues if player in pair)):
            asks.append(Ask(player, "accuse", {"player": accused}, channel="public", slot="*"))
        return asks

    def forbids(self, state: Village, player: str, command: str, target: str) -> str:
        """Accusing somebody else than the player one is bound to."""
        return "not-your-target" if command == "accuse" else ""

    def tongues(self, state: Village) -> list[tuple[str, str]]:
        """The pairs who must accuse each other, as long as both live."""
        return [pair for pair in state.today.tongues if all(state.alive(name) for name in pair)]

    def penalties(self, state: Village, orders: Orders) -> dict[str, int]:
        """Votes that nobody cast: the raven's marks, and one against each who failed to accuse, by option."""
        votes = {name: count for name, count in state.today.marks.items() if count and state.alive(name)}
        if state.rules.tongue_penalty == "none":
            return votes
        for pair in self.tongues(state):
            for player in pair:
                accused = {order.get("player") for order in orders.all("accuse", player=player)}
                if _other(pair, player) not in accused:
                    votes[player] = votes.get(player, 0) + 1
        return votes

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """The count, and what it leads to."""
        votes = bound(turn.state, cast(turn.state, orders))
        return outcome(turn, votes, self.penalties(turn.state, orders))


class Revote(Vote):
    """day.revote: a second ballot among the tied; all the living vote, nothing but ballots counts (R48)."""

    id = "day.revote"

    def eligible(self, state: Village, player: str) -> tuple[str, ...]:
        """The tied who live."""
        return tuple(name for name in super().eligible(state, player) if name in state.today.candidates)

    def forbids(self, state: Village, player: str, command: str, target: str) -> str:
        """Somebody who is not tied."""
        return "not-candidate" if target not in state.today.candidates else ""

    def tongues(self, state: Village) -> list[tuple[str, str]]:
        """Accusations belong to the first ballot."""
        return []

    def penalties(self, state: Village, orders: Orders) -> dict[str, int]:
        """A new ballot starts from zero (ruling 12)."""
        return {}

    def opened(self, state: Village) -> Mapping[str, object]:
        """The public is told between whom."""
        return {"candidates": tuple(name for name in state.today.candidates if state.alive(name))}


class Election(Ballot):
    """day.election: the village chooses its mayor, before the first vote (R95)."""

    id = "day.election"
    command = "elect"

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """Most ballots; equal or none: drawn."""
        state = turn.state
        count = counted(turn, cast(state, orders, self.command), {})
        mayor, _ = elect(count, state.living, turn.dice, f"day-{state.day}.mayor")
        publish(turn, count, mayor if count.leaders else "")
        turn.set(mayor=mayor)
        turn.announce("mayor.named", player=mayor, how="elected")
        return f"day-{state.day}.vote"


class Mayor(Moment):
    """day.mayor: the mayor decides between the tied (R49)."""

    id = "day.mayor"
    clock = "instant"
    table = True

    def calls(self, state: Village) -> list[str]:
        """The living mayor."""
        return [state.mayor] if state.mayor in state.living else []

    def asked(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Which of the tied dies."""
        tied = tuple(name for name in victims(state, player, "decide") if name in state.today.candidates)
        need: Need = "required" if tied else "optional"
        return [Ask(player, "decide", {"player": tied}, need=need, bare=True, missing="revote"), passing(player)]

    def forbids(self, state: Village, player: str, command: str, target: str) -> str:
        """Somebody who is not tied."""
        return "not-candidate" if target not in state.today.candidates else ""

    def opening(self, turn: Turn) -> None:
        """He is called."""
        turn.tell("call", turn.state.mayor, phase=f"day-{turn.state.day}.mayor")

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """His choice dies; if he is silent, or his choice has died, a second ballot."""
        order = orders.of(turn.state.mayor, "decide") if turn.state.mayor else None
        chosen = order.get("player") if order else ""
        if chosen and turn.state.alive(chosen):
            return dusk(turn, chosen)
        return second_ballot(turn, turn.state.today.candidates)


@lru_cache(maxsize=1024)
def _besides(player: str, blank: bool, secret: bool) -> tuple[Ask, ...]:
    """What a voter may do instead: a blank ballot in a vote; where ballots are secret, nothing at all."""
    channel: Channel = "private" if secret else "public"
    asks = [Ask(player, "blank", need="optional", channel=channel, slot="vote", ballot=not secret)] if blank else []
    return (*asks, passing(player)) if secret else tuple(asks)


def cast(state: Village, orders: Orders, command: str = "vote") -> dict[str, str]:
    """The ballots of the living for the living: voter → name, in seat order."""
    given = ballots(orders, command)
    return {name: given[name] for name in state.living if name in given and state.alive(given[name])}


def bound(state: Village, votes: Mapping[str, str]) -> dict[str, str]:
    """The ballots as counted: a slave's is his master's, if the master has one and both live (R87)."""
    told = dict(votes)
    for bond in state.bonds:
        holds = bond.day in (0, state.day) and state.alive(bond.master) and state.alive(bond.slave)
        if holds and bond.master in votes:
            told[bond.slave] = votes[bond.master]
    return told


def counted(turn: Turn, votes: Mapping[str, str], more: Mapping[str, int]) -> Tally:
    """The count: the mayor's ballot weighs what the game says; more: votes that nobody cast (R51)."""
    state = turn.state
    return tally(votes, state.order, weights={state.mayor: state.rules.mayor_votes}, extra=more)


def publish(turn: Turn, count: Tally, elected: str) -> None:
    """Everybody is told how it went; of a secret ballot only the counts."""
    hidden = {"votes": None} if turn.state.rules.ballot == "secret" else {}
    turn.announce("vote.tally", **count.data(elected=elected or None, **hidden))


def outcome(turn: Turn, votes: Mapping[str, str], more: Mapping[str, int]) -> str | End:
    """Who is elected; a tie as the game has it (R47-R50)."""
    state = turn.state
    count = counted(turn, votes, more)
    elected = count.elected or ""
    asks_mayor = state.rules.tie == "mayor" and bool(state.mayor) and state.alive(state.mayor)
    if count.tie and state.rules.tie == "draw":
        elected = turn.dice.pick(f"day-{state.day}.lynch", count.leaders)
    elif count.tie and asks_mayor and votes.get(state.mayor) in count.leaders:
        elected = votes[state.mayor]
    publish(turn, count, elected)
    if elected or not count.tie or state.rules.tie == "nobody":
        return dusk(turn, elected)
    if asks_mayor:
        turn.today(candidates=count.leaders)
        return f"day-{state.day}.mayor"
    return second_ballot(turn, count.leaders)


def second_ballot(turn: Turn, tied: tuple[str, ...]) -> str | End:
    """A second ballot among the tied who live, as often as the game allows; then nobody dies."""
    state = turn.state
    candidates = tuple(name for name in tied if state.alive(name))
    if not candidates or state.today.revotes >= state.rules.revotes:
        return dusk(turn, "")
    turn.today(candidates=candidates, revotes=state.today.revotes + 1)
    return f"day-{state.day}.revote"


def _other(pair: tuple[str, str], player: str) -> str:
    return pair[1] if pair[0] == player else pair[0]
