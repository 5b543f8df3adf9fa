"""The little girl: she may spy on the wolves, at her own risk (R38-R41)."""

from __future__ import annotations

from collections.abc import Sequence

from mailgm.engine import Ask, Orders

from ..role import POOL, Role
from ..state import Village
from ..turn import Turn


class LittleGirl(Role):
    """Asked in the wolves' window; spied nights resolve within the pack's act."""

    id = "little-girl"
    names = {"fr": ["la Petite fille"], "en": ["the Little girl", "Girl"]}
    act = "wolves"
    commands = {
        "spy": {
            "fr": ["espionner", "espionne", "j'espionne", "épier", "j'épie"],
            "en": ["spy", "i spy", "peek", "i peek"],
        },
    }

    def can_act(self, state: Village, player: str) -> bool:
        """Awake, where spying is played."""
        return state.rules.spy != "off" and state.awake(player)

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """She may spy; nobody waits for her answer (R100), unless the window is hers alone."""
        alone = not any(POOL[state.role(wolf)].can_act(state, wolf) for wolf in state.wolves())
        return [Ask(player, "spy", need="optional" if alone else "side")]

    def caught(self, turn: Turn, player: str, orders: Orders, open_eyed: Sequence[str]) -> bool:
        """She is told what she sees, caught or not (R39, R40)."""
        rules, night = turn.state.rules, turn.state.night
        if rules.spy_sees == "words":
            for order in orders.all("talk"):
                turn.tell("relay", player, channel="pack", author=None, text=order.get("text"))
        elif rules.spy_sees == "all" or len(open_eyed) < 2:
            turn.tell("spy.seen", player, wolves=tuple(open_eyed))
        else:
            turn.tell("spy.seen", player, wolves=(turn.dice.pick(f"night-{night}.spy.seen", open_eyed),))
        if not open_eyed:
            return False
        if rules.spy == "dice":
            return turn.dice.chance(f"night-{night}.spy.caught", min(100, rules.spy_risk * len(open_eyed)))
        watched = [orders.of(wolf, "watch") for wolf in open_eyed]
        return any(order.get("player") == player for order in watched if order)
