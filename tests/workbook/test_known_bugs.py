"""Faults reported of other programs that handle workbooks: right here, or refused by name."""

from __future__ import annotations

import csv
import io
import math
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from openpyxl.worksheet.formula import ArrayFormula

import tests
from tests.package.packages import one_sheet, package, parts, sheet
from xlmodel.errors import CannotSplice, UnsupportedFormula, XlmodelError
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.splice import splice
from xlmodel.package.values import Value
from xlmodel.workbook.refresh import Refreshed, refresh

TABLE = Path(tests.__file__).parent / "data" / "headless" / "known_bugs.csv"

ELSEWHERE = {
    "B25": "tests/faces/test_native_functions.py: XLOOKUP against INDEX and MATCH of LibreOffice",
    "B26": "tests/faces/test_large_workbook.py: 20,000 formulas against LibreOffice; make bench times them",
    "B34": "tests/workbook/test_features.py: charts",
    "B35": "tests/workbook/test_features.py: embedded object",
    "B37": "tests/workbook/test_features.py: slicer, pivot table",
    "B39": "tests/workbook/test_features.py: rich text",
    "B42": "tests/night/test_bad_workbooks.py: 34_udf_prefixes",
    "B50": "tests/package/test_archive.py: sizes are refused before anything is unpacked",
}
NOT_OURS = {
    "B45": "how LibreOffice is started; tests/libreoffice.py sets OOXMLRecalcMode",
    "B46": "what LibreOffice makes of fullCalcOnLoad: values are stored, so nothing has to be recalculated",
    "B49": "a backend of the evaluator that is not used here; broken files are refused by our own reader",
}


def by_xlsxwriter(fill: Callable[[Any, Any], object]) -> bytes:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True, "nan_inf_to_errors": False})
    fill(book, book.add_worksheet("Sheet"))
    book.close()
    return stream.getvalue()


def refreshed(data: bytes) -> Refreshed:
    return refresh(open_package(data, name="bug.xlsx"))


def value(found: Refreshed, cell: str, name: str = "Sheet") -> Value:
    return found.evaluation.value(name, Address.parse(cell))


def stored(data: bytes, cell: str) -> Any:
    """What another program reads as the cached value."""
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    return book["Sheet"][cell].value


def formulas(cells: Mapping[str, Any]) -> bytes:
    def fill(_: Any, sheet: Any) -> None:
        for cell, content in cells.items():
            sheet.write(cell, content)

    return by_xlsxwriter(fill)


# id: cells, the cell to look at, its value.  XlsxWriter caches 0 in every formula.
RIGHT: dict[str, tuple[dict[str, Any], str, Value]] = {
    "B01": ({"A1": 2, "A2": "=A1*3"}, "A2", 6),
    "B03": ({"A1": 2, "A2": "=A1+5"}, "A2", 7),
    "B04": ({"C57": 1, "D57": 2, "E57": 4, "F57": "=SUM(C57:E57)"}, "F57", 7),
    "B05": ({"B1": 1, "B2": 2, "B3": 3, "B4": 4, "B5": "=SUM(B1:B4)"}, "B5", 10),
    "B06": ({"B7": 3, "E8": 4, "A1": "=B7/E8"}, "A1", 0.75),
    "B08": ({"B1": 1000, "B2": 100, "B3": 300, "B4": 50, "B5": "=SUM(B1:B4)"}, "B5", 1450),
    "B15": ({"A1": 1, "A2": 2, "B1": 9, "B2": 5, "C1": "=_xlfn.MINIFS(B:B,A:A,A1)"}, "C1", 9),
    "B16": ({"A1": "=_xlfn.STDEV.S(1,2,3)"}, "A1", 1),
    "B21": ({"A1": 1, "A2": 2, "B1": "=SUM(A:A)"}, "B1", 3),
    "B23": ({f"{c}{r}": 3 * i + r - 1 for i, c in enumerate("ABC") for r in (2, 3, 4)}
            | {"E2": 2, "E3": "=SUM(INDEX(A2:C4,0,E2))"}, "E3", 15),
    "B28": ({"J1": "Highest", "J2": "Low", "J3": "highest", "E1": "fail", "E2": "fail", "E3": "fail",
             "A1": '=COUNTIFS(Sheet!J:J,"Highest",Sheet!E:E,"fail")'}, "A1", 2),
}  # fmt: skip

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "B02": ({"J1": '=INDIRECT("j"&MATCH(1,K1:K2,0)+10)'}, "INDIRECT"),
    "B10": ({"A1": "='Sheet'.A2"}, "cannot be read"),
    "B18": ({"D1": 1.4, "D2": 2.4, "D3": 3.4, "A1": "=SUM(ROUND(D1:D3,0))"},
            "a range in place of a single value"),
    "B21": ({"A1": 1, "B1": "=SUMPRODUCT(A:A,B:B)"}, "whole columns or rows in SUMPRODUCT"),
    "B24": ({**{c + "1": n for n, c in enumerate("ABCDE", 1)}, "A2": "=SUM(INDEX(A1:E1,,2):D1)"},
            "a range whose end is computed"),
}  # fmt: skip


def test_every_bug_of_the_table_has_its_test() -> None:
    with TABLE.open(newline="", encoding="utf-8") as file:
        known = {row["id"] for row in csv.DictReader(file)}
    named = {name[5:8].upper() for name in globals() if name.startswith("test_b") and name[6:8].isdigit()}
    covered = {*RIGHT, *REFUSED, *ELSEWHERE, *NOT_OURS, *named}
    assert covered == known
    assert len(known) == 35
    for place in ELSEWHERE.values():
        file_name = place.split(":")[0].split(" and ")[0]
        assert (TABLE.parents[3] / file_name).exists(), place


@pytest.mark.parametrize("bug", RIGHT)
def test_the_value_is_computed_and_stored_beside_the_formula(bug: str) -> None:
    cells, cell, expected = RIGHT[bug]
    found = refreshed(formulas(cells))
    assert value(found, cell) == expected
    assert stored(found.data, cell) == expected
    kept = openpyxl.load_workbook(io.BytesIO(found.data))["Sheet"][cell].value
    assert kept == cells[cell]


@pytest.mark.parametrize("bug", REFUSED)
def test_refused_by_name(bug: str) -> None:
    cells, words = REFUSED[bug]
    with pytest.raises(UnsupportedFormula) as raised:
        refreshed(formulas(cells))
    assert words in str(raised.value)
    assert raised.value.place.cell is not None


def test_b09_a_name_that_is_a_constant() -> None:
    def fill(book: Any, sheet: Any) -> None:
        book.define_name("TG", "=0.99")
        sheet.write("A1", "=TG")

    assert stored(refreshed(by_xlsxwriter(fill)).data, "A1") == 0.99


def test_b10_another_sheet_with_a_space() -> None:
    def fill(book: Any, sheet: Any) -> None:
        book.add_worksheet("Sheet 2").write("A1", "text")
        sheet.write("A1", "='Sheet 2'!A1")

    assert stored(refreshed(by_xlsxwriter(fill)).data, "A1") == "text"


def test_b11_a_name_without_a_sheet_is_refused() -> None:
    content = parts({"Sheet": sheet('<row r="1"><c r="A1"><f>likes*2</f></c></row>')},
                    names='<definedName name="likes">$B$5</definedName>')  # fmt: skip
    with pytest.raises(UnsupportedFormula, match="likes, which refers to no sheet"):
        refresh(package(content))


@pytest.mark.parametrize("spelling", ["ifs", "IFS", "_xlfn.IFS", "_xlfn.ifs"])
def test_b14_a_later_function_however_it_is_spelt(spelling: str) -> None:
    found = refreshed(formulas({"A1": 1, "B1": f'={spelling}(A1<2,"Y",TRUE,"N")'}))
    assert stored(found.data, "B1") == "Y"


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_b17_what_is_no_number_is_never_stored(number: float) -> None:
    xml = sheet('<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>')
    with pytest.raises(CannotSplice, match="cell A1"):
        splice(xml, {"A1": number})
    with pytest.raises(XlmodelError, match="no value of type"):
        refresh(one_sheet('<row r="1"><c r="A1"><v>nan</v></c><c r="B1"><f>A1</f></c></row>'))


def test_b19_formulas_are_kept_when_values_are_written() -> None:
    found = refreshed(formulas({"A1": 2, "B1": "=A1*2"}))
    assert openpyxl.load_workbook(io.BytesIO(found.data))["Sheet"]["B1"].value == "=A1*2"


def test_b22_and_b27_defined_names() -> None:
    """Names written by openpyxl 3.1, one of them a single cell inside an expression."""
    from openpyxl.workbook.defined_name import DefinedName

    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.title = "Sheet"
    page["A1"], page["B1"] = 4, "=(Rate+1)*2"
    book.defined_names["Rate"] = DefinedName("Rate", attr_text="Sheet!$A$1")
    stream = io.BytesIO()
    book.save(stream)
    assert stored(refreshed(stream.getvalue()).data, "B1") == 10


test_b27_a_name_of_one_cell_in_an_expression = test_b22_and_b27_defined_names


def test_b32_the_normal_distribution() -> None:
    """Abramowitz and Stegun, table 26.1: P(1) = 0.84134 47460 68543."""
    found = refreshed(formulas({"A1": "=_xlfn.NORM.S.DIST(1,TRUE)"}))
    assert value(found, "A1") == pytest.approx(0.841344746068543, abs=1e-14)


def test_b43_an_array_formula_does_not_disappear() -> None:
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.title = "Sheet"
    page["A1"], page["A2"] = 60, 70
    page["C1"] = ArrayFormula("C1:D2", "=XM_ALLOCATE(100,A1:A2)")
    stream = io.BytesIO()
    book.save(stream)
    found = refreshed(stream.getvalue())
    with zipfile.ZipFile(io.BytesIO(found.data)) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml")
    assert b'<f t="array" ref="C1:D2">XM_ALLOCATE(100,A1:A2)</f>' in xml
    assert [stored(found.data, cell) for cell in ("C1", "D1", "C2", "D2")] == [60, 0, 40, 30]
