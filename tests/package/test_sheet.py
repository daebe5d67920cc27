"""A worksheet read: formulas, values, arrays, shared strings."""

from __future__ import annotations

import io

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

from tests.package.packages import MAIN, package, parts, sheet
from xlmodel.errors import DamagedPackage, UnsafePackage, UnsupportedFeature, XlmodelError
from xlmodel.package.address import Address, Block
from xlmodel.package.guard import open_package
from xlmodel.package.sheet import Cell, read_sheet, read_sheets, read_strings
from xlmodel.package.values import ErrorCode, Value


def cells(rows: str, strings: tuple[str, ...] = ()) -> dict[str, Cell]:
    return {str(address): cell for address, cell in read_sheet(sheet(rows), strings).cells.items()}


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("<c r='A1'><v>0.015</v></c>", 0.015),
        ("<c r='A1' t='n'><v>45</v></c>", 45.0),
        ("<c r='A1' t='s'><v>1</v></c>", "Class A-1"),
        ("<c r='A1' t='str'><f>B1</f><v> x_x000D_ </v></c>", " x\r "),
        ("<c r='A1' t='inlineStr'><is><t>Speed</t></is></c>", "Speed"),
        ("<c r='A1' t='inlineStr'><is><r><t>Sp</t></r><r><t>eed</t></r></is></c>", "Speed"),
        ("<c r='A1' t='inlineStr'><is><t>Speed</t><rPh sb='0' eb='1'><t>no</t></rPh></is></c>", "Speed"),
        ("<c r='A1' t='b'><v>1</v></c>", True),
        ("<c r='A1' t='e'><f>NA()</f><v>#N/A</v></c>", ErrorCode("#N/A")),
        ("<c r='A1' t='d'><v>1999-12-15</v></c>", 36_509.0),
        ("<c r='A1' t='str'><f>B1</f></c>", None),
        ("<c r='A1' s='3'/>", None),
        ("<c r='A1'><f>B1</f><v/></c>", None),
    ],
)
def test_values(cell: str, value: Value) -> None:
    found = cells(f"<row r='1'>{cell}</row>", ("Speed", "Class A-1"))["A1"].value
    assert (found, type(found)) == (value, type(value))


def test_formulas_and_arrays() -> None:
    found = cells(
        '<row r="1"><c r="A1"><f>B1*2</f><v>3</v></c><c r="B1"><f> =1+1</f></c>'
        '<c r="C1"><f t="array" ref="C1:D2">XM_DECR(A1)</f><v>1</v></c><c r="D1"><v>2</v></c></row>'
        '<row r="2"><c r="E2" cm="1"><f t="array" ref="E2">SORT(A1:A3)</f><v>1</v></c></row>'
    )
    assert found["A1"] == Cell("B1*2", 3.0)
    assert found["B1"] == Cell("1+1", None)
    assert found["C1"] == Cell("XM_DECR(A1)", 1.0, Block(None, 1, 3, 2, 4))
    assert found["D1"] == Cell(None, 2.0)
    assert found["E2"] == Cell("SORT(A1:A3)", 1.0, Block(None, 2, 5, 2, 5), dynamic=True)


def test_formulas_and_arrays_are_listed() -> None:
    array = '<c r="A1"><f t="array" ref="A1:B1">F(1)</f></c><c r="B1"/>'
    found = read_sheet(sheet(f'<row r="1">{array}<c r="C1"><f>1</f></c></row>'), [])
    assert [(str(cell), known.formula) for cell, known in found.formulas()] == [("A1", "F(1)"), ("C1", "1")]
    assert found.arrays() == {Address(1, 1): Block(None, 1, 1, 1, 2)}


def test_shared_formulas_are_written_out() -> None:
    found = cells(
        '<row r="1"><c r="B1"><f t="shared" ref="B1:C3" si="0">A1*$A$1+LOG10(A$1)</f></c>'
        '<c r="C1"><f t="shared" si="0"/></c><c r="D1"><f t="shared" ref="D1:D2" si="1">"A1"</f></c></row>'
        '<row r="2"><c r="B2"><f t="shared" si="0"></f></c><c r="C2"><f t="shared" si="0">own(A9)</f></c>'
        '<c r="D2"><f t="shared" si="1"/></c><c r="E2"><f t="shared" si="0"/></c></row>'
        '<row r="3"><c r="B3"><f t="shared" ref="B3:B4" si="0">Z1</f></c></row>'
        '<row r="4"><c r="B4"><f t="shared" si="0"/></c></row>'
    )
    assert {address: cell.formula for address, cell in found.items()} == {
        "B1": "A1*$A$1+LOG10(A$1)",
        "C1": "B1*$A$1+LOG10(B$1)",
        "D1": '"A1"',
        "B2": "A2*$A$1+LOG10(A$1)",
        "C2": "own(A9)",
        "D2": '"A1"',
        "E2": "D2*$A$1+LOG10(D$1)",
        "B3": "Z1",
        "B4": "Z2",
    }


REFUSED: list[tuple[str, str, type[XlmodelError], str]] = [
    ("a data table", '<f t="dataTable" ref="A1:B2" dt2D="1" r1="C1"/>', UnsupportedFeature, "data table"),
    ("8,193 characters", f"<f>{'1+' * 4_096}1</f>", UnsupportedFeature, "8,193 characters"),
    ("DDE", "<f>cmd|'/c calc'!A0</f>", UnsafePackage, "DDE"),
    ("a shared formula off the sheet", '<f t="shared" si="7"/>', UnsupportedFeature, "beyond the edge"),
    ("a shared formula without first", '<f t="shared" si="8"/>', DamagedPackage, "first cell is missing"),
    ("a formula of unknown kind", '<f t="magic">1</f>', DamagedPackage, "unknown kind 'magic'"),
    ("no text", "<f/>", DamagedPackage, "without text"),
    ("an array without range", '<f t="array">1</f>', DamagedPackage, "without a proper range"),
    ("an array of nonsense", '<f t="array" ref="here">1</f>', DamagedPackage, "'here' is not a reference"),
    ("nan", "<v>nan</v>", DamagedPackage, "'nan' is no value of type 'n'"),
]


@pytest.mark.parametrize(
    ("content", "error", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_refused_by_cell(content: str, error: type[XlmodelError], words: str) -> None:
    rows = (
        '<row r="1"><c r="C1"><f t="shared" ref="C1:B9" si="7">A1</f></c></row>'
        f'<row r="9"><c r="B9">{content}</c></row>'
    )
    with pytest.raises(error, match=words) as caught:
        read_sheet(sheet(rows), [])
    assert type(caught.value) is error
    assert caught.value.place.cell == "B9"


def test_a_formula_of_8192_characters_is_read() -> None:
    assert len(cells(f'<row r="1"><c r="A1"><f>{"1+" * 4_095}10</f></c></row>')["A1"].formula or "") == 8_192


def test_shared_strings() -> None:
    table = (
        f'<sst xmlns="{MAIN}"><si><t>plain</t></si>'
        "<si><r><rPr><b/></rPr><t>rich </t></r>\n  <r><t>text</t></r>\n</si>"
        '<si><t>東</t><rPh sb="0" eb="1"><t>ひがし</t></rPh></si>'
        '<si><t xml:space="preserve"> a_x000D_ </t></si><si/></sst>'
    )
    opened = package(parts(strings=table.encode()))
    assert read_strings(opened) == ["plain", "rich text", "東", " a\r ", ""]
    assert read_strings(package()) == []


def test_errors_carry_file_part_and_sheet() -> None:
    opened = package(parts({"Fine": sheet(""), "Tie-out": sheet('<row r="2"><c r="B2"><f/></c></row>')}))
    with pytest.raises(DamagedPackage) as caught:
        read_sheets(opened)
    assert str(caught.value.place) == "deal.xlsx, part xl/worksheets/sheet2.xml, sheet Tie-out, cell B2"
    broken = package(parts(strings=b"<sst>"))
    with pytest.raises(DamagedPackage) as caught:
        read_sheets(broken)
    assert str(caught.value.place) == "deal.xlsx, part xl/sharedStrings.xml"


def test_a_workbook_by_openpyxl() -> None:
    workbook = openpyxl.Workbook()
    page = workbook.worksheets[0]
    page.append(["Speed", 0.015, True, None, "=B1*2"])
    page["A2"] = ArrayFormula("A2:B3", "=XM_DECR(B1,1)")
    buffer = io.BytesIO()
    workbook.save(buffer)
    found = read_sheets(open_package(buffer.getvalue(), name="deal.xlsx"))["Sheet"].cells
    assert found[Address(1, 1)] == Cell(None, "Speed")
    assert found[Address(1, 2)] == Cell(None, 0.015)
    assert found[Address(1, 3)] == Cell(None, True)
    assert found[Address(1, 5)] == Cell("B1*2", None)
    assert found[Address(2, 1)] == Cell("XM_DECR(B1,1)", None, Block(None, 2, 1, 3, 2))
    assert Address(2, 2) not in found


def test_a_data_table_by_openpyxl_is_refused() -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["B2"] = DataTableFormula("B2:B4", dt2D=False, r1="A1")
    buffer = io.BytesIO()
    workbook.save(buffer)
    with pytest.raises(UnsupportedFeature, match="data table") as caught:
        read_sheets(open_package(buffer.getvalue(), name="deal.xlsx"))
    assert caught.value.place.cell == "B2"
