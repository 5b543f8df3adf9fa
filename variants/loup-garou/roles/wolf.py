"""The werewolf: every night the pack names a victim. What the pack does is told in pack.py."""

from __future__ import annotations

from mailgm.engine import Orders

from .. import pack
from ..turn import Turn


class Wolf(pack.Wolfish):
    """Asked each night in the act `wolves`; this role does the pack's act for all of them."""

    id = "wolf"
    names = {"fr": ["le Loup-garou", "Mulou-garou", "Loup"], "en": ["the Werewolf", "Wolf"]}
    commands = pack.COMMANDS
    joint = True

    def gathers(self, turn: Turn) -> None:
        """The pack recognises itself (R33)."""
        pack.gather(turn)

    def hunts(self, turn: Turn, orders: Orders) -> None:
        """The pack's choice, and what comes of it."""
        pack.hunt(turn, orders)
