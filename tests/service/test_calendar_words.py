"""What a game master may write after "prolonger", and how a deadline is told."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgm.service.calendar import Calendar, in_words
from mailgm.service.when import WEEKDAYS, Span, WhenError, read_hour, read_span, read_weekday

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=PARIS)
DEADLINE = datetime(2026, 12, 1, 21, 0, tzinfo=PARIS)
RULES = Calendar.read({"day": "21:00"}, "Europe/Paris")


@pytest.mark.parametrize(
    ("text", "wall"),
    [
        # By how much.
        ("24h", "2026-12-02 21:00"),
        ("de 24 h", "2026-12-02 21:00"),
        ("by 2 days", "2026-12-03 21:00"),
        ("2j", "2026-12-03 21:00"),
        ("2 jours et 3 heures", "2026-12-04 00:00"),
        ("1 semaine", "2026-12-08 21:00"),
        ("une semaine.", "2026-12-08 21:00"),
        ("d’un jour", "2026-12-02 21:00"),
        ("a day", "2026-12-02 21:00"),
        ("1h30", "2026-12-01 22:30"),
        ("+90 min", "2026-12-01 22:30"),
        # Until when, in French.
        ("jusqu'à mardi 21h", "2026-12-08 21:00"),
        ("jusqu’à mercredi 21 h 30", "2026-12-02 21:30"),
        ("jusqu'au jeudi 3 décembre à 18h", "2026-12-03 18:00"),
        ("jusqu'au 1er janvier", "2027-01-01 21:00"),
        ("jusqu'au 24/12 à 18h", "2026-12-24 18:00"),
        ("jusqu'au 24/12/2026", "2026-12-24 21:00"),
        ("jusqu'au 24 à 18h", "2026-12-24 18:00"),
        ("jusqu'à demain midi", "2026-12-02 12:00"),
        ("jusqu'à après-demain", "2026-12-03 21:00"),
        ("jusqu'à ce soir 22h", "2026-12-01 22:00"),
        ("jusqu'à 23h", "2026-12-01 23:00"),
        ("jusqu'à 20h", "2026-12-02 20:00"),
        ("JUSQU'À VENDREDI PROCHAIN 8H", "2026-12-04 08:00"),
        ("jusqu'à vendredi minuit", "2026-12-05 00:00"),
        ("jusqu'à ven. 21h", "2026-12-04 21:00"),
        ("dimanche", "2026-12-06 21:00"),
        # And in English.
        ("until Tuesday 21:00", "2026-12-08 21:00"),
        ("until Wednesday at 9pm", "2026-12-02 21:00"),
        ("until 9 pm tomorrow", "2026-12-02 21:00"),
        ("till noon on Friday", "2026-12-04 12:00"),
        ("until 2026-12-24 18:00", "2026-12-24 18:00"),
        ("until 2026-12-24T18:00", "2026-12-24 18:00"),
        ("until December 24, 6:30 p.m.", "2026-12-24 18:30"),
        ("until the 24th of December at 18:00", "2026-12-24 18:00"),
        ("until 24 Dec 2026", "2026-12-24 21:00"),
        ("to next Monday", "2026-12-07 21:00"),
    ],
)
def test_a_deadline_is_extended_as_the_words_in_words(text: str, wall: str) -> None:
    assert RULES.extend(DEADLINE, text, NOW).astimezone(PARIS).strftime("%Y-%m-%d %H:%M") == wall


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable"),
        ("un peu", "unreadable"),
        ("24", "unreadable"),  # hours? the 24th?
        ("jusqu'à 21", "unreadable"),
        ("24 lunes", "unreadable"),
        ("mardi ou mercredi", "unreadable"),
        ("jusqu'à mardi 21h si tout va bien", "unreadable"),
        ("until June", "unreadable"),
        ("-24h", "unreadable"),
        ("jusqu'au 30 février", "impossible"),
        ("until 2027-02-29", "impossible"),
        ("jusqu'à 25h", "impossible"),
        ("until 13pm", "impossible"),
        ("jusqu'au lundi 2 décembre", "impossible"),
        ("until 2026-12-01 20:00", "not-later"),
        ("until 2024-12-24", "not-later"),
        ("jusqu'à aujourd'hui 18h", "not-later"),
        ("121 jours", "too-far"),
        ("999999 semaines", "too-far"),
        ("until 2027-12-24", "too-far"),
        ("until 9999-12-31", "too-far"),
        ("until 0001-01-01 00:00", "impossible"),
        ("jusqu'au 30 novembre", "too-far"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(WhenError) as caught:
        RULES.extend(DEADLINE, text, NOW)
    assert (caught.value.code, caught.value.typed) == (code, text)


def test_a_deadline_that_is_past_is_extended_from_now() -> None:
    late = DEADLINE + timedelta(hours=5)
    assert RULES.extend(DEADLINE, "24h", late) == late + timedelta(days=1)
    assert RULES.extend(DEADLINE, "jusqu'à mercredi 21h", late) == DEADLINE + timedelta(days=1)


def test_a_day_more_is_the_same_hour_over_a_change_of_the_clock() -> None:
    for before in (datetime(2026, 3, 28, 21, tzinfo=PARIS), datetime(2026, 10, 24, 21, tzinfo=PARIS)):
        longer = RULES.extend(before, "24h", before)
        assert longer.astimezone(PARIS).hour == 21
        assert longer - before.astimezone(UTC) != timedelta(days=1)


def test_extending_again_and_again_stays_on_the_hour() -> None:
    deadline = DEADLINE
    for _ in range(150):
        deadline = RULES.extend(deadline, "24h", NOW)
    assert deadline == datetime(2027, 4, 30, 21, tzinfo=PARIS)


def test_by_how_much_keeps_to_the_calendar_and_until_when_is_taken_at_its_word() -> None:
    rules = Calendar.read({"days_off": ["wednesday"], "quiet": "23:00-08:00"}, "Europe/Paris")
    assert rules.extend(DEADLINE, "24h", NOW) == datetime(2026, 12, 3, 21, tzinfo=PARIS)
    assert rules.extend(DEADLINE, "3h", NOW) == datetime(2026, 12, 3, 8, tzinfo=PARIS)
    assert rules.extend(DEADLINE, "jusqu'à mercredi 23h30", NOW) == datetime(2026, 12, 2, 23, 30, tzinfo=PARIS)


def test_the_29th_of_february_is_found_or_too_far() -> None:
    eve = datetime(2028, 2, 1, 21, tzinfo=PARIS)
    assert RULES.extend(eve, "jusqu'au 29 février", eve) == datetime(2028, 2, 29, 21, tzinfo=PARIS)
    with pytest.raises(WhenError) as caught:
        RULES.extend(DEADLINE, "jusqu'au 29 février", NOW)
    assert caught.value.code == "too-far"
    assert caught.value.would_be == datetime(2028, 2, 29, 21, tzinfo=PARIS)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reading(text: str) -> None:
    assert _later_or_refused(text)


@given(
    st.lists(
        st.sampled_from(
            ["jusqu'à", "mardi", "21h", "24", "décembre", "2026-12-24", "le", "9999-12-31", "31", "pm", "2j"]
        ),
        max_size=7,
    )
)
def test_no_heap_of_words_breaks_the_reading(words: list[str]) -> None:
    assert _later_or_refused(" ".join(words))


def _later_or_refused(text: str) -> bool:
    try:
        return RULES.extend(DEADLINE, text, NOW) > DEADLINE
    except WhenError as error:
        return error.code in ("unreadable", "impossible", "not-later", "too-far")


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("24h", Span(1, timedelta())),
        ("36 h", Span(1, timedelta(hours=12))),
        ("1 day 6 hours", Span(1, timedelta(hours=6))),
        ("90 s", Span(0, timedelta(seconds=90))),
        ("2 semaines", Span(14, timedelta())),
        ("0h", None),
        ("h", None),
        ("24h ou 48h", None),
        ("1,5 h", None),
        (24, None),
        (None, None),
    ],
)
def test_durations(text: object, span: Span | None) -> None:
    assert read_span(text) == span


def test_hours_and_weekdays() -> None:
    assert read_hour("21h") == read_hour("21:00") == read_hour("9pm") == read_hour("21 heures") == time(21)
    assert read_hour("midi") == time(12)
    assert read_hour("12am") == time(0)
    assert [read_hour(text) for text in ("21", "24:00", "9:60", "0pm", "soon", 21)] == [None] * 6
    assert [read_weekday(name) for name in WEEKDAYS["fr"]] == list(range(7))
    assert [read_weekday(name[:3]) for name in WEEKDAYS["en"]] == list(range(7))
    assert [read_weekday(text) for text in ("", "ma", "mardy", "jourdi", "s")] == [None] * 5


# In words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "zone", "words"),
    [
        ("fr", "Europe/Paris", "mardi 1er décembre à 21 h 00 (heure de Paris)"),
        ("en", "Europe/Paris", "Tuesday 1 December at 21:00 (Paris time)"),
        ("fr", "Europe/London", "mardi 1er décembre à 20 h 00 (heure de Londres)"),
        ("fr", "Africa/Algiers", "mardi 1er décembre à 21 h 00 (heure d'Alger)"),
        ("fr", "Pacific/Noumea", "mercredi 2 décembre à 7 h 00 (heure de Nouméa)"),
        ("en", "America/Argentina/Buenos_Aires", "Tuesday 1 December at 17:00 (Buenos Aires time)"),
        ("en", "Asia/Kathmandu", "Wednesday 2 December at 01:45 (Kathmandu time)"),
        ("fr", "UTC", "mardi 1er décembre à 20 h 00 (UTC)"),
    ],
)
def test_a_deadline_is_told_in_the_readers_language_and_zone(lang: str, zone: str, words: str) -> None:
    assert in_words(DEADLINE, lang, zone) == words


def test_an_hour_that_comes_twice_is_told_apart() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert in_words(first, "fr", "Europe/Paris") == "dimanche 25 octobre à 2 h 30 (heure de Paris, UTC+02:00)"
    second = first + timedelta(hours=1)
    assert in_words(second, "en", "Europe/Paris") == "Sunday 25 October at 02:30 (Paris time, UTC+01:00)"


def test_a_naive_time_is_not_told() -> None:
    with pytest.raises(ValueError, match="naive time"):
        in_words(datetime(2026, 12, 1), "fr", "Europe/Paris")
