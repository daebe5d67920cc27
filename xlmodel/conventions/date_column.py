"""A column of dates that answers like one ``datetime.date``: year, month, day, ordinal, each an array.

A convention is then written once and serves a cell and a million rows.  The parts come from a table by
day number, which is several times faster than taking ``datetime64`` apart.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.serial import FIRST_EPOCH, to_epoch

Ints = NDArray[np.int32]

_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
_CYCLE = 146_097  # days of 400 years, after which the calendar repeats


class _Parts(NamedTuple):
    year: Ints
    month: Ints
    day: Ints
    february_end: NDArray[np.bool_]


class DateColumn:
    """Dates of the years 1900 to 9999, any shape; the attributes of ``datetime.date`` as int arrays."""

    __slots__ = ("_cycle", "_index", "epoch")

    def __init__(self, days: Any) -> None:
        """``days``: anything that ``serial.to_epoch`` takes; its errors."""
        self._set(to_epoch(days))

    def _set(self, epoch: NDArray[np.int64]) -> None:
        self.epoch = epoch
        self._index = epoch - FIRST_EPOCH
        self._cycle: NDArray[np.int64] | None = None
        if epoch.size and int(self._index.max()) >= _CYCLE:
            self._cycle, self._index = np.divmod(self._index, _CYCLE)

    def block(self, start: int, stop: int) -> Self:
        """Rows ``start`` to ``stop``."""
        rows = object.__new__(type(self))
        rows._set(self.epoch[start:stop])
        return rows

    @property
    def year(self) -> Ints:
        years: Ints = _table().year.take(self._index, mode="clip")
        return years if self._cycle is None else (years + 400 * self._cycle).astype(np.int32)

    @property
    def month(self) -> Ints:
        # the index has been checked; "clip" only spares numpy from checking it again
        months: Ints = _table().month.take(self._index, mode="clip")
        return months

    @property
    def day(self) -> Ints:
        days: Ints = _table().day.take(self._index, mode="clip")
        return days

    @property
    def february_end(self) -> NDArray[np.bool_]:
        """Whether each is the last day of a February."""
        found: NDArray[np.bool_] = _table().february_end.take(self._index, mode="clip")
        return found

    def toordinal(self) -> NDArray[np.int64]:
        ordinals: NDArray[np.int64] = self.epoch + _EPOCH_ORDINAL
        return ordinals


@cache
def _table() -> _Parts:
    """The parts of each day from 1900-01-01 on, for 400 years."""
    days = np.arange(FIRST_EPOCH, FIRST_EPOCH + _CYCLE).astype("M8[D]")
    months = days.astype("M8[M]")
    year = days.astype("M8[Y]").astype(np.int32) + 1970
    month = months.astype(np.int32) % 12 + 1
    day = (days - months).astype(np.int32) + 1
    february_end = (month == 2) & ((days + 1).astype("M8[M]") != months)
    return _Parts(year, month, day, february_end)


# --- what a rule asks of a date or a column ---------------------------------------------------------

_BEFORE_MONTH = (0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def _is_leap(year: Any) -> Any:
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def _new_year(year: Any) -> Any:
    past = year - 1
    return 365 * past + past // 4 - past // 100 + past // 400 + 1


# by year; looking up is quicker than dividing
_LEAP = _is_leap(np.arange(10_002))
_NEW_YEAR = _new_year(np.arange(10_002))
_LEAP_LIST, _NEW_YEAR_LIST = _LEAP.tolist(), _NEW_YEAR.tolist()


def is_leap(year: Any) -> Any:
    return _LEAP.take(year) if isinstance(year, np.ndarray) else _LEAP_LIST[year]


def new_year(year: Any) -> Any:
    """The ordinal of 1 January, for an int or an array of ints."""
    return _NEW_YEAR.take(year) if isinstance(year, np.ndarray) else _NEW_YEAR_LIST[year]


def is_february_end(day: Any) -> Any:
    if isinstance(day, DateColumn):
        return day.february_end
    return day.month == 2 and day.day >= 28 + is_leap(day.year)


def ordinal(year: Any, month: Any, day: Any) -> Any:
    """The ordinal of a date given by its parts."""
    before = np.array(_BEFORE_MONTH).take(month) if isinstance(month, np.ndarray) else _BEFORE_MONTH[month]
    return new_year(year) + before + (is_leap(year) & (month > 2)) + day - 1
