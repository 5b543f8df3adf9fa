"""The work of one step: a state that changes bit by bit and what is told meanwhile."""

from __future__ import annotations

from typing import Any

from mailgm.engine import GM
from mailgm.engine.plain import evolve
from mailgm.engine.work import Work

from .state import Letter, Village


class Turn(Work[Village]):
    """The kernel's Work, with words for what changes most: the night, the day, a seat."""

    def missed(self, player: str, command: str) -> None:
        """Tell the game master that a required answer did not come."""
        self.tell("missed", GM, player=player, command=command)

    def tonight(self, **fields: Any) -> None:
        """Change fields of the running night."""
        self.set(tonight=evolve(self.state.tonight, **fields))

    def today(self, **fields: Any) -> None:
        """Change fields of the running day."""
        self.set(today=evolve(self.state.today, **fields))

    def seat(self, name: str, **fields: Any) -> None:
        """Change fields of one player's seat."""
        self.set(seats={**self.state.seats, name: evolve(self.state.seats[name], **fields)})

    def spends(self, name: str, power: str) -> None:
        """A player has used up, or lost, a power that came with his card."""
        self.seat(name, powers=tuple(kept for kept in self.state.seats[name].powers if kept != power))

    def visit(self, *targets: str) -> None:
        """An act has reached these players tonight (R90); kept only where a watchman may ask."""
        if self.state.rules.watchman == "visits":
            self.tonight(visits=(*self.state.tonight.visits, *targets))

    def at_dawn(self, kind: str, to: str, **data: Any) -> None:
        """Tell a player something at dawn, if he lives then."""
        self.tonight(letters=(*self.state.tonight.letters, Letter(kind, to, data)))
