"""The lender's tables from a tape and from columns; expected values by hand, or as the reports print them."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import OutOfRange, UnknownName
from xlmodel.lender.allowance import Outlook, Vintages, ending, expected_losses, lifetime_losses, scale
from xlmodel.lender.funding import Facility, headroom
from xlmodel.lender.matrix import matrix
from xlmodel.lender.past_due import labels, past_due
from xlmodel.lender.rates import annual_rate, net_loss_rate, recovery_rate

TIMING = np.array([0.5, 0.3, 0.2])


def vintages(age: int, lost: float | None = None) -> Vintages:
    return Vintages(
        np.array([1000.0]), np.array([age]), np.array([0.02]), None if lost is None else np.array([lost])
    )


# 10-Q for 30 November 2021, page 14, the quarter: amount, printed percentage.
@pytest.mark.parametrize(
    ("amount", "printed"), [(330.0, 0.086), (-53.6, -0.014), (276.4, 0.072), (-76.2, -0.020), (166.0, 0.043)]
)
def test_percentages_of_a_quarter(amount: float, printed: float) -> None:
    assert round(annual_rate(amount, 15288.8, 3), 3) == printed


# Loan performance: charge-offs, recoveries, average, months, printed rate of net losses.
@pytest.mark.parametrize(
    ("out", "back", "average", "months", "printed"),
    [
        (68.2, 20.4, 15288.8, 3, 0.0125),
        (174.5, 90.2, 13381.6, 9, 0.0084),
        (62.9, 26.1, 10297.8, 3, 0.0143),
        (123.8, 62.4, 11921.4, 6, 0.0103),
    ],
)
def test_net_losses(out: float, back: float, average: float, months: int, printed: float) -> None:
    assert round(net_loss_rate(out, back, average, months), 4) == printed


def test_recovery() -> None:
    assert recovery_rate(4860.0, 10000.0) == 0.486


def test_the_allowance_rolls_forward_with_an_adoption() -> None:
    assert ending(157.8, 174.5, 90.2, 156.1, 202.0) == pytest.approx(431.6)  # printed, nine months of 2020


def test_expected_losses_of_a_new_vintage_are_its_curve() -> None:
    assert expected_losses(vintages(0), TIMING, Outlook()).tolist() == [[10.0, 6.0, 4.0]]


def test_what_is_past_is_not_lost_again() -> None:
    assert expected_losses(vintages(2), TIMING, Outlook()).tolist() == [[4.0, 0.0, 0.0]]
    assert expected_losses(vintages(9), TIMING, Outlook()).tolist() == [[0.0, 0.0, 0.0]]


def test_the_scale_goes_back_in_a_straight_line() -> None:
    found = scale(Outlook(1.2, forecast_months=2, reversion_months=4), 8)
    assert found.tolist() == pytest.approx([1.2, 1.2, 1.15, 1.1, 1.05, 1.0, 1.0, 1.0])
    assert scale(Outlook(1.2, forecast_months=1, reversion_months=0), 3).tolist() == [1.2, 1.0, 1.0]


@pytest.mark.parametrize(
    ("age", "credible", "expected"),
    [
        (2, 4, 0.025),  # 24 lost is 80% of 30: own 3%, half credible
        (2, 2, 0.03),
        (2, 0, 0.03),
        (0, 18, 0.02),  # nothing can have been lost yet
    ],
)
def test_a_vintage_is_believed_by_its_age(age: int, credible: int, expected: float) -> None:
    found = lifetime_losses(vintages(age, 24.0 if age else 0.0), TIMING, credible)
    assert found.tolist() == pytest.approx([expected])


@pytest.mark.parametrize("timing", [[0.5, 0.3], [1.2, -0.2]])
def test_a_timing_that_is_none(timing: list[float]) -> None:
    with pytest.raises(OutOfRange, match="timing sum"):
        expected_losses(vintages(0), timing, Outlook())


@given(st.integers(0, 80), st.floats(0, 0.3), st.integers(1, 60))
def test_the_allowance_is_what_the_curve_has_left(age: int, lifetime: float, months: int) -> None:
    timing = np.full(months, 1 / months)
    book = Vintages(np.array([500.0]), np.array([age]), np.array([lifetime]))
    left = max(months - age, 0) / months
    assert expected_losses(book, timing, Outlook()).sum() == pytest.approx(500 * lifetime * left, abs=1e-9)


def test_past_due_buckets() -> None:
    """10-Q for 31 August 2019, page 12: its buckets and their names."""
    found = past_due(np.array([10.0, 20.0, 30.0, 40.0, 50.0]), np.array([0.0, 30.0, 31.0, 90.0, 91.0]))
    assert found.labels == (
        "Current",
        "31-60 days past due",
        "61-90 days past due",
        "Greater than 90 days past due",
    )
    assert found.counts.tolist() == [2, 1, 1, 1]
    assert found.balances.tolist() == [30.0, 30.0, 40.0, 50.0]
    assert found.past_due == 120.0
    assert labels((10,)) == ("Current", "Greater than 10 days past due")


def test_a_matrix_with_totals() -> None:
    found = matrix(
        np.array([1.0, 2.0, 4.0]), ["A", "b", "A"], ["2021", "2020", "2020"], ["A", "B"], ["2021", "2020"]
    )
    assert found.tolist() == [[1.0, 4.0, 5.0], [0.0, 2.0, 2.0], [1.0, 6.0, 7.0]]


def test_a_grade_that_is_none_is_named_with_its_row() -> None:
    with pytest.raises(UnknownName, match="'D' is none of A, B") as raised:
        matrix(np.ones(2), ["A", "D"], ["2021", "2021"], ["A", "B"], ["2021"])
    assert raised.value.place.row == 2


def test_headroom_falls_as_facilities_expire() -> None:
    """10-Q for 30 November 2021, note 10: limits of 0.18, 2.35 and 2.30 billion, 3.16 drawn, 1.67 unused."""
    facilities = [
        Facility(0.18, dt.date(2021, 12, 31)),
        Facility(2.35, dt.date(2022, 2, 28)),
        Facility(2.30, dt.date(2022, 8, 31)),
    ]
    assert headroom(facilities, 3.16) == pytest.approx(1.67)
    assert headroom(facilities, 3.16, dt.date(2021, 12, 31)) == pytest.approx(1.67)
    assert headroom(facilities, 3.16, dt.date(2022, 1, 1)) == pytest.approx(1.49)
    assert headroom([Facility(5.0)], 3.16, dt.date(2050, 1, 1)) == pytest.approx(1.84)
