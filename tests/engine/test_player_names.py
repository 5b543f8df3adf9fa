"""Names at sign-up: which cannot be, and which are worth a word (architecture §3)."""

from __future__ import annotations

import pytest
from toys import PHARE

from mailgm.engine.names import FATAL, name_warnings


@pytest.mark.parametrize(
    ("names", "warned"),
    [
        (["Ana", "Anabelle", "Jean", "Jean-Paul", "O'Brien", "Ольга", "小明", "R2D2"], []),
        # words of the game, in any language and form
        (["Quai"], [("Quai", "word", "quai")]),
        (["Veille"], [("Veille", "word", "veille")]),
        (["GUARD"], [("GUARD", "word", "guard")]),
        (["Old Lighthouse"], [("Old Lighthouse", "word", "old lighthouse")]),
        (["Rien"], [("Rien", "word", "rien")]),
        (["Aide"], [("Aide", "word", "aide")]),
        (["Et"], [("Et", "word", "et")]),
        # names that are one when they are typed
        (["Chloé", "chloe"], [("chloe", "same-name", "Chloé")]),
        (["Jean-Paul", "jean paul"], [("jean paul", "same-name", "Jean-Paul")]),
        (["Jean-Paul", "JeanPaul"], [("JeanPaul", "same-name", "Jean-Paul")]),
        (["Œdipe", "Oedipe"], [("Oedipe", "same-name", "Œdipe")]),
        (["Zoë 🦊", "Zoé"], [("Zoé", "same-name", "Zoë 🦊")]),
        # names that nobody can type, or that would break a line
        (["🦊"], [("🦊", "unreadable", "")]),
        (["***"], [("***", "unreadable", "")]),
        ([""], [("", "unreadable", "")]),
        ([" Ana"], [(" Ana", "unreadable", "")]),
        (["A" * 41], [("A" * 41, "unreadable", "")]),
        (["Ana\nBob"], [("Ana\nBob", "unreadable", "\n")]),
        (["Ana: la reine"], [("Ana: la reine", "unreadable", ":")]),
        (["@none"], [("@none", "unreadable", "@")]),
        # names that stand for somebody else, and ids of the game
        (["MJ", "Tous", "public", "GM"], [(n, "reserved", n.lower()) for n in ("MJ", "Tous", "public", "GM")]),
        (["wrecker"], [("wrecker", "id", "wrecker")]),
        (["Wrecker"], []),
    ],
)
def test_what_is_warned_of(names, warned):
    assert name_warnings(PHARE.spec, names) == warned


def test_only_what_would_break_a_game_is_fatal():
    assert frozenset({"unreadable", "reserved", "same-name", "id"}) == FATAL
