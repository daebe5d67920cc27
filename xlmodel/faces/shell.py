"""The functions from the shell: ``xlmodel call``, with words or with JSON lines."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from xlmodel.conventions.serial import to_serial
from xlmodel.errors import WrongKind, XlmodelError
from xlmodel.functions import call
from xlmodel.functions.cells import Argument, Cell, CellError, Rows, shown

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def argument_from_word(word: str) -> Argument:
    """A word of the command line as a cell value.

    A number, an ISO date (as its serial), TRUE or FALSE, a JSON list for a range, nothing or ``null`` for a
    blank; anything else is a text.  Raises WrongKind for a date that is none, or a list that is no JSON.
    """
    text = word.strip()
    if text == "" or text.lower() == "null":
        return None
    if _NUMBER.fullmatch(text):
        return float(text)
    if text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE"
    if text.startswith("["):
        try:
            return argument_from_json(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise WrongKind(f"{text[:60]!r} is no JSON list: {error}") from None
    return _date_or_text(word)


def argument_from_json(value: Any) -> Argument:
    """A JSON value as a cell value; a list of lists is a range, a plain list one row of it."""
    if isinstance(value, list):
        nested = any(isinstance(item, list) for item in value)
        rows = value if nested else [value]
        return [[_cell(cell) for cell in (row if isinstance(row, list) else [row])] for row in rows]
    return _cell(value)


def answers(lines: Iterable[str]) -> Iterator[str]:
    """One JSON value for each line ``["XM_NAME", argument, ...]``, malformed lines included."""
    for number, line in enumerate(lines, start=1):
        yield json.dumps(_answer(line, number), ensure_ascii=False, allow_nan=False)


def as_text(result: Cell | Rows) -> str:
    """A result as a shell shows it: ranges as rows with tabs, numbers in full precision, dates as serials."""
    if isinstance(result, list):
        return "\n".join("\t".join(_word(cell) for cell in row) for row in result)
    return _word(result)


def reason(error: CellError) -> str:
    """The sentence behind an error, if it is one of ours."""
    return str(error.reason) if error.reason else ""


def first_error(result: Cell | Rows) -> CellError | None:
    """The error that a result is, or holds."""
    cells = [cell for row in result for cell in row] if isinstance(result, list) else [result]
    return next((cell for cell in cells if isinstance(cell, CellError)), None)


def _answer(line: str, number: int) -> Any:
    try:
        request = json.loads(line)
        if not isinstance(request, list) or not request or not isinstance(request[0], str):
            raise WrongKind(f'line {number} is not of the form ["XM_NAME", argument, ...]')
        arguments = [argument_from_json(value) for value in request[1:]]
    except (ValueError, RecursionError) as error:
        return _as_json(shown(WrongKind(f"line {number} is no JSON: {error}")))
    except XlmodelError as error:
        return _as_json(shown(error))
    result = call(request[0], arguments)
    if isinstance(result, list):
        return [[_as_json(cell) for cell in row] for row in result]
    return _as_json(result)


def _as_json(cell: Cell) -> Any:
    if isinstance(cell, CellError):
        return {"error": cell.code, "reason": reason(cell)}
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    return cell


def _word(cell: Cell) -> str:
    if isinstance(cell, CellError):
        return cell.code
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if cell is None:
        return ""
    return str(_as_json(cell))


def _cell(value: Any) -> Cell:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            raise WrongKind("a number is too large for a cell") from None
    if isinstance(value, str):
        return _date_or_text(value)
    raise WrongKind(f"{str(value)[:60]} is no cell value")


def _date_or_text(text: str) -> Cell:
    if not _DATE.fullmatch(text.strip()):
        return text
    try:
        return float(to_serial(dt.date.fromisoformat(text.strip())))
    except ValueError:
        raise WrongKind(f"{text.strip()} is no date", remedy="write YYYY-MM-DD") from None
