"""Blocks as HTML that every mail program shows alike: styles inlined, no image, no script, no link.

No text or background colour is set: the reader's own, light or dark, are used; lines are a grey that shows on both.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mailgm.render.document import Block, Heading, Listing, Paragraph, Quote, Rule, Spans, Table

_GREY = "#8a8a8a"
_P = "margin:0 0 0.9em 0"
_H = {
    1: "font-size:1.35em;margin:1.2em 0 0.5em 0;line-height:1.25",
    2: f"font-size:1.15em;margin:1.4em 0 0.5em 0;padding-bottom:0.2em;border-bottom:1px solid {_GREY};line-height:1.25",
    3: "font-size:1em;margin:1.1em 0 0.4em 0;line-height:1.25",
}
_LIST = "margin:0 0 0.9em 0;padding-left:1.4em"
_QUOTE = f"margin:0 0 0.9em 0;padding:0.1em 0 0.1em 0.9em;border-left:3px solid {_GREY}"
_TABLE = "border-collapse:collapse;margin:0 0 0.9em 0;max-width:100%"
_CELL = f"padding:0.35em 0.7em 0.35em 0;vertical-align:top;border-bottom:1px solid {_GREY}"
_CODE = f"font-family:inherit;font-weight:bold;border-bottom:1px dotted {_GREY}"
_RULE = f"border:0;border-top:1px solid {_GREY};margin:1.4em 0 0.9em 0"
_BODY = (
    "margin:0;padding:1em;font-family:Georgia,'Times New Roman',serif;font-size:16px;line-height:1.5;"
    "-webkit-text-size-adjust:100%;overflow-wrap:break-word;word-wrap:break-word"
)


def document(body: str, title: str, lang: str) -> str:
    """A whole HTML document around a body that is HTML already; `title` is plain."""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(lang)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="supported-color-schemes" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>:root{{color-scheme:light dark}}</style>\n</head>\n"
        f'<body style="{_BODY}">\n<div style="max-width:38em;margin:0 auto">\n{body}\n</div>\n</body>\n</html>\n'
    )


def to_html(blocks: Sequence[Block]) -> str:
    """Write blocks as HTML elements, each on a line of its own."""
    return "\n".join(map(_block, blocks))


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f'<p style="{_P}">{_inline(block.spans)}</p>'
    if isinstance(block, Heading):
        return f'<h{block.level} style="{_H[block.level]}">{_inline(block.spans)}</h{block.level}>'
    if isinstance(block, Listing):
        tag = "ol" if block.numbered else "ul"
        items = "\n".join(f"<li>{_item(item, block.tight)}</li>" for item in block.items)
        return f'<{tag} style="{_LIST}">\n{items}\n</{tag}>'
    if isinstance(block, Quote):
        return f'<blockquote style="{_QUOTE}">\n{to_html(block.blocks)}\n</blockquote>'
    if isinstance(block, Table):
        return _table(block)
    assert isinstance(block, Rule)
    return f'<hr style="{_RULE}">'


def _item(blocks: Sequence[Block], tight: bool) -> str:
    return "\n".join(
        _inline(block.spans) if tight and isinstance(block, Paragraph) else _block(block) for block in blocks
    )


def _table(table: Table) -> str:
    aligns = ["text-align:right" if right else "text-align:left" for right in table.right]
    rows = [(tag, row) for tag, group in (("th", (table.head,)), ("td", table.rows)) for row in group]
    lines = [
        "<tr>"
        + "".join(
            f'<{tag} style="{_CELL};{align}">{_inline(cell)}</{tag}>' for cell, align in zip(row, aligns, strict=True)
        )
        + "</tr>"
        for tag, row in rows
    ]
    return f'<table style="{_TABLE}">\n' + "\n".join(lines) + "\n</table>"


def _inline(spans: Spans) -> str:
    written = []
    for span in spans:
        text = escape(span.text).replace("\u00a0", "&nbsp;").replace("\n", "<br>\n")
        if span.code:
            # A line must not break inside what is to be copied.
            text = f'<code style="{_CODE}{";white-space:nowrap" if len(span.text) <= 40 else ""}">{text}</code>'
        written.append(f"<strong>{text}</strong>" if span.strong else text)
    return "".join(written)
