"""Beside a run, what our functions gave for it when the workbook was built, and by how much it differs."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.receipts import receipts
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, a1, block
from xlmodel.workbook.sheets.native.runs import Given, Run
from xlmodel.workbook.sheets.theme import put

OURS, DIFFERENCE = "functions", "difference"


def names(contents: Contents) -> list[tuple[str, str]]:
    """The columns that are compared, and their headings."""
    found = [("collected", "Collected"), ("available", "Available funds"), ("pool", "Pool balance")]
    for n, note_class in enumerate(contents.deal.classes):
        for kind in ("interest due", "interest", "principal", "balance"):
            found.append((f"{kind} {n}", f"{note_class.name}: {kind}"))
    for n, account in enumerate(contents.deal.accounts):
        for kind, shown in (
            ("opening", "opening"),
            ("deposit", "deposit"),
            ("taken", "draw"),
            ("release", "release"),
            ("closing", "closing"),
        ):
            found.append((f"account {kind} {n}", f"{account.name.capitalize()}: {shown}"))
    found += [("fees paid", "Fees paid"), ("remainder", "Remainder"), ("premiums paid", "Paid to insurers")]
    return found


def place(contents: Contents, one: Run, top: int, left: int) -> Mapping[str, Block]:
    count = len(names(contents))
    return {
        one.at(OURS): block(one.sheet, top, left, contents.dates, count),
        one.at(DIFFERENCE): block(one.sheet, top, left + count + 1, contents.dates, count),
    }


def write(
    sheet: Worksheet, contents: Contents, layout: Layout, one: Run, given: Given, top: int
) -> list[int]:
    """Values and differences; the last column of each."""
    values, differences = layout[one.at(OURS)], layout[one.at(DIFFERENCE)]
    ours = _dollars(contents, given)
    theme.group(sheet, top - 3, values.left, values.shape[1], "Values that the functions gave")
    theme.group(sheet, top - 3, differences.left, values.shape[1], "Native less functions")
    theme.widths(sheet, values.right + 1, 3)
    for offset, (name, heading) in enumerate(names(contents)):
        one_value, one_difference = values.left + offset, differences.left + offset
        theme.put_text(sheet, top - 2, one_value, heading, theme.HEADING)
        theme.put_text(sheet, top - 2, one_difference, heading, theme.HEADING)
        theme.widths(sheet, one_value, 16)
        theme.widths(sheet, one_difference, 13)
        native = layout[one.at(name)].left
        for number, amount in enumerate(ours[name]):
            row = top + number
            put(sheet, row, one_value, amount, theme.NOTE, theme.MONEY)
            formula = f"=ROUND({a1(row, native)}-{a1(row, one_value)},2)"
            put(sheet, row, one_difference, formula, theme.PLAIN, theme.MONEY)
    theme.mark_difference(sheet, differences)
    return [values.right, differences.right]


def _dollars(contents: Contents, given: Given) -> dict[str, list[float]]:
    """Dollars by payment date, by the name of the column."""
    paid, handed = given.paid, receipts(given.deal, given.collections)
    due = paid.interest_due
    accounts, ledger = paid.accounts, paid.ledger
    found = {
        "collected": handed.cash[0],
        "available": paid.available[0],
        "pool": paid.pool[0],
        "fees paid": ledger.total("fee")[0],
        "remainder": ledger.total("party")[0],
        "premiums paid": (ledger.total("premium") + ledger.total("reimbursement"))[0],
    }
    for n in range(contents.classes):
        owed = due.accrued[0, :, n] + due.overdue[0, :, n] + due.on_overdue[0, :, n]
        found[f"interest due {n}"] = owed
        found[f"interest {n}"] = paid.interest[0, :, n]
        found[f"principal {n}"] = paid.principal[0, :, n]
        found[f"balance {n}"] = paid.balance[0, :, n]
    for n in range(contents.accounts):
        moves = (accounts.opening, accounts.deposit, accounts.draw, accounts.release, accounts.closing)
        for kind, move in zip(("opening", "deposit", "taken", "release", "closing"), moves, strict=True):
            found[f"account {kind} {n}"] = move[0, :, n]
    return {name: (amounts / 100).tolist() for name, amounts in found.items()}
