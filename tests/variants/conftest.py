"""What the tests of the games share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mailgm.engine import start
from mailgm.loader import Library
from tests.variants.table import Play


@pytest.fixture(scope="session")
def library() -> Library:
    return Library()


@pytest.fixture
def dracula(library: Library) -> Callable[..., Play]:
    """Start a game of Dracula for six: Ana is Dracula unless told otherwise."""

    def begin(*, vampire: str = "Ana", decoys: bool = False, forced: Any = None, **options: Any) -> Play:
        options = {"rounds": 1, "first_day": False, "fill_seats": "empty", **options}
        names = ("Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny")
        variant = library.variant("dracula")
        return Play(start(variant, names, options, "1", deal={"dracula": vampire}, forced=forced, decoys=decoys))

    return begin


@pytest.fixture
def village(library: Library) -> Callable[..., Play]:
    """Start a werewolf game: cards in seat order (Ana, Bob, Chloé, …), the preset "custom" unless told otherwise."""

    def begin(
        *cards: str, decoys: bool = False, seed: str = "1", deal: Any = None, forced: Any = None, **options: Any
    ) -> Play:
        names = ("Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny", "Gaëlle", "Hugo")[: len(cards)]
        given = {"preset": "custom", **options}
        roles = {"roles": dict(zip(names, cards, strict=True)), **(deal or {})}
        variant = library.variant("loup-garou")
        return Play(start(variant, names, given, seed, deal=roles, forced=forced, decoys=decoys))

    return begin
