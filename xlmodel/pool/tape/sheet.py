"""A tape in a workbook: a sheet whose first row that is not blank holds the headings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from xlmodel.errors import BadTape
from xlmodel.package.guard import open_package
from xlmodel.pool.tape.source import ROWS, Chunk, Options, chunk_of


def read_sheet(file: Path, options: Options) -> Iterator[Chunk]:
    """The rows of a sheet, streamed.  A file that is no sound workbook is refused before it is opened."""
    from openpyxl import load_workbook

    open_package(file.read_bytes(), name=file.name)
    workbook = load_workbook(file, read_only=True, data_only=True)
    try:
        if options.sheet is not None and options.sheet not in workbook.sheetnames:
            raise BadTape(
                f"there is no sheet {options.sheet!r}; there are: {', '.join(workbook.sheetnames)}",
                remedy="name one of them",
            )
        name = options.sheet or workbook.sheetnames[0]
        headings: list[str] = []
        numbers: list[int] = []
        cells: list[list[Any]] = []
        for number, row in enumerate(workbook[name].iter_rows(values_only=True), start=1):
            if all(cell is None for cell in row):
                continue
            if not headings:
                headings = ["" if cell is None else str(cell) for cell in row]
                continue
            numbers.append(number)
            # A sheet stores no blank cells at the end of a row.
            cells.append([*row, *[None] * (len(headings) - len(row))])
            if len(cells) == ROWS:
                yield chunk_of(headings, numbers, cells)
                numbers, cells = [], []
        if cells:
            yield chunk_of(headings, numbers, cells)
        elif not headings:
            raise BadTape(f"the sheet {name!r} is empty", remedy="name the sheet: --sheet NAME")
    finally:
        workbook.close()
