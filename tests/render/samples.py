"""Sample data for the words: every kind of notice, letter and answer (`kinds/*.toml`), and a table to play at."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mailgm.engine import GM, PUBLIC, Ask, Notice, SetupError, Spec, Variant
from mailgm.engine.bot import play
from mailgm.engine.game import Game, Outcome, start
from mailgm.loader import Library
from mailgm.render import GameView, Reader
from mailgm.shipped import shipped

LANGS = ("fr", "en")
KINDS = Path(__file__).parent / "kinds"
PLAYERS = (
    "Ana",
    "Bob",
    "Chloé",
    "David",
    "Élise",
    "Farid",
    "Gaëlle",
    "Hugo",
    "Inès",
    "Jean-Paul",
    "Karim",
    "Léa",
    "Max",
)
TABLE = "manoir+table.abcdefghij0123456789a@example.org"
DEADLINE = datetime(2026, 12, 2, 20, 0, tzinfo=UTC)
LIBRARY = Library()

LAMPS = Spec(
    {
        "id": "lamps",
        "title": {"fr": "Le Phare", "en": "The Lighthouse"},
        "players": {"min": 2, "max": 17},
        "commands": {},
        "labels": {"fr": {"day.talk": "jour {n}, la veillée"}, "en": {"day.talk": "day {n}, the talk"}},
    }
)


def nulls(value: Any) -> Any:
    """Sample data with "@none" turned into None, as TOML has no null."""
    if isinstance(value, dict):
        return {key: nulls(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return tuple(nulls(entry) for entry in value)
    return None if value == "@none" else value


def samples(name: str) -> dict[str, list[dict[str, Any]]]:
    """The tables of one file of sample data; empty where there is none."""
    file = KINDS / f"{name}.toml"
    return nulls(tomllib.loads(file.read_text("utf-8"))) if file.is_file() else {}


def notices(name: str) -> list[Notice]:
    """The sample notices of a variant, or of "common"."""
    return [
        Notice(one["kind"], {"gm": GM}.get(one.get("to", ""), one.get("to", PUBLIC)), one["data"])
        for one in samples(name).get("notice", ())
    ]


def worded() -> list[str]:
    """The variants that have words or have begun to have them; from then on all of them are demanded."""
    folders = [shipped("templates") / lang for lang in LANGS]
    return [
        name
        for name in LIBRARY.ids()
        if (KINDS / f"{name}.toml").is_file() or any((folder / name).is_dir() for folder in folders)
    ]


def view(spec: Spec, **more: Any) -> GameView:
    """A game as its mails speak of it."""
    given: Mapping[str, Any] = {"table": TABLE, "phase": "", **more}
    return GameView("Manoir", spec, PLAYERS, **given)


def reader(notice: Notice, lang: str) -> Reader:
    """Somebody whom the notice reaches."""
    return Reader(GM, lang, is_gm=True) if notice.to == GM else Reader("Ana", lang)


def random_game(variant: str, seed: str, players: int | None = None) -> Iterator[tuple[Game, Outcome]]:
    """A game of random players: (the game before an input, what came of the input), the start first."""
    rules = LIBRARY.variant(variant)
    names = PLAYERS[: _fitting(rules, min(len(PLAYERS), players or rules.spec.recommended))]
    first = start(rules, names, playable(variant), seed)
    yield first.game, first
    before = first.game
    for _, outcome in play(first.game, seed, silence=15):
        yield before, outcome
        before = outcome.game


def _fitting(rules: Variant[Any], players: int) -> int:
    """The number of players, or the next that the default options allow."""
    for count in range(players, len(PLAYERS) + 1):
        with suppress(SetupError):
            rules.cards(rules.options({}), count)
            return count
    return players


def playable(variant: str) -> dict[str, Any]:
    """Options with which a game can be played: none, or for a family the preset that holds most words."""
    presets = LIBRARY.variant(variant).spec.presets
    return {"preset": max(presets, key=lambda name: len(str(presets[name])))} if presets else {}


def any_ask(command: str, spec: Spec, values: Mapping[str, tuple[Any, ...]]) -> Ask:
    """An ask for a command with these legal values by argument name."""
    shape = spec.commands.get(command)
    legal = {one.name: values[one.name] for one in shape.args if one.name in values} if shape else {}
    return Ask("Ana", command, legal, channel=shape.channel if shape else "private")
