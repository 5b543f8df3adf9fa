"""Deadlines by the clock on the wall of the game's time zone: right over both changes of the hour, with days off and
quiet hours. Pure: the hour of the day comes in as an argument. Source: architecture §4.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from mailgm.engine.said import say
from mailgm.service.when import MONTHS, WEEKDAYS, Span, When, WhenError, read_hour, read_span, read_weekday, read_when

CLOCKS = ("day", "night", "short", "instant")
DEFAULTS: Mapping[str, Any] = {
    "day": "24h",
    "night": "24h",
    "short": "12h",
    "instant": "12h",
    "min_hours": 12,
    "days_off": (),
    "quiet": "",
    "not_before": "",
    "remind_before": ("6h",),
}
MOST_DAYS_AHEAD = 120
"""No phase is longer and no extension goes further: that is a slip of the pen, or what a pause is for."""

# A phase that opens at 21:03, because the work took three minutes, must not lose a day to `min_hours = 24`.
_SLACK = timedelta(minutes=30)
_MOST_DAYS_OFF = 366


class CalendarError(ValueError):
    """A setting of the calendar that cannot be used; `key` names it, the message says what would be right."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(say("calendar.{key}: {message}", key=key, message=message))
        self.key = key
        self.message = message


@dataclass(frozen=True, slots=True)
class Calendar:
    """The calendar of a game; made by `Calendar.read`.

    clocks:    "day", "night", "short", "instant" → a duration, or the hour of the day at which such a phase ends.
    min_hours: a phase that ends at a fixed hour lasts at least so many hours by the clock on the wall.
    weekdays_off (0 is Monday), dates_off: no deadline falls on them, nor in the `quiet` hours (from, to; to excluded).
    not_before: nothing closes early before the first such hour after the opening. remind_before: longest first.
    """

    zone: ZoneInfo
    clocks: Mapping[str, Span | time]
    min_hours: float = 12
    weekdays_off: frozenset[int] = frozenset()
    dates_off: frozenset[date] = frozenset()
    quiet: tuple[time, time] | None = None
    not_before: time | None = None
    remind_before: tuple[Span, ...] = field(default=())

    @classmethod
    def read(cls, settings: Mapping[str, Any], zone: str) -> Calendar:
        """Make a calendar of a game's settings (see DEFAULTS) and an IANA time zone.

        Raises CalendarError, which names the key at fault, for anything that cannot be used.
        """
        if unknown := [key for key in settings if key not in DEFAULTS]:
            raise CalendarError(
                unknown[0], say("there is no such setting; there are {names}", names=", ".join(DEFAULTS))
            )
        given = {**DEFAULTS, **settings}
        try:
            place = ZoneInfo(zone)
        except (KeyError, ValueError, OSError):
            raise CalendarError("zone", say("{zone!r} is not a time zone such as Europe/Paris", zone=zone)) from None
        weekdays, dates = _days_off(given["days_off"])
        calendar = cls(
            zone=place,
            clocks={clock: _clock(clock, given[clock]) for clock in CLOCKS},
            min_hours=_min_hours(given["min_hours"]),
            weekdays_off=weekdays,
            dates_off=dates,
            quiet=_quiet(given["quiet"]),
            not_before=_hour("not_before", given["not_before"]),
            remind_before=_reminders(given["remind_before"]),
        )
        for clock, end in calendar.clocks.items():
            if isinstance(end, time) and calendar._is_quiet(end):
                raise CalendarError(
                    clock, say("{end:%H:%M} lies in the quiet hours ({quiet})", end=end, quiet=given["quiet"])
                )
        return calendar

    def deadline(self, opened_at: datetime, clock: str) -> datetime:
        """When a phase of this clock ends that opens at `opened_at` (aware). Aware, UTC; always after the opening.

        Whole days end at the same hour by the clock on the wall, even if one of them has 23 or 25 hours; parts of days
        are elapsed time. What would fall on a day off goes to the same hour of the next day that is none; what would
        fall in the quiet hours to their end. An hour that the clock skips is as much later as it is put forward, of one
        that comes twice the second is meant: nobody is late who can still read that hour.
        """
        end = self.clocks[clock]
        if isinstance(end, Span):
            return self._fit(self._add(opened_at, end))
        opened = self._local(opened_at)
        least = opened + max(timedelta(hours=self.min_hours) - _SLACK, timedelta())
        for days in range(_MOST_DAYS_OFF):
            local = datetime.combine(least.date() + timedelta(days=days), end)
            if local >= least and not self._is_off(local.date()) and (found := self._utc(local)) > opened_at:
                return self._fit(found)
        raise AssertionError("a year of days off is refused when the calendar is read")

    def resume(self, now: datetime, remaining: float) -> datetime:
        """The deadline of a phase that has `remaining` seconds left when its clock starts again at `now`."""
        return self._fit(now.astimezone(UTC) + timedelta(seconds=max(0.0, remaining)))

    def extend(self, deadline: datetime, text: str, now: datetime) -> datetime:
        """The later deadline that a game master's words ask for: by how much, or until when.

        "24h", "2j", "1 semaine" count from the deadline (from `now` if it is past) and keep to the calendar; "jusqu'à
        mardi 21h", "until Tuesday 21:00", "until 2026-12-24 18:00" are taken at their word. A weekday, an hour or a
        date without its year is the next one after the deadline; without an hour, the deadline's own is kept.
        Raises WhenError.
        """
        base = max(deadline, now).astimezone(UTC)
        too_far = f"{text} is more than {MOST_DAYS_AHEAD} days ahead; pause the game instead"
        span = read_span(text)
        if span and span.days > MOST_DAYS_AHEAD:
            raise WhenError("too-far", text, too_far)
        try:
            if span:
                found = self._fit(self._add(base, span))
            else:
                found = self._next(read_when(text), text, base, now, self._local(deadline).time())
        except OverflowError:
            raise WhenError("impossible", text, f"there is no such date: {text}") from None
        if found <= base:
            raise WhenError("not-later", text, f"{text} is not later than the deadline that holds now", found)
        if found > base + timedelta(days=MOST_DAYS_AHEAD):
            raise WhenError("too-far", text, too_far, found)
        return found

    def reminders(
        self, opened_at: datetime, deadline: datetime, before: Sequence[Span] | None = None
    ) -> list[datetime]:
        """When to remind: `before` (or `remind_before`) ahead of the deadline, each between opening and deadline.

        One that would fall in the quiet hours goes out in the minute before they begin or, where the phase was not
        open yet, at their end. Aware, UTC, in order, without doubles.
        """
        found = set()
        for span in self.remind_before if before is None else before:
            at = deadline.astimezone(UTC) - span.rest
            at = self._utc(self._local(at) - timedelta(days=span.days)) if span.days else at
            for hour in self._outside_quiet(at):
                if opened_at < hour < deadline:
                    found.add(hour)
                    break
        return sorted(found)

    def early_close(self, opened_at: datetime, ready_at: datetime, deadline: datetime) -> datetime:
        """When a phase closes for which nothing is owed any more since `ready_at`; never later than its deadline.

        Not before the first `not_before` after the opening, so that the hour does not tell who was quick; nor in the
        quiet hours.
        """
        at = ready_at.astimezone(UTC)
        if self.not_before is not None:
            local = datetime.combine(self._local(opened_at).date(), self.not_before)
            while (first := self._utc(local)) <= opened_at:
                local += timedelta(days=1)
            at = max(at, first)
        return min(self._after_quiet(at), deadline.astimezone(UTC))

    # Between instants and the clock on the wall ---------------------------------------------------------------------

    def _local(self, instant: datetime) -> datetime:
        """What the clock on the wall shows, without a zone. Raises ValueError for a naive time."""
        if instant.tzinfo is None:
            raise ValueError(f"naive time: {instant!r}")
        return instant.astimezone(self.zone).replace(tzinfo=None)

    def _utc(self, local: datetime) -> datetime:
        """The instant at which the clock shows `local`; the later one where there are two, or none."""
        either = (local.replace(tzinfo=self.zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        return max(either)

    def _add(self, instant: datetime, span: Span) -> datetime:
        start = instant.astimezone(UTC)
        if span.days:
            start = self._utc(self._local(start) + timedelta(days=span.days))
        return start + span.rest

    def _is_off(self, day: date) -> bool:
        return day.weekday() in self.weekdays_off or day in self.dates_off

    def _is_quiet(self, hour: time) -> bool:
        if self.quiet is None:
            return False
        begin, end = self.quiet
        return begin <= hour < end if begin < end else hour >= begin or hour < end

    def _after_quiet(self, instant: datetime) -> datetime:
        """The instant itself, or the end of the quiet hours in which it lies."""
        while self.quiet is not None and self._is_quiet((local := self._local(instant)).time()):
            end = datetime.combine(local.date(), self.quiet[1])
            instant = self._utc(end if end > local else end + timedelta(days=1))
        return instant

    def _outside_quiet(self, instant: datetime) -> list[datetime]:
        local = self._local(instant)
        if self.quiet is None or not self._is_quiet(local.time()):
            return [instant]
        begin = datetime.combine(local.date(), self.quiet[0])
        if begin > local:
            begin -= timedelta(days=1)
        return [self._utc(begin - timedelta(minutes=1)), self._after_quiet(instant)]

    def _fit(self, instant: datetime) -> datetime:
        """The first instant from this one on that is neither quiet nor on a day off."""
        for _ in range(_MOST_DAYS_OFF):
            instant = self._after_quiet(instant)
            local = self._local(instant)
            if not self._is_off(local.date()):
                return instant
            instant = self._utc(local + timedelta(days=1))
        raise AssertionError("a year of days off is refused when the calendar is read")

    def _next(self, when: When, typed: str, base: datetime, now: datetime, usual: time) -> datetime:
        """The first instant after `base` that fits what was typed."""
        clock = when.clock if when.clock is not None else usual
        late = timedelta(days=when.midnight)
        if when.in_days is not None or isinstance(when.day, date):
            near = self._local(now).date() + timedelta(days=when.in_days or 0)
            day = when.day if isinstance(when.day, date) else near
            self._check_weekday(when, day, typed)
            return self._utc(datetime.combine(day, clock) + late)
        first = self._local(base).date() - timedelta(days=1)
        # Eight years hold every date, the 29th of February too.
        for day in (first + timedelta(days=days) for days in range(8 * 366)):
            fits = when.day is None or (when.day[0] in (0, day.month) and when.day[1] == day.day)
            if fits and (when.day is not None or when.weekday in (None, day.weekday())):
                found = self._utc(datetime.combine(day, clock) + late)
                if found > base:
                    self._check_weekday(when, day, typed)
                    return found
        raise WhenError("impossible", typed, f"there is no such date: {typed}")

    @staticmethod
    def _check_weekday(when: When, day: date, typed: str) -> None:
        if when.weekday is not None and day.weekday() != when.weekday:
            name = WEEKDAYS["en"][day.weekday()]
            raise WhenError("impossible", typed, f"{typed}: {day.isoformat()} is a {name}")


def in_words(instant: datetime, lang: str, zone: str) -> str:
    """Say an instant (aware) in words, in a reader's time zone: "mardi 1er décembre à 21 h 00 (heure de Paris)".

    lang: "fr" or "en". zone: IANA name. An hour that comes twice is told with its distance from UTC.
    """
    if instant.tzinfo is None:
        raise ValueError(f"naive time: {instant!r}")
    place = ZoneInfo(zone)
    local = instant.astimezone(place)
    weekday, month = WEEKDAYS[lang][local.weekday()], MONTHS[lang][local.month - 1]
    where = _place(zone, lang)
    if local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset():
        offset = f"{local:%z}"
        where += f", UTC{offset[:3]}:{offset[3:5]}"
    if lang == "fr":
        day = "1er" if local.day == 1 else str(local.day)
        return f"{weekday} {day} {month} à {local.hour} h {local:%M} ({where})"
    return f"{weekday} {local.day} {month} at {local:%H:%M} ({where})"


_CITIES_FR = {
    **{"London": "Londres", "Brussels": "Bruxelles", "Lisbon": "Lisbonne", "Vienna": "Vienne", "Athens": "Athènes"},
    **{
        "Warsaw": "Varsovie",
        "Copenhagen": "Copenhague",
        "Moscow": "Moscou",
        "Montreal": "Montréal",
        "Cairo": "Le Caire",
    },
    **{"Algiers": "Alger", "Reunion": "La Réunion", "Noumea": "Nouméa", "Cayenne": "Cayenne", "Beirut": "Beyrouth"},
    **{"Luxembourg": "Luxembourg", "Bucharest": "Bucarest", "Mexico City": "Mexico", "Singapore": "Singapour"},
    **{"Kathmandu": "Katmandou", "Sao Paulo": "São Paulo", "Dublin": "Dublin", "Mauritius": "Maurice"},
}


def _place(zone: str, lang: str) -> str:
    city = zone.rpartition("/")[2].replace("_", " ")
    if zone.startswith("Etc/") or "/" not in zone:
        return city
    if lang != "fr":
        return f"{city} time"
    city = _CITIES_FR.get(city, city)
    return f"heure d'{city}" if city[0] in "AEIOUYÉÈ" else f"heure de {city}"


# Reading the settings -----------------------------------------------------------------------------------------------


def _clock(key: str, value: Any) -> Span | time:
    # "24h" is a duration, "21h" could be either: the hour of the day is written with a colon.
    if isinstance(value, str) and ":" in value and (hour := read_hour(value)) is not None:
        return hour
    span = read_span(value) if isinstance(value, str) else None
    if span is None or span.days > MOST_DAYS_AHEAD:
        raise CalendarError(
            key,
            say('{value!r} is neither a duration such as "24h" nor an hour of the day such as "21:00"', value=value),
        )
    return span


def _min_hours(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 24 * 31:
        raise CalendarError("min_hours", say("{value!r} is not a number of hours from 0 to 744", value=value))
    return float(value)


def _hour(key: str, value: Any) -> time | None:
    if value in ("", None):
        return None
    hour = read_hour(value) if isinstance(value, str) else None
    if hour is None:
        raise CalendarError(key, say('{value!r} is not an hour of the day such as "08:00"', value=value))
    return hour


def _quiet(value: Any) -> tuple[time, time] | None:
    if value in ("", None):
        return None
    begin, dash, end = str(value).replace("–", "-").partition("-")
    hours = read_hour(begin), read_hour(end)
    if not dash or hours[0] is None or hours[1] is None or hours[0] == hours[1]:
        raise CalendarError("quiet", say('{value!r} is not a part of the day such as "23:00-08:00"', value=value))
    return hours[0], hours[1]


def _days_off(value: Any) -> tuple[frozenset[int], frozenset[date]]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise CalendarError("days_off", say('{value!r} is not a list such as ["sunday", "2026-12-25"]', value=value))
    weekdays, dates = set(), set()
    for day in value:
        if (number := read_weekday(day)) is not None:
            weekdays.add(number)
        elif isinstance(day, date) and not isinstance(day, datetime):
            dates.add(day)
        else:
            try:
                dates.add(date.fromisoformat(str(day)))
            except ValueError:
                raise CalendarError(
                    "days_off", say("{day!r} is neither a day of the week nor a date (2026-12-25)", day=day)
                ) from None
    if len(weekdays) == len(WEEKDAYS["en"]) or len(dates) > _MOST_DAYS_OFF // 2:
        raise CalendarError("days_off", say("no day is left for a deadline"))
    return frozenset(weekdays), frozenset(dates)


def _reminders(value: Any) -> tuple[Span, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise CalendarError(
            "remind_before", say('{value!r} is not a list of durations such as ["12h", "2h"]', value=value)
        )
    spans = []
    for text in value:
        span = read_span(text) if isinstance(text, str) else None
        if span is None or span.days > MOST_DAYS_AHEAD:
            raise CalendarError("remind_before", say('{text!r} is not a duration such as "12h"', text=text))
        spans.append(span)
    return tuple(sorted(spans, key=lambda span: (span.days, span.rest), reverse=True))
