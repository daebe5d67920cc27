"""Allocation percentages of the series of a master trust.

Clause, Allocations of Finance Charge Collections: floating percentage x series percentage x collections.  How
the percentages are made is practice; see ``docs/trust.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Percentages:
    """Of one series: its part of the trust, and the investors' part of that; as fractions."""

    series: float
    investor: float

    @property
    def both(self) -> float:
        """The investors' part of the whole trust."""
        return self.series * self.investor


def denominator(receivables: int, numerators: Sequence[int]) -> int:
    """The greater of the trust's receivables and all numerators, so that no more than all is allocated."""
    return max(receivables, sum(numerators))


def percentages(receivables: int, numerators: Sequence[int]) -> list[Percentages]:
    """The percentages of all series: each one's part of all numerators, and its numerator over that part of
    the receivables; neither is ever more than 1.

    Numerators are adjusted invested amounts (floating), or for principal after the revolving period the
    invested amount at its end (fixed).  A series without a numerator has no part: zero over zero is zero.
    """
    whole, total = denominator(receivables, numerators), sum(numerators)
    found = []
    for numerator in numerators:
        part = numerator / total if total else 0.0
        own = part * whole
        found.append(Percentages(part, numerator / own if own else 0.0))
    return found
