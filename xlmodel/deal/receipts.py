"""From the projection plane to the payment plane: what a pool hands over on each payment date, in cents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import product_cents, to_cents
from xlmodel.deal.definition import Deal
from xlmodel.pool.projection import Collections

Cents = NDArray[np.int64]


@dataclass(frozen=True)
class Receipts:
    """By scenario and payment date, in cents.

    ``cash``: interest, principal, liquidation proceeds and purchase amounts of the collection months of the
    date.  ``pool``: balance at the end of the last of them; defaulted and purchased contracts count as zero.  ``cutoff_pool``: (scenario,).  ``fees``: (scenario, date, fee).
    """

    cash: Cents
    pool: Cents
    cutoff_pool: Cents
    fees: Cents


def receipts(deal: Deal, collections: Collections) -> Receipts:
    """Collections booked by payment date; the first date takes several months.

    Month-end balances are rounded to the cent; principal, purchases included, is what they fall by apart from
    defaults, so that what is booked adds up.
    """
    pool = to_cents(collections.ending_balance)
    beginning = np.concatenate([to_cents(collections.beginning_balance[:, :1]), pool[:, :-1]], axis=1)
    came_in = to_cents(collections.interest) + to_cents(collections.liquidation_proceeds)
    principal = beginning - pool - to_cents(collections.defaulted)
    fees = np.zeros((*beginning.shape, len(deal.fees)), dtype=np.int64)
    for position, fee in enumerate(deal.fees):
        # Each month's fee is rounded by itself: the document computes it for a month.
        fees[:, :, position] = product_cents(beginning, fee.rate, 1, 12)
    first = deal.first_collection_months
    return Receipts(
        cash=_by_date(came_in + principal, first),
        pool=pool[:, first - 1 :],
        cutoff_pool=beginning[:, 0],
        fees=_by_date(fees, first),
    )


def _by_date(monthly: Cents, first: int) -> Cents:
    """The first ``first`` months together, then a month a date."""
    return np.concatenate([monthly[:, :first].sum(axis=1, keepdims=True), monthly[:, first:]], axis=1)
