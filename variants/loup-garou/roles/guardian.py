"""The guardian: he protects one player a night from the wolves, never the same twice running (R27-R29)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target
from ..state import Village
from ..turn import Turn


class Guardian(Role):
    """Asked in the act `guardian`."""

    id = "guardian"
    names = {"fr": ["le Salvateur"], "en": ["the Guardian"]}
    act = "guardian"
    commands = {
        "protect": {
            "fr": ["protéger", "protège", "je protège"],
            "en": ["protect", "i protect", "guard", "i guard"],
            "args": [PLAYER],
        },
    }

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Anybody, himself included, but not the player of the night before."""
        last = state.seats[player].last_target
        legal = tuple(name for name in state.living if name != last)
        return [Ask(player, "protect", {"player": legal}, need="optional", bare=True)]

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """The same player two nights running."""
        return "same-target" if target == state.seats[player].last_target else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """Nobody but he knows who is protected (R28)."""
        kept = target(turn, orders, player, "protect")
        turn.seat(player, last_target=kept)
        if kept:
            turn.tonight(protected=(*turn.state.tonight.protected, kept))
            turn.visit(kept)

    def rests(self, turn: Turn, player: str) -> None:
        """A night without protection lifts the bar."""
        turn.seat(player, last_target="")
