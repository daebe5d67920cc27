"""Coupon dates: where they lie, and what is asked for when a period is only half described."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.coupon_period import CouponPeriod, bond_coupons
from xlmodel.conventions.day_count import year_fraction
from xlmodel.errors import MissingValue, OutOfRange


@pytest.mark.parametrize(
    ("settlement", "maturity", "frequency", "previous", "following"),
    [
        # source: LibreOffice 7.4.7, COUPPCD and COUPNCD, basis 1
        ("2023-12-15", "2024-04-30", 2, "2023-10-31", "2024-04-30"),
        ("2023-12-15", "2024-04-29", 2, "2023-10-29", "2024-04-29"),
        ("2024-01-15", "2025-02-28", 2, "2023-08-31", "2024-02-29"),
        ("2024-01-15", "2024-02-29", 4, "2023-11-30", "2024-02-29"),
        ("2024-01-15", "2026-06-30", 1, "2023-06-30", "2024-06-30"),
    ],
)
def test_coupons_of_a_bond(
    settlement: str, maturity: str, frequency: int, previous: str, following: str
) -> None:
    coupons = bond_coupons(date.fromisoformat(maturity), frequency)
    assert coupons.previous(date.fromisoformat(settlement)) == date.fromisoformat(previous)
    assert coupons.next(date.fromisoformat(settlement)) == date.fromisoformat(following)


@pytest.mark.parametrize(
    ("start", "end", "frequency"),
    [
        ("2024-01-15", "2024-07-15", 2),
        ("2024-01-31", "2024-02-29", 12),
        ("2023-11-30", "2024-02-29", 4),
        ("2023-11-15", "2024-11-15", 1),
        ("2023-11-15", "2024-01-15", 6),
        ("2023-11-15", "2024-03-15", 3),
    ],
)
def test_both_ends_tell_the_frequency(start: str, end: str, frequency: int) -> None:
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    coupons = CouponPeriod.of(None, first, last)
    assert coupons.frequency == frequency
    assert coupons.day == max(first.day, last.day)
    found = year_fraction(first, last, "actual/actual ICMA", period_start=first, period_end=last)
    assert found == pytest.approx(1 / frequency, rel=1e-15)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (date(2024, 1, 15), date(2024, 6, 15)),
        (date(2024, 1, 15), date(2024, 1, 15)),
        (date(2024, 7, 15), date(2024, 1, 15)),
        (date(2024, 1, 15), None),
    ],
)
def test_a_period_that_does_not_tell_it(start: date, end: date | None) -> None:
    with pytest.raises(MissingValue, match="frequency"):
        CouponPeriod.of(None, start, end)


@pytest.mark.parametrize("frequency", [0, -1, 5, 7, 24])
def test_frequencies_that_no_year_holds(frequency: int) -> None:
    with pytest.raises(OutOfRange, match="1, 2, 3, 4, 6 or 12"):
        CouponPeriod.of(frequency, date(2024, 1, 15))


def test_end_of_month() -> None:
    coupons = CouponPeriod.of(12, date(2024, 2, 29), end_of_month=True)
    dates = [date.fromordinal(coupons.ordinal(number)) for number in range(-1, 3)]
    assert dates == [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31), date(2024, 4, 30)]
    coupons = CouponPeriod.of(12, date(2024, 2, 29))
    assert date.fromordinal(coupons.ordinal(1)) == date(2024, 3, 29)


def test_a_column_against_one_date() -> None:
    known: dict[str, Any] = {"frequency": 2, "period_start": date(2024, 1, 15)}
    starts = [date(2024, 1, 15), date(2024, 4, 15), date(2024, 7, 15), date(2024, 10, 15)]
    ends = year_fraction(starts, date(2025, 1, 15), "actual/actual ICMA", **known)
    # 91 of the 182 days to 15 July, 92 of the 184 to 15 January are left
    assert ends.tolist() == [1.0, 0.75, 0.5, 0.25]
    since = year_fraction(date(2024, 1, 15), starts, "actual/actual ICMA", **known)
    assert since.tolist() == [0.0, 0.25, 0.5, 0.75]
    none = np.array([], dtype="M8[D]")
    assert year_fraction(none, date(2025, 1, 15), "actual/actual ICMA", **known).shape == (0,)
    assert year_fraction(none[:, None], none, "actual/actual ICMA", **known).shape == (0, 0)


@given(
    st.dates(date(1900, 1, 1), date(2200, 1, 1)),
    st.dates(date(1900, 1, 1), date(2200, 1, 1)),
    st.dates(date(1900, 1, 1), date(2200, 1, 1)),
    st.sampled_from([1, 2, 3, 4, 6, 12]),
    st.booleans(),
)
def test_year_fractions_add_up_on_one_grid(
    a: date, b: date, c: date, frequency: int, end_of_month: bool
) -> None:
    first, middle, last = sorted([a, b, c])
    coupons = CouponPeriod.of(frequency, c, end_of_month=end_of_month)
    parts = coupons.year_fraction(first, middle) + coupons.year_fraction(middle, last)
    assert parts == pytest.approx(coupons.year_fraction(first, last), rel=1e-12, abs=1e-13)
    assert coupons.previous(middle) <= middle < coupons.next(middle)
    assert coupons.year_fraction(coupons.previous(middle), coupons.next(middle)) == pytest.approx(
        1 / frequency
    )
