"""The final phase: humans flee or fight, fighters aim their flames, all burn together (R61-R66)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mailgm.engine import GM, PUBLIC, Ask, Dice, Notice, Order, Orders, Step
from mailgm.engine.plain import evolve
from mailgm.engine.work import Work

from .ending import burned, survived
from .powers import Window
from .state import Seat, State


class Choice(Window):
    """Each human says at the table, once and for all, whether he flees or fights (R62)."""

    id = "final.choice"
    announced = True
    table = True
    telepathic = False  # Q44

    def opens(self, state: State, dice: Dice) -> Step:
        humans, vampires = state.humans, state.vampires
        state = state.seated({name: evolve(state.seats[name], flames=1) for name in humans})
        told = {"humans": tuple(humans), "vampires": tuple(vampires)}
        return Step(state, (Notice("final.reveal", PUBLIC, told),))

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        if not seat.human:
            return []
        heirs = tuple(name for name in state.staying if name != player)
        counts = {"heir": (1, 1) if heirs else (0, 0)}
        return [
            Ask(player, "combattre", slot="choice", final=True, channel="public", missing="fights"),
            Ask(player, "fuir", {"heir": heirs}, counts, slot="choice", final=True, channel="public", missing="fights"),
        ]

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        seat = state.seats[value]
        if not seat.alive:
            return "dead-target"
        if value == ask.player:
            return "self-target"
        return "not-human" if not seat.human else "fled-target"

    def takes(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        if order.command == "combattre":
            return Step(state, (_chosen(order.player, "fight"),))
        heir = order.get("heir")
        flames = state.seats[order.player].flames
        state = state.seat(order.player, fled=True, flames=0)
        if heir is not None:
            state = state.seat(heir, flames=state.seats[heir].flames + flames)
        else:
            state = evolve(state, fallen=state.fallen + flames)
        return Step(state, (_chosen(order.player, "flee", heir),))

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        fighters = state.staying
        silent = [name for name in fighters if orders.of(name, "combattre") is None]
        for name in silent:  # Q27
            work.tell("missed", GM, player=name, command="combattre")
            work.notices.append(_chosen(name, "fight"))
        work.announce(
            "flames.shared",
            fighters=tuple(fighters),
            fled=tuple(name for name in state.living if state.seats[name].fled),
            flames={name: state.seats[name].flames for name in fighters},
        )
        if fighters:
            return work.step(f"final-{state.round}.flames")
        return _burn(work, {})


class Flames(Window):
    """Each fighter secretly aims each of his flames at a living vampire (R63)."""

    id = "final.flames"
    announced = True
    table = True
    telepathic = False

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        if not seat.human:
            return []
        counts = {"players": (1, seat.flames)}
        return [Ask(player, "bruler", {"players": tuple(state.vampires)}, counts, missing="lost")]

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        if not state.seats[value].alive:
            return "dead-target"
        return "self-target" if value == ask.player else "not-vampire"

    def remarks(self, state: State, order: Order) -> Mapping[str, Any]:
        """How many flames still owe a target (R63)."""
        if order.command != "bruler":
            return {}
        return {"owed": state.seats[order.player].flames - len(order.args["players"])}

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        aims: dict[str, tuple[str, ...]] = {}
        for name in state.staying:
            order = orders.of(name, "bruler")
            if order is None:
                work.tell("missed", GM, player=name, command="bruler")
            else:
                aims[name] = order.args["players"]
        return _burn(work, aims)


def _chosen(player: str, choice: str, heir: str | None = None) -> Notice:
    return Notice("final.chosen", PUBLIC, {"player": player, "choice": choice, "heir": heir})


def _burn(work: Work[State], aims: Mapping[str, tuple[str, ...]]) -> Step:
    """Burn (rulebook 5, R63-R65); aims: fighter → the vampires that he names."""
    state = work.state
    named = {name for targets in aims.values() for name in targets}
    ashes = [name for name in state.players if name in named]
    dracula = state.dracula
    work.announce("final.burned", targets=aims, burned=tuple(ashes), dracula=dracula in named)
    fighters = state.staying
    _die(work, ashes, "burned")
    if dracula not in named:
        _die(work, fighters, "final")
        return survived(work)
    _die(work, work.state.vampires, "with-dracula")
    return burned(work, [name for name, targets in aims.items() if dracula in targets], fighters)


def _die(work: Work[State], names: Sequence[str], cause: str) -> None:
    for name in names:
        seat = work.state.seats[name]
        work.announce("death", player=name, role=seat.role, camp=seat.camp, cause=cause)
        work.state = work.state.seat(name, alive=False)
