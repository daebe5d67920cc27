"""How much balance stands at each pair of original and remaining term: the likeliest answer that fits.

A prior says which terms are common; alternating projections then bring it to the balance of each bucket and
to the average terms of each hypothetical pool, and move it no further than that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from xlmodel.pool.synthetic.targets import Floats, Ints

_CYCLES = 400
_STEPS = 40


@dataclass(frozen=True)
class Lattice:
    """Pairs of terms, columns of length N: where each belongs, and its balance in dollars."""

    original: Ints
    remaining: Ints
    pool: Ints
    bucket: Ints
    balance: Floats


def fit(
    lattice: Lattice,
    pool_balance: Floats,
    bucket_balance: Floats,
    original_term: Floats,
    remaining_term: Floats,
) -> Lattice:
    """The lattice with its balances brought to their pools, buckets and average terms."""
    balance = lattice.balance.copy()
    for _ in range(_CYCLES):
        balance = _tilted(balance, lattice.pool, lattice.original, original_term)
        balance = _tilted(balance, lattice.pool, lattice.remaining, remaining_term)
        balance = _scaled(balance, lattice.pool, pool_balance)
        balance = _scaled(balance, lattice.bucket, bucket_balance)
    balance = _scaled(balance, lattice.pool, pool_balance)
    return Lattice(lattice.original, lattice.remaining, lattice.pool, lattice.bucket, balance)


def _scaled(balance: Floats, group: Ints, wanted: Floats) -> Floats:
    sums = np.bincount(group, weights=balance, minlength=len(wanted))
    return np.asarray(balance * (wanted / sums)[group])


def _tilted(balance: Floats, group: Ints, term: Ints, wanted: Floats) -> Floats:
    """Balances times exp(a x term), a for each group, so that its average term is the wanted one."""
    size = len(wanted)
    sums = np.bincount(group, weights=balance, minlength=size)
    slope = np.zeros(size)
    centred = term - wanted[group]
    for _ in range(_STEPS):
        weights = balance * np.exp(slope[group] * centred)
        total = np.bincount(group, weights=weights, minlength=size)
        mean = np.bincount(group, weights=weights * centred, minlength=size) / total
        spread = np.bincount(group, weights=weights * centred**2, minlength=size) / total - mean**2
        if np.abs(mean).max() < 1e-9:
            break
        slope -= np.clip(mean / np.maximum(spread, 1e-6), -0.5, 0.5)
    weights = balance * np.exp(slope[group] * centred)
    return weights * (sums / np.bincount(group, weights=weights, minlength=size))[group]
