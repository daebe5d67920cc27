"""Summary: what was read, how much of it follows from the rest, and how much of that ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.printed.folder import TableFolder
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block
from xlmodel.workbook.sheets.printed_tie_out import EXPLAINED, MISS, TIED, checks
from xlmodel.workbook.sheets.theme import put, put_text

TITLE = "Summary"
_TOP = 9
_COLUMNS = (
    ("Table", 84.0),
    ("Sheet", 18.0),
    ("Figures printed", 11.0),
    ("Compared", 11.0),
    ("Tied", 11.0),
    ("Explained", 11.0),
    ("Missed", 11.0),
)


def place(folder: TableFolder) -> Mapping[str, Block]:
    return {
        "summary tables": block(TITLE, _TOP, 1, len(folder.tables), len(_COLUMNS)),
        "summary ties": block(TITLE, _TOP + len(folder.tables) + 4, 1, len(_names(folder)), len(_COLUMNS)),
    }


def write(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    theme.head(sheet, folder.title, TITLE, folder.sentence)
    theme.widths(sheet, 1, *(width for _, width in _COLUMNS))
    for offset, check in enumerate(checks(folder)):
        put(sheet, 4 + offset, 1, check.sentence, theme.PLAIN)
        put(sheet, 4 + offset, 2, f"={layout.ref(check.name)}", theme.STATE, theme.FLAG)
    theme.mark_state(sheet, block(TITLE, 4, 2, len(checks(folder))))
    put(sheet, 4, 3, "Functions", theme.NOTE)
    put(sheet, 4, 4, "=XM_VERSION()", theme.STRONG)
    tables = layout["summary tables"]
    subjects = [table.name for table in folder.tables]
    labels = [(table.title, table.sheet) for table in folder.tables]
    _list(sheet, layout, tables, "Tables", "figures", subjects, labels)
    if _names(folder):
        ties = layout["summary ties"]
        names = _names(folder)
        _list(sheet, layout, ties, "Ties between tables", "ties", names, [(name, "") for name in names])
    sheet.freeze_panes = "A3"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _list(
    sheet: Worksheet,
    layout: Layout,
    at: Block,
    title: str,
    check: str,
    subjects: Sequence[str],
    labels: Sequence[tuple[str, str]],
) -> None:
    put(sheet, at.top - 2, 1, title, theme.SECTION)
    for offset, (heading, _) in enumerate(_COLUMNS):
        look = theme.TEXT_HEADING if offset < 2 else theme.HEADING
        put(sheet, at.top - 1, 1 + offset, heading if offset or check == "figures" else "Tie", look)
    theme.lines(sheet, at.top - 1, 2)
    where, states = f"{check} subjects", f"{check} states"
    for row, (subject, texts) in enumerate(zip(subjects, labels, strict=True), start=at.top):
        quoted = f'"{subject}"'
        for offset, text in enumerate(texts):
            put_text(sheet, row, 1 + offset, text or None, theme.KEY)
        if check == "figures":
            count = f"=COUNTIF({layout.ref('figure tables')},{quoted})"
            put(sheet, row, 3, count, theme.PLAIN, theme.COUNT)
        if where in layout:
            put(sheet, row, 4, f"=COUNTIF({layout.ref(where)},{quoted})", theme.PLAIN, theme.COUNT)
            for offset, state in enumerate((TIED, EXPLAINED, MISS)):
                formula = f'=COUNTIFS({layout.ref(where)},{quoted},{layout.ref(states)},"{state}")'
                put(sheet, row, 5 + offset, formula, theme.PLAIN, theme.DOLLARS)
    put(sheet, at.bottom + 1, 1, "Total", theme.TOTAL)
    put(sheet, at.bottom + 1, 2, None, theme.TOTAL)
    for column in range(3 if check == "figures" else 4, len(_COLUMNS) + 1):
        total = f"=SUM({a1(at.top, column)}:{a1(at.bottom, column)})"
        put(sheet, at.bottom + 1, column, total, theme.TOTAL, theme.DOLLARS)


def _names(folder: TableFolder) -> list[str]:
    return list(dict.fromkeys(claim.subject for claim in folder.ties))


SHEET = Sheet(TITLE, place, write)
