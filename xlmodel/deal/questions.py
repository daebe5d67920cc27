"""What a deal folder asks of its deal beside its terms: a grid of scenarios, and yields at prices.

All of it is assumed by the desk, but for prices that a document prints; a folder that does not ask has no
such sheets.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xlmodel.deal.definition import Deal
from xlmodel.deal.scenario import Scenarios, select
from xlmodel.deal.schemas import STATUSES
from xlmodel.errors import BadDealFolder, BadTable, OutOfRange, UnknownName, XlmodelError
from xlmodel.pool import prepayment
from xlmodel.tables import Column, Kind, RawRows, Record, Schema, read, rows_from_mappings

_AXES = ("speed", "loss", "severity")
_MOST = 400  # scenarios of a sheet that is looked at; ``xlmodel grid`` has no such bound
_FREQUENCIES = (1, 2, 4, 12)

OF_THE_DEAL = ("net loss", "drawn", "claims", "called")
OF_A_CLASS = ("average life", "unpaid")
"""What a grid shows, of the deal and of each class."""

GRID = Schema(
    "Grid",
    (
        Column("scenario", Kind.NAME, "the scenario that is varied", required=True),
        Column(
            "item",
            Kind.TEXT,
            f"what is shown: {', '.join(OF_THE_DEAL)}; or a class with {' or '.join(OF_A_CLASS)}",
            required=True,
        ),
        Column("speed", Kind.ANY, "list of speeds, in the model of the deal", required=True),
        Column("loss", Kind.ANY, "list of losses, in the default model of the scenario", required=True),
        Column("severity", Kind.ANY, "list of parts of what defaults that are lost", required=True),
        Column("note", Kind.TEXT, "why these"),
    ),
    help="One entry, `[grid]`: one scenario varied over speeds, losses and severities, on the sheet Grid.",
)

PRICING = Schema(
    "Pricing",
    (
        Column("settlement", Kind.DATE, "day on which buyers pay", required=True),
        Column("frequency", Kind.COUNT, "compoundings a year of a yield: 1, 2, 4 or 12", required=True),
        Column("class", Kind.NAME, "class of the price-yield table", required=True),
        Column("quotes", Kind.ANY, "list of its prices, in percent of the balance", required=True),
        Column("note", Kind.TEXT, "why these"),
    ),
    help="One entry, `[pricing]`: how the sheet Prices finds yields; it goes with [[prices]].",
)

PRICES = Schema(
    "Prices",
    (
        Column("class", Kind.NAME, "class that is priced", required=True, width=28),
        Column("price", Kind.NUMBER, "clean price in percent of the balance", required=True),
        Column("status", Kind.TEXT, "stated, derived or assumed", required=True, width=10),
        Column("page", Kind.NAME, "where the document says so", width=8),
    ),
    help="Prices at which classes were sold, or are asked about; a row a class.",
)


@dataclass(frozen=True)
class Grid:
    """A scenario and the values that it is varied over, each axis rising."""

    scenario: str
    item: str
    speed: tuple[float, ...]
    loss: tuple[float, ...]
    severity: tuple[float, ...]
    note: str


@dataclass(frozen=True)
class Pricing:
    """``prices``: the rows of the table Prices; ``priced``: positions of their classes, row by row."""

    settlement: dt.date
    frequency: int
    note_class: str
    quotes: tuple[float, ...]
    note: str
    prices: RawRows
    priced: tuple[int, ...]


def grid_items(classes: Sequence[str]) -> list[str]:
    """What a grid shows of a deal with these classes."""
    return [*OF_THE_DEAL, *(f"{name} {what}" for name in classes for what in OF_A_CLASS)]


def read_grid(entry: Any, deal: Deal, scenarios: Scenarios) -> Grid | None:
    """The table [grid]; None where the folder has none.

    Raises BadDealFolder for what is no table, else the error of a value with its heading.
    """
    record = _only(GRID, entry)
    if record is None:
        return None
    with record.placed("scenario"):
        base = select(scenarios, record["scenario"])
    items = grid_items([note_class.name for note_class in deal.classes])
    record.one_of("item", items)
    axes = {name: _list(record, name) for name in _AXES}
    for name, values in axes.items():
        if not all(0 <= value <= 1 for value in values):
            raise OutOfRange(f"{name} is a list of decimals, 6% as 0.06").at(**record.place(name))
    with record.placed("speed"):
        prepayment.check_speeds(np.array(axes["speed"]), deal.prepayment_model)
    if 0.0 in axes["severity"]:
        raise OutOfRange("nothing is lost at a severity of 0", remedy="take it out").at(
            **record.place("severity")
        )
    if any(axes["loss"]) and not base.default_model[0]:
        raise BadTable(
            f"the scenario {base.names[0]!r} has no default model, so it has no losses",
            remedy="name a scenario with one, or give 0 alone",
        ).at(**record.place("loss"))
    count = math.prod(map(len, axes.values()))
    if count > _MOST:
        raise OutOfRange(
            f"{count:,} scenarios are no sheet that is read; at most {_MOST}",
            remedy="give fewer values, or run xlmodel grid",
        ).at(**record.place("speed"))
    return Grid(base.names[0], record["item"], note=record["note"] or "", **axes)


def read_pricing(entry: Any, prices: RawRows, deal: Deal) -> Pricing | None:
    """The tables [pricing] and [[prices]]; None where the folder has neither.

    Raises BadDealFolder for one without the other, else the error of a value with its row and heading.
    """
    record, rows = _only(PRICING, entry), read(PRICES, prices)
    if record is None or not rows:
        if record is None and not rows:
            return None
        missing = "[pricing]" if record is None else "[[prices]]"
        raise BadDealFolder(f"{missing} is missing: [pricing] and [[prices]] go together")
    known = [note_class.name for note_class in deal.classes]
    record.one_of("class", known)
    if record["settlement"] < deal.closing_date:
        raise OutOfRange(
            f"settlement on {record['settlement']} is before the securities exist",
            remedy=f"give {deal.closing_date} or later",
        ).at(**record.place("settlement"))
    if record["frequency"] not in _FREQUENCIES:
        raise OutOfRange(f"{record['frequency']:g} compoundings a year", remedy="give 1, 2, 4 or 12").at(
            **record.place("frequency")
        )
    quotes = _list(record, "quotes")
    if quotes[0] <= 0:
        raise OutOfRange("a price is above 0").at(**record.place("quotes"))
    priced = [_position(row, known) for row in rows]
    for number, row in enumerate(rows):
        row.one_of("status", STATUSES)
        if row["status"].lower() == "stated" and row["page"] is None:
            raise BadTable("a stated price needs its page", remedy="give the page, or say assumed").at(
                **row.place("page")
            )
        if priced[number] in priced[:number]:
            raise BadTable(f"class {row['class']} is priced twice", remedy="keep one row").at(
                **row.place("class")
            )
    return Pricing(
        settlement=record["settlement"],
        frequency=int(record["frequency"]),
        note_class=known[[name.lower() for name in known].index(record["class"].lower())],
        quotes=quotes,
        note=record["note"] or "",
        prices=prices,
        priced=tuple(priced),
    )


def _only(schema: Schema, entry: Any) -> Record | None:
    """The one entry of a table that is no list."""
    if entry is None:
        return None
    if not isinstance(entry, Mapping):
        name = schema.name.lower()
        raise BadDealFolder(f"[{name}] is one table", remedy=f"write [{name}] once, not [[{name}]]")
    records = read(schema, rows_from_mappings(schema, [entry]))
    if not records:
        raise BadDealFolder(f"[{schema.name.lower()}] is empty", remedy="fill it in, or take it out")
    return records[0]


def _list(record: Record, heading: str) -> tuple[float, ...]:
    """A list of numbers, each above the one before it."""
    listed = record[heading]
    try:
        if not isinstance(listed, list) or not listed:
            raise OutOfRange(f"{heading} is a list of numbers, such as [0.01, 0.02]")
        numbers = [
            value for value in listed if isinstance(value, int | float) and not isinstance(value, bool)
        ]
        if len(numbers) < len(listed) or not all(map(math.isfinite, numbers)):
            raise OutOfRange(f"{heading} holds what is no number", remedy="write decimals")
        if any(b <= a for a, b in itertools.pairwise(numbers)):
            raise OutOfRange(
                f"the values of {heading} do not rise", remedy="list each once, the lowest first"
            )
    except XlmodelError as error:
        raise error.at(**record.place(heading)) from None
    return tuple(map(float, numbers))


def _position(row: Record, known: Sequence[str]) -> int:
    names = [name.lower() for name in known]
    if row["class"].lower() not in names:
        raise UnknownName(f"there is no class {row['class']!r}; known: {', '.join(known)}").at(
            **row.place("class")
        )
    if not row["price"] > 0:
        raise OutOfRange("a price is above 0, par is 100").at(**row.place("price"))
    return names.index(row["class"].lower())
