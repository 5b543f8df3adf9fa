"""The seer: she learns one identity a night (R25, R26)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target, victims
from ..state import Village
from ..turn import Turn


class Seer(Role):
    """Asked in the act `seer`."""

    id = "seer"
    names = {"fr": ["la Voyante"], "en": ["the Seer"]}
    act = "seer"
    commands = {
        "see": {
            "fr": ["sonder", "sonde", "je sonde", "voir", "je vois", "voyance"],
            "en": ["see", "i see", "probe", "i probe"],
            "args": [PLAYER],
        },
    }

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """One look at somebody else; none costs nothing."""
        return [Ask(player, "see", {"player": victims(state, player, "see", itself=False)}, need="optional", bare=True)]

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """She knows herself."""
        return "self-target" if target == player else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The card as it is at this moment, told now or at dawn."""
        seen = target(turn, orders, player, "see")
        if not seen:
            return
        turn.visit(seen)
        state = turn.state
        role = state.role(seen) if state.rules.seer_sees == "role" else None
        tell = turn.tell if state.rules.seer_told == "at-once" else turn.at_dawn
        tell("seer.result", player, target=seen, role=role, camp=state.camp(seen))
