"""Stratification tables: contracts by buckets of one of their columns, with averages weighted by balance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, OutsideStrata

Floats = NDArray[np.float64]

OTHER = "Other"
TOTAL = "Total"


@dataclass(frozen=True)
class Strata:
    """A table of buckets; arrays have a row a bucket.  ``averages``: NaN where a bucket has no balance."""

    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    balances: Floats
    averages: Mapping[str, Floats]
    total_averages: Mapping[str, float]

    @property
    def count(self) -> int:
        return int(self.counts.sum())

    @property
    def balance(self) -> float:
        return round(float(self.balances.sum()), 6)

    @property
    def count_parts(self) -> Floats:
        return _part(self.counts.astype(np.float64), self.count)

    @property
    def balance_parts(self) -> Floats:
        return _part(self.balances, self.balance)


def stratify_numbers(
    values: Floats,
    balance: Floats,
    breaks: Sequence[float],
    averaged: Mapping[str, Floats] | None = None,
) -> Strata:
    """Contracts by a number; each break is the least of its bucket, and the last bucket is open.

    Raises OutsideStrata for a contract below the first break, OutOfRange for breaks that do not rise.
    """
    edges = np.asarray(breaks, dtype=np.float64)
    if len(edges) == 0 or (np.diff(edges) <= 0).any():
        raise OutOfRange("the breaks do not rise", remedy="give the least value of each bucket, in order")
    bucket = np.searchsorted(edges, values, side="right") - 1
    if (bucket < 0).any():
        first = int(np.argmax(bucket < 0))
        raise OutsideStrata(
            f"contract {first + 1:,} has {values[first]:g}, which is less than the first break {edges[0]:g}",
            remedy="begin with a lower break",
        )
    whole = bool((edges == np.round(edges)).all() and (values == np.round(values)).all())
    return _strata(bucket, _labels(breaks, whole), balance, averaged or {})


def stratify_names(
    values: Sequence[str],
    balance: Floats,
    names: Sequence[str],
    averaged: Mapping[str, Floats] | None = None,
) -> Strata:
    """Contracts by a name, in the order of the names; what is none of them is in a last bucket, Other."""
    place = {name.casefold(): number for number, name in enumerate(names)}
    bucket = np.array([place.get(value.casefold(), len(names)) for value in values], dtype=np.intp)
    return _strata(bucket, (*names, OTHER), balance, averaged or {})


def _strata(
    bucket: NDArray[np.intp], labels: tuple[str, ...], balance: Floats, averaged: Mapping[str, Floats]
) -> Strata:
    size = len(labels)
    sums = _sums(bucket, balance, size)
    averages = {}
    totals = {}
    for heading, values in averaged.items():
        weighted = np.bincount(bucket, weights=balance * values, minlength=size)
        with np.errstate(invalid="ignore", divide="ignore"):
            averages[heading] = weighted / sums
            totals[heading] = float(weighted.sum() / sums.sum()) if sums.sum() else float("nan")
    return Strata(labels, np.bincount(bucket, minlength=size), sums, averages, totals)


def _sums(bucket: NDArray[np.intp], balance: Floats, size: int) -> Floats:
    """Balances of each bucket; those in whole cents are added up as cents, so that no cent is lost."""
    cents = np.rint(balance * 100)
    if not np.array_equal(cents / 100, balance):
        return np.bincount(bucket, weights=balance, minlength=size).astype(np.float64)
    whole = np.zeros(size, dtype=np.int64)
    np.add.at(whole, bucket, cents.astype(np.int64))
    return whole / 100


def _labels(breaks: Sequence[float], whole: bool) -> tuple[str, ...]:
    """``13 to 24`` for whole numbers, ``0.05 to below 0.06`` for others; the last ``61 and more``."""
    spans = (
        (f"{least:g}" if most - 1 == least else f"{least:g} to {most - 1:g}")
        if whole
        else f"{least:g} to below {most:g}"
        for least, most in pairwise(breaks)
    )
    return (*spans, f"{breaks[-1]:g} and more")


def _part(values: Floats, total: float) -> Floats:
    return values / total if total else np.zeros_like(values)
