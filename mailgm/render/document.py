"""A Markdown source as a small tree of blocks, which text, HTML, BBCode and Markdown are written from.

Only what mails need: headings, paragraphs, lists, quotes, tables, rules; bold, code, line breaks. No links, no images,
no HTML. What the writers get is text, not syntax: they escape all of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mailgm.render.values import hollow, pieces

_PARSER = MarkdownIt("zero").enable(
    ["heading", "list", "blockquote", "hr", "emphasis", "backticks", "table", "newline", "escape"]
)
_FRENCH = re.compile(r" (?=[:;!?»])|(?<=«) ")


@dataclass(frozen=True, slots=True)
class Span:
    """Some words of one look. Line feeds in it are line breaks."""

    text: str
    strong: bool = False
    code: bool = False


Spans: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 3."""

    level: int
    spans: Spans


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Listing:
    """A bulleted list, or a numbered one; tight: no empty lines between the items."""

    items: tuple[tuple[Block, ...], ...]
    numbered: bool = False
    tight: bool = True


@dataclass(frozen=True, slots=True)
class Quote:
    """What somebody else said."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: cells of the head, rows of cells; `right` says which columns are numbers."""

    head: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    right: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


Block: TypeAlias = Heading | Paragraph | Listing | Quote | Table | Rule


def parse(source: str, lang: str) -> tuple[Block, ...]:
    """Take a Markdown source apart; protected values are put back as text.

    In French the spaces before « : ; ! ? » and inside « » become non-breaking, but not in values and code.
    """
    form, values = hollow(source)
    return _Reader(_tokens(form), values, lang).blocks("")


@lru_cache(maxsize=1024)
def _tokens(form: str) -> Sequence[Token]:
    """What Markdown makes of a text without its values; most differ from reader to reader in these alone."""
    return _PARSER.parse(form)


class _Reader:
    def __init__(self, tokens: Sequence[Token], values: Sequence[str], lang: str) -> None:
        self._tokens = tokens
        self._values = values
        self._place = 0
        self._lang = lang

    def blocks(self, end: str) -> tuple[Block, ...]:
        """The blocks up to the token `end`, which is taken too."""
        found: list[Block] = []
        while self._place < len(self._tokens):
            token = self._next()
            if token.type == end:
                break
            if token.type == "heading_open":
                found.append(Heading(int(token.tag[1]), self._inline()))
            elif token.type == "paragraph_open":
                found.append(Paragraph(self._inline()))
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                found.append(self._list(token.type.replace("open", "close")))
            elif token.type == "blockquote_open":
                found.append(Quote(self.blocks("blockquote_close")))
            elif token.type == "table_open":
                found.append(self._table())
            elif token.type == "hr":
                found.append(Rule())
        return tuple(found)

    def _next(self) -> Token:
        token = self._tokens[self._place]
        self._place += 1
        return token

    def _inline(self) -> Spans:
        spans = _spans(self._next(), self._values, self._lang)
        self._next()
        return spans

    def _list(self, end: str) -> Listing:
        items: list[tuple[Block, ...]] = []
        tight = True
        while self._next().type != end:
            first = self._tokens[self._place]
            tight = tight and (first.hidden or first.type != "paragraph_open")
            items.append(self.blocks("list_item_close"))
        return Listing(tuple(items), end.startswith("ordered"), tight)

    def _table(self) -> Table:
        rows: list[list[Spans]] = []
        right: list[bool] = []
        while (token := self._next()).type != "table_close":
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                if token.type == "th_open":
                    right.append("right" in str(token.attrGet("style") or ""))
                rows[-1].append(self._inline())
        head, *body = (tuple(row) for row in rows)
        return Table(head, tuple(body), tuple(right))


def _spans(inline: Token, values: Sequence[str], lang: str) -> Spans:
    found: list[Span] = []
    strong = 0
    for token in inline.children or ():
        if token.type in ("strong_open", "em_open"):
            strong += 1
        elif token.type in ("strong_close", "em_close"):
            strong -= 1
        elif token.type == "softbreak":
            found.append(Span(" ", strong > 0))
        elif token.type == "hardbreak":
            found.append(Span("\n", strong > 0))
        elif token.type == "code_inline":
            words = (values[int(text)] if is_value else text for is_value, text in pieces(token.content))
            found.append(Span("".join(words), strong > 0, code=True))
        else:
            words = (
                values[int(text)] if is_value else _typeset(text, lang) for is_value, text in pieces(token.content)
            )
            found.append(Span("".join(words), strong > 0))
    return tuple(span for span in found if span.text)


def _typeset(text: str, lang: str) -> str:
    return _FRENCH.sub("\u00a0", text) if lang == "fr" else text
