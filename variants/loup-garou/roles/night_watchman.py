"""The night watchman: nothing, or a patrol that tells him whether somebody had visitors (R90)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target, victims
from ..state import Village
from ..turn import Turn


class NightWatchman(Role):
    """Asked in the act `watchman` with the option `watchman = "visits"`."""

    id = "night-watchman"
    names = {"fr": ["le Veilleur de nuit", "Veilleur"], "en": ["the Night watchman", "Watchman"]}
    act = "watchman"
    commands = {
        "patrol": {
            "fr": ["ronde", "patrouiller", "patrouille", "je patrouille"],
            "en": ["patrol", "i patrol"],
            "args": [PLAYER],
        },
    }

    def can_act(self, state: Village, player: str) -> bool:
        """Awake, where he has a power."""
        return state.rules.watchman != "none" and state.awake(player)

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """A patrol around somebody else's house."""
        legal = victims(state, player, "patrol", itself=False)
        return [Ask(player, "patrol", {"player": legal}, need="optional", bare=True)]

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """Not himself."""
        return "self-target" if target == player else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """Whom he watches; the visits of the whole night count, those after his own act too."""
        if watched := target(turn, orders, player, "patrol"):
            turn.tonight(patrols=(*turn.state.tonight.patrols, (player, watched)))

    def dawns(self, turn: Turn) -> None:
        """He is told if he lives."""
        for player, watched in turn.state.tonight.patrols:
            if turn.state.alive(player):
                visited = watched in turn.state.tonight.visits
                turn.tell("watchman.report", player, target=watched, visited=visited)
