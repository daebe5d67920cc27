"""Mistakes that other libraries made with pools, prepayments and yields, each with the right value.

The rest of the file is in ``tests/conventions/test_known_bugs.py``.
"""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tests.conventions.test_known_bugs import BUGS, ELSEWHERE
from tests.pool.test_worked_examples import bond_yield, principal, years
from xlmodel.conventions.coupon_period import bond_coupons
from xlmodel.conventions.day_count import days
from xlmodel.conventions.money import truncate
from xlmodel.pool import prepayment
from xlmodel.pool.contracts import pool_from_rows
from xlmodel.pool.projection import project


def smm(model: str, speed: float, month: float) -> float:
    return float(prepayment.find(model).smm(np.float64(speed), np.float64(month)))


@pytest.mark.parametrize(("model", "speed"), [("SMM", 0.99), ("CPR", 0.999999), ("ABS", 0.5), ("PSA", 16.0)])
def test_am13_a_balance_never_passes_zero(model: str, speed: float) -> None:
    found = project(
        pool_from_rows([[1e9, 0.08, 60.0, 24.0], [5.0, 0.0, 24.0, 3.0]]), np.array([speed]), model
    )
    assert (found.ending_balance >= 0).all()
    assert found.ending_balance[0, -1] == 0


def test_pp02_225_psa_in_month_15() -> None:
    assert f"{100 * smm('PSA', 2.25, 15):.4f}" == "0.5807"
    assert smm("PSA", 2.25, 15) == pytest.approx(1 - 0.9325 ** (1 / 12), rel=1e-13)


def test_pp05_age_is_that_of_the_loans() -> None:
    assert smm("ABS", 0.02, 11) == pytest.approx(0.025, rel=1e-14)


def test_pp06_the_pole_of_abs() -> None:
    assert smm("ABS", 0.02, 50) == pytest.approx(1, rel=1e-14)
    assert smm("ABS", 0.02, 51) == 1


def test_pp07_no_more_than_all_of_it() -> None:
    assert smm("PSA", 50.0, 30) == 1
    # 1,680 PSA is 97.4% CPR in month 29 and would be 100.8% in month 30
    survivors = prepayment.find("PSA").survivors(np.float64(16.8), np.float64(0), np.array([29.0, 30.0]))
    assert survivors[0] > 0
    assert survivors[1] == 0


def test_pp09_what_a_pool_has_prepaid_stays_prepaid() -> None:
    """The cumulative prepayments of a pool that is paid off are carried forward beside the others."""
    short, long = [1e6, 0.05, 12.0, 6.0], [2e6, 0.07, 60.0, 48.0]

    def cumulative(*rows: list[float]) -> np.ndarray:
        return np.cumsum(project(pool_from_rows(list(rows)), np.array([0.01])).prepaid_principal[0])

    alone, other, both = cumulative(short), cumulative(long), cumulative(short, long)
    carried = np.concatenate([alone, np.full(len(other) - len(alone), alone[-1])])
    np.testing.assert_allclose(both, other + carried, rtol=1e-12)
    assert (np.diff(both) >= 0).all()


def test_yd02_a_yield_in_the_last_coupon_period() -> None:
    """Simple interest over the days left; the coupon period is its 183 actual days, not 360 / 2."""
    settled, matures = date(2014, 9, 19), date(2014, 10, 20)
    before = bond_coupons(matures, 2).previous(settled)
    spans = ((before, matures), (before, settled), (settled, matures))
    length, passed, left = (days(*span, 2) for span in spans)
    assert (length, passed, left) == (183, 152, 31)
    coupon = 5.25 / 2
    paid = 100.171 + coupon * passed / length
    found = ((100 + coupon) / paid - 1) * 2 * length / left
    assert f"{found:.6f}" == "0.031569"  # what Excel shows; the file gives it cut off, 0.031568
    assert truncate(found, 6) == 0.031568


def test_yd04_a_pass_through_has_no_exception_for_its_last_period() -> None:
    found = bond_yield(100.0, years())
    assert f"{found:.5f}" == "9.10675"
    assert f"{1200 * ((1 + found / 200) ** (1 / 6) - 1):.5f}" == "8.93863"
    assert f"{float(years() @ principal()) / 100:.5f}" == "9.77844"


def test_every_case_left_to_the_pool_has_a_test() -> None:
    own = {name.split("_")[1].upper() for name in globals() if name.startswith("test_") and name[7].isdigit()}
    assert own == ELSEWHERE
    assert set(BUGS) > ELSEWHERE
