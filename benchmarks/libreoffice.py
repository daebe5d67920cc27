"""What a cell of ours costs in LibreOffice Calc, beside its own YEARFRAC.

    python -m benchmarks.libreoffice

1,000 and 10,000 cells of XM_YEARFRAC, as many of the native YEARFRAC, and one array of ours that answers for
all of them; each sheet recalculated several times in one session, the best time of each counts.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
from openpyxl.worksheet.formula import ArrayFormula

from xlmodel.faces.libreoffice.program import LibreOffice, ask
from xlmodel.faces.libreoffice.spelling import for_calc
from xlmodel.package.guard import open_package
from xlmodel.package.rewritten import rewritten

ROWS = (1_000, 10_000)
ROUNDS = 5


def workbook(rows: int, formula: Callable[[int], str], *, array: bool = False) -> bytes:
    """Dates in columns A and B, a year fraction a row in column C."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in range(1, rows + 1):
        sheet.append([36461 + row % 365, 36509 + row, None if array else formula(row)])
    if array:
        sheet["C1"] = ArrayFormula(f"C1:C{rows}", formula(rows))
    stream = io.BytesIO()
    book.save(stream)
    package = open_package(stream.getvalue(), name="benchmark.xlsx")
    return rewritten(package, lambda text, is_array: for_calc(text, {}, array=is_array))


def seconds(office: LibreOffice, data: bytes) -> float:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "benchmark.xlsx"
        file.write_bytes(data)
        return float(min(ask(office, file, rounds=ROUNDS)["seconds"]))


def main() -> int:
    office = LibreOffice.find()
    print(f"{'cells in LibreOffice Calc':26} {'native':>10} {'ours':>10} {'one array':>10} {'ratios':>15}")
    for rows in ROWS:
        native = seconds(office, workbook(rows, lambda row: f"=YEARFRAC(A{row},B{row},2)"))
        ours = seconds(office, workbook(rows, lambda row: f"=XM_YEARFRAC(A{row},B{row},2)"))
        column = workbook(rows, lambda last: f"=XM_YEARFRAC(A1:A{last},B1:B{last},2)", array=True)
        array = seconds(office, column)
        times = " ".join(f"{each * 1e3:7.1f} ms" for each in (native, ours, array))
        each = ours / rows * 1e6
        print(
            f"{rows:<26,} {times} {ours / native:6.1f}x {array / native:6.1f}x   {each:.0f} us a cell of ours"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
