"""Evaluation without a spreadsheet program, on small workbooks made here."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.errors import (
    ArrayDoesNotFit,
    CircularReference,
    UnknownFunction,
    UnsupportedFormula,
    XlmodelError,
)
from xlmodel.faces.headless import Evaluation, evaluate
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.values import ErrorCode, Value


def evaluated(fill: Callable[[Worksheet], object]) -> Evaluation:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "In and out"
    fill(sheet)
    book.defined_names["Rate"] = DefinedName("Rate", attr_text="'In and out'!$B$1")
    stream = io.BytesIO()
    book.save(stream)
    return evaluate(open_package(stream.getvalue(), name="small.xlsx"))


def value_of(formula: str, **cells: Any) -> Value:
    def fill(sheet: Worksheet) -> None:
        for cell, content in cells.items():
            sheet[cell] = content
        sheet["Z9"] = formula

    return evaluated(fill).value("In and out", Address.parse("Z9"))


LARGE = {f"F{row}": 36461 for row in range(1, 3001)} | dict.fromkeys(("G1", "H1", "I1", "J1"), 1)
START, END = dt.date(1999, 10, 28), dt.date(1999, 12, 15)


@pytest.mark.parametrize(
    ("formula", "cells", "value"),
    [
        ('=XM_DAYS(A1,A2,"actual/360")', {"A1": START, "A2": END}, 48),
        ("=XM_DAYS(A1,A2,)", {"A1": START, "A2": END}, 47),  # omitted is the default, not 0
        ("=XM_DAYS(A1,A2,C9)", {"A1": START, "A2": END}, 47),  # so is a blank cell
        ("=XM_DAYS(A1,DATE(1999,12,15),2)", {"A1": START}, 48),
        ("=_xll.XM_DAYS(A1,A2,2)+1", {"A1": START, "A2": END}, 49),
        ("=ROUND(XM_INTEREST(100,Rate,A1,A2,2),2)", {"A1": START, "A2": END, "B1": 0.06}, 0.8),
        ('=IF(XM_POOL_FACTOR(1,3)>0.3,"yes, (it is)",XM_DAYS(1,2))', {}, "yes, (it is)"),
        ("=XM_POOL_FACTOR(A1,A1)=1", {"A1": 5}, True),
        ("=SUM(XM_ALLOCATE(100,A1:A2))", {"A1": 60, "A2": 70}, 130),
        ('=LEFT(XM_WHY("XM_DAYS",1,"x"),6)', {}, "XM-101"),
    ],
)
def test_values(formula: str, cells: dict[str, Any], value: Value) -> None:
    assert value_of(formula, **cells) == value


def test_arrays_fill_their_range_and_native_formulas_read_them() -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["A2"] = 60, 70
        sheet["C1"] = ArrayFormula("C1:D2", "=XM_ALLOCATE(100,A1:A2)")
        sheet["F1"] = "=D1+D2"

    found = evaluated(fill)
    assert found.values["In and out"] == {
        Address.parse(cell): value
        for cell, value in {"C1": 60, "D1": 0, "C2": 40, "D2": 30, "F1": 30}.items()
    }
    assert (found.formulas, found.functions, found.failures) == (2, 1, ())


def test_a_failing_cell_of_ours_names_the_input_and_its_dependants_follow() -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["A2"] = 60, "seventy"
        sheet["C1"] = ArrayFormula("C1:D2", "=XM_ALLOCATE(100,A1:A2)")
        sheet["F1"] = "=XM_POOL_FACTOR(C1,100)"

    found = evaluated(fill)
    first, second = map(str, found.failures)
    assert "sheet In and out, cell C1: XM_ALLOCATE shows #VALUE! because of 'In and out'!A2" in first
    assert "the text 'seventy'" in first
    assert "cell F1" in second
    cells = [found.value("In and out", Address.parse(cell)) for cell in ("C1", "D1", "C2", "D2", "F1")]
    assert cells == [ErrorCode("#VALUE!")] * 5


def test_an_error_that_a_formula_handles_is_no_failure() -> None:
    assert value_of('=IF(ISERROR(XM_DAYS("x",1)),"none",1)') == "none"


@pytest.mark.parametrize(
    ("cells", "error", "parts"),
    [
        ({"A1": "=XM_DAYZ(1,2)"}, UnknownFunction, ["cell A1", "XM_DAYS"]),
        ({"A1": "=TRANSPOSE(B1:B2)"}, UnsupportedFormula, ["cell A1", "TRANSPOSE"]),
        ({"A1": "=NOT_A_FUNCTION(1)"}, UnsupportedFormula, ["cell A1", "NOT_A_FUNCTION"]),
        ({"A1": "=B1", "B1": "=A1"}, CircularReference, ["In and out!A1", "In and out!B1"]),
        ({"A1": ArrayFormula("A1:B3", "=XM_ALLOCATE(1,F1:F2)"), "F1": 1, "F2": 1},
         ArrayDoesNotFit, ["cell A1", "2 rows by 2 columns", "3 by 2"]),
        ({"A1": ArrayFormula("A1:B2", "=XM_ALLOCATE(1,F1:F3)"), "F1": 1, "F2": 1, "F3": 1},
         ArrayDoesNotFit, ["cell A1", "3 rows by 2 columns", "2 by 2"]),
        ({"A1": ArrayFormula("A1:E3000", "=XM_ADD_MONTHS(F1:F3000,G1:J1)"), **LARGE},
         ArrayDoesNotFit, ["cell A1", "3000 rows by 4 columns", "3000 by 5"]),
        ({"A1": ArrayFormula("A1:D4000", "=XM_ADD_MONTHS(F1:F3000,G1:J1)"), **LARGE},
         ArrayDoesNotFit, ["cell A1", "3000 rows by 4 columns", "4000 by 4"]),
        ({"A1": ArrayFormula("A1:A10001", "=XM_ADD_MONTHS(F1,G1)"), **LARGE},
         ArrayDoesNotFit, ["cell A1", "1 rows by 1 columns", "10001 by 1"]),
        ({"A1": ArrayFormula("A1:OAA1", "=XM_ADD_MONTHS(F2,G2:H2)")},
         ArrayDoesNotFit, ["cell A1", "10,167 columns"]),
    ],
)  # fmt: skip
def test_what_cannot_be_evaluated_is_refused_by_name(
    cells: dict[str, Any], error: type[XlmodelError], parts: list[str]
) -> None:
    def fill(sheet: Worksheet) -> None:
        for cell, content in cells.items():
            sheet[cell] = content

    with pytest.raises(error) as raised:
        evaluated(fill)
    assert [part for part in ["small.xlsx", *parts] if part not in str(raised.value)] == [], str(raised.value)


def test_columns_in_place_of_single_cells_and_the_cell_at_fault() -> None:
    """CarMax Auto Owner Trust 1999-1 prospectus: first interest of three classes, in one array."""

    def fill(sheet: Worksheet, balance: float = 178_900_000.0) -> None:
        for row in (
            [155_250_000.0, 0.062025, "actual/360"],
            [balance, 0.0676, "30/360"],
            [88_278_000.0, 0.0688, "30/360"],
        ):
            sheet.append(row)
        sheet["E1"], sheet["E2"] = START, END
        sheet["G1"] = ArrayFormula("G1:G3", "=XM_INTEREST(A1:A3,B1:B3,E1,E2,C1:C3,2)")
        sheet["H1"] = "=ROUND(SUM(XM_INTEREST(A1:A3,B1:B3,E1,E2,C1:C3,2)),2)"

    found = evaluated(fill)
    column = [found.value("In and out", Address(row, 7)) for row in (1, 2, 3)]
    assert column == [1_283_917.50, 1_578_891.89, 792_932.61]
    assert found.value("In and out", Address(1, 8)) == 3_655_742.00
    failed = evaluated(lambda sheet: fill(sheet, -1.0))
    assert ["because of 'In and out'!A2" in str(failure) for failure in failed.failures] == [True, True]
