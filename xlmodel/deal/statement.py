"""The statement to the holders of a group of classes for one payment date: the items of the prospectus.

Source: CarMax Auto Owner Trust 1999-1 prospectus, pages 60 and 61 (noteholders) and 61 (certificateholders);
both lists have the same ten items.  An amount that the model does not have, such as a number of contracts,
is None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import product_cents, round_half_up
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.receipts import by_date, monthly_cents
from xlmodel.pool.projection import Collections

Cents = NDArray[np.int64]

DENOMINATION = 100_000
"""The denomination of a security, 1,000 dollars, in cents."""

POOL_FACTOR = "Pool factor"
FACTOR_DIGITS = 7
DELINQUENT = ("31-60 days", "61-90 days", "91 days or more")


@dataclass(frozen=True)
class Item:
    """One line: the number in the list, what it is, of which class (or none), in dollars or as a factor.

    ``per_thousand`` is the amount for 1,000 of original denomination, ``holder`` for the holder's own.
    """

    number: int
    text: str
    of: str
    amount: float | None
    per_thousand: float | None = None
    holder: float | None = None


def statement(
    deal: Deal,
    collections: Collections,
    paid: Distributions,
    delinquent: NDArray[np.float64],
    group: str,
    period: int,
    denomination: int = DENOMINATION,
    scenario: int = 0,
) -> list[Item]:
    """The items for the classes of a group on a payment date (``period`` from 0), one scenario.

    ``delinquent``: (scenario, bucket), parts of the pool.  ``denomination``: of the holder, in cents.
    """
    return list(_items(deal, collections, paid, delinquent, group, period, denomination, scenario))


def _items(
    deal: Deal,
    collections: Collections,
    paid: Distributions,
    delinquent: NDArray[np.float64],
    group: str,
    period: int,
    denomination: int,
    scenario: int,
) -> Iterator[Item]:
    at = (scenario, period)
    classes = deal.groups[group.lower()]
    monthly = monthly_cents(collections)
    due = paid.interest_due

    def of_class(number: int, text: str, position: int, cents: int) -> Item:
        initial = int(paid.initial_balance[position])
        shares = (DENOMINATION, min(denomination, initial))
        each = [int(product_cents(cents, 1.0, share, initial)) / 100 for share in shares]
        return Item(number, text, paid.classes[position], cents / 100, *each)

    def whole(number: int, text: str, cents: int) -> Item:
        return Item(number, text, "", cents / 100)

    for n in classes:
        yield of_class(
            1, "Interest paid, overdue interest and interest on it included", n, int(paid.interest[at][n])
        )
    for n in classes:
        owed = due.accrued[at][n] + due.overdue[at][n] + due.on_overdue[at][n] - paid.interest[at][n]
        yield of_class(2, "Interest due but not paid", n, int(owed))
    for n in classes:
        yield of_class(3, "Principal paid", n, int(paid.principal[at][n]))
    yield whole(4, "Servicing fees paid, overdue ones included", int(paid.ledger.total("fee")[at]))
    factors = {n: float(round_half_up(paid.factor[at][n], FACTOR_DIGITS)) for n in classes}
    for n, factor in factors.items():
        # A holder's part of the balance is the denomination times the printed factor (page 39).
        parts = [int(product_cents(part, factor)) / 100 for part in (DENOMINATION, denomination)]
        balance = int(paid.balance[at][n]) / 100
        yield Item(5, "Principal balance after the payment", paid.classes[n], balance, *parts)
    for n, factor in factors.items():
        stub = int(paid.initial_balance[n]) % DENOMINATION
        if stub:
            part = int(product_cents(stub, factor)) / 100
            yield Item(5, f"of which the stub of {stub / 100:,.2f}", paid.classes[n], part)
    for n, factor in factors.items():
        yield Item(5, POOL_FACTOR, paid.classes[n], factor)
    if len(classes) > 1:
        yield whole(5, "Principal balance of all", int(paid.balance[at][list(classes)].sum()))
    yield whole(6, "Pool balance at the end of the month", int(paid.pool[at]))
    for position, name in enumerate(paid.accounts.names):
        yield whole(7, f"On deposit in the {name} account", int(paid.accounts.closing[at][position]))
    first = deal.months_in_first_payment
    yield whole(8, "Purchase amounts of contracts", int(by_date(monthly.purchase, first)[at]))
    for part, bucket in zip(delinquent[scenario], DELINQUENT, strict=True):
        yield whole(
            9, f"Balance of contracts {bucket} delinquent", int(product_cents(int(paid.pool[at]), part, 1, 1))
        )
    for bucket in DELINQUENT:
        yield Item(9, f"Number of contracts {bucket} delinquent", "", None)
    loss = by_date(monthly.defaulted - monthly.proceeds, first)
    yield whole(10, "Net losses of the month", int(loss[at]))
