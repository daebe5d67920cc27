"""A folder of another kind than a deal's: model.toml, a CSV file for each long table, and published/.

``title`` names the workbook; each table of the kind is a list of tables in the document, or a file such as
months.csv beside it, with the headings of its schema.
"""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlmodel.errors import BadDealFolder, XlmodelError
from xlmodel.tables import Column, Kind, RawRows, Schema, heading_text, rows_from_mappings
from xlmodel.workbook.figures import Table, read_table
from xlmodel.workbook.kinds import OTHER_DOCUMENT, read_document

_OTHERS = {"schema", "kind", "title"}
_VERSION = 1


@dataclass(frozen=True)
class Model:
    """The tables of such a folder by the names of their schemas, and its published tables by their ties."""

    path: Path
    title: str
    tables: Mapping[str, RawRows]
    published: Mapping[str, Table]

    def rows(self, *schemas: Schema) -> list[RawRows]:
        """Tables in the order in which a function takes them."""
        return [self.tables[schema.name] for schema in schemas]


def read_model(path: Path, schemas: Sequence[Schema], ties: Sequence[str]) -> Model:
    """Read a folder; whether its tables fit together is the kind's own question.

    Raises BadDealFolder for a document that cannot be read or has tables that the kind does not know,
    BadPublished for published tables that cannot be read.
    """
    file = path / OTHER_DOCUMENT
    document = read_document(file)
    if document.get("schema") != _VERSION:
        raise BadDealFolder(f"schema is {document.get('schema')!r}, this version reads {_VERSION}").at(
            file=str(file)
        )
    known = {heading_text(schema.name): schema for schema in schemas}
    unknown = sorted(set(map(heading_text, document)) - set(known) - _OTHERS)
    if unknown:
        raise BadDealFolder(f"unknown table {unknown[0]!r}; known: {', '.join(known)}").at(file=str(file))
    title = document.get("title")
    if not isinstance(title, str) or not title.strip():
        raise BadDealFolder("there is no title", remedy='write title = "..."').at(file=str(file))
    tables = {schema.name: _table(path, document, schema) for schema in schemas}
    found = {tie: read_table(path / "published" / f"{tie}.csv") for tie in ties}
    return Model(path, title, tables, {tie: table for tie, table in found.items() if table is not None})


def in_folder(path: Path, error: XlmodelError) -> XlmodelError:
    """An error about a table with the file that holds it."""
    name = (error.place.table or "").lower()
    beside = path / f"{name}.csv"
    return error.at(file=str(beside if name and beside.is_file() else path / OTHER_DOCUMENT))


def _table(path: Path, document: Mapping[str, Any], schema: Schema) -> RawRows:
    beside = path / f"{schema.name.lower()}.csv"
    if beside.is_file():
        return _from_csv(beside, schema)
    entries = document.get(schema.name.lower(), [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadDealFolder(f"write [[{schema.name.lower()}]] once for each row of the table").at(
            file=str(path / OTHER_DOCUMENT), table=schema.name
        )
    return rows_from_mappings(schema, entries)


def _from_csv(file: Path, schema: Schema) -> RawRows:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadDealFolder(f"cannot be read: {error}").at(file=str(file)) from None
    if not rows:
        raise BadDealFolder("the file is empty").at(file=str(file))
    columns = [schema.column(heading_text(heading)) for heading in rows[0]]
    return [
        rows[0],
        *([_value(text, column) for text, column in zip(row, columns, strict=False)] for row in rows[1:]),
    ]


def _value(text: str, column: Column | None) -> str | float | bool | dt.date | None:
    """A cell as the number, date or flag that it spells; ``tables.read`` refuses what it does not."""
    if not text.strip():
        return None
    if column is None or column.kind in (Kind.TEXT, Kind.NAME, Kind.FLAG):
        return text
    try:
        return dt.date.fromisoformat(text) if column.kind is Kind.DATE else float(text)
    except ValueError:
        return text
