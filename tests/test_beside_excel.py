"""The page that puts our functions beside Excel's own: both columns are what they are said to be.

Ours are evaluated as ``xlmodel refresh`` does, the others by LibreOffice Calc, for Excel cannot be run.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import openpyxl
import pytest

from tests.libreoffice import convert
from tests.manual_blocks import DOCS
from xlmodel.package.guard import open_package
from xlmodel.workbook.refresh import refresh

_ROW = re.compile(r"^\| `(=XM_[^`]+)` \| (\S+) \| `(=[^`]+)` \| (\S+) \|", re.MULTILINE)


def rows() -> list[tuple[str, float, str, float]]:
    found = _ROW.findall((DOCS / "excel.md").read_text(encoding="utf-8"))
    return [(ours, float(shown), native, float(beside)) for ours, shown, native, beside in found]


def workbook(column: int) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for number, row in enumerate(rows(), start=1):
        # A function of 2010 or later has a prefix in the file.  Source: ECMA-376 and [MS-XLSX] 2.2.2.
        sheet.cell(number, 1).value = str(row[column]).replace("=DAYS(", "=_xlfn.DAYS(")
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def values(data: bytes) -> list[object]:
    sheet = openpyxl.load_workbook(io.BytesIO(data), data_only=True).active
    assert sheet is not None
    return [cell.value for (cell,) in sheet.iter_rows(max_col=1)]


def test_the_page_has_its_rows() -> None:
    page = (DOCS / "excel.md").read_text(encoding="utf-8")
    assert len(rows()) == page.count("\n| `=XM_") >= 12


def test_ours_show_what_the_page_says() -> None:
    refreshed = refresh(open_package(workbook(0), name="ours.xlsx")).data
    assert values(refreshed) == pytest.approx([row[1] for row in rows()], rel=1e-9)


@pytest.mark.faces
def test_the_others_show_what_the_page_says(tmp_path: Path) -> None:
    source = tmp_path / "native.xlsx"
    source.write_bytes(workbook(2))
    (tmp_path / "out").mkdir()
    made = convert(source, "xlsx", tmp_path / "out")
    assert values(made.read_bytes()) == pytest.approx([row[3] for row in rows()], rel=1e-9)
