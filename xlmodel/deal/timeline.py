"""A deal's dates: payment dates, and how much of a year each class accrues up to each of them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions import day_count
from xlmodel.conventions.schedule import PaymentDates, payment_dates
from xlmodel.deal.definition import Deal, NoteClass
from xlmodel.errors import OutOfRange

# A year fraction is a ratio of whole days to whole days, such as 48/360 or 20/365 + 28/366; no convention
# needs a denominator above 365 x 366, so the ratio is found again from its float and interest is exact.
_LARGEST_DENOMINATOR = 365 * 366


@dataclass(frozen=True)
class Timeline:
    """Payment dates 1 to P, and per class the part of a year that accrues up to each, as a ratio."""

    dates: PaymentDates
    numerator: NDArray[np.int64]  # (payment date, class)
    denominator: NDArray[np.int64]
    rate: NDArray[np.float64]  # per annum, (payment date, class)

    def __len__(self) -> int:
        return len(self.dates.adjusted)


def timeline(deal: Deal, months: int) -> Timeline:
    """The dates of a run whose pool pays for ``months`` collection months.

    Raises OutOfRange when the pool ends within the first payment's collection months, or when the as of date
    is no payment date.
    """
    count = months - deal.months_in_first_payment + 1
    if count < 1:
        raise OutOfRange(f"a pool of {months} months ends before the first payment date")
    past = _payments_made(deal)
    anchor = (deal.payment_day, deal.roll, deal.calendar)
    dates = payment_dates(deal.first_payment_date, past + count, *anchor)
    ways = {(c.adjusted, c.day_count.name) for c in deal.classes}  # classes mostly accrue alike
    days = {
        adjusted: tuple((dates.adjusted if adjusted else dates.unadjusted).tolist()) for adjusted, _ in ways
    }
    years = {way: _accruals(deal.closing_date, days[way[0]], way[1])[past:] for way in ways}
    top = {way: np.array([part.numerator for part in parts]) for way, parts in years.items()}
    bottom = {way: np.array([part.denominator for part in parts]) for way, parts in years.items()}
    every = [(note_class.adjusted, note_class.day_count.name) for note_class in deal.classes]
    ends = dates.unadjusted[past:]
    return Timeline(
        PaymentDates(ends, dates.adjusted[past:]),
        np.stack([top[way] for way in every], axis=-1),
        np.stack([bottom[way] for way in every], axis=-1),
        np.stack([_rates(deal, note_class, ends) for note_class in deal.classes], axis=-1),
    )


# Sums of an index and a margin, both stated to a few decimals, are that sum to so many digits.
_RATE_DIGITS = 12


def _rates(deal: Deal, note_class: NoteClass, ends: NDArray[np.datetime64]) -> NDArray[np.float64]:
    """The rates of the periods that end on these dates; of a class with an index, that plus its margin.

    NaN where the index has no rate for the date; the waterfall refuses it if the class is still outstanding.
    """
    if note_class.index is None:
        return np.full(len(ends), note_class.rate)
    known = deal.schedules[note_class.index]
    found = [known.get(day) for day in ends.tolist()]
    rates = [float("nan") if i is None else round(i + note_class.rate, _RATE_DIGITS) for i in found]
    return np.clip(rates, 0.0, note_class.cap)


def _payments_made(deal: Deal) -> int:
    """Payment dates up to the as of date of a run that does not start at closing."""
    if deal.as_of_date is None:
        return 0
    day, last = np.datetime64(deal.as_of_date, "D"), np.datetime64(deal.as_of_date, "M")
    count = int((last - np.datetime64(deal.first_payment_date, "M")).astype(int)) + 1
    if count >= 1:
        dates = payment_dates(deal.first_payment_date, count, deal.payment_day, deal.roll, deal.calendar)
        if day in (dates.unadjusted[-1], dates.adjusted[-1]):
            return count
    raise OutOfRange(
        f"the as of date {deal.as_of_date} is no payment date", remedy="give the last payment date made"
    )


def years_from(start: dt.date, dates: NDArray[np.datetime64], basis: str) -> NDArray[np.float64]:
    """Years from a day to each date."""
    return np.array([day_count.year_fraction(start, day, basis) for day in dates.tolist()], dtype=np.float64)


@lru_cache(maxsize=64)  # the runs of a workbook are mostly of one deal
def _accruals(start: dt.date, ends: tuple[dt.date, ...], basis: str) -> tuple[Fraction, ...]:
    """Parts of a year from the closing date to the first payment date, then from one to the next."""
    parts = []
    for end in ends:
        years = day_count.year_fraction(start, end, basis)
        parts.append(Fraction(float(years)).limit_denominator(_LARGEST_DENOMINATOR))
        start = end
    return tuple(parts)
