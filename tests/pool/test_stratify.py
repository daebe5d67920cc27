"""Stratification: hand cases, and the law that buckets sum to the whole."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import OutOfRange, OutsideStrata
from xlmodel.pool.stratify import OTHER, stratify_names, stratify_numbers

TERMS = np.array([12.0, 13.0, 24.0, 61.0])
BALANCE = np.array([100.0, 50.0, 25.0, 25.0])
RATES = np.array([0.05, 0.06, 0.09, 0.10])


def test_numbers_by_hand() -> None:
    found = stratify_numbers(TERMS, BALANCE, [1, 13, 25], {"rate": RATES})
    assert found.labels == ("1 to 12", "13 to 24", "25 and more")
    assert found.counts.tolist() == [1, 2, 1]
    assert found.balances.tolist() == [100.0, 75.0, 25.0]
    # (50 x 6% + 25 x 9%) / 75 = 7%; all: (5 + 3 + 2.25 + 2.5) / 200 = 6.375%
    assert found.averages["rate"].tolist() == pytest.approx([0.05, 0.07, 0.10])
    assert found.total_averages["rate"] == pytest.approx(0.06375)
    assert found.balance_parts.tolist() == [0.5, 0.375, 0.125]


@pytest.mark.parametrize(
    ("values", "breaks", "labels"),
    [
        ([0.05, 0.061], [0.05, 0.06], ("0.05 to below 0.06", "0.06 and more")),
        ([1988.0, 1990.0], [1988, 1989, 1990], ("1988", "1989", "1990 and more")),
    ],
)
def test_labels(values: list[float], breaks: list[float], labels: tuple[str, ...]) -> None:
    assert stratify_numbers(np.array(values), np.ones(2), breaks).labels == labels


def test_a_break_belongs_to_its_own_bucket() -> None:
    found = stratify_numbers(np.array([13.0]), np.array([1.0]), [1, 13])
    assert found.counts.tolist() == [0, 1]


def test_names_by_hand() -> None:
    found = stratify_names(["TX", "tx", "CA", "FL"], BALANCE, ["FL", "TX"])
    assert found.labels == ("FL", "TX", OTHER)
    assert found.counts.tolist() == [1, 2, 1]
    assert found.balances.tolist() == [25.0, 150.0, 25.0]


def test_an_empty_bucket_has_no_average() -> None:
    found = stratify_names(["TX"], np.array([1.0]), ["FL", "TX"], {"rate": np.array([0.05])})
    assert math.isnan(found.averages["rate"][0])


def test_a_contract_below_the_first_break_is_named() -> None:
    with pytest.raises(OutsideStrata, match="contract 1 has 12, which is less than the first break 13"):
        stratify_numbers(TERMS, BALANCE, [13, 25])


@pytest.mark.parametrize("breaks", [[], [13, 1], [1, 1]])
def test_breaks_that_do_not_rise(breaks: list[float]) -> None:
    with pytest.raises(OutOfRange, match="do not rise"):
        stratify_numbers(TERMS, BALANCE, breaks)


def test_no_cent_is_lost() -> None:
    """A tenth of a dollar, a million times: floats added one by one end at 99999.99999...."""
    balance = np.full(1_000_000, 0.1)
    assert stratify_numbers(balance, balance, [0.0]).balances.tolist() == [100_000.0]


@given(
    st.lists(st.tuples(st.integers(1, 84), st.integers(0, 10**8)), min_size=1, max_size=60),
    st.lists(st.integers(2, 84), unique=True, max_size=8),
)
def test_buckets_sum_to_the_whole(contracts: list[tuple[int, int]], breaks: list[int]) -> None:
    terms = np.array([term for term, _ in contracts], dtype=np.float64)
    cents = [cents for _, cents in contracts]
    found = stratify_numbers(terms, np.array(cents) / 100, [1, *sorted(breaks)])
    assert found.count == len(contracts)
    assert found.balance == pytest.approx(sum(cents) / 100, abs=1e-6)
