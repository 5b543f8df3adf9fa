"""What is so in a game of Le Cinquième Élément: hearts, powers, what is in force, who is owed a last word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine import End, Orders, Phase
from mailgm.engine.plain import worked_out
from mailgm.engine.work import Work

from .powers import VILLAGER, WOLF

KORBEN, LEELOO = "korben", "leeloo"  # the camps


@dataclass(frozen=True)
class State:
    """players: seat order, which is circular (Autopsie).

    nc:        wolves at the start (R3).
    dead:      out of the game, removed players included.
    opening:   hearts when the night opened.
    active:    player → power in force and its arguments, from the close of a night until the next one opens.
    doubled:   who had an Immunité diplomatique in force on the day before this night (R62).
    ballots:   final votes of the last day.
    deeds:     player → what he did at night, each as (night, command, arguments…) (R52).
    observed:  observer → target → times (R47).
    glimpsed:  who used Œil-de-Lynx tonight → whom he saw (R60).
    channel:   the wolves may write to one another.
    fallen:    the dead whom the coming dawn announces.
    legacies:  dead player → what he may still say: "ascension", "autopsie", "mayor".
    """

    players: tuple[str, ...]
    options: Mapping[str, Any]
    nc: int
    wolves: tuple[str, ...]
    vulnerability: Mapping[str, str]
    pairs: Mapping[str, str]
    hearts: Mapping[str, int]
    universal: Mapping[str, str] = field(default_factory=dict)
    special: Mapping[str, str] = field(default_factory=dict)
    dead: tuple[str, ...] = ()
    mayor: str = ""
    night: int = 0
    opening: Mapping[str, int] = field(default_factory=dict)
    active: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    doubled: tuple[str, ...] = ()
    ballots: Mapping[str, str] = field(default_factory=dict)
    deeds: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    observed: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    glimpsed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ears_spent: tuple[str, ...] = ()
    channel: bool = False
    tied: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    legacies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    over: bool = False

    @property
    def cap(self) -> int:
        """The most hearts a player may have (R16)."""
        return self.nc + 1

    @worked_out
    def living(self) -> tuple[str, ...]:
        """The players in the game."""
        return tuple(player for player in self.players if player not in self.dead)

    @worked_out
    def pack(self) -> tuple[str, ...]:
        """The living wolves."""
        return tuple(player for player in self.living if player in self.wolves)

    @worked_out
    def villagers(self) -> tuple[str, ...]:
        """The living villagers."""
        return tuple(player for player in self.living if player not in self.wolves)

    def camp(self, player: str) -> str:
        """The player's camp."""
        return LEELOO if player in self.wolves else KORBEN

    def role(self, player: str) -> str:
        """The player's role, which is also the category of his special power."""
        return WOLF if player in self.wolves else VILLAGER

    def powers(self, player: str) -> tuple[str, ...]:
        """The powers that a player holds."""
        return tuple(held[player] for held in (self.universal, self.special) if player in held)

    def using(self, player: str, power: str) -> bool:
        """Whether a power of the player is in force."""
        return self.active.get(player, ("",))[0] == power

    def seated(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names in seat order."""
        chosen = set(names)
        return tuple(player for player in self.players if player in chosen)

    def vulnerable(self, player: str, element: str) -> bool:
        """Whether an element's wounds cost the player one more now (R33-R35)."""
        if self.vulnerability[player] != element or self.using(player, "immunite-diplomatique"):
            return False
        return not (element == "feu" and self.using(player, "ignifuge"))


class Part(Phase[State]):
    """A phase of this game: wherever it is tried, the pack's channel is closed unless a night opens it (section 4)."""

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        if command == "pack" and player in state.living:
            return "channel-closed" if player in state.wolves else "not-yours"
        return "not-your-turn"

    def refuses(self, state: State, ask: Any, argument: str, value: Any, standing: Orders) -> str:
        return "dead-target"


def change_hearts(work: Work[State], changes: Mapping[str, int]) -> None:
    """Add hearts to players or take them, within 0 and the cap (R16, R20)."""
    state = work.state
    hearts = {player: min(state.cap, max(0, count + changes.get(player, 0))) for player, count in state.hearts.items()}
    work.set(hearts=hearts)


def name_mayor(work: Work[State], player: str, how: str) -> None:
    """A new mayor, publicly."""
    work.set(mayor=player)
    work.announce("mayor.named", player=player, how=how)


def open_channel(work: Work[State]) -> None:
    """The living wolves may write to one another until the night closes (R67-R70)."""
    work.set(channel=True)
    pack = work.state.pack
    for wolf in pack:
        work.tell("pack.opened", wolf, members=tuple(name for name in pack if name != wolf))


def bury(work: Work[State], player: str, cause: str) -> None:
    """A death as the public learns it, with what the dead player's power reveals (R51, R56, R64, R71)."""
    state = work.state
    work.announce(
        "death",
        player=player,
        role=state.role(player),
        camp=state.camp(player),
        cause=cause,
        universal=state.universal.get(player),
    )
    if cause == "removed":
        return
    if state.using(player, "ascension"):
        deeds = tuple(":".join(deed) for deed in state.deeds.get(player, ()))
        work.announce("ascension.revealed", player=player, deeds=deeds)
    if state.using(player, "autopsie"):
        universal, special = state.powers(player)
        vulnerability = state.vulnerability[player]
        work.announce(
            "autopsy.revealed", player=player, universal=universal, special=special, vulnerability=vulnerability
        )
    elif player not in state.wolves:
        for wolf in state.pack:
            if state.using(wolf, "elementaliste"):
                work.tell("elementalist.death", wolf, player=player, vulnerability=state.vulnerability[player])


def last_words(state: State, dead: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What each of the newly dead may still say (R51, R56, R77)."""
    owed = {}
    for player in dead:
        what = [power for power in ("ascension", "autopsie") if state.using(player, power)]
        what += ["mayor"] if player == state.mayor else []
        if what:
            owed[player] = tuple(what)
    return owed


def winner(state: State) -> str:
    """The camp that has won, or "" (R80)."""
    if not state.living:
        return LEELOO
    if not state.pack:
        return KORBEN
    return LEELOO if len(state.pack) >= len(state.villagers) else ""


def over(work: Work[State], camp: str) -> End:
    """The end: all players of the camp win, dead or alive (R82)."""
    state = work.state
    winners = tuple(player for player in state.players if state.camp(player) == camp)
    work.set(over=True)
    reveal = {player: state.role(player) for player in state.players}
    work.announce("game.over", winner_camp=camp, winners=winners, scores=None, reveal=reveal)
    return End(camp, winners)
