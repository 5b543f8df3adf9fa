"""From moment to moment: which night window follows, dawn, dusk, and what comes after deaths (rulebook §5)."""

from __future__ import annotations

from mailgm.engine import End

from .deaths import finish, kill
from .pool import DAWNING
from .role import POOL
from .state import Today, Tonight, Village, Window
from .turn import Turn

# What a player is told at dawn comes in this order.
_LETTERS = ("seer.result", "role.changed", "evil-eye.bound")
LAPINOU = "lapinou"


def windows(state: Village) -> tuple[Window, ...]:
    """The windows of the running night."""
    return state.rules.windows if state.night == 1 else state.rules.later


def nightfall(turn: Turn) -> str | End:
    """The next night begins."""
    turn.set(night=turn.state.night + 1, tonight=Tonight())
    return enter_night(turn)


def enter_night(turn: Turn) -> str | End:
    """The first window of the running night; a night without any goes straight to its dawn."""
    tonight = windows(turn.state)
    return _night(turn.state, tonight[0].id) if tonight else dawn(turn)


def after_window(turn: Turn, done: Window) -> str | End:
    """The phase that follows a window: the lapinou's right after the wolves', if there may be one."""
    if "wolves" in done.acts and any(POOL[card].substitutes for card in turn.state.deck):
        return _night(turn.state, LAPINOU)
    return _later(turn, done)


def after_lapinou(turn: Turn) -> str | End:
    """The phase that follows the lapinou's window."""
    hunted = next(window for window in windows(turn.state) if "wolves" in window.acts)
    return _later(turn, hunted)


def _later(turn: Turn, done: Window) -> str | End:
    tonight = windows(turn.state)
    place = tonight.index(done) + 1
    return _night(turn.state, tonight[place].id) if place < len(tonight) else dawn(turn)


def _night(state: Village, window: str) -> str:
    return f"night-{state.night}.{window}"


def dawn(turn: Turn) -> str | End:
    """The night's dead, together; then what each survivor is told; then what follows deaths."""
    state, tonight = turn.state, turn.state.tonight
    causes = dict.fromkeys(tonight.poisoned, "poison")
    if tonight.victim and not tonight.safe and not tonight.healed:
        causes[tonight.victim] = "substitute" if tonight.substitute else "wolves"
    causes.update(dict.fromkeys(tonight.caught, "caught"))
    if tonight.starved:
        causes.update(dict.fromkeys(state.wolves(), "starved"))
    dead = kill(turn, causes)
    cards = bool(tonight.contaminated) and state.rules.contamination_told
    turn.announce("dawn", night=state.night, dead=dead, cards=cards)
    _tell_survivors(turn)
    return aftermath(turn, "dawn")


def _tell_survivors(turn: Turn) -> None:
    tonight = turn.state.tonight
    for letter in sorted(tonight.letters, key=lambda letter: _LETTERS.index(letter.kind)):
        if turn.state.alive(letter.to):
            turn.tell(letter.kind, letter.to, **letter.data)
    for role in DAWNING:
        role.dawns(turn)
    marks: dict[str, int] = {}
    for name in turn.state.living:
        if times := tonight.marks.count(name):
            marks[name] = times * turn.state.rules.raven_votes
            turn.announce("raven.mark", player=name, votes=marks[name])
    turn.set(today=Today(marks=marks, tongues=tonight.tongues))


def dusk(turn: Turn, elected: str) -> str | End:
    """The day ends with the death of whom the village chose, or of nobody."""
    dead = kill(turn, {elected: "lynched"}) if elected else []
    turn.announce("dusk", day=turn.state.day, elected=elected or None, dead=dead)
    return aftermath(turn, "dusk")


def aftermath(turn: Turn, moment: str) -> str | End:
    """After deaths: the hunters' arrows, as long as there are any; the judgment; the mayor's heir; then on."""
    state = turn.state
    if state.shooters or (state.mourning and arrows_hidden(state)):
        turn.set(mourning=False)
        return f"{moment}-{number(state, moment)}.shot"
    if end := finish(turn):
        return end
    if state.mayor and not state.alive(state.mayor):
        return f"{moment}-{number(state, moment)}.heir"
    return go_on(turn, moment)


def arrows_hidden(state: Village) -> bool:
    """Whether the public cannot tell that a hunter has died, so that waiting for his arrow would tell it."""
    return state.rules.reveal != "role" and bool(state.deck.get("hunter"))


def number(state: Village, moment: str) -> int:
    """The number of a moment: dawns count with the nights, dusks with the days."""
    return state.night if moment == "dawn" else state.day


def go_on(turn: Turn, moment: str) -> str | End:
    """Into the day, or into the next night."""
    if moment == "dusk":
        return nightfall(turn)
    turn.set(day=turn.state.night)
    if turn.state.day == 1 and turn.state.rules.mayor == "elected":
        return "day-1.election"
    return f"day-{turn.state.day}.vote"
