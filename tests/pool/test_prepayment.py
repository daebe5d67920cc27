"""Prepayment models against published examples and against each other's definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import OutOfRange, UnknownName, WrongShape
from xlmodel.pool import prepayment, survival


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
        # Bond Market Association, Standard Formulas, B.2.c: 0.2% CPR a month up to 6% in month 30.
        ("PSA", 1.0, 1, 1 - 0.998 ** (1 / 12)),
        ("PSA", 1.5, 20, 1 - 0.94 ** (1 / 12)),
        ("PSA", 1.5, 29, 1 - 0.913 ** (1 / 12)),
        ("PSA", 1.5, 30, 1 - 0.91 ** (1 / 12)),
        ("PSA", 1.5, 200, 1 - 0.91 ** (1 / 12)),
        ("PSA", 0.0, 20, 0.0),
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


@given(
    st.sampled_from(sorted(prepayment.PREPAYMENTS)),
    st.lists(st.floats(0, 0.9), min_size=1, max_size=6),
    st.lists(st.integers(0, 60), min_size=1, max_size=4),
    st.integers(0, 40),
    st.sampled_from(survival.VECTORS),
)
def test_survivors_of_a_vector_are_products_too(
    model: str, speeds: list[float], ages: list[int], months: int, by: str
) -> None:
    smm = prepayment.find(model).smm
    found = survival.of_vector(smm, np.array([speeds, speeds[::-1]]), np.array(ages), months, by)
    assert found.shape == (2, months + 1, len(ages))
    for scenario, vector in enumerate((speeds, speeds[::-1])):
        for contract, age in enumerate(ages):
            left = [1.0]
            for month in range(1, months + 1):
                place = (age + month if by == "age" else month) - 1
                speed = vector[min(place, len(vector) - 1)]  # the last holds on
                left.append(left[-1] * (1 - float(smm(np.float64(speed), np.float64(age + month)))))
            if by == "age" and any(
                float(smm(np.float64(vector[min(m, len(vector)) - 1]), np.float64(m))) == 1
                for m in range(1, age + 1)
            ):
                left = [1.0] + [0.0] * months  # nobody lived to be so old: it leaves at once
            np.testing.assert_allclose(found[scenario, :, contract], left, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("model", sorted(prepayment.PREPAYMENTS))
@pytest.mark.parametrize("by", survival.VECTORS)
def test_a_vector_of_one_speed_is_that_speed(model: str, by: str) -> None:
    found = prepayment.find(model)
    ages, speeds = np.array([0.0, 7.0, 33.0]), np.array([0.004, 0.011])
    constant = found.survivors(speeds[:, None, None], ages, np.arange(31.0)[:, None])
    vector = survival.of_vector(found.smm, speeds[:, None], ages, 30, by)
    np.testing.assert_allclose(vector, constant, rtol=1e-12)


def test_vectors_that_cannot_be() -> None:
    smm = prepayment.find("CPR").smm
    with pytest.raises(UnknownName, match="period, age"):
        survival.of_vector(smm, np.array([[0.1]]), np.array([0]), 3, "year")
    for speeds in (np.array([0.1]), np.zeros((2, 0))):
        with pytest.raises(WrongShape, match="one row a scenario"):
            survival.of_vector(smm, speeds, np.array([0]), 3)


def test_an_old_contract_at_a_high_speed_pays_off_in_the_first_month() -> None:
    survivors = prepayment.find("ABS").survivors(one(0.05), one(30), np.array([0.0, 1.0, 2.0]))
    assert survivors.tolist() == [1, 0, 0]


@pytest.mark.parametrize("speed", [-0.001, 1.0, 1.5, float("nan")])
def test_speeds_without_meaning_are_refused(speed: float) -> None:
    with pytest.raises(OutOfRange):
        prepayment.check_speeds(one(speed))


@pytest.mark.parametrize("speed", [-0.001, 100.0, 150.0, float("nan")])
def test_multiples_without_meaning_are_refused(speed: float) -> None:
    prepayment.check_speeds(np.array([0.0, 1.5, 50.0]), "PSA")
    with pytest.raises(OutOfRange) as raised:
        prepayment.check_speeds(one(speed), "PSA")
    assert not speed >= 100 or "write 150% PSA as 1.5" in str(raised.value)


def test_an_unknown_model_is_refused_with_what_is_near() -> None:
    with pytest.raises(UnknownName, match="ABS"):
        prepayment.find("ABSS")
