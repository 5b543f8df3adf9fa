"""The words of the kernel: what a phase asks, what players order, what the game tells.

Everything here is immutable. Names of players are the game names of their seats; `GM` and `PUBLIC` stand for the game
master and for everybody. Source: architecture §2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mailgm.engine.plain import record
from mailgm.engine.said import say

GM = "gm"
PUBLIC = "public"
RESERVED_NAMES = frozenset({GM, PUBLIC, "mj", "all", "tous"})

Channel = Literal["private", "public", "any", "gm"]
Need = Literal["required", "optional", "side"]
Value = Any  # a plain value: str, int, or a tuple of strings for a list argument

EMPTY: Mapping[str, Any] = {}


class SetupError(ValueError):
    """A game that must not start: `key` is the option or deal key at fault, the message says what would be right."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(say("{key}: {message}", key=key, message=message))
        self.key = key
        self.message = message


@record
class Ask:
    """What a phase asks of one player, given what he knows and his standing orders.

    legal:       argument name → the values accepted now, in the order they are shown. Printed: nothing secret in it.
                 Arguments of kind text or number may be left out.
    counts:      list argument name → (least, most) values, where it differs from the vocabulary's.
    need:        "required" and "optional" asks are waited for by early closing, "side" asks never keep a phase open.
    final:       an accepted order can no longer be changed (`already-final`).
    slot:        orders of one slot replace one another; "" is the command itself, "*" means that each stands.
    answered_by: commands whose standing order settles this ask as well.
    bare:        a bare argument is enough, without the command word.
    missing:     what happens if nothing comes, a key of the templates ("drawn", "nothing", "abstains", …).
    ballot:      a public ballot that the running count at the table shows.
    barred:      the code that every order of this ask gets for now: something else must come first.
    """

    player: str
    command: str
    legal: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    need: Need = "required"
    final: bool = False
    channel: Channel = "private"
    slot: str = ""
    answered_by: tuple[str, ...] = ()
    bare: bool = False
    missing: str = "nothing"
    ballot: bool = False
    barred: str = ""

    @property
    def place(self) -> str:
        """The slot that an order of this ask takes; one that begins with "*" replaces nothing."""
        return f"*{self.command}" if self.slot == "*" else self.slot or self.command

    def settled_by(self, orders: Iterable[Order]) -> bool:
        """Whether one of these standing orders of the player answers this ask."""
        for order in orders:
            command = order.command
            if command == self.command or order.slot == self.place or command in self.answered_by:
                return True
        return False


@record
class Order:
    """One accepted command of one player; `n` is its place in the order of arrival over the whole game."""

    player: str
    command: str
    args: Mapping[str, Value]
    n: int
    channel: Channel
    slot: str
    final: bool = False
    ballot: bool = False
    text: str = ""

    def get(self, name: str, default: Value = None) -> Value:
        """The argument `name`, or `default` where it was left out."""
        return self.args.get(name, default)


PASS = "pass"


class Orders(tuple[Order, ...]):
    """The standing orders of the running phase, in the order of arrival."""

    __slots__ = ()

    def of(self, player: str, *commands: str) -> Order | None:
        """The latest standing order of `player` among `commands` (of any command if none is given), or None."""
        for order in reversed(self):
            if order.player == player and (not commands or order.command in commands):
                return order
        return None

    def all(self, *commands: str, player: str = "") -> list[Order]:
        """All standing orders of these commands (of any, if none is given), of one player if named, by arrival."""
        return [
            order
            for order in self
            if (not commands or order.command in commands) and (not player or order.player == player)
        ]


NO_ORDERS = Orders()


@record
class Notice:
    """What the game tells someone: `to` is PUBLIC, GM, a player's name or several players' names."""

    kind: str
    to: str | tuple[str, ...]
    data: Mapping[str, Any] = field(default_factory=dict)

    def reaches(self, player: str) -> bool:
        """Whether `player` (or GM) is among those told in person; a public notice reaches everybody but GM."""
        if isinstance(self.to, tuple):
            return player in self.to
        return self.to == player or (self.to == PUBLIC and player != GM)

    @property
    def audience(self) -> tuple[str, ...]:
        """The receivers as a tuple."""
        return self.to if isinstance(self.to, tuple) else (self.to,)


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended: a camp's id or None, the winners in seat order, the scores or None."""

    winner_camp: str | None = None
    winners: tuple[str, ...] = ()
    scores: Mapping[str, int] | None = None


@record
class Step:
    """What a rule makes of a state.

    next:     full id of the phase to go to ("night-2.rooms"), an End, or None: the running phase goes on
              (from `receives`, removal or a command of the game master only).
    withdraw: standing orders that fall, by their `n`.
    """

    state: Any
    notices: tuple[Notice, ...] = ()
    next: str | End | None = None
    withdraw: tuple[int, ...] = ()


class Refused(Exception):
    """Raised by a rule that cannot take an order after all; `code` is one of the rulebook's refusal codes."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


Status = Literal["accepted", "refused", "talk", "asked", "done"]


@record
class Verdict:
    """What became of one line of a message.

    status:   "accepted" (an order), "refused" (with `code`), "talk" (at the table), "asked" (a word answered at any
              time: help, status, rules, players, resign: named by `command`), "done" (a command of the game master).
    command:  the command that was recognised, "" if none.
    accepted: for a refusal, the values that would be accepted for the argument at fault, or the candidates between
              which a name is ambiguous. Only what the sender may know.
    """

    player: str
    status: Status
    line: str
    command: str = ""
    order: Order | None = None
    code: str = ""
    accepted: tuple[Value, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
