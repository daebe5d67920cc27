"""What a face has answered against what a case states, or against the direct call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.faces.case import UNSTATED, Case, as_cells
from xlmodel.functions import call
from xlmodel.functions.cells import Cell, Rows

_direct: dict[str, Cell | Rows] = {}


def direct_call(case: Case) -> Cell | Rows:
    """What the registry answers, asked once a case."""
    if case.id not in _direct:
        _direct[case.id] = call(case.function, [as_cells(argument) for argument in case.arguments])
    return _direct[case.id]


def found_in(result: Cell | Rows, case: Case) -> tuple[Any, Any]:
    """The part of a result that a case states, rounded as it is printed, and what it states."""
    assert case.expected is not UNSTATED
    return _rounded(_part(result, case), case.digits), unwrapped(case.expected)


def unwrapped(result: Cell | Rows) -> Cell | Rows:
    """An array of one cell as that cell, which is how it looks in a sheet."""
    if isinstance(result, list) and len(result) == len(result[0]) == 1:
        return result[0][0]
    return result


def same(found: Any, expected: Any) -> bool:
    """Equal in kind and value, numbers to twelve digits."""
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, float) and isinstance(expected, float):
        return found == expected or found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    return type(found) is type(expected) and bool(found == expected)


def _part(result: Cell | Rows, case: Case) -> Cell | Rows:
    if case.at is None or not isinstance(result, list) or not isinstance(case.expected, list):
        return unwrapped(result)
    top, left = case.at[0] - 1, case.at[1] - 1
    rows = result[top : top + len(case.expected)]
    return unwrapped([row[left : left + len(case.expected[0])] for row in rows])


def _rounded(result: Cell | Rows, digits: int | None) -> Any:
    if isinstance(result, list):
        return [[_rounded(cell, digits) for cell in row] for row in result]
    if isinstance(result, float) and digits is not None:
        return round(result, digits)
    return result
