"""Coupon periods of actual/actual ICMA: a grid of notional coupon dates, and where a date lies in it.

Source: ICMA Rule 251.1; 2006 ISDA Definitions 4.16(c): each part of the accrual is its days over the days
of the coupon period it lies in, times the number of coupons a year.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.date_column import DateColumn
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
        cls, frequency: int | None, period_start: Any = None, period_end: Any = None, end_of_month: bool = False
    ) -> Self:
        """The grid through a coupon period; either of its ends is enough if the frequency is given.

        Given both ends, the later day of the month is the coupon day (29 February to 30 August: the 30th).
        MissingValue without a period, or with one end and no frequency; OutOfRange for another frequency.
        """
        ends = [to_date(end) for end in (period_start, period_end) if end is not None]
        if not ends:
            raise MissingValue("actual/actual ICMA needs the coupon period", remedy="give its start, its end or both")
        if frequency is None:
            frequency = _frequency(ends)
        if frequency not in FREQUENCIES:
            raise OutOfRange(f"{frequency} coupons a year", remedy="give 1, 2, 3, 4, 6 or 12 coupons a year")
        day = 31 if end_of_month else max(end.day for end in ends)
        anchor = ends[0]
        return cls(int(frequency), 12 * (anchor.year - 1970) + anchor.month - 1, day)

    def dates(self, first: int, last: int) -> NDArray[np.int64]:
        """Coupon dates numbered ``first`` to ``last`` (0 is the one in ``month``), days since 1970."""
        months = (self.month + 12 // self.frequency * np.arange(first, last + 1)).astype("M8[M]")
        start = months.astype("M8[D]").astype(np.int64)
        length = (months + 1).astype("M8[D]").astype(np.int64) - start
        return start + np.minimum(self.day, length) - 1

    def year_fraction(self, start: Any, end: Any) -> Any:
        """Part of a year from ``start`` to ``end``.  OutOfRange if an end lies before its start."""
        first, last = _epoch(start), _epoch(end)
        if (last < first).any():
            raise OutOfRange("the end lies before the start, in no coupon period", remedy="exchange the two dates")
        if not first.size or not last.size:
            return np.zeros(np.broadcast(first, last).shape)
        step = 12 // self.frequency
        span = (np.array([first.min(), last.max()]).astype("M8[D]").astype("M8[M]").astype(int) - self.month) // step
        grid = self.dates(int(span[0]) - 1, int(span[1]) + 2)
        length = np.diff(grid)
        start_period = np.searchsorted(grid, first, "right") - 1
        end_period = np.maximum(np.searchsorted(grid, last, "right") - 1, start_period)
        # an end on a coupon date closes the period before it
        within = (end_period == start_period) | (last == grid[end_period]) & (end_period == start_period + 1)
        inside = (last - first) / (self.frequency * length[start_period])
        head = (grid[start_period + 1] - first) / length[start_period]
        tail = (last - grid[end_period]) / length[end_period]
        across = (end_period - start_period - 1 + head + tail) / self.frequency
        return np.where(within, inside, across)


def _epoch(day: Any) -> NDArray[np.int64]:
    if isinstance(day, DateColumn):
        return day.epoch
    return np.array(np.datetime64(day, "D").astype(np.int64))


def _frequency(ends: list[date]) -> int:
    if len(ends) == 2:
        months = 12 * (ends[1].year - ends[0].year) + ends[1].month - ends[0].month
        if months > 0 and 12 % months == 0:
            return 12 // months
    raise MissingValue("actual/actual ICMA needs the coupons a year", remedy="give the frequency")
