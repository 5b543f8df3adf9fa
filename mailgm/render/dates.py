"""Dates and durations in words, by the table `words.toml` of a language; no locale of the machine is used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


def say(moment: datetime | str, zone: str, words: Mapping[str, Any]) -> str:
    """A moment in a reader's zone: « mardi 2 décembre à 21 h 00 (heure de Paris) ».

    moment: aware, or as `datetime.isoformat` writes it. zone: IANA name. words: the table [dates] of a language.
    Raises ValueError for a naive moment.
    """
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    if moment.tzinfo is None:
        raise ValueError(f"naive time: {moment!r}")
    local = moment.astimezone(ZoneInfo(zone))
    city = zone.rpartition("/")[2].replace("_", " ")
    return str(words["moment"]).format(
        day=words["days"][local.weekday()],
        date=words["first"] if local.day == 1 else local.day,
        month=words["months"][local.month - 1],
        year=local.year,
        hour=local.hour,
        minute=f"{local.minute:02d}",
        city=words["cities"].get(zone, city),
    )


def last(span: timedelta | float, words: Mapping[str, Any]) -> str:
    """A duration to the minute, in its two largest units: « 2 jours et 3 heures ». span: a timedelta, or seconds."""
    seconds = int(span.total_seconds() if isinstance(span, timedelta) else span)
    found = []
    for unit, size in _UNITS:
        number, seconds = divmod(seconds, size)
        if number:
            one, many = words["units"][unit]
            found.append(f"{number} {one if number == 1 else many}")
    return str(words["and"]).join(found[:2]) or str(words["instant"])
