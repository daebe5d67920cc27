"""What a cell of the deal tables is: its table, row and column, its status, page and note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xlmodel.deal.questions import PRICES
from xlmodel.deal.scenario import SCENARIOS
from xlmodel.deal.schemas import CLASSES, PAYMENTS, STACKED, TERM_LIST
from xlmodel.errors import XlmodelError
from xlmodel.package.address import Address, Block
from xlmodel.pool.collateral import schema_of
from xlmodel.tables import Schema, heading_text, split
from xlmodel.workbook.cell_words import Book

STATUS = {
    "stated": "The document states it",
    "derived": "Derived from the document",
    "assumed": "Assumed by the desk: the document does not say it",
}
_ONE_TABLE = {"Classes": CLASSES, "Payments": PAYMENTS, "Scenarios": SCENARIOS, "Prices": PRICES}


def input_words(book: Book, sheet: str, address: Address) -> str | None:
    """What an input cell of a deal table says of itself; None for a cell of no table."""
    for name in ("Terms", "Classes", "Payments", "Pools", "Scenarios", "Prices"):
        target = book.package.defined_names.get(name)
        if target is None:
            continue
        try:
            block = Block.parse(target)
        except XlmodelError:
            continue
        if block.sheet == sheet and address in block:
            return _of_table(book, name, block, address)
    return None


def _of_table(book: Book, name: str, block: Block, address: Address) -> str | None:
    rows = book.evaluation.block(block)
    row, column = address.row - block.top, address.column - block.left
    found = _table(name, rows, row)
    if found is None:
        return "A blank row between the tables of the range Terms."
    schema, top = found
    headings = [heading_text(cell) if isinstance(cell, str) else "" for cell in rows[top]]
    if row == top:
        known = schema.column(headings[column]) if headings[column] else None
        about = f": {known.help}" if known else ""
        return f"The heading {headings[column]!r} of the table {schema.name}{about}."
    values = dict(zip(headings, rows[row], strict=True))
    heading = headings[column]
    if not heading:
        return f"A cell beside the table {schema.name}; no heading stands above it."
    known = schema.column(heading)
    subject = _subject(schema, values)
    about = f" ({_help(schema, known.help, subject)})" if known else ""
    words = [f"An input: {heading} of {subject} in the table {schema.name}{about}."]
    if rows[row][column] in (None, ""):
        words.append("It is blank.")
    words += _source(values)
    return " ".join(words)


def _subject(schema: Schema, values: Mapping[str, object]) -> str:
    """What a row is about: a class, a term, a clause, a line of the pool."""
    if schema is PAYMENTS:
        return f"clause {_page(values.get('clause'))}"
    key = values.get(schema.key)
    return f"line {_page(key)}" if isinstance(key, float) else str(key)


def _help(schema: Schema, text: str, subject: str) -> str:
    terms = {term.name: term.help for term in TERM_LIST}
    text = text.partition(":")[0]
    return terms.get(heading_text(subject), text) if schema.key == "term" else text


def _source(values: Mapping[str, object]) -> list[str]:
    words = []
    status = str(values.get("status") or "").lower()
    page = values.get("page")
    if status:
        text = STATUS.get(status, f"Status {status}")
        words.append(f"{text}, page {_page(page)}." if page not in (None, "") else f"{text}.")
    note = values.get("note")
    if note:
        words.append(f"Note: {str(note).rstrip('.')}.")
    return words


def _page(page: object) -> str:
    return f"{page:g}" if isinstance(page, float) else str(page)


def _table(name: str, rows: Sequence[Sequence[object]], row: int) -> tuple[Schema, int] | None:
    """The table that a row of a range belongs to, and the row of its headings, from 0."""
    if name == "Pools":
        return schema_of(rows), 0
    if name in _ONE_TABLE:
        return _ONE_TABLE[name], 0
    best: tuple[Schema, int] | None = None
    for schema in STACKED:
        start, found = split(STACKED, rows).get(schema.name, (0, ()))
        if start and start - 1 <= row < start - 1 + len(found):
            best = schema, start - 1
    return best if any(cell not in (None, "") for cell in rows[row]) else None
