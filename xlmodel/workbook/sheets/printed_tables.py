"""The printed tables, as the documents show them: printed, recomputed beside, and the difference.

One sheet for each name in the column ``sheet`` of the folder's tables; on it one part a table and document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.printed.figures import Key
from xlmodel.workbook.printed.folder import Part, TableFolder
from xlmodel.workbook.printed.rules import Claim
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block
from xlmodel.workbook.sheets.printed_figures import number_format, printed_cell
from xlmodel.workbook.sheets.theme import put, put_text

_TOP = 4
_HEADINGS = 4  # title, groups, periods, measures
_LABELS = 44.0
_FIGURES = 14.5
_EMPTY = 3.0  # height of a heading row that says nothing
_GROUPS = (
    ("printed", "As printed", "As printed"),
    ("computed", "Recomputed", "Recomputed"),
    ("difference", "Difference in the last printed digit", "Difference"),
)


def sheets(folder: TableFolder) -> Iterator[Sheet[TableFolder]]:
    """A sheet for each name, in the order of the tables."""
    for title in dict.fromkeys(table.sheet for table in folder.tables):
        yield Sheet(title, partial(_place, title), partial(_write, title))


def formula(claim: Claim, layout: Layout) -> str:
    """What a claim computes, as a formula of any sheet."""
    cells = {part: printed_cell(layout, part) for part in claim.parts if isinstance(part, Key)}
    return f"={claim.text(cells)}"


def difference(found: str, printed: str, decimals: int) -> str:
    """A formula: units of the last printed digit between two cells."""
    # Plus nothing: a negative zero, which rounding can leave, is not counted as 0 by every program.
    return f"=ROUND((ROUND({found},{decimals})-{printed})*{10**decimals},0)+0"


def _parts(title: str, folder: TableFolder) -> Sequence[tuple[Part, int]]:
    """The parts of a sheet and the rows of their first figures."""
    placed, row = [], _TOP
    for part in folder.parts:
        if part.table.sheet == title:
            placed.append((part, row + _HEADINGS))
            row += _HEADINGS + len(part.rows) + 1
    return placed


def _lefts(title: str, folder: TableFolder) -> tuple[int, ...]:
    """The first column of each group: as far apart as the widest part needs."""
    widest = max(len(part.columns) for part, _ in _parts(title, folder))
    return tuple(2 + group * (widest + 1) for group in range(len(_GROUPS)))


def _place(title: str, folder: TableFolder) -> Mapping[str, Block]:
    blocks = {}
    lefts = _lefts(title, folder)
    for part, top in _parts(title, folder):
        for row, column, key in part.cells():
            if key in folder.figures:
                groups = _GROUPS if key in folder.first_claims else _GROUPS[:1]
                for left, (group, *_) in zip(lefts, groups, strict=False):
                    blocks[f"{group} {key}"] = block(title, top + row, left + column)
    return blocks


def _write(title: str, sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    theme.head(
        sheet,
        folder.title,
        title,
        "Figures as printed; what follows from other printed figures is recomputed beside them.",
    )
    lefts = _lefts(title, folder)
    width = lefts[1] - lefts[0] - 1
    theme.widths(sheet, 1, _LABELS, *(([_FIGURES] * width + [3]) * len(_GROUPS)))
    parts = _parts(title, folder)
    for part, top in parts:
        _headings(sheet, part, top, lefts)
        _figures(sheet, folder, layout, part, top, lefts)
        last = top + len(part.rows) - 1
        theme.mark_difference(sheet, Block(title, top, lefts[-1], last, lefts[-1] + len(part.columns) - 1))
    sheet.freeze_panes = "B3"
    bottom = parts[-1][1] + len(parts[-1][0].rows) - 1
    theme.print_in_groups(
        sheet,
        title=f"{folder.title} – {title}",
        printed=Block(title, 3, 1, bottom, lefts[-1] + width - 1),
        title_rows=(1, 2),
        title_columns=(1, 1),
        ends=[left + width for left in lefts],
    )


def _headings(sheet: Worksheet, part: Part, top: int, lefts: Sequence[int]) -> None:
    put(sheet, top - 4, 1, part.table.title, theme.SECTION)
    put(sheet, top - 3, 1, f"{part.document}, {_pages(part.pages)}", theme.NOTE)
    periods = _spans([period for period, _ in part.columns])
    measures = [part.table.measures[measure] for _, measure in part.columns]
    for row in (top - 2, top - 1):
        put(sheet, row, 1, None, theme.TEXT_HEADING)
    for left, (_, heading, short) in zip(lefts, _GROUPS, strict=True):
        roomy = len(heading) < len(part.columns) * _FIGURES
        theme.group(sheet, top - 3, left, len(part.columns), heading if roomy else short)
        for period, first, count in periods:
            _across(sheet, top - 2, left + first, count, period)
        for column, measure in enumerate(measures):
            put(sheet, top - 1, left + column, measure or None, theme.HEADING)
    _height(sheet, top - 2, [(period, count) for period, _, count in periods])
    _height(sheet, top - 1, [(measure, 1) for measure in measures])


def _across(sheet: Worksheet, row: int, left: int, count: int, text: str) -> None:
    """A heading over several columns, in the look of those below it."""
    for offset in range(count):
        put(sheet, row, left + offset, text or None if offset == 0 else None, theme.HEADING)
    if count > 1:
        sheet.merge_cells(start_row=row, end_row=row, start_column=left, end_column=left + count - 1)


def _height(sheet: Worksheet, row: int, texts: Sequence[tuple[str, int]]) -> None:
    """As many lines as the longest of these texts takes in its columns; next to nothing for none."""
    if not any(text for text, _ in texts):
        sheet.row_dimensions[row].height = _EMPTY
        return
    theme.lines(sheet, row, max(theme.lines_of(text, _FIGURES * wide, theme.HEADING) for text, wide in texts))


def _figures(
    sheet: Worksheet, folder: TableFolder, layout: Layout, part: Part, top: int, lefts: Sequence[int]
) -> None:
    for row, name in enumerate(part.rows):
        total = part.table.is_total(name)
        put_text(sheet, top + row, 1, part.table.rows[name], theme.STRONG if total else theme.PLAIN)
    for row, column, key in part.cells():
        figure = folder.figures.get(key)
        if figure is None:
            continue
        shape = number_format(figure)
        at = top + row
        put(sheet, at, lefts[0] + column, f"={layout.ref(f'figure {key}')}", theme.RIGHT, shape)
        claim = folder.first_claims.get(key)
        if claim is None:
            continue
        put(sheet, at, lefts[1] + column, formula(claim, layout), theme.STRONG, shape)
        less = difference(a1(at, lefts[1] + column), a1(at, lefts[0] + column), figure.decimals)
        put(sheet, at, lefts[2] + column, less, theme.PLAIN, theme.COUNT)


def _spans(texts: Sequence[str]) -> list[tuple[str, int, int]]:
    """Equal texts side by side: the text, where its run begins, and how long it is."""
    spans = []
    position = 0
    for text, run in groupby(texts):
        count = len(list(run))
        spans.append((text, position, count))
        position += count
    return spans


def _pages(pages: str) -> str:
    if not pages[:1].isdigit():
        return pages
    return f"pages {pages}" if "," in pages else f"page {pages}"
