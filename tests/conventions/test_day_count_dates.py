"""Day counts and the dates they are given: kinds, columns, order, range, and what is no date."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
import pytest

from xlmodel.conventions.day_count import DAY_COUNTS, days, year_fraction
from xlmodel.errors import MissingValue, OutOfRange, WrongKind

# --- kinds of dates ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (date(1999, 10, 28), date(1999, 12, 15)),
        (datetime(1999, 10, 28, 12), date(1999, 12, 15)),
        (np.datetime64("1999-10-28"), np.datetime64("1999-12-15")),
        (36461, 36509),
        (36461.75, 36509.0),
    ],
)
def test_first_period_of_carmax_1999_1(start: Any, end: Any) -> None:
    # source: prospectus of CarMax Auto Owner Trust 1999-1: 48 days actual, 47 days of 30/360
    assert days(start, end, "actual/360") == 48
    assert days(start, end, "30/360") == 47
    assert year_fraction(start, end, "actual/360") == 48 / 360


@pytest.mark.parametrize(
    "column",
    [
        [date(1999, 10, 28), date(1999, 11, 15)],
        np.array(["1999-10-28", "1999-11-15"], dtype="M8[ns]"),
        np.array([36461, 36479]),
        np.array([36461.0, 36479.5]),
        (36461, 36479),
    ],
)
def test_a_column_of_any_kind_with_one_end(column: Any) -> None:
    counts = days(column, date(1999, 12, 15), "actual/360")
    assert counts.dtype == np.int64
    assert counts.tolist() == [48, 30]
    assert year_fraction(column, 36509, "30/360").tolist() == [47 / 360, 30 / 360]
    assert year_fraction(date(1999, 9, 15), column, 0).tolist() == [43 / 360, 60 / 360]


def test_columns_broadcast() -> None:
    start = np.array(["2000-01-15", "2001-01-15"], dtype="M8[D]")[:, None]
    end = np.array(["2001-01-15", "2002-01-15", "2003-01-15"], dtype="M8[D]")
    for name in DAY_COUNTS:
        known: dict[str, Any] = {"frequency": 1, "period_start": date(2000, 1, 15)} if "ICMA" in name else {}
        if name == "actual/actual ICMA":
            assert year_fraction(start, end, name, **known).tolist() == [[1, 2, 3], [0, 1, 2]]
        assert year_fraction(start, end, name, **known).shape == (2, 3)
    assert year_fraction(start[:0], end[:0], "30/360").shape == (0, 0)
    assert days(np.array([], dtype="M8[D]"), np.array([], dtype="M8[D]"), 1).shape == (0,)


def test_a_long_column_in_blocks() -> None:
    rng = np.random.default_rng(3)
    start = rng.integers(1, 2_000_000, 40_000)
    start[start == 60] = 61
    end = start + rng.integers(0, 9_000, 40_000)
    whole = year_fraction(start, end, "actual/actual ISDA")
    for row in (0, 16_383, 16_384, 32_768, 39_999):
        assert whole[row] == year_fraction(int(start[row]), int(end[row]), "actual/actual ISDA")


# --- order and range of dates -----------------------------------------------------------------------

EARLY, LATE = date(2024, 1, 31), date(2025, 2, 28)


@pytest.mark.parametrize(
    "name", ["actual/360", "actual/365 fixed", "actual/actual ISDA", "actual/actual AFB"]
)
def test_backwards_is_negative(name: str) -> None:
    forward = year_fraction(EARLY, LATE, name)
    assert forward > 0
    assert year_fraction(LATE, EARLY, name) == pytest.approx(-forward, rel=1e-15)
    assert year_fraction([LATE], [EARLY], name).tolist() == pytest.approx([-forward], rel=1e-15)


@pytest.mark.parametrize("code", range(5))
def test_excel_exchanges_the_dates(code: int) -> None:
    forward = year_fraction(EARLY, LATE, code)
    assert forward > 1
    assert year_fraction(LATE, EARLY, code) == forward
    assert year_fraction([LATE, EARLY], [EARLY, LATE], code).tolist() == [forward, forward]
    assert days(LATE, EARLY, code) == days(EARLY, LATE, code) > 0


def test_days360_applies_its_rule_backwards_as_it_stands() -> None:
    # source: LibreOffice 7.4.7, DAYS360(DATE(2024,3,31);DATE(2024,1,31);0) and the same with 1
    assert days(date(2024, 3, 31), date(2024, 1, 31), "DAYS360 US") == -60
    assert days(date(2024, 3, 1), date(2024, 1, 31), "DAYS360 US") == -30
    assert days(date(2024, 1, 31), date(2024, 3, 1), "DAYS360 US") == 31
    assert days(date(2024, 3, 1), date(2024, 1, 31), "DAYS360 EU") == -31


def test_backwards_has_no_meaning_in_a_coupon_period() -> None:
    known: dict[str, Any] = {"frequency": 2, "period_start": EARLY}
    with pytest.raises(OutOfRange, match="exchange the two dates"):
        year_fraction(LATE, EARLY, "actual/actual ICMA", **known)
    with pytest.raises(OutOfRange, match="exchange the two dates"):
        year_fraction([EARLY, LATE], [LATE, EARLY], "actual/actual ICMA", **known)


@pytest.mark.parametrize(
    ("bad", "error", "sentence"),
    [
        (60, OutOfRange, "never was"),
        (0, OutOfRange, "serial 0 is outside"),
        (-5, OutOfRange, "outside"),
        (2958466, OutOfRange, "outside"),
        (float("nan"), OutOfRange, "serial"),
        (float("inf"), OutOfRange, "serial"),
        (date(1899, 12, 31), OutOfRange, "before 1900"),
        ("2020-01-01", WrongKind, "is no date"),
        (True, WrongKind, "is no date"),
        (None, WrongKind, "is no date"),
    ],
)
@pytest.mark.parametrize("name", ["30/360", "actual/actual ISDA", "excel-1"])
def test_what_is_no_date(bad: Any, error: type[Exception], sentence: str, name: str) -> None:
    good = date(2020, 1, 1)
    for start, end in ((bad, good), (good, bad)):
        with pytest.raises(error, match=sentence):
            year_fraction(start, end, name)
        with pytest.raises(error, match=sentence):
            days(start, end, name)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ([60, 61], OutOfRange),
        ([0, 61], OutOfRange),
        ([61.0, float("nan")], OutOfRange),
        ([61.0, 1e300], OutOfRange),
        (np.array(["NaT", "2020-01-01"], dtype="M8[D]"), OutOfRange),
        (np.array(["1899-12-31"], dtype="M8[D]"), OutOfRange),
        (["2020-01-01"], WrongKind),
        ([True], WrongKind),
        ([date(2020, 1, 1), "x"], WrongKind),
    ],
)
def test_a_column_with_what_is_no_date(bad: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        year_fraction(bad, date(2020, 1, 1), "30/360")


def test_icma_without_its_period_says_what_is_missing() -> None:
    with pytest.raises(MissingValue, match="frequency"):
        year_fraction(EARLY, LATE, "actual/actual ICMA")
    with pytest.raises(MissingValue, match="coupon period"):
        year_fraction([EARLY], [LATE], "actual/actual ICMA", frequency=2)
    with pytest.raises(OutOfRange, match="coupons a year"):
        year_fraction(EARLY, LATE, "actual/actual ICMA", frequency=5, period_start=EARLY)


def test_the_range_of_years_1900_to_9999() -> None:
    first, last = date(1900, 1, 1), date(9999, 12, 31)
    for name in DAY_COUNTS:
        known: dict[str, Any] = {"frequency": 1, "period_start": first} if "ICMA" in name else {}
        single = year_fraction(first, last, name, **known)
        assert single == pytest.approx(8100, rel=0.02)
        assert year_fraction([first], [last], name, **known)[0] == single


def test_excel_counts_its_own_29_february_1900() -> None:
    # Excel's own serials: 1900-01-01 is 1, 1900-03-01 is 61
    assert days(1, 61, "excel-3") == 60
    assert days(1, 61, "actual/365 fixed") == 59
    assert days([1], [61], "excel-3").tolist() == [60]
    assert year_fraction(date(1900, 1, 1), date(1900, 3, 1), 1) == 60 / 366
    assert year_fraction([1], [date(1900, 3, 1)], 1).tolist() == [60 / 366]
    # 1900 to 1902 have 366, 365 and 365 days in Excel
    assert days(1, date(1902, 1, 2), "excel-1") == 732
    assert year_fraction(1, date(1902, 1, 2), 1) == pytest.approx(732 / (1096 / 3), rel=1e-15)
