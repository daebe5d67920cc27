"""Level payments against the same formulas in eighty decimal digits, and against themselves."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.annuity import (
    balance_after,
    interest_part,
    level_schedule,
    payment,
    principal_part,
    rate,
    terms,
)
from xlmodel.errors import NoRoot, OutOfRange, WrongKind

RATES = st.one_of(
    st.sampled_from([0.0, 1e-15, -1e-15, 1e-12, 1e-9, 0.095 / 12, 0.5, -0.01]), st.floats(-0.05, 0.3)
)


def exact(balance: float, r: float, n: int, balloon: float, due: bool) -> tuple[list[Decimal], Decimal]:
    """The balance after each payment, and the payment, by recursion in eighty digits."""
    with localcontext(prec=80):
        growth = 1 + Decimal(r)
        paid = sum((growth**-k for k in range(1, n + 1)), Decimal(0)) * (growth if due else 1)
        level = (Decimal(balance) - Decimal(balloon) * growth**-n) / paid
        balances = [Decimal(balance)]
        for number in range(n):
            before = balances[-1] if due and number == 0 else balances[-1] * growth
            balances.append(before - level)
        return balances, level


@given(
    st.floats(1, 1e9),
    RATES,
    st.integers(1, 400),
    st.sampled_from([0.0, 0.25, 1.0, 1.5]),
    st.booleans(),
    st.data(),
)
def test_against_eighty_digits(balance: float, r: float, n: int, part: float, due: bool, data: Any) -> None:
    balloon = balance * part
    balances, level = exact(balance, r, n, balloon, due)
    number = data.draw(st.integers(1, n))
    loan = (balance, r, n)
    rest = (balloon, due)
    assert payment(*loan, *rest) == pytest.approx(float(level), rel=1e-12, abs=1e-14 * balance)
    after = balance_after(*loan, number, *rest)
    assert after == pytest.approx(float(balances[number]), rel=1e-12, abs=1e-14 * balance)
    interest = interest_part(*loan, number, *rest)
    right = Decimal(0) if due and number == 1 else balances[number - 1] * Decimal(r)
    assert interest == pytest.approx(float(right), rel=1e-12, abs=1e-15 * balance)
    principal = principal_part(*loan, number, *rest)
    assert principal == pytest.approx(float(level - right), rel=1e-11, abs=1e-14 * balance)


def test_the_last_balances_of_a_long_loan_keep_their_digits() -> None:
    # 480 payments at 9.5%: the last balance is one discounted payment, whatever went before
    level = payment(250_000, 0.095 / 12, 480)
    assert balance_after(250_000, 0.095 / 12, 480, 479) == pytest.approx(level / (1 + 0.095 / 12), rel=1e-14)
    assert balance_after(250_000, 0.095 / 12, 480, 480) == 0.0


def test_columns_broadcast() -> None:
    rates = np.array([0.0, 0.01])[:, None]
    column = payment(1_200, rates, [12, 24, 36])
    assert column.shape == (2, 3)
    assert column[0].tolist() == [100, 50, pytest.approx(100 / 3)]
    assert column[1, 2] == payment(1_200, 0.01, 36)
    schedule = balance_after(1_200, 0.01, 12, np.arange(13))
    assert schedule[0] == 1_200
    assert schedule[-1] == 0
    parts = interest_part(1_200, 0.01, 12, np.arange(1, 13)) + principal_part(
        1_200, 0.01, 12, np.arange(1, 13)
    )
    np.testing.assert_allclose(parts, payment(1_200, 0.01, 12), rtol=1e-14)


@given(
    st.floats(1, 1e9), st.floats(-0.02, 0.2), st.integers(1, 400), st.sampled_from([0.0, 0.5]), st.booleans()
)
def test_terms_and_rate_lead_back(balance: float, r: float, n: int, part: float, due: bool) -> None:
    level = payment(balance, r, n, balance * part, due)
    if due and level > 0.999 * balance:
        return  # paid at once: no time passes, so there is no rate
    found = rate(balance, n, level, balance * part, due)
    assert payment(balance, found, n, balance * part, due) == pytest.approx(
        level, rel=1e-12, abs=1e-12 * balance
    )
    # a payment that is almost all interest says little of the terms
    if level > 1.0001 * abs(r) * balance:
        assert terms(balance, r, level, balance * part, due) == pytest.approx(n, rel=1e-7)


@pytest.mark.parametrize(
    ("loan", "count"),
    [
        ((100, 0, 10), 10),
        ((100, 1e-14, 10), 10 + 5.5e-13),
        ((100, 0.01, 200), 0.5037563),  # log(200 / 199) / log(1.01)
        ((50, 0.01, 10, 50), 0),
    ],
)
def test_terms(loan: Any, count: float) -> None:
    assert terms(*loan) == pytest.approx(count, rel=1e-7)


@pytest.mark.parametrize(
    "loan", [(100, 0.01, 1), (100, 0.01, 0.5), (100, 0, 0), (100, 0, -1), (100, 0.01, 5, 200)]
)
def test_terms_that_never_come(loan: Any) -> None:
    with pytest.raises(NoRoot, match="does not cover the interest"):
        terms(*loan)


def test_a_rate_of_zero_is_found() -> None:
    assert rate(360_000, 360, 1_000) == pytest.approx(0, abs=1e-17)
    assert rate(100, 1, 110) == pytest.approx(0.10, rel=1e-15)
    assert rate(100, 2, 40) < 0


@pytest.mark.parametrize(
    ("loan", "error"),
    [
        ((100, 12, 0), NoRoot),
        ((100, 12, -10), NoRoot),
        ((100, 0, 10), OutOfRange),
        ((-100, 12, 10), OutOfRange),
        ((100, 12, float("nan")), OutOfRange),
        ((100, 12, "10"), WrongKind),
    ],
)
def test_rates_that_are_not(loan: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        rate(*loan)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: payment(100, -1, 12), OutOfRange),
        (lambda: payment(100, 0.01, 0), OutOfRange),
        (lambda: payment(100, float("nan"), 12), OutOfRange),
        (lambda: payment("100", 0.01, 12), WrongKind),
        (lambda: payment(True, 0.01, 12), WrongKind),
        (lambda: interest_part(100, 0.01, 12, 0), OutOfRange),
        (lambda: principal_part(100, 0.01, 12, 13), OutOfRange),
        (lambda: balance_after(100, 0.01, 12, -1), OutOfRange),
        (lambda: level_schedule(100, 0.05, 0), OutOfRange),
    ],
)
def test_bad_input(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


@given(st.integers(0, 10**9), st.integers(0, 4_000), st.integers(1, 400))
def test_a_schedule_to_the_cent_conserves_the_balance(balance: int, basis_points: int, n: int) -> None:
    schedule = level_schedule(balance, basis_points / 10_000, n)
    assert schedule.principal.sum() == balance
    assert schedule.balance[-1] == 0
    assert (schedule.balance >= 0).all()
    assert (schedule.payment == schedule.interest + schedule.principal).all()
    assert (np.diff(schedule.balance, prepend=balance) == -schedule.principal).all()
