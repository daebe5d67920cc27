"""Ledger: every payment of one payment date in one scenario, and native proof that cash is what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.distributions import Line
from xlmodel.functions.payments import CLASS_COLUMNS
from xlmodel.functions.scenarios import LEDGER_HEADER
from xlmodel.package.address import Block
from xlmodel.tables import heading_text
from xlmodel.workbook.sheets import distributions, paths, theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Ledger"
_CHOICE = 3
_SOURCES = 9
_WIDTH = len(LEDGER_HEADER)
_ACCOUNT, _CLAUSE, _PAYEE, _DUE, _PAID, _SHORT, _LEFT = range(1, _WIDTH + 1)
_PAYS = _WIDTH + 1
_PAYS_WIDTH = 46
_BEFORE, _SHORT_DIFFERENCE, _LEFT_DIFFERENCE = range(_PAYS + 2, _PAYS + 5)
_SELECTED = _LEFT_DIFFERENCE + 3  # the row of XM_DISTRIBUTIONS, beside what is printed
_MOVES = ("opening", "deposit", "draw", "released", "closing", "requirement")


def place(contents: Contents) -> Mapping[str, Block]:
    sources = 1 + contents.accounts + bool(contents.deal.policies)
    top = _SOURCES + sources + 4
    lines = len(contents.trial[1].ledger.lines)
    book = block(TITLE, top, 1, lines, _WIDTH)
    accounts = book.bottom + 5
    classes = accounts + (len(_MOVES) + 3 if contents.accounts else 0)
    selected = block(TITLE, _SOURCES, _SELECTED, 1, len(contents.distributions_header))
    blocks = {
        "ledger number": block(TITLE, _CHOICE + 2, 3),
        "ledger sources": block(TITLE, _SOURCES, _DUE, sources),
        "Ledger": book,
        "ledger before": block(TITLE, top, _BEFORE, lines),
        "short difference": block(TITLE, top, _SHORT_DIFFERENCE, lines),
        "cash left difference": block(TITLE, top, _LEFT_DIFFERENCE, lines),
        "ledger source difference": block(TITLE, book.bottom + 1, _BEFORE),
        "ledger use difference": block(TITLE, book.bottom + 1, _LEFT_DIFFERENCE),
        "ledger classes": block(TITLE, classes, 1, contents.classes),
        "ledger class difference": block(TITLE, classes, _LEFT, contents.classes),
    }
    if contents.accounts:
        blocks["ledger accounts"] = block(TITLE, accounts, _DUE, len(_MOVES), contents.accounts)
    columns = distributions.named_columns(contents, selected)
    return blocks | {"selected": selected} | {f"selected {name}": found for name, found in columns.items()}


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "Every payment of one date, clause by clause.",
    )
    put(sheet, _CHOICE, 4, "chosen on the sheet Scenarios", theme.INNER_NOTE)
    put(sheet, _CHOICE + 1, 4, "chosen on the sheet Statement", theme.INNER_NOTE)
    theme.widths(sheet, 1, 20, 12, 22, 18, 18, 18, 18, _PAYS_WIDTH, 3, 18, 14, 14, 3)
    _choice(sheet, layout)
    _selected(sheet, contents, layout)
    _sources(sheet, contents, layout)
    _payments(sheet, contents, layout)
    if contents.accounts:
        _accounts(sheet, contents, layout)
    _classes(sheet, contents, layout)
    sheet.freeze_panes = "A3"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)
    sheet.print_area = theme.area(Block(TITLE, 1, 1, layout["ledger classes"].bottom, _LEFT_DIFFERENCE))


def _choice(sheet: Worksheet, layout: Layout) -> None:
    choices = (
        ("Scenario", "=SelectedScenario", None),
        ("Payment date", "=SelectedDate", theme.DATE),
        ("Its number", f"=MATCH(SelectedDate,{layout.ref('path date')},0)", theme.COUNT),
    )
    for row, (label, formula, number_format) in enumerate(choices, start=_CHOICE):
        put(sheet, row, 1, label, theme.NOTE)
        put(sheet, row, 3, formula, theme.STRONG_TEXT, number_format)


def _selected(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """The row of the payment date in XM_DISTRIBUTIONS, what the ledger is compared with.

    One row out of all: how many there are follows from the recovery lags, which the desk may edit.
    """
    found = layout["selected"]
    put(sheet, found.top - 3, found.left, "Distributions of this scenario and date", theme.SECTION)
    distributions.headings(sheet, contents, layout, found.top - 1, found.left)
    whole = "XM_DISTRIBUTIONS(Terms,Classes,Payments,Pools,Scenarios,SelectedScenario)"
    formula = f"=INDEX({whole},{here(layout['ledger number'])},0)"
    theme.put_array(sheet, found, formula, distributions.formats(contents))


def _sources(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    found = layout["ledger sources"]
    put(sheet, found.top - 2, 1, "Where the cash comes from", theme.SECTION)
    for column in range(1, _PAYS + 1):
        put(sheet, found.top - 1, column, None, theme.TEXT_HEADING)
    put(sheet, found.top - 1, 1, "Source", theme.TEXT_HEADING)
    put(sheet, found.top - 1, _DUE, "Amount", theme.HEADING)
    rows = [
        ("Available funds: collections, and the price of a call or sale", "selected cash available funds")
    ]
    for n in range(contents.accounts):
        name = cell(layout["account account"], n, 0).text()
        rows.append((f'="Drawn from the account: "&{name}', f"selected account draw {n}"))
    if contents.deal.policies:
        rows.append(("Paid by policies", "selected cash policy claims"))
    for row, (label, source) in enumerate(rows, start=found.top):
        put(sheet, row, 1, label, theme.PLAIN)
        put(sheet, row, _DUE, f"={here(layout[source])}", theme.PLAIN, theme.MONEY)
    for column in range(1, _PAYS + 1):
        put(sheet, found.bottom + 1, column, None, theme.TOTAL)
    put(sheet, found.bottom + 1, 1, "Total", theme.TOTAL)
    put(sheet, found.bottom + 1, _DUE, f"=SUM({here(found)})", theme.TOTAL, theme.MONEY)


def _payments(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    book = layout["Ledger"]
    put(sheet, book.top - 2, 1, "Where it goes, clause by clause", theme.SECTION)
    theme.group(sheet, book.top - 2, _BEFORE, 3, "Proof")
    headings = (*LEDGER_HEADER, "What the clause pays", None, "Cash before", "Short, difference")
    for column, heading in enumerate((*headings, "Cash left, difference"), start=1):
        if heading:
            text = column in (_ACCOUNT, _CLAUSE, _PAYEE, _PAYS)
            look = (theme.TEXT_HEADING if column == 1 else theme.INNER_HEADING) if text else theme.HEADING
            put(sheet, book.top - 1, column, heading, look)
    theme.lines(sheet, book.top - 1, 2)
    formats = [None, None, None, *([theme.MONEY] * (_WIDTH - _PAYEE))]
    scenario = "Terms,Classes,Payments,Pools,Scenarios,SelectedDate,SelectedScenario"
    theme.put_array(sheet, book, f"=XM_LEDGER({scenario})", formats)
    for column in (_CLAUSE, _PAYEE):
        theme.restyle(sheet, column_of(book, column - 1), theme.MONTH_LABEL)
    starts = _starts(contents.trial[1].ledger.lines)
    for offset, line in enumerate(contents.trial[1].ledger.lines):
        _line(sheet, contents, layout, book.top + offset, line, first=offset in starts)
    quiet = f"AND(${a1(book.top, _DUE)}=0,${a1(book.top, _PAID)}=0)"
    theme.mark_quiet(sheet, block(TITLE, book.top, 1, book.shape[0], _PAYS), quiet)
    for name in ("short difference", "cash left difference", *_TOTALS):
        theme.mark_difference(sheet, layout[name])
    _totals(sheet, layout, [book.top + offset for offset in starts])


_TOTALS = ("ledger source difference", "ledger use difference")


def _starts(lines: tuple[Line, ...]) -> list[int]:
    """The first line of each account of each list: its cash comes from outside."""
    keys = [(line.account, line.ordinary) for line in lines]
    return [n for n, key in enumerate(keys) if n == 0 or key != keys[n - 1]]


def _line(sheet: Worksheet, contents: Contents, layout: Layout, row: int, line: Line, *, first: bool) -> None:
    """What a line's clause pays, in the words of the sheet Payments, and the proof of its cash."""
    if line.row < 0:  # no clause: the policy pays of its own accord
        put(sheet, row, _PAYS, line.kind, theme.MONTH_LABEL)
    else:
        table = contents.folder.payments
        column = [heading_text(heading) for heading in table[0]].index("pay")
        pays = cell(layout["Payments"], 1 + line.row, column).text()
        count = theme.lines_of(table[1 + line.row][column], _PAYS_WIDTH)
        put(sheet, row, _PAYS, f"={pays}", replace(theme.MONTH_LABEL, wrap=count > 1))
        if count > 1:
            theme.lines(sheet, row, count)
    due, paid, short, left = (a1(row, column) for column in (_DUE, _PAID, _SHORT, _LEFT))
    before = f"={paid}+{left}" if first else f"={a1(row - 1, _LEFT)}"
    put(sheet, row, _BEFORE, before, theme.PLAIN, theme.MONEY)
    difference = f"=ROUND({due}-{paid}-{short},2)"
    put(sheet, row, _SHORT_DIFFERENCE, difference, theme.PLAIN, theme.MONEY)
    difference = f"=ROUND({a1(row, _BEFORE)}-{paid}-{left},2)"
    put(sheet, row, _LEFT_DIFFERENCE, difference, theme.PLAIN, theme.MONEY)


def _totals(sheet: Worksheet, layout: Layout, starts: list[int]) -> None:
    """All that is paid, and what every account starts with, against the sources."""
    book, sources = layout["Ledger"], layout["ledger sources"]
    row = book.bottom + 1
    for column in (*range(1, _PAYS + 1), *range(_BEFORE, _LEFT_DIFFERENCE + 1)):
        put(sheet, row, column, None, theme.TOTAL)
    put(sheet, row, 1, "Total", theme.TOTAL)
    for column in (_DUE, _PAID, _SHORT):
        summed = here(column_of(book, column - 1))
        put(sheet, row, column, f"=SUM({summed})", theme.TOTAL, theme.MONEY)
    total = a1(sources.bottom + 1, sources.left)
    begun = "+".join(a1(start, _BEFORE) for start in starts)
    put(sheet, row, _BEFORE, f"=ROUND({begun}-{total},2)", theme.TOTAL, theme.MONEY)
    put(sheet, row, _LEFT_DIFFERENCE, f"=ROUND({a1(row, _PAID)}-{total},2)", theme.TOTAL, theme.MONEY)


def _accounts(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    found = layout["ledger accounts"]
    put(sheet, found.top - 2, 1, "Accounts", theme.SECTION)
    for column in range(1, max(_PAYS, found.right) + 1):
        put(sheet, found.top - 1, column, None, theme.TEXT_HEADING)
    place = layout.ref("place of SelectedScenario")
    number = here(layout["ledger number"])
    for row, move in enumerate(_MOVES, start=found.top):
        put(sheet, row, 1, "Released, above the requirement" if move == "released" else move.capitalize())
    for n in range(contents.accounts):
        name = cell(layout["account account"], n, 0).text()
        put(sheet, found.top - 1, found.left + n, f"={name}", theme.HEADING)
        booked = {
            move: here(layout[f"selected account {move} {n}"])
            for move in ("opening", "deposit", "draw", "closing")
        }
        opening, deposit, draw, closing = booked.values()
        formulas = booked | {
            "released": f"{opening}+{deposit}-{draw}-{closing}",
            "requirement": f"INDEX({paths.call(layout, paths.required(layout, n))},{number},{place})",
        }
        for row, move in enumerate(_MOVES, start=found.top):
            put(sheet, row, found.left + n, f"={formulas[move]}", theme.PLAIN, theme.MONEY)


def _classes(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """What the ledger pays each class, against its interest and principal in XM_DISTRIBUTIONS."""
    found, book = layout["ledger classes"], layout["Ledger"]
    put(sheet, found.top - 2, 1, "Classes", theme.SECTION)
    for column in range(1, _PAYS + 1):
        put(sheet, found.top - 1, column, None, theme.TEXT_HEADING)
    put(sheet, found.top - 1, 1, "Class", theme.TEXT_HEADING)
    for column, heading in zip(
        (_DUE, _PAID, _SHORT, _LEFT), (*CLASS_COLUMNS[:2], "Paid in the ledger", "Difference"), strict=True
    ):
        put(sheet, found.top - 1, column, heading, theme.HEADING)
    payees, paid = here(column_of(book, _PAYEE - 1)), here(column_of(book, _PAID - 1))
    for n in range(contents.classes):
        row = found.top + n
        name = layout.class_term(n, "class")
        put(sheet, row, 1, f"={name}", theme.PLAIN)
        interest, principal, total = (a1(row, column) for column in (_DUE, _PAID, _SHORT))
        formulas = (
            f"={here(layout[f'selected interest {n}'])}",
            f"={here(layout[f'selected principal {n}'])}",
            f"=SUMIFS({paid},{payees},{name})",
            f"=ROUND({interest}+{principal}-{total},2)",
        )
        for column, formula in zip((_DUE, _PAID, _SHORT, _LEFT), formulas, strict=True):
            put(sheet, row, column, formula, theme.PLAIN, theme.MONEY)
    theme.mark_difference(sheet, layout["ledger class difference"])


SHEET = Sheet(TITLE, place, write)
