"""What the package layer makes of each file in tests/bad_workbooks; the table is that of its README."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from xlmodel.errors import (
    DamagedPackage,
    EncryptedPackage,
    NotAWorkbook,
    UnsafePackage,
    UnsupportedFeature,
    XlmodelError,
)
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package
from xlmodel.package.sheet import read_sheets

FOLDER = Path(__file__).parent.parent / "bad_workbooks"
SHEET = "xl/worksheets/sheet1.xml"

REFUSED = [
    ("01_zip_bomb_600mb", UnsafePackage, SHEET, None, "629,145,794 bytes"),
    ("02_billion_laughs", UnsafePackage, SHEET, None, "DTD"),
    ("03_xxe_local_file", UnsafePackage, SHEET, None, "DTD"),
    ("05_truncated", NotAWorkbook, None, None, "not a complete zip"),
    ("06_bad_crc", DamagedPackage, SHEET, None, "corrupt"),
    ("07_html_as_xlsx", NotAWorkbook, None, None, "not a zip"),
    ("08_empty", NotAWorkbook, None, None, "empty, not a zip"),
    ("09_ole2_xls_as_xlsx", NotAWorkbook, None, None, "old .xls"),
    ("10_password_desk", EncryptedPackage, None, None, "password"),
    ("12_dde_link", UnsafePackage, "xl/externalLinks/externalLink1.xml", None, "DDE"),
    ("19_path_traversal_part", UnsafePackage, "../../tmp/pwn.txt", None, "part name"),
    ("22_strict_ooxml", UnsupportedFeature, None, None, "Strict"),
    ("26_date1904", UnsupportedFeature, "xl/workbook.xml", None, "1904"),
    ("29_formula_9000_chars", UnsupportedFeature, SHEET, "C1", "8,999 characters"),
    ("31_macro_renamed_to_xlsx", UnsafePackage, "xl/workbook.xml", None, "macroEnabled"),
]
ACCEPTED = [
    "00_good",
    "11_formula_injection_as_text",
    "13_external_link_unc",
    "14_used_range_XFD1048576",
    "23_formula_without_cached_value",
    "24_stale_cache",
    "27_circular",
    "33_unknown_udf",
    "34_udf_prefixes",
]


def opened(name: str) -> Package:
    return open_package((FOLDER / f"{name}.xlsx").read_bytes(), name=f"{name}.xlsx")


def test_every_file_has_its_row() -> None:
    assert sorted([row[0] for row in REFUSED] + ACCEPTED) == sorted(
        path.stem for path in FOLDER.glob("*.xlsx")
    )


@pytest.mark.parametrize(("name", "kind", "part", "cell", "words"), REFUSED)
def test_refused(name: str, kind: type[XlmodelError], part: str | None, cell: str | None, words: str) -> None:
    tracemalloc.start()
    begin = time.perf_counter()
    with pytest.raises(kind, match=words) as caught:
        read_sheets(opened(name))
    seconds, peak = time.perf_counter() - begin, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert type(caught.value) is kind
    assert caught.value.place.file == f"{name}.xlsx"
    assert (caught.value.place.part, caught.value.place.cell) == (part, cell)
    assert seconds < 1
    assert peak < 20e6


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    package = opened(name)
    cells = read_sheets(package)["Inputs"].cells
    assert (cells[Address(1, 1)].value, cells[Address(1, 2)].value) == ("Speed", 0.015)
    assert cells[Address(2, 2)].formula == "B1*2"
    assert package.replace({part: package.read(part) for part in package.parts}) == package.data


def test_texts_that_look_like_formulas_are_texts() -> None:
    cells = read_sheets(opened("11_formula_injection_as_text"))["Inputs"].cells
    texts = [cells[Address(row, 1)] for row in range(3, 10)]
    assert [text.formula for text in texts] == [None] * 7
    assert [str(text.value)[:2] for text in texts] == ["=H", "+1", "-2", "@S", "\t=", "=c", "=W"]


def test_external_link_is_named_and_its_value_kept() -> None:
    package = opened("13_external_link_unc")
    assert package.external_links == ("file://10.0.0.9/share/curves.xlsx",)
    cell = read_sheets(package)["Inputs"].cells[Address(9, 1)]
    assert (cell.formula, cell.value) == ("[1]S!$A$1*2", 14)


def test_a_value_in_the_last_cell_costs_nothing() -> None:
    tracemalloc.start()
    sheet = read_sheets(opened("14_used_range_XFD1048576"))["Inputs"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(sheet.cells) == 4
    assert sheet.cells[Address.parse("XFD1048576")].value == 1
    assert peak < 5e6


def test_stale_and_missing_values_are_seen_as_they_are() -> None:
    assert read_sheets(opened("24_stale_cache"))["Inputs"].cells[Address(2, 2)].value == 999
    missing = read_sheets(opened("23_formula_without_cached_value"))["Inputs"].cells[Address(2, 2)]
    assert missing.value is None


def test_all_spellings_of_a_function_are_read_as_written() -> None:
    cells = read_sheets(opened("34_udf_prefixes"))["Inputs"].cells
    assert [str(cells[Address(row, 3)].formula).partition("XM_")[0] for row in range(1, 6)] == [
        "_xll.",
        "[1]!",
        "_xldudf_",
        "_xludf.",
        r"'C:\addins\xlm.xlam'!",
    ]
