"""How a deal table looks on a sheet: headings from its schema, one number format a kind of value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.questions import PRICES
from xlmodel.deal.scenario import SCENARIOS
from xlmodel.deal.schemas import SCHEDULES, SOURCE, TERM_LIST, TERMS
from xlmodel.package.address import Block
from xlmodel.tables import Column, Kind, Schema, heading_text
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.theme import Look, put, put_text

FORMATS: dict[Kind, str | None] = {
    Kind.TEXT: None,
    Kind.NAME: None,
    Kind.AMOUNT: theme.MONEY,
    Kind.RATE: theme.RATE,
    Kind.NUMBER: theme.PERCENT,  # parts of a base, all of them
    Kind.COUNT: theme.COUNT,
    Kind.DATE: theme.DATE,
    Kind.FLAG: theme.FLAG,
    Kind.ANY: None,
}
_SOURCE = [column.heading for column in SOURCE]
# Columns whose numbers do not look as their kind does.
_OWN_FORMATS = {
    (SCHEDULES.name, "amount"): theme.DOLLARS_OR_RATE,
    (PRICES.name, "price"): theme.QUOTE,
}
_TERM_KINDS = {term.name: term.kind for term in TERM_LIST}


def write_table(
    sheet: Worksheet,
    schema: Schema,
    rows: Sequence[Sequence[Any]],
    top: int,
    left: int,
    *,
    source_at: int | None = None,
    widths: Sequence[float] = (),
) -> None:
    """A table with its heading row at a place; what a desk may edit is styled as an input.

    ``source_at``: see ``offsets``.  ``widths``: of the columns from ``left`` on; a text that is wider than
    its column breaks into lines.  Without them texts run on into the empty cells to their right.
    """
    places = offsets(rows[0], source_at)
    for offset in range(places[-1] + 1):
        put(sheet, top, left + offset, None, theme.TEXT_HEADING)
    columns = [schema.column(heading_text(heading)) for heading in rows[0]]
    count = 1
    for offset, column in zip(places, columns, strict=True):
        assert column is not None, rows[0]
        look = _heading_look(schema, column)
        if widths:
            needed = theme.lines_of(column.heading, widths[offset], look)
            count = max(count, needed)
            look = replace(look, wrap=needed > 1)
        put(sheet, top, left + offset, column.heading.capitalize(), look)
    if count > 1:
        theme.lines(sheet, top, count)
    for number, row in enumerate(rows[1:], start=1):
        count = 1
        for offset, column, value in zip(places, columns, row, strict=False):
            assert column is not None
            kind = column.kind
            if schema is TERMS and column.heading == "value":
                kind = _TERM_KINDS[heading_text(row[0])]
            shown = value.capitalize() if schema is TERMS and offset == 0 else cell_value(value, kind)
            look = _look(schema, column)
            shown_as = _OWN_FORMATS.get((schema.name, column.heading), FORMATS[kind])
            if widths and isinstance(shown, str):
                needed = theme.lines_of(shown, widths[offset], look)
                count = max(count, needed)
                look = replace(look, wrap=needed > 1)
            put_text(sheet, top + number, left + offset, shown, look, shown_as)
        if count > 1:
            theme.lines(sheet, top + number, count)
        cited = _citation(dict(zip(map(heading_text, rows[0]), row, strict=False)))
        if cited:
            theme.note(sheet, top + number, left + 1, cited)


def _citation(row: Mapping[str, Any]) -> str:
    """Where the document says what stands in a row; nothing where no page is given."""
    page, note = row.get("page"), row.get("note")
    if not page:
        return ""
    status = str(row.get("status") or "stated").capitalize()
    return f"{status}, page {page} of the document.{f' {note}' if note else ''}"


def offsets(headings: Sequence[Any], source_at: int | None = None) -> list[int]:
    """Where each column of a table stands, from 0.

    Status, page and note stand side by side from column ``source_at`` on, so that they can be one below the
    other in tables of different widths; by default they follow the other columns.
    """
    if source_at is None:
        return list(range(len(headings)))
    places = []
    for number, heading in enumerate(headings):
        name = heading_text(heading)
        places.append(source_at + _SOURCE.index(name) if name in _SOURCE else number)
    assert len(set(places)) == len(places), headings
    return places


def cell_value(value: Any, kind: Kind) -> Any:
    """A value as its cell holds it: a name that is a number as the number it is.

    A number stored as text bears a warning in Excel, and a name is read back from either.
    """
    if kind is Kind.NAME and isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)?", value, re.ASCII):
        number = float(value)
        if f"{number:.15g}" == value:
            return int(number) if number.is_integer() else number
    return None if value == "" else value


def column_block(
    schema: Schema,
    rows: Sequence[Sequence[Any]],
    table: Block,
    heading: str,
    source_at: int | None = None,
) -> Block:
    """The cells of a column below its heading."""
    columns = [schema.column(heading_text(name)) for name in rows[0]]
    left = table.left + offsets(rows[0], source_at)[columns.index(schema.column(heading))]
    return Block(table.sheet, table.top + 1, left, table.top + len(rows) - 1, left)


def _heading_look(schema: Schema, column: Column) -> Look:
    if column.heading == schema.key and _is_text(column):
        return theme.TEXT_HEADING
    return theme.INNER_HEADING if _is_text(column) else theme.HEADING


def _is_text(column: Column) -> bool:
    return column.kind in (Kind.TEXT, Kind.NAME, Kind.ANY)


def _look(schema: Schema, column: Column) -> Look:
    if column.heading in _SOURCE:
        return theme.SOURCE
    # Other tables refer to what these rows name; to a scenario nothing does, and the desk adds some.
    named = column.heading == schema.key and _is_text(column)
    if named and column.required and schema is not SCENARIOS:
        return theme.KEY
    if schema is TERMS:
        return theme.TEXT_INPUT
    return theme.TEXT_INPUT if _is_text(column) else theme.INPUT
