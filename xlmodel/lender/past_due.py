"""Past due buckets from a tape: how many contracts, and how much of the balance, are how many days late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange

BREAKS = (30, 60, 90)
"""Days after which a bucket ends; up to the first a contract counts as current."""


@dataclass(frozen=True)
class PastDue:
    """Counts and balances: current, then a bucket a break, the last open."""

    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    balances: NDArray[np.float64]

    @property
    def past_due(self) -> float:
        """Balance that is past due."""
        return float(self.balances[1:].sum())


def past_due(
    balance: NDArray[np.float64], days: NDArray[np.float64], breaks: Sequence[float] = BREAKS
) -> PastDue:
    """Contracts by days past due; a contract that is paid ahead has fewer than 0 and is current.

    Raises OutOfRange for breaks that do not rise.
    """
    if not breaks or any(later <= sooner for sooner, later in pairwise(breaks)):
        raise OutOfRange("the breaks do not rise", remedy="give days such as 30, 60, 90")
    bucket = np.searchsorted(np.asarray(breaks, dtype=np.float64), days, side="left")
    size = len(breaks) + 1
    return PastDue(
        labels(breaks),
        np.bincount(bucket, minlength=size),
        np.bincount(bucket, weights=balance, minlength=size).astype(np.float64),
    )


def labels(breaks: Sequence[float]) -> tuple[str, ...]:
    """The names of the buckets: Current, 31-60 days past due, Greater than 90 days past due."""
    spans = (f"{sooner + 1:g}-{later:g} days past due" for sooner, later in pairwise(breaks))
    return ("Current", *spans, f"Greater than {breaks[-1]:g} days past due")
