"""The settings of one game that are the shell's: its calendar, its table, its review. Checked when a game is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from json import dumps
from typing import Any

from mailgm.engine import Game
from mailgm.engine.said import say
from mailgm.service.calendar import DEFAULTS, Calendar, CalendarError
from mailgm.store.games import GameRecord


class SettingsError(ValueError):
    """A setting of a game that cannot be used; `key` names it, the message says what would be right."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(say("{key}: {message}", key=key, message=message))
        self.key = key


@dataclass(frozen=True, slots=True)
class GameSettings:
    """title: the name that stands in subjects. table: "each" (posts go out at once) or "digest" (gathered for
    `table_digest_minutes`). review: "off", or "dawn": the report of a night waits for the game master's "ok", at most
    `review_hours` (0: for ever). forum_dates: the hour that a forum gives to a forwarded message is believed.
    blind: the game master plays too, so his answers and logs hide roles and orders unless he asks for them."""

    calendar: Calendar
    title: str = ""
    table: str = "each"
    table_digest_minutes: int = 60
    review: str = "off"
    review_hours: float = 12.0
    forum_dates: bool = False
    blind: bool = False

    @classmethod
    def read(cls, given: Mapping[str, Any], zone: str) -> GameSettings:
        """Make settings of a game's table. Raises SettingsError naming the key and what would be right."""
        known = {"title", "table", "table_digest_minutes", "review", "review_hours", "forum_dates", "blind", *DEFAULTS}
        for key in given:
            if key not in known:
                raise SettingsError(
                    key, say("there is no such setting; there are {names}", names=", ".join(sorted(known)))
                )
        try:
            calendar = Calendar.read({key: value for key, value in given.items() if key in DEFAULTS}, zone)
        except CalendarError as error:
            raise SettingsError(error.key, error.message) from error
        own = {key: value for key, value in given.items() if key not in DEFAULTS}
        _one_of(own, "table", ("each", "digest"))
        _one_of(own, "review", ("off", "dawn"))
        _number(own, "table_digest_minutes", 1, 10_080, whole=True)
        _number(own, "review_hours", 0, 720)
        for key in ("forum_dates", "blind"):
            if not isinstance(own.get(key, False), bool):
                raise SettingsError(key, say("{value!r} is not true or false", value=own[key]))
        if not isinstance(own.get("title", ""), str):
            raise SettingsError("title", say("a text in quotes is wanted"))
        return cls(calendar, **own)

    @staticmethod
    def of(record: GameRecord) -> GameSettings:
        """The settings of a stored game."""
        return _cached(dumps(record.settings, sort_keys=True), record.zone)

    def reviews(self, before: Game | None, after: Game) -> bool:
        """Whether what an outcome tells must wait for the game master: a night is over."""
        if self.review == "off" or before is None or before.over or before.key == after.key:
            return False
        return before.rules.clock != "day" and (after.over or after.rules.clock == "day")

    def review_until(self, now: datetime) -> datetime | None:
        """When a held report goes out by itself; None: never."""
        return now + timedelta(hours=self.review_hours) if self.review_hours else None


@lru_cache(maxsize=256)
def _cached(settings: str, zone: str) -> GameSettings:
    from json import loads

    return GameSettings.read(loads(settings), zone)


def _one_of(given: Mapping[str, Any], key: str, values: tuple[str, ...]) -> None:
    if key in given and given[key] not in values:
        raise SettingsError(
            key, say("{value!r} is none of {names}", value=given[key], names=", ".join(map(repr, values)))
        )


def _number(given: Mapping[str, Any], key: str, least: float, most: float, *, whole: bool = False) -> None:
    value = given.get(key, least)
    fits = isinstance(value, int) or (isinstance(value, float) and not whole)
    if not fits or isinstance(value, bool) or not least <= value <= most:
        kind = say("a whole number") if whole else say("a number")
        raise SettingsError(
            key, say("{value!r} is not {kind} from {least} to {most}", value=value, kind=kind, least=least, most=most)
        )
