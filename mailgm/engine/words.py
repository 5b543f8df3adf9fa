"""Words as people type them: folding, tokens, names with prefixes and typos, command phrases.

Case, accents, ligatures, punctuation, bullets, markdown marks and a forum's tags do not matter.
Source: architecture §3.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

# Vowel signs and other marks inside a word, which \w leaves out: Latin, Hebrew, Arabic, the scripts of India, Thai.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f"
    "\u0981-\u0983\u09bc-\u09cd\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
_WORD = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_LETTERS = str.maketrans(
    {"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d",
     "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ı": "i"}
)  # fmt: skip
# Characters that nobody sees or types: soft hyphens, zero-width spaces, marks of writing direction.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_STRUCK = re.compile(r"~~[^~]+~~|\[(s|strike)\].*?\[/\1\]", re.IGNORECASE)
# "[b]Bob[/b]", as players of a forum write in bold.
TAG = re.compile(r"\[/?(?:b|i|u|em|strong|center|(?:color|size|font)(?:=[^\]\s]{1,30})?)\]", re.IGNORECASE)
_NUMBERED = re.compile(r"^[\s*_>]*\d{1,2}[.)]\s+(?=\S)")


class Token(NamedTuple):
    """One folded word of a line and its place in the line as typed: text[start:end]."""

    word: str
    start: int
    end: int


def fold(text: str) -> str:
    """Lower case without accents and ligatures; punctuation stays."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def clean(line: str) -> str:
    """A line as it is read: accents composed, no invisible characters, no list number, crossed-out words left out."""
    if not line.isascii():
        line = _INVISIBLE.sub("", unicodedata.normalize("NFC", line))
    if "~~" in line or "[" in line:
        line = _STRUCK.sub(" ", line)
    return _NUMBERED.sub("", line)


def tokens(text: str) -> list[Token]:
    """The words of a line with their places. An apostrophe or a hyphen separates ("d'ail" is "d", "ail")."""
    if "[" in text:
        text = TAG.sub(lambda tag: " " * len(tag.group()), text)
    if text.isascii():
        return [Token(match.group(), match.start(), match.end()) for match in _PLAIN_WORD.finditer(text.lower())]
    return [Token(fold(match.group()), match.start(), match.end()) for match in _WORD.finditer(text)]


def fold_tokens(text: str) -> tuple[str, ...]:
    """The folded words of a text."""
    return tuple(token.word for token in tokens(unicodedata.normalize("NFC", text)))


def distance(one: str, other: str, most: int) -> int:
    """The optimal string alignment distance (a swap of neighbours is one), or most + 1 if it is larger than `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        above, row = row, [i]
        for j, right in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before = above
    return row[-1]


def tolerance(word: str) -> int:
    """How many slips a word of this length may hold: none under 4 letters, one under 8, else two."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


class Match(NamedTuple):
    """Where a phrase was found: the keys that fit (several: ambiguous) and the number of tokens it takes.

    rank: 0 exact, 1 prefix, 2 and more: 1 + the number of slips.
    """

    keys: tuple[str, ...]
    length: int
    rank: int


class Phrases:
    """A table of phrases, each naming a key; finds the best reading at the head of some tokens."""

    def __init__(self, entries: Iterable[tuple[str, str]], *, glued: bool = False) -> None:
        """entries: (phrase as people would write it, key); several phrases may name one key.

        glued: a phrase of several words is also known written as one ("jeanpaul", "salledebal").
        """
        self._exact: dict[tuple[str, ...], list[str]] = {}
        listed = [(fold_tokens(phrase), key) for phrase, key in entries]
        if glued:
            known = {words for words, _ in listed}
            joined = [(("".join(words),), key) for words, key in listed if len(words) > 1]
            listed += [(words, key) for words, key in joined if words not in known]
        for words, key in listed:
            keys = self._exact.setdefault(words, [])
            if key not in keys:
                keys.append(key)
        self._exact.pop((), None)
        self._joined = [
            (len(words), joined, frozenset(joined), tuple(keys))
            for words, keys in self._exact.items()
            for joined in (" ".join(words),)
        ]
        self._longest = max(map(len, self._exact), default=0)

    def exact(self, words: Sequence[str]) -> Match | None:
        """The longest phrase that the words begin with, letter for letter."""
        for length in range(min(self._longest, len(words)), 0, -1):
            keys = self._exact.get(tuple(words[:length]))
            if keys:
                return Match(tuple(keys), length, 0)
        return None

    def exacts(self, words: Sequence[str]) -> list[Match]:
        """All phrases that the words begin with, longest first."""
        found = []
        for length in range(min(self._longest, len(words)), 0, -1):
            keys = self._exact.get(tuple(words[:length]))
            if keys:
                found.append(Match(tuple(keys), length, 0))
        return found

    def prefix(self, words: Sequence[str]) -> Match | None:
        """Phrases of which the words begin with an abbreviation: "salle" for "salle de bal", "chl" for "Chloé"."""
        found: dict[str, int] = {}
        for phrase, keys in self._exact.items():
            length = _abbreviates(words, phrase)
            if length:
                for key in keys:
                    found[key] = max(length, found.get(key, 0))
        if not found:
            return None
        longest = max(found.values())
        return Match(tuple(key for key, length in found.items() if length == longest), longest, 1)

    def typo(self, words: Sequence[str]) -> Match | None:
        """The phrases within the tolerance of their length of the head of the words; all of them, the nearest first.

        Nothing is typed wrong in a word of less than four letters, and digits are never mistyped.
        """
        found: list[tuple[int, int, tuple[str, ...]]] = []
        heads = [" ".join(words[:length]) for length in range(min(self._longest, len(words)) + 1)]
        letters = [frozenset(head) for head in heads]
        for size, joined, known, keys in self._joined:
            if size >= len(heads):
                continue
            typed = heads[size]
            allowed = min(tolerance(typed), max(1, tolerance(joined)))
            # Each slip adds or takes away at most two letters: most phrases are out before anything is compared.
            if abs(len(typed) - len(joined)) > allowed or len(letters[size] ^ known) > 2 * allowed:
                continue
            slips = distance(typed, joined, allowed)
            if slips <= allowed and _digits(typed) == _digits(joined):
                found.append((slips, -size, keys))
        if not found:
            return None
        found.sort(key=lambda entry: entry[:2])
        slips, length = found[0][0], -found[0][1]
        fitting = dict.fromkeys(key for _, _, keys in found for key in keys)
        return Match(tuple(fitting), length, 1 + slips)

    def find(self, words: Sequence[str]) -> Match | None:
        """The best reading: exact, else abbreviated, else mistyped; two that fit are both given, never one guessed."""
        if match := self.exact(words):
            return match
        match = self.prefix(words)
        if match is None or (len(words) > match.length and len(match.keys) == 1):
            slip = self.typo(words)
            if slip and (match is None or slip.length > match.length):
                return slip
        return match


def _digits(word: str) -> str:
    return "".join(char for char in word if char.isdecimal())


def _abbreviates(words: Sequence[str], phrase: Sequence[str]) -> int:
    """How many of the words are the beginning of the phrase, the last of them perhaps cut short; 0 if none."""
    length = 0
    for typed, full in zip(words, phrase, strict=False):
        if typed == full:
            length += 1
            continue
        if full.startswith(typed):
            return length + 1
        break
    return length


class Lexicon:
    """All words of a game: its commands in every language, its tables of choices, its small words."""

    def __init__(
        self,
        commands: Mapping[str, Mapping[str, Sequence[str]]],
        tables: Mapping[str, Mapping[str, Sequence[str]]],
        small: frozenset[str],
    ) -> None:
        self.small = small
        self.commands = Phrases(
            (form, command)
            for command, languages in commands.items()
            for words in languages.values()
            for phrase in words
            for form in self._forms(phrase)
        )
        self.tables = {
            name: Phrases(
                ((form, key) for key, phrases in table.items() for phrase in phrases for form in self._forms(phrase)),
                glued=True,
            )
            for name, table in tables.items()
        }

    def _forms(self, phrase: str) -> tuple[str, ...]:
        """A phrase as written and without its small words: "clef du sanctuaire", "clef sanctuaire"."""
        short = " ".join(word for word in fold_tokens(phrase) if word not in self.small)
        return (phrase, short) if short else (phrase,)
