"""The shaman: two spells, each once a game, one a night (R87-R89)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, TWO_PLAYERS, Role
from ..state import Bond, Village
from ..turn import Turn

SPELLS = ("evil-eye", "evil-tongue")


class Shaman(Role):
    """Asked in the act `shaman` while a spell is left; the day's phases carry the spells out."""

    id = "shaman"
    names = {"fr": ["le Chaman"], "en": ["the Shaman"]}
    act = "shaman"
    powers = SPELLS
    commands = {
        "evil-eye": {"fr": ["mauvais œil", "œil"], "en": ["evil eye", "eye"], "args": [TWO_PLAYERS]},
        "evil-tongue": {"fr": ["mauvaise langue", "langue"], "en": ["evil tongue", "tongue"], "args": [TWO_PLAYERS]},
        "accuse": {
            "fr": ["accuser", "accuse", "j'accuse"],
            "en": ["accuse", "i accuse"],
            "channel": "public",
            "args": [PLAYER],
        },
    }

    def can_act(self, state: Village, player: str) -> bool:
        """Awake, and with a spell left."""
        return state.awake(player) and bool(state.seats[player].powers)

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """One spell on two players: for the evil eye the master first, then the slave."""
        powers = state.seats[player].powers
        return [
            Ask(player, spell, {"players": state.living}, need="optional", slot="spell")
            for spell in SPELLS
            if spell in powers
        ]

    def closed(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """A spell cast on an earlier night."""
        return "power-used" if command in SPELLS else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The later of two spells; it is used up unless a target has died meanwhile."""
        order = orders.of(player, *SPELLS)
        if order is None or not all(turn.state.alive(name) for name in order.get("players")):
            return
        one, other = order.get("players")
        turn.spends(player, order.command)
        turn.visit(one, other)
        if order.command == "evil-tongue":
            turn.tonight(tongues=(*turn.state.tonight.tongues, (one, other)))
            turn.tell("evil-tongue.bound", one, other=other)
            turn.tell("evil-tongue.bound", other, other=one)
            return
        day = turn.state.night if turn.state.rules.evil_eye_lasts == "day" else 0
        turn.set(bonds=(*turn.state.bonds, Bond(one, other, day)))
        if turn.state.rules.evil_eye_told:
            turn.at_dawn("evil-eye.bound", one, **{"as": "master", "other": other})
            turn.at_dawn("evil-eye.bound", other, **{"as": "slave", "other": one})
