"""Contracts laid out by age: nothing is lost, cohorts are alike."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import OutOfRange
from xlmodel.pool import ordered
from xlmodel.pool.contracts import Pool
from xlmodel.pool.ordered import Ordered, in_order

# (balance, rate, remaining term, age, delay)
contracts = st.lists(
    st.tuples(
        st.integers(1, 10**6), st.floats(0, 0.3), st.integers(1, 80), st.integers(0, 60), st.integers(0, 5)
    ),
    min_size=1,
    max_size=40,
)


def pool_of(rows: list[tuple[float, float, int, int, int]]) -> Pool:
    balance, rate, left, age, delay = np.array(rows, dtype=np.float64).T
    names = tuple(str(n) for n in range(len(rows)))
    return Pool(names, balance, rate, left + age, left, delay)


def listed(pool: Ordered) -> list[tuple[float, float, int, int, int]]:
    """Its contracts one by one, as they were given."""
    sizes = np.diff(pool.start)
    months = [np.repeat(column, sizes).tolist() for column in (pool.term, pool.age, pool.delay)]
    return list(zip(pool.balance.tolist(), pool.rate.tolist(), *months, strict=True))


@given(contracts)
def test_every_contract_is_there_in_order(rows: list[tuple[float, float, int, int, int]]) -> None:
    found = in_order(pool_of(rows))
    assert sorted(listed(found)) == sorted(rows)
    cohorts = list(zip(found.delay.tolist(), found.age.tolist(), found.term.tolist(), strict=True))
    assert cohorts == sorted(set(cohorts))
    vintages = [cohorts[first][:2] for first in found.vintage_starts().tolist()]
    assert vintages == sorted({cohort[:2] for cohort in cohorts})
    assert found.months == max(left + delay for _, _, left, _, delay in rows)


@given(contracts, st.integers(1, 12))
def test_parts_are_whole_vintages_one_after_the_other(
    rows: list[tuple[float, float, int, int, int]], size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordered, "_PART", size)
        patch.setattr(ordered, "_AN_AGE", 1)
        patch.setattr(ordered, "_HANDING_OVER", 1)
        whole = in_order(pool_of(rows))
        parts = whole.parts
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert parts[-1].stop == len(whole.term)
    pieces = [whole.part(part) for part in parts]
    assert [contract for piece in pieces for contract in listed(piece)] == listed(whole)
    for one, next_one in pairwise(pieces):
        assert (one.delay[-1], one.age[-1]) < (next_one.delay[0], next_one.age[0])


def test_a_long_tape_has_parts_of_about_equal_work() -> None:
    rows = [(1000.0, 0.1, 1 + n % 72, n % 60, 0) for n in range(5 * ordered._PART)]
    whole = in_order(pool_of(rows))
    sizes = [len(whole.part(part)) for part in whole.parts]
    assert len(sizes) == 5
    assert max(sizes) < 1.2 * min(sizes)


@pytest.mark.parametrize("months", [1e6 + 1, 1e18, 1e300, float("inf"), float("nan"), -1.0])
@pytest.mark.parametrize("what", ["remaining term", "age", "delay"])
def test_months_that_cannot_be_are_refused(what: str, months: float) -> None:
    """However large: none becomes another month by running over 64 bits."""
    left, age, delay = (months if what == name else 12.0 for name in ("remaining term", "age", "delay"))
    columns = ([1e3, 1e3], [0.1, 0.1], [60.0, left + age], [50.0, left], [0.0, delay])
    pool = Pool(("a", "b"), *map(np.array, columns))
    with pytest.raises(OutOfRange, match=f"contract b: .* is no {what} in whole months"):
        in_order(pool)


def test_months_that_are_not_whole_are_refused() -> None:
    pool = Pool(("a", "b"), *(np.array(v) for v in ([1e3, 1e3], [0.1, 0.1], [60.0, 60.0], [50.0, 50.5])))
    with pytest.raises(OutOfRange, match=r"contract b: 50\.5 is no remaining term"):
        in_order(pool)
