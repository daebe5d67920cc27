"""What a case is: one call of a function, and what comes out of it.

How an argument stands in a spreadsheet:

    a float, int, text or bool      a constant written in the formula (an int only where code passes one)
    a date, Decimal, error or None  a cell: with a date format (a datetime has a time of day), a currency
                                    format, an error, or blank
    OMITTED                         an argument left out
    a list of rows                  a range; its cells hold the same kinds

What a formula cannot hold (a text of more than 255 characters, a number of more than 15 digits) stands in a
range of one cell.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Final

from xlmodel.functions.cells import Argument, Cell, CellError, Rows


class Omitted(Enum):
    OMITTED = "an argument left out"


class Unstated(Enum):
    UNSTATED = "no value is known but that of the direct call"


OMITTED: Final = Omitted.OMITTED
UNSTATED: Final = Unstated.UNSTATED

GivenCell = float | str | bool | None | CellError | dt.date | Decimal
Given = GivenCell | list[list[GivenCell]] | Omitted


@dataclass(frozen=True)
class Case:
    """One call.

    ``expected``: a cell value, or rows.  ``at``: row and column, from 1, where these rows stand in a larger
    result.  ``digits``: decimals to which they are printed.
    """

    name: str
    function: str
    arguments: tuple[Given, ...]
    expected: Cell | Rows | Unstated = UNSTATED
    source: str = ""
    at: tuple[int, int] | None = None
    digits: int | None = None

    @property
    def id(self) -> str:
        return f"{self.function}: {self.name}"


def as_cells(given: Given) -> Argument:
    """The argument in the value model: dates as serials, blank and omitted as None."""
    if isinstance(given, list):
        return [[as_cell(cell) for cell in row] for row in given]
    return None if given is OMITTED else as_cell(given)


def as_cell(given: GivenCell) -> Cell:
    if isinstance(given, dt.datetime):
        return (given - dt.datetime(1899, 12, 30)) / dt.timedelta(days=1)
    if isinstance(given, dt.date):
        return float((given - dt.date(1899, 12, 30)).days)
    if isinstance(given, Decimal) or (isinstance(given, int) and not isinstance(given, bool)):
        return float(given)
    return given


# --- what the cases speak of -------------------------------------------------------------------------

VALUE, NUM, NA = CellError("#VALUE!"), CellError("#NUM!"), CellError("#N/A")
DIV0, REF, NAME, NULL = CellError("#DIV/0!"), CellError("#REF!"), CellError("#NAME?"), CellError("#NULL!")

CLOSING = dt.date(1999, 10, 28)  # serial 36461
FIRST_PAYMENT = dt.date(1999, 12, 15)  # serial 36509
JANUARY_15 = dt.date(2000, 1, 15)  # serial 36540, a Saturday; the Monday after is a holiday
PROSPECTUS = "CarMax Auto Owner Trust 1999-1 prospectus"
BMA = "Bond Market Association, Standard Formulas"
LONG_TEXT = "a name of three hundred characters, more than a formula can hold: " + "0123456789" * 23 + "last"


def serial(year: int, month: int, day: int) -> float:
    """The serial of a date after February 1900."""
    return float((dt.date(year, month, day) - dt.date(1899, 12, 30)).days)
