"""Collections: what the pool pays month by month at the base speed, and when it reaches the securities."""

from __future__ import annotations

import math
from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.definition import Fee
from xlmodel.functions.collateral import COLLECTIONS_HEADER
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Collections"
_TOP = 5
_FIRST = 2  # the array stands between the end of the month and the native columns
_WIDTH = len(COLLECTIONS_HEADER)
_MONTH, _BEGINNING, _INTEREST, _SCHEDULED, _PREPAID, _ENDING = range(_WIDTH)
_NATIVE = (
    "Paid on date no.",
    "Total collected",
    "SMM implied",
    "Pool factor",
    "Balance roll, difference",
    "Interest booked",
    "Principal booked",
)


def place(contents: Contents) -> Mapping[str, Block]:
    months = contents.months
    blocks = {"Collections": block(TITLE, _TOP, _FIRST, months, _WIDTH)}
    left = _FIRST + _WIDTH + 1
    for offset, heading in enumerate((*_NATIVE, *_fee_headings(contents))):
        blocks[f"collections {heading}"] = block(TITLE, _TOP, left + offset, months)
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What the pool pays at the base speed: level payments at the end of each month, then prepayments.",
    )
    put(sheet, 3, 1, "Speed", theme.PLAIN)
    put(sheet, 3, 2, f"={layout.ref('base speed')}", theme.STRONG, theme.PERCENT)
    put(sheet, 3, 3, f"={layout.term('prepayment model')}", theme.STRONG_TEXT)
    whole = layout["Collections"]
    headings = ("Month end", *COLLECTIONS_HEADER, None, *_NATIVE, *_fee_headings(contents))
    for column, heading in enumerate(headings, start=1):
        if heading:
            put(sheet, _TOP - 1, column, heading, theme.HEADING)
    arguments = f"Pools,{layout.ref('base speed')},{layout.term('prepayment model')}"
    theme.put_array(
        sheet, whole, f"=XM_COLLECTIONS({arguments})", (theme.COUNT, *([theme.MONEY] * (_WIDTH - 1)))
    )
    for row in range(whole.top, whole.bottom + 1):
        _native_row(sheet, contents, layout, row)
    _totals(sheet, contents, layout)
    theme.mark_difference(sheet, layout["collections Balance roll, difference"])
    theme.widths(sheet, 1, 13, 9, *([15.5] * (_WIDTH - 1)), 3, 10, 15.5, 11, 11, 13, 15.5, 15.5)
    theme.lines(sheet, _TOP - 1, 2)
    theme.widths(sheet, _FIRST + _WIDTH + 1 + len(_NATIVE), *([16] * len(_fee_headings(contents))))
    sheet.freeze_panes = a1(_TOP, _FIRST + 1)
    theme.print_setup(sheet, title_rows=(1, _TOP - 1), pages_tall=math.ceil(contents.months / 70))


def _native_row(sheet: Worksheet, contents: Contents, layout: Layout, row: int) -> None:
    whole = layout["Collections"]
    month, beginning, interest, scheduled, prepaid, ending = (
        a1(row, whole.left + offset) for offset in range(_WIDTH)
    )
    put(sheet, row, 1, f"=EOMONTH({layout.term('cutoff date')},{month})", theme.PLAIN, theme.DATE)
    opening = here(cell(whole, 0, _BEGINNING))
    # Several months make up the first payment, so the date number stays at 1 for as long.
    formulas = [
        (f"=MAX(1,{month}-{layout.term('first collection months')}+1)", theme.COUNT),
        (f"={interest}+{scheduled}+{prepaid}", theme.MONEY),
        (
            f"=IF(ROUND({beginning}-{scheduled},2)=0,0,{prepaid}/({beginning}-{scheduled}))",
            theme.RATE,
        ),
        (f"={ending}/{opening}", theme.FACTOR),
        (f"=ROUND({beginning}-{scheduled}-{prepaid}-{ending},2)", theme.MONEY),
        (f"=ROUND({interest},2)", theme.MONEY),
        (f"=ROUND(ROUND({beginning},2)-ROUND({ending},2),2)", theme.MONEY),
    ]
    bases = {"pool": f"ROUND({beginning},2)", "cutoff pool": f"ROUND({opening},2)"}
    bases["collecting pool"] = bases["pool"]
    if "pool delay" in layout:
        waiting = f'SUMIF({layout.ref("pool delay")},">="&{month},{layout.ref("pool balance")})'
        bases["collecting pool"] = f"({bases['pool']}-ROUND({waiting},2))"
    formulas += [
        (
            f"=ROUND({bases[fee.base]}*{cell(layout['fee rate'], n, 0).text()}/12,2)",
            theme.MONEY,
        )
        for n, fee in enumerate(contents.deal.fees)
        if _by_month(fee)
    ]
    for name, (formula, shown) in zip((*_NATIVE, *_fee_headings(contents)), formulas, strict=True):
        put(sheet, row, layout[f"collections {name}"].left, formula, theme.PLAIN, shown)


def _totals(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    whole = layout["Collections"]
    row = whole.bottom + 1
    last = layout[f"collections {(*_NATIVE, *_fee_headings(contents))[-1]}"].right
    for column in range(1, last + 1):
        if column != whole.right + 1:
            put(sheet, row, column, None, theme.TOTAL)
    put(sheet, row, 1, "Total", theme.TOTAL)
    summed = [column_of(whole, offset) for offset in (_INTEREST, _SCHEDULED, _PREPAID)]
    names = ("Total collected", "Interest booked", "Principal booked", *_fee_headings(contents))
    summed += [layout[f"collections {name}"] for name in names]
    for one in summed:
        put(sheet, row, one.left, f"=SUM({here(one)})", theme.TOTAL, theme.MONEY)


def _fee_headings(contents: Contents) -> list[str]:
    """Fees that have a rate; a fixed amount belongs to no collection month."""
    return [f"Fee {fee.name}" for fee in contents.deal.fees if _by_month(fee)]


def _by_month(fee: Fee) -> bool:
    return fee.record["rate"] is not None


SHEET = Sheet(TITLE, place, write)
