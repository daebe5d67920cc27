"""Native proof of the classes: interest = balance x rate x days, balance = opening less principal.

It holds while no interest is overdue; the functions also pay interest on overdue interest.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, a1, block
from xlmodel.workbook.sheets.theme import put

_COLUMNS = (
    ("accrues to", "Accrues to", theme.DATE, 13.0),
    ("opening", "Opening balance", theme.MONEY, 16.0),
    ("days", "Days", theme.COUNT, 7.0),
    ("year fraction", "Year fraction", theme.FRACTION, 11.0),
    ("accrued", "Accrued, not rounded", "#,##0.0000", 16.0),
    ("interest proof", "Interest", theme.MONEY, 15.0),
    ("interest difference", "Interest, difference", theme.MONEY, 12.0),
    ("balance difference", "Balance, difference", theme.MONEY, 12.0),
)
DIFFERENCES = ("interest difference", "balance difference")


def place(contents: Contents, sheet: str, top: int, left: int) -> Mapping[str, Block]:
    """Blocks ``interest proof 0`` and so on: a name and the position of the class."""
    blocks = {}
    for position in range(contents.classes):
        for offset, (name, *_) in enumerate(_COLUMNS):
            column = left + position * len(_COLUMNS) + offset
            blocks[f"{name} {position}"] = block(sheet, top, column, contents.dates)
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout, top: int) -> list[int]:
    """The last column of each group."""
    ends = []
    for position in range(contents.classes):
        name_cell = layout.class_term(position, "class")
        left = layout[f"accrues to {position}"].left
        theme.group(sheet, top - 3, left, len(_COLUMNS), f'="Proof of "&{name_cell}')
        for offset, (name, heading, _, width) in enumerate(_COLUMNS):
            put(sheet, top - 2, left + offset, heading, theme.HEADING)
            theme.widths(sheet, left + offset, width)
            if name in DIFFERENCES:
                theme.mark_difference(sheet, layout[f"{name} {position}"])
        put(sheet, top - 1, left, f"={layout.term('closing date')}", theme.PLAIN, theme.DATE)
        for row in range(top, top + contents.dates):
            _row(sheet, contents, layout, position, row)
        _year_fractions(sheet, layout, position)
        ends.append(left + len(_COLUMNS) - 1)
    return ends


def _row(sheet: Worksheet, contents: Contents, layout: Layout, position: int, row: int) -> None:
    def at(name: str, above: int = 0) -> str:
        return a1(row - above, layout[f"{name} {position}"].left)

    def term(heading: str) -> str:
        return layout.class_term(position, heading)

    start, end = at("accrues to", above=1), at("accrues to")
    basis, rounding = term("day count"), term("rounding")
    adjusted, unadjusted = a1(row, layout["payment date"].left), a1(row, layout["unadjusted date"].left)
    accrued, rate = at("accrued"), period_rate(contents, layout, position, unadjusted)
    formulas = {
        "accrues to": f'=IF({term("accrual dates")}="adjusted",{adjusted},{unadjusted})',
        "opening": f"={at('balance', above=1)}",
        "days": f'=IF({basis}="30/360",{bond_days(start, end)},{end}-{start})',
        "accrued": (
            f"={at('opening')}*{rate}"
            f'*IF(OR({basis}="30/360",{basis}="actual/360"),{at("days")}/360,{at("year fraction")})'
        ),
        # A product that should be whole cents may lie a hair below them.
        "interest proof": (f'=IF({rounding}="truncate",ROUNDDOWN(ROUND({accrued},6),2),ROUND({accrued},2))'),
        "interest difference": f"=ROUND({at('interest')}-{at('interest proof')},2)",
        "balance difference": f"=ROUND({at('opening')}-{at('principal')}-{at('balance')},2)",
    }
    for name, _, number_format, _ in _COLUMNS:
        if name in formulas:
            column = layout[f"{name} {position}"].left
            put(sheet, row, column, formulas[name], theme.PLAIN, number_format)


def _year_fractions(sheet: Worksheet, layout: Layout, position: int) -> None:
    """One call for the whole column; only conventions that the sheet does not work out by itself need it."""
    ends = layout[f"accrues to {position}"]
    starts = Block(None, ends.top - 1, ends.left, ends.bottom - 1, ends.right).text(absolute=False)
    ends_text = Block(None, ends.top, ends.left, ends.bottom, ends.right).text(absolute=False)
    basis = layout.class_term(position, "day count")
    theme.put_array(
        sheet,
        layout[f"year fraction {position}"],
        f"=XM_YEARFRAC({starts},{ends_text},{basis})",
        [theme.FRACTION],
    )


def period_rate(contents: Contents, layout: Layout, position: int, unadjusted: str) -> str:
    """The rate of a class for the period to a payment date; index and margin where it has an index."""
    rate = layout.class_term(position, "rate")
    if contents.deal.classes[position].index is None:
        return rate
    index = index_rate(layout, layout.class_term(position, "index"), unadjusted)
    floated = f"MAX(0,ROUND({index}+{rate},12))"
    if contents.deal.classes[position].cap is None:
        return floated
    return f"MIN({layout.class_term(position, 'cap')},{floated})"


def index_rate(layout: Layout, name: str, unadjusted: str) -> str:
    """What a schedule says for a payment date."""
    names, dates, amounts = (layout.ref(f"schedule {heading}") for heading in ("schedule", "date", "amount"))
    return f"SUMIFS({amounts},{names},{name},{dates},{unadjusted})"


def bond_days(start: str, end: str) -> str:
    """30/360 days between two cells by the written rule.

    Source: 2006 ISDA Definitions 4.16(f).  Excel's DAYS360 parts from it at the end of February.
    """
    return (
        f"360*(YEAR({end})-YEAR({start}))+30*(MONTH({end})-MONTH({start}))"
        f"+MIN(DAY({end}),IF(DAY({start})>29,30,31))-MIN(DAY({start}),30)"
    )
