"""From the projection plane to the payment plane: what a pool hands over, in cents, by month and by date."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import product_cents, to_cents
from xlmodel.deal.definition import Deal, Fee
from xlmodel.deal.layout import beside, laid_beside, some
from xlmodel.pool.projection import Collections

Cents = NDArray[np.int64]


@dataclass(frozen=True)
class MonthlyCents:
    """Collections by scenario and month, in cents that add up.

    ending = beginning - scheduled - prepaid - defaulted - purchase, exactly.  Balances, defaults and
    purchases are rounded each by itself; principal is what is left between them, and scheduled principal
    takes the cent that rounding leaves over.
    """

    collections: Collections
    beginning: Cents
    interest: Cents
    defaulted: Cents
    proceeds: Cents
    purchase: Cents
    other: Cents
    ending: Cents

    @cached_property
    def principal(self) -> Cents:
        """Scheduled and prepaid."""
        fallen = self.beginning - self.ending
        for other in (self.defaulted, self.purchase):
            if _any(other):
                fallen = fallen - other
        return fallen

    @cached_property
    def prepaid(self) -> Cents:
        unscheduled = np.maximum(self.principal - _cents(self.collections.scheduled_principal), 0)
        return np.where(self.collections.prepaid_principal > 0, unscheduled, 0)

    @cached_property
    def scheduled(self) -> Cents:
        return self.principal - self.prepaid

    @property
    def cash(self) -> Cents:
        """All that comes in, in a month."""
        cash = self.interest + self.principal
        for other in (self.proceeds, self.purchase, self.other):
            if _any(other):
                cash = cash + other
        return cash


@dataclass(frozen=True)
class Receipts:
    """By scenario and payment date, in cents.

    ``cash``: interest, principal, liquidation proceeds and purchase amounts of the collection months of the
    date.  ``pool``: balance at the end of the last of them; defaulted and purchased contracts count as zero.
    ``cutoff_pool``: (scenario,).  ``losses``: defaults less proceeds, since the cutoff
    date.  ``fees``: (scenario, date, fee).
    """

    cash: Cents
    pool: Cents
    cutoff_pool: Cents
    losses: Cents
    fees: Cents


def monthly_cents(collections: Collections) -> MonthlyCents:
    """Collections rounded to the cent."""
    c = collections
    ending = _cents(c.ending_balance)
    beginning = np.concatenate([to_cents(c.beginning_balance[:, :1]), ending[:, :-1]], axis=1)
    # The last cent of a pool may round up in two places; no more leaves a balance than it falls by.
    purchase, defaulted = _cents(c.purchase_amount), _cents(c.defaulted)
    if _any(purchase):
        purchase = np.minimum(purchase, beginning - ending)
    if _any(defaulted):
        defaulted = np.minimum(defaulted, beginning - ending - purchase)
    return MonthlyCents(
        collections,
        beginning=beginning,
        interest=_cents(c.interest),
        defaulted=defaulted,
        proceeds=_cents(c.liquidation_proceeds),
        purchase=purchase,
        other=_cents(c.other),
        ending=ending,
    )


def _cents(dollars: NDArray[np.float64]) -> Cents:
    """Dollars by scenario and month in cents; what is alike for all, such as no losses, is looked at once."""
    own = dollars[tuple(slice(None) if step else slice(1) for step in dollars.strides)]
    cents = to_cents(own) if some(own) else np.int64(0)
    return np.broadcast_to(cents, dollars.shape)


def _any(cents: Cents) -> bool:
    """Whether any is not 0; what is the same for all is looked at once."""
    return some(cents if any(cents.strides) else cents[:1, :1])


def receipts(deal: Deal, collections: Collections) -> Receipts:
    """Collections booked by payment date; the first date takes several months."""
    monthly = monthly_cents(collections)
    first = deal.months_in_first_payment
    bases = fee_bases(monthly.beginning, _cents(collections.waiting))
    cash = laid_beside(by_date(monthly.cash, first))
    fees = beside(*cash.shape, len(deal.fees))
    for position, fee in enumerate(deal.fees):
        fees[:, :, position] = _fee(fee, bases, first, seasoned=deal.as_of_date is not None)
    lost = _any(monthly.defaulted) or _any(monthly.proceeds)
    losses = by_date(monthly.defaulted - monthly.proceeds, first) if lost else np.zeros_like(cash)
    return Receipts(
        cash=cash,
        pool=laid_beside(monthly.ending[:, first - 1 :]),
        cutoff_pool=monthly.beginning[:, 0].copy(),
        losses=laid_beside(losses.cumsum(axis=1)) if lost else losses,
        fees=fees,
    )


def fee_bases(beginning: Cents, waiting: Cents) -> dict[str, Cents]:
    """What a fee may be a part of, by its name in the table Fees: (scenario, month)."""
    return {
        "pool": beginning,
        "collecting pool": beginning - waiting if _any(waiting) else beginning,
        "cutoff pool": np.broadcast_to(beginning[:, :1], beginning.shape),
    }


def _fee(fee: Fee, bases: dict[str, Cents], first: int, *, seasoned: bool) -> Cents:
    """What a fee comes to by payment date, (scenario, date).

    Each month's fee is rounded by itself: the documents compute it for a month.
    """
    cutoff = bases["cutoff pool"]
    due = by_date(product_cents(bases[fee.base], fee.rate, 1, 12), first)
    if fee.amount or fee.minimum:
        due = np.maximum(due + fee.amount, fee.minimum)
    if not seasoned:
        if fee.first_part is not None:
            part = fee.first_part
            due[:, 0] = product_cents(cutoff[:, 0], fee.rate, part.numerator, part.denominator)
        if fee.first_amount is not None:
            due[:, 0] = fee.first_amount
    if fee.once:
        due[:, 0 if seasoned else 1 :] = 0
    return due


def by_date(monthly: Cents, first: int) -> Cents:
    """The first ``first`` months together, then a month a date."""
    return np.concatenate([monthly[:, :first].sum(axis=1, keepdims=True), monthly[:, first:]], axis=1)
