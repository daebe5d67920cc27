"""Native proof of what comes in: collections by payment date, the call, the pool's balance, the fees.

It reads the call as the terms of the deal have it when the workbook is built: the pool against a part of
the cutoff pool, and premiums on the pool or the securities.  A deal that says something else has no such
proof.  It holds while no policy has paid; the functions also reimburse it.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.check import ORDINARY
from xlmodel.deal.definition import Policy
from xlmodel.deal.steps import Fee as FeeStep
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, a1, block, cell
from xlmodel.workbook.sheets.theme import put

_COLUMNS = (
    ("receipts collected", "Collected", theme.MONEY),
    ("receipts pool", "Pool, if not called", theme.MONEY),
    ("receipts fees", "Fees due", theme.MONEY),
    ("receipts premiums", "Premiums due", theme.MONEY),
    ("receipts owed", "Owed to holders and insurers", theme.MONEY),
    ("receipts called", "Called", theme.FLAG),
    ("receipts price", "Price of the call", theme.MONEY),
    ("receipts funds", "Available funds", theme.MONEY),
    ("funds difference", "Available funds, difference", theme.MONEY),
    ("pool difference", "Pool balance, difference", theme.MONEY),
    ("fees difference", "Fees, difference", theme.MONEY),
    ("premiums difference", "Premiums, difference", theme.MONEY),
)
_PREMIUM_BASES = ("pool", "securities")


def applies(contents: Contents) -> bool:
    """Whether the deal's call, if it has one, and its premiums are of the kind that is worked out here.

    Where months are reported there is no sheet Collections to work from.
    """
    if contents.reported:
        return False
    call = contents.deal.call
    testable = call is None or (call.test, call.base) == ("pool", "cutoff pool")
    paid = _fees_of_the_ordinary_list(contents)
    # What stays owed from date to date is added up by month, so it must accrue by month alone.
    simple = all(
        fee.name in paid
        or not (fee.amount or fee.minimum or fee.first_part or fee.first_amount is not None or fee.once)
        for fee in contents.deal.fees
    )
    return testable and simple and all(policy.base in _PREMIUM_BASES for policy in contents.deal.policies)


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
    paid_fees = _fees_of_the_ordinary_list(contents)
    fees = "+".join(fee_due(contents, layout, name, at("date number")) for name in paid_fees) or "0"
    bases = {"pool": at("receipts pool", above=1), "securities": f"({opening})"}
    premiums = "+".join(_premium(layout, n, bases, policy) for n, policy in enumerate(contents.deal.policies))
    met, price = "FALSE", "0"
    if contents.deal.call:
        part, exercised, paid = (
            cell(layout[f"call {heading}"], 0, 0).text() for heading in ("at most", "exercised", "price")
        )
        below = f"ROUND({at('receipts pool')}-{part}*{layout.ref('pool total balance')},4)<=0"
        # Nobody buys at a loss: pool and collections are worth what is owed, the fees paid included.
        worth = (
            f"{at('receipts pool')}+{at('receipts collected')}-{at('receipts owed')}-{at('receipts fees')}"
        )
        met = f"AND({exercised},ROUND({opening},2)>0,{below},ROUND({worth},2)>=0)"
        whole = f'IF({paid}="pool",{at("receipts pool")},{at("receipts owed")})'
        price = f"IF(AND({called},NOT({called_before})),{whole},0)"
    return {
        "receipts collected": f"={booked('Interest booked')}+{booked('Principal booked')}",
        "receipts pool": f"=ROUND({at('receipts pool', above=1)}-{booked('Principal booked')},2)",
        "receipts fees": f"=IF({called_before},0,{fees})",
        "receipts premiums": f"=IF({called_before},0,{premiums or '0'})",
        "receipts owed": f"={opening}+{interest}+{at('receipts premiums')}",
        "receipts called": f"=OR({called_before},{met})",
        "receipts price": f"={price}",
        "receipts funds": f"=IF({called_before},0,{at('receipts collected')})+{at('receipts price')}",
        "funds difference": f"=ROUND({at('cash available funds')}-{at('receipts funds')},2)",
        "pool difference": f"=ROUND({at('cash pool balance')}-IF({called},0,{at('receipts pool')}),2)",
        "fees difference": f"=ROUND({at('cash fees paid')}-{at('receipts fees')},2)",
        "premiums difference": f"=ROUND({at('cash paid to insurers')}-{at('receipts premiums')},2)",
    }


def _fees_of_the_ordinary_list(contents: Contents) -> list[str]:
    steps = [clause.step for clause in contents.deal.priority(ORDINARY)]
    named = [name for step in steps if isinstance(step, FeeStep) for name in step.names]
    return list(dict.fromkeys(named))  # what is over a limit is paid by a later row of the same fee


def fee_due(contents: Contents, layout: Layout, name: str, number: str) -> str:
    """A native formula for what a fee comes to on a payment date, by the date's number."""
    position, fee = next((n, fee) for n, fee in enumerate(contents.deal.fees) if fee.name == name)

    def term(heading: str) -> str:
        return cell(layout[f"fee {heading}"], position, 0).text()

    parts = []
    if f"collections Fee {name}" in layout:
        months = layout.ref("collections Paid on date no.")
        parts.append(f"SUMIFS({layout.ref(f'collections Fee {name}')},{months},{number})")
    if fee.amount:
        parts.append(term("amount"))
    due = "+".join(parts)
    if fee.minimum:
        due = f"MAX({due},{term('minimum')})"
    if fee.first_amount is not None:
        due = f"IF({number}=1,{term('first')},{due})"
    if fee.first_part is not None:
        first = term("first")
        part = f'VALUE(LEFT({first},FIND("/",{first})-1))/VALUE(MID({first},FIND("/",{first})+1,9))'
        whole = f"ROUND({layout.ref('pool total balance')},2)"
        due = f"IF({number}=1,ROUND({whole}*{term('rate')}*{part},2),{due})"
    return f"IF({number}=1,{due},0)" if fee.once else due


def _premium(layout: Layout, position: int, bases: Mapping[str, str], policy: Policy) -> str:
    rate = cell(layout["policy premium"], position, 0).text()
    return f"ROUND({bases[policy.base]}*{rate}/12,2)"
