"""The manor and who is in it: the state of a game of Dracula (rulebook 1, 3, 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine.plain import evolve, worked_out

HUMAN, VAMPIRE, DRACULA = "human", "vampire", "dracula"

ROOMS = ("boudoir", "bal", "geoles", "torture")
SANCTUARY = "sanctuaire"
PLACES = (*ROOMS, SANCTUARY)

NORMAL = ("crucifix", "gousse-ail", "bougie", "loupe", "clef", "pieu")
FLOORS: Mapping[str, tuple[str, ...]] = {
    "boudoir": ("peinture",),
    "bal": ("phonographe",),
    "geoles": ("manuel",),
    "torture": ("grimoire",),
}
SPECIAL = ("manuel", "grimoire", "peinture", "phonographe")
CURSES_A_NIGHT = 2


@dataclass(frozen=True)
class Seat:
    """One player in the running round; `score` is the total of the finished rounds.

    reserved:  the object kept for him during night 2 (R28).
    announced: the room that a cursed player named for the coming night (R53).
    room:      where he spends the night, from the settling to the morning.
    partner:   of day 4 and night 4; `follows` tells that the partner chooses the room (R23).
    """

    role: str = HUMAN
    alive: bool = True
    items: tuple[str, ...] = ()
    reserved: str = ""
    cursed: bool = False
    announced: str = ""
    sheltered: bool = False
    room: str = ""
    partner: str = ""
    follows: bool = False
    victims: int = 0
    fled: bool = False
    flames: int = 0
    score: int = 0

    @property
    def camp(self) -> str:
        """The camp: "human" or "vampire" (Dracula's too)."""
        return HUMAN if self.role == HUMAN else VAMPIRE

    @property
    def human(self) -> bool:
        """Whether he is a living human, fled or not."""
        return self.alive and self.role == HUMAN

    @property
    def vampire(self) -> bool:
        """Whether he is a living vampire, Dracula included."""
        return self.alive and self.role != HUMAN

    def drop(self, item: str) -> Seat:
        """The seat with one copy of an object less in hand."""
        left = list(self.items)
        left.remove(item)
        return evolve(self, items=tuple(left))


@dataclass(frozen=True, slots=True)
class Settings:
    """The options, with everything that is "auto" worked out."""

    rounds: int
    nights: int
    first_day: bool
    seats: int
    deck: Mapping[str, int]
    self_vote: bool
    fill_seats: str
    missing_bite: str
    dawn_cursed: str


@dataclass(frozen=True)
class Night:
    """What has happened in the running night.

    roll:    who lived at nightfall.
    going:   player → where he goes, as far as it is settled; the elected stand in `State.elected`.
    wishes:  follower → the room that he named in case his chooser escapes (R24).
    lookers: all who used a loupe; looking: those of them who still have to choose.
    paints:  painter → text. used: (player, normal object). curses: (holder, target), void ones too.
    waltz:   (holder, partner) once the message is relayed.
    """

    roll: tuple[str, ...] = ()
    going: Mapping[str, str] = field(default_factory=dict)
    wishes: Mapping[str, str] = field(default_factory=dict)
    lookers: tuple[str, ...] = ()
    looking: tuple[str, ...] = ()
    paints: Mapping[str, str] = field(default_factory=dict)
    painted: tuple[str, ...] = ()
    used: tuple[tuple[str, str], ...] = ()
    sick: tuple[str, ...] = ()
    curses: tuple[tuple[str, str], ...] = ()
    cursed: tuple[str, ...] = ()
    staked: tuple[str, ...] = ()
    lost: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bites: tuple[tuple[str, str], ...] = ()
    turned: tuple[str, ...] = ()
    waltz: tuple[str, ...] = ()
    found: tuple[tuple[str, str], ...] = ()
    destroyed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class State:
    """A round in progress.

    telepathy: Dracula's one text is spent; kept: it waits for the morning (R57).
    elected:   who was elected for the coming or running night.
    fallen:    flames that went out (invariant 13).
    """

    settings: Settings
    players: tuple[str, ...]
    seats: Mapping[str, Seat]
    round: int = 1
    night: int = 0
    floors: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(FLOORS))
    walls: Mapping[str, str] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    telepathy: bool = False
    kept: str = ""
    elected: tuple[str, ...] = ()
    fallen: int = 0
    tonight: Night = field(default_factory=Night)

    # Who ----------------------------------------------------------------------------------------------------------

    @worked_out
    def living(self) -> tuple[str, ...]:
        """The living players in seat order, the fled included."""
        return tuple(name for name in self.players if self.seats[name].alive)

    @worked_out
    def humans(self) -> tuple[str, ...]:
        """The living humans in seat order, the fled included."""
        return tuple(name for name in self.living if self.seats[name].role == HUMAN)

    @worked_out
    def vampires(self) -> tuple[str, ...]:
        """The living vampires in seat order, Dracula included."""
        return tuple(name for name in self.living if self.seats[name].role != HUMAN)

    @worked_out
    def electable(self) -> tuple[str, ...]:
        """R9: the living who were not elected yet in this round."""
        return tuple(name for name in self.living if not self.seats[name].sheltered)

    @worked_out
    def outside(self) -> tuple[str, ...]:
        """The living players who were not elected for this night."""
        return tuple(name for name in self.living if name not in self.elected)

    @worked_out
    def single(self) -> tuple[str, ...]:
        """Who is outside the sanctuary and has no partner (R22)."""
        return tuple(name for name in self.outside if not self.seats[name].partner)

    @worked_out
    def staying(self) -> tuple[str, ...]:
        """The living humans who have not fled (R62)."""
        return tuple(name for name in self.humans if not self.seats[name].fled)

    @property
    def dracula(self) -> str:
        """The name of Dracula."""
        return next(name for name in self.players if self.seats[name].role == DRACULA)

    @worked_out
    def _inside(self) -> Mapping[str, tuple[str, ...]]:
        rooms: dict[str, tuple[str, ...]] = {}
        for name in self.living:
            room = self.seats[name].room
            rooms[room] = (*rooms.get(room, ()), name)
        return rooms

    def in_room(self, room: str) -> tuple[str, ...]:
        """The living players who spend this night in a room, in seat order."""
        return self._inside.get(room, ())

    def companions(self, player: str) -> tuple[str, ...]:
        """Who is in the same room as this player tonight."""
        room = self.seats[player].room
        return tuple(name for name in self.in_room(room) if name != player) if room else ()

    def holder(self, item: str) -> str | None:
        """The living player who holds a special object, or None."""
        return next((name for name in self.living if item in self.seats[name].items), None)

    # Changes ------------------------------------------------------------------------------------------------------

    def seat(self, player: str, **changes: Any) -> State:
        """The state with fields of one seat changed."""
        return evolve(self, seats={**self.seats, player: evolve(self.seats[player], **changes)})

    def seated(self, seats: Mapping[str, Seat]) -> State:
        """The state with some seats replaced."""
        return evolve(self, seats={**self.seats, **seats})

    def during(self, **changes: Any) -> State:
        """The state with fields of the running night changed."""
        return evolve(self, tonight=evolve(self.tonight, **changes))

    # Words --------------------------------------------------------------------------------------------------------

    def label(self, text: str) -> str:
        """The label of a draw: prefixed with the round from round 2 on (rulebook 3)."""
        return text if self.round == 1 else f"round-{self.round}.{text}"

    def dusk_label(self, text: str) -> str:
        """The label of a draw of this night: "night-2.items"."""
        return self.label(f"night-{self.night}.{text}")


def by_room(names: Iterable[str], where: Mapping[str, str]) -> dict[str, int]:
    """How many of these players go to each of the four rooms, zeros included."""
    counts = dict.fromkeys(ROOMS, 0)
    for name in names:
        counts[where[name]] += 1
    return counts


def in_hand(items: Iterable[str]) -> tuple[str, ...]:
    """Objects in the order in which facts and notices list them: by id, repeats kept."""
    return tuple(sorted(items))
