"""Native proof of what comes in: collections by payment date, the call, the pool's balance, the fees.

It reads the call as the terms of the deal have it when the workbook is built: the pool against a part of
the cutoff pool.  A deal that tests something else has no such proof.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import Contents, Layout, a1, block, cell
from xlmodel.workbook.sheets.theme import put

_COLUMNS = (
    ("receipts collected", "Collected", theme.MONEY),
    ("receipts pool", "Pool, if not called", theme.MONEY),
    ("receipts called", "Called", theme.FLAG),
    ("receipts price", "Price of the call", theme.MONEY),
    ("receipts funds", "Available funds", theme.MONEY),
    ("funds difference", "Available funds, difference", theme.MONEY),
    ("pool difference", "Pool balance, difference", theme.MONEY),
    ("receipts fees", "Fees due", theme.MONEY),
    ("fees difference", "Fees, difference", theme.MONEY),
)


def applies(contents: Contents) -> bool:
    """Whether the deal's call, if it has one, is of the kind that is worked out here."""
    call = contents.deal.call
    return call is None or (call.test, call.base) == ("pool", "cutoff pool")


def place(contents: Contents, sheet: str, top: int, left: int) -> Mapping[str, Block]:
    if not applies(contents):
        return {}
    return {name: block(sheet, top, left + n, contents.dates) for n, (name, *_) in enumerate(_COLUMNS)}


def write(sheet: Worksheet, contents: Contents, layout: Layout, top: int) -> list[int]:
    """The last column of the group; none when there is no such proof."""
    if not applies(contents):
        return []
    left = layout[_COLUMNS[0][0]].left
    theme.group(sheet, top - 3, left, len(_COLUMNS), "Proof of what comes in")
    theme.widths(sheet, left - 1, 3)
    for offset, (name, heading, _) in enumerate(_COLUMNS):
        put(sheet, top - 2, left + offset, heading, theme.HEADING)
        theme.widths(sheet, left + offset, 9 if name == "receipts called" else 16)
        if name.endswith("difference"):
            theme.mark_difference(sheet, layout[name])
    total = layout.ref("pool total balance")
    put(sheet, top - 1, layout["receipts pool"].left, f"=ROUND({total},2)", theme.PLAIN, theme.MONEY)
    put(sheet, top - 1, layout["receipts called"].left, False, theme.STATE_TEXT, theme.FLAG)
    for row in range(top, top + contents.dates):
        formulas = _formulas(contents, layout, row)
        for name, _, number_format in _COLUMNS:
            look = theme.STATE_TEXT if name == "receipts called" else theme.PLAIN
            put(sheet, row, layout[name].left, formulas[name], look, number_format)
    return [left + len(_COLUMNS) - 1]


def _formulas(contents: Contents, layout: Layout, row: int) -> dict[str, str]:
    def at(name: str, above: int = 0) -> str:
        return a1(row - above, layout[name].left)

    def booked(heading: str) -> str:
        """What the collection months of this payment date add up to."""
        months = layout.ref("collections Paid on date no.")
        return f"SUMIFS({layout.ref(f'collections {heading}')},{months},{at('date number')})"

    classes = range(contents.classes)
    opening = "+".join(at(f"opening {n}") for n in classes)
    interest = "+".join(at(f"interest proof {n}") for n in classes)
    called, called_before = at("receipts called"), at("receipts called", above=1)
    fees = "+".join(booked(f"Fee {fee.name}") for fee in contents.deal.fees) or "0"
    met, price = "FALSE", "0"
    if contents.deal.call:
        part, exercised, paid = (
            cell(layout[f"call {heading}"], 0, 0).text() for heading in ("at most", "exercised", "price")
        )
        below = f"ROUND({at('receipts pool')}-{part}*{layout.ref('pool total balance')},4)<=0"
        met = f"AND({exercised},ROUND({opening},2)>0,{below})"
        whole = f'IF({paid}="pool",{at("receipts pool")},{opening}+{interest})'
        price = f"IF(AND({called},NOT({called_before})),{whole},0)"
    return {
        "receipts collected": f"={booked('Interest booked')}+{booked('Principal booked')}",
        "receipts pool": f"=ROUND({at('receipts pool', above=1)}-{booked('Principal booked')},2)",
        "receipts called": f"=OR({called_before},{met})",
        "receipts price": f"={price}",
        "receipts funds": f"=IF({called_before},0,{at('receipts collected')})+{at('receipts price')}",
        "funds difference": f"=ROUND({at('cash available funds')}-{at('receipts funds')},2)",
        "pool difference": f"=ROUND({at('cash pool balance')}-IF({called},0,{at('receipts pool')}),2)",
        "receipts fees": f"=IF({called_before},0,{fees})",
        "fees difference": f"=ROUND({at('cash fees paid')}-{at('receipts fees')},2)",
    }
