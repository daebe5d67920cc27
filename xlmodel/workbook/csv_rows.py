"""The rows of a CSV file of published figures, and how to complain about one.

A file is a list, a row a figure, or a grid as documents print it: columns such as ``A-1 1.50%`` (a class and
a speed) or ``1.50%``.  A grid is read as the list of its cells that are filled.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

from xlmodel.errors import BadPublished
from xlmodel.tables import WITH_COMMAS, has_semicolons

SPEED = "speed_pct"
"""The ending of the heading of a speed; its beginning names the model, as in abs_speed_pct."""


_OF_A_GRID = re.compile(r"(?:(.+?)\s+)?(\d+(?:\.\d+)?)\s*%")


@dataclass(frozen=True)
class Row:
    """A line of a CSV file and how to complain about it.

    ``columns``: in which column of a grid the figure stands, and the class and speed of its heading.
    """

    file: Path
    number: int
    values: dict[str, str]
    columns: Mapping[str, str] = field(default_factory=dict)

    def has(self, heading: str) -> bool:
        return heading in self.values

    def text(self, heading: str) -> str:
        value = (self.values[heading] or "").strip()
        if not value:
            raise self.bad("the cell is blank", heading, "fill it in, or delete the row")
        return value

    def decimal(self, heading: str) -> Decimal:
        text = self.text(heading)
        try:
            number = Decimal(text)
        except InvalidOperation:
            number = Decimal("NaN")
        if not number.is_finite():
            raise self.bad(
                f"{text!r} is no number", heading, "write the figure as it is printed, such as 79.8"
            )
        if number < 0:
            raise self.bad(f"{text} is negative", heading, "published figures are zero or more")
        return number

    def bad(self, message: str, heading: str, remedy: str) -> BadPublished:
        return BadPublished(message, remedy=remedy).at(
            file=str(self.file), row=self.number, heading=self.columns.get(heading, heading)
        )


def read_rows(file: Path, headings: Sequence[str]) -> list[Row] | None:
    """The rows of a file that has these headings; None when there is no such file.

    A grid has its columns in place of the last heading, of the speed and, where they name it, of the class.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, restval="")
            rows = [Row(file, reader.line_num, row) for row in reader]
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadPublished(f"cannot be read: {error}", remedy="save it as CSV in UTF-8").at(
            file=str(file)
        ) from None
    if has_semicolons(reader.fieldnames or ()):
        raise BadPublished("semicolons stand between the fields", remedy=WITH_COMMAS).at(
            file=str(file), row=1
        )
    for name in reader.fieldnames or ():
        if (reader.fieldnames or []).count(name) > 1:
            raise BadPublished(f"the column {name} stands twice", remedy="keep one of them").at(
                file=str(file), row=1
            )
    rows, found = _listed(rows, reader.fieldnames or (), headings[-1])
    names = [SPEED if name and name.endswith(SPEED) else name for name in found]
    for heading in headings:
        if heading not in names:
            raise BadPublished(f"the column {heading} is missing", remedy="add it, or delete the file").at(
                file=str(file), row=1
            )
    if not rows:
        raise BadPublished("the file has headings only", remedy="fill it in, or delete it").at(file=str(file))
    for row in rows:
        if None in row.values:
            raise BadPublished("the row has more cells than headings", remedy="correct the row").at(
                file=str(file), row=row.number
            )
    return [Row(r.file, r.number, dict(zip(names, r.values.values(), strict=True)), r.columns) for r in rows]


def _listed(rows: list[Row], headings: Sequence[str], figure: str) -> tuple[list[Row], Sequence[str]]:
    """The rows and headings of a grid as those of a list whose figures have a heading; a list as it is."""
    grid = {name: found for name in headings if (found := _OF_A_GRID.fullmatch((name or "").strip()))}
    if not grid or figure in headings:
        return rows, headings
    with_class = all(found[1] for found in grid.values())
    others = [name for name in headings if name not in grid]
    of_heading = ("class", SPEED, figure) if with_class else (SPEED, figure)

    def cells() -> Iterator[Row]:
        for row in rows:
            if None in row.values:
                yield row
                continue
            for name, found in grid.items():
                if (text := row.values[name] or "").strip():
                    values = {other: row.values[other] for other in others}
                    values |= {"class": found[1]} if with_class else {}
                    values |= {SPEED: found[2], figure: text}
                    yield Row(row.file, row.number, values, dict.fromkeys(of_heading, name))

    return list(cells()), [*others, *(["class"] if with_class else []), SPEED, figure]
