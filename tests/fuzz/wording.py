"""Whatever happens in a random game can be told: every notice, ask, order taken and refusal, in French and English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from mailgm.engine import GM, PASS, Game, Notice, Outcome, Verdict
from mailgm.engine.model import Ask
from mailgm.render import GameView, Reader, Renderer

LANGUAGES = ("fr", "en")
HOUR = datetime(2026, 12, 1, 20, tzinfo=UTC)
# What a value looks like that nobody has put in words.
_RAW = re.compile(r"\bNone\b|\bTrue\b(?! nature)|\bFalse\b|[\[({]'|'[\])}]|\bnight-\d|\bday-\d")
_seen: set[tuple[Any, ...]] = set()


@cache
def _renderer() -> Renderer:
    return Renderer()


def unworded(game: Game, outcome: Outcome) -> list[str]:
    """What came of an input that cannot be told, or is told raw. Things of one shape are looked at once a process."""
    found = []
    for what, reader, told in _told(game, outcome):
        for lang in LANGUAGES:
            try:
                text = told(_view(game), Reader(reader, lang, is_gm=reader == GM)).text
            except Exception as error:  # noqa: BLE001 - a template that breaks is a finding
                found.append(f"{what} cannot be told ({lang}): {type(error).__name__}: {error}")
                continue
            if raw := _RAW.search(text):
                found.append(f"{what} is told raw ({lang}): {text[max(0, raw.start() - 60) : raw.end() + 40]!r}")
    return found


def _told(game: Game, outcome: Outcome) -> Iterator[tuple[str, str, Any]]:
    """What is told, to whom, and how to write it."""
    renderer, players = _renderer(), frozenset(game.players)
    for notice in outcome.notices:
        if _new(game, "notice", notice.kind, notice.to == GM, _shape(notice.data, players)):
            yield f"notice {notice.kind} {dict(notice.data)}", _reader(notice, game), _notice(renderer, notice)
    for verdict in outcome.verdicts:
        shape = (verdict.status, verdict.code, verdict.command, _shape(verdict.details, players))
        if verdict.status in ("accepted", "refused") and _new(game, "verdict", verdict.player == GM, *shape):
            yield f"verdict {shape}", verdict.player, _reply(renderer, verdict)
    if outcome.opened and not game.over:
        for player in game.askable:
            asks = game.asks(player)
            shapes = [(ask.command, ask.need, ask.missing, len(next(iter(ask.legal.values()), ()))) for ask in asks]
            if asks and _new(game, "asks", player == GM, *shapes):
                yield f"asks {shapes}", player, _asks(renderer, asks)


def _notice(renderer: Renderer, notice: Notice) -> Any:
    return lambda view, reader: renderer.notices(view, reader, [notice])


def _reply(renderer: Renderer, verdict: Verdict) -> Any:
    return lambda view, reader: renderer.reply(view, reader, [verdict])


def _asks(renderer: Renderer, asks: Sequence[Ask]) -> Any:
    return lambda view, reader: renderer.notices(view, reader, [], asks, HOUR, reminder=True)


def _reader(notice: Notice, game: Game) -> str:
    return next((to for to in notice.audience if to == GM or to in game.players), game.players[0])


def _view(game: Game) -> GameView:
    return GameView("Manoir", game.variant.spec, game.players, options=game.options, table="table@example.org")


def _new(game: Game, *shape: Any) -> bool:
    """Whether nothing of this shape was looked at yet."""
    key = (game.variant.id, *map(str, shape))
    if key in _seen:
        return False
    _seen.add(key)
    return True


def _shape(data: Any, players: frozenset[str]) -> Any:
    """What decides how something is worded: all but who exactly it is about, and how large a large number is."""
    if isinstance(data, Mapping):
        return tuple((str(key) if key not in players else "*", _shape(value, players)) for key, value in data.items())
    if isinstance(data, (list, tuple)):
        return tuple(_shape(value, players) for value in data[:3])
    if isinstance(data, str):
        return data if data not in players and len(data) < 20 and data != PASS else "*"
    if isinstance(data, int) and not isinstance(data, bool):
        return min(data, 3)
    return data
