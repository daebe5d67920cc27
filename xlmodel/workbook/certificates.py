"""Certificates of a servicer, as ``published/certificates.csv`` holds them: every line, date by date.

Columns: payment_date; line, as it is printed; what and of, which name the figure that the model compares with
it; value; status.  A figure that is an input, or that a term was inferred from, proves nothing.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from xlmodel.workbook.csv_rows import Row, read_rows

FOLLOWS, INPUT, INFERRED, OTHER = STATUSES = ("follows", "input", "inferred", "other")
"""Computed and compared; given to the model; a term was inferred from it; printed and not modelled."""

_HEADINGS = ("payment_date", "line", "what", "of", "value", "status")


@dataclass(frozen=True)
class Line:
    """One line of all certificates: figures and STATUSES by date, None where a date does not print it."""

    text: str
    what: str
    of: str
    decimals: int
    figures: tuple[float | None, ...]
    statuses: tuple[str | None, ...]

    @property
    def compared(self) -> tuple[float | None, ...]:
        """The figures that follow; None for the others."""
        pairs = zip(self.figures, self.statuses, strict=True)
        return tuple(figure if status == FOLLOWS else None for figure, status in pairs)

    def is_ever(self, status: str) -> bool:
        """Whether it has the status on some date."""
        return status in self.statuses


@dataclass(frozen=True)
class Certificates:
    """Payment dates in order, lines in the order of the file."""

    dates: tuple[dt.date, ...]
    lines: tuple[Line, ...]

    @property
    def followed(self) -> tuple[Line, ...]:
        """The lines with a figure that follows."""
        return tuple(line for line in self.lines if line.is_ever(FOLLOWS))


def read_certificates(file: Path) -> Certificates | None:
    """The certificates of a file; None when there is no such file.

    Raises BadPublished, with file and row, for an unknown status, a date that is none, a line twice.
    """
    rows = read_rows(file, _HEADINGS)
    if rows is None:
        return None
    found: dict[tuple[str, str, str], dict[dt.date, Row]] = {}
    for row in rows:
        key = (row.text("line"), row.values["what"].strip(), row.values["of"].strip())
        by_date = found.setdefault(key, {})
        date = _date(row)
        if date in by_date:
            raise row.bad(f"the line of row {by_date[date].number} again", "line", "delete one")
        if row.text("status") not in STATUSES:
            raise row.bad(
                f"{row.text('status')!r} is no status", "status", f"use one of: {', '.join(STATUSES)}"
            )
        if row.text("status") in (FOLLOWS, INFERRED) and not key[1]:
            raise row.bad("it is not said what is compared", "what", "name it, or give the status other")
        by_date[date] = row
    dates = tuple(sorted({date for by_date in found.values() for date in by_date}))
    return Certificates(dates, tuple(_line(*key, by_date, dates) for key, by_date in found.items()))


def _line(text: str, what: str, of: str, by_date: dict[dt.date, Row], dates: tuple[dt.date, ...]) -> Line:
    numbers = {date: row.decimal("value") for date, row in by_date.items()}
    decimals = max(-int(number.as_tuple().exponent) for number in numbers.values())
    return Line(
        text,
        what,
        of,
        max(decimals, 0),
        tuple(float(numbers[date]) if date in numbers else None for date in dates),
        tuple(by_date[date].text("status") if date in by_date else None for date in dates),
    )


def _date(row: Row) -> dt.date:
    try:
        return dt.date.fromisoformat(row.text("payment_date"))
    except ValueError:
        raise row.bad(
            f"{row.text('payment_date')!r} is no date", "payment_date", "write 2024-05-15"
        ) from None
