"""Figures: every printed figure with its document and page, the inputs of all other sheets."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.printed.figures import Figure, Form, Key
from xlmodel.workbook.printed.folder import TableFolder
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, cell
from xlmodel.workbook.sheets.theme import put, put_text

TITLE = "Figures"
_TOP = 5
_COLUMNS = (
    ("Document", 28.0),
    ("Page", 17.0),
    ("Table", 20.0),
    ("Row", 26.0),
    ("Measure", 18.0),
    ("Period", 25.0),
    ("Printed", 20.0),
)


def place(folder: TableFolder) -> Mapping[str, Block]:
    whole = block(TITLE, _TOP, len(_COLUMNS), len(folder.figures))
    blocks = {"PublishedFigures": whole, "figure tables": block(TITLE, _TOP, 3, len(folder.figures))}
    for row, key in enumerate(folder.figures):
        blocks[f"figure {key}"] = cell(whole, row, 0)
    return blocks


def write(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    theme.head(
        sheet,
        folder.title,
        TITLE,
        "Every figure as it is printed, with its document and page; the tables refer to these cells.",
        inputs=True,
    )
    theme.widths(sheet, 1, *(width for _, width in _COLUMNS))
    for offset, (heading, _) in enumerate(_COLUMNS[:-1]):
        put(sheet, _TOP - 1, 1 + offset, heading, theme.TEXT_HEADING)
    put(sheet, _TOP - 1, len(_COLUMNS), _COLUMNS[-1][0], theme.HEADING)
    for row, figure in enumerate(folder.figures.values(), start=_TOP):
        key = figure.key
        texts = (figure.document, figure.page, key.table, key.row, key.measure, key.period)
        for offset, text in enumerate(texts):
            put_text(sheet, row, 1 + offset, text or None, theme.KEY)
        put(sheet, row, len(_COLUMNS), figure.value, theme.PRINTED, number_format(figure))
    sheet.freeze_panes = "A5"
    last = _TOP + len(folder.figures) - 1
    sheet.auto_filter.ref = theme.area(Block(None, _TOP - 1, 1, last, len(_COLUMNS)))
    theme.print_setup(sheet, title_rows=(1, _TOP - 1))


def number_format(figure: Figure) -> str:
    """As the figure is printed."""
    if figure.form is Form.DATE:
        return theme.DATE
    if figure.form is Form.PERCENT:
        return theme.percent(figure.decimals - 2)
    return "#,##0" + (f".{'0' * figure.decimals}" if figure.decimals else "")


def printed_cell(layout: Layout, key: Key) -> str:
    """The cell of a figure in its table, as a formula writes it."""
    return layout.ref(f"printed {key}")


SHEET = Sheet(TITLE, place, write)
