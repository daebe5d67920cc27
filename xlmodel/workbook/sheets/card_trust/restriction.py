"""Restriction: collections after a Transfer Restriction Event, both ways, on inputs of its own."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, proof_column, write_array, write_headings
from xlmodel.workbook.sheets.card_trust import rules
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Restriction"
_TOP = 9
# Made up: what three accounts owed at the event and since, and what they pay in four weeks.
_HELD = 900.0
_COLLECTED = (350.0, 400.0, 250.0, 300.0)
_ACCOUNTS = (("1001", 320.0, 180.0, 400.0), ("1002", 400.0, 90.0, 450.0), ("1003", 180.0, 260.0, 150.0))


def place(contents: Model) -> Mapping[str, Block]:
    weeks, accounts = len(_COLLECTED), len(_ACCOUNTS)
    second = _TOP + weeks + 5
    return {
        "RestrictionHeld": block(TITLE, 5, 2),
        "RestrictionCollections": block(TITLE, _TOP, 2, weeks),
        "restriction first": block(TITLE, _TOP, 3, weeks),
        "restriction rest": block(TITLE, _TOP, 4, weeks),
        "restriction first difference": block(TITLE, _TOP, 6, weeks),
        "RestrictionPayments": block(TITLE, second, 2, accounts),
        "RestrictionBalances": block(TITLE, second, 3, accounts, 2),
        "restriction oldest": block(TITLE, second, 5, accounts, 2),
        "restriction oldest difference": block(TITLE, second, 8, accounts),
        "restriction totals": block(TITLE, second + accounts + 2, 2, 2),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "First received to the trust; where law forbids it, oldest balance first. Synthetic.",
        inputs=True,
    )
    theme.widths(sheet, 1, 34)
    put(sheet, 5, 1, "Receivables of the trust at the event", theme.KEY)
    put(sheet, 5, 2, _HELD, theme.INPUT, theme.MONEY)
    theme.note(sheet, 5, 2, rules.RESTRICTION.note)
    _first(sheet, layout)
    _oldest(sheet, layout)
    sheet.freeze_panes = "B4"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _first(sheet: Worksheet, layout: Layout) -> None:
    weeks, first = layout["RestrictionCollections"], layout["restriction first"]
    put(sheet, weeks.top - 2, 1, "First received collections", theme.SECTION)
    put(sheet, weeks.top - 1, 1, "Collections after the event", theme.TEXT_HEADING)
    write_headings(sheet, weeks, [Heading("Collected", "money")])
    for n, amount in enumerate(_COLLECTED):
        put(sheet, weeks.top + n, 1, f"Week {n + 1}", theme.PLAIN)
        put(sheet, weeks.top + n, 2, amount, theme.INPUT, theme.MONEY)
    held = here(layout["RestrictionHeld"])
    write_array(
        sheet,
        first,
        f"=XM_FIRST_RECEIVED({here(weeks)},{held})",
        [Heading("To the trust", "money")],
        {"To the trust": rules.RESTRICTION.note},
    )
    write_headings(sheet, layout["restriction rest"], [Heading("To the transferor", "money")])
    proofs = []
    for row in range(weeks.top, weeks.bottom + 1):
        put(sheet, row, 4, f"={a1(row, 2)}-{a1(row, 3)}", theme.PLAIN, theme.MONEY)
        until = here(Block(TITLE, weeks.top, 2, row, 2))
        before = here(Block(TITLE, weeks.top, 3, row, 3))
        proofs.append(f"=ROUND(MIN({held},SUM({until}))-SUM({before}),2)")
    proof_column(sheet, layout["restriction first difference"], "Lesser of both, difference", proofs)


def _oldest(sheet: Worksheet, layout: Layout) -> None:
    payments, balances = layout["RestrictionPayments"], layout["RestrictionBalances"]
    oldest = layout["restriction oldest"]
    put(sheet, payments.top - 2, 1, "Oldest balance first, account by account", theme.SECTION)
    put(sheet, payments.top - 1, 1, "Account", theme.TEXT_HEADING)
    write_headings(sheet, payments, [Heading("Payment", "money")])
    write_headings(
        sheet, balances, [Heading("Balance at the event", "money"), Heading("Balance since", "money")]
    )
    for n, (name, before, since, payment) in enumerate(_ACCOUNTS):
        row = payments.top + n
        put(sheet, row, 1, f"Account {name}", theme.PLAIN)
        for offset, amount in enumerate((payment, before, since)):
            put(sheet, row, 2 + offset, amount, theme.INPUT, theme.MONEY)
    write_array(
        sheet,
        oldest,
        f"=XM_OLDEST_FIRST({here(payments)},{here(balances)})",
        [Heading("To the trust", "money"), Heading("To the transferor", "money")],
        {"To the trust": rules.RESTRICTION.note},
    )
    proofs = []
    for row in range(payments.top, payments.bottom + 1):
        own = f"MIN({a1(row, 2)},{a1(row, 3)})-{a1(row, 5)}"
        rest = f"MIN({a1(row, 2)}-{a1(row, 5)},{a1(row, 4)})-{a1(row, 6)}"
        proofs.append(f"=ROUND({own},2)+ROUND({rest},2)")
    proof_column(sheet, layout["restriction oldest difference"], "Native, difference", proofs)
    totals = layout["restriction totals"]
    rows = (
        ("To the trust, first received", layout["restriction first"]),
        ("To the trust, oldest first", column_of(oldest, 0)),
    )
    for n, (label, summed) in enumerate(rows):
        put(sheet, totals.top + n, 1, label, theme.STRONG)
        put(sheet, cell(totals, n, 0).top, 2, f"=SUM({here(summed)})", theme.TOTAL, theme.MONEY)


SHEET = Sheet(TITLE, place, write)
