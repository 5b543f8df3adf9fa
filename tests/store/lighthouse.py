"""A game as small as a game can be: each night somebody guards a lamp, and another one goes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mailgm.engine import PUBLIC, Ask, Dice, End, Notice, Orders, Phase, Spec, Step, Variant

SPEC = {
    "id": "phare",
    "title": {"fr": "Le phare", "en": "The lighthouse"},
    "players": {"min": 3, "max": 9},
    "commands": {"guard": {"fr": ["garder"], "en": ["guard"], "args": [{"name": "who", "kind": "player"}]}},
}


@dataclass(frozen=True, slots=True)
class State:
    night: int
    lit: tuple[str, ...]


class Lamps(Phase[State]):
    id = "night"
    clock = "night"
    announced = True

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        return [Ask(player, "guard", {"who": state.lit})] if player in state.lit else []

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        guarded = {order.get("who") for order in orders}
        out = dice.pick(
            f"night-{state.night}.out", [name for name in state.lit if name not in guarded] or list(state.lit)
        )
        lit = tuple(name for name in state.lit if name != out)
        told = (Notice("lamp.out", PUBLIC, {"player": out}),)
        if len(lit) < 2:
            return Step(State(state.night, lit), told, End(winners=lit))
        return Step(State(state.night + 1, lit), told, f"night-{state.night + 1}")


class Lighthouse(Variant[State]):
    State = State

    def __init__(self) -> None:
        super().__init__(Spec(SPEC), [Lamps()])

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        return Step(State(1, players), next="night-1")

    def alive(self, state: State, player: str) -> bool:
        return player in state.lit
