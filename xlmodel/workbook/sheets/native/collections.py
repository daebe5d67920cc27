"""Collections: what the pool pays month by month in every run, in dollars and rounded to the cent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.definition import Fee
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import collections, theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, row_of
from xlmodel.workbook.sheets.native import amortisation
from xlmodel.workbook.sheets.native.runs import BASE, Run, runs_of
from xlmodel.workbook.sheets.theme import put

TITLE = collections.TITLE
_TOP = 7  # month 1; the row above it is the cutoff date
_LEFT = 4
_COLUMNS = (
    ("month balance", "Balance, not rounded", "#,##0.0000", 19.0),
    ("month interest", "Interest, not rounded", "#,##0.0000", 17.0),
    ("month pool", "Pool balance", theme.MONEY, 17.0),
    ("month cash", "Interest and principal", theme.MONEY, 16.0),
)


def place(contents: Contents) -> Mapping[str, Block]:
    blocks = {"month number": block(TITLE, _TOP, 1, contents.months)}
    names = [*(name for name, *_ in _COLUMNS), *_fee_names(contents)]
    for number, one in enumerate(runs_of(contents)):
        left = _LEFT + number * (len(names) + 1)
        for offset, name in enumerate(names):
            blocks[one.at(name)] = block(TITLE, _TOP, left + offset, contents.months)
        if one is BASE:
            blocks["Collections"] = block(TITLE, _TOP, left, contents.months, len(names))
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What the pool pays month by month at each speed.  No losses, no delinquencies.",
    )
    for column, heading in enumerate(("Month", "Ends on"), start=1):
        put(sheet, _TOP - 2, column, heading, theme.HEADING)
    for row in range(_TOP - 1, _TOP + contents.months):
        put(sheet, row, 1, f"={a1(row - 1, 1)}+1" if row >= _TOP else 0, theme.PLAIN, theme.COUNT)
        ends = f"=EOMONTH({layout.term('cutoff date')},{a1(row, 1)})"
        put(sheet, row, 2, ends, theme.PLAIN, theme.DATE)
    theme.widths(sheet, 1, 7, 13, 3)
    ends_at = [_one_run(sheet, contents, layout, one) for one in runs_of(contents)]
    sheet.freeze_panes = a1(_TOP, 3)
    theme.lines(sheet, _TOP - 2, 2)
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, _TOP - 3, 1, _TOP + contents.months - 1, ends_at[-1]),
        title_rows=(_TOP - 3, _TOP - 2),
        title_columns=(1, 2),
        ends=ends_at,
    )


def _fee_names(contents: Contents) -> list[str]:
    return [f"month fee {n}" for n in range(len(contents.deal.fees))]


def _one_run(sheet: Worksheet, contents: Contents, layout: Layout, one: Run) -> int:
    left = layout[one.at("month balance")].left
    headings = [(heading, shown, width) for _, heading, shown, width in _COLUMNS]
    headings += [(f"Fee: {fee.name}", theme.MONEY, 14.0) for fee in contents.deal.fees]
    speed = layout.ref(one.at("speed"))
    to = "" if not one.sheet.endswith("maturity") else ', to maturity"&"'
    theme.group(sheet, _TOP - 3, left, len(headings), f'="Speed "&FIXED(100*{speed},2)&"%{to}"')
    for offset, (heading, shown, width) in enumerate(headings):
        theme.put_text(sheet, _TOP - 2, left + offset, heading, theme.HEADING)
        theme.widths(sheet, left + offset, width)
        for row in range(_TOP - 1, _TOP + contents.months):
            formula = _formula(contents, layout, one, offset, row)
            if formula:
                put(sheet, row, left + offset, formula, theme.PLAIN, shown)
    right = left + len(headings)
    theme.widths(sheet, right, 3)
    return right - 1


def _formula(contents: Contents, layout: Layout, one: Run, offset: int, row: int) -> str | None:
    def at(name: str, above: int = 0) -> str:
        return a1(row - above, layout[one.at(name)].left)

    cutoff = row < _TOP
    months, part = a1(row, 1), layout["part"]
    if offset == 0:
        if cutoff:
            return f"=SUM({layout.ref('line balance')})"
        left = row_of(part, row - _TOP + 1)
        return "=" + amortisation.balance(contents, layout, one, months, left)
    if offset == 2:
        return f"=ROUND({at('month balance')},2)"
    if cutoff:
        return None
    if offset == 1:
        if row == _TOP:  # before anything is paid every contract is there, whatever its age
            return f"=SUMPRODUCT({layout.ref('line balance')},{layout.ref('line rate')})"
        before = row_of(part, row - _TOP)
        return "=" + amortisation.interest(contents, layout, one, a1(row - 1, 1), before)
    if offset == 3:
        return f"=ROUND(ROUND({at('month interest')},2)+{at('month pool', 1)}-{at('month pool')},2)"
    position = offset - len(_COLUMNS)
    return _fee(contents.deal.fees[position], position, layout, one, row)


def _fee(fee: Fee, position: int, layout: Layout, one: Run, row: int) -> str:
    """A twelfth of the rate on the balance at the start of the month, or at cutoff."""
    pool = layout[one.at("month pool")]
    base = (
        a1(row - 1, pool.left)
        if fee.base in ("pool", "collecting pool")  # the same where no line begins later
        else replace(cell(pool, 0, 0), sheet=None, top=_TOP - 1, bottom=_TOP - 1).text()
    )
    return f"=ROUND({base}*{cell(layout['fee rate'], position, 0).text()}/12,2)"


SHEET = Sheet(TITLE, place, write)
