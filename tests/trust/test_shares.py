"""Shares in whole cents: by hand, and equal to the arithmetic of ``conventions/allocation.py``."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.allocation import pro_rata, sequential, split
from xlmodel.trust.shares import Shared, capped, in_order, in_proportion, share

CENTS = st.integers(0, 10**13)
LISTS = st.lists(CENTS, min_size=1, max_size=6)


def test_odd_cents_go_to_the_largest_remainder() -> None:
    """100 by 1:1:1 is 33 each and one cent over, the first's; by 1:2:4 it is 14.29, 28.57, 57.14."""
    assert in_proportion(100, [1, 1, 1]) == [34, 33, 33]
    assert in_proportion(100, [1, 2, 4]) == [14, 29, 57]


def test_a_zero_denominator_gives_zero() -> None:
    assert in_proportion(100, [0, 0]) == [0, 0]
    assert capped(100, [0, 0]) == [0, 0]
    assert share([100, 0], [0, 0]) == Shared([0, 0], [0, 0])


def test_nobody_receives_more_than_its_shortfall() -> None:
    """500 for shortfalls of 200 and 100: each is made good, and 300 of the 500 are given."""
    assert share([500, 0, 0], [0, 200, 100]) == Shared([300, 0, 0], [0, 200, 100])


def test_those_who_give_do_so_in_proportion_to_what_they_have() -> None:
    """120 wanted of 300 and 100: 90 and 30."""
    assert share([300, 100, 0], [0, 0, 120]) == Shared([90, 30, 0], [0, 0, 120])


@given(CENTS, LISTS)
def test_the_same_as_the_arrays_of_conventions(total: int, amounts: list[int]) -> None:
    assert in_order(total, amounts) == sequential(total, amounts).tolist()
    assert capped(total, amounts) == pro_rata(total, amounts).tolist()
    if any(amounts):
        assert in_proportion(total, amounts) == split(np.int64(total), np.array(amounts)).tolist()
