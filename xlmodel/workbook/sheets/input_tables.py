"""A sheet of input tables, one below the other, each a defined name; notes hang on their headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.tables import Column, Kind, RawRows, Schema, heading_text
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block
from xlmodel.workbook.sheets.tables import write_table
from xlmodel.workbook.sheets.theme import put

_TOP = 6
_HEADING_LINES = 2


@dataclass(frozen=True)
class Inputs:
    """The tables of a sheet.

    ``notes``: by table and heading.  ``spare``: blank rows at the end of a table, for those that the desk
    adds, by table.  ``choices``: allowed texts, by table and heading.
    """

    title: str
    sentence: str
    schemas: tuple[Schema, ...]
    notes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    spare: Mapping[str, int] = field(default_factory=dict)
    choices: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)


def input_sheet(inputs: Inputs) -> Sheet[Model]:
    """The sheet.  Blocks bear the names of the schemas, and ``TABLE HEADING`` is the cells of a column."""

    def place(contents: Model) -> Mapping[str, Block]:
        blocks: dict[str, Block] = {}
        top = _TOP
        for schema in inputs.schemas:
            rows = _rows(contents, inputs, schema)
            blocks[schema.name] = block(inputs.title, top, 1, len(rows), len(rows[0]))
            for offset, heading in enumerate(rows[0]):
                name = f"{schema.name.lower()} {heading_text(heading)}"
                blocks[name] = block(inputs.title, top + 1, 1 + offset, len(rows) - 1)
            top += len(rows) + 3
        return blocks

    def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
        theme.head(sheet, contents.title, inputs.title, inputs.sentence, inputs=True)
        put(sheet, 3, 1, "An input looks like this", theme.INPUT)
        widest: dict[int, float] = {}
        for schema in inputs.schemas:
            for offset, heading in enumerate(contents.tables[schema.name][0]):
                column = schema.column(heading_text(heading))
                assert column is not None
                widest[offset] = max(widest.get(offset, 0.0), column.width + 2.0)
        widths = [widest[offset] for offset in range(len(widest))]
        theme.widths(sheet, 1, *widths)
        for schema in inputs.schemas:
            _write_one(sheet, contents, inputs, schema, layout[schema.name], widths)
        sheet.freeze_panes = f"B{_TOP - 1}"
        theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)

    return Sheet(inputs.title, place, write)


def _rows(contents: Model, inputs: Inputs, schema: Schema) -> RawRows:
    rows = contents.tables[schema.name]
    return [*rows, *([[None] * len(rows[0])] * inputs.spare.get(schema.name, 0))]


def _write_one(
    sheet: Worksheet, contents: Model, inputs: Inputs, schema: Schema, place: Block, widths: Sequence[float]
) -> None:
    rows = _rows(contents, inputs, schema)
    title = f"{schema.name}. {schema.help}" if schema.help else schema.name
    put(sheet, place.top - 1, 1, title, theme.SECTION)
    write_table(sheet, schema, rows, place.top, 1, widths=widths)
    theme.lines(sheet, place.top, _HEADING_LINES)
    for offset, heading in enumerate(rows[0]):
        column = schema.column(heading_text(heading))
        assert column is not None
        note = inputs.notes.get((schema.name, column.heading))
        said = f"{column.help[:1].upper()}{column.help[1:]}."
        theme.note(sheet, place.top, 1 + offset, f"{said}\n{note}" if note else said)
        cells = Block(place.sheet, place.top + 1, 1 + offset, place.bottom, 1 + offset)
        _offer(sheet, cells, column, inputs.choices.get((schema.name, column.heading)))


def _offer(sheet: Worksheet, cells: Block, column: Column, texts: Sequence[str] | None) -> None:
    """A list to choose from where only some texts have a meaning."""
    if column.kind is Kind.FLAG:
        theme.choose(sheet, cells, '"TRUE,FALSE"', "TRUE or FALSE")
    elif texts:
        theme.choose(sheet, cells, f'"{",".join(texts)}"', "One of the list")


def input_cell(layout: Layout, table: str, heading: str, row: int) -> str:
    """One cell of a table, as a formula on any sheet writes it; rows count from 0."""
    column = layout[f"{table.lower()} {heading}"]
    return Block(column.sheet, column.top + row, column.left, column.top + row, column.left).text()


def first_cell(block_: Block) -> str:
    """The first cell of a block, relative."""
    return a1(block_.top, block_.left)
