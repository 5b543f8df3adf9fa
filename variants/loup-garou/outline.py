"""A composed game in words: who wakes when, how the day is decided, who wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .pool import ACTS
from .role import POOL
from .state import Window

_TIES = {
    "nobody": "nobody dies",
    "revote": "a second ballot among the tied, {revotes} at most; then nobody dies",
    "mayor": "the mayor decides; without one, a second ballot among the tied, {revotes} at most",
    "draw": "chance decides among the tied",
}
_WINS = {
    "last": "nobody else lives",
    "last-but-one": "at most one other player lives",
    "parity": "there are as many of them as of the others",
}
_MAYORS = {"dealt": "dealt at the start", "elected": "elected on day 1"}


def course(options: Mapping[str, Any], windows: tuple[Window, ...], deck: Mapping[str, int]) -> Iterator[str]:
    """The lines of the outline; deck: the cards of the game that is described."""
    yield "The night, window after window:"
    for place, window in enumerate(windows, 1):
        when = " (night 1 only)" if window.first else ""
        wakes = ", then ".join(filter(None, (_who(act, deck) for act in window.acts)))
        yield f"  {place}. {window.id}{when}: {wakes}"
        if "wolves" in window.acts and deck.get("lapinou"):
            yield f"     lapinou (if he is attacked): {_name('lapinou')}"
    yield f"At each death the public learns: {options['reveal'] if options['reveal'] != 'none' else 'nothing'}."
    yield f"The vote: {options['ballot']} ballot. A tie: {_TIES[options['tie']].format(**options)}."
    if options["mayor"] in _MAYORS:
        heir = "; dying, he names his heir" if options["mayor_heir"] else ""
        yield f"The mayor: {_MAYORS[options['mayor']]}; his ballot weighs {options['mayor_votes']}{heir}."
    yield f"The wolves win when {_WINS[options['wolves_win']]}; the villagers when no wolf lives."
    if deck.get("cupid"):
        yield "Lovers of two camps win together, when they alone live; until then nobody else does."
    if deck.get("glutton"):
        yield "The glutton wins when he alone lives" + ("; he blocks all others." if options["glutton_blocks"] else ".")


def _who(act: str, deck: Mapping[str, int]) -> str:
    roles = sorted(ACTS[act], key=lambda role: role.camp != "wolves")
    return " and ".join(_name(role.id) for role in roles if deck.get(role.id))


def _name(role: str) -> str:
    return POOL[role].names["en"][0].removeprefix("the ")
