"""Level payments in cells against a loan paid month by month in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlmodel.functions import call
from xlmodel.functions.cells import CellError


def month_by_month(
    balance: Fraction, rate: Fraction, terms: int, balloon: Fraction, due: bool
) -> list[list[float]]:
    """Payment, interest, principal, balance of each month: the payment by the sum of discount factors."""
    growth = 1 + rate
    worth = sum((1 / growth**n for n in range(1, terms + 1)), start=Fraction(0))
    payment = (balance - balloon / growth**terms) / worth / (growth if due else 1)
    rows = []
    for number in range(1, terms + 1):
        # in advance, the first payment comes before any interest; after that a month lies between two
        interest = Fraction(0) if due and number == 1 else balance * rate
        principal = payment - interest
        balance -= principal
        rows.append([float(each) for each in (payment, interest, principal, balance)])
    return rows


@settings(max_examples=50)
@given(
    st.integers(1, 10**11),
    st.integers(0, 300),
    st.integers(2, 24),
    st.sampled_from([0, 1, 3]),
    st.booleans(),
)
def test_a_loan_in_fractions(cents: int, thousandths: int, terms: int, part: int, due: bool) -> None:
    balance, annual = Fraction(cents, 100), Fraction(thousandths, 1000)
    balloon = balance * part / 4
    rows = month_by_month(balance, annual / 12, terms, balloon, due)
    numbers: Any = [[float(number)] for number in range(1, terms + 1)]
    loan = [float(balance), float(annual), float(terms)]
    options = [float(balloon), due]
    near = pytest.approx
    assert call("XM_PAYMENT", [*loan, *options]) == near(rows[0][0], rel=1e-12)
    for name, place in (("XM_INTEREST_PART", 1), ("XM_PRINCIPAL_PART", 2), ("XM_BALANCE_AFTER", 3)):
        found = call(name, [*loan, numbers, *options])
        assert isinstance(found, list)
        assert [row[0] for row in found] == near([row[place] for row in rows], rel=1e-9, abs=1e-9 * cents)


@pytest.mark.parametrize("due", [False, True])
def test_terms_and_rate_lead_back(due: bool) -> None:
    payment = call("XM_PAYMENT", [250_000.0, 0.0725, 84.0, 40_000.0, due])
    assert call("XM_TERMS", [250_000.0, 0.0725, payment, 40_000.0, due]) == pytest.approx(84, rel=1e-12)
    assert call("XM_RATE", [250_000.0, 84.0, payment, 40_000.0, due]) == pytest.approx(0.0725, rel=1e-12)


def test_without_interest_and_in_advance() -> None:
    assert call("XM_TERMS", [1000.0, 0.0, 100.0]) == 10
    assert call("XM_RATE", [1200.0, 12.0, 100.0]) == 0
    negative = call("XM_RATE", [1200.0, 12.0, 90.0])  # less is paid than was lent
    assert isinstance(negative, float)
    assert sum(90 / (1 + negative / 12) ** n for n in range(1, 13)) == pytest.approx(1200, rel=1e-12)
    # numpy/numpy-financial, issue 17: the first payment in advance is principal alone
    assert call("XM_INTEREST_PART", [300_000.0, 12 * 0.001988079518355057, 360.0, 1.0, None, True]) == 0
    found = call("XM_PRINCIPAL_PART", [300_000.0, 12 * 0.001988079518355057, 360.0, 1.0, None, True])
    assert found == pytest.approx(1165.2943357746347, rel=1e-13)


LOAN = [1000.0, 0.12, 12.0]


@pytest.mark.parametrize(
    ("function", "arguments", "code", "sentence"),
    [
        ("XM_PAYMENT", [-1.0, 0.12, 12.0], "#NUM!", "argument balance: the balance -1 is negative"),
        (
            "XM_PAYMENT",
            [1.0, 12.0, 12.0],
            "#NUM!",
            "argument rate: 12 is no rate between 0 and 1 (write 9.995%",
        ),
        ("XM_PAYMENT", [1.0, -0.01, 12.0], "#NUM!", "argument rate"),
        ("XM_PAYMENT", [1.0, 0.12, 0.0], "#NUM!", "argument remaining_term: 0 months left"),
        ("XM_PAYMENT", [1.0, 0.12, 1.5], "#NUM!", "argument remaining_term: a whole number"),
        ("XM_PAYMENT", [1.0, 0.12, 12.0, -5.0], "#NUM!", "argument balloon: the balloon -5 is negative"),
        ("XM_PAYMENT", [1.0, 0.12, 12.0, 0.0, "yes"], "#VALUE!", "argument due"),
        ("XM_INTEREST_PART", [*LOAN, 0.0], "#NUM!", "argument number: there is no payment 0 (give 1 up to"),
        ("XM_PRINCIPAL_PART", [*LOAN, 13.0], "#NUM!", "argument number: there is no payment 13"),
        ("XM_BALANCE_AFTER", [*LOAN, -1.0], "#NUM!", "there is no payment -1 (give 0 up to"),
        ("XM_TERMS", [1000.0, 0.12, 10.0], "#NUM!", "XM-109 argument payment: the balance is never reached"),
        ("XM_TERMS", [1000.0, 0.12, 0.0], "#NUM!", "argument payment: the payment 0 is not above zero"),
        ("XM_RATE", [0.0, 12.0, 100.0], "#NUM!", "argument balance: the balance 0 is not above zero"),
        ("XM_RATE", [1000.0, 12.0, -1.0], "#NUM!", "XM-109 argument payment: no rate makes"),
        ("XM_RATE", [1000.0, 12.0, float("nan")], "#NUM!", "argument payment: a finite number"),
    ],
)
def test_bad_input(function: str, arguments: list[Any], code: str, sentence: str) -> None:
    assert call(function, arguments) == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))
