"""The diviner: once a game he imposes the wolves' victim (R85)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target, victims
from ..state import Village
from ..turn import Turn


class Diviner(Role):
    """Asked in the act `diviner` until he has used his power."""

    id = "diviner"
    names = {"fr": ["le Devin"], "en": ["the Diviner"]}
    act = "diviner"
    powers = ("impose",)
    commands = {
        "impose": {
            "fr": ["deviner", "devine", "je devine", "imposer", "impose", "j'impose"],
            "en": ["impose", "i impose", "divine", "i divine"],
            "args": [PLAYER],
        },
    }

    def can_act(self, state: Village, player: str) -> bool:
        """Awake, and with the power left."""
        return state.awake(player) and bool(state.seats[player].powers)

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Any living player, a wolf or himself too."""
        return [Ask(player, "impose", {"player": victims(state, player, "impose")}, need="optional", bare=True)]

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """Used up, whatever the wolves make of it."""
        if imposed := target(turn, orders, player, "impose"):
            turn.tonight(imposed=imposed)
            turn.seat(player, powers=())
            turn.visit(imposed)
