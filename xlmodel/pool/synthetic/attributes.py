"""Attributes of synthetic contracts, given out so that counts are exact and averages as wanted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import TapeNotMade
from xlmodel.pool.synthetic.targets import Floats, Ints

Flags = NDArray[np.bool_]

_ROUNDS = 300
_STEP = 0.7
_PUSH = 15.0
_CLOSE = 0.0015  # the rest is made up by moving rates within their buckets of a percent


def newest_first(score: Floats, newest: Ints, years: Ints, counts: Ints) -> Ints:
    """The place of each contract in rising years: the newest goes to the highest scores that may have it.

    ``newest``: the newest year that a contract may have.  Raises TapeNotMade if too few may have a year.
    """
    place = np.full(len(score), -1)
    order = np.argsort(-score, kind="stable")
    for number in range(len(years) - 1, -1, -1):
        free = order[(place[order] < 0) & (newest[order] >= years[number])]
        if len(free) < counts[number]:
            raise TapeNotMade(f"{len(free)} contracts may be of {years[number]}, not {counts[number]}")
        place[free[: counts[number]]] = number
    return place


def with_averages(noise: Floats, weight: Floats, terms: Floats, wanted: Floats, count: int) -> Flags:
    """So many contracts, chosen by noise and a tilt by their terms that brings the weighted averages.

    ``terms``: (contract, term).  The tilt is found step by step and the noise stays, so that one seed gives
    one choice.
    """
    tilt = np.zeros(len(wanted))
    spread = terms.std(axis=0)
    chosen = np.zeros(len(noise), dtype=np.bool_)
    for _ in range(_ROUNDS):
        top = np.argsort(-(noise + terms @ tilt), kind="stable")[:count]
        off = wanted - np.average(terms[top], axis=0, weights=weight[top])
        if np.abs(off).max() < 0.05:
            break
        tilt += _STEP * off / spread**2
    chosen[top] = True
    return chosen


def sorted_into(
    noise: Floats,
    weight: Floats,
    members: Sequence[Flags],
    wanted: Floats,
    middle: Floats,
    counts: Ints,
) -> Ints:
    """The bucket of each contract, lowest noise first, shifted group by group to the wanted averages.

    ``members``: the contracts of each group.  ``middle``: what a bucket counts for, ``counts``: how many
    it holds.
    """
    shift = np.zeros(len(members))
    place = np.empty(len(noise), dtype=np.int64)
    slots = np.repeat(np.arange(len(counts)), counts)
    for _ in range(_ROUNDS):
        shifted = noise + sum(flags * amount for flags, amount in zip(members, shift, strict=True))
        place[np.argsort(shifted, kind="stable")] = slots
        means = np.array([np.average(middle[place[flags]], weights=weight[flags]) for flags in members])
        off = wanted - means
        if np.abs(off).max() < _CLOSE:
            break
        shift += _PUSH * off
    return place
