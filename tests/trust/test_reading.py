"""Tables of a trust that do not fit together are refused with table, row, column and remedy."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xlmodel.errors import XlmodelError
from xlmodel.trust.reading import read_trust
from xlmodel.trust.schemas import CLASSES, GROUPS, MONTHS, SCHEMAS, SERIES, TRUST
from xlmodel.workbook.model_folder import read_model

MODEL = read_model(Path(__file__).parents[2] / "workbooks" / "card_master_trust", SCHEMAS, ())
Tables = dict[str, list[list[Any]]]


def tables() -> Tables:
    return {schema.name: [list(row) for row in MODEL.tables[schema.name]] for schema in SCHEMAS}


def read(found: Tables) -> None:
    read_trust(*(found[schema.name] for schema in (TRUST, GROUPS, SERIES, CLASSES, MONTHS)))


def at(table: str, row: int, heading: str, value: Any) -> Callable[[Tables], None]:
    """Another value in a cell; rows count from 1, the heading included."""

    def change(found: Tables) -> None:
        found[table][row - 1][found[table][0].index(heading)] = value

    return change


def swapped(table: str, one: int, other: int) -> Callable[[Tables], None]:
    def change(found: Tables) -> None:
        rows = found[table]
        rows[one - 1], rows[other - 1] = rows[other - 1], rows[one - 1]

    return change


def only_one_shares(found: Tables) -> None:
    for row in (3, 4):
        at("Series", row, "shares excess", False)(found)


CASES = {
    "no group": (at("Series", 3, "group", None), "XM-211", "Series", 3, "group", "in no group"),
    "an unknown group": (at("Series", 3, "group", "Three"), "XM-211", "Series", 3, "group", "'Three'"),
    "a series twice": (at("Series", 3, "series", "2026-A"), "XM-211", "Series", 3, "series", "comes twice"),
    "a class of no series": (
        at("Classes", 2, "series", "2025-Z"),
        "XM-211",
        "Classes",
        2,
        "series",
        "2025-Z",
    ),
    "a class twice": (at("Classes", 3, "class", "A"), "XM-211", "Classes", 3, "class", "comes twice"),
    "nothing to share": (only_one_shares, "XM-211", "Series", 2, "shares excess", "nothing to share"),
    "paid before it accumulates": (
        at("Series", 2, "expected payment", dt.date(2026, 9, 30)),
        "XM-212",
        "Series",
        2,
        "expected payment",
        "before its accumulation",
    ),
    "reserve after it accumulates": (
        at("Series", 2, "reserve from", dt.date(2027, 1, 31)),
        "XM-212",
        "Series",
        2,
        "reserve from",
        "after its accumulation",
    ),
    "months out of order": (swapped("Months", 5, 6), "XM-212", "Months", 5, "month", "does not follow"),
    "a percentage beyond 100": (
        at("Series", 2, "servicing fee", 2.0),
        "XM-102",
        "Series",
        2,
        "servicing fee",
        "2",
    ),
    "more principal than receivables": (
        at("Months", 2, "principal", 2e9),
        "XM-211",
        "Months",
        2,
        "principal",
        "more than the receivables",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_does_not_fit_is_told_with_its_place(name: str) -> None:
    change, code, table, row, heading, words = CASES[name]
    found = tables()
    change(found)
    with pytest.raises(XlmodelError) as raised:
        read(found)
    error = raised.value
    assert error.code == code
    assert (error.place.table, error.place.row, error.place.heading) == (table, row, heading)
    assert words in error.message
    assert error.advice


def test_a_series_without_classes() -> None:
    found = tables()
    found["Classes"] = [row for row in found["Classes"] if row[1] != "2026-C"]
    with pytest.raises(XlmodelError, match="has no class"):
        read(found)


@pytest.mark.parametrize("table", ["Trust", "Series", "Months"])
def test_an_empty_table(table: str) -> None:
    found = tables()
    found[table] = found[table][:1]
    with pytest.raises(XlmodelError) as raised:
        read(found)
    assert raised.value.place.table == table


def test_the_tables_as_they_are_can_be_read() -> None:
    read(tables())
