"""Our cells as constants, native formulas as they are."""

from __future__ import annotations

import pytest

from tests.package.packages import MAIN, one_sheet, package, parts, relationship, sheet
from xlmodel.package.freeze import freeze
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package
from xlmodel.package.sheet import read_sheets


def is_ours(formula: str) -> bool:
    return "XM_" in formula.upper()


def frozen(before: Package) -> Package:
    return open_package(freeze(before, is_ours), name="frozen.xlsx")


CASES = {
    "a number": ('<c r="A1" s="2"><f>XM_F(1)</f><v>3</v></c>', '<c r="A1" s="2"><v>3</v></c>'),
    "a text": ('<c r="A1" t="str"><f>XM_F(1)</f><v>x</v></c>', '<c r="A1" t="str"><v>x</v></c>'),
    "an error": ('<c r="A1" t="e"><f>xm_f(1)</f><v>#N/A</v></c>', '<c r="A1" t="e"><v>#N/A</v></c>'),
    "no value": ('<c r="A1"><f>XM_F(1)</f></c>', '<c r="A1"></c>'),
    "native": ('<c r="A1"><f>B1*2</f><v>3</v></c>', '<c r="A1"><f>B1*2</f><v>3</v></c>'),
    "an array": (
        '<c r="A1" cm="1"><f t="array" ref="A1:B1">XM_F(1)</f><v>1</v></c><c r="B1"><v>2</v></c>',
        '<c r="A1"><v>1</v></c><c r="B1"><v>2</v></c>',
    ),
    "a native array": (
        '<c r="A1" cm="1"><f t="array" ref="A1:B1">F(1)</f><v>1</v></c><c r="B1"><v>2</v></c>',
        '<c r="A1" cm="1"><f t="array" ref="A1:B1">F(1)</f><v>1</v></c><c r="B1"><v>2</v></c>',
    ),
    "a shared formula": (
        '<c r="A1"><f t="shared" ref="A1:B1" si="0">XM_F(C1)</f><v>1</v></c>'
        '<c r="B1"><f t="shared" si="0"/><v>2</v></c>',
        '<c r="A1"><v>1</v></c><c r="B1"><v>2</v></c>',
    ),
    "a native shared formula": (
        '<c r="A1"><f t="shared" ref="A1:B1" si="0">C1</f></c><c r="B1"><f t="shared" si="0"/></c>',
        '<c r="A1"><f t="shared" ref="A1:B1" si="0">C1</f></c><c r="B1"><f t="shared" si="0"/></c>',
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_frozen(case: str) -> None:
    before, after = CASES[case]
    copy = frozen(one_sheet(f'<row r="1">{before}</row>'))
    assert copy.read("xl/worksheets/sheet1.xml") == sheet(f'<row r="1">{after}</row>')


def test_a_native_cell_whose_shared_text_goes_gets_its_own() -> None:
    rows = (
        '<row r="1"><c r="A1"><f t="shared" ref="A1:C1" si="0">D1</f></c><c r="B1"><f t="shared" si="0"/></c>'
        '<c r="C1"><f t="shared" si="0"/></c></row>'
    )
    copy = open_package(freeze(one_sheet(rows), lambda formula: formula == "D1"), name="frozen.xlsx")
    assert [cell.formula for cell in read_sheets(copy)["Sheet"].cells.values()] == [None, "E1", "F1"]


def test_native_cells_go_on_sharing_a_text_that_stays() -> None:
    rows = (
        '<row r="1"><c r="A1"><f t="shared" ref="A1:C1" si="0">D1</f></c><c r="B1"><f t="shared" si="0"/></c>'
        '<c r="C1"><f t="shared" si="0"/></c></row>'
    )
    copy = open_package(freeze(one_sheet(rows), lambda formula: formula == "E1"), name="frozen.xlsx")
    kept = rows.replace('<c r="B1"><f t="shared" si="0"/></c>', '<c r="B1"></c>')
    assert copy.read("xl/worksheets/sheet1.xml") == sheet(kept)


def test_the_calculation_chain_goes_with_its_cells() -> None:
    chain = f'<calcChain xmlns="{MAIN}"><c r="A1" i="1"/></calcChain>'.encode()
    content = parts(
        {"Sheet": sheet('<row r="1"><c r="A1"><f>XM_F(1)</f><v>3</v></c></row>')},
        extra={"xl/calcChain.xml": chain},
        types={
            "/xl/calcChain.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml"
        },
        workbook_relationships=[relationship("rIdC", "calcChain", "calcChain.xml")],
    )
    copy = frozen(package(content))
    assert "xl/calcChain.xml" not in copy.parts
    assert all(b"calcChain" not in copy.read(part) for part in copy.parts)
    assert [one.identifier for one in copy.relationships(copy.workbook)] == ["rId1"]
    native = package(content | {"xl/worksheets/sheet1.xml": sheet("")})
    assert freeze(native, is_ours) == native.data
