"""The witch: one potion of life, one of death (R30-R32, R74)."""

from __future__ import annotations

from mailgm.engine import Ask, Orders

from ..role import PLAYER, Role, target, victims
from ..state import Village
from ..turn import Turn


class Witch(Role):
    """Asked in a window after the wolves', while she has a potion left."""

    id = "witch"
    names = {"fr": ["la Sorcière"], "en": ["the Witch"]}
    act = "witch"
    powers = ("life", "death")
    steady = False
    commands = {
        "heal": {
            "fr": [
                *("sauver", "sauve", "je sauve", "soigner", "soigne", "je soigne"),
                *("guérir", "guéris", "je guéris", "ressusciter", "je ressuscite", "vie"),
            ],
            "en": ["heal", "i heal", "save", "i save"],
            "args": [{**PLAYER, "min": 0}],
        },
        "poison": {
            "fr": ["empoisonner", "empoisonne", "j'empoisonne", "tuer", "tue", "je tue", "mort"],
            "en": ["poison", "i poison", "kill", "i kill"],
            "args": [PLAYER],
        },
    }

    def can_act(self, state: Village, player: str) -> bool:
        """Awake, and with a potion left."""
        return state.awake(player) and bool(state.seats[player].powers)

    def opens(self, turn: Turn, player: str) -> None:
        """She is shown tonight's victim, with a warning if the blessing keeps him already."""
        victim = victim_of(turn.state)
        safe = bool(victim) and turn.state.tonight.safe
        turn.tell("witch.victim", player, attacked=bool(victim), victim=victim or None, safe=safe)

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Heal the victim, poison anybody. One answer will do for both (R100)."""
        powers = state.seats[player].powers
        bare = len(powers) == 1
        victim = victim_of(state)
        asks = []
        if "life" in powers:
            barred = "" if victim and not state.tonight.safe else "already-safe" if victim else "no-victim"
            barred = "one-potion" if _other(state, standing, player, "poison") else barred
            legal: dict[str, tuple[str, ...]] = {"player": (victim,) if victim else ()}
            asks.append(Ask(player, "heal", legal, need="optional", answered_by=("poison",), bare=bare, barred=barred))
        if "death" in powers:
            barred = "one-potion" if _other(state, standing, player, "heal") else ""
            legal = {"player": victims(state, player, "poison")}
            asks.append(Ask(player, "poison", legal, need="optional", answered_by=("heal",), bare=bare, barred=barred))
        return asks

    def closed(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """A potion used on an earlier night."""
        return "power-used" if command in ("heal", "poison") else ""

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """Only the victim can be healed."""
        return "not-victim" if command == "heal" and victim_of(state) else "no-victim" if command == "heal" else ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """The potions take effect; the public never learns of a heal."""
        victim = victim_of(turn.state)
        if orders.of(player, "heal") and victim and not turn.state.tonight.safe:
            turn.spends(player, "life")
            turn.tonight(healed=True)
            turn.visit(victim)
        if poisoned := target(turn, orders, player, "poison"):
            turn.spends(player, "death")
            turn.tonight(poisoned=(*turn.state.tonight.poisoned, poisoned))
            turn.visit(poisoned)


def victim_of(state: Village) -> str:
    """Tonight's victim as the witch may know him; "" if there is none or he has been struck down since (R30)."""
    victim = state.tonight.victim
    return victim if victim and state.alive(victim) else ""


def _other(state: Village, standing: Orders, player: str, command: str) -> bool:
    """Whether the other potion is ordered already, where only one may be used in a night."""
    return not state.rules.witch_both and standing.of(player, command) is not None
