"""The day: the vote, the mayor's decision, the pyre (rulebook 5.5, 5.6, R37-R43, R80)."""

from __future__ import annotations

from collections import Counter

from mailgm.engine import Ask, Dice, Orders, Step
from mailgm.engine.votes import ballots, tally
from mailgm.engine.work import Work, missed

from .legacy import leave_words
from .opening import ballot
from .state import Part, State, bury, change_hearts, over, winner


class Vote(Part):
    """The living vote publicly for one of them to go to the pyre (R37)."""

    id = "day.vote"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        return [ballot(state, player)] if player in state.living else []

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        votes = ballots(orders)
        weights = {voter: 2 for voter in votes if state.using(voter, "immunite-diplomatique")}  # R48
        count = tally(votes, state.players, weights=weights)
        work.announce("vote.tally", **count.data())
        work.set(ballots=dict(count.votes))
        if count.tie:
            work.set(tied=count.leaders)
            return work.step(f"day-{state.night}.tiebreak")
        return pyre(work, count.elected)


class Tiebreak(Part):
    """The mayor decides, also between himself and another (R38, ruling 15)."""

    id = "day.tiebreak"
    clock = "short"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player != state.mayor or player not in state.living or not state.tied:
            return []
        return [Ask(player, "decide", {"player": state.tied}, channel="any", missing="drawn")]

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "not-tied"

    def opened(self, state: State) -> dict[str, object]:
        return {"mayor": state.mayor, "tied": state.tied}

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        work.notices += missed(self, state, state.living, orders)
        work.set(tied=())
        if not state.tied:
            return pyre(work, None)
        order = orders.of(state.mayor, "decide")
        chosen = order.args["player"] if order else dice.pick(f"day-{state.night}.tie", state.tied)
        work.announce("tie.broken", player=chosen, by=state.mayor if order else None)
        return pyre(work, chosen)


def pyre(work: Work[State], condemned: str | None) -> Step:
    """The pyre burns, or nobody was designated; then dusk, the end test, last words (R39-R42, R80)."""
    state = work.state
    died = False
    if condemned is None:
        work.announce("dusk", day=state.night, condemned=None, element=None, died=False)
    else:
        element = _element(state, condemned)
        change_hearts(work, {condemned: -_wounds(state, condemned, element)})
        left = work.state.hearts[condemned]
        died = left == 0
        work.announce("dusk", day=state.night, condemned=condemned, element=element, died=died)
        if died:
            work.set(dead=state.seated({*state.dead, condemned}))
            bury(work, condemned, "pyre")
        if left != state.hearts[condemned]:
            work.tell("hearts", condemned, hearts=left)
    if camp := winner(work.state):
        return work.step(over(work, camp))
    leave_words(work, (condemned,) if condemned and died else ())
    return work.step(f"day-{state.night}.legacy")


def _element(state: State, condemned: str) -> str:
    """The element that most of those chose who voted for the condemned with Impitoyable; feu on a tie (R41)."""
    chosen = Counter(
        state.active[voter][1]
        for voter, target in state.ballots.items()
        if target == condemned and state.using(voter, "impitoyable")
    ).most_common(2)
    if not chosen or (len(chosen) == 2 and chosen[0][1] == chosen[1][1]):
        return "feu"
    return chosen[0][0]


def _wounds(state: State, condemned: str, element: str) -> int:
    """NC wounds, one more for a vulnerability, one less of feu for an Ignifugé (R39, R40)."""
    spared = element == "feu" and state.using(condemned, "ignifuge")
    return state.nc + state.vulnerable(condemned, element) - spared
