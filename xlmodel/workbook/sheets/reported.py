"""Pool, where months are reported: what was collected, and its balance rolled forward in native formulas.

It takes the place of the sheets Pool, Assumptions and Collections: such collateral leaves nothing to assume.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.functions.collateral import COLLECTIONS_HEADER
from xlmodel.package.address import Block
from xlmodel.pool.cash_flows import CASH_FLOWS
from xlmodel.tables import heading_text
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, here
from xlmodel.workbook.sheets.tables import column_block, write_table
from xlmodel.workbook.sheets.theme import put

TITLE = "Pool"
_TOP = 4
_GONE = ("principal", "defaulted", "purchase amount")


def place(contents: Contents) -> Mapping[str, Block]:
    rows = contents.folder.pools
    pools = block(TITLE, _TOP, 1, len(rows), len(rows[0]))
    counted = pools.bottom + 4
    return {
        "Pools": pools,
        **{f"pool {name}": column_block(CASH_FLOWS, rows, pools, name) for name in _headings(contents)},
        "pool roll difference": block(TITLE, _TOP + 1, pools.right + 2, len(rows) - 1),
        "Collections": block(TITLE, _TOP + 1, pools.right + 4, len(rows) - 1, len(COLLECTIONS_HEADER)),
        "Speeds": block(TITLE, counted, 2),
        "base speed": block(TITLE, counted, 2),
        "longest term": block(TITLE, counted + 1, 2),
        "payment dates": block(TITLE, counted + 2, 2),
        "pool total balance": block(TITLE, counted + 3, 2),
        "securities total": block(TITLE, counted + 4, 2),
        "pool less securities": block(TITLE, counted + 5, 2),
    }


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What the servicer reports as collected, month by month; every scenario collects the same.",
        inputs=True,
    )
    pools, collections = layout["Pools"], layout["Collections"]
    write_table(sheet, CASH_FLOWS, contents.folder.pools, _TOP, 1)
    _roll(sheet, contents, layout)
    theme.group(sheet, _TOP - 1, collections.left, len(COLLECTIONS_HEADER), "As the functions read it")
    theme.put_row(sheet, _TOP, collections.left, COLLECTIONS_HEADER, theme.HEADING)
    theme.put_array(
        sheet,
        collections,
        f"=XM_COLLECTIONS(Pools,{here(layout['base speed'])},{layout.term('prepayment model')})",
        (theme.COUNT, *([theme.MONEY] * (len(COLLECTIONS_HEADER) - 1))),
    )
    _counted(sheet, layout)
    theme.widths(sheet, 1, 34, *([18] * (pools.right - 1)), 3, 13, 3, 9, *([18] * 5))
    theme.lines(sheet, _TOP, 2)
    sheet.freeze_panes = f"A{_TOP + 1}"
    theme.print_setup(sheet, title_rows=(1, _TOP))


def _headings(contents: Contents) -> list[str]:
    """The columns that the table has, by the names of their schema."""
    found = (CASH_FLOWS.column(heading_text(name)) for name in contents.folder.pools[0])
    return [column.heading for column in found if column]


def _roll(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """Beginning less what is gone, against the ending balance."""
    found = layout["pool roll difference"]
    put(sheet, found.top - 1, found.left, "Balance roll, difference", theme.HEADING)
    ending = layout["pool ending balance"].left
    gone = [layout[f"pool {name}"].left for name in _GONE if f"pool {name}" in layout]
    for row in range(found.top, found.bottom + 1):
        first = row == found.top
        before = a1(row, layout["pool beginning balance"].left) if first else a1(row - 1, ending)
        less = "".join(f"-{a1(row, column)}" for column in gone)
        formula = f"=ROUND({before}{less}-{a1(row, ending)},2)"
        put(sheet, row, found.left, formula, theme.PLAIN, theme.MONEY)
    theme.mark_difference(sheet, found)


def _counted(sheet: Worksheet, layout: Layout) -> None:
    """What the other sheets ask of a pool."""
    opening = here(cell(layout["pool beginning balance"], 0, 0))
    total, securities = here(layout["pool total balance"]), here(layout["securities total"])
    top = layout["Speeds"].top
    put(sheet, top - 1, 1, "Counted", theme.SECTION)
    rows = (
        ("Speed: nothing is assumed", 0.0, theme.PERCENT),
        ("Months reported", f"=ROWS({here(layout['pool ending balance'])})", theme.COUNT),
        (
            "Payment dates",
            f"={here(layout['longest term'])}-{layout.term('first collection months')}+1",
            theme.COUNT,
        ),
        ("Pool at the cutoff date", f"={opening}", theme.MONEY),
        ("Initial balance of all classes", f"=SUM({layout.ref('class balance')})", theme.MONEY),
        ("Pool less securities", f"=ROUND({total}-{securities},2)", theme.MONEY),
    )
    for row, (label, value, shown) in enumerate(rows, start=top):
        put(sheet, row, 1, label, theme.PLAIN)
        put(sheet, row, 2, value, theme.PLAIN, shown)


SHEET = Sheet(TITLE, place, write)
