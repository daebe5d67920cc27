"""Tables as a deal folder or a range of cells gives them: headings found by name, values by kind.

A Schema says which columns a table has.  ``read`` turns rows of raw values (from cells or from TOML) into
Records whose values have the right Python type, or raises with table, row and column, so that the layer
above can name the cell.  Rows and columns count from 1, the heading included.
"""

from __future__ import annotations

import datetime as dt
import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from xlmodel.conventions.serial import from_serial
from xlmodel.errors import BadTable, MissingValue, OutOfRange, UnknownName, WrongKind, XlmodelError

Value = str | float | bool | dt.date | None
RawRows = Sequence[Sequence[Any]]

WITH_COMMAS = (
    "save it with commas between the fields and points in the numbers: where Windows writes decimal commas, "
    "with its region set to English for the while"
)
"""The remedy for ``has_semicolons``."""


def has_semicolons(headings: Sequence[str]) -> bool:
    """Whether a CSV file was saved where numbers have decimal commas.

    Such a file is refused, not read: whether its 1.234 is a thousand or a decimal, nobody could tell.
    """
    return len(headings) == 1 and ";" in headings[0]


class Kind(Enum):
    """What a column holds; it also decides how a sheet shows it."""

    TEXT = "text"
    NAME = "name"  # a text; a whole number counts as its digits
    AMOUNT = "amount"  # dollars, zero or more
    RATE = "rate"  # a decimal fraction, 0.062025 for 6.2025%
    NUMBER = "number"
    COUNT = "count"  # a whole number, zero or more
    DATE = "date"
    FLAG = "flag"  # TRUE or FALSE
    ANY = "any"  # as it comes; the reader of the row knows its kind


@dataclass(frozen=True)
class Column:
    """One column: its heading in lower case, kind, whether a row must fill it, and a line of help.

    A ``rare`` one stands in a table only where a row fills it.
    """

    heading: str
    kind: Kind
    help: str
    required: bool = False
    width: int = 14
    aliases: tuple[str, ...] = ()
    rare: bool = False


@dataclass(frozen=True)
class Schema:
    """The columns of a table.  The first heading tells which table it is."""

    name: str
    columns: tuple[Column, ...]
    help: str = ""

    @property
    def key(self) -> str:
        return self.columns[0].heading

    def column(self, heading: str) -> Column | None:
        for column in self.columns:
            if heading == column.heading or heading in column.aliases:
                return column
        return None


@dataclass(frozen=True)
class Record:
    """One row of a table, its values by heading."""

    table: str
    row: int
    values: Mapping[str, Value]
    columns: Mapping[str, int] = field(repr=False)

    def __getitem__(self, heading: str) -> Any:
        return self.values[heading]

    def one_of(self, heading: str, allowed: Sequence[str]) -> None:
        """Raises UnknownName unless the value of a column is one of these, in any case."""
        if str(self[heading]).lower() not in {name.lower() for name in allowed}:
            raise UnknownName(f"{self[heading]!r} is not one of: {', '.join(allowed)}").at(
                **self.place(heading)
            )

    @contextmanager
    def placed(self, heading: str) -> Iterator[None]:
        """Errors raised inside lie at this column of the record."""
        try:
            yield
        except XlmodelError as error:
            raise error.at(**self.place(heading)) from None

    def place(self, heading: str) -> dict[str, str | int | None]:
        """The place of one value, for ``XlmodelError.at``."""
        return {
            "table": self.table,
            "row": self.row,
            "column": self.columns.get(heading),
            "heading": heading,
        }


def convert(value: Any, kind: Kind) -> Value:
    """A raw value as its kind; None when blank.  Raises WrongKind or OutOfRange."""
    if isinstance(value, str):
        value = value.strip()
    if value is None or value == "":
        return None
    if kind is Kind.ANY:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if kind in (Kind.TEXT, Kind.NAME):
        return _text(value)
    if kind is Kind.DATE:
        return _date(value)
    if kind is Kind.FLAG:
        return _flag(value)
    return _number(value, kind)


def read(schema: Schema, rows: RawRows, *, first_row: int = 1, table: str | None = None) -> list[Record]:
    """The records of a table whose first row is its headings; blank rows are left out.

    Raises BadTable for an unknown, repeated or missing heading, MissingValue for a blank that must not be,
    WrongKind or OutOfRange for a value that is not of its kind.
    """
    name = table or schema.name
    columns = _columns(schema, rows[0] if rows else (), name, first_row)
    records = []
    for offset, row in enumerate(rows[1:], start=1):
        if all(_blank(cell) for cell in row):
            continue
        number = first_row + offset
        values: dict[str, Value] = {}
        for column in schema.columns:
            position = columns.get(column.heading)
            raw = row[position - 1] if position and position <= len(row) else None
            try:
                value = convert(raw, column.kind)
                if value is None and column.required:
                    raise MissingValue(f"{column.heading} is blank: {column.help}")
            except XlmodelError as error:
                raise error.at(table=name, row=number, column=position, heading=column.heading) from None
            values[column.heading] = value
        records.append(Record(name, number, values, columns))
    return records


def rows_from_mappings(schema: Schema, entries: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """TOML's list of tables as rows with a heading row; ``day_count`` is the heading "day count".

    Rare columns that no row fills are left out.  Keys that the schema does not know are kept as headings,
    for ``read`` to refuse.
    """
    listed = [{heading_text(key): value for key, value in entry.items()} for entry in entries]
    filled = {key for entry in listed for key, value in entry.items() if not _blank(value)}
    known = [column.heading for column in schema.columns]
    shown = [column.heading for column in schema.columns if not column.rare or column.heading in filled]
    headings = [*shown, *sorted({key for entry in listed for key in entry} - set(known))]
    return [list(headings), *([entry.get(heading) for heading in headings] for entry in listed)]


def split(schemas: Sequence[Schema], rows: RawRows) -> dict[str, tuple[int, RawRows]]:
    """Tables stacked in one range, told apart by the first cell of their heading row.

    -> table name: (row of its headings, its rows).  Raises BadTable for text before the first heading row
    or a table that comes twice.
    """
    by_key = {schema.key: schema.name for schema in schemas}
    starts = [
        (number, by_key[key])
        for number, row in enumerate(rows, start=1)
        if row
        and isinstance(row[0], str)
        and (key := heading_text(row[0])) in by_key
        # A row of data may begin with the same word; a heading row has only texts.
        and all(_blank(cell) or isinstance(cell, str) for cell in row)
        and _looks_like_headings(schemas, by_key[key], row)
    ]
    if not starts:
        raise BadTable(f"no table begins here; a heading row starts with one of: {', '.join(by_key)}").at(
            row=1
        )
    result: dict[str, tuple[int, RawRows]] = {}
    ends = [number for number, _ in starts[1:]] + [len(rows) + 1]
    for (start, name), end in zip(starts, ends, strict=True):
        if name in result:
            raise BadTable(f"the table {name} comes twice").at(row=start, column=1)
        result[name] = (start, rows[start - 1 : end - 1])
    for number in range(1, starts[0][0]):
        if not all(_blank(cell) for cell in rows[number - 1]):
            raise BadTable("there is text before the first heading row").at(row=number, column=1)
    return result


def heading_text(cell: Any) -> str:
    """A heading as it is compared: lower case, single spaces."""
    return " ".join(str(cell).lower().replace("_", " ").split())


def _columns(schema: Schema, headings: Sequence[Any], name: str, row: int) -> dict[str, int]:
    columns: dict[str, int] = {}
    for position, cell in enumerate(headings, start=1):
        if _blank(cell):
            continue
        heading = heading_text(cell)
        column = schema.column(heading)
        if column is None:
            known = [c.heading for c in schema.columns]
            near = difflib.get_close_matches(heading, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; it has: {', '.join(known)}"
            raise BadTable(f"the table {schema.name} has no column {heading!r}{hint}").at(
                table=name, row=row, column=position
            )
        if column.heading in columns:
            raise BadTable(f"the column {heading!r} comes twice").at(table=name, row=row, column=position)
        columns[column.heading] = position
    for column in schema.columns:
        if column.required and column.heading not in columns:
            raise BadTable(f"the column {column.heading!r} is missing: {column.help}").at(table=name, row=row)
    return columns


def _looks_like_headings(schemas: Sequence[Schema], name: str, row: Sequence[Any]) -> bool:
    schema = next(s for s in schemas if s.name == name)
    others = [heading_text(cell) for cell in row[1:] if not _blank(cell)]
    return any(schema.column(heading) for heading in others)


def _blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return f"{value:.15g}"
    raise WrongKind(f"a text is asked for, got {value!r}")


def _date(value: Any) -> dt.date:
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    if isinstance(value, bool | str):
        raise WrongKind(f"a date is asked for, got {value!r}", remedy="enter it as a date")
    return from_serial(float(value))


def _flag(value: Any) -> bool:
    if isinstance(value, str):
        word = value.upper()
        if word not in ("TRUE", "FALSE"):
            raise WrongKind(f"TRUE or FALSE is asked for, got {value!r}")
        return word == "TRUE"
    return bool(value)


def _number(value: Any, kind: Kind) -> float:
    if isinstance(value, str):
        raise WrongKind(f"a number is asked for, got the text {value!r}")
    if not isinstance(value, int | float):
        raise WrongKind(f"a number is asked for, got {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise OutOfRange("a finite number is asked for")
    if kind in (Kind.AMOUNT, Kind.COUNT) and number < 0:
        raise OutOfRange(f"{number:,.15g} is negative; amounts and counts are zero or more")
    if kind is Kind.COUNT and number != int(number):
        raise OutOfRange(f"a whole number is asked for, got {number:g}")
    if kind is Kind.RATE and not 0 <= number < 1:
        hint = "write 6.2025% as 0.062025" if number >= 1 else "rates are zero or more"
        raise OutOfRange(f"{number:g} is no rate between 0 and 1", remedy=hint)
    return number
