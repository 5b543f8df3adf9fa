"""The day: election, vote, council, the chief's decision (rulebook 5.1, 5.3-5.6, R9, R13, R38, R55-R59)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import PASS, Ask, ChannelInfo, Dice, Notice, Order, Orders, Phase, Step
from mailgm.engine.votes import Tally, ballots, elect, tally
from mailgm.engine.work import Work, missed

from .dose import Dose
from .state import State, name_chief


class Election(Phase[State]):
    """Day 0: everyone elects the chief publicly (R9)."""

    id = "day.election"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        return [_ballot(player, state.living)] if player in state.living else []

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "dead-target"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        work.notices += missed(self, state, state.living, orders)
        count = tally(ballots(orders), state.players)
        chief, drawn = elect(count, state.living, dice, "day-0.chief")
        work.announce("vote.tally", **count.data(annulled=False))
        name_chief(work, chief, "draw" if drawn else "vote")
        work.set(turn=1)
        return work.step("night-1.roles")


class Vote(Phase[State]):
    """Everyone votes for who gets the dose; a few may act besides, in secret."""

    id = "day.vote"
    announced = table = True
    council_open = True

    def votable(self, state: State) -> tuple[str, ...]:
        """Who may be voted for."""
        return state.living

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.living:
            return []
        secret = [
            ask for ask in self._secret(state, player) if state.can(player) and not _spent(state, player, ask.command)
        ]
        return [_ballot(player, self.votable(state)), *secret, Ask(player, PASS, need="side")]

    def _secret(self, state: State, player: str) -> list[Ask]:
        """What the player's role and office let him do by day, were it neither cancelled nor spent."""
        role = state.roles[player]
        asks = []
        if role == "epouvantail" and player in state.infected:
            asks.append(Ask(player, "stand-in", need="optional"))
        if role == "berger":
            asks.append(Ask(player, "sacrifice", need="optional"))
        if role == "devhorreur":
            named = {"player": self.votable(state)}
            asks += [
                Ask(player, command, named, need="optional", slot="voice") for command in ("voice-add", "voice-remove")
            ]
        if player == state.chief and self.council_open:
            asks.append(Ask(player, "council", need="optional"))
        return asks

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        """Cancelled before spent (R28, section 4); another role's command is not his turn."""
        if player not in state.living or command not in {ask.command for ask in self._secret(state, player)}:
            return "not-your-turn"
        return "cancelled" if not state.can(player) else _spent(state, player, command) or "not-your-turn"

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "dead-target" if value in state.out else "not-candidate"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        if orders.of(state.chief, "council"):
            return _council(state, orders, dice)
        dose = Dose(state, dice)
        dose.notices += missed(self, state, state.living, orders)
        count = tally(ballots(orders), state.players, extra=_voice(orders))
        dose.announce("vote.tally", **count.data(annulled=False))
        dose.set(
            taking_place=bool(orders.all("stand-in")),
            sacrificing=bool(orders.all("sacrifice")),
            tied=count.leaders if count.tie else (),
        )
        return dose.step(f"day-{state.turn}.tiebreak") if count.tie else dose.given(count.elected)


class Revote(Vote):
    """The council's two candidates, everyone again (R58); no council in a council."""

    id = "day.revote"
    council_open = False

    def votable(self, state: State) -> tuple[str, ...]:
        return state.candidates


class Council(Phase[State]):
    """The chief and a drawn player choose two candidates, or are these themselves (R55-R57)."""

    id = "day.council"
    clock = "short"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.council:
            return []
        return [Ask(player, "propose", {"players": state.living}), Ask(player, "say", need="side", slot="*")]

    def channels(self, state: State, player: str) -> tuple[ChannelInfo, ...]:
        """The two members write to one another while the phase lasts (ruling 31)."""
        return (ChannelInfo("conseil", "say", state.seated(state.council)),) if player in state.council else ()

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "dead-target"

    def receives(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        """Each member is shown the other's proposal and words (ruling 31)."""
        other = next(player for player in state.council if player != order.player)
        if order.command == "say":
            words = {"channel": "conseil", "author": order.player, "text": order.args["text"]}
            return Step(state, (Notice("relay", other, words),))
        told = Notice("council.proposal", other, {"player": order.player, "players": order.args["players"]})
        return Step(state, (told,))

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        work.notices += missed(self, state, state.council, orders)
        pairs = {frozenset(order.args["players"]) for order in orders.all("propose")}
        agreed = len(pairs) == 1 and len(orders.all("propose")) == len(state.council)
        candidates = state.seated(pairs.pop()) if agreed else state.council
        work.set(candidates=candidates, council=())
        work.announce("council.candidates", players=candidates, agreed=agreed)
        return work.step(f"day-{state.turn}.revote")


class Tiebreak(Phase[State]):
    """The chief decides among the tied; the secret orders of the vote still stand (R38, 5.6)."""

    id = "day.tiebreak"
    clock = "short"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player != state.chief or not state.tied:
            return []
        return [Ask(player, "decide", {"player": state.tied}, channel="any", missing="drawn")]

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "not-tied"

    def opened(self, state: State) -> Mapping[str, Any]:
        return {"chief": state.chief, "tied": state.tied}

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        dose = Dose(state, dice)
        dose.notices += missed(self, state, state.living, orders)
        if not state.tied:
            return dose.given(None)
        order = orders.of(state.chief, "decide")
        chosen = order.args["player"] if order else dice.pick(f"day-{state.turn}.tie", state.tied)
        dose.announce("tie.broken", player=chosen, by=state.chief if order else None)
        return dose.given(chosen)


def _ballot(player: str, votable: tuple[str, ...]) -> Ask:
    return Ask(
        player,
        "vote",
        {"player": votable},
        need="required" if votable else "optional",  # both candidates of a re-vote may have left
        channel="public",
        bare=True,
        ballot=True,
        missing="abstains",
    )


def _spent(state: State, player: str, command: str) -> str:
    """The code for an ability that is used up, or ""."""
    if command == "sacrifice":
        return "" if "second" in state.bouftous else "no-bouftou"
    used = {"stand-in": "infected" in state.stood_in, "council": state.council_used}
    return "power-used" if used.get(command) else ""


def _voice(orders: Orders) -> dict[str, int]:
    """The dévhorreur's voice, added or taken (R13)."""
    return {
        order.args["player"]: 1 if order.command == "voice-add" else -1
        for order in orders.all("voice-add", "voice-remove")
    }


def _council(state: State, orders: Orders, dice: Dice) -> Step:
    """The vote is annulled and its secret orders fall; a second member is drawn (R55, ruling 14)."""
    work = Work(state, dice)
    count: Tally = tally(ballots(orders), state.players)
    work.announce("vote.tally", **count.data(elected=None, tie=False, annulled=True))
    member = draw_member(state, dice)
    work.set(council_used=True, council=(state.chief, member))
    work.announce("council.opened", chief=state.chief, member=member)
    return work.step(f"day-{state.turn}.council")


def draw_member(state: State, dice: Dice) -> str:
    """Any other living player; with `council_pool` "roles" one who is no paysan, if there is one."""
    pool = tuple(player for player in state.living if player != state.chief)
    special = tuple(player for player in pool if state.roles[player] != "paysan")
    if state.options["council_pool"] == "roles" and special:
        pool = special
    return dice.pick(f"day-{state.turn}.council", pool)
