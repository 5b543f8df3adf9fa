"""What a game's rules are to the kernel: a Variant with its phases, its options and its vocabulary.

A variant is a folder: `variant.toml` (everything that is data) and Python rules that subclass `Variant` and `Phase`.
Source: architecture §2.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from mailgm.engine.dice import Dice
from mailgm.engine.model import Ask, Channel, Order, Orders, Refused, Step
from mailgm.engine.spec import Argument, Command, Option, Spec

__all__ = ["Argument", "ChannelInfo", "Command", "Option", "Phase", "Spec", "Variant", "split_phase"]

S = TypeVar("S")

_FULL_ID = re.compile(r"^([a-z]+)(?:-(\d+))?(?:\.(.+))?$")


@lru_cache(maxsize=4096)
@lru_cache(maxsize=4096)
def split_phase(full: str) -> tuple[str, int | None]:
    """Take "night-2.rooms" apart: ("night.rooms", 2); a phase without a number gives None. Raises ValueError."""
    match = _FULL_ID.match(full)
    if match is None:
        raise ValueError(f"not a phase id: {full!r}")
    head, number, tail = match.groups()
    return (f"{head}.{tail}" if tail else head), (int(number) if number else None)


@dataclass(frozen=True, slots=True)
class ChannelInfo:
    """A channel by which some players write to one another through the service, for as long as the phase says so.

    id:      the channel's id, as in the data of its `relay` notices ("pack").
    command: the command that carries the words: what a player writes to the channel's address is taken as his order
             `command` with that text, and answered as any order.
    members: game names of those who write in it now, the player himself among them, in seat order; () where the
             channel hides who they are. Shown to the player: only what he knows.
    """

    id: str
    command: str
    members: tuple[str, ...] = ()


class Phase(Generic[S]):
    """A window in which certain players are asked for certain orders; it reads like its chapter of the rulebook.

    id:          base id, "night.rooms"; the full id of the running phase carries the number, "night-2.rooms".
    clock:       "day", "night", "short" or "instant": how long the calendar lets it last, and what early closing means.
    announced:   its opening is public (`phase.opened`).
    keeps_hours: it lasts its hours though nobody is asked anything.
    decoy:       with the game's decoys on, it lasts its hours even if nobody is asked, and never closes early, because
                 its timing would tell a secret.
    table:       whether the public table is open.
    """

    id: str = ""
    clock: str = "day"
    announced: bool = False
    keeps_hours: bool = False
    decoy: bool = False
    table: bool = False

    def asks_of(self, state: S, player: str, standing: Orders) -> list[Ask]:
        """What `player` (or GM) is asked now, given the standing orders. Only from what that player knows."""
        return []

    def whom(self, state: S) -> Collection[str] | None:
        """The only players (or GM) to whom `asks_of` may answer with anything, whatever orders stand; None: anybody.

        It spares asking all the others one by one, in a night where a single player wakes.
        """
        return None

    def closed(self, state: S, player: str, command: str, standing: Orders) -> str:
        """The refusal code of a command that `player` is not asked now."""
        return "not-your-turn"

    def refuses(self, state: S, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        """The refusal code of a known value that is not among the ask's legal ones. Printed: only what he knows."""
        return "not-your-turn"

    def objects(self, state: S, ask: Ask, args: Mapping[str, Any], standing: Orders) -> str:
        """A refusal code for arguments that are each legal but do not go together, else ""."""
        return ""

    def unread(self, state: S, player: str, name: str) -> str:
        """The refusal code of a private line that is a player's name and nothing else, where no ask takes it bare."""
        return "not-understood"

    def remarks(self, state: S, order: Order) -> Mapping[str, Any]:
        """What the reply to an accepted order says besides: plain values for its template."""
        return {}

    def channels(self, state: S, player: str) -> tuple[ChannelInfo, ...]:
        """The channels that are open for the player now (a pack at night, a pair of allies); () for none."""
        return ()

    def opened(self, state: S) -> Mapping[str, Any]:
        """More data for the `phase.opened` of an announced phase."""
        return {}

    def opens(self, state: S, dice: Dice) -> Step:
        """What happens, and is told, when the phase opens; carried out for a phase that is passed over too."""
        return Step(state)

    def receives(self, state: S, order: Order, standing: Orders, dice: Dice) -> Step | None:
        """The effect at once of an accepted order, or None: it waits for the close.

        standing includes `order`. Step.next leaves the phase at once. May raise Refused.
        """
        return None

    def resolves(self, state: S, orders: Orders, dice: Dice) -> Step:
        """The close: the new state, what is told, and the next phase or the end."""
        raise NotImplementedError(f"{self.id}: a phase needs resolves()")


class Variant(Generic[S]):
    """The rules of one game. `phases` maps base ids to phases; `State` is a frozen dataclass of plain data."""

    State: ClassVar[type]
    channel_ids: ClassVar[tuple[str, ...]] = ()
    """The ids of all channels that phases of this game may open (`Phase.channels`)."""
    phases: Mapping[str, Phase[S]]

    def __init__(self, spec: Spec, phases: Iterable[Phase[S]] = ()) -> None:
        self.spec = spec
        self.phases = {phase.id: phase for phase in phases}

    @property
    def id(self) -> str:
        """The variant's id."""
        return self.spec.id

    @property
    def version(self) -> int:
        """The version of its rules, kept with every input that they handle."""
        return self.spec.version

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options of a game: given ones checked, the others at their default. Raises SetupError."""
        return self.spec.resolve_options(given)

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        """The first state, what is told at the start, and the first phase.

        options: as `options` returns them, and "decoys": whether phases whose timing would tell a secret last their
        hours although nobody is asked. deal: forced set-up draws by the rulebook's keys. Raises SetupError.
        """
        raise NotImplementedError

    def cards(self, options: Mapping[str, Any], players: int) -> Mapping[str, int]:
        """How many of each card a game of so many players is dealt from; {} where nothing is dealt from a deck.

        options: as `options` returns them. Raises SetupError for a number of players that they do not fit.
        """
        return {}

    def outline(self, options: Mapping[str, Any], players: int) -> list[str]:
        """The course of a game with these options in words, a line each, for whoever composes it. Raises SetupError."""
        return []

    def phase(self, state: S, full: str) -> Phase[S]:
        """The phase of a full id. Raises KeyError."""
        return self.phases[split_phase(full)[0]]

    def facts(self, state: S) -> dict[str, Any]:
        """The game master's view of a state, flat: `Bob.camp` → "human" (the rulebook's chapter on facts)."""
        raise NotImplementedError

    def round(self, state: S) -> int:
        """The round that is being played, from 1."""
        return 1

    def alive(self, state: S, player: str) -> bool:
        """Whether the player is still in play (may be asked, may post)."""
        raise NotImplementedError

    def may_post(self, state: S, player: str) -> bool:
        """Whether the player may post while the table is open."""
        return self.alive(state, player)

    def channel(self, state: S, command: str) -> Channel:
        """Where a command is taken, if it is not asked now; options may change it."""
        return self.spec.commands[command].channel

    def pass_withdraws(self, state: S, order: Order) -> bool:
        """Whether a player's `pass` takes back this standing order of his."""
        return False

    def pass_settles(self, ask: Ask) -> bool:
        """Whether a player's `pass` is his answer to this ask, so that early closing does not wait for another."""
        return True

    def removes(self, state: S, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        """The game master takes a player out of the game."""
        raise NotImplementedError

    def commands(self, state: S, full: str, order: Order, standing: Orders, dice: Dice) -> Step:
        """A command of the game master that this game defines (actor "gm") and no ask of the phase takes.

        May raise Refused.
        """
        raise Refused("not-your-turn")

    def sets(self, state: S, fact: str, value: Any) -> S:
        """The game master changes a fact. Raises Refused("no-such-fact") where the game does not allow it."""
        raise Refused("no-such-fact", fact=fact)
