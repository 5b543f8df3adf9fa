"""What the words need to know of a game and of who reads them, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine.variant import Spec


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
    paused: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: game name, language ("fr", "en"), IANA time zone; `is_gm` for the game master."""

    name: str
    lang: str = "fr"
    zone: str = "Europe/Paris"
    is_gm: bool = False


@dataclass(frozen=True, slots=True)
class Rendered:
    """One message in all its forms, each complete: text at 72 columns, an HTML document, Markdown and BBCode to paste.

    subject is plain, on one line, and the same for every message of a game to one kind of reader.
    """

    subject: str
    markdown: str
    text: str
    html: str
    bbcode: str
