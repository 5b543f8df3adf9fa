"""The hunter: whatever he dies of, he takes somebody with him (R42, R44)."""

from __future__ import annotations

from ..role import PLAYER, Role
from ..turn import Turn


class Hunter(Role):
    """Nothing at night. Dead, he is asked `shoot` (after.py, or in the running phase if he was struck down)."""

    id = "hunter"
    names = {"fr": ["le Chasseur"], "en": ["the Hunter"]}
    commands = {
        "shoot": {
            "fr": ["tirer", "tire", "je tire", "flèche", "venger", "je me venge"],
            "en": ["shoot", "i shoot"],
            "args": [PLAYER],
        },
    }

    def dies(self, turn: Turn, player: str, cause: str) -> None:
        """His arrow is pending; not if the game master took him out, or struck him where that forbids it."""
        if cause == "removed" or (cause == "thunder" and not turn.state.rules.struck_hunter_shoots):
            return
        turn.set(shooters=(*turn.state.shooters, player))
