"""Deadlines are promises by the clock on the wall: hours, durations, days off, quiet hours, changes of the hour."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgm.service.calendar import CLOCKS, DEFAULTS, Calendar, CalendarError

PARIS = "Europe/Paris"
ZONES = (
    PARIS,
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "America/Sao_Paulo",
    "UTC",
)


def at(text: str, zone: str = PARIS, fold: int = 0) -> datetime:
    """An instant by the clock of a zone: "2026-03-28 21:00"; `fold` 1 is the second of two such hours."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def calendar(zone: str = PARIS, **settings: Any) -> Calendar:
    return Calendar.read(settings, zone)


def wall(instant: datetime, zone: str = PARIS) -> str:
    return instant.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


# Fixed hours and durations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opened", "ends"),
    [
        ("2026-12-01 08:00", "2026-12-01 21:00"),
        ("2026-12-01 09:00", "2026-12-01 21:00"),  # twelve hours to the minute
        ("2026-12-01 10:00", "2026-12-02 21:00"),  # fewer than min_hours
        ("2026-12-01 21:00", "2026-12-02 21:00"),
        ("2026-12-31 23:00", "2027-01-01 21:00"),
        ("2028-02-28 20:00", "2028-02-29 21:00"),
    ],
)
def test_a_fixed_hour_is_the_next_one_that_leaves_time_enough(opened: str, ends: str) -> None:
    assert calendar(day="21:00", min_hours=12).deadline(at(opened), "day") == at(ends)


def test_the_minutes_that_the_work_takes_cost_no_day() -> None:
    """A night of 24 hours that is resolved at 21:03 because the mailbox had to be read ends at 21:00 all the same."""
    daily = calendar(night="21:00", min_hours=24)
    assert daily.deadline(at("2026-12-01 21:03"), "night") == at("2026-12-02 21:00")
    assert daily.deadline(at("2026-12-01 23:00"), "night") == at("2026-12-03 21:00")


@pytest.mark.parametrize("changing", ["2026-03-28 21:00", "2026-10-24 21:00"])
def test_a_day_that_is_shorter_or_longer_by_the_clock_is_a_day(changing: str) -> None:
    tomorrow = at(changing) + timedelta(days=1, hours=-1 if "03" in changing[5:7] else 1)
    assert calendar(night="21:00", min_hours=24).deadline(at(changing), "night") == tomorrow
    assert calendar(night="24h").deadline(at(changing), "night") == tomorrow


def test_parts_of_a_day_are_elapsed_time() -> None:
    short = calendar(short="4h", instant="90 min")
    assert short.deadline(at("2026-03-29 00:30"), "short") == at("2026-03-29 00:30") + timedelta(hours=4)
    assert short.deadline(at("2026-10-25 00:30"), "instant") == at("2026-10-25 02:00")


def test_a_deadline_that_falls_into_the_hour_that_is_left_out_comes_after_it() -> None:
    """At 2:00 the clock goes to 3:00: 2:30 is 3:30."""
    assert calendar(day="2:30", min_hours=1).deadline(at("2026-03-28 23:00"), "day") == at("2026-03-29 03:30")
    assert calendar(day="24h").deadline(at("2026-03-28 02:30"), "day") == at("2026-03-29 03:30")
    # And the day after, it is 2:30 again.
    assert calendar(day="2:30", min_hours=1).deadline(at("2026-03-29 12:00"), "day") == at("2026-03-30 02:30")


def test_a_deadline_in_the_hour_that_comes_twice_is_the_second() -> None:
    """Who reads 2:30 on his clock, whichever, is in time."""
    second = at("2026-10-25 02:30", fold=1)
    assert second - at("2026-10-25 02:30") == timedelta(hours=1)
    assert calendar(day="2:30", min_hours=1).deadline(at("2026-10-24 20:00"), "day") == second
    assert calendar(day="24h").deadline(at("2026-10-24 02:30"), "day") == second


@pytest.mark.parametrize(
    ("zone", "opened", "ends"),
    [
        ("America/New_York", "2026-03-07 21:00", "2026-03-08 21:00"),
        ("America/New_York", "2026-10-31 21:00", "2026-11-01 21:00"),
        ("Asia/Kathmandu", "2026-03-28 21:00", "2026-03-29 21:00"),
        ("Australia/Lord_Howe", "2026-04-04 21:00", "2026-04-05 21:00"),
        ("Australia/Lord_Howe", "2026-10-03 21:00", "2026-10-04 21:00"),
    ],
)
def test_other_places_change_on_other_days_or_by_half_an_hour_or_never(zone: str, opened: str, ends: str) -> None:
    for settings in ({"day": "24h"}, {"day": "21:00", "min_hours": 24}):
        assert calendar(zone, **settings).deadline(at(opened, zone), "day") == at(ends, zone)


def test_a_place_that_leaves_a_whole_day_out_leaves_nobody_behind() -> None:
    """Samoa had no 30 December 2011."""
    zone = "Pacific/Apia"
    for settings in ({"day": "24h"}, {"day": "21:00"}):
        assert calendar(zone, **settings).deadline(at("2011-12-29 21:00", zone), "day") == at("2011-12-31 21:00", zone)


# Days off and quiet hours ---------------------------------------------------------------------------------------------


def test_no_deadline_falls_on_a_day_off() -> None:
    working = calendar(day="24h", night="21:00", days_off=["samedi", "Sunday", "2026-12-25"])
    assert wall(working.deadline(at("2026-12-04 20:00"), "day")) == "2026-12-07 20:00"
    assert wall(working.deadline(at("2026-12-04 20:00"), "night")) == "2026-12-07 21:00"
    # Christmas is a Friday: Thursday evening goes to Monday.
    assert wall(working.deadline(at("2026-12-24 20:00"), "day")) == "2026-12-28 20:00"


def test_days_off_keep_the_hour_over_a_change_of_the_clock() -> None:
    working = calendar(day="24h", days_off=["sat", "sun"])
    assert wall(working.deadline(at("2026-03-27 20:00"), "day")) == "2026-03-30 20:00"
    assert wall(working.deadline(at("2026-10-23 20:00"), "day")) == "2026-10-26 20:00"


def test_a_deadline_in_the_quiet_hours_moves_to_their_end() -> None:
    quiet = calendar(short="3h", quiet="23:00-08:00")
    assert wall(quiet.deadline(at("2026-12-01 19:59"), "short")) == "2026-12-01 22:59"
    assert wall(quiet.deadline(at("2026-12-01 20:00"), "short")) == "2026-12-02 08:00"
    assert wall(quiet.deadline(at("2026-12-01 23:30"), "short")) == "2026-12-02 08:00"
    assert wall(quiet.deadline(at("2026-12-02 05:00"), "short")) == "2026-12-02 08:00"
    noon = calendar(short="3h", quiet="12:00-14:00")
    assert wall(noon.deadline(at("2026-12-01 10:30"), "short")) == "2026-12-01 14:00"


def test_quiet_hours_that_end_on_a_day_off_end_later() -> None:
    both = calendar(short="3h", quiet="23:00-08:00", days_off=["saturday", "sunday"])
    assert wall(both.deadline(at("2026-12-04 21:00"), "short")) == "2026-12-07 08:00"


def test_quiet_hours_end_by_the_clock_on_the_days_of_the_change() -> None:
    night = calendar(short="3h", quiet="23:00-02:30")
    assert night.deadline(at("2026-03-28 21:00"), "short") == at("2026-03-29 03:30")
    assert night.deadline(at("2026-10-24 21:00"), "short") == at("2026-10-25 02:30", fold=1)


# The property ---------------------------------------------------------------------------------------------------------

INSTANTS = st.datetimes(datetime(2010, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
HOURS = st.times().map(lambda hour: f"{hour:%H:%M}")


@st.composite
def calendars(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A time zone and settings that go together."""
    zone = draw(st.sampled_from(ZONES))
    settings = {
        "day": draw(st.sampled_from(["24h", "2j", "36h", "90min", "1 semaine"])),
        "min_hours": draw(st.integers(0, 60)),
        "days_off": draw(st.lists(st.sampled_from(["lundi", "mardi", "saturday", "sunday"]), max_size=4)),
        "quiet": draw(st.sampled_from(["", "23:00-08:00", "00:00-02:30", "12:00-14:00", "20:15-20:45"])),
    }
    fixed = draw(HOURS)
    if Calendar.read({"quiet": settings["quiet"]}, zone)._is_quiet(time.fromisoformat(fixed)):
        fixed = "10:00"
    return zone, {**settings, "night": fixed}


@given(calendars(), INSTANTS, st.sampled_from(["day", "night"]))
def test_thirty_years_of_deadlines(made: tuple[str, dict[str, Any]], opened: datetime, clock: str) -> None:
    """Never before the opening, never on a day off or in the quiet hours, and the hour on the wall is kept."""
    zone, settings = made
    rules = Calendar.read(settings, zone)
    ends = rules.deadline(opened, clock)
    local, began = ends.astimezone(rules.zone), opened.astimezone(rules.zone)
    assert ends.utcoffset() == timedelta()
    assert ends > opened
    assert local.weekday() not in rules.weekdays_off
    assert not rules._is_quiet(local.time())
    if clock == "night":
        least = timedelta(hours=rules.min_hours) - timedelta(minutes=30)
        assert local.replace(tzinfo=None) - began.replace(tzinfo=None) >= least
        assert f"{local:%H:%M}" == settings["night"] or _near_a_change(rules, ends)
    elif settings["day"] in ("24h", "2j", "1 semaine") and not rules._is_quiet(began.time()):
        assert local.time() == began.time() or _near_a_change(rules, ends)


def _near_a_change(rules: Calendar, instant: datetime) -> bool:
    """Whether the clock is put forward or back within a few hours: the hour itself may not exist then."""
    offsets = {(instant + timedelta(hours=hours)).astimezone(rules.zone).utcoffset() for hours in range(-26, 3)}
    return len(offsets) > 1


@given(calendars(), INSTANTS)
def test_a_chain_of_deadlines_stays_on_its_hour(made: tuple[str, dict[str, Any]], opened: datetime) -> None:
    """Ten phases one after the other: each ends at the hour that was promised, and time goes forward."""
    zone, settings = made
    rules = Calendar.read(settings, zone)
    for _ in range(10):
        ends = rules.deadline(opened, "night")
        assert opened < ends <= opened + timedelta(days=20)
        opened = ends


# Reminders, early closing, pauses -------------------------------------------------------------------------------------


def test_reminders_go_before_the_deadline_and_never_before_the_opening() -> None:
    rules = calendar(remind_before=["2h", "1 jour", "12h"])
    ends = at("2026-12-02 21:00")
    wanted = ["2026-12-01 21:00", "2026-12-02 09:00", "2026-12-02 19:00"]
    assert [wall(hour) for hour in rules.reminders(at("2026-12-01 09:00"), ends)] == wanted
    assert [wall(hour) for hour in rules.reminders(at("2026-12-01 21:00"), ends)] == wanted[1:]
    assert rules.reminders(at("2026-12-02 20:00"), ends) == []
    assert calendar(remind_before=[]).reminders(at("2026-12-01 09:00"), ends) == []


def test_reminders_keep_out_of_the_quiet_hours() -> None:
    rules = calendar(quiet="23:00-08:00", remind_before=["4h", "3h"])
    ends = at("2026-12-02 09:00")
    # Both would come before dawn: one reminder, before everybody sleeps.
    assert [wall(hour) for hour in rules.reminders(at("2026-12-01 20:00"), ends)] == ["2026-12-01 22:59"]
    # The phase opened in the night: when the quiet hours end.
    assert [wall(hour) for hour in rules.reminders(at("2026-12-01 23:30"), ends)] == ["2026-12-02 08:00"]
    assert rules.reminders(at("2026-12-01 23:30"), at("2026-12-02 08:00")) == []


def test_a_day_before_is_the_same_hour_on_the_days_of_the_change() -> None:
    rules = calendar(remind_before=["1d"])
    for ends in ("2026-03-29 21:00", "2026-10-25 21:00"):
        [hour] = rules.reminders(at(ends) - timedelta(days=3), at(ends))
        assert wall(hour).endswith("21:00")


def test_nothing_closes_early_before_the_hour_that_was_set() -> None:
    rules = calendar(not_before="08:00")
    opened, ends = at("2026-12-01 21:00"), at("2026-12-02 21:00")
    assert wall(rules.early_close(opened, at("2026-12-01 21:40"), ends)) == "2026-12-02 08:00"
    assert wall(rules.early_close(opened, at("2026-12-02 10:15"), ends)) == "2026-12-02 10:15"
    # A day that opened after that hour waits for it as well, or for its deadline.
    opened = at("2026-12-02 09:00")
    assert wall(rules.early_close(opened, at("2026-12-02 09:30"), at("2026-12-03 09:00"))) == "2026-12-03 08:00"
    assert wall(rules.early_close(opened, at("2026-12-02 09:30"), at("2026-12-02 21:00"))) == "2026-12-02 21:00"


def test_nothing_closes_early_in_the_quiet_hours() -> None:
    rules = calendar(quiet="23:00-08:00")
    opened, ends = at("2026-12-01 21:00"), at("2026-12-02 21:00")
    assert wall(rules.early_close(opened, at("2026-12-01 22:00"), ends)) == "2026-12-01 22:00"
    assert wall(rules.early_close(opened, at("2026-12-02 01:00"), ends)) == "2026-12-02 08:00"


def test_a_pause_gives_the_time_back_that_was_left() -> None:
    rules = calendar(quiet="23:00-08:00", days_off=["sunday"])
    assert rules.resume(at("2026-12-01 12:00"), 3600.5) == at("2026-12-01 13:00") + timedelta(seconds=0.5)
    assert wall(rules.resume(at("2026-12-01 22:30"), 3600)) == "2026-12-02 08:00"
    assert wall(rules.resume(at("2026-12-05 12:00"), 86_400)) == "2026-12-07 12:00"


# Settings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"nigth": "24h"}, "calendar.nigth: there is no such setting"),
        ({"night": 24}, "calendar.night: 24 is neither a duration"),
        ({"night": "24"}, "calendar.night: '24' is neither"),
        ({"night": "21h et demie"}, "calendar.night"),
        ({"day": "25:00"}, "calendar.day: '25:00'"),
        ({"day": "0h"}, "calendar.day"),
        ({"day": "99999 semaines"}, "calendar.day"),
        ({"min_hours": -1}, "calendar.min_hours: -1 is not a number of hours"),
        ({"min_hours": True}, "calendar.min_hours"),
        ({"days_off": "sunday"}, "calendar.days_off: 'sunday' is not a list"),
        ({"days_off": ["sunday", "2026-02-30"]}, "calendar.days_off: '2026-02-30' is neither"),
        ({"days_off": ["lun", "mar", "mer", "jeu", "ven", "sam", "dim"]}, "calendar.days_off: no day is left"),
        ({"quiet": "23h"}, "calendar.quiet: '23h' is not a part of the day"),
        ({"quiet": "23:00-23:00"}, "calendar.quiet"),
        ({"quiet": "23:00-08:00", "night": "23:30"}, r"calendar.night: 23:30 lies in the quiet hours \(23:00-08:00\)"),
        ({"not_before": "eight"}, "calendar.not_before: 'eight' is not an hour"),
        ({"remind_before": "6h"}, "calendar.remind_before: '6h' is not a list"),
        ({"remind_before": ["6h", 2]}, "calendar.remind_before: 2 is not a duration"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(CalendarError, match=said) as caught:
        calendar(**settings)
    assert caught.value.key in settings


@pytest.mark.parametrize("zone", ["Paris", "", "../../etc/passwd", "Europe/Paris\0"])
def test_a_place_that_is_no_time_zone_is_named(zone: str) -> None:
    with pytest.raises(CalendarError, match=r"calendar\.zone: .* is not a time zone such as Europe/Paris"):
        calendar(zone)


def test_every_clock_has_a_default_and_dates_may_come_from_toml() -> None:
    rules = calendar(days_off=[date(2026, 12, 2)])
    assert set(rules.clocks) == set(CLOCKS) < set(DEFAULTS)
    assert wall(rules.deadline(at("2026-12-01 20:00"), "day")) == "2026-12-03 20:00"


def test_a_naive_time_is_a_fault_of_the_program() -> None:
    with pytest.raises(ValueError, match="naive time"):
        calendar(day="21:00").deadline(datetime(2026, 12, 1), "day")
