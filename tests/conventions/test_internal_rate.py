"""IRR and XIRR: every root is found, the documented one is taken, a missing one is explained."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from xlmodel.conventions.internal_rate import internal_rates, irr, xirr
from xlmodel.errors import NoRoot, OutOfRange, WrongKind, WrongShape


@pytest.mark.parametrize(
    ("flows", "guess", "right"),
    [
        ([-100, 110], None, 0.10),
        ([100, -110], None, 0.10),
        ([-100, 100], None, 0.0),
        ([-100, 50], None, -0.5),
        ([-100, 0, 0, 133.1], None, 0.10),
        ([0, -100, 110, 0], None, 0.10),
        ([-1, 2.2, -1.21], None, 0.10),  # a root that only touches zero
        # two roots, 10% and 20%: the least that is not negative; a guess picks the nearest
        ([-100, 230, -132], None, 0.10),
        ([-100, 230, -132], 0.5, 0.20),
        ([-100, 230, -132], 0.0, 0.10),
        # -50% and -20%: none is positive, so the one nearest to zero
        ([-100, 130, -40], None, -0.2),
        ([-100, 130, -40], -0.9, -0.5),
        # -50% and 20%
        ([-100, 170, -60], None, 0.2),
        ([-100, 170, -60], -0.4, -0.5),
    ],
)
def test_irr(flows: list[float], guess: float | None, right: float) -> None:
    assert irr(flows, guess) == pytest.approx(right, rel=1e-7 if flows[1:2] == [2.2] else 2e-13, abs=1e-15)


@given(st.lists(st.floats(-0.9, 3), min_size=1, max_size=4), st.floats(1e-6, 1e9))
def test_every_root_is_found(rates: list[float], scale: float) -> None:
    roots = np.sort(rates)
    assume(all(np.diff(np.log1p(roots)) > 0.05))
    # the product of (1 - (1 + r) x): its coefficients are flows with exactly these rates
    flows = np.array([scale])
    for each in roots:
        flows = np.convolve(flows, [1.0, -(1 + each)])
    found = internal_rates(flows, np.arange(len(flows)))
    np.testing.assert_allclose(1 + found, 1 + roots, rtol=1e-9)
    if abs(roots).min() > 1e-6:  # else the last bits decide on which side of zero it lies
        wanted = roots[roots >= 0].min() if (roots >= 0).any() else roots.max()
        assert irr(flows) == pytest.approx(wanted, rel=1e-7, abs=1e-9)


@given(st.floats(-0.5, 1), st.lists(st.floats(0.01, 1e6), min_size=1, max_size=60), st.floats(1e-6, 1e12))
def test_an_investment_has_one_rate_at_any_scale(r: float, received: list[float], scale: float) -> None:
    price = sum(flow * (1 + r) ** -(k + 1) for k, flow in enumerate(received))
    assert irr([-price, *received]) == pytest.approx(r, rel=1e-9, abs=1e-12)
    assert irr([-price * scale, *(flow * scale for flow in received)]) == pytest.approx(
        r, rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize(
    ("flows", "sentence"),
    [
        ([100, 110], "do not change sign"),
        ([0, 0], "do not change sign"),
        ([-100, 0, 0], "do not change sign"),
        ([-100, 150, -100], "at no rate"),
        ([100, -150, 100], "at no rate"),
    ],
)
def test_no_rate_with_its_reason(flows: list[float], sentence: str) -> None:
    with pytest.raises(NoRoot, match=sentence):
        irr(flows)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: irr([-100]), WrongShape),
        (lambda: irr([]), WrongShape),
        (lambda: irr(["-100", "110"]), WrongKind),
        (lambda: irr([-100, float("nan")]), OutOfRange),
        (lambda: irr([-100, 110], -1), OutOfRange),
        (lambda: irr([-100, 110], float("nan")), OutOfRange),
        (lambda: xirr([-100, 110], [date(2020, 1, 1)]), WrongShape),
        (lambda: xirr([-100, 110], ["a", "b"]), WrongKind),
        (lambda: xirr([-100, 110], [60, 61]), OutOfRange),
        (lambda: internal_rates([-100, 110], [0]), WrongShape),
    ],
)
def test_bad_input(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


# --- dated flows ------------------------------------------------------------------------------------


@given(st.floats(-0.95, 20), st.integers(1, 20_000))
def test_xirr_of_two_flows_is_closed(r: float, days: int) -> None:
    start = date(1999, 10, 28)
    received = 1_000 * (1 + r) ** (days / 365)
    assume(received > 1e-6)
    flows, dates = [-1_000.0, received], [start, start + timedelta(days=days)]
    assert 1 + xirr(flows, dates) == pytest.approx(1 + r, rel=1e-11 * max(1, 365 / days))
    assert xirr(flows[::-1], dates[::-1]) == xirr(flows, dates)


def test_xirr_adds_up_a_day() -> None:
    days = [date(2020, 1, 1), date(2021, 1, 1), date(2020, 1, 1), date(2021, 1, 1)]
    # 366 days: 2020 was a leap year
    assert xirr([-60, 100, -40, 10], days) == pytest.approx(1.1 ** (365 / 366) - 1, rel=1e-13)
    with pytest.raises(NoRoot, match="do not change sign"):
        xirr([-100, 100, 0, 10], [date(2020, 1, 1)] * 3 + [date(2021, 1, 1)])


def test_xirr_takes_serials() -> None:
    # source: Microsoft's help on XIRR: 37.34%
    dates = [39448, 39508, 39751, 39859, 39904]
    assert round(xirr([-10000, 2750, 4250, 3250, 2750], dates), 4) == 0.3734


def test_a_rate_beyond_all_bounds_is_refused() -> None:
    with pytest.raises(NoRoot, match="ordinary size"):
        xirr([-1, 1e9], [date(2020, 1, 1), date(2020, 1, 2)])


def test_flows_that_change_sign_all_the_time() -> None:
    # 30 years of months, 100 paid now, then 1 received and 0.5 paid in turn, 200 at the end
    flows = [-100.0, *[1.0, -0.5] * 180, 200.0]
    rate = irr(flows)
    worth = sum(amount / (1 + rate) ** month for month, amount in enumerate(flows))
    assert abs(worth) < 1e-9
    with pytest.raises(NoRoot, match="change sign 601 times, more than 500"):
        irr([-100.0, *[1.0, -0.5] * 300, 200.0])
