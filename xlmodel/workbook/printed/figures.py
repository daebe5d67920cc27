"""The figures of printed tables, ``published/figures.csv``: one a row, as printed, with document and page.

A figure keeps the decimals that it is printed with: ``330.0``, ``8.6%``, ``-53.6``, ``1999-12-09``.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from pathlib import Path

from xlmodel.conventions.serial import to_serial
from xlmodel.errors import BadPublished
from xlmodel.workbook.csv_rows import Row, read_rows

FILE = "figures.csv"
HEADINGS = ("document", "page", "table", "row", "period", "measure", "printed")


@dataclass(frozen=True)
class Key:
    """Which figure: its table, row, measure (the heading of its column) and period, where they have one."""

    table: str
    row: str
    measure: str = ""
    period: str = ""

    def __str__(self) -> str:
        """As a rule names it: ``finance_income/provision:percent@9 months to 30 Nov 2021``."""
        measure = f":{self.measure}" if self.measure else ""
        period = f"@{self.period}" if self.period else ""
        return f"{self.table}/{self.row}{measure}{period}"


class Form(Enum):
    """How a figure is printed."""

    NUMBER = "number"
    PERCENT = "percent"
    DATE = "date"


@dataclass(frozen=True)
class Figure:
    """A printed figure in the workbook's unit: a percentage is a fraction, a date a serial.

    ``decimals``: to which it is known in that unit, 3 for 8.6%.
    """

    key: Key
    document: str
    page: str
    value: float
    decimals: int
    form: Form


Figures = dict[Key, Figure]


def read_figures(published: Path) -> Figures:
    """The figures of a folder ``published``, in their order.

    Raises BadPublished, with file and row, for a file that is missing, a figure that comes twice, or a text
    that is none.
    """
    file = published / FILE
    rows = read_rows(file, HEADINGS)
    if rows is None:
        raise BadPublished("there is no such file; it holds the printed figures", remedy="add it").at(
            file=str(file)
        )
    figures: Figures = {}
    for row in rows:
        key = Key(row.text("table"), row.text("row"), row.values["measure"], row.values["period"])
        if key in figures:
            raise row.bad(f"the figure {key} again", "row", "delete one")
        value, decimals, form = _value(row)
        figures[key] = Figure(key, row.text("document"), row.text("page"), value, decimals, form)
    return figures


def _value(row: Row) -> tuple[float, int, Form]:
    text = row.text("printed")
    try:
        return float(to_serial(dt.date.fromisoformat(text))), 0, Form.DATE
    except ValueError:
        pass
    try:
        number = Decimal(text.removesuffix("%"))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise row.bad(f"{text!r} is no figure", "printed", "write it as printed: -53.6, 8.6%, 1999-12-09")
    decimals = max(-int(number.as_tuple().exponent), 0)
    if text.endswith("%"):
        return float(number.scaleb(-2)), decimals + 2, Form.PERCENT
    return float(number), decimals, Form.NUMBER
