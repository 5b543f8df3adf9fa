"""What rules need while they resolve a phase: a state on its way, what is told, and who owed what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from mailgm.engine.dice import Dice
from mailgm.engine.model import GM, PUBLIC, End, Notice, Order, Orders, Step
from mailgm.engine.plain import evolve
from mailgm.engine.variant import Phase

S = TypeVar("S")


class Work(Generic[S]):
    """A state while rules change it, and the notices so far; `step` hands both to the kernel.

    state is a frozen dataclass; each change makes a new one.
    """

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.notices: list[Notice] = []

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = evolve(self.state, **changes)

    def tell(self, kind: str, to: str | tuple[str, ...], /, **data: Any) -> None:
        """Tell a player, several, or the game master; nothing where there is nobody to tell."""
        if to:
            self.notices.append(Notice(kind, to, data))

    def announce(self, kind: str, /, **data: Any) -> None:
        """Tell everybody."""
        self.tell(kind, PUBLIC, **data)

    def step(self, following: str | End | None = None, withdraw: Iterable[int] = ()) -> Step:
        """What the kernel takes: the state, the notices, where to go, standing orders that fall."""
        return Step(self.state, tuple(self.notices), following, tuple(withdraw))


def missed(phase: Phase[S], state: S, players: Iterable[str], orders: Orders) -> list[Notice]:
    """A `missed` to the game master for each required ask of these players that no standing order settles."""
    given: dict[str, list[Order]] = {}
    for order in orders:
        given.setdefault(order.player, []).append(order)
    return [
        Notice("missed", GM, {"player": player, "command": ask.command})
        for player in players
        for ask in phase.asks_of(state, player, orders)
        if ask.need == "required" and not ask.settled_by(given.get(player, ()))
    ]


def naming(player: str, standing: Orders) -> list[int]:
    """The standing orders that name a player, as `Step.withdraw` takes them: they fall when he leaves the game."""
    return [
        order.n
        for order in standing
        if any(player == value or (isinstance(value, tuple) and player in value) for value in order.args.values())
    ]
