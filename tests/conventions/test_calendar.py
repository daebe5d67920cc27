"""Calendars against the holidays package, QuantLib and published closings; rolls; business days."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta
from typing import Any

import holidays
import numpy as np
import pytest
import QuantLib as ql
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.calendar import CALENDARS, ROLLS, add_business_days, custom, is_business_day, roll
from xlmodel.errors import MissingValue, OutOfRange, UnknownName, WrongKind


def weekdays(first: date, last: date) -> list[date]:
    span = (last - first).days + 1
    return [day for day in (first + timedelta(days=step) for step in range(span)) if day.weekday() < 5]


def closed(name: str, first: date, last: date) -> set[date]:
    days = weekdays(first, last)
    return {day for day, open_ in zip(days, is_business_day(days, name).tolist(), strict=True) if not open_}


def test_fed_is_the_packages_xfed() -> None:
    # the package's calendar begins in 1999
    theirs = holidays.financial_holidays("XFED", years=range(1999, 2061))
    on_weekdays = {day for day in theirs if day.weekday() < 5}
    assert closed("FED", date(1999, 1, 1), date(2060, 12, 31)) == on_weekdays


def test_fed_before_1999_is_quantlibs_federal_reserve() -> None:
    calendar = ql.UnitedStates(ql.UnitedStates.FederalReserve)
    days = weekdays(date(1990, 1, 1), date(1998, 12, 31))
    theirs = {day for day in days if calendar.isHoliday(ql.Date(day.day, day.month, day.year))}
    assert closed("FED", date(1990, 1, 1), date(1998, 12, 31)) == theirs
    assert len(theirs) > 80


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("US", holidays.country_holidays("US", years=range(1990, 2061))),
        ("NYSE", holidays.financial_holidays("XNYS", years=range(1990, 2061))),
        ("TARGET", holidays.financial_holidays("XECB", years=range(1999, 2061))),
    ],
)
def test_the_other_calendars_are_the_packages(name: str, theirs: Any) -> None:
    first = date(CALENDARS[name].first_year, 1, 1)
    assert closed(name, first, date(2060, 12, 31)) == {day for day in theirs if day.weekday() < 5}


def test_target_is_quantlibs() -> None:
    calendar = ql.TARGET()
    days = weekdays(date(2002, 1, 1), date(2060, 12, 31))
    theirs = {day for day in days if calendar.isHoliday(ql.Date(day.day, day.month, day.year))}
    assert closed("TARGET", date(2002, 1, 1), date(2060, 12, 31)) == theirs


@pytest.mark.parametrize(
    ("name", "day", "open_"),
    [
        ("FED", "2000-01-17", False),  # Martin Luther King, so CarMax 1999-1 pays on the 18th
        ("FED", "2021-06-18", True),  # a holiday on a Saturday is not kept on Friday
        ("US", "2021-06-18", False),  # the government keeps it
        ("FED", "2022-06-20", False),
        ("FED", "2023-01-02", False),  # New Year on a Sunday
        ("NYSE", "2001-09-11", False),
        ("FED", "2001-09-11", True),
        ("NYSE", "2024-03-29", False),  # Good Friday
        ("FED", "2024-03-29", True),
        ("NYSE", "2025-01-09", False),  # day of mourning
        ("TARGET", "2024-05-01", False),
        ("weekends", "2024-12-25", True),
        ("weekends", "2024-12-28", False),
        ("none", "2024-12-28", True),
    ],
)
def test_published_closings(name: str, day: str, open_: bool) -> None:
    assert is_business_day(date.fromisoformat(day), name) is open_
    assert is_business_day(np.array([day], dtype="M8[D]"), name.lower()).tolist() == [open_]


# --- rolls ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("convention", "day", "moved"),
    [
        ("following", "2000-01-15", "2000-01-18"),  # Saturday, and Monday is a holiday
        ("preceding", "2000-01-15", "2000-01-14"),
        ("modified following", "2000-01-15", "2000-01-18"),
        ("following", "2004-01-31", "2004-02-02"),
        ("modified following", "2004-01-31", "2004-01-30"),
        ("Modified", "2004-01-31", "2004-01-30"),
        ("preceding", "2004-02-01", "2004-01-30"),
        ("modified preceding", "2004-02-01", "2004-02-02"),
        ("none", "2004-02-01", "2004-02-01"),
        ("following", "2004-08-15", "2004-08-16"),  # final scheduled date of class A-4 of CarMax 1999-1
    ],
)
def test_rolls(convention: str, day: str, moved: str) -> None:
    assert roll(date.fromisoformat(day), convention) == date.fromisoformat(moved)
    column = roll(np.array([[day]], dtype="M8[D]"), convention)
    assert column.tolist() == [[date.fromisoformat(moved)]]


@given(
    st.dates(date(1999, 1, 10), date(2060, 12, 1)),
    st.sampled_from(sorted(set(ROLLS) - {"none"})),
    st.sampled_from(sorted(CALENDARS)),
)
def test_a_roll_lands_on_a_business_day(day: date, convention: str, name: str) -> None:
    moved = roll(day, convention, name)
    assert is_business_day(moved, name)
    assert abs((moved - day).days) <= 7
    if is_business_day(day, name):
        assert moved == day
    if convention.startswith("modified"):
        assert moved.month == day.month
    if convention == "following":
        assert not any(is_business_day(between, name) for between in days_between(day, moved))


def days_between(first: date, last: date) -> list[date]:
    return [first + timedelta(days=step) for step in range((last - first).days)]


def test_rolls_are_quantlibs() -> None:
    calendar = ql.TARGET()
    theirs = {
        "following": ql.Following,
        "modified following": ql.ModifiedFollowing,
        "preceding": ql.Preceding,
        "modified preceding": ql.ModifiedPreceding,
    }
    rng = np.random.default_rng(11)
    for offset in rng.integers(0, 20_000, 500).tolist():
        day = date(2002, 1, 10) + timedelta(days=offset)
        for name, convention in theirs.items():
            right = calendar.adjust(ql.Date(day.day, day.month, day.year), convention)
            assert roll(day, name, "TARGET") == date(right.year(), right.month(), right.dayOfMonth())


# --- counting business days -------------------------------------------------------------------------


@given(st.dates(date(1995, 1, 1), date(2055, 1, 1)), st.integers(-60, 60))
def test_business_days_are_counted_one_by_one(day: date, count: int) -> None:
    step = timedelta(days=1 if count > 0 else -1)
    expected, left = day, abs(count)
    while left:
        expected += step
        left -= is_business_day(expected, "FED")
    assert add_business_days(day, count) == expected
    assert add_business_days([day, day], [count, 0]).tolist() == [expected, day]
    assert add_business_days(day, [count, 0]).tolist() == [expected, day]
    assert add_business_days([day], count).tolist() == [expected]


def test_a_custom_calendar_takes_a_holiday_once() -> None:
    twice = custom([date(2025, 1, 13), date(2025, 1, 13)])
    assert add_business_days(date(2025, 1, 10), 1, twice) == date(2025, 1, 14)


# --- range and names --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["FED", "US", "NYSE"])
@pytest.mark.parametrize("day", [date(1989, 12, 31), date(2061, 1, 1)])
def test_years_outside_a_calendar(name: str, day: date) -> None:
    with pytest.raises(OutOfRange, match="1990 to 2060"):
        is_business_day(day, name)
    with pytest.raises(OutOfRange, match="1990 to 2060"):
        roll([day], "following", name)


def test_a_step_out_of_the_calendar() -> None:
    with pytest.raises(OutOfRange, match="1990 to 2060"):
        add_business_days(date(2060, 12, 31), 1)
    with pytest.raises(OutOfRange, match="1990 to 2060"):
        roll(date(1990, 1, 1), "preceding")
    with pytest.raises(OutOfRange, match="1999 to 2060"):
        is_business_day(date(1998, 12, 31), "TARGET")


def test_the_calendar_none_has_no_end() -> None:
    assert roll(date(9999, 12, 31), "following", "none") == date(9999, 12, 31)
    assert roll(date(1950, 1, 1), "none", "FED") == date(1950, 1, 1)


@pytest.mark.parametrize(
    ("function", "error", "sentence"),
    [
        (lambda: is_business_day(date(2020, 1, 1), "NYS"), UnknownName, "perhaps NYSE"),
        (lambda: is_business_day(date(2020, 1, 1), "xyz"), UnknownName, "FED, US, NYSE, TARGET"),
        (lambda: is_business_day(date(2020, 1, 1), None), MissingValue, "blank"),  # type: ignore[arg-type]
        (lambda: is_business_day(date(2020, 1, 1), 3), WrongKind, "FED"),  # type: ignore[arg-type]
        (lambda: roll(date(2020, 1, 1), "folowing"), UnknownName, "perhaps following"),
        (lambda: roll(date(2020, 1, 1), None), MissingValue, "blank"),  # type: ignore[arg-type]
        (lambda: roll("2020-01-01"), WrongKind, "no date"),
        (lambda: add_business_days(date(2020, 1, 1), 1.5), WrongKind, "whole number"),
    ],
)
def test_bad_input(function: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        function()


def test_the_default_calendar_does_not_wait_for_the_package() -> None:
    code = (
        "import sys; from datetime import date; from xlmodel.conventions.calendar import roll;"
        "assert roll(date(2000, 1, 15)) == date(2000, 1, 18); assert 'holidays' not in sys.modules;"
        "assert roll(date(2024, 3, 29), 'following', 'NYSE') == date(2024, 4, 1);"
        "assert 'holidays' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
