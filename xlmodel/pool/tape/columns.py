"""A tape as columns by heading, whatever they are: numbers as arrays, texts as lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import BadTable, BadTape
from xlmodel.pool.tape.chunks import chunks_of
from xlmodel.pool.tape.source import Options
from xlmodel.tables import heading_text

Column = NDArray[np.float64] | list[str]
Columns = Mapping[str, Column]


def read_columns(file: Path, options: Options | None = None) -> dict[str, Column]:
    """The columns of a tape by heading; a column of which every cell is a number is an array.

    Raises BadTape, with file and row, for a file that cannot be read, has no contracts, or a broken row.
    """
    chunks = list(chunks_of(file, options or Options()))
    if not sum(len(chunk.rows) for chunk in chunks):
        raise BadTape("there is no contract below the headings").at(file=str(file))
    for chunk in chunks:
        for place, reason in chunk.broken.items():
            raise BadTape(reason, remedy="correct the row").at(file=str(file), row=int(chunk.rows[place]))
    return {
        heading_text(heading): _column(list(chain.from_iterable(chunk.columns[n] for chunk in chunks)))
        for n, heading in enumerate(chunks[0].headings)
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


def _column(cells: Sequence[Any]) -> Column:
    try:
        found = np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        return ["" if cell is None else str(cell) for cell in cells]
    return found if np.isfinite(found).all() else [str(cell) for cell in cells]
