"""Blocks as BBCode, ready to paste on a forum (phpBB and its kin)."""

from __future__ import annotations

from collections.abc import Sequence

from mailgm.render.document import Block, Heading, Listing, Paragraph, Quote, Rule, Spans, Table

_ZERO_WIDTH_SPACE = "\u200b"
_TITLE_SIZES = {1: 150, 2: 125, 3: 110}


def to_bbcode(blocks: Sequence[Block]) -> str:
    """Write blocks as BBCode. Tables become lists, for few forums have a tag for them."""
    return "\n\n".join(map(_block, blocks))


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _inline(block.spans)
    if isinstance(block, Heading):
        size = _TITLE_SIZES[block.level]
        return f"[size={size}][b]{_inline(block.spans)}[/b][/size]"
    if isinstance(block, Listing):
        items = "\n".join("[*]" + "\n".join(map(_block, item)) for item in block.items)
        return f"[list{'=1' if block.numbered else ''}]\n{items}\n[/list]"
    if isinstance(block, Quote):
        return f"[quote]{to_bbcode(block.blocks)}[/quote]"
    if isinstance(block, Table):
        return _table(block)
    assert isinstance(block, Rule)
    return "———"


def _table(table: Table) -> str:
    rows = []
    for first, *others in table.rows:
        told = [
            f"{_inline(head)}\u00a0: {_inline(cell)}" if place else _inline(cell)
            for place, (head, cell) in enumerate(zip(table.head[1:], others, strict=True))
        ]
        rows.append(f"[*][b]{_inline(first)}[/b]\u00a0: " + " — ".join(told))
    return "[list]\n" + "\n".join(rows) + "\n[/list]"


def _inline(spans: Spans) -> str:
    written = []
    for span in spans:
        text = escape(span.text)
        written.append(f"[b]{text}[/b]" if span.strong or span.code else text)
    return "".join(written)


def escape(text: str) -> str:
    """A text in which no forum sees a tag: an invisible space after each bracket, as there is no common escape."""
    return text.replace("[", "[" + _ZERO_WIDTH_SPACE)
