"""The table of cases through LibreOffice Calc with the add-in, all of it in one session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.faces.case_workbook import CASES_SHEET, Placed, case_workbook
from tests.faces.cases import CASES
from tests.faces.comparison import same, unwrapped
from xlmodel.faces.libreoffice.recalculate import recalculate
from xlmodel.functions.cells import Cell, CellError
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.values import ErrorCode, Value

pytestmark = pytest.mark.faces

# What Calc answers otherwise, by design of Calc; docs/faces.md lists the reasons.
DIFFERING: dict[str, Cell] = {}


@dataclass(frozen=True)
class Calculated:
    """The values of the sheet of cases, and where each case stands in it."""

    values: Mapping[Address, Value]
    placed: Mapping[str, Placed]

    def found(self, name: str) -> Any:
        """What Calc shows in the cells of a case."""
        case = self.placed[name]
        columns = range(case.column, case.column + case.columns)
        rows = range(1, case.rows + 1)
        return unwrapped([[shown(self.values.get(Address(row, each))) for each in columns] for row in rows])

    def direct(self, name: str) -> Any:
        """What the direct call gives."""
        return unwrapped(self.placed[name].direct)


@pytest.fixture(scope="module")
def calculated() -> Calculated:
    data, placed = case_workbook(CASES)
    values = recalculate(open_package(data, name="cases.xlsx"))
    return Calculated(values[CASES_SHEET], {each.case.id: each for each in placed})


def shown(value: Value) -> Cell:
    return CellError(value) if isinstance(value, ErrorCode) else value


def as_calc_shows(result: Any) -> Any:
    """A result in Calc's kinds: TRUE and FALSE of an add-in are the numbers 1 and 0."""
    if isinstance(result, list):
        return [[as_calc_shows(cell) for cell in row] for row in result]
    return float(result) if isinstance(result, bool) else result


@pytest.mark.parametrize("name", [case.id for case in CASES if case.id not in DIFFERING])
def test_equals_the_direct_call(calculated: Calculated, name: str) -> None:
    assert same(calculated.found(name), as_calc_shows(calculated.direct(name)))


@pytest.mark.parametrize("name", DIFFERING)
def test_differs_as_listed(calculated: Calculated, name: str) -> None:
    assert same(calculated.found(name), DIFFERING[name])
    assert not same(calculated.found(name), calculated.direct(name))
