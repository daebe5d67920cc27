"""Excel's values as they arrive in Python over COM, and cell values as they go back.

An error travels as the number 0x800A0000 + code, a Long: pywin32 delivers one for every error in a cell, but
cannot send one.  So a result holds the Long itself, and the VBA module turns it into the error.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from xlmodel.functions.cells import Argument, Cell, CellError, Rows

# The errors of a worksheet and their codes.  Source: Microsoft, XlCVError enumeration (Excel).
ERROR_CODES = {
    "#NULL!": 2000,
    "#DIV/0!": 2007,
    "#VALUE!": 2015,
    "#REF!": 2023,
    "#NAME?": 2029,
    "#NUM!": 2036,
    "#N/A": 2042,
    "#GETTING_DATA": 2043,
    "#SPILL!": 2045,
    "#CONNECT!": 2046,
    "#BLOCKED!": 2047,
    "#UNKNOWN!": 2048,
    "#FIELD!": 2049,
    "#CALC!": 2050,
}
CODE_ZERO = -2146828288  # 0x800A0000 as a Long; the Long of an error is this plus its code

_ERRORS = {CODE_ZERO + code: error for error, code in ERROR_CODES.items()}
_LONGS = {error: long for long, error in _ERRORS.items()}
# Excel keeps adding errors; one that is not in the table is still an error, not a number.
_ERROR_LONGS = range(CODE_ZERO + 2000, CODE_ZERO + 3000)
_DAY_ZERO = dt.datetime(1899, 12, 30)
_DAY = dt.timedelta(days=1)


def from_excel(value: Any) -> Argument:
    """An argument as a cell value, or as rows of them.

    A range is a tuple of rows; an array of one dimension, as VBA makes of one row, is a row here too.
    """
    if not isinstance(value, tuple | list):
        return _cell(value)
    if not value:
        return None
    if not any(isinstance(row, tuple | list) for row in value):
        return [[_cell(cell) for cell in value]]
    return [[_cell(cell) for cell in row] for row in value]


def to_excel(result: Cell | Rows) -> list[list[Any]]:
    """A result as rows, whatever its shape: numbers as float, errors as their Long."""
    rows = result if isinstance(result, list) else [[result]]
    return [[_long(cell) if isinstance(cell, CellError) else cell for cell in row] for row in rows]


def _cell(value: Any) -> Cell:
    """One value.  Blank is None; an omitted argument arrives as None too, which xlwings sees to."""
    if value is None or isinstance(value, float | str | bool):
        return value
    if isinstance(value, int):
        # A cell never holds an int: it is an error, or a number that VBA code passes.
        return CellError(_ERRORS.get(value, "#UNKNOWN!")) if value in _ERROR_LONGS else float(value)
    if isinstance(value, dt.datetime):
        # A cell with a date format.  Its clock is the cell's; the time zone that pywin32 adds means nothing.
        return (value.replace(tzinfo=None) - _DAY_ZERO) / _DAY
    if isinstance(value, Decimal):
        return float(value)  # a cell with a currency format
    return CellError("#VALUE!")  # an object that is no range


def _long(error: CellError) -> int:
    return _LONGS.get(error.code, _LONGS["#VALUE!"])
