"""The pack chief: a wolf who once, never on night 1, contaminates instead of biting (R77-R80)."""

from __future__ import annotations

from mailgm.engine import Orders

from ..pack import Wolfish
from ..role import PLAYER
from ..state import Village


class PackChief(Wolfish):
    """Asked with the wolves; what his order does is part of the pack's act."""

    id = "pack-chief"
    names = {"fr": ["le Chef de Meute", "Chef"], "en": ["the Pack chief", "Chief"]}
    most = 1
    powers = ("contaminate",)
    infects = True
    commands = {
        "contaminate": {
            "fr": ["contaminer", "contamine", "je contamine", "infecter", "infecte", "j'infecte"],
            "en": ["contaminate", "i contaminate", "infect", "i infect"],
            "args": [PLAYER],
        },
    }

    def closed(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """Why he may not contaminate tonight."""
        if command != "contaminate":
            return ""
        return "not-yet" if "contaminate" in state.seats[player].powers else "power-used"
