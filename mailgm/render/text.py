"""Blocks as plain text at 72 columns, for people who read mail in a terminal or behind a screen reader."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from mailgm.render.document import Block, Heading, Listing, Paragraph, Quote, Rule, Spans, Table

WIDTH = 72
_GLUE = "\ue000"  # a space inside an example that must stay on one line
_GAP = "  "
_LEAST_COLUMN = 8
_FIRST_COMBINING = "\u0300"  # every character before it takes one column
_QUOTES = {"fr": ("«\u00a0", "\u00a0»"), "en": ("“", "”")}


def to_text(blocks: Sequence[Block], lang: str, width: int = WIDTH) -> str:
    """Write blocks as text. Lines are broken at spaces only, so an address, a token or a URL stays whole."""
    return "\n".join(line.replace(_GLUE, " ").rstrip(" ") for line in _blocks(blocks, lang, width))


def columns(text: str) -> int:
    """How many columns a text takes on a screen: wide characters two, accents set upon a letter none."""
    if text.isascii() or max(text) < _FIRST_COMBINING:
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def wrap(text: str, width: int) -> list[str]:
    """Break a text into lines at its spaces; line feeds stay, a word longer than the line stands alone."""
    lines = []
    for line in text.split("\n"):
        row, used = "", 0
        for word in line.split(" "):
            if not word:
                continue
            size = columns(word)
            if row and used + 1 + size > width:
                lines.append(row)
                row, used = "", 0
            row, used = (f"{row} {word}", used + 1 + size) if row else (word, size)
        lines.append(row)
    return lines


def _blocks(blocks: Sequence[Block], lang: str, width: int, tight: bool = False) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        if lines and not tight:
            lines.append("")
        lines += _block(block, lang, width)
    return lines


def _block(block: Block, lang: str, width: int) -> list[str]:
    if isinstance(block, Paragraph):
        return wrap(_plain(block.spans, lang), width)
    if isinstance(block, Heading):
        lines = wrap(_plain(block.spans, lang), width)
        under = {1: "=", 2: "-"}.get(block.level)
        return [*lines, under * max(map(columns, lines))] if under else lines
    if isinstance(block, Listing):
        return _listing(block, lang, width)
    if isinstance(block, Quote):
        # Said by somebody else: no line of it may be taken for ours, for a signature mark or for a header.
        return [f"> {line}".rstrip() for line in _blocks(block.blocks, lang, width - 2)]
    if isinstance(block, Table):
        return _table(block, lang, width)
    assert isinstance(block, Rule)
    return ["-" * 24]


def _listing(block: Listing, lang: str, width: int) -> list[str]:
    lines: list[str] = []
    for number, item in enumerate(block.items, 1):
        mark = f"{number}. " if block.numbered else "- "
        inner = _blocks(item, lang, width - len(mark), tight=block.tight)
        if lines and not block.tight:
            lines.append("")
        lines += [(mark if place == 0 else " " * len(mark)) + line for place, line in enumerate(inner)]
    return lines


def _plain(spans: Spans, lang: str) -> str:
    opening, closing = _QUOTES.get(lang, _QUOTES["en"])
    words = []
    for span in spans:
        if span.code:
            kept = span.text.replace(" ", _GLUE) if columns(span.text) <= 40 else span.text
            words.append(f"{opening}{kept}{closing}")
        else:
            words.append(span.text)
    return "".join(words)


def _table(table: Table, lang: str, width: int) -> list[str]:
    """A table in plain columns; a cell that is too long goes on under itself."""
    rows = [[_plain(cell, lang).replace("\n", " ") for cell in row] for row in (table.head, *table.rows)]
    sizes = _sizes([max(columns(row[place]) for row in rows) for place in range(len(rows[0]))], width)
    drawn: list[str] = []
    for place, row in enumerate(rows):
        cells = [wrap(cell, size) for cell, size in zip(row, sizes, strict=True)]
        for line in range(max(map(len, cells))):
            fields = [cell[line] if line < len(cell) else "" for cell in cells]
            drawn.append(_GAP.join(map(_pad, fields, sizes, table.right)).rstrip())
        if place == 0:
            drawn.append(_GAP.join("-" * size for size in sizes))
    return drawn


def _sizes(natural: list[int], width: int) -> list[int]:
    """Column widths that fit: the widest column gives way first."""
    sizes = list(natural)
    while sum(sizes) + len(_GAP) * (len(sizes) - 1) > width and max(sizes) > _LEAST_COLUMN:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def _pad(text: str, size: int, right: bool) -> str:
    space = " " * (size - columns(text))
    return space + text if right else text + space
