"""A class of a run as an investor buys it: flows after settlement, price, yield, duration, window, loss."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.analytics import price as values
from xlmodel.conventions import day_count
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.errors import NotAvailable, OutOfRange

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClassFlows:
    """What a class pays after settlement, in dollars, (payment,); ``times`` in years from settlement.

    Dates are those between which the class accrues: moved to business days, or not.  ``numbers`` are payment
    date numbers.  ``unpaid`` is principal that the run leaves unpaid, ``interest_unpaid`` likewise.
    """

    settlement: dt.date
    numbers: NDArray[np.int64]
    dates: NDArray[np.datetime64]
    times: Floats
    interest: Floats
    principal: Floats
    balance: float
    accrued: float
    unpaid: float
    interest_unpaid: float

    @property
    def amounts(self) -> Floats:
        return self.interest + self.principal

    @property
    def average_life(self) -> float:
        """Years from settlement, weighted by principal; NaN where the class is not paid in full."""
        return float(self.principal @ self.times) / self.balance if self.unpaid == 0 else float("nan")

    @property
    def window(self) -> tuple[int, int]:
        """Numbers of the first and last payment date with principal; 0, 0 where there is none."""
        paid = self.numbers[self.principal > 0]
        return (int(paid[0]), int(paid[-1])) if paid.size else (0, 0)

    def price(self, rate: float, frequency: int = values.FREQUENCY) -> float:
        return values.price(self.amounts, self.times, rate, self.balance, self.accrued, frequency)

    def yield_at(self, clean_price: float, frequency: int = values.FREQUENCY) -> float:
        return values.yield_of(self.amounts, self.times, clean_price, self.balance, self.accrued, frequency)

    def duration(self, rate: float, frequency: int = values.FREQUENCY) -> float:
        return values.modified_duration(self.amounts, self.times, rate, frequency)


def class_flows(
    deal: Deal,
    paid: Distributions,
    position: int,
    settlement: dt.date | None = None,
    scenario: int = 0,
    basis: str = values.DAY_COUNT,
) -> ClassFlows:
    """The flows of a class from a settlement date on, the closing date by default.

    OutOfRange for a settlement before closing or after the class is paid.
    """
    note_class = deal.classes[position]
    day = settlement or deal.closing_date
    dates = paid.dates.adjusted if note_class.adjusted else paid.dates.unadjusted
    later = dates > np.datetime64(day, "D")
    if day < deal.closing_date:
        raise OutOfRange(
            f"settlement on {day} is before the securities exist", remedy=f"give {deal.closing_date} or later"
        )
    first = int(np.argmax(later)) if later.any() else len(dates)
    balances = np.concatenate([[paid.initial_balance[position]], paid.balance[scenario, :, position]])
    balance = int(balances[first])
    if balance <= 0 or first == len(dates):
        raise OutOfRange(
            f"class {note_class.name} is paid by {day}", remedy="settle while something is outstanding"
        )
    start = deal.closing_date if first == 0 else dates[first - 1].item()
    whole = _years(start, dates[first].item(), note_class.day_count.name)
    part = _years(start, day, note_class.day_count.name) / whole if whole else 0.0
    due = paid.interest_due
    unpaid_interest = (
        due.accrued[scenario, -1, position]
        + due.overdue[scenario, -1, position]
        + due.on_overdue[scenario, -1, position]
        - paid.interest[scenario, -1, position]
    )
    return ClassFlows(
        settlement=day,
        numbers=np.arange(first + 1, len(dates) + 1),
        dates=dates[first:],
        times=np.array([_years(day, date, basis) for date in dates[first:].tolist()]),
        interest=paid.interest[scenario, first:, position] / 100,
        principal=paid.principal[scenario, first:, position] / 100,
        balance=balance / 100,
        accrued=float(due.accrued[scenario, first, position]) / 100 * part,
        unpaid=int(paid.balance[scenario, -1, position]) / 100,
        interest_unpaid=int(unpaid_interest) / 100,
    )


def discount_margin_of(deal: Deal, flows: ClassFlows, position: int, clean_price: float) -> float:
    """The discount margin of a floating class at a clean price, its index as the schedule has it.

    NotAvailable for a fixed class, or where the schedule ends before the class.
    """
    note_class = deal.classes[position]
    if note_class.index is None:
        raise NotAvailable(f"class {note_class.name} has a fixed rate", remedy="ask for its yield")
    schedule = deal.schedules[note_class.index]
    last = int(np.flatnonzero(flows.amounts > 0)[-1]) + 1
    months = flows.dates[:last].astype("M8[M]")
    by_month = {np.datetime64(day, "M"): rate for day, rate in schedule.items()}
    missing = [str(month) for month in months if month not in by_month]
    if missing:
        raise NotAvailable(f"the index {note_class.index!r} has no rate for {missing[0]}")
    index = [by_month[month] for month in months]
    ends = [flows.settlement, *flows.dates[:last].tolist()]
    basis = note_class.day_count.name
    accruals = [_years(a, b, basis) for a, b in itertools.pairwise(ends)]
    paid = clean_price / 100 * flows.balance + flows.accrued
    return values.discount_margin(flows.amounts[:last], accruals, index, paid)


def price_yield_table(
    flows: ClassFlows, prices: Sequence[float], frequency: int = 2
) -> list[tuple[Any, ...]]:
    """A row a price: price, yield, modified duration."""
    rows = []
    for each in prices:
        found = flows.yield_at(each, frequency)
        rows.append((each, found, flows.duration(found, frequency)))
    return rows


def _years(start: dt.date, end: dt.date, basis: str) -> float:
    return float(day_count.year_fraction(start, end, basis))
