"""The table of cases through LibreOffice Calc with the add-in, all of it in one session."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.faces.case_workbook import CASES_SHEET, Placed, case_workbook
from tests.faces.cases import CASES
from tests.faces.comparison import same, unwrapped
from xlmodel.faces.libreoffice.recalculate import Values, recalculate
from xlmodel.functions.cells import Cell, CellError
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.values import ErrorCode, Value

pytestmark = pytest.mark.faces

# What Calc answers otherwise, by design of Calc; docs/faces.md lists the reasons.
DIFFERING: dict[str, Cell] = {}


@cache
def calculated() -> tuple[Values, dict[str, Placed]]:
    data, placed = case_workbook(CASES)
    values = recalculate(open_package(data, name="cases.xlsx"))
    return values, {each.case.id: each for each in placed}


def shown(value: Value) -> Cell:
    return CellError(value) if isinstance(value, ErrorCode) else value


def as_calc_shows(result: Any) -> Any:
    """A result in Calc's kinds: TRUE and FALSE of an add-in are the numbers 1 and 0."""
    if isinstance(result, list):
        return [[as_calc_shows(cell) for cell in row] for row in result]
    return float(result) if isinstance(result, bool) else result


def found_in_calc(name: str) -> Any:
    values, placed = calculated()
    case = placed[name]
    return [
        [
            shown(values[CASES_SHEET].get(Address(row, column)))
            for column in range(case.column, case.column + case.columns)
        ]
        for row in range(1, case.rows + 1)
    ]


@pytest.mark.parametrize("name", [case.id for case in CASES if case.id not in DIFFERING])
def test_equals_the_direct_call(name: str) -> None:
    direct = calculated()[1][name].direct
    assert same(unwrapped(found_in_calc(name)), as_calc_shows(unwrapped(direct)))


@pytest.mark.parametrize("name", DIFFERING)
def test_differs_as_listed(name: str) -> None:
    found = unwrapped(found_in_calc(name))
    assert same(found, DIFFERING[name])
    assert not same(found, unwrapped(calculated()[1][name].direct))
