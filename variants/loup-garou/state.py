"""What a werewolf game remembers: plain, frozen data. A player's name is the key everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from mailgm.engine.plain import worked_out


@dataclass(frozen=True)
class Window:
    """One window of the night: its acts resolve in this order; first: night 1 only (R98)."""

    id: str
    acts: tuple[str, ...]
    first: bool = False


@dataclass(frozen=True)
class Rules:
    """The options of a game (rulebook §2), and its night as it is really played."""

    windows: tuple[Window, ...]
    tie: str
    revotes: int
    ballot: str
    mayor: str
    mayor_votes: int
    mayor_heir: bool
    reveal: str
    wolves_win: str
    wolves_eat_wolves: bool
    starve: str
    pack_tie: str
    seer_told: str
    seer_sees: str
    witch_both: bool
    spy: str
    spy_risk: int
    spy_sees: str
    cupid_self: bool
    cupid_missing: str
    lovers_know_roles: bool
    struck_hunter_shoots: bool
    raven_votes: int
    evil_eye_lasts: str
    evil_eye_told: bool
    tongue_penalty: str
    bless_stops_infection: bool
    glutton_blocks: bool
    contamination_told: bool
    lovers_bound: bool
    watchman: str
    show_deck: bool
    decoys: bool = False

    @worked_out
    def memo(self) -> dict[Any, Any]:
        """What others have worked out from these rules, once; no part of what the game remembers."""
        return {}

    @worked_out
    def later(self) -> tuple[Window, ...]:
        """The windows of every night but the first."""
        return tuple(window for window in self.windows if not window.first)

    @classmethod
    def of(cls, options: Mapping[str, Any], windows: tuple[Window, ...]) -> Rules:
        """The rules that the options of a game make."""
        known = {place.name for place in fields(cls)}
        return cls(windows=windows, **{key: value for key, value in options.items() if key in known})


@dataclass(frozen=True)
class Seat:
    """A player's place: the present card, what he still can do, how he died.

    powers: unused once-only powers. last_target: whom he protected or blessed last night. cause: "" while alive.
    """

    role: str
    camp: str
    alive: bool = True
    lover: str = ""
    powers: tuple[str, ...] = ()
    last_target: str = ""
    cause: str = ""


@dataclass(frozen=True)
class Letter:
    """Something that a player is told at dawn if he is alive then."""

    kind: str
    to: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tonight:
    """What has happened in the running night.

    told:      the public has heard that the night has begun.
    imposed:   whom the diviner gave to the wolves.
    victim:    who dies of the attack unless healed; safe: the blessing keeps him (the witch is told, R74).
    substitute: the victim is the wolf whom the lapinou gave.
    attacked:  the lapinou who must answer.
    spent:     the contamination was this night's attack.
    visits:    targets of the acts that took place (R90). patrols: (watchman, target).
    marks:     whom the ravens marked. tongues: pairs under the evil tongue, who must accuse each other tomorrow.
    """

    told: bool = False
    asleep: tuple[str, ...] = ()
    blessed: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    imposed: str = ""
    victim: str = ""
    safe: bool = False
    substitute: bool = False
    attacked: str = ""
    spent: bool = False
    healed: bool = False
    contaminated: str = ""
    starved: bool = False
    caught: tuple[str, ...] = ()
    poisoned: tuple[str, ...] = ()
    visits: tuple[str, ...] = ()
    patrols: tuple[tuple[str, str], ...] = ()
    marks: tuple[str, ...] = ()
    tongues: tuple[tuple[str, str], ...] = ()
    letters: tuple[Letter, ...] = ()


@dataclass(frozen=True)
class Today:
    """What holds for the running day.

    marks:      name → votes that he starts day.vote with. tongues: pairs who must accuse each other.
    candidates: the tied, in a second ballot or before the mayor. revotes: second ballots held.
    """

    marks: Mapping[str, int] = field(default_factory=dict)
    tongues: tuple[tuple[str, str], ...] = ()
    candidates: tuple[str, ...] = ()
    revotes: int = 0


@dataclass(frozen=True)
class Bond:
    """An evil eye: the slave's ballot is counted as the master's, on day `day` or, with 0, as long as both live."""

    master: str
    slave: str
    day: int


@dataclass(frozen=True)
class Village:
    """A whole game.

    order:     all players in seat order; living: those alive, in seat order.
    pack:      the wolves as the pack was last told (R33).
    shooters:  dead hunters who will be asked in the shot phase; struck: those asked in the running phase
               (R44), which is `struck_in`.
    mourning:  somebody has died since a shot was last asked for.
    """

    rules: Rules
    order: tuple[str, ...]
    seats: Mapping[str, Seat]
    living: tuple[str, ...]
    deck: Mapping[str, int]
    leftover: tuple[str, ...] = ()
    mayor: str = ""
    night: int = 1
    day: int = 0
    tonight: Tonight = field(default_factory=Tonight)
    today: Today = field(default_factory=Today)
    bonds: tuple[Bond, ...] = ()
    pack: tuple[str, ...] = ()
    shooters: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    struck_in: str = ""
    mourning: bool = False
    over: bool = False
    winner_camp: str = ""

    @worked_out
    def memo(self) -> dict[Any, Any]:
        """What others have worked out from this state, once; no part of it."""
        return {}

    def role(self, name: str) -> str:
        """The card that a player holds now."""
        return self.seats[name].role

    def camp(self, name: str) -> str:
        """The camp of that card."""
        return self.seats[name].camp

    def wolves(self) -> tuple[str, ...]:
        """The living players of the wolves' camp, in seat order."""
        seats = self.seats
        return tuple(name for name in self.living if seats[name].camp == "wolves")

    def mixed(self, name: str) -> bool:
        """Whether a player is one of a couple of two camps, dead or alive (R23)."""
        seat = self.seats[name]
        return bool(seat.lover) and self.seats[seat.lover].camp != seat.camp

    def alive(self, name: str) -> bool:
        """Whether a player lives."""
        return self.seats[name].alive

    def awake(self, name: str) -> bool:
        """Whether a player lives and was not put to sleep tonight (R86)."""
        return self.seats[name].alive and name not in self.tonight.asleep
