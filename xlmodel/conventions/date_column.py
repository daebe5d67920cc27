"""A column of dates that answers like one ``datetime.date``: year, month, day, ordinal, each an array.

A convention is then written once and serves a cell and a million rows.  The parts come from a table by
day number, which is several times faster than taking ``datetime64`` apart.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.serial import FIRST_EPOCH, LAST_EPOCH, to_epoch

Ints = NDArray[np.int32]

_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
_TABLE_END = int(np.datetime64("2200-01-01", "D").astype(np.int64))  # beyond it the table would leave the cache


class _Parts(NamedTuple):
    year: Ints
    month: Ints
    day: Ints
    february_end: NDArray[np.bool_]


class DateColumn:
    """Dates of the years 1900 to 9999, any shape; the attributes of ``datetime.date`` as int arrays."""

    __slots__ = ("_index", "_parts", "epoch")

    def __init__(self, days: Any) -> None:
        self.epoch = to_epoch(days)
        if self.epoch.size and int(self.epoch.max()) >= _TABLE_END:
            self._parts = _take_apart(self.epoch)
            self._index = None
        else:
            self._parts = _table()
            self._index = self.epoch - FIRST_EPOCH

    @property
    def year(self) -> Ints:
        return self._part(self._parts.year)

    @property
    def month(self) -> Ints:
        return self._part(self._parts.month)

    @property
    def day(self) -> Ints:
        return self._part(self._parts.day)

    @property
    def february_end(self) -> NDArray[np.bool_]:
        """Whether each is the last day of a February."""
        found: NDArray[np.bool_] = self._part(self._parts.february_end)
        return found

    def toordinal(self) -> NDArray[np.int64]:
        ordinals: NDArray[np.int64] = self.epoch + _EPOCH_ORDINAL
        return ordinals

    def _part(self, part: Any) -> Any:
        # the constructor has checked the range; "clip" only spares numpy from checking it again
        return part if self._index is None else part.take(self._index, mode="clip")


@cache
def _table() -> _Parts:
    return _take_apart(np.arange(FIRST_EPOCH, _TABLE_END))


def _take_apart(epoch: NDArray[np.int64]) -> _Parts:
    days = epoch.astype("M8[D]")
    months = days.astype("M8[M]")
    year = days.astype("M8[Y]").astype(np.int64) + 1970
    month = months.astype(np.int64) % 12 + 1
    day = (days - months).astype(np.int64) + 1
    tomorrow = np.minimum(epoch + 1, LAST_EPOCH).astype("M8[D]").astype("M8[M]")
    february_end = (month == 2) & (tomorrow != months)
    return _Parts(year.astype(np.int32), month.astype(np.int32), day.astype(np.int32), february_end)
