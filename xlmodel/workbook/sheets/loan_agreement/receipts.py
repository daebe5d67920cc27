"""Receipts: what the agent receives, to whom it goes, and native proofs of both regimes."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.trust.loan_agreement import KINDS, TERM
from xlmodel.trust.loan_tables import RECEIPTS
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, proof_column, write_array
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, column_of, here
from xlmodel.workbook.sheets.loan_agreement import rules
from xlmodel.workbook.sheets.tables import write_table
from xlmodel.workbook.sheets.theme import put

TITLE = "Receipts"
_TOP = 6
SPARE = 3
_BEFORE = 4  # received, kind, amount, after default
TABLES = "Agreement,Banks,Providers"


def place(contents: Model) -> Mapping[str, Block]:
    count = _count(contents)
    inputs = block(TITLE, _TOP - 1, 1, count + 1, 3)
    whole = block(TITLE, _TOP, 5, count, _BEFORE + payees(contents) + 1)
    return {
        "Receipts": inputs,
        "Distribution": whole,
        # Without the spare rows: what is compared with figures worked by hand.
        "ReceiptsPaid": block(TITLE, _TOP, whole.left + _BEFORE, count - SPARE, payees(contents) + 1),
        "receipts proof sum": block(TITLE, _TOP, whole.right + 2, count),
        "receipts proof banks": block(TITLE, _TOP, whole.right + 3, count),
        "receipts totals": block(TITLE, _TOP + count + 1, whole.left + _BEFORE, 1, payees(contents) + 1),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "Before an event of default rateably by percentage; after it rung by rung until all is paid.",
        inputs=True,
    )
    rows = [*contents.tables[RECEIPTS.name], *([[None] * 3] * SPARE)]
    widths = (14.0, 28.0, 18.0)
    theme.widths(sheet, 1, *widths, 3)
    write_table(sheet, RECEIPTS, rows, _TOP - 1, 1, widths=widths)
    for offset, column in enumerate(RECEIPTS.columns):
        theme.note(sheet, _TOP - 1, 1 + offset, f"{column.help[:1].upper()}{column.help[1:]}.")
    kinds = Block(TITLE, _TOP, 2, _TOP + len(rows) - 2, 2)
    theme.choose(sheet, kinds, f'"{",".join(KINDS)}"', "One of the kinds")
    whole = layout["Distribution"]
    headings = _headings(contents)
    write_array(
        sheet,
        whole,
        f"=XM_LOAN_RECEIPTS({TABLES},Receipts)",
        headings,
        {heading.text: _note(contents, n) for n, heading in enumerate(headings) if n >= _BEFORE},
    )
    theme.widths(sheet, whole.left + 1, widths[1])
    _name_payees(sheet, contents, layout, whole)
    _proofs(sheet, contents, layout)
    totals = layout["receipts totals"]
    put(sheet, totals.top, totals.left - 1, "Total", theme.TOTAL)
    for offset in range(totals.shape[1]):
        summed = column_of(whole, _BEFORE + offset)
        put(sheet, totals.top, totals.left + offset, f"=SUM({here(summed)})", theme.TOTAL, theme.MONEY)
    theme.mark_default(sheet, Block(TITLE, whole.top, whole.left + 3, whole.bottom, whole.left + 3))
    sheet.freeze_panes = f"B{_TOP}"
    theme.print_setup(sheet, title_rows=(1, _TOP - 1), pages_tall=1)


def payees(contents: Model) -> int:
    """Banks, agent, providers, holding account."""
    return _banks(contents) + 1 + _providers(contents) + 1


def compared_shape(contents: Model) -> tuple[int, int]:
    return len(contents.tables[RECEIPTS.name]) - 1, payees(contents) + 1


def _count(contents: Model) -> int:
    return len(contents.tables[RECEIPTS.name]) - 1 + SPARE


def _banks(contents: Model) -> int:
    return len(contents.tables["Banks"]) - 1


def _providers(contents: Model) -> int:
    return len(contents.tables["Providers"]) - 1


def _headings(contents: Model) -> list[Heading]:
    names = [f"Bank {n + 1}" for n in range(_banks(contents))]
    names += ["Agent", *(f"Provider {n + 1}" for n in range(_providers(contents))), "Holding", "Left"]
    fixed = [
        Heading("Received", "date"),
        Heading("Kind", "text"),
        Heading("Amount", "money"),
        Heading("After default", "flag"),
    ]
    return [*fixed, *(Heading(name, "money") for name in names)]


def _note(contents: Model, column: int) -> str:
    banks, providers = _banks(contents), _providers(contents)
    offset = column - _BEFORE
    if offset < banks:
        return f"{rules.RATEABLY.note}\n{rules.NOTES.note}"
    if offset == banks:
        return rules.COSTS.note
    if offset <= banks + providers:
        return rules.NOTES.note
    return rules.HOLDING.note if offset == banks + providers + 1 else rules.LEFT.note


def _name_payees(sheet: Worksheet, contents: Model, layout: Layout, whole: Block) -> None:
    """The names of the payees as their tables have them."""
    cells = [input_cell(layout, "Banks", "bank", n) for n in range(_banks(contents))]
    cells.append(input_cell(layout, "Agreement", "agent", 0))
    cells += [input_cell(layout, "Providers", "provider", n) for n in range(_providers(contents))]
    cells.append(input_cell(layout, "Agreement", "holding account", 0))
    for offset, name in enumerate(cells):
        put(sheet, whole.top - 1, whole.left + _BEFORE + offset, f"={name}", theme.HEADING)
    put(sheet, whole.top - 1, whole.right, "Left with the agent", theme.HEADING)
    theme.lines(sheet, whole.top - 1, 2)


def _proofs(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    """Paid and left = received; before an event of default each bank's part to a cent."""
    whole = layout["Distribution"]
    banks = _banks(contents)
    term = [kind for kind, by in KINDS.items() if by == TERM]
    sums, shares = [], []
    for row in range(whole.top, whole.bottom + 1):
        paid = here(Block(TITLE, row, whole.left + _BEFORE, row, whole.right))
        amount, kind, after = (a1(row, whole.left + n) for n in (2, 1, 3))
        sums.append(f'=IF({amount}="",0,ROUND({amount}-SUM({paid}),2))')
        differences = []
        for n in range(banks):
            by_term = input_cell(layout, "Banks", "term percentage", n)
            other = input_cell(layout, "Banks", "revolving percentage", n)
            part = f'IF({kind}="{term[0]}",{by_term},{other})*{amount}'
            differences.append(f"ABS({part}-{a1(row, whole.left + _BEFORE + n)})")
        worst = f"ROUND(MAX({','.join(differences)})-0.01,4)"
        shares.append(f'=IF({amount}="",0,IF({after},0,MAX(0,{worst})))')
    proof_column(sheet, layout["receipts proof sum"], "Received less paid and left", sums)
    proof_column(
        sheet,
        layout["receipts proof banks"],
        "Before default, beyond a cent",
        shares,
        rules.RATEABLY.note,
    )


SHEET = Sheet(TITLE, place, write)
