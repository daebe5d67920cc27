"""What a reader of a kind of file hands over: rows by the chunk, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows at a time: enough for columns to be quick, few enough to be small.
ROWS = 20_000


@dataclass(frozen=True)
class Options:
    """``columns``: heading by field, where the default names do not fit.  ``percent``: whether rates are
    percent; None asks the heading.  ``encoding`` of a text file; ``sheet`` of a workbook, the first if None.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    percent: bool | None = None
    encoding: str = "utf-8"
    sheet: str | None = None


@dataclass(frozen=True)
class Chunk:
    """Some rows: a column a heading.  ``rows`` are numbers in the file; ``broken`` rows with the reason."""

    headings: Sequence[str]
    rows: NDArray[np.int64]
    columns: Sequence[Sequence[Any]]
    broken: Mapping[int, str] = field(default_factory=dict)


def chunk_of(headings: Sequence[str], rows: Sequence[int], cells: Sequence[Sequence[Any]]) -> Chunk:
    """A chunk of rows of cells; a row of another length than the headings is broken."""
    width = len(headings)
    broken = {
        n: f"the row has {len(row)} cells, the headings {width}"
        for n, row in enumerate(cells)
        if len(row) != width
    }
    if broken:
        cells = [row if n not in broken else [*row, *[None] * width][:width] for n, row in enumerate(cells)]
    return Chunk(headings, np.array(rows, dtype=np.int64), list(zip(*cells, strict=True)), broken)
