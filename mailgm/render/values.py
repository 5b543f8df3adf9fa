"""Values on their way through Markdown.

A value (a name, a post, a painted wall) is typed by somebody, and must come out as what was typed. So it never meets
Jinja's or Markdown's syntax: it travels as a run of private characters, which are letters to a Markdown parser, and is
put back when the parser is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

_OPEN, _CLOSE, _FIRST = "\U000f0100", "\U000f0101", 0xF0000
_VALUE = re.compile(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}")
MOST_KEPT = 200
"""Characters of a value that is worth keeping in its protected form."""

_BYTES = {byte: _FIRST + byte for byte in range(256)}
_LETTERS = {_FIRST + byte: chr(byte) for byte in range(256)}
# Controls but line feed, line and paragraph separators, bidi controls, zero-width characters, surrogates: none of them
# is text, and some turn the rest of a line around.
_UNWANTED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def clean(text: str) -> str:
    """A text with its line ends made alike, tabs made spaces, and everything that is no text taken out."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return _UNWANTED.sub("", text.replace("\t", "    "))


def protect(value: Any) -> Markup:
    """What `{{ value }}` writes: Jinja's `finalize`. Markup (the output of a macro, a rendered notice) stays as it is.

    Raises UndefinedError for an undefined value and TypeError for one that has no form in words (None, a list).
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, Undefined):
        return Markup(str(value))
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise TypeError(f"a template prints {value!r}, which is not words")
    text = str(value)
    return _short(text) if len(text) <= MOST_KEPT else _protected(text)


def _protected(text: str) -> Markup:
    return Markup(_OPEN + clean(text).encode().decode("latin-1").translate(_BYTES) + _CLOSE)


# Names, rooms and addresses come again in every mail.
_short = lru_cache(maxsize=4096)(_protected)


def _words(value: str) -> str:
    return value.translate(_LETTERS).encode("latin-1").decode()


def pieces(text: str) -> Iterator[tuple[bool, str]]:
    """A text taken apart: (is it a value?, words), in order; empty ones left out."""
    place = 0
    for match in _VALUE.finditer(text):
        if match.start() > place:
            yield False, text[place : match.start()]
        if match[1]:
            yield True, _words(match[1])
        place = match.end()
    if place < len(text):
        yield False, text[place:]


def hollow(text: str) -> tuple[str, list[str]]:
    """A text whose values are only numbered, and the values: to Markdown it is the same text for everybody."""
    values: list[str] = []

    def number(match: re.Match[str]) -> str:
        values.append(match[1])
        return _short(str(len(values) - 1))

    return _VALUE.sub(number, text), [_words(value) for value in values]


def restore(text: str) -> str:
    """The text with every value put back as it was."""
    return "".join(words for _, words in pieces(text))
