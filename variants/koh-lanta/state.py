"""What is so in a game of LG Koh-Lanta: tribes, chiefs, necklaces, alliances, the challenge of the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine import Orders, Phase
from mailgm.engine.plain import worked_out
from mailgm.engine.work import Work

BISOUNOURS, STRATEGE = "bisounours", "stratege"  # the camps
RED, YELLOW, WHITE = "rouges", "jaunes", "blancs"
TRIBES, INDIVIDUAL, FINAL, OVER = "tribes", "individual", "final", "over"  # the stages


@dataclass(frozen=True)
class State:
    """players: seat order. day: N of the night N or day N that runs.

    reds:       the red tribe of the deal; the others are yellow.
    strateges, sportifs: the others are bisounours, survivalists.
    early:      who left before the merge; removed: taken out by the game master.
    jurors:     voted out since the merge, in that order; disqualified ones are not among them.
    merged_on:  number of the ambassadors' night, 0 before; final_night: of the first night of the final phase.
    chiefs:     tribe → chief. allies: both ways. hidden: tribe → necklaces hidden there. held: player → necklaces.
    spent:      necklaces used up or vanished. finders: found one in the tribal phase (R83).
    cast:       stratège → targets of his secret votes as cast, all nights; secrets: of this night, turned (R26).
    named:      bisounours → names he gave for an alliance, all nights. guesses: home → numbers sent, all nights.
    fire, kit, meal, clue: tribes that have it. taken: tribe → comforts taken; offered: comforts ever offered.
    challenge:  the four lines of the day, () if none is fixed; yesterday: those of the day before.
    proposals:  of the round before: player → his one or two proposals, () for one not sent.
    leaders:    of the first individual round.
    double:     tribes whose chief plays twice today. pairs: tribe → comforts that the game master offers.
    totem:      tribe or player from the result to the end of the day. offers: the two comforts of the day.
    tied, seats, chosen: a tie-break: between whom, for how many seats, and who is eliminated anyway.
    fallen:     eliminated today.
    """

    players: tuple[str, ...]
    options: Mapping[str, Any]
    merge_at: int
    reds: tuple[str, ...]
    strateges: tuple[str, ...]
    sportifs: tuple[str, ...]
    number: int
    stage: str = TRIBES
    day: int = 0
    out: tuple[str, ...] = ()
    early: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    jurors: tuple[str, ...] = ()
    merged_on: int = 0
    final_night: int = 0
    chiefs: Mapping[str, str] = field(default_factory=dict)
    allies: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, int] = field(default_factory=lambda: {RED: 1, YELLOW: 1, WHITE: 0})
    held: Mapping[str, int] = field(default_factory=dict)
    protected: tuple[str, ...] = ()
    spent: int = 0
    finders: tuple[str, ...] = ()
    cast: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    guesses: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    fire: tuple[str, ...] = ()
    kit: tuple[str, ...] = ()
    meal: tuple[str, ...] = ()
    clue: tuple[str, ...] = ()
    taken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    offered: tuple[str, ...] = ()
    ambassadors: bool = False
    challenge: tuple[str, ...] = ()
    yesterday: tuple[str, ...] = ()
    salt: str = ""
    round: int = 0
    proposals: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    leaders: tuple[str, ...] = ()
    double: tuple[str, ...] = ()
    pairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    totem: str = ""
    offers: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    seats: int = 1
    chosen: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()

    @worked_out
    def living(self) -> tuple[str, ...]:
        """The players in the game."""
        return tuple(player for player in self.players if player not in self.out)

    def camp(self, player: str) -> str:
        """The player's camp."""
        return STRATEGE if player in self.strateges else BISOUNOURS

    def role(self, player: str) -> str:
        """The player's role."""
        return "sportif" if player in self.sportifs else "survivaliste"

    def home(self, player: str) -> str:
        """The tribe of the deal (section 1)."""
        return RED if player in self.reds else YELLOW

    def tribe(self, player: str) -> str:
        """The present tribe, the last one of those who are out."""
        return WHITE if self.merged_on and player not in self.early else self.home(player)

    def members(self, tribe: str) -> tuple[str, ...]:
        """The living members of a present tribe, or of a home tribe before the merge."""
        return tuple(player for player in self.living if self.tribe(player) == tribe)

    @property
    def tribes(self) -> tuple[str, ...]:
        """The tribes that there are now."""
        return (WHITE,) if self.merged_on else (RED, YELLOW)

    @worked_out
    def pack(self) -> tuple[str, ...]:
        """The living stratèges."""
        return tuple(player for player in self.living if player in self.strateges)

    @property
    def voters(self) -> tuple[str, ...]:
        """Who votes today: the losing tribe, or everybody (R89)."""
        return self.living if self.merged_on else self.members(self.loser)

    @property
    def candidates(self) -> tuple[str, ...]:
        """Who may be eliminated today (R54, R59, R89)."""
        return tuple(player for player in self.voters if player != self.totem)

    @property
    def loser(self) -> str:
        """The tribe that has lost the challenge of the day."""
        return YELLOW if self.totem == RED else RED

    @property
    def judge(self) -> str:
        """The chief of the voting tribe, who settles ties (R13)."""
        return self.chiefs.get(WHITE if self.merged_on else self.loser, "")

    def seated(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names in seat order."""
        chosen = set(names)
        return tuple(player for player in self.players if player in chosen)


class Part(Phase[State]):
    """A phase of this game: who is out is told so first (section 4)."""

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        return "dead-player" if player in state.out else "not-your-turn"


def name_chief(work: Work[State], player: str, tribe: str, by: str) -> None:
    """A new chief of a tribe, publicly."""
    work.set(chiefs={**work.state.chiefs, tribe: player})
    work.announce("chief.named", player=player, tribe=tribe, by=by)


def break_alliance(work: Work[State], player: str) -> None:
    """An alliance ends with one of the two (R25)."""
    gone = {player, work.state.allies.get(player, "")}
    work.set(allies={name: ally for name, ally in work.state.allies.items() if name not in gone})


def hide_again(work: Work[State], player: str) -> None:
    """Unused necklaces of one who leaves go back in play for his tribe, publicly (R38)."""
    state = work.state
    count = state.held.get(player, 0)
    if not count:
        return
    tribe = state.tribe(player)
    work.set(
        held={name: number for name, number in state.held.items() if name != player},
        hidden={**state.hidden, tribe: state.hidden[tribe] + count},
    )
    work.announce("necklace.back", player=player, count=count, tribe=tribe)
