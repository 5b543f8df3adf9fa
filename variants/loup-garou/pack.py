"""The pack: what every wolf is asked at night, and what comes of it (R33-R41, R72-R85). Steps as in rulebook §5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mailgm.engine import PASS, Ask, Order, Orders

from .role import PLAYER, POOL, Role, target, victims
from .state import Village
from .turn import Turn

# One of these keeps a wolf's eyes open: whoever confers is awake too.
EYES = ("bite", "awake", "watch", "contaminate", "talk")
# Bite, awake and contaminate replace one another.
CHOICE = "night"


class Wolfish(Role):
    """What all wolves have in common."""

    camp = "wolves"
    act = "wolves"
    infects: ClassVar[bool] = False

    def can_act(self, state: Village, player: str) -> bool:
        """Awake and not blessed: a blessed wolf loses his turn (R73)."""
        return state.awake(player) and player not in state.tonight.blessed

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Bite, stay awake without a victim, watch for the little girl, talk to the pack (R34, R40, R75)."""
        rules = state.rules
        prey = prey_of(state, player, "bite")
        need = "required" if rules.starve == "off" and prey else "optional"
        asks = [
            Ask(player, "bite", {"player": prey}, need=need, slot=CHOICE, bare=True),  # type: ignore[arg-type]
            Ask(player, "awake", need="optional", slot=CHOICE),
        ]
        if self.infects and state.night > 1 and "contaminate" in state.seats[player].powers:
            healthy = tuple(name for name in prey_of(state, player, "contaminate") if state.camp(name) != "wolves")
            asks.append(Ask(player, "contaminate", {"player": healthy}, need="optional", slot=CHOICE))
        # Where the deck is hidden, asking only with a girl in it would tell that she is there.
        if rules.spy == "watch" and (state.deck.get("little-girl") or not rules.show_deck):
            seen = victims(state, player, "watch")
            asks.append(
                Ask(player, "watch", {"player": seen}, need="optional", answered_by=("bite", "awake", "contaminate"))
            )
        asks.append(Ask(player, "talk", need="side", slot="*"))
        return asks

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """Wolves may not be eaten where the game says so (R35), and are never contaminated."""
        return "wolf-target" if command in ("bite", "contaminate") and state.camp(target) == "wolves" else ""

    def hears(self, turn: Turn, player: str, order: Order) -> None:
        """What a wolf says reaches the other living wolves at once, and nobody else (R33)."""
        others = tuple(name for name in turn.state.wolves() if name != player)
        turn.tell("relay", others, channel="pack", author=player, text=order.get("text"))


def prey_of(state: Village, player: str, command: str) -> tuple[str, ...]:
    """Whom a wolf may name as victim: the wolves know one another, so their names may be left out."""
    names = victims(state, player, command)
    if state.rules.wolves_eat_wolves:
        return names
    wolves = state.wolves()
    return tuple(name for name in names if name not in wolves)


COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "bite": {
        "fr": [
            *("mordre", "mords", "je mords", "dévorer", "dévore", "je dévore"),
            *("croquer", "croque", "je croque", "manger", "mange", "je mange"),
        ],
        "en": ["bite", "i bite", "devour", "i devour", "eat", "i eat"],
        "args": [PLAYER],
    },
    "awake": {
        "fr": ["veiller", "veille", "je veille", "yeux ouverts", "ouvrir les yeux", "j'ouvre les yeux"],
        "en": ["awake", "stay awake", "eyes open", "open eyes"],
    },
    "watch": {
        "fr": ["guetter", "guette", "je guette", "surveiller", "surveille", "je surveille"],
        "en": ["watch", "i watch"],
        "args": [PLAYER],
    },
    "talk": {
        "secret": True,
        "fr": ["meute", "hurler", "je hurle"],
        "en": ["pack", "howl"],
        "args": [{"name": "text", "kind": "text"}],
    },
}


def gather(turn: Turn) -> None:
    """The wolves are told who they are: on night 1, and when the pack has grown since (R33)."""
    state = turn.state
    wolves = state.wolves()
    if state.night == 1 or not set(wolves) <= set(state.pack):
        turn.tell("pack.members", wolves, members=wolves)
        turn.set(pack=wolves)


def hunt(turn: Turn, orders: Orders) -> None:
    """The close of the wolves' act, steps a to i."""
    state = turn.state
    eligible = tuple(wolf for wolf in state.wolves() if POOL[state.role(wolf)].can_act(state, wolf))
    open_eyed = tuple(wolf for wolf in eligible if orders.of(wolf, *EYES))
    _blessed_chief(turn, orders)
    caught = _spied_on(turn, orders, open_eyed)
    if _starves(state, orders, eligible, open_eyed):
        turn.tonight(starved=True)
        return
    if caught:
        turn.tonight(caught=caught)
        for girl in caught:
            turn.tell("pack.spy", eligible, player=girl)
        return
    victim, how = _choice(turn, orders, eligible, open_eyed)
    if victim:
        _attack(turn, victim, how)
    turn.tell("pack.choice", eligible, victim=victim or None, how=how)


def _blessed_chief(turn: Turn, orders: Orders) -> None:
    """R80: blessed on the night on which he ordered it, a chief loses it for good; asleep he keeps it."""
    for wolf in turn.state.wolves():
        blessed = turn.state.awake(wolf) and wolf in turn.state.tonight.blessed
        if blessed and target(turn, orders, wolf, "contaminate"):
            turn.seat(wolf, powers=())


def _spied_on(turn: Turn, orders: Orders, open_eyed: tuple[str, ...]) -> tuple[str, ...]:
    """The spies who are caught (R38-R41)."""
    spies = [name for name in turn.state.living if orders.of(name, "spy") and turn.state.awake(name)]
    return tuple(name for name in spies if POOL[turn.state.role(name)].caught(turn, name, orders, open_eyed))


def _starves(state: Village, orders: Orders, eligible: tuple[str, ...], open_eyed: tuple[str, ...]) -> bool:
    """R76: wolves who could open their eyes, and of whom none did, die of hunger."""
    if not eligible or open_eyed or state.rules.starve == "off":
        return False
    return state.rules.starve == "closed" or all(orders.of(wolf, PASS) for wolf in eligible)


def _choice(turn: Turn, orders: Orders, eligible: tuple[str, ...], open_eyed: tuple[str, ...]) -> tuple[str, str]:
    """The night's target and how: imposed before contamination before the ballots (R85, R78, R77, R34)."""
    state = turn.state
    if state.tonight.imposed and eligible:
        # Struck down since: the attack is void, nobody takes his place (ruling 27).
        return (state.tonight.imposed, "imposed") if state.alive(state.tonight.imposed) else ("", "none")
    for wolf in eligible:
        if victim := target(turn, orders, wolf, "contaminate"):
            turn.seat(wolf, powers=())
            turn.tonight(spent=True)
            return victim, "contamination"
    ballots: dict[str, int] = {}
    for wolf in open_eyed:
        if named := target(turn, orders, wolf, "bite"):
            ballots[named] = ballots.get(named, 0) + 1
    if not ballots:
        return "", "none"
    most = max(ballots.values())
    tied = [name for name in state.living if ballots.get(name) == most]
    if len(tied) == 1:
        return tied[0], "bite"
    if state.rules.pack_tie == "none":
        return "", "none"
    return turn.dice.pick(f"night-{state.night}.bite", tied), "bite"


def _attack(turn: Turn, victim: str, how: str) -> None:
    """Steps f to h: who is safe, who is contaminated, who may give a wolf in his place; else he is tonight's victim."""
    turn.visit(victim)
    state = turn.state
    if victim in state.tonight.protected:
        return
    blessed = victim in state.tonight.blessed and state.camp(victim) != "wolves"
    infection = how == "contamination"
    if blessed and (not infection or state.rules.bless_stops_infection):
        if not infection:
            turn.tonight(victim=victim, safe=True)
    elif not blessed and POOL[state.role(victim)].substitutes and state.awake(victim):
        turn.tonight(attacked=victim)
    elif infection:
        turn.seat(victim, **{**POOL["wolf"].card(), "powers": ()})
        turn.tonight(contaminated=victim)
        turn.at_dawn("role.changed", victim, role="wolf", camp="wolves", why="contaminated")
    else:
        turn.tonight(victim=victim)
