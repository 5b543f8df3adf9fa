"""Durations, hours and dates as people type them, in French and English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

WEEKDAYS = {
    "fr": ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
MONTHS = {
    "fr": (
        *("janvier", "février", "mars", "avril", "mai", "juin"),
        *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
    ),
    "en": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
}
_UNITS = {
    "s": timedelta(seconds=1),
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_UNIT_WORDS = {
    **dict.fromkeys(("s", "sec", "seconde", "secondes", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "mn", "min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "heure", "heures", "hour", "hours", "hr", "hrs"), "h"),
    **dict.fromkeys(("j", "jour", "jours", "d", "day", "days"), "d"),
    **dict.fromkeys(("semaine", "semaines", "sem", "w", "week", "weeks"), "w"),
}
_ONE = {"un": "1", "une": "1", "a": "1", "an": "1", "one": "1", "deux": "2", "two": "2", "trois": "3", "three": "3"}
_PART = re.compile(r"(\d{1,6})\s*([a-z]+)")
# A bare number is no hour: "21" may as well be a day, or a number of hours.
_HOUR = re.compile(
    r"(?<!\S)(?:(?P<h>\d{1,2})\s*(?:(?:heures?|h|:)\s*(?P<m>\d{2})?(?::00)?\s*(?P<half>[ap]\.?m\.?)?|(?P<half_alone>[ap]\.?m\.?))"
    r"|(?P<word>midi|minuit|noon|midnight))(?!\S)"
)
_NOISE = re.compile(
    r"\b(jusqu'?|jusque|until|till|to|au|aux|a|at|le|la|on|the|prochain|prochaine|next|vers|de|of|ce|this|of|soir)\b|,"
)
_SHORTEST_NAME = 3


class WhenError(ValueError):
    """A duration or an instant that cannot be used.

    code:    "unreadable" (not understood), "impossible" (no such date or hour, or a weekday that is another day's),
             "not-later" (not after what is there already) or "too-far" (more than four months ahead).
    typed:   what was written. would_be: the instant that it would have given (aware), where there is one.
    """

    def __init__(self, code: str, typed: str, message: str, would_be: datetime | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.typed = typed
        self.would_be = would_be


@dataclass(frozen=True, slots=True)
class Span:
    """A duration: whole days, which end at the same hour by the clock on the wall, and elapsed time besides."""

    days: int
    rest: timedelta


@dataclass(frozen=True, slots=True)
class When:
    """A point in time as it was typed; what is None was not said.

    day: a date, or (month, day) without its year; month 0 where it was not said either ("le 24").
    weekday: 0 is Monday. clock: the hour; `midnight` that it is the end of the day named. in_days: from today.
    """

    day: date | tuple[int, int] | None = None
    weekday: int | None = None
    in_days: int | None = None
    clock: time | None = None
    midnight: bool = False


def fold(text: Any) -> str:
    """Lower case without accents, one kind of apostrophe and space, no full stop at the end."""
    decomposed = unicodedata.normalize("NFKD", str(text).replace("’", "'").casefold())
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(plain.split()).rstrip(" .!")


def read_span(text: Any) -> Span | None:
    """Read "24h", "1h30", "2 j", "90 min", "une semaine", "1 day 6 hours"; None for anything else, or for nothing."""
    words = fold(text).replace("+", " ").replace("d'", " ").split()
    rest = " ".join(_ONE.get(word, word) for word in words if word not in ("de", "et", "and", "plus", "of", "by"))
    # "1h30": the minutes after the hours need no unit.
    rest = re.sub(r"(\d+\s*h)\s*(\d{1,2})$", r"\1 \2min", rest)
    total = timedelta()
    for number, word in _PART.findall(rest):
        unit = _UNIT_WORDS.get(word)
        if unit is None:
            return None
        total += int(number) * _UNITS[unit]
    if _PART.sub("", rest).strip() or not total:
        return None
    return Span(total.days, timedelta(seconds=total.seconds))


def read_hour(text: Any) -> time | None:
    """Read "21:00", "21h", "21 h 30", "9pm", "midi"; None for anything else. "24:00" is none: say 00:00."""
    match = _HOUR.fullmatch(fold(text))
    found = _clock(match) if match else None
    return None if found is None or found[1] else found[0]


def _clock(match: re.Match[str]) -> tuple[time, bool] | None:
    """The hour of a match, and whether it is midnight at the end of the day."""
    if word := match["word"]:
        return (time(12), False) if word in ("midi", "noon") else (time(0), True)
    hours, minutes = int(match["h"]), int(match["m"] or 0)
    if half := match["half"] or match["half_alone"]:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half.startswith("p") else 0)
    if (hours, minutes) == (24, 0):
        return time(0), True
    return (time(hours, minutes), False) if hours < 24 and minutes < 60 else None


def read_weekday(text: Any) -> int | None:
    """Read a day of the week, 0 for Monday, from its name or its first three letters or more."""
    return _named(fold(text), WEEKDAYS)


def _named(word: str, names: Mapping[str, tuple[str, ...]]) -> int | None:
    word = word.rstrip(".")
    for in_language in names.values():
        for number, name in enumerate(in_language):
            if len(word) >= _SHORTEST_NAME and fold(name).startswith(word):
                # "jui" may be June or July in French.
                others = [other for other in in_language if fold(other).startswith(word)]
                return number if len(others) == 1 else None
    return None


def read_when(text: str) -> When:
    """Read "mardi 21h", "until Tuesday 21:00", "jusqu'au 24 décembre à 18 h", "2026-12-24 18:00", "demain midi".

    Raises WhenError for what is not understood to its last word ("unreadable") and for impossible dates and hours.
    """
    rest = _DAY_ALONE.sub(r" \1 day\2 ", fold(text))
    rest = _NOISE.sub(" ", rest.replace("jusqu'", " ").replace("'", "' "))
    rest = (
        rest.replace("aujourd' hui", "today")
        .replace("apres-demain", "overmorrow")
        .replace("après demain", "overmorrow")
    )
    day, rest = _date(rest, text)
    clock: tuple[time, bool] | None = None
    if match := _HOUR.search(rest):
        clock = _clock(match)
        if clock is None:
            raise WhenError("impossible", text, f"there is no such hour: {text}")
        rest = rest[: match.start()] + " " + rest[match.end() :]
    weekday: int | None = None
    in_days: int | None = None
    for word in rest.split():
        if in_days is None and word in _NEAR:
            in_days = _NEAR[word]
        elif weekday is None and (number := _named(word, WEEKDAYS)) is not None:
            weekday = number
        else:
            raise WhenError("unreadable", text, f"not understood as a day or an hour: {text}")
    if day is None and weekday is None and in_days is None and clock is None:
        raise WhenError("unreadable", text, f"not understood as a day or an hour: {text or 'nothing'}")
    return When(day, weekday, in_days, clock[0] if clock else None, clock is not None and clock[1])


# "au 24", "le mardi 8", "the 24th", where no month and no hour follows the number.
_DAY_ALONE = re.compile(r"\b(?:au|le|the)\s+([a-z]*)\s*(\d{1,2})(?:er|st|nd|rd|th)?(?=$|,|\s+(?:a|at)\b)")
_NEAR = {"today": 0, "demain": 1, "tomorrow": 1, "overmorrow": 2}
_ISO = re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?:t|(?!\d))")
_SLASHED = re.compile(r"\b(?P<d>\d{1,2})[/.](?P<m>\d{1,2})(?:[/.](?P<y>\d{4}))?(?!\d)")
_DAY_FIRST = re.compile(r"\b(?P<d>\d{1,2})(?:er|st|nd|rd|th)?\s+(?P<name>[a-z]{3,9})\b\.?(?:\s+(?P<y>\d{4})\b(?!:))?")
_MONTH_FIRST = re.compile(
    r"\b(?P<name>[a-z]{3,9})\b\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?\b(?![:h])(?:\s+(?P<y>\d{4})\b(?!:))?"
)


def _date(rest: str, typed: str) -> tuple[date | tuple[int, int] | None, str]:
    """Take a date out of a text: (the date, or month and day where no year was given; what is left)."""
    if alone := re.search(r"\bday(\d+)", rest):
        if not 1 <= int(alone[1]) <= 31:
            raise WhenError("impossible", typed, f"there is no such day: {typed}")
        return (0, int(alone[1])), rest.replace(alone[0], " ")
    for pattern in (_ISO, _SLASHED, _DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(rest):
            parts = match.groupdict()
            month = _named(parts["name"], MONTHS) if "name" in parts else int(parts["m"]) - 1
            if month is None:
                continue
            left = rest[: match.start()] + " " + rest[match.end() :]
            try:
                # 2000 is a leap year: whether 29 February exists is for the year to say.
                day = date(int(parts["y"] or 2000), month + 1, int(parts["d"]))
            except ValueError:
                raise WhenError("impossible", typed, f"there is no such date: {typed}") from None
            return (day if parts["y"] else (day.month, day.day)), left
    return None, rest
