"""The ranges of a deal, CarMax 1999-1, as the cells that its workbook shows, for the table of cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.faces.case import Given, GivenCell, as_cell
from xlmodel.deal.folder import read_folder, stacked_rows


def block(rows: Any) -> list[list[GivenCell]]:
    """Rows of a deal folder as the rectangle of cells that a workbook shows."""
    width = max(map(len, rows))
    return [
        [float(cell) if type(cell) is int else cell for cell in row] + [None] * (width - len(row))
        for row in rows
    ]


_FOLDER = read_folder(Path(__file__).parents[2] / "workbooks" / "carmax_1999_1")
TERMS = block(stacked_rows(_FOLDER.stacked))
CLASSES = block(_FOLDER.classes)
PAYMENTS = block(_FOLDER.payments)
POOLS = block(_FOLDER.pools)
DEAL: tuple[Given, ...] = (TERMS, CLASSES, PAYMENTS, POOLS)
SPEEDS: list[list[GivenCell]] = [[0.005, 0.01, 0.015, 0.018]]
SCENARIOS: list[list[GivenCell]] = [["scenario", "speed"], ["base", 0.015], ["slow", 0.005]]


def changed(rows: list[list[GivenCell]], row: int, column: int, cell: GivenCell) -> list[list[GivenCell]]:
    """The rows with one cell changed; row and column count from 1."""
    copy = [list(line) for line in rows]
    copy[row - 1][column - 1] = cell
    return copy


def with_serials(rows: list[list[GivenCell]]) -> list[list[GivenCell]]:
    """The rows with their dates as plain numbers, as in a sheet without date formats."""
    return [[as_cell(cell) for cell in row] for row in rows]
