"""Cell values in JSON, as functions.js sends and receives them.

A cell is a number, a text, true or false, ``{"error": "#N/A"}`` or null (blank or left out); a range is a
list of rows.  An error that goes back has its reason with it.
"""

from __future__ import annotations

import math
import re
from typing import Any

from xlmodel.errors import OutOfRange, WrongKind
from xlmodel.functions.cells import Argument, Cell, CellError, Rows

# Excel keeps adding errors; one that we do not know is still an error and passes through.
_ERROR = re.compile(r"#[A-Z0-9/_]{1,24}[!?]?")


def from_json(value: Any) -> Argument:
    """An argument.  Raises WrongKind, OutOfRange for what no cell can hold."""
    if not isinstance(value, list):
        return _cell(value)
    if not value or not all(isinstance(row, list) and row for row in value):
        raise WrongKind("a range is not sent as a list of rows", remedy="send [[cell, ...], ...]")
    return [[_cell(cell) for cell in row] for row in value]


def to_json(result: Cell | Rows) -> Any:
    """A result."""
    if isinstance(result, list):
        return [[_out(cell) for cell in row] for row in result]
    return _out(result)


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise OutOfRange("a number is too large for a cell")
        return value
    code = value.get("error") if isinstance(value, dict) else None
    if isinstance(code, str) and _ERROR.fullmatch(code):
        return CellError(code)
    raise WrongKind(
        f"{str(value)[:60]} is no cell value", remedy="send a number, a text, true, false or null"
    )


def _out(cell: Cell) -> Any:
    if isinstance(cell, CellError):
        return {"error": cell.code, "reason": str(cell.reason) if cell.reason else ""}
    return cell
