"""What is so in a game of Terreur d'Halouine, and the one way in which a player changes sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mailgm.engine import End
from mailgm.engine.plain import worked_out
from mailgm.engine.work import Work

HALOUINE, PEASANTS = "halouine", "paysans"  # the camps
FACES = ("epouvantail", "marchand-de-sable", "pretre", "berger", "sorciere", "alchimiste")
SPECIAL = ("halouine", "sorciere", "epouvantail", "marchand-de-sable", "pretre", "devin", "berger", "alchimiste")


@dataclass(frozen=True)
class State:
    """players: seat order. All lists of names are in seat order too, where nothing else is said.

    turn:           N of the night N or day N that runs.
    cancelled:      who is cancelled this turn; once_cancelled: all who ever were (R31).
    blessed:        those whom the running blessing protects (R35).
    guarded:        whom the first bouftou guards.
    stood_in:       the halves that the épouvantail has spent: "healthy", "infected" (R25).
    mark, mark_end: the marked player, and the day at whose end the mark acts.
    faces:          the faces of the die that have come out (R49).
    refused:        the prêtre has refused the first dose (R41).
    candidates:     the two of a re-vote; tied: between whom the chief decides.
    taking_place, sacrificing: orders of a vote that waits for the chief's decision.
    """

    players: tuple[str, ...]
    options: Mapping[str, Any]
    roles: Mapping[str, str]
    infected: tuple[str, ...]
    out: tuple[str, ...] = ()
    turn: int = 0
    chief: str = ""
    cancelled: str = ""
    once_cancelled: tuple[str, ...] = ()
    blessing_until: int = 0
    blessed: tuple[str, ...] = ()
    guarded: str = ""
    bouftous: tuple[str, ...] = ("first", "second")
    stood_in: tuple[str, ...] = ()
    mark: str = ""
    mark_end: int = 0
    potion: str = "none"
    faces: tuple[str, ...] = ()
    die_marks: int = 0
    refused: bool = False
    devhorreur_seen: bool = False
    council_used: bool = False
    council: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    taking_place: bool = False
    sacrificing: bool = False
    over: bool = False

    @worked_out
    def living(self) -> tuple[str, ...]:
        """The players in the game."""
        return tuple(player for player in self.players if player not in self.out)

    @worked_out
    def sick(self) -> tuple[str, ...]:
        """The infected in the game."""
        return tuple(player for player in self.living if player in self.infected)

    @worked_out
    def healthy(self) -> tuple[str, ...]:
        """The healthy in the game."""
        return tuple(player for player in self.living if player not in self.infected)

    def holder(self, role: str) -> str:
        """Who in the game holds a role that stands once, or ""."""
        return next((player for player in self.living if self.roles[player] == role), "")

    def camp(self, player: str) -> str:
        """The camp follows the state."""
        return HALOUINE if player in self.infected else PEASANTS

    def can(self, player: str) -> bool:
        """Whether a player's abilities work this turn (R28)."""
        return bool(player) and player != self.cancelled

    @property
    def mark_kind(self) -> str:
        """The mark follows the state of the sorcière (R47)."""
        if not self.mark:
            return "none"
        witch = next(player for player in self.players if self.roles[player] == "sorciere")
        return "infection" if witch in self.infected else "cure"

    def seated(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names in seat order."""
        chosen = set(names)
        return tuple(player for player in self.players if player in chosen)


def turn_over(work: Work[State], player: str, infected: bool) -> None:
    """A player changes state: he and Halouine are told, nobody else (R4-R6); what hangs on his state follows.

    The caller has looked at blessing and bouftou.
    """
    state = work.state
    names = {*state.infected, player} if infected else set(state.infected) - {player}
    work.set(infected=state.seated(names))
    work.tell("state.changed", player, infected=infected, camp=work.state.camp(player))
    if player != (halouine := state.holder("halouine")):
        work.tell("halouine.watch", halouine, player=player, infected=infected)
    role = state.roles[player]
    if role == "devin":
        work.set(die_marks=0)  # R50: any change of his state
    if role == "paysan" and infected and not state.devhorreur_seen:
        work.set(devhorreur_seen=True)
        take_role(work, player, "devhorreur")  # R12
    if role == "devhorreur" and not infected:
        take_role(work, player, "paysan")  # R14
    if not infected and state.blessing_until:
        work.set(blessed=state.seated({*state.blessed, player}))  # R35


def take_role(work: Work[State], player: str, role: str, **more: Any) -> None:
    """A player gets another role, and is told."""
    work.set(roles={**work.state.roles, player: role})
    work.tell("role.changed", player, role=role, **more)


def name_chief(work: Work[State], player: str, how: str) -> None:
    """A new chief, publicly (R9, R63)."""
    work.set(chief=player)
    work.announce("chief.named", player=player, how=how)


def drop_mark(work: Work[State]) -> None:
    """The mark is gone; the sorcière may place another (R47)."""
    work.set(mark="", mark_end=0)
    work.tell("mark.available", work.state.holder("sorciere"), turn=work.state.turn)


def heir(state: State) -> str:
    """Who becomes Halouine if he falls: on turn 1 the sorcière, if she is in play; else nobody, "" (R61, R63)."""
    return state.holder("sorciere") if state.turn <= 1 else ""


def become_halouine(work: Work[State], player: str) -> None:
    """The sorcière is Halouine: infected again even if protected, her mark gone, and told who is infected (R63)."""
    state = work.state
    work.set(mark="", mark_end=0, blessed=tuple(name for name in state.blessed if name != player))
    known = tuple(name for name in state.sick if name != player)
    take_role(work, player, "halouine", infected=known)
    if player not in state.infected:
        turn_over(work, player, True)


def all_infected(state: State) -> bool:
    """Whether Halouine's side has won (R60)."""
    return not state.healthy


def over(work: Work[State], camp: str) -> End:
    """The end: who wins (R62, R65), and all roles."""
    state = work.state
    winners = state.sick if camp == HALOUINE else state.healthy
    work.set(over=True)
    work.announce("game.over", winner_camp=camp, winners=winners, scores=None, reveal=dict(state.roles))
    return End(camp, winners)
