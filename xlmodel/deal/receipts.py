"""From the projection plane to the payment plane: what a pool hands over, in cents, by month and by date."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import product_cents, to_cents
from xlmodel.deal.definition import Deal
from xlmodel.pool.projection import Collections

Cents = NDArray[np.int64]


@dataclass(frozen=True)
class MonthlyCents:
    """Collections by scenario and month, in cents that add up.

    ending = beginning - scheduled - prepaid - defaulted - purchase, exactly.
    """

    beginning: Cents
    interest: Cents
    scheduled: Cents
    prepaid: Cents
    defaulted: Cents
    proceeds: Cents
    purchase: Cents
    ending: Cents

    @property
    def cash(self) -> Cents:
        """All that comes in, in a month."""
        return self.interest + self.scheduled + self.prepaid + self.proceeds + self.purchase


@dataclass(frozen=True)
class Receipts:
    """By scenario and payment date, in cents.

    ``cash``: interest, principal, liquidation proceeds and purchase amounts of the collection months of the
    date.  ``pool``: balance at the end of the last of them; defaulted and purchased contracts count as zero.
    ``cutoff_pool``: (scenario,).  ``fees``: (scenario, date, fee).
    """

    cash: Cents
    pool: Cents
    cutoff_pool: Cents
    fees: Cents


def monthly_cents(collections: Collections) -> MonthlyCents:
    """Collections rounded to the cent.

    Balances, defaults and purchases are rounded each by itself; principal is what is left between them, and
    scheduled principal takes the cent that rounding leaves over.
    """
    c = collections
    ending = to_cents(c.ending_balance)
    beginning = np.concatenate([to_cents(c.beginning_balance[:, :1]), ending[:, :-1]], axis=1)
    defaulted, purchase = to_cents(c.defaulted), to_cents(c.purchase_amount)
    principal = beginning - ending - defaulted - purchase
    prepaid = np.clip(principal - to_cents(c.scheduled_principal), 0, None)
    prepaid = np.where(c.prepaid_principal > 0, prepaid, 0)
    return MonthlyCents(
        beginning=beginning,
        interest=to_cents(c.interest),
        scheduled=principal - prepaid,
        prepaid=prepaid,
        defaulted=defaulted,
        proceeds=to_cents(c.liquidation_proceeds),
        purchase=purchase,
        ending=ending,
    )


def receipts(deal: Deal, collections: Collections) -> Receipts:
    """Collections booked by payment date; the first date takes several months."""
    monthly = monthly_cents(collections)
    fees = np.zeros((*monthly.beginning.shape, len(deal.fees)), dtype=np.int64)
    for position, fee in enumerate(deal.fees):
        # Each month's fee is rounded by itself: the document computes it for a month.
        fees[:, :, position] = product_cents(monthly.beginning, fee.rate, 1, 12)
    first = deal.months_in_first_payment
    return Receipts(
        cash=by_date(monthly.cash, first),
        pool=monthly.ending[:, first - 1 :],
        cutoff_pool=monthly.beginning[:, 0],
        fees=by_date(fees, first),
    )


def by_date(monthly: Cents, first: int) -> Cents:
    """The first ``first`` months together, then a month a date."""
    return np.concatenate([monthly[:, :first].sum(axis=1, keepdims=True), monthly[:, first:]], axis=1)
