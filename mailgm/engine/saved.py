"""A game as JSON values and back: what the store keeps after every input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mailgm.engine.game import Game, Snapshot
from mailgm.engine.model import End, Order
from mailgm.engine.plain import dump, freeze, load
from mailgm.engine.variant import Variant

FORMAT = 1


def dump_game(game: Game, before: Game | None = None, dumped: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All of a game but its variant and its history, as JSON values.

    before, dumped: an earlier value of the game and what this function made of it: what is still the same object is
    taken over, for most inputs change the standing orders only.
    """
    same = dumped is not None and before is not None and before.state is game.state
    return {
        "format": FORMAT,
        "variant": game.variant.id,
        "rules": game.variant.version,
        "players": list(game.players),
        "options": dump(game.options),
        "seed": game.seed,
        "state": dumped["state"] if same and dumped is not None else dump(game.state),
        "forced": dump(game.forced),
        "decoys": game.decoys,
        "phase": game.phase,
        "standing": _dump_orders(game.standing, before, dumped),
        "count": game.count,
        "drawn": dict(game.drawn),
        "end": dump(game.end),
        "aliases": dict(game.aliases),
        "resigning": list(game.resigning),
    }


def _dump_orders(orders: Sequence[Order], before: Game | None, dumped: Mapping[str, Any] | None) -> list[Any]:
    """Orders as JSON values: an input takes back one or so and adds some at the end, and the others are taken over."""
    known = before.standing if before is not None and dumped is not None else ()
    plain: list[Any] = []
    place = 0
    for order in orders:
        if place + 1 < len(known) and known[place] is not order and known[place + 1] is order:
            place += 1
        if dumped is not None and place < len(known) and known[place] is order:
            plain.append(dumped["standing"][place])
            place += 1
        else:
            plain.append(dump(order))
    return plain


def load_game(variant: Variant[Any], data: Mapping[str, Any], history: Iterable[Mapping[str, Any]] = ()) -> Game:
    """Rebuild a game from `dump_game` and its snapshots, oldest first. Raises ValueError for another variant's game."""
    if data["variant"] != variant.id:
        raise ValueError(f"a game of {data['variant']} cannot be loaded by the rules of {variant.id}")
    return Game(
        variant=variant,
        players=tuple(data["players"]),
        options=freeze(data["options"]),
        seed=data["seed"],
        state=load(variant.State, data["state"]),
        forced=freeze(data.get("forced", {})),
        decoys=data.get("decoys", False),
        phase=data["phase"],
        standing=tuple(load_order(order) for order in data["standing"]),
        count=data["count"],
        drawn=data["drawn"],
        end=load(End, data["end"]) if data.get("end") else None,
        aliases=data.get("aliases", {}),
        resigning=tuple(data.get("resigning", ())),
        history=tuple(load_snapshot(variant, snapshot) for snapshot in history),
    )


def load_order(data: Mapping[str, Any]) -> Order:
    """Rebuild an order from JSON values."""
    order = load(Order, data)
    return order


def dump_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """A snapshot as JSON values."""
    return {"key": snapshot.key, "phase": snapshot.phase, "state": dump(snapshot.state), "drawn": dict(snapshot.drawn)}


def load_snapshot(variant: Variant[Any], data: Mapping[str, Any]) -> Snapshot:
    """Rebuild a snapshot from JSON values."""
    return Snapshot(data["key"], data["phase"], load(variant.State, data["state"]), data["drawn"])
