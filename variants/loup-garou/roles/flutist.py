"""The flutist: whom he lulls has no act for the rest of the night (R86)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target, victims
from ..state import Village
from ..turn import Turn


class Flutist(Role):
    """Asked in the act `flutist`; acts that resolve before it have already taken place."""

    id = "flutist"
    names = {"fr": ["le Flûtiste", "Souffleur de Rêves", "Souffleur"], "en": ["the Flutist"]}
    act = "flutist"
    commands = {
        "lull": {
            "fr": ["endormir", "endors", "j'endors", "bercer", "berce", "je berce"],
            "en": ["lull", "i lull"],
            "args": [PLAYER],
        },
    }

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Anybody but himself."""
        legal = victims(state, player, "lull", itself=False)
        return [Ask(player, "lull", {"player": legal}, need="optional", bare=True)]

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """Not himself."""
        return "self-target" if target == player else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The sleeper is told, without a name; even one who has no act (ruling 39)."""
        sleeper = target(turn, orders, player, "lull")
        if not sleeper:
            return
        turn.visit(sleeper)
        if sleeper not in turn.state.tonight.asleep:
            turn.tonight(asleep=(*turn.state.tonight.asleep, sleeper))
            turn.tell("asleep", sleeper, night=turn.state.night)
