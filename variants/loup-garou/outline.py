"""A composed game in words: who wakes when, how the day is decided, who wins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mailgm.engine.said import Said, joined, named, say

from .pool import ACTS
from .role import POOL
from .state import Window

_WINS = {
    "last": say("nobody else lives"),
    "last-but-one": say("at most one other player lives"),
    "parity": say("there are as many of them as of the others"),
}
_MAYORS = {"dealt": say("dealt at the start"), "elected": say("elected on day 1")}
_REVEALED = {"role": say("the role"), "camp": say("the camp"), "none": say("nothing")}
_BALLOTS = {"open": say("open ballot"), "secret": say("secret ballot")}
_ARTICLE = re.compile(r"^(?:the |le |la |l')", re.IGNORECASE)


def course(options: Mapping[str, Any], windows: tuple[Window, ...], deck: Mapping[str, int]) -> Iterator[Said]:
    """The lines of the outline; deck: the cards of the game that is described."""
    yield say("The night, window after window:")
    for place, window in enumerate(windows, 1):
        wakes = joined([_who(act, deck) for act in window.acts if any(deck.get(role.id) for role in ACTS[act])], " → ")
        if window.first:
            yield say("  {place}. {window} (night 1 only): {wakes}", place=place, window=window.id, wakes=wakes)
        else:
            yield say("  {place}. {window}: {wakes}", place=place, window=window.id, wakes=wakes)
        if "wolves" in window.acts and deck.get("lapinou"):
            yield say("     lapinou (if he is attacked): {role}", role=_name("lapinou"))
    yield say("At each death the public learns: {what}.", what=_REVEALED[options["reveal"]])
    yield say("The vote: {ballot}. A tie: {tie}.", ballot=_BALLOTS[options["ballot"]], tie=_tie(options))
    if options["mayor"] in _MAYORS:
        chosen, votes = _MAYORS[options["mayor"]], options["mayor_votes"]
        if options["mayor_heir"]:
            yield say("The mayor: {how}; his ballot weighs {votes}; dying, he names his heir.", how=chosen, votes=votes)
        else:
            yield say("The mayor: {how}; his ballot weighs {votes}.", how=chosen, votes=votes)
    yield say("The wolves win when {what}; the villagers when no wolf lives.", what=_WINS[options["wolves_win"]])
    if deck.get("cupid"):
        yield say("Lovers of two camps win together, when they alone live; until then nobody else does.")
    if deck.get("glutton"):
        yield say("The glutton wins when he alone lives.")
        if options["glutton_blocks"]:
            yield say("As long as he lives, nobody else wins.")


def _tie(options: Mapping[str, Any]) -> Said:
    tie, revotes = options["tie"], options["revotes"]
    if tie == "revote":
        return say("a second ballot among the tied, {revotes} at most; then nobody dies", revotes=revotes)
    if tie == "mayor":
        asked = "the mayor decides; without one, a second ballot among the tied, {revotes} at most"
        return say(asked, revotes=revotes)
    return say("nobody dies") if tie == "nobody" else say("chance decides among the tied")


def _who(act: str, deck: Mapping[str, int]) -> Said:
    roles = sorted(ACTS[act], key=lambda role: role.camp != "wolves")
    return joined([_name(role.id) for role in roles if deck.get(role.id)], ", ")


def _name(role: str) -> Said:
    return named({lang: _ARTICLE.sub("", names[0]) for lang, names in POOL[role].names.items()})
