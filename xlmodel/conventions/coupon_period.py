"""Coupon periods of actual/actual ICMA: a grid of notional coupon dates, and where a date lies in it.

Source: ICMA Rule 251.1; 2006 ISDA Definitions 4.16(c): each part of the accrual is its days over the days
of the coupon period it lies in, times the number of coupons a year.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Any, Self

import numpy as np

from xlmodel.conventions.date_column import DateColumn, ordinal
from xlmodel.conventions.serial import to_date
from xlmodel.errors import MissingValue, OutOfRange

FREQUENCIES = (1, 2, 3, 4, 6, 12)


@dataclass(frozen=True, slots=True)
class CouponPeriod:
    """The regular coupon dates: ``frequency`` a year, through ``month`` (months since 1970), on ``day``.

    In a month without that day the coupon date is the last day of the month; ``day`` 31 is end of month.
    """

    frequency: int
    month: int
    day: int

    @classmethod
    def of(
        cls,
        frequency: int | None,
        period_start: Any = None,
        period_end: Any = None,
        end_of_month: bool = False,
    ) -> Self:
        """The grid through a coupon period; either of its ends is enough if the frequency is given.

        Given both ends, the later day of the month is the coupon day (29 February to 30 August: the 30th).
        MissingValue without a period, or with one end and no frequency; OutOfRange for another frequency.
        """
        ends = [to_date(end) for end in (period_start, period_end) if end is not None]
        if not ends:
            raise MissingValue(
                "actual/actual ICMA needs the coupon period", remedy="give its start, its end or both"
            )
        if frequency is None:
            frequency = _frequency(ends)
        if frequency not in FREQUENCIES:
            raise OutOfRange(f"{frequency} coupons a year", remedy="give 1, 2, 3, 4, 6 or 12 coupons a year")
        day = 31 if end_of_month else max(end.day for end in ends)
        return cls(int(frequency), _month(ends[0]), day)

    @property
    def step(self) -> int:
        """Months between coupon dates."""
        return 12 // self.frequency

    def ordinal(self, number: int) -> int:
        """Coupon date ``number`` as an ordinal; 0 is the one in ``month``."""
        year, month = divmod(self.month + self.step * number, 12)
        length = monthrange(1970 + year, month + 1)[1]
        found: int = ordinal(1970 + year, month + 1, min(self.day, length))
        return found

    def number(self, day: date) -> int:
        """The number of the last coupon date that is not after ``day``."""
        found: int = (_month(day) - self.month) // self.step
        return found - (self.ordinal(found) > day.toordinal())

    def previous(self, settlement: date) -> date:
        """The last coupon date on or before settlement."""
        return date.fromordinal(self.ordinal(self.number(to_date(settlement))))

    def next(self, settlement: date) -> date:
        """The first coupon date after settlement."""
        return date.fromordinal(self.ordinal(self.number(to_date(settlement)) + 1))

    def year_fraction(self, start: Any, end: Any) -> Any:
        """Part of a year between two dates or columns.  OutOfRange if an end lies before its start."""
        if isinstance(start, DateColumn) or isinstance(end, DateColumn):
            return self._of_columns(start, end)
        if end < start:
            raise OutOfRange(_BACKWARDS, remedy=_EXCHANGE)
        first, first_day, last_day = self.number(start), start.toordinal(), end.toordinal()
        opening, closing = self.ordinal(first), self.ordinal(first + 1)
        if last_day <= closing:
            return (last_day - first_day) / (self.frequency * (closing - opening))
        head = (closing - first_day) / (closing - opening)
        last = self.number(end)
        opening, closing = self.ordinal(last), self.ordinal(last + 1)
        tail = (last_day - opening) / (closing - opening)
        return (last - first - 1 + head + tail) / self.frequency

    def _of_columns(self, start: Any, end: Any) -> Any:
        first_day, last_day = start.toordinal(), end.toordinal()
        if np.any(last_day < first_day):
            raise OutOfRange(_BACKWARDS, remedy=_EXCHANGE)
        first, last = (np.asarray(_month(day) - self.month) for day in (start, end))
        if not first.size or not last.size:
            return np.zeros(np.broadcast_shapes(first.shape, last.shape))
        base = int(first.min()) // self.step - 1
        numbers = range(base, int(last.max()) // self.step + 3)
        grid = np.array([self.ordinal(number) for number in numbers])
        length = np.diff(grid)
        first, last = (month // self.step - base for month in (first, last))
        first = first - (grid[first] > first_day)
        last = last - (grid[last] > last_day)
        last = np.maximum(last - (grid[last] == last_day), first)  # an end on a coupon date closes its period
        inside = (last_day - first_day) / (self.frequency * length[first])
        head = (grid[first + 1] - first_day) / length[first]
        tail = (last_day - grid[last]) / length[last]
        across = (last - first - 1 + head + tail) / self.frequency
        return np.where(last == first, inside, across)


def bond_coupons(maturity: date, frequency: int) -> CouponPeriod:
    """The coupon dates of a bond: back from maturity, at month ends if it matures at one, as in Excel."""
    day = to_date(maturity)
    at_month_end = day.day == monthrange(day.year, day.month)[1]
    return CouponPeriod.of(frequency, period_end=day, end_of_month=at_month_end)


_BACKWARDS = "the end lies before the start, in no coupon period"
_EXCHANGE = "exchange the two dates"


def _month(day: Any) -> Any:
    """Months since 1970."""
    return 12 * (day.year - 1970) + day.month - 1


def _frequency(ends: list[date]) -> int:
    if len(ends) == 2:
        months = 12 * (ends[1].year - ends[0].year) + ends[1].month - ends[0].month
        if months > 0 and 12 % months == 0:
            return 12 // months
    raise MissingValue("actual/actual ICMA needs the coupons a year", remedy="give the frequency")
