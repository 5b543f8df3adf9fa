"""What the words need to know of a game and of who reads them, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mailgm.engine.variant import Spec
from mailgm.render.bbcode import to_bbcode
from mailgm.render.document import Block
from mailgm.render.html import document, to_html
from mailgm.render.markdown import to_markdown
from mailgm.render.text import to_text


@dataclass(frozen=True, slots=True)
class OpenChannel:
    """A channel by which the reader may write to some others now: its id, its address, and who writes in it."""

    id: str
    address: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as its mails speak of it. Nothing secret is in it, so it is the same for every reader.

    name:    the game's own name, as it stands in every subject ("Manoir").
    spec:    the variant's words, labels and commands.
    players: game names in seat order.
    preset:  the preset's id where the game was chosen by one, else "".
    title:   language → title, where it is not the variant's own (`Preset.title`).
    options: the game's options with their defaults filled in: the short rules print some of them.
    phase:   full id of the running phase, printed for the game master only. "" before the start and after the end.
    table:   the address of the table, "" where there is none (a game on a forum).
    private: the reader's secret address, where an answer to this very mail goes elsewhere (to the table); else "".
    channels: the channels that are open to the reader now.
    paused, over: whether the clock is stopped, whether the game has ended.
    """

    name: str
    spec: Spec
    players: tuple[str, ...]
    preset: str = ""
    title: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    phase: str = ""
    table: str = ""
    private: str = ""
    channels: tuple[OpenChannel, ...] = ()
    paused: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: game name, language ("fr", "en"), IANA time zone; `is_gm` for the game master."""

    name: str
    lang: str = "fr"
    zone: str = "Europe/Paris"
    is_gm: bool = False


class Part:
    """A piece of a message: its blocks, and each form of them once somebody wants it."""

    def __init__(self, blocks: tuple[Block, ...], lang: str) -> None:
        self._blocks = blocks
        self._lang = lang

    @cached_property
    def text(self) -> str:
        """As text."""
        return to_text(self._blocks, self._lang)

    @cached_property
    def html(self) -> str:
        """As HTML elements."""
        return to_html(self._blocks)

    @property
    def markdown(self) -> str:
        """As Markdown."""
        return to_markdown(self._blocks)

    @property
    def bbcode(self) -> str:
        """As BBCode."""
        return to_bbcode(self._blocks)


@dataclass(frozen=True, slots=True)
class Rendered:
    """One message in all its forms, each complete and made when it is asked for.

    subject: plain, on one line, and the same for every message of a game to one kind of reader.
    """

    subject: str
    lang: str
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """Plain text at 72 columns."""
        return "\n\n".join(part.text for part in self.parts) + "\n"

    @property
    def html(self) -> str:
        """An HTML document."""
        return document("\n".join(part.html for part in self.parts), self.subject, self.lang)

    @property
    def markdown(self) -> str:
        """CommonMark with tables, to paste."""
        return "\n\n".join(part.markdown for part in self.parts) + "\n"

    @property
    def bbcode(self) -> str:
        """BBCode, to paste on a forum."""
        return "\n\n".join(part.bbcode for part in self.parts) + "\n"
