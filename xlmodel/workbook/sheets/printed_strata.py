"""Strata: lines of a printed table, by buckets of one of its columns, as XM_STRATIFY makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.printed.figures import Form, Key
from xlmodel.workbook.printed.folder import TableFolder
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, here, row_of
from xlmodel.workbook.sheets.printed_figures import number_format, printed_cell
from xlmodel.workbook.sheets.theme import put, put_array, put_text

TITLE = "Strata"
_TOP = 6
_HEADINGS = ("Bucket", "Lines", "% of lines", "Balance", "% of balance")
_FORMATS = (None, theme.COUNT, theme.PERCENT, theme.MONEY, theme.PERCENT)


def _lines(folder: TableFolder, entry: Mapping[str, Any]) -> list[str]:
    """The rows of the printed table that are contracts or rep lines, so all but its total."""
    table = next(table for table in folder.tables if table.name == entry["table"])
    return [row for row in table.rows if not table.is_total(row)]


def _measures(folder: TableFolder, entry: Mapping[str, Any]) -> list[str]:
    return list(next(table for table in folder.tables if table.name == entry["table"]).measures)


def _placed(folder: TableFolder) -> Iterator[tuple[Mapping[str, Any], Block, Block, Block]]:
    """Each stratification: its lines with their headings, its breaks, its result."""
    row = _TOP
    for entry in folder.strata:
        lines, measures = _lines(folder, entry), _measures(folder, entry)
        breaks, averages = entry["breaks"], entry["averages"]
        table = block(TITLE, row, 1, len(lines) + 1, len(measures) + 1)
        edges = block(TITLE, row + 1, table.right + 2, len(breaks))
        result = block(TITLE, row + 1, edges.right + 2, len(breaks) + 1, len(_HEADINGS) + len(averages))
        yield entry, table, edges, result
        row += max(len(lines), len(breaks) + 1) + 5


def place(folder: TableFolder) -> Mapping[str, Block]:
    blocks: dict[str, Block] = {}
    for entry, table, edges, result in _placed(folder):
        blocks |= {f"lines {entry['title']}": table, f"breaks {entry['title']}": edges}
        blocks[f"strata {entry['title']}"] = result
    return blocks


def write(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    theme.head(
        sheet, folder.title, TITLE, "Edit the breaks to cut the lines another way; the last bucket is open."
    )
    for entry, table, edges, result in _placed(folder):
        put(sheet, table.top - 2, 1, entry["title"], theme.SECTION)
        _write_lines(sheet, folder, layout, entry, table)
        put(sheet, edges.top - 1, edges.left, "From", theme.HEADING)
        for offset, edge in enumerate(entry["breaks"]):
            put(sheet, edges.top + offset, edges.left, float(edge), theme.INPUT, theme.COUNT)
        headings = [*_HEADINGS, *(f"Average {heading}" for heading in entry["averages"])]
        for offset, heading in enumerate(headings):
            look = theme.HEADING if offset else theme.TEXT_HEADING
            put(sheet, result.top - 1, result.left + offset, heading, look)
        theme.lines(sheet, result.top - 1, 2)
        averages = ",".join(f'"{heading}"' for heading in entry["averages"])
        formula = f'=XM_STRATIFY({here(table)},"{entry["column"]}",{here(edges)},{{{averages}}})'
        formats = [*_FORMATS, *(_format(folder, entry, heading) for heading in entry["averages"])]
        put_array(sheet, result, formula, formats, theme.PLAIN)
        theme.restyle(sheet, row_of(result, -1), theme.TOTAL)
        theme.widths(sheet, 1, 12, *([18] * (table.right - 1)), 3, 10, 3, 16, 9, 11, 18, 11)
        theme.widths(sheet, result.left + len(_HEADINGS), *([14] * len(entry["averages"])))
    sheet.freeze_panes = "A3"
    theme.print_setup(sheet, title_rows=(1, 2))


def _write_lines(
    sheet: Worksheet, folder: TableFolder, layout: Layout, entry: Mapping[str, Any], table: Block
) -> None:
    put(sheet, table.top, 1, "line", theme.TEXT_HEADING)
    for offset, measure in enumerate(_measures(folder, entry), start=1):
        put_text(sheet, table.top, 1 + offset, measure.replace("_", " "), theme.HEADING)
    for number, row in enumerate(_lines(folder, entry), start=1):
        put_text(sheet, table.top + number, 1, row, theme.KEY)
        for offset, measure in enumerate(_measures(folder, entry), start=1):
            figure = folder.figures[Key(entry["table"], row, measure)]
            value = f"={printed_cell(layout, figure.key)}"
            put(sheet, table.top + number, 1 + offset, value, theme.RIGHT, number_format(figure))


def _format(folder: TableFolder, entry: Mapping[str, Any], heading: str) -> str:
    """Averages of percentages as percentages, of months with two decimals."""
    rows: Sequence[str] = _lines(folder, entry)
    figure = folder.figures[Key(entry["table"], rows[0], heading.replace(" ", "_"))]
    return theme.percent(figure.decimals - 2) if figure.form is Form.PERCENT else theme.YEARS


SHEET = Sheet(TITLE, place, write)
