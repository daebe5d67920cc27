"""The rows of a CSV file of published figures, and how to complain about one."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from xlmodel.errors import BadPublished

SPEED = "speed_pct"
"""The ending of the heading of a speed; its beginning names the model, as in abs_speed_pct."""


@dataclass(frozen=True)
class Row:
    """A line of a CSV file and how to complain about it."""

    file: Path
    number: int
    values: dict[str, str]

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
        return BadPublished(message, remedy=remedy).at(file=str(self.file), row=self.number, heading=heading)


def read_rows(file: Path, headings: Sequence[str]) -> list[Row] | None:
    """The rows of a file that has these headings; None when there is no such file."""
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
    names = [SPEED if name and name.endswith(SPEED) else name for name in reader.fieldnames or ()]
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
    return [Row(r.file, r.number, dict(zip(names, r.values.values(), strict=True))) for r in rows]
