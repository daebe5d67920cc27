"""The table of cases through LibreOffice Calc with the add-in: the small in one session, the large in two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula

from tests.faces.case import Case
from tests.faces.case_workbook import CASES_SHEET, Placed, case_workbook
from tests.faces.cases import CASES
from tests.faces.comparison import same, unwrapped
from xlmodel.faces.libreoffice.program import LibreOffice, ask
from xlmodel.faces.libreoffice.recalculate import cells_of, recalculate
from xlmodel.functions.cells import Cell, CellError
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.values import ErrorCode, Value

_LARGE = 1000

pytestmark = pytest.mark.faces

# What Calc answers otherwise, by design of Calc; docs/faces.md lists the reasons.
DIFFERING: dict[str, Cell] = {
    # Calc does not call a function of which an argument is an error: the last such argument shows.
    "XM_WHY: an error in a cell": CellError("#REF!"),
    "XM_INTEREST: two errors among arguments, the first counts": CellError("#REF!"),
    "XM_INTEREST: an error after a text that is no number": CellError("#N/A"),
    "XM_INTEREST: an error behind a blank that is required": CellError("#N/A"),
    # TRUE is the number 1: the day count actual/actual, 48 days as well.
    "XM_DAYS: TRUE for a basis": 48.0,
}


@dataclass(frozen=True)
class Calculated:
    """For each case the values of its sheet, and where it stands there."""

    placed: Mapping[str, tuple[Mapping[Address, Value], Placed]]

    def found(self, name: str) -> Any:
        """What Calc shows in the cells of a case."""
        values, case = self.placed[name]
        columns = range(case.column, case.column + case.columns)
        rows = range(1, case.rows + 1)
        return unwrapped([[shown(values.get(Address(row, each))) for each in columns] for row in rows])

    def direct(self, name: str) -> Any:
        """What the direct call gives."""
        return unwrapped(self.placed[name][1].direct)


@pytest.fixture(scope="module")
def calculated() -> Calculated:
    large = [case for case in CASES if _size(case) >= _LARGE]
    small = [case for case in CASES if _size(case) < _LARGE]
    half = len(large) // 2
    placed: dict[str, tuple[Mapping[Address, Value], Placed]] = {}
    for cases in (small, large[:half], large[half:]):
        data, places = case_workbook(cases)
        values = recalculate(open_package(data, name="cases.xlsx"))[CASES_SHEET]
        placed |= {each.case.id: (values, each) for each in places}
    return Calculated(placed)


def _size(case: Case) -> int:
    """Cells of the largest range that is given."""
    return max((sum(map(len, given)) for given in case.arguments if isinstance(given, list)), default=0)


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


# As somebody would type them in Calc, where nothing wraps a reference: the cell, its formula, what shows.
# Of =XM_ROUND(1.239, blank) the answer is 1.24 elsewhere, of the header 1, of the error #N/A.
TYPED: tuple[tuple[str, str, Value], ...] = (
    ("C1", "=XM.ROUND(1.239,A1)", 1.0),
    ("C2", "=XM.IRR(A2:A4)", ErrorCode("#VALUE!")),
    ("C3", '=COUNTIF(E1:J1,"Month")', 0.0),
    ("C4", "=XM_DAYS(36461,36509)", ErrorCode("#NAME?")),
)


def test_what_is_typed_in_calc_differs_as_listed(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for place, value in (("A2", -100), ("A3", "=NA()"), ("A4", 110)):
        sheet[place] = value
    for column, cell in enumerate((1200, 0, 12, 12), start=1):
        sheet.cell(6, column, cell)
    sheet["E1"] = ArrayFormula("E1:J2", '=XM.COLLECTIONS(A6:D6,0,"ABS",1,TRUE)')
    for place, formula, _ in TYPED:
        sheet[place] = formula
    book.save(tmp_path / "typed.xlsx")
    answer = ask(LibreOffice.find(), tmp_path / "typed.xlsx")
    values = dict(cells_of(answer["sheets"][0], []))
    assert values[Address.parse("E1")] == "Month"
    found = {place: values[Address.parse(place)] for place, _, _ in TYPED}
    assert found == {place: value for place, _, value in TYPED}
