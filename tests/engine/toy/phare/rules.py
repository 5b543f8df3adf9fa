"""The lighthouse: the keeper guards a lamp each night, the wreckers put one out, the island votes by day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mailgm.engine import (
    GM,
    PUBLIC,
    Ask,
    Dice,
    End,
    Notice,
    Order,
    Orders,
    Phase,
    Refused,
    SetupError,
    Spec,
    Step,
    Variant,
)


@dataclass(frozen=True)
class State:
    players: tuple[str, ...]
    roles: Mapping[str, str]
    living: tuple[str, ...]
    rounds: int = 1
    round: int = 1
    night: int = 1
    last: str | None = None
    weather: str = "calm"
    places: Mapping[str, str] = field(default_factory=dict)
    heir_of: tuple[str, ...] = ()
    sworn: tuple[str, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)

    def dies(self, player: str) -> State:
        return replace(self, living=tuple(name for name in self.living if name != player))


class Lamps(Phase[State]):
    id = "night.lamps"
    clock = "night"
    announced = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player == GM:
            return [Ask(GM, "weather", {"weather": ("calm", "storm")}, need="optional", channel="gm", missing="drawn")]
        if player not in state.living:
            return []
        others = tuple(name for name in state.living if name != player)
        asks = [
            Ask(player, "go", {"place": ("quay", "watch", "old")}, need="optional", bare=True),
            Ask(player, "signal", {"players": others}, need="optional"),
            Ask(player, "swear", {"player": others}, need="optional", final=True),
            Ask(player, "whisper", {"player": others}, need="side", slot="*"),
            Ask(player, "carve", need="side"),
            Ask(player, "bell", {"strokes": (1, 2, 3)}, need="side"),
        ]
        if state.roles[player] == "keeper":
            lamps = tuple(name for name in state.living if name != state.last)
            asks.append(Ask(player, "guard", {"player": lamps}, slot="lamp", answered_by=("sleep",)))
            asks.append(Ask(player, "sleep", slot="lamp", need="optional", answered_by=("guard",)))
        if state.roles[player] == "wrecker":
            asks.append(Ask(player, "douse", {"player": others}, bare=True, missing="drawn"))
        mine = {order.command for order in standing.all(player=player)} & {"guard", "signal"}
        if mine:
            asks.append(Ask(player, "cancel", {"order": tuple(sorted(mine))}, need="side"))
        return asks

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        return "not-your-turn" if player in state.living else "dead-player"

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        if argument == "place":
            return "far-away"
        if argument == "order":
            return "not-your-turn"
        if value not in state.living:
            return "dead-target"
        return "self-target" if value == ask.player else "same-lamp"

    def receives(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        if order.command == "whisper":
            if order.get("text") == "rien":
                raise Refused("power-used", why="nothing to say")
            return Step(state, (Notice("relay", order.get("player"), {"text": order.get("text")}),))
        if order.command == "cancel":
            fallen = standing.of(order.player, order.get("order"))
            return Step(state, withdraw=(order.n, *((fallen.n,) if fallen else ())))
        return None

    def remarks(self, state: State, order: Order) -> Mapping[str, Any]:
        return {"night": state.night}

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        night = state.night
        prefix = "" if state.round == 1 else f"round-{state.round}."
        told = []
        weather = orders.of(GM, "weather")
        sky = weather.get("weather") if weather else dice.pick(f"{prefix}night-{night}.weather", ("calm", "storm"))
        places = {order.player: order.get("place") for order in orders.all("go")}
        guard = orders.all("guard")
        guarded = guard[-1].get("player") if guard else None
        doused = [order.get("player") for order in orders.all("douse")]
        for player in state.living:
            if state.roles[player] == "wrecker" and not orders.of(player, "douse"):
                told.append(Notice("missed", GM, {"player": player, "command": "douse"}))
        if not doused:
            options = [name for name in state.living if state.roles[name] != "wrecker"]
            doused = [dice.pick(f"{prefix}night-{night}.douse", options)]
        state = replace(state, weather=sky, places=places, last=guarded, heir_of=())
        victim = doused[0]
        if victim == guarded:
            told.append(Notice("lamp.held", PUBLIC))
        else:
            state = replace(state.dies(victim), heir_of=(victim,))
            told.append(Notice("lamp.out", PUBLIC, {"player": victim, "role": state.roles[victim]}))
        for order in orders.all("carve"):
            told.append(Notice("wall", (order.player, GM), {"text": order.get("text")}))
        return Step(state, tuple(told), next=f"night-{night}.storm")


class Storm(Phase[State]):
    """Only those on the quay are asked, and only in a storm; that there was one is a secret, so it is a decoy."""

    id = "night.storm"
    clock = "night"
    decoy = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if state.weather != "storm" or player not in state.living or state.places.get(player) != "quay":
            return []
        return [Ask(player, "go", {"place": ("watch", "engine")}, bare=True)]

    def opens(self, state: State, dice: Dice) -> Step:
        if state.weather == "storm":
            return Step(
                state, tuple(Notice("storm", name) for name in state.living if state.places.get(name) == "quay")
            )
        return Step(state)

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        moved = {**state.places, **{order.player: order.get("place") for order in orders.all("go")}}
        return Step(replace(state, places=moved), next=f"dawn-{state.night}.heir")


class Heir(Phase[State]):
    """The dead of the night names an heir: a dead player is asked."""

    id = "dawn.heir"
    clock = "short"

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.heir_of:
            return []
        return [Ask(player, "bequeath", {"player": state.living}, channel="any", missing="drawn", bare=True)]

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        return "not-your-turn" if player in state.living else "dead-player"

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        return "dead-target"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        points = dict(state.points)
        for order in orders.all("bequeath"):
            points[order.get("player")] = points.get(order.get("player"), 0) + 1
        state = replace(state, heir_of=(), points=points)
        if over := _over(state):
            return over
        return Step(state, next=f"day-{state.night}.talk")


class Talk(Phase[State]):
    """A day of talk: nobody is asked anything, but it keeps its hours."""

    id = "day.talk"
    announced = True
    keeps_hours = True
    table = True

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        return Step(state, next=f"day-{state.night}.vote")


class Vote(Phase[State]):
    id = "day.vote"
    announced = True
    table = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.living:
            return []
        return [
            Ask(player, "vote", {"player": state.living}, channel="public", bare=True, ballot=True, missing="abstains"),
            Ask(player, "carve", need="side"),
        ]

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        return "not-your-turn" if player in state.living else "dead-player"

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        return "dead-target"

    def opened(self, state: State) -> Mapping[str, Any]:
        return {"lit": list(state.living)}

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        counts: dict[str, int] = {}
        for order in orders.all("vote"):
            counts[order.get("player")] = counts.get(order.get("player"), 0) + 1
        most = max(counts.values(), default=0)
        leaders = [name for name in state.living if counts.get(name, 0) == most and most]
        told = [Notice("vote.tally", PUBLIC, {"counts": counts})]
        if len(leaders) == 1:
            state = state.dies(leaders[0])
            told.append(Notice("exile", PUBLIC, {"player": leaders[0], "role": state.roles[leaders[0]]}))
        told.append(Notice("dusk", PUBLIC, {"order": list(state.living), "pairs": [["a", "b"], ["c", "d"]]}))
        if over := _over(state):
            return replace(over, notices=(*told, *over.notices))
        state = replace(state, night=state.night + 1)
        return Step(state, tuple(told), next=f"night-{state.night}.lamps")


def _over(state: State) -> Step | None:
    """The end of a round, and of the game after the last: nobody of one side is left."""
    wreckers = [name for name in state.living if state.roles[name] == "wrecker"]
    if wreckers and len(wreckers) < len(state.living) - 1:
        return None
    camp = "wreckers" if wreckers else "island"
    winners = tuple(name for name in state.players if (state.roles[name] == "wrecker") == (camp == "wreckers"))
    points = {name: state.points.get(name, 0) + (name in winners) for name in state.players}
    if state.round < state.rounds:
        state = replace(
            state, round=state.round + 1, night=1, living=state.players, last=None, points=points, places={}, heir_of=()
        )
        return Step(state, (Notice("round.over", PUBLIC, {"camp": camp}),), next="night-1.lamps")
    told = Notice("game.over", PUBLIC, {"camp": camp, "points": points})
    return Step(replace(state, points=points), (told,), next=End(camp, winners, points))


class Phare(Variant[State]):
    State = State

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        preset = self.spec.presets.get(given.get("preset", ""), {})
        return super().options({**preset, **{key: value for key, value in given.items() if key != "preset"}})

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        for key in deal:
            if key not in ("wrecker", "keeper", "roles"):
                raise SetupError(key, "the deal knows wrecker, keeper and roles")
        if options["wreckers"] * 2 >= len(players):
            raise SetupError("wreckers", f"{options['wreckers']} wreckers are too many for {len(players)} players")
        cards = ["wrecker"] * options["wreckers"] + ["keeper"]
        cards += ["islander"] * (len(players) - len(cards))
        forced = {name: role for role, name in deal.items() if role != "roles"} | dict(deal.get("roles", {}))
        roles = dice.deal("roles", players, cards, forced)
        state = State(players, roles, players, rounds=options["rounds"])
        told = tuple(Notice("role.assigned", name, {"role": roles[name], "mate": None}) for name in players)
        return Step(state, told, next="night-1.lamps")

    def facts(self, state: State) -> dict[str, Any]:
        facts: dict[str, Any] = {"game.night": state.night, "game.weather": state.weather}
        for name in state.players:
            facts[f"{name}.role"] = state.roles[name]
            facts[f"{name}.lamp"] = "lit" if name in state.living else "out"
            facts[f"{name}.points"] = state.points.get(name, 0)
        facts["game.lit"] = list(state.living)
        return facts

    def round(self, state: State) -> int:
        return state.round

    def alive(self, state: State, player: str) -> bool:
        return player in state.living

    def pass_withdraws(self, state: State, order: Order) -> bool:
        return order.command in ("guard", "douse", "signal")

    def removes(self, state: State, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        told = Notice("death", PUBLIC, {"player": player, "role": None, "cause": "removed"})
        state = state.dies(player)
        if over := _over(state):
            return replace(over, notices=(told, *over.notices))
        return Step(state, (told,))

    def commands(self, state: State, full: str, order: Order, standing: Orders, dice: Dice) -> Step:
        if order.command != "strike":
            raise Refused("not-your-turn")
        player = order.get("player")
        if player not in state.living:
            raise Refused("dead-target", player=player)
        return Step(state.dies(player), (Notice("death", PUBLIC, {"player": player, "cause": "lightning"}),))

    def sets(self, state: State, fact: str, value: Any) -> State:
        if fact == "game.weather" and value in ("calm", "storm"):
            return replace(state, weather=value)
        name, _, what = fact.partition(".")
        if name in state.players and what == "points" and isinstance(value, int):
            return replace(state, points={**state.points, name: value})
        raise Refused("no-such-fact", fact=fact)


def variant(spec: Spec) -> Phare:
    """The rules with their data."""
    return Phare(spec, [Lamps(), Storm(), Heir(), Talk(), Vote()])
