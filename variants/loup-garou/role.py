"""What a role is. Each role is one file in roles/: a subclass of Role, found there by itself (see pool.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mailgm.engine import Ask, Order, Orders

from .state import Village
from .turn import Turn

PLAYER: Mapping[str, Any] = {"name": "player", "kind": "player", "too_many": "ambiguous-player"}
TWO_PLAYERS: Mapping[str, Any] = {
    "name": "players",
    "kind": "player",
    "min": 2,
    "max": 2,
    "twice": "same-player",
    "too_many": "ambiguous-player",
}

# Orders that may not be given against one's own lover where lovers are bound (ruling 45).
HARMFUL = frozenset(
    {"bite", "watch", "contaminate", "mark", "impose", "poison", "replace", "shoot", "vote", "decide"}
)  # fmt: skip


LANGUAGES = ("fr", "en")

# All roles by id; a role's file puts itself in (pool.py reads every file of roles/).
POOL: dict[str, Role] = {}


class Role:
    """One role of the pool. State is never kept here: everything is a function of the game's state.

    id:       the role's id; also the name of its templates.
    camp:     "villagers", "wolves" or "glutton".
    names:    language → names, the one that mails use first, with its article. A thief may name a card by any of them.
    act:      the act in the night list in which it is asked; "" if it has none.
    first:    it acts on night 1 only.
    most:     how many such cards a game may hold (0: any number).
    powers:   once-only powers that come with the card.
    commands: command id → its words and arguments, as in variant.toml.
    steady:   what it is asked does not depend on the orders that stand.
    substitutes: attacked, he gives a wolf in his place (R81).
    joint:    the act is done by all its players together: this role's `gathers` and `hunts` stand for all of them.
    """

    id: ClassVar[str] = ""
    camp: ClassVar[str] = "villagers"
    names: ClassVar[Mapping[str, Sequence[str]]] = {}
    act: ClassVar[str] = ""
    first: ClassVar[bool] = False
    most: ClassVar[int] = 0
    powers: ClassVar[tuple[str, ...]] = ()
    commands: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    joint: ClassVar[bool] = False
    substitutes: ClassVar[bool] = False
    steady: ClassVar[bool] = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.id:
            return
        if cls.id in POOL:
            raise TypeError(f"two roles have the id {cls.id!r}: {type(POOL[cls.id]).__name__} and {cls.__name__}")
        for what, words in (("names", cls.names), *cls.commands.items()):
            if missing := [language for language in LANGUAGES if not words.get(language)]:
                raise TypeError(f"the role {cls.id} has no {what} in {' and '.join(missing)}")
        POOL[cls.id] = cls()

    def card(self) -> dict[str, Any]:
        """The fields of a seat whose player has just got this card."""
        return {"role": self.id, "camp": self.camp, "powers": self.powers, "last_target": ""}

    @property
    def own_commands(self) -> frozenset[str]:
        """The commands that come with the role."""
        return frozenset(self.commands)

    def can_act(self, state: Village, player: str) -> bool:
        """Whether the player may act tonight: awake, with a power left (R12). Exactly those are asked something; an
        order of anybody else is `not-your-turn`."""
        return state.awake(player)

    def asks(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """What the player is asked in the window of his act. Only what he knows."""
        return []

    def opens(self, turn: Turn, player: str) -> None:
        """What he is told when the window of his act opens and he is asked something."""

    def refuses(self, state: Village, player: str, command: str, target: str) -> str:
        """Why a living player's name is not a legal target; "" leaves it to what all roles share."""
        return ""

    def closed(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """Why a command of his own role is not asked now, though he is asked something; "" for "not your turn"."""
        return ""

    def acts(self, turn: Turn, player: str, orders: Orders) -> None:
        """His act takes place at the close of its window; he is alive and awake then."""

    def rests(self, turn: Turn, player: str) -> None:
        """His act does not take place: he sleeps."""

    def hears(self, turn: Turn, player: str, order: Order) -> None:
        """He has spoken to his pack (`talk`), which hears him at once."""

    def caught(self, turn: Turn, player: str, orders: Orders, open_eyed: Sequence[str]) -> bool:
        """He spied on the wolves: tell him what he saw, and whether they caught him."""
        return False

    def gathers(self, turn: Turn) -> None:
        """A joint act's window opens."""

    def hunts(self, turn: Turn, orders: Orders) -> None:
        """A joint act takes place at the close of its window."""

    def dawns(self, turn: Turn) -> None:
        """What is told at dawn because of this role, once a night, the deaths done."""

    def dies(self, turn: Turn, player: str, cause: str) -> None:
        """A player has died with this card."""


def target(turn: Turn, orders: Orders, player: str, *commands: str) -> str:
    """Whom a standing order of the player names, "" without one or if its target has died meanwhile (R14)."""
    order = orders.of(player, *commands)
    name: str = order.get("player", "") if order else ""
    return name if name and turn.state.alive(name) else ""


def victims(state: Village, player: str, command: str, *, itself: bool = True) -> tuple[str, ...]:
    """The living players whom a command may name, but for bound lovers and, with itself=False, the player."""
    spared = state.seats[player].lover if state.rules.lovers_bound and command in HARMFUL else ""
    if not spared and (itself or not state.alive(player)):
        return state.living
    return tuple(name for name in state.living if name != spared and (itself or name != player))


def shared_refusal(state: Village, player: str, command: str, target: str) -> str:
    """What every role's orders have in common: the dead, and one's own lover."""
    if not state.alive(target):
        return "dead-target"
    if state.rules.lovers_bound and command in HARMFUL and target == state.seats[player].lover:
        return "lover-target"
    return ""
