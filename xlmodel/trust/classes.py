"""Write-downs and reimbursements among the classes of a series, senior first in every list.

None of this is in the clauses at hand (their lists are missing): practice, see ``docs/trust.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xlmodel.trust.shares import in_order


@dataclass(frozen=True)
class Reallocation:
    """Principal of junior classes that pays interest of senior ones: paid to each class, taken from each."""

    covered: list[int]
    taken: list[int]


def reallocate(shortfalls: Sequence[int], principal: Sequence[int], invested: Sequence[int]) -> Reallocation:
    """Interest that is short, the senior class's first, from the principal of classes junior to it.

    The most junior class gives first; none gives more than its share of the principal collected, nor than
    its invested amount.  What is taken from a class is its write-down.
    """
    covered, taken = [0] * len(shortfalls), [0] * len(shortfalls)
    for senior, short in enumerate(shortfalls):
        for junior in range(len(shortfalls) - 1, senior, -1):
            room = min(principal[junior], invested[junior]) - taken[junior]
            amount = min(short - covered[senior], max(room, 0))
            covered[senior] += amount
            taken[junior] += amount
    return Reallocation(covered, taken)


def written_down(loss: int, invested: Sequence[int]) -> list[int]:
    """A charge-off by class: the most junior first, none below zero; what is beyond them is left out."""
    return in_order(loss, list(invested)[::-1])[::-1]


def reimbursed(amount: int, reductions: Sequence[int]) -> list[int]:
    """An amount that makes good earlier reductions, the senior class's first."""
    return in_order(amount, reductions)
