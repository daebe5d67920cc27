"""Cells and rows that the file has no element for yet."""

from __future__ import annotations

import pytest

from tests.package.packages import MAIN, sheet
from xlmodel.errors import CannotSplice, DamagedPackage
from xlmodel.package.address import Address
from xlmodel.package.insert import insertions
from xlmodel.package.markup import edited
from xlmodel.package.scan import scan
from xlmodel.package.values import ErrorCode, Value


def inserted(rows: str, values: dict[str, Value], *, before: str = "") -> str:
    """The rows after the insertion."""
    xml = sheet(rows, before=before)
    absent = {Address.parse(cell): value for cell, value in values.items()}
    after = edited(xml, insertions(xml, scan(xml), absent))
    return after.decode().removeprefix(f'<worksheet xmlns="{MAIN}">').removesuffix("</sheetData></worksheet>")


CASES: dict[str, tuple[str, dict[str, Value], str]] = {
    "in the order of columns": (
        '<row r="1"><c r="B1"/><c r="Z1"/></row>',
        {"AA1": 4, "A1": 1, "C1": 2, "Y1": 3},
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"/><c r="C1"><v>2</v></c><c r="Y1"><v>3</v></c>'
        '<c r="Z1"/><c r="AA1"><v>4</v></c></row>',
    ),
    "into an empty row": (
        '<row r="1" ht="9"/>', {"B1": 1}, '<row r="1" ht="9"><c r="B1"><v>1</v></c></row>'
    ),
    "into an empty pair": ('<row r="1"></row>', {"B1": 1}, '<row r="1"><c r="B1"><v>1</v></c></row>'),
    "rows in their order": (
        '<row r="2"/><row r="5"/>',
        {"A6": 6, "A1": 1, "A3": 3, "B3": True, "A4": "x"},
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"/>'
        '<row r="3"><c r="A3"><v>3</v></c><c r="B3" t="b"><v>1</v></c></row>'
        '<row r="4"><c r="A4" t="str"><v>x</v></c></row><row r="5"/><row r="6"><c r="A6"><v>6</v></c></row>',
    ),
    "an error": (
        '<row r="1"/>', {"A1": ErrorCode("#N/A")}, '<row r="1"><c r="A1" t="e"><v>#N/A</v></c></row>'
    ),
    "spans grow": (
        '<row r="1" spans="2:3"/>', {"E1": 1}, '<row r="1" spans="2:5"><c r="E1"><v>1</v></c></row>'
    ),
    "several spans": (
        '<row r="1" spans="2:3 7:9"/>', {"A1": 1}, '<row r="1" spans="1:9"><c r="A1"><v>1</v></c></row>'
    ),
    "spans wide enough": (
        '<row r="1" spans="1:9"/>', {"E1": 1}, '<row r="1" spans="1:9"><c r="E1"><v>1</v></c></row>'
    ),
    "spans grow around cells": (
        '<row r="1" spans="2:3"><c r="B1"/></row>',
        {"E1": 1},
        '<row r="1" spans="2:5"><c r="B1"/><c r="E1"><v>1</v></c></row>',
    ),
    "several spans wide enough": (
        '<row r="1" spans="1:3 7:9"/>', {"E1": 1}, '<row r="1" spans="1:3 7:9"><c r="E1"><v>1</v></c></row>'
    ),
    "spans of nonsense": ('<row r="1" spans="all"/>', {"E1": 1}, '<row r="1"><c r="E1"><v>1</v></c></row>'),
    "after cells without reference": (
        '<row r="1"><c/><c/></row>', {"C1": 1}, '<row r="1"><c/><c/><c r="C1"><v>1</v></c></row>'
    ),
    "cells out of order": (
        '<row r="1"><c r="D1"/><c r="B1"/></row>',
        {"C1": 1},
        '<row r="1"><c r="C1"><v>1</v></c><c r="D1"/><c r="B1"/></row>',
    ),
    "the style of the row": (
        '<row r="1" s="5" customFormat="1"/>',
        {"B1": 1},
        '<row r="1" s="5" customFormat="1"><c r="B1" s="5"><v>1</v></c></row>',
    ),
    "a row's style not in use": (
        '<row r="1" s="5"/>', {"B1": 1}, '<row r="1" s="5"><c r="B1"><v>1</v></c></row>'
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_inserted(case: str) -> None:
    rows, values, after = CASES[case]
    assert inserted(rows, values) == "<sheetData>" + after


COLUMNS = '<cols><col min="2" max="3" style="7"/></cols>'


@pytest.mark.parametrize(
    ("rows", "cell", "style"),
    [
        ('<row r="1"/>', "B1", "7"),
        ('<row r="1"/>', "C1", "7"),
        ('<row r="1"/>', "D1", None),
        ("", "B1", "7"),
        ('<row r="1" s="5" customFormat="1"/>', "B1", "5"),
    ],
)
def test_the_style_of_the_column_unless_the_row_has_one(rows: str, cell: str, style: str | None) -> None:
    made = f'<c r="{cell}" s="{style}">' if style else f'<c r="{cell}">'
    assert made + "<v>1</v></c>" in inserted(rows, {cell: 1}, before=COLUMNS)


@pytest.mark.parametrize(
    ("known", "cells", "grown"),
    [
        ("A1", ["C3"], "A1:C3"),
        ("B2:C3", ["A1", "D4"], "A1:D4"),
        ("B2:C3", ["B3"], "B2:C3"),
        ("A1:XFD1048576", ["C3"], "A1:XFD1048576"),
        ("", ["C3"], ""),
        ("here", ["C3"], "here"),
    ],
)
def test_dimension(known: str, cells: list[str], grown: str) -> None:
    after = inserted("", dict.fromkeys(cells, 1), before=f'<dimension ref="{known}"/>')
    assert after.startswith(f'<dimension ref="{grown}"/>')


def test_prefixes_are_followed() -> None:
    xml = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row r="1"/></x:sheetData></x:worksheet>'.encode()
    after = edited(xml, insertions(xml, scan(xml), {Address(1, 1): 1, Address(2, 1): "y"}))
    assert after == xml.replace(
        b'<x:row r="1"/>',
        b'<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row>'
        b'<x:row r="2"><x:c r="A2" t="str"><x:v>y</x:v></x:c></x:row>',
    )


def test_a_value_that_no_cell_holds_is_refused_by_cell() -> None:
    with pytest.raises(CannotSplice) as caught:
        inserted("", {"B7": float("nan")})
    assert caught.value.place.cell == "B7"


@pytest.mark.parametrize("rows", ["", "<sheetData/>"])
def test_no_place_for_rows(rows: str) -> None:
    xml = f'<worksheet xmlns="{MAIN}">{rows}</worksheet>'.encode()
    with pytest.raises(DamagedPackage, match="no place for rows"):
        list(insertions(xml, scan(xml), {Address(1, 1): 1}))
