"""Whole cents in proportion: shares of a total, amounts shared among shortfalls.  Plain lists of int.

Odd cents go by largest remainder, ties in the stated order, as in ``conventions/allocation.py``: that is for
arrays of scenarios, and for a handful of amounts a month its arrays cost more than the arithmetic.  A test
holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Shared:
    """What each gives to the others and what each receives; both add up to the same."""

    given: list[int]
    received: list[int]


def in_proportion(total: int, weights: Sequence[int]) -> list[int]:
    """A total by weights; nothing to anybody where all weights are zero (a zero denominator gives zero)."""
    whole = sum(weights)
    if not total or not whole:
        return [0] * len(weights)
    shares = [total * weight // whole for weight in weights]
    odd = total - sum(shares)
    by_remainder = sorted(range(len(weights)), key=lambda n: -(total * weights[n] % whole))
    for place in by_remainder[:odd]:
        shares[place] += 1
    return shares


def capped(total: int, claims: Sequence[int]) -> list[int]:
    """A total in proportion to claims, no claim paid more than it is."""
    return in_proportion(min(max(total, 0), sum(claims)), claims)


def in_order(total: int, claims: Sequence[int]) -> list[int]:
    """Claims one after the other, as far as the total goes."""
    paid = []
    left = max(total, 0)
    for claim in claims:
        paid.append(min(claim, left))
        left -= paid[-1]
    return paid


def share(amounts: Sequence[int], shortfalls: Sequence[int]) -> Shared:
    """What some have to share goes to the others in proportion to their shortfalls, never beyond them.

    Clause, Shared Principal Collections and Excess Finance Charge Collections: aggregate amount x shortfall /
    aggregate shortfalls.  Where less is received than there is to share, each gives in proportion to what it
    has (practice: the clauses do not say whose amounts remain).
    """
    received = capped(sum(amounts), shortfalls)
    return Shared(capped(sum(received), amounts), received)
