"""Published figures as a plain table: a CSV file that stands as its range stands, cell by cell.

Its first row are headings and its first column labels, which say what a figure is and are not compared.
Every other cell holds a number with the decimals to which it is known, a date (2024-05-15), a text that must
stand there exactly, or nothing where nothing is printed.
"""

from __future__ import annotations

import csv
import datetime as dt
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from xlmodel.conventions.serial import to_serial
from xlmodel.errors import BadPublished
from xlmodel.tables import WITH_COMMAS, has_semicolons
from xlmodel.workbook.published import Figure, Printed


@dataclass(frozen=True)
class Table:
    """A published table: its headings and labels, without the corner, and its figures."""

    headings: tuple[str, ...]
    labels: tuple[str, ...]
    printed: Printed


def read_figures(file: Path) -> Printed | None:
    """The figures of a file, without headings and labels; None when there is no such file."""
    table = read_table(file)
    return table.printed if table else None


def read_table(file: Path) -> Table | None:
    """The table of a file; None when there is no such file.

    Raises BadPublished, with file and row, for a row of another length, or a file without figures.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadPublished(f"cannot be read: {error}", remedy="save it as CSV in UTF-8").at(
            file=str(file)
        ) from None
    if rows and has_semicolons(rows[0]):
        raise BadPublished("semicolons stand between the fields", remedy=WITH_COMMAS).at(
            file=str(file), row=1
        )
    if len(rows) < 2 or len(rows[0]) < 2:
        raise BadPublished("there are no figures below the headings", remedy="fill it in, or delete it").at(
            file=str(file)
        )
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise BadPublished(
                f"the row has {len(row)} cells, the headings {len(rows[0])}", remedy="correct the row"
            ).at(file=str(file), row=number)
    found = [[_figure(cell.strip()) for cell in row[1:]] for row in rows[1:]]
    decimals = tuple(tuple(known_to for _, known_to in row) for row in found)
    figures = tuple(tuple(figure for figure, _ in row) for row in found)
    printed = Printed(figures, max(map(max, decimals)), cell_decimals=decimals)
    return Table(tuple(rows[0][1:]), tuple(row[0] for row in rows[1:]), printed)


def _figure(text: str) -> tuple[Figure, int]:
    """A figure and its decimals."""
    if not text:
        return None, 0
    try:
        return float(to_serial(dt.date.fromisoformat(text))), 0
    except ValueError:
        pass
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text, 0
    if not number.is_finite():
        return text, 0
    return float(number), max(-int(number.as_tuple().exponent), 0)
