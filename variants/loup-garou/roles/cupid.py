"""Cupid: on night 1 he binds two lovers (R21-R24)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders
from mailgm.engine.model import Need

from ..role import TWO_PLAYERS, Role
from ..state import Village
from ..turn import Turn


class Cupid(Role):
    """Asked in the act `cupid`, on night 1."""

    id = "cupid"
    names = {"fr": ["Cupidon"], "en": ["Cupid"]}
    act = "cupid"
    first = True
    most = 1
    commands = {
        "link": {
            "fr": ["lier", "lie", "je lie", "unir", "unis", "j'unis", "marier", "marie", "je marie", "amoureux"],
            "en": ["link", "i link", "pair", "i pair", "lovers"],
            "args": [TWO_PLAYERS],
        },
    }

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Two living players, himself perhaps."""
        missing = "drawn" if state.rules.cupid_missing == "draw" else "nothing"
        bindable = self._bindable(state, player)
        need: Need = "required" if len(bindable) > 1 else "optional"
        return [Ask(player, "link", {"players": bindable}, need=need, missing=missing)]

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """Himself, where the game does not allow it."""
        return "self-target" if target == player else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The two are bound, and each is told the other's name; a silent Cupid leaves it to chance (R22)."""
        order = orders.of(player, "link")
        lovers = tuple(order.get("players")) if order else ()
        if not lovers or not all(turn.state.alive(name) for name in lovers):
            bindable = self._bindable(turn.state, player)
            if turn.state.rules.cupid_missing == "none" or len(bindable) < 2:
                return
            lovers = turn.dice.sample(f"night-{turn.state.night}.lovers", bindable, 2)
        for one, other in (lovers, lovers[::-1]):
            turn.seat(one, lover=other)
            role = turn.state.role(other) if turn.state.rules.lovers_know_roles else None
            turn.tell("lovers.bound", one, lover=other, role=role)

    def _bindable(self, state: Village, player: str) -> tuple[str, ...]:
        return state.living if state.rules.cupid_self else tuple(n for n in state.living if n != player)
