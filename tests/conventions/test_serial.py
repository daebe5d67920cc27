"""Excel's serials: the day that never was, the shift below it, the range."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
import openpyxl.utils.datetime as openpyxl_dates
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.serial import (
    LAST_SERIAL,
    from_serial,
    from_serials,
    to_date,
    to_serial,
    to_serials,
)
from xlmodel.errors import OutOfRange, WrongKind

# source: Microsoft, "Excel incorrectly assumes that the year 1900 is a leap year"; Excel's own DATEVALUE
KNOWN = {
    1: date(1900, 1, 1),
    59: date(1900, 2, 28),
    61: date(1900, 3, 1),
    36461: date(1999, 10, 28),
    36526: date(2000, 1, 1),
    45292: date(2024, 1, 1),
    2958465: date(9999, 12, 31),
}


@pytest.mark.parametrize(("serial", "day"), KNOWN.items())
def test_known_serials(serial: int, day: date) -> None:
    assert to_serial(day) == serial
    assert from_serial(serial) == day
    assert from_serial(serial + 0.999) == day
    assert from_serial(np.float64(serial)) == day


def test_known_serials_as_columns() -> None:
    serials, days = list(KNOWN), np.array(list(KNOWN.values()), dtype="M8[D]")
    assert to_serials(days).tolist() == serials
    assert to_serials(list(KNOWN.values())).tolist() == serials
    np.testing.assert_array_equal(from_serials(serials), days)
    np.testing.assert_array_equal(from_serials(np.array(serials) + 0.5), days)
    assert from_serials(np.array(serials)[:, None]).shape == (7, 1)


@pytest.mark.parametrize(
    "serial", [60, 60.5, 0, -1, 0.99, LAST_SERIAL + 1, 1e300, float("nan"), float("-inf")]
)
def test_serials_outside_the_calendar(serial: float) -> None:
    with pytest.raises(OutOfRange, match="XM-102"):
        from_serial(serial)
    with pytest.raises(OutOfRange, match="XM-102"):
        from_serials(np.array([serial]))


@pytest.mark.parametrize("value", ["45292", True, None, 1j, b"1"])
def test_what_is_no_serial(value: Any) -> None:
    with pytest.raises(WrongKind):
        from_serial(value)
    with pytest.raises(WrongKind):
        to_date(value)


@pytest.mark.parametrize(
    "value",
    [
        45292,
        45292.25,
        date(2024, 1, 1),
        datetime(2024, 1, 1, 23),
        np.datetime64("2024-01-01T23"),
        np.int32(45292),
    ],
)
def test_one_date_from_any_form(value: Any) -> None:
    assert to_date(value) == date(2024, 1, 1)
    assert type(to_date(value)) is date


def test_dates_before_1900() -> None:
    with pytest.raises(OutOfRange, match="before 1900"):
        to_serial(date(1899, 12, 31))
    with pytest.raises(OutOfRange, match="before 1900"):
        to_date(date(1899, 12, 31))
    with pytest.raises(OutOfRange, match="1900 to 9999"):
        to_serials([date(1899, 12, 31)])
    with pytest.raises(OutOfRange, match="1900 to 9999"):
        to_date(np.datetime64("NaT"))


@given(st.dates(date(1900, 3, 1), date(9999, 12, 31)))
def test_openpyxl_writes_the_same_serials(day: date) -> None:
    assert to_serial(day) == openpyxl_dates.to_excel(day)  # type: ignore[no-untyped-call]


@given(st.integers(1, LAST_SERIAL).filter(lambda serial: serial != 60))
def test_there_and_back(serial: int) -> None:
    assert to_serial(from_serial(serial)) == serial
    assert to_serials(from_serials([serial]))[0] == serial
