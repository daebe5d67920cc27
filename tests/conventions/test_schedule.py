"""Payment, record and determination dates, accrual and collection periods."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
import QuantLib as ql
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.calendar import is_business_day
from xlmodel.conventions.schedule import (
    STUBS,
    accrual_periods,
    add_months,
    collection_periods,
    dates_before,
    determination_dates,
    payment_dates,
    record_dates,
)
from xlmodel.errors import OutOfRange, UnknownName

FIRST = date(1999, 12, 15)


def iso(days: Any) -> list[str]:
    return [str(day) for day in days]


def test_payment_dates_of_carmax_1999_1() -> None:
    # source: prospectus: the 15th, or the next business day; the second payment is 18 January 2000
    dates = payment_dates(FIRST, 6, 15, "following", "FED")
    assert iso(dates.unadjusted) == [f"{month}-15" for month in months("1999-12", 6)]
    assert iso(dates.adjusted) == [
        "1999-12-15",
        "2000-01-18",
        "2000-02-15",
        "2000-03-15",
        "2000-04-17",
        "2000-05-15",
    ]
    assert dates.unadjusted.dtype == dates.adjusted.dtype == np.dtype("M8[D]")


def months(first: str, count: int) -> list[str]:
    return [str(np.datetime64(first, "M") + step) for step in range(count)]


def test_final_scheduled_dates_of_carmax_1999_1() -> None:
    # source: prospectus: class A-4 16 August 2004, certificates 15 February 2006
    dates = payment_dates(FIRST, 75, 15)
    assert iso(dates.adjusted)[56] == "2004-08-16"
    assert iso(dates.adjusted)[74] == "2006-02-15"


def test_months_count_from_the_anchor() -> None:
    dates = payment_dates(date(2021, 1, 31), 5, 31, "none")
    assert iso(dates.unadjusted) == ["2021-01-31", "2021-02-28", "2021-03-31", "2021-04-30", "2021-05-31"]


def test_the_end_of_month_flag_is_explicit() -> None:
    first = date(2021, 2, 28)
    plain = payment_dates(first, 3, roll="none")
    ends = payment_dates(first, 3, roll="none", end_of_month=True)
    assert iso(plain.unadjusted) == ["2021-02-28", "2021-03-28", "2021-04-28"]
    assert iso(ends.unadjusted) == ["2021-02-28", "2021-03-31", "2021-04-30"]


def test_quarterly_dates() -> None:
    dates = payment_dates(date(2024, 2, 29), 5, 30, "modified following", "NYSE", 3)
    assert iso(dates.unadjusted) == ["2024-02-29", "2024-05-30", "2024-08-30", "2024-11-30", "2025-02-28"]
    assert iso(dates.adjusted) == ["2024-02-29", "2024-05-30", "2024-08-30", "2024-11-29", "2025-02-28"]


def test_the_first_date_may_be_given_as_it_falls() -> None:
    dates = payment_dates(date(2000, 1, 18), 2, 15)
    assert iso(dates.unadjusted) == ["2000-01-15", "2000-02-15"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((date(2000, 1, 20), 3, 15), "give 2000-01-15"),
        ((FIRST, 3, 0), "no day of a month"),
        ((FIRST, 3, 32), "no day of a month"),
        ((FIRST, -1, 15), "count of 0 or more"),
        ((FIRST, 3, 15, "following", "FED", 0), "months of 1 or more"),
        ((date(2060, 12, 15), 3, 15), "1990 to 2060"),
        ((date(9999, 12, 15), 3, 15, "none"), "1900 to 9999"),
    ],
)
def test_payment_dates_that_cannot_be(arguments: Any, sentence: str) -> None:
    with pytest.raises(OutOfRange, match=sentence):
        payment_dates(*arguments)


def test_no_payment_dates() -> None:
    dates = payment_dates(FIRST, 0, 15)
    assert dates.unadjusted.shape == dates.adjusted.shape == (0,)


@given(st.dates(date(1991, 1, 1), date(2030, 1, 1)), st.integers(1, 30), st.integers(1, 12))
def test_payment_dates_hold_their_day(first: date, count: int, step: int) -> None:
    dates = payment_dates(first, count, None, "following", "FED", step)
    for number, (unadjusted, adjusted) in enumerate(
        zip(dates.unadjusted.tolist(), dates.adjusted.tolist(), strict=True)
    ):
        month = first.year * 12 + first.month - 1 + number * step
        assert (unadjusted.year, unadjusted.month) == (month // 12, month % 12 + 1)
        tomorrow = unadjusted + timedelta(days=1)
        assert unadjusted.day == first.day or (unadjusted.day < first.day and tomorrow.day == 1)
        assert timedelta(0) <= adjusted - unadjusted <= timedelta(days=6)
        assert is_business_day(adjusted)


# --- months -----------------------------------------------------------------------------------------


@given(st.dates(date(1950, 1, 1), date(2150, 1, 1)), st.integers(-500, 500))
def test_months_are_added_as_quantlib_adds_them(day: date, count: int) -> None:
    right = ql.Date(day.day, day.month, day.year) + ql.Period(count, ql.Months)
    expected = date(right.year(), right.month(), right.dayOfMonth())
    assert add_months(day, count) == expected
    assert add_months([day, day], [count, 0]).tolist() == [expected, day]


# --- record and determination dates -----------------------------------------------------------------


def test_record_dates_are_the_business_day_before() -> None:
    dates = payment_dates(FIRST, 3, 15)
    assert iso(record_dates(dates)) == ["1999-12-14", "2000-01-14", "2000-02-14"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # the payment of 15 January 2000, a Saturday, falls on Tuesday the 18th
        ({"count": 2, "unit": "business days", "of": "adjusted"}, "2000-01-13"),
        ({"count": 2, "unit": "business days", "of": "unadjusted"}, "2000-01-13"),
        ({"count": 4, "unit": "calendar days", "of": "adjusted"}, "2000-01-14"),
        ({"count": 4, "unit": "calendar days", "of": "unadjusted"}, "2000-01-11"),
        ({"count": 2, "unit": "calendar days", "of": "adjusted", "roll": "preceding"}, "2000-01-14"),
        ({"count": 2, "unit": "calendar days", "of": "adjusted", "roll": "following"}, "2000-01-18"),
        ({"count": 1, "unit": "month end", "of": "adjusted"}, "1999-12-31"),
        ({"count": 0, "unit": "calendar days", "of": "unadjusted", "roll": "none"}, "2000-01-15"),
    ],
)
def test_adjusted_first_or_after(options: dict[str, Any], expected: str) -> None:
    dates = payment_dates(FIRST, 2, 15)
    assert iso(determination_dates(dates, **options))[1] == expected
    assert iso(dates_before(dates, **options))[1] == expected


def test_dates_before_that_cannot_be() -> None:
    dates = payment_dates(FIRST, 2, 15)
    with pytest.raises(UnknownName, match="calendar days, business days, month end"):
        record_dates(dates, 1, "weeks")
    with pytest.raises(UnknownName, match="adjusted or unadjusted"):
        record_dates(dates, of="paid")
    with pytest.raises(OutOfRange, match="0 or more"):
        determination_dates(dates, -1)


# --- collection periods -----------------------------------------------------------------------------


def test_the_first_payment_may_carry_two_months() -> None:
    # source: CarMax 1999-1: the payment of 15 December 1999 carries October and November
    periods = collection_periods(payment_dates(FIRST, 3, 15), first_months=2)
    assert iso(periods.start) == ["1999-10-01", "1999-12-01", "2000-01-01"]
    assert iso(periods.end) == ["1999-11-30", "1999-12-31", "2000-01-31"]
    assert periods.months.tolist() == [2, 1, 1]


@given(st.integers(1, 4), st.integers(1, 40), st.integers(1, 6))
def test_collection_periods_follow_each_other(first_months: int, count: int, step: int) -> None:
    dates = payment_dates(FIRST, count, 15, months=step)
    periods = collection_periods(dates, first_months, step)
    assert (periods.start[1:] == periods.end[:-1] + 1).all()
    assert (periods.end < dates.unadjusted).all()
    assert periods.months.sum() == first_months + step * (count - 1)
    assert collection_periods(dates).months.tolist() == [1] * count
    with pytest.raises(OutOfRange):
        collection_periods(dates, 0)


# --- accrual periods and stubs ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stub", "edges"),
    [
        ("front short", ["2024-01-10", "2024-02-15", "2024-05-15", "2024-08-15"]),
        ("front long", ["2024-01-10", "2024-05-15", "2024-08-15"]),
        ("back short", ["2024-01-10", "2024-04-10", "2024-07-10", "2024-08-15"]),
        ("back long", ["2024-01-10", "2024-04-10", "2024-08-15"]),
    ],
)
def test_stubs(stub: str, edges: list[str]) -> None:
    periods = accrual_periods(date(2024, 1, 10), date(2024, 8, 15), 3, stub, "none")
    assert iso(periods.start) == edges[:-1]
    assert iso(periods.end) == edges[1:]


def test_a_long_stub_needs_a_regular_period_beside_it() -> None:
    for stub in ("front long", "back long"):
        periods = accrual_periods(date(2024, 1, 10), date(2024, 2, 15), 3, stub, "none")
        assert iso(periods.start) == ["2024-01-10"]
        assert iso(periods.end) == ["2024-02-15"]


def test_a_stub_that_business_days_shrink_to_nothing_is_dropped() -> None:
    # 1 May 2027 is a Saturday and falls on Monday, where the last period ends
    periods = accrual_periods(date(2027, 3, 1), date(2027, 5, 3), 1, "back short")
    assert iso(periods.start) == ["2027-03-01", "2027-04-01"]
    assert iso(periods.end) == ["2027-04-01", "2027-05-03"]
    assert iso(periods.adjusted_end) == ["2027-04-01", "2027-05-03"]
    # 2 May is a Sunday, where the first period begins
    periods = accrual_periods(date(2027, 5, 2), date(2027, 7, 3), 1, "front short")
    assert iso(periods.start) == ["2027-05-02", "2027-06-03"]
    assert iso(periods.adjusted_start) == ["2027-05-03", "2027-06-03"]
    # a whole that falls on one day has no period
    assert accrual_periods(date(2027, 5, 1), date(2027, 5, 3), 1).start.shape == (0,)


def test_no_stub_where_the_months_are_whole() -> None:
    for stub in STUBS:
        periods = accrual_periods(date(2024, 1, 15), date(2024, 7, 15), 3, stub, "none")
        assert iso(periods.end) == ["2024-04-15", "2024-07-15"]
    with pytest.raises(OutOfRange, match="name a stub"):
        accrual_periods(date(2024, 1, 10), date(2024, 8, 15), 3, "none")


def test_regular_dates_on_a_day_of_their_own() -> None:
    # source: CarMax 1999-1: from closing, 28 October 1999, then 15th to 15th
    periods = accrual_periods(date(1999, 10, 28), date(2000, 3, 15), 1, "front long", day=15)
    assert iso(periods.start) == ["1999-10-28", "1999-12-15", "2000-01-15", "2000-02-15"]
    assert iso(periods.adjusted_end) == ["1999-12-15", "2000-01-18", "2000-02-15", "2000-03-15"]


def test_accrual_periods_that_cannot_be() -> None:
    with pytest.raises(UnknownName, match="front short"):
        accrual_periods(date(2024, 1, 1), date(2024, 2, 1), 1, "middle")
    with pytest.raises(OutOfRange, match="end after the start"):
        accrual_periods(date(2024, 2, 1), date(2024, 2, 1), 1)


@given(
    st.dates(date(1995, 1, 1), date(2030, 1, 1)),
    st.integers(1, 4_000),
    st.sampled_from([1, 3, 6, 12]),
    st.sampled_from(STUBS[:-1]),
    st.sampled_from(["following", "modified following", "preceding"]),
    st.booleans(),
)
def test_accrual_periods_tile_the_whole(
    start: date, length: int, step: int, stub: str, convention: str, end_of_month: bool
) -> None:
    end = start + timedelta(days=length)
    periods = accrual_periods(start, end, step, stub, convention, "FED", end_of_month=end_of_month)
    assert (periods.adjusted_start < periods.adjusted_end).all()
    assert (periods.start[1:] == periods.end[:-1]).all()
    assert (periods.adjusted_start[1:] == periods.adjusted_end[:-1]).all()
    if periods.start.size:
        assert periods.start[0] == np.datetime64(start)
        assert periods.end[-1] == np.datetime64(end)
        assert is_business_day(periods.adjusted_end, "FED").all()
