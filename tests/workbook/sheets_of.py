"""Workbooks as other programs read and edit them: openpyxl, with the cached values or without."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl

Block = list[list[Any]]


def named(path: Path, name: str) -> Block:
    """The cached values of a defined name, as openpyxl reads them."""
    book = openpyxl.load_workbook(path, data_only=True)
    ((sheet, reference),) = book.defined_names[name].destinations
    cells = book[sheet][reference.replace("$", "")]
    if not isinstance(cells, tuple):
        return [[cells.value]]
    return [[cell.value for cell in row] for row in cells]


def edit(path: Path, edits: Mapping[tuple[str, int, int], Any]) -> dict[tuple[str, int, int], str]:
    """Write values into named ranges, by (name, row, column) from 1; -> the cells written, Sheet!A1."""
    book = openpyxl.load_workbook(path)
    written = {}
    for (name, row, column), value in edits.items():
        ((sheet, reference),) = book.defined_names[name].destinations
        cells = book[sheet][reference.replace("$", "")]
        cell = cells[row - 1][column - 1]
        cell.value = value
        written[name, row, column] = f"{sheet}!{cell.coordinate}"
    book.save(path)
    return written


def find(path: Path, name: str, value: Any) -> tuple[str, int, int]:
    """Where a value stands first in a named range."""
    for row, cells in enumerate(named(path, name), start=1):
        for column, cell in enumerate(cells, start=1):
            if cell == value:
                return name, row, column
    raise AssertionError(f"{value!r} is not in {name}")
