"""A workbook of 20,000 native formulas and 500 of ours, made here: synthetic loans, every kind of formula."""

from __future__ import annotations

from pathlib import Path

import openpyxl

ROWS = 500
NATIVE, OURS = 20_000, 500


def build(path: Path) -> None:
    """Write the workbook, without cached values."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Loans")
    for row in range(1, ROWS + 1):
        cells: list[object] = [1000.0 + row, 0.05 + row / 100_000, 36_461 + row, 36_509 + row]
        cells.append(f"=XM_INTEREST(A{row},B{row},C{row},D{row},2)")
        cells += [f"=ROUND(A{row}*B{row}*{k}/12,2)" for k in range(1, 9)]
        cells += [f"=SUM(F{row}:{last}{row})+E{row}" for last in "FGHIJKLM"]
        cells += [
            f"=IF(AND(N{row}>{50 * k},MOD(C{row},7)<5),ROUND(N{row}*2,2),MIN(A{row},O{row})/3)"
            for k in range(8)
        ]
        cells += [f"=INDEX($A$1:$A${ROWS},MATCH(A{row},$A$1:$A${ROWS},0))*{k}" for k in range(1, 9)]
        cells += [f"=YEAR(C{row})*100+MONTH(D{row})+PMT(B{row}/12,360,-A{row})*{k}" for k in range(1, 9)]
        sheet.append(cells)
    book.save(path)
