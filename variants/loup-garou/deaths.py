"""Deaths, all of them: one wave worked to its fixed point, then one judgment (R15, R24, R42, R53-R60)."""

from __future__ import annotations

from collections.abc import Mapping

from mailgm.engine import End

from .role import POOL
from .state import Village
from .turn import Turn

# The public never learns what somebody died of at night (R32).
NIGHT = frozenset({"wolves", "poison", "caught", "substitute"})


def kill(turn: Turn, causes: Mapping[str, str]) -> list[str]:
    """All named die together, in seat order; then, wave by wave, those who die of grief. Returns who died, in order."""
    dead: list[str] = []
    wave = {name: causes[name] for name in turn.state.order if name in causes and turn.state.alive(name)}
    while wave:
        for name, cause in wave.items():
            _die(turn, name, cause)
        dead += wave
        lovers = {turn.state.seats[name].lover for name in wave}
        wave = {name: "grief" for name in turn.state.living if name in lovers}
    return dead


def _die(turn: Turn, name: str, cause: str) -> None:
    state, rules = turn.state, turn.state.rules
    seat = state.seats[name]
    shown = "none" if cause == "removed" else rules.reveal
    turn.announce(
        "death",
        player=name,
        role=seat.role if shown == "role" else None,
        camp=seat.camp if shown != "none" else None,
        cause="night" if cause in NIGHT else cause,
    )
    turn.seat(name, alive=False, cause=cause)
    turn.set(living=tuple(other for other in state.living if other != name), mourning=True)
    if name == state.mayor and (not rules.mayor_heir or cause in ("thunder", "removed")):
        turn.set(mayor="")
    POOL[seat.role].dies(turn, name, cause)


def judge(state: Village) -> End | None:
    """Who has won, if anybody: the first that fits of R54-R57. Banner and winners come from here and nowhere else."""
    living = state.living
    if not living:
        return End()
    if len(living) == 2 and state.mixed(living[0]) and state.seats[living[0]].lover == living[1]:
        return End("couple", living)
    if len(living) == 1 and state.camp(living[0]) == "glutton":
        return _camp(state, "glutton")
    if any(state.mixed(name) for name in living):
        return None
    if state.rules.glutton_blocks and any(state.camp(name) == "glutton" for name in living):
        return None
    wolves = len(state.wolves())
    if not wolves:
        return _camp(state, "villagers")
    others = len(living) - wolves
    enough = {"last": 0, "last-but-one": 1, "parity": wolves}[state.rules.wolves_win]
    return _camp(state, "wolves") if others <= enough else None


def _camp(state: Village, camp: str) -> End:
    """A camp wins, its dead too, but nobody of a mixed couple (R58)."""
    return End(camp, tuple(name for name in state.order if state.camp(name) == camp and not state.mixed(name)))


def finish(turn: Turn) -> End | None:
    """The judgment: if the game is over, everybody is told and the end is returned (R59)."""
    end = judge(turn.state)
    if end is None:
        return None
    turn.set(over=True, winner_camp=end.winner_camp or "", shooters=(), struck=())
    turn.announce(
        "game.over",
        winner_camp=end.winner_camp,
        winners=end.winners,
        scores=None,
        reveal={name: turn.state.role(name) for name in turn.state.order},
    )
    return end
