"""Which lines of a priority an account or policy pays for, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.definition import Account, Deal, Policy
from xlmodel.deal.distributions import Line

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Backing:
    """The lines that a source pays for, ``covered`` as places and ``is_covered`` as flags, (line,).

    ``is_in_full``: interest that it pays in full while a deal is accelerated, because collections no longer
    reach it.  ``when_accelerated``: the places in the order that holds then; ``direct`` says which of those
    are paid past the collection account.
    """

    covered: Places
    is_covered: Flags
    is_in_full: Flags
    when_accelerated: Places
    direct: Flags


def backings(deal: Deal, lines: tuple[Line, ...]) -> tuple[Backing, ...]:
    """One for each of the deal's sources, in their order."""
    return tuple(_backing(source, lines) for source in deal.sources)


def _backing(source: Account | Policy, lines: tuple[Line, ...]) -> Backing:
    covered = [n for n, line in enumerate(lines) if line.clause in source.covers]
    direct = [n for n in covered if lines[n].clause in source.direct]
    last = max(direct, default=-1)
    above = [n for n in covered if n <= last and n not in direct]
    below = [n for n in covered if n > last]
    reordered = [*above, *direct, *below]

    def flags(of_each: Iterable[bool]) -> Flags:
        return np.array(list(of_each), dtype=bool)

    return Backing(
        covered=np.array(covered, dtype=np.intp),
        is_covered=flags(n in covered for n in range(len(lines))),
        is_in_full=flags(n in direct and line.kind == "interest" for n, line in enumerate(lines)),
        when_accelerated=np.array(reordered, dtype=np.intp),
        direct=flags(n in direct for n in reordered),
    )
