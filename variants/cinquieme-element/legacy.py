"""Last words of the dead, and the dawn that follows (rulebook 5.3 step 8, 5.4, 5.7, R51, R56-R59, R77)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mailgm.engine import Ask, Dice, Orders, Step
from mailgm.engine.work import Work, missed

from .state import Part, State, bury, last_words, name_mayor, over, winner


def leave_words(work: Work[State], dead: Iterable[str]) -> None:
    """The newly dead may be owed a last word."""
    work.set(legacies=last_words(work.state, dead))


class Legacy(Part):
    """The dead name in secret whom their power touches, and a dead mayor names the next one."""

    clock = "short"

    def opens(self, state: State, dice: Dice) -> Step:
        work = Work(state, dice)
        for player, what in state.legacies.items():
            work.tell("legacy.asked", player, what=what, players=state.living)
        return work.step()

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        asks = []
        for what in state.legacies.get(player, ()):
            if what == "mayor":
                asks.append(Ask(player, "successor", {"player": state.living}, channel="any", missing="drawn"))
            else:
                asks.append(Ask(player, "bequeath", {"player": state.living}))
        return asks

    def settle(self, state: State, orders: Orders, dice: Dice, label: str) -> tuple[Work[State], str]:
        """The bequests in seat order of the dead; then (the work so far, how the mayor was named, or "")."""
        work = Work(state, dice)
        work.notices += missed(self, state, state.players, orders)
        how = ""
        for player in state.seated(state.legacies):
            gift = orders.of(player, "bequeath")
            if gift and "ascension" in state.legacies[player]:
                work.set(hearts={**work.state.hearts, gift.args["player"]: state.cap})  # R19: no gain of the night
            elif gift:
                _autopsy(work, gift.args["player"])
            if "mayor" in state.legacies[player] and state.living:  # ruling 24: all may have been removed
                order = orders.of(player, "successor")
                how = "successor" if order else "draw"
                work.set(mayor=order.args["player"] if order else dice.pick(label, state.living))
        work.set(legacies={})
        return work, how


class NightLegacy(Legacy):
    """Before the dawn, in silence: only the dead concerned know of it (R59)."""

    id = "night.legacy"
    decoy = True  # a late dawn would tell that somebody died

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work, how = self.settle(state, orders, dice, f"night-{state.night}.mayor")
        dawn(work, how)
        if camp := winner(work.state):  # somebody was removed while the dead were asked (ruling 24)
            return work.step(over(work, camp))
        return work.step(f"day-{state.night}.vote")


class DayLegacy(Legacy):
    """After a pyre, the table still open (R25); hearts that a bequest changed are told at its close (ruling 25)."""

    id = "day.legacy"
    table = True

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work, how = self.settle(state, orders, dice, f"day-{state.night}.mayor")
        _tell_hearts(work, state.hearts)
        if how:
            name_mayor(work, work.state.mayor, how)
        work.set(night=state.night + 1)
        return work.step(f"night-{work.state.night}.actions")


def _autopsy(work: Work[State], player: str) -> None:
    """One heart less for a player and his two nearest living neighbours, but nobody dies of it (R56, R57)."""
    circle = work.state.living
    place = circle.index(player)
    touched = {player, circle[place - 1], circle[(place + 1) % len(circle)]}
    hearts = {name: max(1, count - 1) if name in touched else count for name, count in work.state.hearts.items()}
    work.set(hearts=hearts)


def _tell_hearts(work: Work[State], before: Mapping[str, int]) -> None:
    """Each living player whose total differs from `before` is told the new one (R21)."""
    for player in work.state.living:
        if work.state.hearts[player] != before[player]:
            work.tell("hearts", player, hearts=work.state.hearts[player])


def dawn(work: Work[State], how: str = "") -> None:
    """What the night has changed, privately, then publicly (5.3 step 8). how: a new mayor was named so."""
    state = work.state
    _tell_hearts(work, state.opening)
    for player in state.fallen:
        bury(work, player, "night")
    if how:
        name_mayor(work, state.mayor, how)
    work.announce("dawn", night=state.night, deaths=state.fallen, mayor=state.mayor)
    work.set(fallen=())
