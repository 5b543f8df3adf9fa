"""The challenge of the day and its result (rulebook 5.3-5.5, R44-R60, R71-R74)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import GM, Ask, Dice, Orders, Step
from mailgm.engine.work import Work, missed

from .comforts import drawn_pair, offer_fault, renew
from .lines import COMFORTS, LINES, commitment, four
from .state import RED, YELLOW, Part, State

COMMANDS = ("answer", "answer2")


class Challenge(Part):
    """Everyone guesses the four lines; a chief with the kit may play twice."""

    id = "day.challenge"
    announced = table = True

    def opens(self, state: State, dice: Dice) -> Step:
        """The commitment is published; one player out before the merge may watch (R42, R44)."""
        work = Work(state, dice)
        work.set(round=1, proposals={}, leaders=(), pairs={}, double=_double(state))
        if not state.merged_on:
            renew(work)
        work.announce("challenge.opened", day=state.day, commitment=commitment(state.day, state.challenge, state.salt))
        watchers = tuple(player for player in state.early if player not in state.removed)
        if state.options["witness"] and state.day > 1 and watchers:
            witness = dice.pick(f"day-{state.day}.witness", watchers)
            work.tell("challenge.witness", witness, day=state.day, challenge=state.challenge, salt=state.salt)
        return work.step()

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player == GM:
            tribes = () if state.merged_on else tuple(filter(state.members, state.tribes))
            legal = {"tribe": tribes, "comforts": COMFORTS}
            return [Ask(GM, "offer", legal, need="side", channel="gm", slot="*", missing="drawn")] if tribes else []
        if player not in state.living:
            return []
        asks = [Ask(player, "answer", LINES, bare=True)]
        if _twice(state, player):
            asks.append(Ask(player, "answer2", LINES))
        return asks

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        return "comfort-unavailable"

    def objects(self, state: State, ask: Ask, args: Mapping[str, Any], standing: Orders) -> str:
        if ask.command == "offer":
            return offer_fault(state, args["tribe"], args["comforts"])
        before = state.proposals.get(ask.player, ())
        place = COMMANDS.index(ask.command)
        return "same-proposal" if place < len(before) and before[place] == four(args) else ""  # R50

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        result = Result(state, orders, dice)
        result.notices += missed(self, state, state.living, orders)
        return result.individual() if state.merged_on else result.tribal()


class Retry(Challenge):
    """A tie: the same challenge, other proposals (R50, R57)."""

    id = "day.retry"

    def opens(self, state: State, dice: Dice) -> Step:
        return Step(state)


class Result(Work[State]):
    """The scores of one round, and what follows from them."""

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        super().__init__(state, dice)
        given = {
            player: tuple(four(order.args) if (order := orders.of(player, command)) else () for command in COMMANDS)
            for player in state.living
        }
        self.proposals = {player: proposals for player, proposals in given.items() if any(proposals)}
        pairs = {order.args["tribe"]: order.args["comforts"] for order in orders.all("offer")}
        self.set(pairs={**state.pairs, **pairs})
        self.label = f"day-{state.day}.challenge-winner"
        self.scores = {player: self._score(player) for player in state.living}
        self.exact = {player for player, proposals in self.proposals.items() if state.challenge in proposals}

    def _score(self, player: str) -> int:
        """All proposals of a player together (R47, R55, R72, R73)."""
        state = self.state
        meal = player not in state.sportifs and state.home(player) in state.meal
        bonus = (player in state.sportifs) + meal + bool(state.merged_on and player in state.allies)
        total = 0
        for proposal in filter(None, self.proposals.get(player, ())):
            right = sum(guess == line for guess, line in zip(proposal, state.challenge, strict=True)) + bonus
            total += min(right, 5) if meal else right
        return total

    def tribal(self) -> Step:
        """The larger sum wins; an exact answer in one tribe alone breaks a tie (R48-R52)."""
        state = self.state
        tribes = tuple(filter(state.members, state.tribes))
        totals = {tribe: sum(self.scores[player] for player in state.members(tribe)) for tribe in (RED, YELLOW)}
        leaders = [tribe for tribe in tribes if totals[tribe] == max(totals.values())]
        exact = [tribe for tribe in leaders if self.exact & set(state.members(tribe))]
        winners = exact if len(exact) == 1 else leaders
        spent = 0 < state.options["tribe_retries"] < state.round
        if len(winners) == 1 and self.proposals:
            winner, drawn = winners[0], False
        elif spent or not self.proposals:
            winner, drawn = self.dice.pick(self.label, tribes), True
        else:
            return self.again()
        return self.told(winner, drawn, scores=self.scores, totals=totals)

    def individual(self) -> Step:
        """One round for all, and one more; then the draw (R52, R55-R57)."""
        state = self.state
        best = max(self.scores.values())
        leaders = tuple(player for player in state.living if self.scores[player] == best)
        exact = tuple(player for player in leaders if player in self.exact)
        leaders = exact or leaders
        first = tuple(player for player in state.leaders if player in state.living)
        if self.proposals and len(leaders) == 1:
            return self.told(leaders[0], False)
        if state.round == 1 and self.proposals:
            self.set(leaders=leaders)
            return self.again()
        twice = tuple(player for player in leaders if player in first) if self.proposals else ()
        return self.told(self.dice.pick(self.label, twice or first or state.living), True)

    def again(self) -> Step:
        """A re-submission is due; the tie reveals nothing (R43)."""
        state = self.state
        self.announce("challenge.tie", day=state.day, round=state.round)
        self.set(round=state.round + 1, proposals=self.proposals)
        return self.step(f"day-{state.day}.retry")

    def told(self, winner: str, drawn: bool, **more: Any) -> Step:
        """The result, used-up meals, necklaces that come back, and the comforts offered (5.5)."""
        state = self.state
        self.announce(
            "challenge.result",
            day=state.day,
            challenge=state.challenge,
            salt=state.salt,
            winner=winner,
            drawn=drawn,
            **more,
        )
        self.set(totem=winner, meal=(), yesterday=state.challenge, proposals={}, leaders=())
        if not state.merged_on:
            self.recover(state.members(winner))  # R36
        elif state.options["necklace_return_solo"]:
            self.recover((winner,))  # R59
        if not state.merged_on and state.members(winner):
            pair = self.state.pairs.get(winner) or drawn_pair(self.state, winner, self.dice)
            self.set(offers=pair, offered=tuple(c for c in COMFORTS if c in {*state.offered, *pair}))
            self.announce("comfort.offered", tribe=winner, offers=pair)
        return self.step(f"day-{state.day}.vote")

    def recover(self, players: tuple[str, ...]) -> None:
        """A necklace played for nothing comes back, in private."""
        for player in players:
            if player in self.state.protected:
                held = {**self.state.held, player: self.state.held.get(player, 0) + 1}
                self.set(held=held, protected=tuple(name for name in self.state.protected if name != player))
                self.tell("necklace.recovered", player)


def _double(state: State) -> tuple[str, ...]:
    """The tribes whose kit lets their chief play twice today (R71)."""
    few = len(state.players) == 12
    count = {tribe: len(state.members(tribe)) for tribe in (RED, YELLOW)}
    other = {RED: YELLOW, YELLOW: RED}
    return tuple(
        tribe
        for tribe in state.kit
        if count[tribe] < count[other[tribe]] or (few and count[tribe] == count[other[tribe]])
    )


def _twice(state: State, player: str) -> bool:
    return any(state.chiefs.get(tribe) == player for tribe in state.double)
