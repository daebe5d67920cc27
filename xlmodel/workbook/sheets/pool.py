"""Pool: the contracts or rep lines, their totals and weighted averages."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.pool.contracts import POOLS
from xlmodel.tables import Column, heading_text
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, here
from xlmodel.workbook.sheets.tables import column_block, write_table
from xlmodel.workbook.sheets.theme import put

TITLE = "Pool"
_TOP = 4
_AVERAGED = {"rate": theme.RATE, "original term": theme.YEARS, "remaining term": theme.YEARS}
_DERIVED = ("age", "share", "level payment")


def place(contents: Contents) -> Mapping[str, Block]:
    rows = contents.folder.pools
    pools = block(TITLE, _TOP, 1, len(rows), len(rows[0]))
    blocks = {"Pools": pools}
    for column in _columns(contents):
        blocks[f"pool {column.heading}"] = column_block(POOLS, rows, pools, column.heading)
    for offset, heading in enumerate(_DERIVED, start=2):
        blocks[f"pool {heading}"] = block(TITLE, _TOP + 1, pools.right + offset, len(rows) - 1)
    if "pool delay" in blocks:
        blocks["pool last month"] = block(TITLE, _TOP + 1, pools.right + 2 + len(_DERIVED), len(rows) - 1)
    totals = pools.bottom + 1
    for heading in ("balance", *_AVERAGED, *_DERIVED):
        blocks[f"pool total {heading}"] = block(TITLE, totals, blocks[f"pool {heading}"].left)
    left = blocks["pool balance"].left
    blocks["securities total"] = block(TITLE, totals + 2, left)
    blocks["pool less securities"] = block(TITLE, totals + 3, left)
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "Each row stands for contracts of the same terms, at the cutoff date.",
        inputs=True,
    )
    pools = layout["Pools"]
    write_table(sheet, POOLS, contents.folder.pools, _TOP, 1)
    _derived_columns(sheet, layout, pools)
    _totals(sheet, layout, pools)
    _securities(sheet, layout)
    theme.widths(sheet, 1, *(max(column.width, 12) for column in _columns(contents)))
    theme.widths(sheet, pools.right + 1, 3, 10, 12, 18, 12)
    sheet.freeze_panes = f"A{_TOP + 1}"
    theme.print_setup(sheet, title_rows=(1, _TOP))


def _derived_columns(sheet: Worksheet, layout: Layout, pools: Block) -> None:
    """Age, share and level payment of each row, in native formulas."""
    for heading in _DERIVED:
        put(sheet, _TOP, layout[f"pool {heading}"].left, heading.capitalize(), theme.HEADING)
    total = here(layout["pool total balance"])
    for row in range(pools.top + 1, pools.bottom + 1):
        at = {name: a1(row, layout[f"pool {name}"].left) for name in ("balance", *_AVERAGED)}
        formulas = (
            (f"={at['original term']}-{at['remaining term']}", theme.COUNT),
            (f"={at['balance']}/{total}", theme.PERCENT),
            (f"=PMT({at['rate']}/12,{at['remaining term']},-{at['balance']})", theme.MONEY),
        )
        for heading, (formula, number_format) in zip(_DERIVED, formulas, strict=True):
            put(sheet, row, layout[f"pool {heading}"].left, formula, theme.PLAIN, number_format)
    if "pool last month" in layout:
        _last_months(sheet, layout, pools)


def _last_months(sheet: Worksheet, layout: Layout, pools: Block) -> None:
    """The month after the cutoff date in which a line that may begin later pays for the last time."""
    left = layout["pool last month"].left
    put(sheet, _TOP, left, "Last month", theme.HEADING)
    for row in range(pools.top + 1, pools.bottom + 1):
        term, delay = (a1(row, layout[f"pool {name}"].left) for name in ("remaining term", "delay"))
        put(sheet, row, left, f"={term}+{delay}", theme.PLAIN, theme.COUNT)


def _totals(sheet: Worksheet, layout: Layout, pools: Block) -> None:
    row = pools.bottom + 1
    for column in range(pools.left, pools.right + 1):
        put(sheet, row, column, None, theme.TOTAL)
    if "pool pool" in layout:
        put(sheet, row, layout["pool pool"].left, "Total", theme.TOTAL)
    balances, total = here(layout["pool balance"]), here(layout["pool total balance"])
    sums = {"balance": theme.MONEY, "share": theme.PERCENT, "level payment": theme.MONEY}
    formulas = {name: (f"=SUM({here(layout[f'pool {name}'])})", shown) for name, shown in sums.items()}
    for name, shown in (_AVERAGED | {"age": theme.YEARS}).items():
        formulas[name] = (f"=SUMPRODUCT({balances},{here(layout[f'pool {name}'])})/{total}", shown)
    for name, (formula, shown) in formulas.items():
        put(sheet, row, layout[f"pool total {name}"].left, formula, theme.TOTAL, shown)


def _securities(sheet: Worksheet, layout: Layout) -> None:
    """What the pool is compared with at closing."""
    securities, difference = layout["securities total"], layout["pool less securities"]
    total = f"=SUM({layout.ref('class balance')})"
    put(sheet, securities.top, securities.left, total, theme.PLAIN, theme.MONEY)
    put(sheet, securities.top, securities.left + 1, "initial balance of all classes", theme.INNER_NOTE)
    less = f"=ROUND({here(layout['pool total balance'])}-{here(securities)},2)"
    put(sheet, difference.top, difference.left, less, theme.PLAIN, theme.MONEY)
    put(sheet, difference.top, difference.left + 1, "pool less securities", theme.INNER_NOTE)


def _columns(contents: Contents) -> list[Column]:
    found = [POOLS.column(heading_text(name)) for name in contents.folder.pools[0]]
    return [column for column in found if column]


SHEET = Sheet(TITLE, place, write)
