"""A tape in Parquet, read by row groups."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from xlmodel.errors import BadTape
from xlmodel.pool.tape.source import ROWS, Chunk, Options


def read_parquet(file: Path, options: Options) -> Iterator[Chunk]:
    """The rows of a Parquet file; row 2 is the first, as it would be in a sheet."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise BadTape(
            "reading Parquet needs pyarrow", remedy="install it: pip install 'xlmodel[parquet]'"
        ) from None
    try:
        with ParquetFile(file) as parquet:
            headings = list(parquet.schema_arrow.names)
            row = 2
            for batch in parquet.iter_batches(ROWS):
                rows = np.arange(row, row + batch.num_rows, dtype=np.int64)
                yield Chunk(headings, rows, [column.to_pylist() for column in batch.columns])
                row += batch.num_rows
    except ArrowException as error:
        raise BadTape(f"is no whole Parquet file: {error}", remedy="fetch the file again") from None
