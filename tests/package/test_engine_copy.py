"""The copy for the evaluator: plain formulas, empty children, everything else as it was."""

from __future__ import annotations

import pytest

from tests.package.packages import MAIN, one_sheet, package, parts, sheet
from xlmodel.errors import UnsupportedFeature
from xlmodel.package.engine_copy import engine_copy
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package

CASES = {
    "plain stays": ('<c r="A1" s="3"><f>B1*2</f><v>3</v></c>', '<c r="A1" s="3"><f>B1*2</f><v>3</v></c>'),
    "rewritten": ('<c r="A1"><f>_xll.XM_F(1)&amp;""</f></c>', '<c r="A1"><f>XM_F(1)&amp;""</f></c>'),
    "an equals sign": ('<c r="A1"><f>=B1</f></c>', '<c r="A1"><f>B1</f></c>'),
    "attributes stay": ('<c r="A1"><f ca="1">NOW()</f></c>', '<c r="A1"><f ca="1">NOW()</f></c>'),
    "an array": (
        '<c r="A1"><f t="array" ref="A1:B1">XM_F(1)</f><v>1</v></c><c r="B1" s="2" t="str"><v>x</v></c>',
        '<c r="A1"><f>XM_F(1)</f><v>1</v></c><c r="B1"/>',
    ),
    "a child with text of its own": (
        '<c r="A1"><f t="array" ref="A1:B1">F(1)</f></c><c r="B1" t="inlineStr"><is><t>x</t></is></c>',
        '<c r="A1"><f>F(1)</f></c><c r="B1"/>',
    ),
    "beside an array": (
        '<c r="A1"><f t="array" ref="A1:A2">F(1)</f></c><c r="B1"><v>7</v></c>',
        '<c r="A1"><f>F(1)</f></c><c r="B1"><v>7</v></c>',
    ),
    "a shared formula": (
        '<c r="A1"><f t="shared" ref="A1:B1" si="0">C1</f></c><c r="B1"><f t="shared" si="0"/><v>1</v></c>',
        '<c r="A1"><f>C1</f></c><c r="B1"><f>D1</f><v>1</v></c>',
    ),
    "blanks at the ends": (
        '<c r="A1"><f t="array" ref="A1">"x"&amp;\n B1</f></c>', '<c r="A1"><f>"x"&amp;\n B1</f></c>'
    ),
}  # fmt: skip


def rewrite(formula: str) -> str:
    return formula.replace("_xll.", "")


def copied(before: Package) -> Package:
    return open_package(engine_copy(before, rewrite), name="copy.xlsx")


@pytest.mark.parametrize("case", CASES)
def test_copied(case: str) -> None:
    before, after = CASES[case]
    copy = copied(one_sheet(f'<row r="1">{before}</row>'))
    assert copy.read("xl/worksheets/sheet1.xml") == sheet(f'<row r="1">{after}</row>')


def test_the_rest_of_the_package_stays() -> None:
    array = sheet('<row r="1"><c r="A1"><f t="array" ref="A1">1</f></c></row>')
    before = package(parts({"One": array, "Two": sheet("")}))
    copy = copied(before)
    assert copy.parts == before.parts
    changed = {part for part in before.parts if before.read(part) != copy.read(part)}
    assert changed == {"xl/worksheets/sheet1.xml"}


def test_a_workbook_of_plain_formulas_is_handed_over_as_it_is() -> None:
    before = one_sheet('<row r="1"><c r="A1"><f>B1*2</f><v>3</v></c></row>')
    assert engine_copy(before) == before.data


def test_prefixes_are_followed() -> None:
    xml = (
        f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row r="1">'
        '<x:c r="A1"><x:f t="array" ref="A1:B1">1</x:f></x:c>'
        '<x:c r="B1"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    ).encode()
    after = copied(package(parts({"S": xml}))).read("xl/worksheets/sheet1.xml")
    assert b'<x:c r="A1"><x:f>1</x:f></x:c><x:c r="B1"/>' in after


def test_every_formula_is_rewritten_once() -> None:
    seen: list[str] = []
    rows = (
        '<row r="1"><c r="A1"><f>A2</f></c><c r="B1"><f t="shared" ref="B1:C1" si="0">B2</f></c>'
        '<c r="C1"><f t="shared" si="0"/></c><c r="D1"><f t="array" ref="D1:D2">F(1)</f></c></row>'
    )

    def remember(formula: str) -> str:
        seen.append(formula)
        return formula

    engine_copy(one_sheet(rows), remember)
    assert seen == ["A2", "B2", "C2", "F(1)"]


def test_errors_carry_their_place() -> None:
    with pytest.raises(UnsupportedFeature) as caught:
        engine_copy(one_sheet('<row r="1"><c r="A1"><f t="dataTable" ref="A1"/></c></row>'))
    assert str(caught.value.place) == "deal.xlsx, part xl/worksheets/sheet1.xml, sheet Sheet, cell A1"
