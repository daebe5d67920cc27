"""Dates and the numbers that stand for them in Excel's 1900 date system.

Serial 1 is 1 January 1900.  Excel's calendar has a 29 February 1900 (serial 60), which never was: that
serial is refused, and the serials below it lie one day nearer to their dates than those above it.
Source: Microsoft, "Excel incorrectly assumes that the year 1900 is a leap year"; ECMA-376 part 1, 18.17.4.1.

Everything here takes the years 1900 to 9999; a fraction of a day is cut off.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, WrongKind

FIRST_SERIAL, MISSING_SERIAL, LAST_SERIAL = 1, 60, 2958465
SERIAL_RANGE = "give a serial from 1 (1900-01-01) to 2958465 (9999-12-31), but not 60"
YEAR_RANGE = "give a date of the years 1900 to 9999"

_ZERO_ORDINAL = date(1899, 12, 30).toordinal()  # of serial 0, counted down from the serials above 60
_MARCH_1900 = date(1900, 3, 1).toordinal()
_ZERO_EPOCH = int(np.datetime64("1899-12-30", "D").astype(np.int64))
FIRST_EPOCH = int(np.datetime64("1900-01-01", "D").astype(np.int64))
LAST_EPOCH = int(np.datetime64("9999-12-31", "D").astype(np.int64))


def to_serial(day: date) -> int:
    """The Excel serial of a date.  OutOfRange before 1900."""
    ordinal = day.toordinal()
    serial = ordinal - _ZERO_ORDINAL - (ordinal < _MARCH_1900)
    if serial < FIRST_SERIAL:
        raise OutOfRange(f"{day} is before 1900", remedy=YEAR_RANGE)
    return serial


def from_serial(serial: float) -> date:
    """The date of an Excel serial.  WrongKind for what is no number, OutOfRange for serial 60 and beyond."""
    # a cell's number comes as int or float; asking for the type is much quicker than isinstance
    if type(serial) is not float and type(serial) is not int:
        serial = _number(serial)
    if not FIRST_SERIAL <= serial < LAST_SERIAL + 1:
        raise OutOfRange(_serial_sentence(serial), remedy=SERIAL_RANGE)
    whole = int(serial)
    if whole > MISSING_SERIAL:
        return date.fromordinal(whole + _ZERO_ORDINAL)
    if whole == MISSING_SERIAL:
        raise OutOfRange(_serial_sentence(whole), remedy=SERIAL_RANGE)
    return date.fromordinal(whole + _ZERO_ORDINAL + 1)


def _number(value: object) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise WrongKind(f"{value!r:.60} is no date", remedy="enter a date or its serial number")
    return float(value)


def to_date(value: object) -> date:
    """One date from a ``date``, ``datetime``, ``datetime64`` or Excel serial."""
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        if value.year < 1900:
            raise OutOfRange(f"{value} is before 1900", remedy=YEAR_RANGE)
        return value
    if isinstance(value, np.datetime64):
        found: date = np.array(to_epoch(value)).astype("M8[D]").item()
        return found
    return from_serial(value)  # type: ignore[arg-type]  # anything else is named in the error


def to_serials(days: Any) -> NDArray[np.int64]:
    """Excel serials of dates, any shape: ``datetime64`` array or list of dates."""
    epoch = to_epoch(np.asarray(days, dtype="M8[D]"))
    serials: NDArray[np.int64] = epoch - _ZERO_EPOCH
    serials -= serials <= MISSING_SERIAL
    return serials


def from_serials(serials: Any) -> NDArray[np.datetime64]:
    """``datetime64[D]`` of Excel serials, any shape."""
    return to_epoch(np.asarray(serials)).astype("M8[D]")


def to_epoch(days: Any) -> NDArray[np.int64]:
    """Days since 1970-01-01, int64, of an array of dates in any of the accepted forms.

    ``datetime64`` of any unit, int or float Excel serials, or objects (dates, serials).  WrongKind for
    anything else, OutOfRange for NaN, NaT, serial 60 and what lies outside 1900 to 9999.
    """
    array = np.asarray(days)
    kind = array.dtype.kind
    if kind == "M":
        epoch = (
            array.astype("M8[D]", copy=False).view(np.int64)
            if array.ndim
            else array.astype("M8[D]").astype(np.int64)
        )
    elif kind in "iu":
        epoch = _serials_to_epoch(array.astype(np.int64, copy=False))
    elif kind == "f":
        if not np.isfinite(array).all():
            raise OutOfRange("a number that is NaN or infinite is no date", remedy=SERIAL_RANGE)
        epoch = _serials_to_epoch(np.clip(np.floor(array), -1, LAST_SERIAL + 1).astype(np.int64))
    elif kind == "O":
        if not set(map(type, array.ravel())) <= {date, datetime}:
            array = np.array([to_date(value) for value in array.ravel()], dtype="M8[D]").reshape(array.shape)
        epoch = array.astype("M8[D]").astype(np.int64)
    else:
        raise WrongKind(f"{array.ravel()[:1]} are no dates", remedy="enter dates or their serial numbers")
    if epoch.size and not (epoch.min() >= FIRST_EPOCH and epoch.max() <= LAST_EPOCH):
        raise OutOfRange("a date lies outside the years 1900 to 9999, or is missing", remedy=YEAR_RANGE)
    return epoch


def _serials_to_epoch(serials: NDArray[np.int64]) -> NDArray[np.int64]:
    if not serials.size:
        return serials
    low, high = int(serials.min()), int(serials.max())
    if low < FIRST_SERIAL or high > LAST_SERIAL:
        raise OutOfRange(_serial_sentence(low if low < FIRST_SERIAL else high), remedy=SERIAL_RANGE)
    epoch: NDArray[np.int64] = serials + _ZERO_EPOCH
    if low <= MISSING_SERIAL:
        if (serials == MISSING_SERIAL).any():
            raise OutOfRange(_serial_sentence(MISSING_SERIAL), remedy=SERIAL_RANGE)
        epoch += serials < MISSING_SERIAL
    return epoch


def _serial_sentence(serial: float) -> str:
    if serial == MISSING_SERIAL:
        return "serial 60 is 29 February 1900, a day that never was"
    return f"serial {serial:g} is outside the dates of a worksheet"
