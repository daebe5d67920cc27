"""Clauses: each row of the priority, how it is worked natively, and whether the texts are those of the build.

Formulas follow from texts such as ``principal over pool``: they are written once, when the workbook is built.
Numbers and dates may be edited; a text that was edited needs a new build, and a check says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.check import ORDINARY
from xlmodel.deal.schemas import ACCOUNTS, CALLS, CLASSES, FEES, MEASURES, PAYMENTS, POLICIES, SCHEDULES
from xlmodel.package.address import Block
from xlmodel.tables import Schema, heading_text
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, cell
from xlmodel.workbook.sheets.native.clauses import worked
from xlmodel.workbook.sheets.tables import cell_value
from xlmodel.workbook.sheets.theme import put

TITLE = "Clauses"
_TOP = 5
_SHOWN = ("clause", "pay", "to", "when", "limit", "short")
_TEXTS: tuple[tuple[Schema, tuple[str, ...]], ...] = (
    (FEES, ("fee", "of", "first", "once")),
    (ACCOUNTS, ("account", "requirement", "covers")),
    (POLICIES, ("policy", "of", "covers")),
    (MEASURES, ("measure", "combine", "of", "when")),
    (CALLS, ("test", "of", "price")),
    (CLASSES, ("class", "group", "index")),
    (SCHEDULES, ("schedule",)),
)
_TERMS = ("prepayment model", "calendar", "table roll")
_WIDTHS = (10.0, 46.0, 32.0, 24.0, 22.0, 18.0, 58.0, 10.0)
_STATE = len(_WIDTHS)


def place(contents: Contents) -> Mapping[str, Block]:
    rows = len(contents.folder.payments) - 1
    texts = len(list(_texts(contents)))
    second = _TOP + rows + 4
    return {
        "clauses same": block(TITLE, _TOP, _STATE, rows),
        "texts same": block(TITLE, second, _STATE, texts),
    }


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "How each row is worked here.  Formulas follow from these texts as they were at the build.",
    )
    theme.widths(sheet, 1, *_WIDTHS)
    _clauses(sheet, contents, layout)
    _others(sheet, contents, layout)
    for name in ("clauses same", "texts same"):
        theme.mark_state(sheet, layout[name])
    sheet.freeze_panes = f"A{_TOP}"
    theme.print_setup(sheet, title_rows=(1, _TOP - 1))


def _clauses(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    headings, *rows = contents.folder.payments
    columns = [heading_text(heading) for heading in headings]
    shown = [name for name in _SHOWN if name in columns]
    for offset, heading in enumerate((*_SHOWN, "natively")):
        put(sheet, _TOP - 1, 1 + offset, heading.capitalize(), theme.TEXT_HEADING)
    put(sheet, _TOP - 1, _STATE, "As built", theme.STATE_HEADING)
    why = {id(clause): reason for _, clause, reason in worked(contents)}
    for number, (row, clause) in enumerate(zip(rows, contents.deal.clauses, strict=True)):
        target, tests = _TOP + number, []
        for name in shown:
            column = columns.index(name)
            source = cell(layout["Payments"], number + 1, column).text()
            wide = _WIDTHS[_SHOWN.index(name)]
            built = _text(cell_value(row[column], PAYMENTS.column(name).kind))  # type: ignore[union-attr]  # shown are columns of it
            look = theme.Look(align="left", wrap=theme.lines_of(built, wide) > 1)
            put(sheet, target, 1 + _SHOWN.index(name), f'={source}&""', look)
            tests.append(f'EXACT({source}&"",{_quoted(built)})')
        reason = why.get(id(clause), "the list after an acceleration or a sale, which nobody asks for here")
        text = "worked" if reason is None else f"not worked: {reason}"
        if clause.priority != ORDINARY:
            text = "not worked: of the list after an acceleration or a sale, which is not assumed"
        wrapped = theme.Look(ink=theme.QUIET, align="left", wrap=True)
        put(sheet, target, _STATE - 1, text, wrapped)
        longest = max(
            theme.lines_of(text, _WIDTHS[_STATE - 2]),
            *(theme.lines_of(_text(row[columns.index(name)]), _WIDTHS[_SHOWN.index(name)]) for name in shown),
        )
        theme.lines(sheet, target, longest)
        put(sheet, target, _STATE, f"=AND({','.join(tests)})", theme.STATE, theme.FLAG)


def _others(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    second = layout["texts same"]
    put(sheet, second.top - 2, 1, "Other texts that formulas follow", theme.SECTION)
    for column, heading in ((1, "Table"), (2, "Text"), (3, "Now"), (4, "At the build")):
        put(sheet, second.top - 1, column, heading, theme.TEXT_HEADING)
    for column in range(5, _STATE):
        put(sheet, second.top - 1, column, None, theme.TEXT_HEADING)
    put(sheet, second.top - 1, _STATE, "As built", theme.STATE_HEADING)
    for row, (table, what, where, value) in enumerate(_texts(contents), start=second.top):
        name, place = where
        source = cell(layout[name], place, 0).text()
        built = _text(value)
        put(sheet, row, 1, table, theme.KEY)
        theme.put_text(sheet, row, 2, what, theme.KEY)
        put(sheet, row, 3, f'={source}&""', theme.KEY)
        theme.put_text(sheet, row, 4, built, theme.KEY)
        put(sheet, row, _STATE, f'=EXACT({source}&"",{_quoted(built)})', theme.STATE, theme.FLAG)


def _texts(contents: Contents) -> Iterator[tuple[str, str, tuple[str, int], Any]]:
    """Table, what it says, the block and row of its cell, the value."""
    headings, *rows = contents.folder.stacked["Terms"]
    names = [heading_text(row[0]) for row in rows]
    for name in _TERMS:
        if name in names:
            value = rows[names.index(name)][[heading_text(h) for h in headings].index("value")]
            yield "Terms", name, (f"term {name}", 0), value
    tables = {**contents.folder.stacked, CLASSES.name: contents.folder.classes}
    for schema, wanted in _TEXTS:
        headings, *rows = tables[schema.name]
        columns = [heading_text(heading) for heading in headings]
        for heading in wanted:
            if heading not in columns:
                continue
            kind = schema.column(heading).kind  # type: ignore[union-attr]  # a column of the schema
            last = object()
            for n, row in enumerate(rows):
                value = cell_value(row[columns.index(heading)], kind)
                # The rows of one schedule bear one name; once says it.
                if value not in (None, "") and not (schema is SCHEDULES and value == last):
                    yield schema.name, f"{row[0]}: {heading}", (f"{schema.key} {heading}", n), value
                last = value


def _text(value: Any) -> str:
    """A value as ``&`` would write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"{value:.15g}" if isinstance(value, int | float) else str(value)


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


SHEET = Sheet(TITLE, place, write)
