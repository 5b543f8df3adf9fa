"""The thief: on night 1 he may swap his card for one of the two left over (R17-R20)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import POOL, Role
from ..state import Village
from ..turn import Turn


class Thief(Role):
    """Asked in the act `thief`, on night 1."""

    id = "thief"
    names = {"fr": ["le Voleur"], "en": ["the Thief"]}
    act = "thief"
    first = True
    most = 1
    commands = {
        "take": {
            "fr": ["prendre", "prends", "je prends", "choisir", "choisis", "je choisis"],
            "en": ["take", "i take", "choose", "i choose"],
            "args": [
                {"name": "card", "kind": "choice", "words": "cards"}
                | {"unknown": "no-such-card", "ambiguous": "no-such-card", "too_many": "no-such-card"},
            ],
        },
        "keep": {
            "fr": ["garder", "garde", "je garde", "garder ma carte", "je garde ma carte"],
            "en": ["keep", "i keep", "keep mine", "keep my card", "i keep my card"],
        },
    }

    def opens(self, turn: Turn, player: str) -> None:
        """He is shown the two cards."""
        turn.tell("thief.cards", player, cards=turn.state.leftover, forced=_forced(turn.state))

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Take the first, the second, or keep his own; with two wolves he must take one (R18)."""
        cards = tuple(dict.fromkeys(("1", "2", *state.leftover)))
        missing = "first-card" if _forced(state) else "keeps"
        asks = [Ask(player, "take", {"card": cards}, need="optional", slot="card", missing=missing)]
        if not _forced(state):
            asks.append(Ask(player, "keep", need="optional", slot="card", missing=missing))
        return asks

    def closed(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """Both cards are wolves."""
        return "must-take-wolf" if command == "keep" else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """What he takes is his role from this moment on."""
        order = orders.of(player, "take")
        card = order.get("card") if order else "1" if _forced(turn.state) else ""
        if not card:
            return
        role = turn.state.leftover[int(card) - 1] if card in ("1", "2") else card
        taken = POOL[role].card()
        turn.seat(player, **taken)
        turn.tell("role.changed", player, role=role, camp=taken["camp"], why="thief")


def _forced(state: Village) -> bool:
    return all(POOL[card].camp == "wolves" for card in state.leftover)
