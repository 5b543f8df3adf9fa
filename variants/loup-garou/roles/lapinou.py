"""The were-rabbit: bitten, he gives a wolf in his place and joins the pack (R81-R84). His window is in night.py."""

from __future__ import annotations

from mailgm.engine import Ask, Orders
from mailgm.engine.model import Need

from ..role import PLAYER, POOL, Role, target, victims
from ..state import Village
from ..turn import Turn


class Lapinou(Role):
    """Asked in night.lapinou, right after the wolves, on the night on which he is attacked."""

    id = "lapinou"
    names = {"fr": ["le Lapinou-Garou", "Lapinou"], "en": ["the Were-rabbit", "Rabbit"]}
    most = 1
    substitutes = True
    commands = {
        "replace": {
            "fr": ["remplacer", "remplace", "à ma place", "sacrifier", "sacrifie", "je sacrifie"],
            "en": ["replace", "i replace", "sacrifice", "i sacrifice"],
            "args": [PLAYER],
        },
    }

    def opens(self, turn: Turn, player: str) -> None:
        """He is shown the living wolves."""
        turn.tell("lapinou.attacked", player, wolves=turn.state.wolves())

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """One of the living wolves; his own lover only if there is no other, where lovers are bound."""
        wolves = self._wolves(state, player)
        need: Need = "required" if wolves else "optional"
        return [Ask(player, "replace", {"player": wolves}, need=need, bare=True, missing="drawn")]

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """He was shown the wolves, so he may be told."""
        return "not-wolf" if state.camp(target) != "wolves" else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The wolf he names is tonight's victim; he takes a chief's card with its power, unless that is spent (R82)."""
        wolves = self._wolves(turn.state, player)
        if not wolves:
            return
        wolf = target(turn, orders, player, "replace") or turn.dice.pick(f"night-{turn.state.night}.lapinou", wolves)
        powers = turn.state.seats[wolf].powers
        role = "pack-chief" if turn.state.role(wolf) == "pack-chief" and "contaminate" in powers else "wolf"
        if role == "pack-chief":
            turn.seat(wolf, **POOL["wolf"].card())
        turn.seat(player, **{**POOL[role].card(), "powers": powers})
        turn.tonight(attacked="", victim=wolf, substitute=True)
        turn.tell("role.changed", player, role=role, camp="wolves", why="lapinou")

    def _wolves(self, state: Village, player: str) -> tuple[str, ...]:
        free = set(victims(state, player, "replace"))
        wolves = state.wolves()
        return tuple(wolf for wolf in wolves if wolf in free) or wolves
