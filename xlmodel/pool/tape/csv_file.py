"""A tape in CSV, comma, semicolon, tab or bar between the cells; UTF-8 unless it says otherwise."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from xlmodel.errors import BadTape
from xlmodel.pool.tape.source import ROWS, Chunk, Options, chunk_of

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_csv(file: Path, options: Options) -> Iterator[Chunk]:
    """The rows of a CSV file.  BadTape for bytes that are not of the encoding, or a quote that never ends."""
    with file.open("rb") as stream:
        begins = stream.read(4096)
    if not begins.strip():
        raise BadTape("the file is empty", remedy="fetch it again")
    encoding = options.encoding
    if begins[:2] in _MARKS:
        encoding = "utf-16"
    elif encoding.lower().replace("-", "") == "utf8":
        encoding = "utf-8-sig"
    done = 0
    try:
        with file.open(encoding=encoding, newline="") as text:
            first = text.readline()
            text.seek(0)
            rows = csv.reader(text, delimiter=max(",;\t|", key=first.count))
            headings = next(rows)
            done = rows.line_num
            while chunk := [(rows.line_num, row) for row in islice(rows, ROWS) if row]:
                yield chunk_of(headings, [number for number, _ in chunk], [row for _, row in chunk])
                done = rows.line_num
    except LookupError:
        raise BadTape(f"there is no encoding {encoding!r}", remedy="such as utf-8, cp1252, latin-1") from None
    except UnicodeError as error:
        raise BadTape(
            f"after row {done} there are bytes that are no {options.encoding}: {_bytes_of(error)}",
            remedy="name the encoding: --encoding cp1252 is what older Windows programs write",
        ) from None
    except csv.Error as error:
        raise BadTape(f"after row {done}: {error}", remedy="look for a quote that does not end").at(
            row=done + 1
        ) from None


def _bytes_of(error: UnicodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return error.object[error.start : error.start + 4].hex(" ")
    return str(error)
