"""Prepayment models against published examples and against each other's definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import OutOfRange, UnknownName
from xlmodel.pool import prepayment


def one(value: float) -> np.ndarray:
    return np.array([value])


@pytest.mark.parametrize(
    ("model", "speed", "month", "expected"),
    [
        # K. Allman, Modeling Structured Finance Cash Flows, page 45: 1.5% ABS, month 5: SMM 1.60%.
        ("ABS", 0.015, 5, 0.015 / (1 - 0.06)),
        ("ABS", 0.015, 1, 0.015),
        ("ABS", 0.0, 40, 0.0),
        # 2% of the original number: after 49 months 2 of 100 are left, and in the 50th both prepay.
        ("ABS", 0.02, 50, 1.0),
        ("ABS", 0.02, 60, 1.0),
        ("SMM", 0.01, 7, 0.01),
        # The definition.
        ("CPR", 0.06, 3, 1 - 0.94 ** (1 / 12)),
    ],
)
def test_smm(model: str, speed: float, month: float, expected: float) -> None:
    found = prepayment.find(model).smm(one(speed), one(month))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-15)


@given(
    st.sampled_from(sorted(prepayment.PREPAYMENTS)),
    st.floats(0, 0.05),
    st.integers(0, 70),
    st.integers(0, 60),
)
def test_survivors_are_the_product_of_those_who_do_not_prepay(
    model: str, speed: float, age: int, months: int
) -> None:
    found = prepayment.find(model)
    left = 1.0
    for month in range(age + 1, age + months + 1):
        left *= 1 - float(found.smm(one(speed), one(month))[0])
    closed = float(np.ravel(found.survivors(one(speed), one(age), one(months)))[0])
    assert closed == pytest.approx(left, rel=1e-9, abs=1e-12)


def test_an_old_contract_at_a_high_speed_pays_off_in_the_first_month() -> None:
    survivors = prepayment.find("ABS").survivors(one(0.05), one(30), np.array([0.0, 1.0, 2.0]))
    assert survivors.tolist() == [1, 0, 0]


@pytest.mark.parametrize("speed", [-0.001, 1.0, 1.5, float("nan")])
def test_speeds_without_meaning_are_refused(speed: float) -> None:
    with pytest.raises(OutOfRange):
        prepayment.check_speeds(one(speed))


def test_an_unknown_model_is_refused_with_what_is_near() -> None:
    with pytest.raises(UnknownName, match="ABS"):
        prepayment.find("ABSS")
