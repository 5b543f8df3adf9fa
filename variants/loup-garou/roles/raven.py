"""The raven: one player a night starts the day with a vote against him (R36, R37)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target, victims
from ..state import Village
from ..turn import Turn


class Raven(Role):
    """Asked in the act `raven`; the mark is announced at dawn and counted in day.vote."""

    id = "raven"
    names = {"fr": ["le Corbeau"], "en": ["the Raven"]}
    act = "raven"
    commands = {
        "mark": {
            "fr": ["rumeur", "corbeau", "marquer", "marque", "je marque"],
            "en": ["mark", "i mark", "rumour", "rumor"],
            "args": [PLAYER],
        },
    }

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Any living player."""
        legal = victims(state, player, "mark")
        return [Ask(player, "mark", {"player": legal}, need="required" if legal else "optional", bare=True)]

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The mark stands even if the raven does not live to see it."""
        if marked := target(turn, orders, player, "mark"):
            turn.tonight(marks=(*turn.state.tonight.marks, marked))
            turn.visit(marked)
