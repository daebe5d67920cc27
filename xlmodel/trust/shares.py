"""Whole cents in proportion: shares of a total, amounts shared among shortfalls.  Plain lists of int.

Odd cents go by largest remainder, ties in the stated order (``conventions/allocation.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xlmodel.conventions.allocation import pro_rata, sequential, split


@dataclass(frozen=True)
class Shared:
    """What each gives to the others and what each receives; both add up to the same."""

    given: list[int]
    received: list[int]


def in_proportion(total: int, weights: Sequence[int]) -> list[int]:
    """A total by weights; nothing to anybody where all weights are zero (a zero denominator gives zero)."""
    if not total or not any(weights):
        return [0] * len(weights)
    found: list[int] = split(total, list(weights)).tolist()
    return found


def capped(total: int, claims: Sequence[int]) -> list[int]:
    """A total in proportion to claims, no claim paid more than it is."""
    if total <= 0 or not any(claims):
        return [0] * len(claims)
    found: list[int] = pro_rata(total, list(claims)).tolist()
    return found


def in_order(total: int, claims: Sequence[int]) -> list[int]:
    """Claims one after the other, as far as the total goes."""
    found: list[int] = sequential(max(total, 0), list(claims)).tolist()
    return found


def share(amounts: Sequence[int], shortfalls: Sequence[int]) -> Shared:
    """What some have to share goes to the others in proportion to their shortfalls, never beyond them.

    Clause, Shared Principal Collections and Excess Finance Charge Collections: aggregate amount x shortfall /
    aggregate shortfalls.  Where less is received than there is to share, each gives in proportion to what it
    has (practice: the clauses do not say whose amounts remain).
    """
    received = capped(sum(amounts), shortfalls)
    return Shared(capped(sum(received), amounts), received)
