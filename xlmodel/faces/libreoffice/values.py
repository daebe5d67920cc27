"""Calc's values as they arrive in an add-in, and cell values as they go back.

An error is a number that is none: a NaN whose lowest bits hold Calc's code of the error.  A blank cell of a
range arrives as an empty text, an argument left out as None; TRUE and FALSE are 1 and 0 both ways.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from xlmodel.functions.cells import Argument, Cell, CellError, Rows

# Calc's codes of the errors that Excel has too.  Source: LibreOffice, FormulaError (formula/errorcodes.hxx).
CODES = {
    "#NUM!": 503,
    "#VALUE!": 519,
    "#NULL!": 521,
    "#REF!": 524,
    "#NAME?": 525,
    "#DIV/0!": 532,
    "#N/A": 32767,
}
CIRCULAR = 522
"""Calc's code of a formula that depends on itself."""
_NO_CONVERGENCE = 523
_ERRORS = {_NO_CONVERGENCE: "#NUM!"} | {code: error for error, code in CODES.items()}
_QUIET_NAN = 0x7FF8 << 48


def error_of(code: int) -> str:
    """The error that a cell shows for one of Calc's codes; those that only Calc has count as #VALUE!."""
    return _ERRORS.get(code, "#VALUE!")


def from_calc(value: Any) -> Argument:
    """An argument as a cell value, or as rows of them."""
    if isinstance(value, tuple):
        return [[_cell(cell) for cell in row] for row in value]
    return _cell(value)


def to_calc(result: Cell | Rows, *, rows: bool) -> Any:
    """A result as Calc takes it: a number or text, or a tuple of rows of them even for a single one."""
    if not rows:
        assert not isinstance(result, list)
        return _sent(result)
    return tuple(tuple(map(_sent, row)) for row in (result if isinstance(result, list) else [[result]]))


def _cell(value: Any) -> Cell:
    if isinstance(value, float):
        return value if not math.isnan(value) else CellError(error_of(_bits(value) & 0xFFFF))
    if value is None or isinstance(value, str | bool):
        return value
    return float(value)


def _sent(cell: Cell) -> float | str:
    if isinstance(cell, CellError):
        return struct.unpack("<d", struct.pack("<Q", _QUIET_NAN | CODES.get(cell.code, CODES["#VALUE!"])))[0]  # type: ignore[no-any-return]
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else float(cell)


def _bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])
