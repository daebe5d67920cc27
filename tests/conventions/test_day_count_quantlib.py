"""QuantLib, live, as oracle: every convention that it has, over random pairs of dates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
import QuantLib as ql

from xlmodel.conventions.day_count import days, year_fraction

PAIRS = 5_000

CONVENTIONS: dict[str, tuple[str, Callable[[], Any]]] = {
    "Actual360": ("actual/360", ql.Actual360),
    "Actual364": ("actual/364", ql.Actual364),
    "Actual365Fixed": ("actual/365 fixed", ql.Actual365Fixed),
    "Actual36525": ("actual/365.25", ql.Actual36525),
    "Actual366": ("actual/366", ql.Actual366),
    "ActualActual ISDA": ("actual/actual ISDA", lambda: ql.ActualActual(ql.ActualActual.ISDA)),
    "ActualActual AFB": ("actual/actual AFB", lambda: ql.ActualActual(ql.ActualActual.AFB)),
    "Thirty360 BondBasis": ("30/360", lambda: ql.Thirty360(ql.Thirty360.BondBasis)),
    "Thirty360 NASD": ("30/360", lambda: ql.Thirty360(ql.Thirty360.NASD)),
    "Thirty360 USA": ("30U/360", lambda: ql.Thirty360(ql.Thirty360.USA)),
    "Thirty360 European": ("30E/360", lambda: ql.Thirty360(ql.Thirty360.European)),
    "Thirty360 German": ("30E/360 ISDA", lambda: ql.Thirty360(ql.Thirty360.German)),
    "Thirty360 Italian": ("30/360 Italian", lambda: ql.Thirty360(ql.Thirty360.Italian)),
}


def random_dates(rng: np.random.Generator, count: int) -> list[date]:
    """Dates of 1903 to 2198, a third of them near the end of a month, where the rules part."""
    days = date(1903, 1, 31).toordinal() + rng.integers(0, 108_000, count)
    dates = [date.fromordinal(int(day)) for day in days]
    for place in range(0, count, 3):
        first = dates[place].replace(day=1)
        dates[place] = first + timedelta(days=int(rng.integers(-3, 3)))
    return dates


def quantlib_date(day: date) -> Any:
    return ql.Date(day.day, day.month, day.year)


@pytest.mark.parametrize("oracle", CONVENTIONS)
def test_random_pairs(oracle: str) -> None:
    name, make = CONVENTIONS[oracle]
    counter = make()
    rng = np.random.default_rng(list(CONVENTIONS).index(oracle))
    start, end = random_dates(rng, PAIRS), random_dates(rng, PAIRS)
    theirs = [(quantlib_date(s), quantlib_date(e)) for s, e in zip(start, end, strict=True)]
    assert days(start, end, name).tolist() == [counter.dayCount(s, e) for s, e in theirs]
    right = [counter.yearFraction(s, e) for s, e in theirs]
    # AFB: QuantLib counts its days over its years in the same floats; ISDA backwards it negates the sum
    np.testing.assert_allclose(year_fraction(start, end, name), right, rtol=4e-16, atol=1e-16)
    singly = [year_fraction(s, e, name) for s, e in zip(start, end, strict=True)]
    np.testing.assert_allclose(singly, right, rtol=4e-16, atol=1e-16)


def test_30e_360_isda_with_its_termination_date() -> None:
    rng = np.random.default_rng(40)
    start = random_dates(rng, PAIRS)
    februaries = [date(int(year), 3, 1) - timedelta(days=1) for year in rng.integers(1901, 2199, PAIRS)]
    for s, e in zip(start, februaries, strict=True):
        for termination in (e, e + timedelta(days=365)):
            counter = ql.Thirty360(ql.Thirty360.German, quantlib_date(termination))
            right = counter.dayCount(quantlib_date(s), quantlib_date(e))
            assert days(s, e, "30E/360 ISDA", termination=termination) == right
            fraction = year_fraction(s, e, "30E/360 ISDA", termination=termination)
            assert fraction == right / 360


def test_a_termination_date_and_a_column() -> None:
    end = [date(2023, 2, 28), date(2024, 2, 29), date(2024, 3, 31)]
    counts = days(date(2023, 1, 31), end, "30E/360 ISDA", termination=date(2024, 2, 29))
    counter = ql.Thirty360(ql.Thirty360.German, ql.Date(29, 2, 2024))
    assert counts.tolist() == [counter.dayCount(ql.Date(31, 1, 2023), quantlib_date(day)) for day in end]


@pytest.mark.parametrize("frequency", [1, 2, 3, 4, 6, 12])
def test_actual_actual_icma_within_and_beyond_a_coupon_period(frequency: int) -> None:
    # coupon days up to the 28th, so that QuantLib's period and the coupon grid are the same
    rng = np.random.default_rng(frequency)
    counter = ql.ActualActual(ql.ActualActual.ISMA)
    step = ql.Period(12 // frequency, ql.Months)
    dates = random_dates(rng, PAIRS // 4)
    start = [day for day in dates if day.day <= 28 and day.year < 2190]
    for first in start:
        opening = quantlib_date(first)
        closing = opening + step
        accrual_start = first + timedelta(days=int(rng.integers(0, closing - opening)))
        accrual_end = accrual_start + timedelta(days=int(rng.integers(0, 900)))
        right = counter.yearFraction(
            quantlib_date(accrual_start), quantlib_date(accrual_end), opening, closing
        )
        ours = year_fraction(
            accrual_start,
            accrual_end,
            "actual/actual ICMA",
            frequency=frequency,
            period_start=first,
            period_end=date(closing.year(), closing.month(), closing.dayOfMonth()),
        )
        assert ours == pytest.approx(right, rel=1e-14, abs=1e-15)
