"""A tape in CSV as columns: headings by name, numbers as arrays, texts as lists."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import BadTable
from xlmodel.tables import heading_text

Column = NDArray[np.float64] | list[str]
Columns = Mapping[str, Column]


def read_columns(file: Path) -> dict[str, Column]:
    """The columns of a CSV file by heading; a column of which every cell is a number is an array.

    Raises BadTable, with file and row, for a file that cannot be read, has no contracts, or a row of another
    length than the headings.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadTable(f"cannot be read: {error}", remedy="give a CSV file in UTF-8").at(
            file=str(file)
        ) from None
    if len(rows) < 2:
        raise BadTable("there is no contract below the headings").at(file=str(file))
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise BadTable(f"the row has {len(row)} cells, the headings {len(rows[0])}").at(
                file=str(file), row=number
            )
    headings = [heading_text(heading) for heading in rows[0]]
    return {
        heading: _column(cells) for heading, cells in zip(headings, zip(*rows[1:], strict=True), strict=True)
    }


def numbers(columns: Columns, heading: str) -> NDArray[np.float64]:
    """A column of numbers.  Raises BadTable where there is none."""
    column = _named(columns, heading)
    if isinstance(column, list):
        raise BadTable(f"the column {heading!r} holds texts where numbers are asked for")
    return column


def texts(columns: Columns, heading: str) -> list[str]:
    """A column of texts; whole numbers count as their digits."""
    column = _named(columns, heading)
    return column if isinstance(column, list) else [f"{number:.15g}" for number in column.tolist()]


def _named(columns: Columns, heading: str) -> Column:
    column = columns.get(heading_text(heading))
    if column is None:
        raise BadTable(f"there is no column {heading!r}; there are: {', '.join(columns)}")
    return column


def _column(cells: tuple[str, ...]) -> Column:
    try:
        found = np.array(cells, dtype=np.float64)
    except ValueError:
        return list(cells)
    return found if np.isfinite(found).all() else list(cells)
