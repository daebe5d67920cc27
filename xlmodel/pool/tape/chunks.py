"""The rows of a tape by the chunk, whatever kind of file it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from xlmodel.errors import BadTape, XlmodelError
from xlmodel.pool.tape.csv_file import read_csv
from xlmodel.pool.tape.filing import read_filing
from xlmodel.pool.tape.parquet import read_parquet
from xlmodel.pool.tape.sheet import read_sheet
from xlmodel.pool.tape.source import Chunk, Options

READERS: Mapping[str, Callable[[Path, Options], Iterator[Chunk]]] = {
    ".csv": read_csv,
    ".txt": read_csv,
    ".parquet": read_parquet,
    ".xlsx": read_sheet,
    ".xml": read_filing,
}


def chunks_of(file: Path, options: Options) -> Iterator[Chunk]:
    """The rows of a file; the ending of its name says how it is read.

    Raises BadTape, with the file and where in it, for one that cannot be read as a tape.
    """
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise BadTape(
            f"a tape ends in {', '.join(READERS)}, not in {file.suffix or 'nothing'}",
            remedy="save it as one of them",
        ).at(file=str(file))
    try:
        yield from reader(file, options)
    except FileNotFoundError:
        raise BadTape("there is no such file", remedy="check the path").at(file=str(file)) from None
    except OSError as error:
        raise BadTape(f"cannot be read: {error.strerror}", remedy="check the file").at(
            file=str(file)
        ) from None
    except XlmodelError as error:
        raise error.at(file=str(file)) from None
