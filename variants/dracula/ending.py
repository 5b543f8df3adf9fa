"""A round begins and ends: set-up, points, the next round or the end of the game (R1-R2, R60, R64-R68)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mailgm.engine import PUBLIC, End, Notice, Step
from mailgm.engine.plain import evolve
from mailgm.engine.work import Work

from .state import DRACULA, FLOORS, ROOMS, Seat, Settings, State


def new_round(
    settings: Settings, players: tuple[str, ...], number: int, dracula: str, scores: Mapping[str, int]
) -> Step:
    """Set-up of a round (rulebook 5): everybody human but Dracula, the special objects on their floors."""
    seats = {name: Seat(role=DRACULA if name == dracula else "human", score=scores.get(name, 0)) for name in players}
    state = State(settings, players, seats, round=number)
    opened = {
        "round": number,
        "rounds": settings.rounds,
        "seats": settings.seats,
        "floor": {room: FLOORS[room] for room in ROOMS},
        "deck": settings.deck,
    }
    notices = [Notice("round.opened", PUBLIC, opened)]
    for name, seat in seats.items():  # R1
        notices.append(Notice("role.assigned", name, {"role": seat.role, "camp": seat.camp, "round": number}))
    return Step(state, tuple(notices), "day-1.talk" if settings.first_day else "night-1.rooms")


def all_turned(work: Work[State]) -> Step:
    """R60: no human is left; each living vampire scores his victims."""
    state = work.state
    return end_round(work, "all-turned", {name: state.seats[name].victims for name in state.vampires})


def survived(work: Work[State]) -> Step:
    """R65: Dracula was not burned; each living vampire scores his victims, or 1 without any."""
    state = work.state
    points = {name: state.seats[name].victims or 1 for name in state.vampires}
    return end_round(work, "dracula-survived", points | _fugitives(state))


def burned(work: Work[State], killers: Sequence[str], fighters: Sequence[str]) -> Step:
    """R64: 5 for the only fighter who burned Dracula, 2 for every other; 2 for all if there were several."""
    points = {name: 5 if list(killers) == [name] else 2 for name in fighters}
    return end_round(work, "dracula-burned", points | _fugitives(work.state))


def end_round(work: Work[State], outcome: str, points: Mapping[str, int]) -> Step:
    """R67: who Dracula was, the points and the totals; then the next round or the end. Who is not named scores 0."""
    state = work.state
    earned = {name: points.get(name, 0) for name in state.players}
    totals = {name: state.seats[name].score + earned[name] for name in state.players}
    work.state = state.seated({name: evolve(state.seats[name], score=totals[name]) for name in state.players})
    work.announce("round.reveal", round=state.round, outcome=outcome, dracula=state.dracula)
    work.announce("round.over", round=state.round, points=earned, totals=totals)
    if state.round >= state.settings.rounds:
        return _game_over(work, totals)
    following = state.round + 1
    dracula = work.dice.pick(f"round-{following}.dracula", state.players)  # Q31
    opening = new_round(state.settings, state.players, following, dracula, totals)
    return Step(opening.state, (*work.notices, *opening.notices), opening.next)


def _game_over(work: Work[State], totals: Mapping[str, int]) -> Step:
    """R68: the highest total wins; equal totals win together."""
    best = max(totals.values())
    winners = tuple(name for name in work.state.players if totals[name] == best)
    reveal = {name: work.state.seats[name].role for name in work.state.players}
    work.announce("game.over", winner_camp=None, winners=winners, scores=totals, reveal=reveal)
    return work.step(End(None, winners, totals))


def _fugitives(state: State) -> dict[str, int]:
    """R62: a fugitive scores 1, whatever follows."""
    return {name: 1 for name in state.living if state.seats[name].fled}
