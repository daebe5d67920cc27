"""Default curves against the standard's definition, net loss curves against sums by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import OutOfRange, UnknownName, WrongShape, XlmodelError
from xlmodel.pool import loss
from xlmodel.pool.contracts import pool_from_rows
from xlmodel.pool.projection import project


@pytest.mark.parametrize(
    ("month", "percent"),
    [
        # Bond Market Association, Standard Formulas, C.4 and Cash Flow B: annual rate at 100% SDA.
        (1, 0.02), (15, 0.30), (30, 0.60), (45, 0.60), (60, 0.60),
        (61, 0.5905), (72, 0.4860), (96, 0.2580), (97, 0.2485), (119, 0.0395), (120, 0.03), (300, 0.03),
    ],
)  # fmt: skip
def test_sda(month: int, percent: float) -> None:
    assert loss.mdr(1.0, month, "SDA") == pytest.approx(1 - (1 - percent / 100) ** (1 / 12), rel=1e-12)
    assert loss.mdr(2.0, month, "sda") == pytest.approx(1 - (1 - percent / 50) ** (1 / 12), rel=1e-12)


def test_cdr_and_mdr_do_not_look_at_the_age() -> None:
    assert loss.mdr(0.02, [1, 50], "CDR") == pytest.approx([1 - 0.98 ** (1 / 12)] * 2, rel=1e-13)
    assert loss.mdr([0.02, 0.01], 7, "MDR").tolist() == [0.02, 0.01]
    assert loss.mdr(999.0, 60, "SDA") == 1  # never more than all of it


@given(
    st.sampled_from(["SDA", "CDR", "MDR"]),
    st.lists(st.floats(0, 0.9), min_size=1, max_size=3),
    st.lists(st.integers(0, 150), min_size=1, max_size=3),
    st.integers(0, 60),
)
def test_survivors_are_the_product_of_those_who_do_not_default(
    model: str, speeds: list[float], ages: list[int], months: int
) -> None:
    found = loss.survivors(speeds, ages, months, model)
    assert found.shape == (len(speeds), months + 1, len(ages))
    for s, speed in enumerate(speeds):
        for n, age in enumerate(ages):
            rates = [float(loss.mdr(speed, age + month, model)) for month in range(1, months + 1)]
            left = np.cumprod([1.0, *(1 - rate for rate in rates)])
            np.testing.assert_allclose(found[s, :, n], left, rtol=1e-10, atol=1e-15)


def test_survivors_of_a_vector() -> None:
    by_period = loss.survivors([[0.1, 0.2]], [0, 5], 3, "MDR")
    expected = np.array([[1.0, 1.0], [0.9, 0.9], [0.72, 0.72], [0.576, 0.576]])
    np.testing.assert_allclose(by_period[0], expected, rtol=1e-14)
    by_age = loss.survivors([[0.1, 0.2]], [0, 5], 2, "MDR", by="age")
    np.testing.assert_allclose(by_age[0], np.array([[1.0, 1.0], [0.9, 0.8], [0.72, 0.64]]), rtol=1e-14)


def test_defaults_and_prepayments_side_by_side() -> None:
    """What performs is the schedule times the survivors of both: 1,200 without interest, one month."""
    pool = pool_from_rows([[1200.0, 0.0, 12.0, 12.0]])
    prepaid = project(pool, np.array([0.1]), "SMM", 2).ending_balance[0]
    left = loss.survivors([0.05], pool.age, 2, "MDR")[0, 1:, 0]
    # 1,100 scheduled, 10% prepay, 5% defaulted; then 1,000, twice
    assert (prepaid * left).tolist() == pytest.approx([1100 * 0.9 * 0.95, 1000 * 0.81 * 0.9025])


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ((1.0, 5, "CDR"), OutOfRange, "write 2% as 0.02"),
        ((1000.0, 5, "SDA"), OutOfRange, "write 150% SDA as 1.5"),
        ((-0.1, 5, "MDR"), OutOfRange, "zero or more"),
        ((0.1, 0, "MDR"), OutOfRange, "give 1 or more"),
        ((0.1, 5, "CDS"), UnknownName, "known: CDR"),
        ((0.1, 5, "CNL"), UnknownName, "use one of SDA, CDR, MDR"),
    ],
)
def test_rates_that_cannot_be(arguments: Any, error: type[XlmodelError], sentence: str) -> None:
    with pytest.raises(error) as raised:
        loss.mdr(*arguments)
    assert sentence in str(raised.value)
    if arguments[1] >= 1:
        with pytest.raises(error):
            loss.survivors([arguments[0]], [0], 3, arguments[2])


# --- net loss curves --------------------------------------------------------------------------------------


def test_net_loss_by_hand() -> None:
    # 10% of 1,000 is lost, half of what defaults: 200 default, 100 in the first month, 50 in the others.
    found = loss.net_loss_defaults(0.1, [0.5, 0.25, 0.25], 0.5, 1000.0, [[1000.0, 900.0, 800.0]])
    assert found.amount.tolist() == [[100, 50, 50]]
    left = [1, 0.9, 0.9 - 50 / 900, 0.9 - 50 / 900 - 50 / 800]
    assert found.survivors[0].tolist() == pytest.approx(left, rel=1e-15)


@given(
    st.lists(st.floats(0, 0.05), min_size=1, max_size=4),
    st.lists(st.floats(0, 1), min_size=1, max_size=24),
    st.floats(0.3, 1),
    st.floats(0, 0.02),
)
def test_losses_sum_to_the_net_loss(
    net_loss: list[float], weights: list[float], severity: float, speed: float
) -> None:
    timing = np.array(weights) / sum(weights) if sum(weights) > 1e-9 else np.array([1.0])
    pool = pool_from_rows([[1e8, 0.07, 72.0, 60.0], [3e7, 0.12, 66.0, 65.0]])
    collected = project(pool, np.full(len(net_loss), speed))
    beginning = collected.beginning_balance
    found = loss.net_loss_defaults(net_loss, timing, severity, 1.3e8, beginning)
    np.testing.assert_allclose(
        found.amount.sum(axis=1) * severity, np.array(net_loss) * 1.3e8, rtol=1e-12, atol=1e-9
    )
    assert ((found.survivors >= 0) & (found.survivors <= 1)).all()
    assert (np.diff(found.survivors) <= 0).all()
    # a default takes its part of what performs
    gone = -np.diff(found.survivors) * beginning
    np.testing.assert_allclose(gone, found.amount, rtol=1e-9, atol=1e-6)


def test_a_curve_that_cannot_be_reached_is_refused_with_its_month() -> None:
    with pytest.raises(OutOfRange) as raised:
        loss.net_loss_defaults([0.01, 0.1], [0.5, 0.25, 0.25], 0.5, 1000.0, [[1000, 900, 40]] * 2)
    assert "month 3: 50.00 would default, of a performing balance of 33.78 (scenario 2)" in str(raised.value)
    assert "lower the net loss" in str(raised.value)
    with pytest.raises(OutOfRange, match=r"month 1: 2,000\.00 would default"):
        loss.net_loss_defaults(1.0, [1.0], 0.5, 1000.0, [[1000.0]])


def test_all_of_it_may_default() -> None:
    found = loss.net_loss_defaults(0.5, [1.0], 0.5, 1000.0, [[1000.0, 0.0]])
    assert found.survivors.tolist() == [[1, 0, 0]]
    assert loss.net_loss_defaults(0.0, [1.0], 0.0, 1000.0, [[1000.0]]).amount.tolist() == [[0]]


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        ({"net_loss": 1.2}, OutOfRange, "net loss of 1.2"),
        ({"net_loss": float("nan")}, OutOfRange, "net loss of nan"),
        ({"severity": 0.0}, OutOfRange, "severity above 0"),
        ({"severity": 1.4}, OutOfRange, "severity of 1.4"),
        ({"timing": [0.5, 0.4]}, OutOfRange, "sums to 0.9"),
        ({"timing": [1.5, -0.5]}, OutOfRange, "timing, month 2: -0.5"),
        ({"timing": [0.5, float("nan")]}, OutOfRange, "timing, month 2"),
        ({"timing": []}, WrongShape, "one fraction a month"),
        ({"timing": 1.0}, WrongShape, "one fraction a month"),
        ({"timing": [0.5, 0.25, 0.25]}, OutOfRange, "losses in month 3, the balances end in month 2"),
        ({"original_balance": -1.0}, OutOfRange, "original balance of -1"),
    ],
)
def test_net_losses_that_cannot_be(change: dict[str, Any], error: type[XlmodelError], sentence: str) -> None:
    arguments = {
        "net_loss": 0.01,
        "timing": [0.5, 0.5],
        "severity": 0.5,
        "original_balance": 1000.0,
        "beginning_balance": [[1000.0, 900.0]],
    }
    with pytest.raises(error) as raised:
        loss.net_loss_defaults(**{**arguments, **change})
    assert sentence in str(raised.value)


def test_a_timing_may_be_shorter_than_the_pool_or_end_in_zeros() -> None:
    short = loss.net_loss_defaults(0.01, [1.0], 0.5, 1000.0, [[1000.0, 900.0]])
    long = loss.net_loss_defaults(0.01, [1.0, 0.0, 0.0], 0.5, 1000.0, [[1000.0, 900.0]])
    assert short.amount.tolist() == long.amount.tolist() == [[20, 0]]


# --- recoveries -------------------------------------------------------------------------------------------


def test_recoveries_come_after_their_lag() -> None:
    assert loss.recoveries([[100.0, 50.0]], 0.4, 2).tolist() == [[0, 0, 60, 30]]
    assert loss.recoveries([100.0, 50.0], 0.4).tolist() == [[60, 30]]
    assert loss.recoveries([[100.0], [100.0]], [0.4, 1.0], 1).tolist() == [[0, 60], [0, 0]]
    assert loss.recoveries([[100.0, 100.0]], [[0.4, 0.5]]).tolist() == [[60, 50]]


@pytest.mark.parametrize("arguments", [([[-1.0]], 0.4, 0), ([[1.0]], 1.1, 0), ([[1.0]], 0.4, -1)])
def test_recoveries_that_cannot_be(arguments: Any) -> None:
    with pytest.raises(OutOfRange):
        loss.recoveries(*arguments)
