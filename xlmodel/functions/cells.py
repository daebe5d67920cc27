"""The one value model: what a cell can hold, and how it becomes a Python value and back.

A cell value is a ``float``, ``str``, ``bool``, ``CellError`` or ``None`` (blank or omitted).  A range is a
list of rows of cell values.  Every face translates its transport into this and nothing else, so the same
call gives the same answer everywhere.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from xlmodel.conventions.serial import from_serial, to_serial
from xlmodel.errors import (
    Category,
    ErrorInput,
    OutOfRange,
    UnknownFunction,
    WrongKind,
    WrongShape,
    XlmodelError,
)


class CellError:
    """An error shown by a cell, such as ``#NUM!``; ``reason`` is the xlmodel error behind it, if ours."""

    __slots__ = ("code", "reason")

    def __init__(self, code: str, reason: XlmodelError | None = None) -> None:
        self.code = code
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CellError) and other.code == self.code

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"CellError({self.code})"


Cell = float | str | bool | CellError | None
Rows = list[list[Cell]]
Argument = Cell | Rows

LARGEST_INTEGER = 2**53  # beyond it a cell's number has no units

CELL_ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")

_SHOWN_AS = {
    Category.WRONG_KIND: "#VALUE!",
    Category.OUT_OF_RANGE: "#NUM!",
    Category.NOT_AVAILABLE: "#N/A",
}


def shown(error: XlmodelError) -> CellError:
    """The error that a cell shows for one of ours; an error in an input cell is passed through as it is."""
    if isinstance(error, ErrorInput):
        return CellError(error.shown, error)
    if isinstance(error, UnknownFunction):
        return CellError("#NAME?", error)
    return CellError(_SHOWN_AS.get(error.category, "#VALUE!"), error)


def single(value: Argument) -> Cell:
    """The value of one cell; a range of one cell counts as that cell.  Raises WrongShape, ErrorInput."""
    if isinstance(value, list):
        if len(value) != 1 or len(value[0]) != 1:
            raise WrongShape(f"one cell is asked for, got a range of {len(value)} rows")
        value = value[0][0]
    if isinstance(value, CellError):
        raise _passed_through(value)
    return None if value == "" else value


def number(value: Argument) -> float | None:
    """A number; TRUE and FALSE count as 1 and 0, text never counts as a number."""
    cell = value if type(value) is float else single(value)
    if cell is None:
        return None
    if isinstance(cell, str):
        raise WrongKind(f"a number is asked for, got the text {cell!r}")
    cell = float(cell)  # type: ignore[arg-type]  # single() has raised for a CellError
    if not math.isfinite(cell):
        raise OutOfRange("a finite number is asked for")
    return cell


def integer(value: Argument) -> int | None:
    """A whole number; a fraction is refused, not cut."""
    found = number(value)
    if found is None:
        return None
    if found != int(found) or abs(found) > LARGEST_INTEGER:
        raise OutOfRange(f"a whole number is asked for, got {found:g}")
    return int(found)


def date(value: Argument) -> dt.date | None:
    """A date, from its serial number."""
    if type(value) is float:
        return from_serial(value)
    cell = single(value)
    if isinstance(cell, str):
        raise WrongKind(f"a date is asked for, got the text {cell!r}", remedy="enter it as a date")
    found = number(cell)
    return None if found is None else from_serial(found)


def boolean(value: Argument) -> bool | None:
    """TRUE or FALSE; a number counts as TRUE unless it is 0."""
    found = number(value)
    return None if found is None else found != 0


def text(value: Argument) -> str | None:
    """A text; a whole number counts as its digits, so that ``Pool 1`` and ``1`` are both names."""
    cell = single(value)
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    return f"{cell:.15g}"


def basis(value: Argument) -> str | float | None:
    """A day count: its written name, or one of Excel's codes."""
    cell = value if type(value) is str and value else single(value)
    if cell is None:
        return None
    if isinstance(cell, bool):
        raise WrongKind("a day count is asked for, got TRUE or FALSE")
    return cell  # type: ignore[return-value]  # float or str is left


def anything(value: Argument) -> Argument:
    """The argument as it came."""
    return value


def rows(value: Argument) -> Rows | None:
    """A range as rows of equal length, blanks as None; an error in it is passed through with its place.

    A range of one blank cell is that cell, so it is omitted.
    """
    if value in (None, "", [[None]], [[""]]):
        return None
    table: Rows = value if isinstance(value, list) else [[value]]
    width = max((len(row) for row in table), default=0)
    result: Rows = []
    for number_of_row, row in enumerate(table, start=1):
        for number_of_column, cell in enumerate(row, start=1):
            if isinstance(cell, CellError):
                raise _passed_through(cell).at(row=number_of_row, column=number_of_column)
        result.append([None if cell == "" else cell for cell in row] + [None] * (width - len(row)))
    return result


def numbers(value: Argument) -> list[float] | None:
    """All numbers of a range, row by row; blanks are refused, because a gap would shift the rest."""
    return _every(value, number, "number")


def dates(value: Argument) -> list[dt.date] | None:
    """All dates of a range, row by row; blanks are refused."""
    return _every(value, date, "date")


def _every(value: Argument, read: Callable[[Cell], Any], what: str) -> list[Any] | None:
    table = rows(value)
    if table is None:
        return None
    result = []
    for number_of_row, row in enumerate(table, start=1):
        for number_of_column, cell in enumerate(row, start=1):
            try:
                found = read(cell)
                if found is None:
                    raise WrongKind(f"a {what} is asked for, got a blank cell")
            except XlmodelError as error:
                raise error.at(row=number_of_row, column=number_of_column) from None
            result.append(found)
    return result


def texts(value: Argument) -> list[str] | None:
    """All texts of a range, row by row; blanks are left out."""
    table = rows(value)
    if table is None:
        return None
    found = (text(cell) for row in table for cell in row)
    return [cell for cell in found if cell is not None]


def result_cell(value: Any) -> Cell:
    """A result as a cell value: numbers as float, dates as serials, nothing as an empty text."""
    if isinstance(value, float):  # np.float64 is one too
        return float(value) if math.isfinite(value) else CellError("#NUM!", OutOfRange("no finite result"))
    if value is None:
        return ""
    if isinstance(value, str | CellError | bool):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[D]").item()
    if isinstance(value, dt.date):
        return float(to_serial(value))
    return float(value)


def result_rows(value: Sequence[Sequence[Any]] | np.ndarray[Any, Any]) -> Rows:
    """A two-dimensional result as rows of cell values; never empty."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and np.isfinite(value).all():
        listed: Rows = value.tolist()
        return listed or [[""]]
    result = [[result_cell(cell) for cell in row] for row in value]
    return result or [[""]]


def _passed_through(cell: CellError) -> ErrorInput:
    return ErrorInput(f"the input holds {cell.code}", shown=cell.code)
