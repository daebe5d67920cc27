"""Synthetic tapes of random contracts; nobody signed them."""

from __future__ import annotations

import numpy as np

from xlmodel.pool.contracts import Pool

CONTRACTS = 63_556  # as many as stood behind CarMax 1999-1


def random_tape(count: int = CONTRACTS) -> Pool:
    """A synthetic tape: random contracts of 36 to 72 months, 3% to 24%."""
    rng = np.random.default_rng(1999)
    original = rng.choice([36.0, 48.0, 60.0, 66.0, 72.0], count)
    remaining = np.maximum(np.floor(original * rng.uniform(0.2, 1.0, count)), 1)
    rate, balance = rng.uniform(0.03, 0.24, count), rng.uniform(1_000, 30_000, count)
    return Pool(("synthetic",) * count, balance, rate, original, remaining)
