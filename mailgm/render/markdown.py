"""Blocks as Markdown, for forums that take it, with everything in them escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailgm.render.document import Block, Heading, Listing, Paragraph, Quote, Rule, Spans, Table

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$])")
_LINE_START = re.compile(r"^( *)(?:([#+=-])|(\d+)([.)]))", re.MULTILINE)


def to_markdown(blocks: Sequence[Block]) -> str:
    """Write blocks as CommonMark with tables."""
    return "\n\n".join("\n".join(_block(block)) for block in blocks)


def escape(text: str) -> str:
    """A text in which Markdown sees no mark."""
    text = _SPECIAL.sub(r"\\\1", text)
    return _LINE_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[2] else f"{m[1]}{m[3]}\\{m[4]}", text)


def _block(block: Block) -> list[str]:
    if isinstance(block, Paragraph):
        return _inline(block.spans).split("\n")
    if isinstance(block, Heading):
        return ["#" * block.level + " " + _inline(block.spans).replace("\\\n", " ")]
    if isinstance(block, Listing):
        return _listing(block)
    if isinstance(block, Quote):
        return [f"> {line}".rstrip() for line in to_markdown(block.blocks).split("\n")]
    if isinstance(block, Table):
        rows = [table_row(row) for row in (block.head, *block.rows)]
        rule = "|" + "|".join(" ---: " if right else " --- " for right in block.right) + "|"
        return [rows[0], rule, *rows[1:]]
    assert isinstance(block, Rule)
    return ["---"]


def table_row(cells: Sequence[Spans]) -> str:
    """One row of a table, on one line whatever stands in it."""
    return "| " + " | ".join(_inline(cell).replace("\\\n", " ") for cell in cells) + " |"


def _listing(block: Listing) -> list[str]:
    lines: list[str] = []
    for number, item in enumerate(block.items, 1):
        mark = f"{number}. " if block.numbered else "- "
        inner = ("\n" if block.tight else "\n\n").join("\n".join(_block(part)) for part in item).split("\n")
        if lines and not block.tight:
            lines.append("")
        lines += [(mark if place == 0 else " " * len(mark)) + line for place, line in enumerate(inner)]
    return lines


def _inline(spans: Spans) -> str:
    written = []
    for span in spans:
        text = _code(span.text) if span.code else escape(span.text).replace("\n", "\\\n")
        written.append(f"**{text}**" if span.strong and text.strip() else text)
    return "".join(written)


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{text}{pad}{fence}"
