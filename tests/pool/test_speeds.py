"""Speeds converted there and back, and the speed at which a pool has prepaid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import NoRoot, OutOfRange, UnknownName
from xlmodel.pool.contracts import pool_from_rows
from xlmodel.pool.prepayment import PREPAYMENTS
from xlmodel.pool.projection import project
from xlmodel.pool.speeds import convert, historical_abs, historical_speed, part_not_prepaid

MODELS = st.sampled_from(sorted(PREPAYMENTS))


@pytest.mark.parametrize(
    ("speed", "month", "from_model", "to_model", "expected"),
    [
        # Bond Market Association, Standard Formulas, page SF-14: 2% ABS in month 11 is 2.5% SMM.
        (0.02, 11, "ABS", "SMM", 0.025),
        (0.025, 11, "SMM", "ABS", 0.02),
        # Page SF-6: 0.2% CPR a month up to 6% in month 30.
        (1.0, 1, "PSA", "CPR", 0.002),
        (1.5, 17, "psa", "cpr", 1.5 * 17 * 0.002),
        (2.0, 300, "PSA", "CPR", 0.12),
        (0.12, 30, "CPR", "PSA", 2.0),
        # One per cent a month leaves 0.99^12 after a year.
        (0.01, 5, "SMM", "CPR", 1 - 0.99**12),
        (1 - 0.99**12, 5, "CPR", "SMM", 0.01),
        (0.0, 5, "ABS", "PSA", 0.0),
    ],
)
def test_conversions(speed: float, month: int, from_model: str, to_model: str, expected: float) -> None:
    assert convert(speed, month, from_model, to_model) == pytest.approx(expected, rel=1e-13)


@given(MODELS, MODELS, st.floats(0, 0.014), st.integers(1, 70))
def test_there_and_back(from_model: str, to_model: str, speed: float, month: int) -> None:
    there = float(convert(speed, month, from_model, to_model))
    if there < 1 or to_model == "PSA":  # 70 months of 1.4% ABS are near its pole
        assert convert(there, month, to_model, from_model) == pytest.approx(speed, rel=1e-9, abs=1e-15)


def test_columns_broadcast() -> None:
    found = convert([[0.01], [0.02]], [1, 11, 21], "ABS", "SMM")
    by_hand = [[s / (1 - s * (m - 1)) for m in (1, 11, 21)] for s in (0.01, 0.02)]
    np.testing.assert_allclose(found, by_hand, rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1.0, 5, "CPR", "ABS"), OutOfRange),
        ((150.0, 5, "PSA", "ABS"), OutOfRange),
        ((-0.01, 5, "SMM", "ABS"), OutOfRange),
        ((float("nan"), 5, "SMM", "ABS"), OutOfRange),
        ((0.01, 0, "SMM", "ABS"), OutOfRange),
        ((0.01, 5, "SMN", "ABS"), UnknownName),
        ((0.01, 5, "SMM", "ABC"), UnknownName),
    ],
)
def test_conversions_that_cannot_be(arguments: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        convert(*arguments)


# --- historical speeds ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "age", "earlier", "speed"),
    [
        # 100 contracts, one prepays a month: 80 after 20 months, and from 90 to 80 in the last ten of them.
        (0.80, 20, 0, 0.01),
        (80 / 90, 20, 10, 0.01),
        (1.0, 20, 0, 0.0),
        (0.0, 50, 0, 0.02),
    ],
)
def test_historical_abs_from_counts(left: float, age: int, earlier: int, speed: float) -> None:
    assert historical_abs(left, age, earlier) == pytest.approx(speed, rel=1e-14)


@pytest.mark.parametrize("arguments", [(1.2, 20), (-0.1, 20), (0.9, 0), (0.9, 20, 20), (0.9, 20, -1)])
def test_historical_abs_that_cannot_be(arguments: Any) -> None:
    with pytest.raises(OutOfRange):
        historical_abs(*arguments)


def test_part_not_prepaid_takes_the_schedule_out() -> None:
    # 1,200 without interest over 12 months: 900 is scheduled after 3, so 810 is 90% of the contracts
    assert part_not_prepaid(1200.0, 810.0, 0.0, 12, 3) == pytest.approx(0.9, rel=1e-15)
    with pytest.raises(OutOfRange, match="last scheduled payment"):
        part_not_prepaid(1200.0, 0.0, 0.0, 12, 12)


LINES = st.lists(
    st.tuples(st.floats(1e3, 1e8), st.floats(0, 0.3), st.integers(13, 80), st.integers(0, 40)),
    min_size=1,
    max_size=5,
)


@given(LINES, MODELS, st.floats(0.0005, 0.012), st.integers(1, 12))
def test_the_speed_of_a_projection_is_found_again(
    lines: list[tuple[float, float, int, int]], model: str, speed: float, months: int
) -> None:
    pool = pool_from_rows([[balance, rate, left + age, left] for balance, rate, left, age in lines])
    balance = float(project(pool, np.array([speed]), model, months).ending_balance[0, -1])
    assert historical_speed(pool, balance, months, model) == pytest.approx(speed, rel=1e-7)


def test_a_pool_that_did_not_prepay_has_no_speed() -> None:
    pool = pool_from_rows([[1200.0, 0.0, 12.0, 12.0]])
    assert historical_speed(pool, 1000.0, 2) == 0
    with pytest.raises(NoRoot, match=r"1,000\.01 is left, more than the schedule leaves: 1,000\.00"):
        historical_speed(pool, 1000.01, 2)
    with pytest.raises(NoRoot, match="no SMM speed"):
        historical_speed(pool, 0.0, 2, "SMM")
    with pytest.raises(OutOfRange):
        historical_speed(pool, 900.0, 0)
