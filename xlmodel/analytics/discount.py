"""Original issue discount and market discount of a class, as a prospectus's tax section describes them.

Source: CarMax Auto Owner Trust 1999-1 prospectus, pages 90 to 92.  Readings: the complete years of the
de minimis test are those of the average life at the pricing speed; present values compound monthly, times
are 30/360, so an interval's length counts; all interest is qualified stated interest, so that principal is
what is included in the redemption price.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.analytics import price
from xlmodel.analytics.class_price import ClassFlows
from xlmodel.errors import OutOfRange

Floats = NDArray[np.float64]

DE_MINIMIS = 0.0025
_MONTHLY = 12


@dataclass(frozen=True)
class Discount:
    """Dollars.  ``total`` is redemption price less issue price, ``de_minimis`` the least that counts.

    ``accrual`` of each interval between payment dates and ``adjusted_price`` at its end, (interval,); nothing
    accrues where the discount does not count.  ``rate``: the original yield, compounded monthly.
    """

    total: float
    de_minimis: float
    rate: float
    accrual: Floats
    adjusted_price: Floats

    @property
    def counts(self) -> bool:
        """Whether the class is issued with original issue discount."""
        return self.total > 0 and self.total >= self.de_minimis


def original_issue_discount(flows: ClassFlows, issue_price: float) -> Discount:
    """The discount of a class sold at ``issue_price`` per 100, its flows at the pricing speed from closing.

    Interest accrued before closing is part of the issue price.
    """
    redemption = float(flows.principal.sum())
    issued = issue_price / 100 * flows.balance + flows.accrued
    years = math.floor(float(flows.principal @ flows.times) / redemption + 1e-12)
    total = redemption - issued
    least = DE_MINIMIS * redemption * years
    rate = price.yield_of(flows.amounts, flows.times, issue_price, flows.balance, flows.accrued, _MONTHLY)
    accrual, adjusted = _constant_yield(flows, issued, rate)
    if not (total > 0 and total >= least):
        accrual = np.zeros_like(accrual)
        adjusted = issued - np.cumsum(flows.principal)
    return Discount(total, least, rate, accrual, adjusted)


def market_discount(redemption: float, paid: float, held_days: int, days_to_maturity: int) -> float:
    """Accrued market discount in dollars, by days: of what a later purchase costs less than ``redemption``.

    ``redemption`` is the redemption price still to come, or the adjusted issue price of a class with original
    issue discount.
    """
    if not 0 <= held_days <= days_to_maturity or days_to_maturity <= 0:
        raise OutOfRange(
            f"held {held_days} days of {days_to_maturity}", remedy="give days held up to those to maturity"
        )
    return max(redemption - paid, 0.0) * held_days / days_to_maturity


def market_discount_by_yield(flows: ClassFlows, clean_price: float) -> Floats:
    """The same by the constant-yield election: what accrues in each interval from settlement, (interval,)."""
    paid = clean_price / 100 * flows.balance + flows.accrued
    rate = price.yield_of(flows.amounts, flows.times, clean_price, flows.balance, flows.accrued, _MONTHLY)
    return _constant_yield(flows, paid, rate)[0]


def days_between(start: dt.date, end: dt.date) -> int:
    """Days from one date to another."""
    return (end - start).days


def _constant_yield(flows: ClassFlows, issued: float, rate: float) -> tuple[Floats, Floats]:
    """Accruals, and adjusted issue prices at the end of each interval.

    Of an interval: present value of what remains and principal paid in it, less the price at its start,
    never below zero.
    """
    factors = np.exp(-_MONTHLY * flows.times * math.log1p(rate / _MONTHLY))
    values = flows.amounts * factors
    remaining = (values.sum() - np.cumsum(values)) / factors
    remaining[-1] = 0.0  # exactly: nothing is left
    accrual, adjusted = np.zeros(len(factors)), np.zeros(len(factors))
    before = issued
    for n, principal in enumerate(flows.principal.tolist()):
        accrual[n] = max(float(remaining[n]) + principal - before, 0.0)
        before = adjusted[n] = before + float(accrual[n]) - principal
    return accrual, adjusted
