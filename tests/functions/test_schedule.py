"""Dates in cells against QuantLib's schedules and calendars, published dates and dates by hand."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import Any

import pytest
import QuantLib as ql
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.functions import call
from xlmodel.functions.cells import CellError


def serial(text: str) -> float:
    """Excel's serial: days since 30 December 1899 for every day after February 1900."""
    return float((dt.date.fromisoformat(text) - dt.date(1899, 12, 30)).days)


CLOSING, FIRST = serial("1999-10-28"), serial("1999-12-15")
FED = ql.UnitedStates(ql.UnitedStates.FederalReserve)
# QuantLib moves New Year's Day on a Saturday to the Friday before, the Federal Reserve does not; and it
# knows Juneteenth.  So its calendar is asked only about years without either.
SOUND_YEARS = st.sampled_from([1995, 1996, 1997, 1998, 2001, 2002, 2003, 2007, 2008, 2009, 2013, 2014, 2018])


def test_payment_dates_move_off_weekends_and_holidays() -> None:
    # 15 January 2000 was a Saturday and 17 January Martin Luther King's birthday: paid on Tuesday the 18th.
    # 15 April 2000 was a Saturday, 15 October 2000 a Sunday.
    found = call("XM_PAYMENT_DATES", [FIRST, 11.0])
    assert found == [
        [serial(day)]
        for day in (
            "1999-12-15", "2000-01-18", "2000-02-15", "2000-03-15", "2000-04-17", "2000-05-15",
            "2000-06-15", "2000-07-17", "2000-08-15", "2000-09-15", "2000-10-16",
        )
    ]  # fmt: skip
    unmoved = call("XM_PAYMENT_DATES", [FIRST, 2.0, 15.0, "none"])
    assert unmoved == [[FIRST], [serial("2000-01-15")]]


def test_payment_dates_at_month_ends_and_by_quarters() -> None:
    ends = call("XM_PAYMENT_DATES", [serial("2000-01-31"), 3.0, None, "none", None, 1.0, True])
    assert ends == [[serial(day)] for day in ("2000-01-31", "2000-02-29", "2000-03-31")]
    quarters = call("XM_PAYMENT_DATES", [serial("2000-11-30"), 3.0, None, "none", None, 3.0])
    assert quarters == [[serial(day)] for day in ("2000-11-30", "2001-02-28", "2001-05-30")]


def test_record_dates_of_a_schedule_in_one_array() -> None:
    """CarMax Auto Owner Trust 1999-1: record date is the day before the payment date; here a business day."""
    dates: Any = call("XM_PAYMENT_DATES", [FIRST, 4.0])
    assert call("XM_RECORD_DATES", [dates]) == [
        [serial(day)] for day in ("1999-12-14", "2000-01-14", "2000-02-14", "2000-03-14")
    ]
    assert call("XM_RECORD_DATES", [dates, 1.0, "calendar days"]) == [[day - 1] for (day,) in dates]


def test_a_determination_date_counts_from_either_date() -> None:
    # the payment of 15 January 2000, a Saturday, falls on Tuesday the 18th
    adjusted, unadjusted = serial("2000-01-18"), serial("2000-01-15")
    assert call("XM_DETERMINATION_DATES", [adjusted, 2.0]) == serial("2000-01-13")
    assert call("XM_DETERMINATION_DATES", [unadjusted, 2.0]) == serial("2000-01-13")
    assert call("XM_DETERMINATION_DATES", [unadjusted, 8.0, "calendar days"]) == serial("2000-01-07")
    moved_back: Any = [unadjusted, 13.0, "calendar days", "preceding"]
    assert call("XM_DETERMINATION_DATES", moved_back) == serial("1999-12-31")


@given(st.dates(dt.date(1995, 1, 1), dt.date(2030, 12, 31)), st.integers(1, 1500), st.sampled_from([1, 3, 6]))
def test_schedules_are_quantlibs(start: dt.date, length: int, months: int) -> None:
    end = start + dt.timedelta(days=length)
    rules = {"front short": ql.DateGeneration.Backward, "back short": ql.DateGeneration.Forward}
    for stub, rule in rules.items():
        theirs = ql.Schedule(
            ql.Date(start.day, start.month, start.year),
            ql.Date(end.day, end.month, end.year),
            ql.Period(months, ql.Months),
            ql.NullCalendar(),
            ql.Unadjusted,
            ql.Unadjusted,
            rule,
            False,
        )
        edges = [float(day.serialNumber()) for day in theirs]
        ours = call("XM_SCHEDULE", [serial(str(start)), serial(str(end)), float(months), stub, "none"])
        assert ours == [[a, b, a, b] for a, b in pairwise(edges)]


@given(SOUND_YEARS, st.integers(1, 180), st.integers(-60, 60), st.sampled_from(["following", "preceding"]))
def test_business_days_are_quantlibs(year: int, day: int, count: int, roll: str) -> None:
    start = ql.Date(1, 3, year) + day
    moved = FED.adjust(start, ql.Following if roll == "following" else ql.Preceding)
    ours = float(start.serialNumber())
    assert call("XM_BUSINESS_DAY", [ours, roll]) == moved.serialNumber()
    assert call("XM_IS_BUSINESS_DAY", [ours]) is FED.isBusinessDay(start)
    if FED.isBusinessDay(start) and 0 < start.dayOfYear() + 2 * count < 360:
        later = FED.advance(start, count, ql.Days).serialNumber()
        assert call("XM_ADD_BUSINESS_DAYS", [ours, float(count)]) == later


@given(st.dates(dt.date(1950, 1, 1), dt.date(2150, 12, 31)), st.integers(-500, 500), st.booleans())
def test_months_are_added_as_quantlib_adds_them(start: dt.date, months: int, end_of_month: bool) -> None:
    theirs = ql.NullCalendar().advance(ql.Date(start.day, start.month, start.year), months, ql.Months)
    if end_of_month:
        theirs = ql.Date.endOfMonth(theirs)
    assert call("XM_ADD_MONTHS", [serial(str(start)), float(months), end_of_month]) == theirs.serialNumber()


def test_holidays_of_ones_own_join_those_of_the_calendar() -> None:
    # 17 January 2000 is a holiday of the Federal Reserve; with the 18th the next business day is the 19th
    saturday = serial("2000-01-15")
    own: Any = [[serial("2000-01-18")], [serial("2000-01-18")]]
    assert call("XM_BUSINESS_DAY", [saturday, None, None, own]) == serial("2000-01-19")
    assert call("XM_BUSINESS_DAY", [saturday, None, "weekends", own]) == serial("2000-01-17")
    two_days: Any = [[serial("2000-01-17"), serial("2000-01-18")]]
    assert call("XM_IS_BUSINESS_DAY", [two_days, "none", own]) == [[True, False]]
    assert call("XM_ADD_BUSINESS_DAYS", [saturday, 1.0, "FED", own]) == serial("2000-01-19")


@pytest.mark.parametrize(
    ("function", "arguments", "code", "sentence"),
    [
        ("XM_PAYMENT_DATES", [FIRST, 0.0], "#NUM!",
         "argument count: 0 dates are asked for; expected 1 to 2400"),
        ("XM_PAYMENT_DATES", [FIRST, 1e9], "#NUM!", "argument count"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, 15.0, "forwards"], "#VALUE!",
         "argument roll: 'forwards' is no roll"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, 15.0, "folowing"], "#VALUE!", "perhaps following"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, 15.0, None, "Mars"], "#VALUE!",
         "argument calendar: 'Mars' is no calendar"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, 15.0, None, "NYSF"], "#VALUE!", "perhaps NYSE"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, 20.0], "#NUM!",
         "argument first: the first payment date 1999-12-15 is not"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, 32.0], "#NUM!", "argument day: 32 is no day of a month"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, None, None, None, 0.0], "#NUM!",
         "argument months: dates every 0 months"),
        ("XM_PAYMENT_DATES", [[[1.0], [2.0]], 3.0], "#VALUE!", "argument first: one cell is asked for"),
        ("XM_PAYMENT_DATES", [60.0, 3.0], "#NUM!", "argument first: serial 60 is 29 February 1900"),
        ("XM_PAYMENT_DATES", [serial("2059-12-15"), 20.0], "#NUM!", "outside the calendar FED"),
        ("XM_SCHEDULE", [FIRST, CLOSING], "#NUM!", "argument end_date: the schedule ends on 1999-10-28"),
        ("XM_SCHEDULE", [CLOSING, CLOSING], "#NUM!", "argument end_date"),
        ("XM_SCHEDULE", [CLOSING, FIRST, 0.0], "#NUM!", "argument months: periods of 0 months"),
        ("XM_SCHEDULE", [CLOSING, FIRST, 1.0, "none"], "#NUM!",
         "argument stub: 1999-10-28 to 1999-12-15 is no whole"),
        ("XM_SCHEDULE", [CLOSING, FIRST, 1.0, "front shirt"], "#VALUE!", "perhaps front short"),
        ("XM_SCHEDULE", [1.0, 2958465.0, 1.0, None, "none"], "#NUM!", "more than 2,400 periods"),
        ("XM_COLLECTION_PERIODS", [[[FIRST], [None]]], "#VALUE!",
         "payment_dates, row 2, column 1: a date is asked"),
        ("XM_COLLECTION_PERIODS", [FIRST, 0.0], "#NUM!",
         "argument first_months: a collection period of 0 months"),
        ("XM_COLLECTION_PERIODS", [5.0], "#NUM!", "argument payment_dates"),
        ("XM_RECORD_DATES", [FIRST, -1.0], "#NUM!", "argument count: -1 business days before"),
        ("XM_RECORD_DATES", [FIRST, 1.0, "business day"], "#VALUE!", "perhaps business days"),
        ("XM_RECORD_DATES", [FIRST, 0.5], "#NUM!", "argument count: a whole number is asked for"),
        ("XM_RECORD_DATES", [32874.0, 1.0], "#NUM!",
         "argument payment_date: 1989-12-29 is outside the calendar"),
        ("XM_DETERMINATION_DATES", [FIRST], "#VALUE!", "argument count: the argument is missing"),
        ("XM_ADD_BUSINESS_DAYS", [FIRST, 1e7], "#NUM!", "argument days: 10000000 business days lead out"),
        ("XM_ADD_BUSINESS_DAYS", [FIRST, 20000.0], "#NUM!", "argument start_date"),
        ("XM_ADD_BUSINESS_DAYS", [FIRST, 1.0, None, [[60.0]]], "#NUM!", "argument holidays, row 1, column 1"),
        ("XM_ADD_MONTHS", [FIRST, 1e6], "#NUM!", "argument months: 1000000 months lead out"),
        ("XM_ADD_MONTHS", [FIRST, 96001.0], "#NUM!", "argument months: a date lies outside the years"),
    ],
)  # fmt: skip
def test_bad_input(function: str, arguments: list[Any], code: str, sentence: str) -> None:
    assert call(function, arguments) == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))


@pytest.mark.parametrize(
    ("function", "arguments", "heading"),
    [
        ("XM_SCHEDULE", [CLOSING, FIRST, *[None] * 6], ["Start", "End", "Adjusted start", "Adjusted end"]),
        ("XM_COLLECTION_PERIODS", [FIRST, None, None], ["Start", "End", "Months"]),
    ],
)
def test_headings_stand_over_the_same_rows(function: str, arguments: list[Any], heading: list[str]) -> None:
    with_header = call(function, [*arguments, True])
    assert isinstance(with_header, list)
    assert with_header[0] == heading
    assert with_header[1:] == call(function, [*arguments, False]) == call(function, arguments)
