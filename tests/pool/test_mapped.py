"""A mapped pool travels as a name, is the same where it arrives, and is gone after its block."""

from __future__ import annotations

import gc
import os
import pickle
from pathlib import Path

import pytest

from tests.pool.test_ordered import listed, pool_of
from xlmodel.errors import NotAvailable
from xlmodel.pool import mapped as mapping
from xlmodel.pool.mapped import mapped
from xlmodel.pool.ordered import in_order


def test_a_mapped_pool_travels_as_a_name_and_is_the_same() -> None:
    pool = in_order(pool_of([(1000.0 + n, 0.1, 1 + n % 72, n % 60, n % 2) for n in range(10_000)]))
    with mapped(pool) as shared:
        assert listed(shared) == listed(pool)
        frame = pickle.dumps(shared)
        assert len(frame) < 500
        assert listed(pickle.loads(frame)) == listed(pool)
        with pytest.raises(ValueError, match="read-only"):
            shared.balance[0] = 0.0
    assert listed(pickle.loads(pickle.dumps(pool))) == listed(pool)


def test_a_mapped_pool_that_is_gone_says_so() -> None:
    pool = in_order(pool_of([(1000.0, 0.1, 36, 0, 0)]))
    with mapped(pool) as shared:
        frame = pickle.dumps(shared)
    mapping._arrived.cache_clear()  # as in a process that never had it
    with pytest.raises(NotAvailable, match="within its block, on the machine"):
        pickle.loads(frame)


def test_a_folder_with_another_pool_is_not_taken_for_the_first() -> None:
    pool = in_order(pool_of([(1000.0, 0.1, 36, 0, 0)]))
    with mapped(pool) as shared:
        assert shared.travels_as is not None
        frame = pickle.dumps(shared)
        contracts = Path(shared.travels_as[1][0], mapping._CONTRACTS)
        written = contracts.stat().st_mtime_ns
        os.utime(contracts, ns=(written + 10**9, written + 10**9))
        mapping._arrived.cache_clear()
        with pytest.raises(NotAvailable):
            pickle.loads(frame)


def test_a_mapped_pool_is_not_held_after_its_block() -> None:
    with mapped(in_order(pool_of([(1000.0, 0.1, 36, 0, 0)]))) as shared:
        assert shared.travels_as is not None
        folder = shared.travels_as[1][0]
    del shared
    gc.collect()
    assert folder not in Path("/proc/self/maps").read_text()
