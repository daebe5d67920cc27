"""Prices and yields of cash flows.

A yield is nominal, compounded ``frequency`` times a year: 2 is the bond-equivalent yield in which note
classes are quoted, 12 a mortgage yield.  Times are years from settlement under a stated day count, 30/360 by
default.  A price is clean, in dollars per 100 of the balance at settlement; what is paid is the price and
what has accrued.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.root import between
from xlmodel.errors import NoRoot, OutOfRange

Floats = NDArray[np.float64]

FREQUENCY, DAY_COUNT = 2, "30/360"

_HIGHEST = 1e6  # no yield of a million is a yield


def present_value(amounts: Any, times: Any, rate: float, frequency: int = FREQUENCY) -> float:
    """Sum of amounts (1 + y/f)^(-f t).  OutOfRange for a rate at which 1 + y/f is not above 0."""
    flows, years = _flows(amounts, times)
    _check_rate(rate, frequency)
    return float(flows @ np.exp(-frequency * years * math.log1p(rate / frequency)))


def price(
    amounts: Any, times: Any, rate: float, balance: float, accrued: float = 0.0, frequency: int = FREQUENCY
) -> float:
    """The clean price per 100 of ``balance`` that yields ``rate``; ``accrued`` in dollars."""
    _check_balance(balance)
    return (present_value(amounts, times, rate, frequency) - accrued) / balance * 100


def yield_of(
    amounts: Any,
    times: Any,
    clean_price: float,
    balance: float,
    accrued: float = 0.0,
    frequency: int = FREQUENCY,
) -> float:
    """The yield at a clean price.

    Flows that are not negative have one: their value falls as the rate rises.  NoRoot where they are worth
    the price at no rate, with the reason.
    """
    flows, years = _flows(amounts, times)
    _check_balance(balance)
    paid = clean_price / 100 * balance + accrued
    if not (clean_price > 0 and math.isfinite(clean_price)):
        raise NoRoot(f"a price of {clean_price:g} has no yield", remedy="give a price above 0")
    if not ((flows > 0) & (years > 0)).any():
        raise NoRoot("nothing is paid after settlement", remedy="give flows that pay something")
    logs = _log_value(flows, years, paid)
    # In u = log(1 + y/f) the value is a sum of falling exponentials.
    low, high = -1e-3, 1e-3
    while logs(low) < 0:
        low *= 4
        if low < -_FARTHEST:
            raise NoRoot("at no yield are the flows worth the price", remedy="check price and flows")
    while logs(high) > 0:
        high *= 4
        if high > _FARTHEST:
            raise NoRoot("at no yield are the flows worth the price", remedy="check price and flows")
    found = math.expm1(between(logs, low, high) / frequency) * frequency
    if not found < _HIGHEST:
        raise NoRoot("the yield at this price is beyond all reason", remedy="check price and flows")
    return found


_FARTHEST = 700.0


def _log_value(flows: Floats, years: Floats, paid: float) -> Callable[[float], float]:
    """log(value / paid) at a continuously compounded rate: as good as straight, so that a root is near."""
    kept = flows > 0
    logs, times, target = np.log(flows[kept]), years[kept], math.log(paid)

    def value(rate: float) -> float:
        weights = logs - rate * times
        top = float(weights.max())
        return top + math.log(float(np.exp(weights - top).sum())) - target

    return value


def modified_duration(amounts: Any, times: Any, rate: float, frequency: int = FREQUENCY) -> float:
    """-(dP/dy) / P in years: how many per cent the value falls as the yield rises by one."""
    flows, years = _flows(amounts, times)
    _check_rate(rate, frequency)
    values = flows * np.exp(-frequency * years * math.log1p(rate / frequency))
    total = float(values.sum())
    if not total > 0:
        raise OutOfRange("flows that are worth nothing have no duration", remedy="give flows that pay")
    return float(values @ years) / total / (1 + rate / frequency)


def discount_margin(amounts: Any, accruals: Any, index: Any, paid: float) -> float:
    """The margin over the index at which flows are worth what is paid for them.

    Payment k is discounted by 1 / (1 + (index_j + margin) x accrual_j) for each period j up to it.
    ``accruals``: parts of a year of each period, the first from settlement.  NoRoot where there is none.
    """
    flows, _ = _flows(amounts, np.cumsum(accruals))
    periods = np.asarray(accruals, dtype=np.float64)
    rates = np.broadcast_to(np.asarray(index, dtype=np.float64), periods.shape)
    if not paid > 0 or not (flows > 0).any():
        raise NoRoot("nothing is paid, or nothing is received", remedy="check price and flows")
    if (periods <= 0).any():
        raise OutOfRange("a period without length", remedy="give dates that rise")

    def excess(margin: float) -> float:
        factors = np.cumprod(1 / (1 + (rates + margin) * periods))
        return float(flows @ factors) - paid

    # Below this a factor would turn infinite.
    low = -float((1 / periods + rates).min())
    left, right = max(low + 1e-9, -0.5), 0.5
    while excess(right) > 0:
        right *= 4
        if right > _HIGHEST:
            raise NoRoot("at no margin are the flows worth the price", remedy="check price and flows")
    while excess(left) < 0:
        nearer = low + (left - low) / 8
        if nearer == left or nearer <= low:
            raise NoRoot("at no margin are the flows worth the price", remedy="check price and flows")
        left = nearer
    return between(excess, left, right)


def _flows(amounts: Any, times: Any) -> tuple[Floats, Floats]:
    flows, years = np.asarray(amounts, dtype=np.float64).ravel(), np.asarray(times, dtype=np.float64).ravel()
    if flows.shape != years.shape or not flows.size:
        raise OutOfRange(
            f"{flows.size} amounts and {years.size} times", remedy="give one time in years for each amount"
        )
    if not (np.isfinite(flows).all() and np.isfinite(years).all()):
        raise OutOfRange("an amount or a time is no finite number", remedy="enter numbers")
    if (flows < 0).any() or (years < 0).any():
        raise OutOfRange("a negative amount or time", remedy="give what is received, after settlement")
    return flows, years


def _check_rate(rate: float, frequency: int) -> None:
    if frequency < 1:
        raise OutOfRange(f"{frequency} compoundings a year", remedy="give 1, 2, 4 or 12")
    if not (math.isfinite(rate) and 1 + rate / frequency > 0):
        raise OutOfRange(f"a yield of {rate:g}", remedy="write 6.5% as 0.065")


def _check_balance(balance: float) -> None:
    if not balance > 0:
        raise OutOfRange(f"a balance of {balance:,.2f} has no price", remedy="give the balance at settlement")
