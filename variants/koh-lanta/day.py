"""Votes by day: chiefs, eliminations, orientation, ties, succession, jury (rulebook 5.1, 5.6-5.8, 5.11, R89-R98)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from mailgm.engine import Ask, Dice, Orders, Step
from mailgm.engine.votes import ballots, elect, tally
from mailgm.engine.work import Work, missed

from .comforts import take
from .ending import Ending
from .state import Part, State, name_chief

ONE, TWO = {"players": (1, 1)}, {"players": (0, 99)}


class Election(Part):
    """Day 0: each tribe elects its chief (R11, R12)."""

    id = "day.election"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.living:
            return []
        return [_ballot(player, state.members(state.tribe(player)))]

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "dead-target" if value in state.out else "not-in-tribe"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        work.notices += missed(self, state, state.living, orders)
        votes = _votes(orders)
        chiefs = []
        for tribe in filter(state.members, state.tribes):
            members = state.members(tribe)
            count = tally({voter: votes[voter] for voter in members if voter in votes}, state.players)
            chief, drawn = elect(count, members, dice, f"day-0.chief.{tribe}")
            work.announce("vote.tally", **count.data(tribe=tribe, elected=chief, tie=drawn))
            chiefs.append((chief, tribe, "draw" if drawn else "election"))
        for chief, tribe, by in chiefs:
            name_chief(work, chief, tribe, by)
        work.announce("dusk", day=0, eliminated=(), remaining=len(state.living))
        work.set(day=1)
        return work.step("night-1.orders")


class Vote(Part):
    """One candidate is eliminated; in the tribal phase the winning chief takes a comfort."""

    id = "day.vote"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        asks = []
        legal = tuple(name for name in state.candidates if name != player)
        if player in state.voters and legal:
            asks.append(_ballot(player, legal))
        if state.offers and player == state.chiefs.get(state.totem):
            asks.append(Ask(player, "comfort", {"comfort": state.offers}, bare=True, missing="drawn"))
        return asks

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        if ask.command == "comfort":
            return "not-offered"
        if value in state.out:
            return "dead-target"
        return "self-target" if value == ask.player else "immune-target"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Ending(state, dice)
        work.notices += missed(self, state, state.living, orders)
        if state.offers and (chief := state.chiefs.get(state.totem)):
            order = orders.of(chief, "comfort")
            comfort = order.args["comfort"] if order else dice.pick(f"day-{state.day}.comfort", state.offers)
            take(work, state.totem, comfort, not order)
        open_to = tuple(name for name in state.candidates if name not in state.protected)
        saved = tuple(name for name in state.candidates if name in state.protected)
        if saved:
            work.announce("necklace.played", players=saved)
        votes = _votes(orders)
        secret = Counter(target for target in state.secrets.values() if target in open_to)
        count = tally(_turned(state, votes, open_to), state.players, extra=secret)
        # R94: without any voice all who are not protected are tied at 0.
        leaders = count.leaders or open_to
        elected = leaders[0] if len(leaders) == 1 else None
        cast = {voter: votes[voter] for voter in state.players if voter in votes}
        work.announce(
            "vote.tally",
            counts=dict(count.counts),
            votes=cast,
            elected=elected,
            tie=len(leaders) > 1,
            secret=_published(state),
        )
        work.set(protected=(), spent=state.spent + len(state.protected), secrets={})
        if not leaders:
            return work.end_of_day()
        if elected:
            return work.eliminate((elected,))
        work.set(tied=leaders, seats=1, chosen=())
        return work.step(f"day-{state.day}.tiebreak")


class Orientation(Part):
    """The first day of the final phase: everyone names two, and two are eliminated (R87, R96)."""

    id = "day.orientation"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.living:
            return []
        return [_ballot(player, tuple(name for name in state.living if name != player), TWO)]

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "dead-target" if value in state.out else "self-target"

    def objects(self, state: State, ask: Ask, args: Mapping[str, Any], standing: Orders) -> str:
        return "" if len(args.get("players", ())) == 2 else "need-two"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Ending(state, dice)
        work.notices += missed(self, state, state.living, orders)
        votes = ballots(orders)
        count = tally(votes, state.players, extra=Counter(state.secrets.values()))
        # R88: two must remain for the duel, whoever was removed meanwhile.
        places = min(2, len(state.living) - 2)
        chosen, tied = _first(state, count.counts, places)
        seats = places - len(chosen)
        work.announce("vote.tally", **count.data(elected=None, tie=seats > 0, leaders=chosen, secret=_published(state)))
        work.set(secrets={})
        if not seats:
            return work.eliminate(chosen)
        work.set(tied=tied, seats=seats, chosen=chosen)
        return work.step(f"day-{state.day}.tiebreak")


class Tiebreak(Part):
    """The chief of the voting tribe chooses among the tied, as many as there are seats (R13, R93, R97)."""

    id = "day.tiebreak"
    clock = "instant"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player != state.judge or not state.tied or not _seats(state):
            return []
        counts = ONE if _seats(state) == 1 else TWO
        legal = {"players": state.tied}
        return [Ask(player, "tiebreak", legal, counts, channel="any", bare=True, missing="drawn")]

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "dead-target" if value in state.out else "not-tied"

    def objects(self, state: State, ask: Ask, args: Mapping[str, Any], standing: Orders) -> str:
        return "" if _seats(state) == 1 or len(args.get("players", ())) == 2 else "need-two"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Ending(state, dice)
        order = orders.of(state.judge, "tiebreak")
        drawn, seats = False, _seats(state)
        if len(state.tied) <= seats:  # R113: some of the tied were removed
            named = state.tied
        elif not seats:
            named = ()
        elif order:
            named = state.seated(order.args["players"][:seats])
        else:
            work.notices += missed(self, state, state.living, orders)
            named = state.seated(dice.sample(f"day-{state.day}.tiebreak", state.tied, seats))
            drawn = True
        if named:
            work.announce("tie.settled", chosen=named, by=state.judge, drawn=drawn)
        work.set(tied=(), seats=1, chosen=())
        return work.eliminate(state.seated((*state.chosen, *named)))


class Succession(Part):
    """An eliminated chief names the next one (R14)."""

    id = "day.succession"
    clock = "instant"
    announced = table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        tribe = vacant(state)
        if not tribe or player != state.chiefs[tribe]:
            return []
        return [Ask(player, "successor", {"player": state.members(tribe)}, channel="any", bare=True, missing="drawn")]

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        tribe = vacant(state)
        return (
            "not-your-turn"
            if tribe and player == state.chiefs[tribe]
            else super().closed(state, player, command, standing)
        )

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "dead-target" if value in state.out else "not-in-tribe"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Ending(state, dice)
        work.notices += missed(self, state, state.players, orders)
        if tribe := vacant(state):
            order = orders.of(state.chiefs[tribe], "successor")
            label = f"day-{state.day}.successor"
            chief = order.args["player"] if order else dice.pick(label, state.members(tribe))
            name_chief(work, chief, tribe, "successor" if order else "draw")
        return work.end_of_day()


class Jury(Part):
    """The players voted out since the merge choose between the last two (R104-R107)."""

    id = "day.jury"
    announced = table = True

    def opens(self, state: State, dice: Dice) -> Step:
        work = Work(state, dice)
        work.announce("duel.opened", finalists=state.living)
        return work.step()

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.jurors or player in state.strateges:
            return []
        return [_ballot(player, state.living, channel="any")]

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        return "not-your-turn" if player in state.jurors else super().closed(state, player, command, standing)

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        return "not-a-finalist"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Ending(state, dice)
        work.notices += missed(self, state, state.players, orders)
        automatic = sum(player in state.strateges for player in state.jurors)
        finalist = next(player for player in state.living if player in state.strateges)
        count = tally(_votes(orders), state.players, extra={finalist: automatic})
        winner, drawn = elect(count, state.living, dice, f"day-{state.day}.jury-tie")
        work.announce("vote.tally", **count.data(elected=winner, tie=drawn, automatic=automatic))
        return work.step(work.over(state.camp(winner)))


def vacant(state: State) -> str:
    """The tribe whose chief is out, or ""."""
    return next((tribe for tribe in state.tribes if state.chiefs.get(tribe) in state.out), "")


def _ballot(
    player: str, legal: tuple[str, ...], counts: Mapping[str, tuple[int, int]] = ONE, channel: Any = "public"
) -> Ask:
    return Ask(player, "vote", {"players": legal}, counts, channel=channel, bare=True, ballot=True, missing="abstains")


def _votes(orders: Orders) -> dict[str, str]:
    """Voter → the one whom he named."""
    return {voter: named[0] for voter, named in ballots(orders).items()}


def _turned(state: State, votes: Mapping[str, str], open_to: tuple[str, ...]) -> dict[str, str]:
    """The public votes that count: turned against their author if aimed at his ally, annulled if void (R26, R91)."""
    turned = {voter: voter if state.allies.get(voter) == target else target for voter, target in votes.items()}
    return {voter: target for voter, target in turned.items() if target in open_to}


def _published(state: State) -> dict[str, int]:
    """The secret votes against each member of the voting group, annulled ones too (R18)."""
    count = Counter(state.secrets.values())
    return {name: count[name] for name in state.voters if count[name]}


def _seats(state: State) -> int:
    """How many the tie-break still takes: those who are eliminated anyway and the duel's two set apart (R88)."""
    return min(state.seats, len(state.living) - len(state.chosen) - 2)


def _first(state: State, counts: Mapping[str, int], places: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those clearly within the first one or two, and those tied at the border (R97)."""
    voices = {name: counts.get(name, 0) for name in state.living}
    border = sorted(voices.values(), reverse=True)[places - 1]
    above = tuple(name for name, count in voices.items() if count > border)
    level = tuple(name for name, count in voices.items() if count == border)
    return (above + level, ()) if len(above + level) == places else (above, level)
