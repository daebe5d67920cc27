"""Cents among claims: in order, in proportion, split."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.allocation import in_turn, pro_rata, sequential, split
from xlmodel.errors import OutOfRange, WrongKind, WrongShape

CLAIMS = st.lists(st.integers(0, 10**15), min_size=1, max_size=8)
MONEY = st.integers(0, 10**16)


def test_negative_money_is_none_however_many_scenarios_there_are() -> None:
    due = np.array([[50, 50]])
    assert in_turn(np.array([-30]), due).tolist() == [[0, 0]]
    many = in_turn(np.array([-30, 60, 100]), np.repeat(due, 3, axis=0))
    assert many.tolist() == [[0, 0], [50, 10], [50, 50]]


@pytest.mark.parametrize(
    ("available", "paid"), [(0, [0, 0, 0]), (7, [5, 2, 0]), (11, [5, 6, 0]), (18, [5, 6, 7]), (99, [5, 6, 7])]
)
def test_sequential(available: int, paid: list[int]) -> None:
    assert sequential(available, [5, 6, 7]).tolist() == paid
    assert sequential([available, 0], [[5, 6, 7]] * 2).tolist() == [paid, [0, 0, 0]]
    assert sequential(available, [5, 6, 7]).dtype == np.int64


@pytest.mark.parametrize(
    ("available", "claims", "weights", "paid"),
    [
        (10, [5, 6, 7], None, [3, 3, 4]),  # 2.78 3.33 3.89
        (18, [5, 6, 7], None, [5, 6, 7]),
        (1, [5, 5, 5], None, [1, 0, 0]),  # a tie goes in the stated order
        (2, [5, 5, 5], None, [1, 1, 0]),
        (100, [50, 60, 70], [9, 1, 0], [50, 50, 0]),  # the first is capped, the rest is the second's
        (120, [50, 60, 70], [9, 1, 0], [50, 60, 10]),  # weight zero is paid when the others are
        (100, [50, 60, 0], [0, 1, 1], [40, 60, 0]),
        (10, [8, 8], [0.75, 0.25], [8, 2]),
        (10, [20, 20], [1 / 3, 2 / 3], [3, 7]),
        (10, [0, 0], [1, 1], [0, 0]),
        (10, [4, 9], [0, 0], [3, 7]),  # no weights at all: by the claims, 3.08 and 6.92
        (7, [], None, []),
    ],
)
def test_pro_rata(available: int, claims: list[int], weights: Any, paid: list[int]) -> None:
    assert pro_rata(available, claims, weights).tolist() == paid
    if claims:
        rows = pro_rata([available, 0, available], [claims] * 3, weights)
        assert rows.tolist() == [paid, [0] * len(claims), paid]


@pytest.mark.parametrize(
    ("total", "weights", "parts"),
    [
        (7_000_000_000_000_000, [1, 2], [2_333_333_333_333_333, 4_666_666_666_666_667]),
        (1_003, [49, 51], [491, 512]),
        (9_999, [75, 25], [7_499, 2_500]),
        (100, [1, 1, 1], [34, 33, 33]),
        (49, [1] * 49, [1] * 49),  # 49 x (1 / 49) is less than 1 in floats
        (103 * 10**12, [1] * 103, [10**12] * 103),
        (-100, [1, 1, 1], [-34, -33, -33]),
        (5, [0.5, 0.0, 0.5], [3, 0, 2]),
        (10**18, [10**18, 1, 10**18], [5 * 10**17, 0, 5 * 10**17]),  # beyond what a float can weigh
        (1, [1e-300, 1.0], [0, 1]),
    ],
)
def test_split(total: int, weights: list[float], parts: list[int]) -> None:
    assert split(total, weights).tolist() == parts
    assert split([total, 0], [weights, weights]).tolist() == [parts, [0] * len(parts)]
    assert split([total, total], weights).tolist() == [parts, parts]


def largest_remainder(total: int, weights: list[int]) -> list[int]:
    """By exact fractions, one cent at a time."""
    exact = [Fraction(total * weight, sum(weights)) for weight in weights]
    parts = [value.__floor__() for value in exact]
    order = sorted(range(len(parts)), key=lambda place: (parts[place] - exact[place], place))
    for place in order[: total - sum(parts)]:
        parts[place] += 1
    return parts


@given(st.integers(0, 2**62), st.lists(st.integers(0, 10**17), min_size=1, max_size=8).filter(any))
def test_a_split_is_by_largest_remainder(total: int, weights: list[int]) -> None:
    parts = split(total, weights).tolist()
    assert parts == largest_remainder(total, weights)
    assert sum(parts) == total


@given(st.lists(st.tuples(MONEY, MONEY, MONEY, MONEY), min_size=1, max_size=6))
def test_scenarios_do_not_mix(rows: list[tuple[int, int, int, int]]) -> None:
    available, claims = [row[0] for row in rows], [row[1:] for row in rows]
    for function in (sequential, pro_rata):
        together = function(available, claims).tolist()
        assert together == [function(a, c).tolist() for a, c in zip(available, claims, strict=True)]


@given(MONEY, CLAIMS, st.data())
def test_nothing_is_lost_and_no_claim_overpaid(available: int, claims: list[int], data: Any) -> None:
    weights = data.draw(st.lists(st.integers(0, 10**13), min_size=len(claims), max_size=len(claims)))
    shares = data.draw(st.lists(st.floats(0, 1), min_size=len(claims), max_size=len(claims)))
    for paid in (
        sequential(available, claims),
        pro_rata(available, claims),
        pro_rata(available, claims, weights),
        pro_rata(available, claims, shares),
    ):
        assert paid.dtype == np.int64
        assert sum(paid.tolist()) == min(available, sum(claims))
        assert all(0 <= part <= claim for part, claim in zip(paid.tolist(), claims, strict=True))


@given(MONEY, CLAIMS)
def test_a_claim_is_paid_before_the_next_begins(available: int, claims: list[int]) -> None:
    paid = sequential(available, claims).tolist()
    for place in range(len(claims) - 1):
        assert paid[place] == claims[place] or paid[place + 1] == 0


@given(MONEY, CLAIMS)
def test_pro_rata_by_claims_is_within_a_cent(available: int, claims: list[int]) -> None:
    total = sum(claims)
    paid = pro_rata(available, claims).tolist()
    for part, claim in zip(paid, claims, strict=True):
        right = Fraction(min(available, total) * claim, total) if total else Fraction(0)
        assert abs(part - right) < 1


@pytest.mark.parametrize(
    ("function", "arguments", "error"),
    [
        (sequential, (-1, [1, 2]), OutOfRange),
        (sequential, (1, [1, -2]), OutOfRange),
        (sequential, (1, 2), WrongShape),
        (sequential, (1.5, [1]), WrongKind),
        (pro_rata, (1, [1.5]), WrongKind),
        (pro_rata, (1, ["1"]), WrongKind),
        (pro_rata, (1, [1, 2], [1, -1]), OutOfRange),
        (pro_rata, (1, [1, 2], [1.0, float("nan")]), OutOfRange),
        (pro_rata, (1, [1, 2], 1), WrongShape),
        (pro_rata, (1, [1, 2], ["a", "b"]), WrongKind),
        (pro_rata, (1, [2**62, 2**62]), OutOfRange),
        (split, (1, [0, 0]), OutOfRange),
        (split, (float("nan"), [1, 0]), WrongKind),
    ],
)
def test_bad_input(function: Any, arguments: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        function(*arguments)
