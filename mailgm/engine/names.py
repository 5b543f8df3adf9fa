"""Names of players: what cannot be one, and what would be misread in a game.

Source: architecture §3 ("a sign-up warns of names that collide with words of the game").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from mailgm.engine.habits import ANYTIME, EITHER, JOINTS, NEGATIONS, PASS_WORDS
from mailgm.engine.model import RESERVED_NAMES
from mailgm.engine.spec import Spec
from mailgm.engine.words import clean, fold_tokens

# A name is compared with all others of its game.
_folded = lru_cache(maxsize=1024)(fold_tokens)

LONGEST = 40
# Codes with which no game can start; the others are worth a word to the game master.
FATAL = frozenset({"unreadable", "reserved", "same-name", "id"})


def name_warnings(spec: Spec, names: Sequence[str]) -> list[tuple[str, str, str]]:
    """What is wrong, or unhandy, with these names in this game: (name, code, what it clashes with).

    Codes. FATAL: "unreadable" (no letter or digit by which to type it, a line break, ":" or "@", too long, blanks at
    an end), "reserved" (stands for the game master or for all), "same-name" (the same as another one, case, accents
    and punctuation apart), "id" (exactly an id of the game, which its state could not tell from a player).
    Others: "word" (a word of the game; an exact name wins where a player may be named).
    """
    return [*_all_warnings(spec, tuple(names))]


@lru_cache(maxsize=64)
def _all_warnings(spec: Spec, names: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    return tuple(warning for place, name in enumerate(names) for warning in _warnings(spec, name, names[:place]))


def _warnings(spec: Spec, name: str, earlier: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    folded = _folded(name)
    bad = next((char for char in name if char in ":@" or unicodedata.category(char) in ("Cc", "Zl", "Zp")), "")
    if bad or not folded or len(name) > LONGEST or name != name.strip():
        yield name, "unreadable", bad
        return
    if " ".join(folded) in RESERVED_NAMES:
        yield name, "reserved", " ".join(folded)
    for other in earlier:
        if "".join(folded) == "".join(_folded(other)):
            yield name, "same-name", other
    if name in spec.ids:
        yield name, "id", name
    elif word := _game_words(spec).get(folded):
        yield name, "word", word


@lru_cache(maxsize=64)
def _game_words(spec: Spec) -> dict[tuple[str, ...], str]:
    """Everything that people type in a game, folded → as written."""
    written = [*spec.small_words, *JOINTS, *EITHER, *NEGATIONS]
    written += [word for words in (*ANYTIME.values(), *PASS_WORDS.values()) for word in words]
    written += [phrase for table in spec.tables.values() for phrases in table.values() for phrase in phrases]
    written += [word for command in spec.commands.values() for words in command.words.values() for word in words]
    return {fold_tokens(clean(word)): word for word in written}
