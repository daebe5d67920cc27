"""Contract rates within their buckets, moved until pools and vehicle kinds have their printed averages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from xlmodel.errors import TapeNotMade
from xlmodel.pool.synthetic.attributes import Flags
from xlmodel.pool.synthetic.targets import Floats, Ints, Targets

_ROUNDS = 12
_STEPS = 3
_LONGEST, _FLATTEST = 1.0, 1e-6
_CLOSE = 2e-6  # well within half of the last printed digit of a pool's rate


def middles(edges: Sequence[tuple[float, float]]) -> Floats:
    """The middle of each bucket."""
    return np.array([(low + high) / 2 for low, high in edges])


def fit(
    targets: Targets,
    random: np.random.Generator,
    balance: Floats,
    bucket: Ints,
    edges: Sequence[tuple[float, float]],
    pool: Ints,
    new: Flags,
) -> Floats:
    """A rate for each contract, to a thousandth of a percent, within its bucket.

    Raises TapeNotMade if a pool's average cannot be reached.
    """
    low, high = (np.array(side)[bucket] for side in zip(*edges, strict=True))
    place = random.normal(0, 1.5, len(bucket))  # a logistic place between the edges
    kinds = new.astype(np.int64)  # used vehicles go where the pools want them
    only_new = np.array([np.nan, targets.composition.rate[0]])
    for _ in range(_ROUNDS):
        place = _moved(place, low, high, balance, kinds, only_new)
        place = _moved(place, low, high, balance, pool, targets.pools.rate)
    rate = np.round(_between(place, low, high), 5)
    found = np.bincount(pool, weights=balance * rate) / np.bincount(pool, weights=balance)
    for number, wanted in enumerate(targets.pools.rate.tolist()):
        if abs(found[number] - wanted) > _CLOSE:
            raise TapeNotMade(f"pool {number + 1} averages {found[number]:.5%}, not {wanted:.3%}")
    return rate


def _between(place: Floats, low: Floats, high: Floats) -> Floats:
    return np.asarray(low + (high - low) / (1 + np.exp(-place)))


def _moved(place: Floats, low: Floats, high: Floats, weight: Floats, group: Ints, wanted: Floats) -> Floats:
    """Places moved, all of a group alike, towards the wanted averages (NaN: not moved); Newton's method."""
    size = len(wanted)
    sums = np.bincount(group, weights=weight, minlength=size)
    for _ in range(_STEPS):
        rate = _between(place, low, high)
        off = wanted - np.bincount(group, weights=weight * rate, minlength=size) / sums
        slope = (rate - low) * (high - rate) / (high - low)
        slopes = np.bincount(group, weights=weight * slope, minlength=size) / sums
        move = np.clip(off / np.maximum(slopes, _FLATTEST), -_LONGEST, _LONGEST)
        place = place + np.nan_to_num(move)[group]
    return place
