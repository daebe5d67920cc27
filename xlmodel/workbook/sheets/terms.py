"""Terms: what the document says about the deal, each with its status and page, and the classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.folder import stacked_rows
from xlmodel.deal.schemas import (
    ACCOUNTS,
    CALLS,
    CLASSES,
    EVENTS,
    FEES,
    MEASURES,
    POLICIES,
    SCHEDULES,
    SOURCE,
    STACKED,
    TERMS,
)
from xlmodel.package.address import Block
from xlmodel.tables import RawRows, Schema, heading_text
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, cell
from xlmodel.workbook.sheets.tables import column_block, write_table
from xlmodel.workbook.sheets.theme import put

TITLE = "Terms"
_TOP = 5
_OWN_WIDTHS = (23, 30, 20, 22, 22, 18, 12, 14)
_MORE = 14  # width of the columns of a table that has still more
_SOURCE_WIDTHS = (11, 8, 76)


def place(contents: Contents) -> Mapping[str, Block]:
    rows = stacked_rows(contents.folder.stacked)
    source, width = _source(contents), len(_widths(contents))
    stacked = block(TITLE, _TOP, 1, len(rows), width)
    classes = block(TITLE, stacked.bottom + 3, 1, len(contents.folder.classes), width)
    blocks = {"Terms": stacked, "Classes": classes}
    for schema, top, table in _tables(contents, stacked):
        corner = block(TITLE, top, 1)
        if schema is TERMS:
            values = column_block(schema, table, corner, "value", source)
            for number, row in enumerate(table[1:]):
                blocks[f"term {heading_text(row[0])}"] = cell(values, number, 0)
        elif schema in (FEES, ACCOUNTS, POLICIES, MEASURES, CALLS, EVENTS, SCHEDULES):
            blocks |= _columns(schema, table, corner, source)
    return blocks | _columns(CLASSES, contents.folder.classes, classes, source)


def _columns(schema: Schema, table: RawRows, corner: Block, source: int) -> dict[str, Block]:
    """Blocks ``fee rate`` and so on, of the columns that the table has."""
    return {
        f"{schema.key} {heading_text(heading)}": column_block(
            schema, table, corner, heading_text(heading), source
        )
        for heading in table[0]
    }


def _source(contents: Contents) -> int:
    """Columns before status, page and note, in every table: as many as the widest one has."""
    last = {column.heading for column in SOURCE}
    tables = (*contents.folder.stacked.values(), contents.folder.classes)
    own = [
        sum(heading_text(heading) not in last for heading in table[0]) for table in tables if len(table) > 1
    ]
    return max(len(_OWN_WIDTHS), *own)


def _widths(contents: Contents) -> tuple[float, ...]:
    more = _source(contents) - len(_OWN_WIDTHS)
    return (*_OWN_WIDTHS, *([_MORE] * more), *_SOURCE_WIDTHS)


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What is computed is what stands here: the functions read the ranges Terms and Classes.",
        inputs=True,
    )
    _legend(sheet)
    stacked, classes = layout["Terms"], layout["Classes"]
    source, widths = _source(contents), _widths(contents)
    put(sheet, classes.top - 1, 1, "Classes, senior first", theme.SECTION)
    tables = [*_tables(contents, stacked), (CLASSES, classes.top, contents.folder.classes)]
    for schema, top, table in tables:
        write_table(sheet, schema, table, top, 1, source_at=source, widths=widths)
        if schema.column("status"):
            theme.mark_status(sheet, column_block(schema, table, block(TITLE, top, 1), "status", source))
    theme.widths(sheet, 1, *widths)
    sheet.freeze_panes = "B5"
    theme.print_setup(sheet, title_rows=(1, 3))


def _tables(contents: Contents, stacked: Block) -> Iterator[tuple[Schema, int, RawRows]]:
    """The tables of the range Terms with the rows of their headings, as ``stacked_rows`` stacks them."""
    top = stacked.top
    for schema in STACKED:
        table = contents.folder.stacked[schema.name]
        if len(table) > 1:
            yield schema, top, table
            top += len(table) + 1


def _legend(sheet: Worksheet) -> None:
    put(sheet, 3, 1, "An input looks like this", theme.INPUT)
    words = (
        (2, 1, "stated: the document says so, on that page", None),
        (4, 2, "derived: follows from the document", theme.DERIVED_FILL),
        (6, 3, "assumed: the document is silent", theme.ASSUMED_FILL),
    )
    for column, wide, sentence, fill in words:
        look = theme.Look(ink=theme.QUIET, fill=fill, italic=fill is not None, align="left", indent=1)
        theme.put_row(sheet, 3, column, [sentence, *([None] * (wide - 1))], look)


SHEET = Sheet(TITLE, place, write)
