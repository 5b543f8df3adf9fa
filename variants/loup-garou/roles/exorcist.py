"""The exorcist: his blessing keeps a villager from the wolves, and takes a wolf's turn (R70-R74)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target
from ..state import Village
from ..turn import Turn


class Exorcist(Role):
    """Asked in the act `exorcist`."""

    id = "exorcist"
    names = {"fr": ["l'Exorciste"], "en": ["the Exorcist"]}
    act = "exorcist"
    commands = {
        "bless": {
            "fr": ["bénir", "bénis", "je bénis"],
            "en": ["bless", "i bless"],
            "args": [PLAYER],
        },
    }

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Anybody but himself and the player of the night before."""
        last = state.seats[player].last_target
        legal = tuple(name for name in state.living if name not in (player, last))
        return [Ask(player, "bless", {"player": legal}, need="required" if legal else "optional", bare=True)]

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """Himself, or the same player two nights running."""
        if target == player:
            return "self-target"
        return "same-target" if target == state.seats[player].last_target else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The blessed player is told, without a name (R71); a player blessed twice is told once."""
        blessed = target(turn, orders, player, "bless")
        turn.seat(player, last_target=blessed)
        if not blessed:
            return
        turn.visit(blessed)
        if blessed not in turn.state.tonight.blessed:
            turn.tonight(blessed=(*turn.state.tonight.blessed, blessed))
            turn.tell("blessed", blessed, night=turn.state.night)

    def rests(self, turn: Turn, player: str) -> None:
        """A night asleep lifts the bar."""
        turn.seat(player, last_target="")
