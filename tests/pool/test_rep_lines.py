"""Rep lines: what is kept exactly, what is lost, and that the loss is shown."""

from __future__ import annotations

import numpy as np
import pytest

from xlmodel.errors import OutOfRange
from xlmodel.pool.contracts import Pool
from xlmodel.pool.rep_lines import error_of, rep_lines


def tape(count: int = 2000) -> Pool:
    rng = np.random.default_rng(7)
    original = rng.choice([36.0, 48.0, 60.0, 72.0], count)
    remaining = np.maximum(np.floor(original * rng.uniform(0.3, 1, count)), 1)
    rate = rng.integers(300, 2400, count) / 1e4
    return Pool(tuple(map(str, range(count))), rng.uniform(1e3, 3e4, count), rate, original, remaining)


def test_balance_rate_and_number_are_kept() -> None:
    pool = tape()
    lines = rep_lines(pool)
    assert lines.counts.sum() == len(pool)
    assert lines.pool.balance.sum() == pytest.approx(pool.balance.sum(), rel=1e-13)
    assert lines.pool.balance @ lines.pool.rate == pytest.approx(pool.balance @ pool.rate, rel=1e-13)
    assert len(lines.pool) < len(pool) / 5


def test_two_contracts_by_hand() -> None:
    """3,000 at 6% with 40 months and 1,000 at 7% with 44: one line of 4,000 at 6.25% with 41 of 48."""
    columns = ([3e3, 1e3], [0.06, 0.07], [48.0, 48.0], [40.0, 44.0])
    line = rep_lines(Pool(("a", "b"), *map(np.array, columns))).pool
    assert (line.balance.tolist(), line.remaining_term.tolist()) == ([4e3], [41])
    assert line.original_term.tolist() == [48]
    assert line.rate[0] == pytest.approx(0.0625, rel=1e-15)


def test_narrower_buckets_have_a_smaller_error_and_single_contracts_none() -> None:
    pool = tape(300)
    wide = error_of(rep_lines(pool, 0.05, 24), pool, [0.0, 0.015])
    narrow = error_of(rep_lines(pool, 0.005, 6), pool, [0.0, 0.015])
    assert (narrow.balance < wide.balance).all()
    assert (wide.balance > 1e-5).all()  # the error is there and it is shown
    alike = error_of(rep_lines(pool, 1e-5, 1), pool, [0.015])
    assert alike.balance[0] < 1e-12
    assert alike.average_life[0] == pytest.approx(alike.average_life_of_tape[0], rel=1e-12)


def test_a_bucket_without_width_is_refused() -> None:
    with pytest.raises(OutOfRange, match="without width"):
        rep_lines(tape(5), 0.0)
