"""After default: the claims rung by rung for an amount of funds that the desk enters, with a native proof."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, proof_column, write_array, write_headings
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, column_of, here
from xlmodel.workbook.sheets.loan_agreement import rules
from xlmodel.workbook.sheets.theme import put

TITLE = "After default"
_TOP = 8
_FUNDS = 12_000_000.00
HEADINGS = (
    Heading("Rung", "text"),
    Heading("Payee", "text"),
    Heading("For", "text"),
    Heading("Due", "money"),
    Heading("Paid", "money"),
    Heading("Short", "money"),
)
_RUNGS = ("a", "b", "c", "d")
_NOTES = {"a": rules.COSTS, "b": rules.NOTES, "c": rules.FEES, "d": rules.HOLDING}
_RUNG_NAMES = ("(a) costs", "(b) notes, rate protection", "(c) fees", "(d) holding account")


def claims_count(contents: Model) -> int:
    banks, providers = (len(contents.tables[name]) - 1 for name in ("Banks", "Providers"))
    return 3 * banks + providers + 2


def compared_shape(contents: Model) -> tuple[int, int]:
    return claims_count(contents), len(HEADINGS) - 3


def place(contents: Model) -> Mapping[str, Block]:
    count = claims_count(contents)
    whole = block(TITLE, _TOP, 1, count, len(HEADINGS))
    rungs = block(TITLE, whole.bottom + 4, 1, len(_RUNGS), 5)
    return {
        "Funds": block(TITLE, 5, 2),
        "Claims": whole,
        "ClaimsPaid": block(TITLE, _TOP, 4, count, 3),
        "claims native": block(TITLE, _TOP, 8, count),
        "claims difference": block(TITLE, _TOP, 9, count),
        "rungs": rungs,
        "rungs difference": block(TITLE, rungs.top, 6, len(_RUNGS)),
        "rungs left": block(TITLE, rungs.bottom + 2, 2),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "What an amount of funds pays after an event of default, in the order of the clause.",
        inputs=True,
    )
    put(sheet, 5, 1, "Funds received", theme.KEY)
    put(sheet, 5, 2, _FUNDS, theme.INPUT, theme.MONEY)
    whole = layout["Claims"]
    notes = {
        "Due": rules.NOTES.note,
        "Rung": "\n".join((rules.COSTS.note, rules.NOTES.note, rules.FEES.note, rules.HOLDING.note)),
        "Paid": rules.BETWEEN.note,
    }
    write_array(sheet, whole, "=XM_LOAN_CLAIMS(Agreement,Banks,Providers,Funds)", HEADINGS, notes)
    theme.widths(sheet, 1, 26, 24, 26, 17, 17, 17, 3, 19, 17)
    _native(sheet, contents, layout, whole)
    _rungs(sheet, layout, whole)
    sheet.freeze_panes = f"A{_TOP}"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _rung_of(contents: Model) -> list[int]:
    """The rung of each claim, from 0, as the function lists them."""
    banks, providers = (len(contents.tables[name]) - 1 for name in ("Banks", "Providers"))
    return [0] * (1 + banks) + [1] * (banks + providers) + [2] * banks + [3]


def _native(sheet: Worksheet, contents: Model, layout: Layout, whole: Block) -> None:
    """Each claim's exact share of what reaches its rung, and how far beyond a cent the array is off."""
    rungs = layout["rungs"]
    exact, less = [], []
    for row, rung in zip(range(whole.top, whole.bottom + 1), _rung_of(contents), strict=True):
        earlier = here(Block(TITLE, rungs.top - 1, 2, rungs.top + rung - 1, 2))
        total = a1(rungs.top + rung, 2)
        reaches = f"MAX(0,MIN(Funds-SUM({earlier}),{total}))"
        exact.append(f"=IF(ROUND({total},2)=0,0,{reaches}*{a1(row, 4)}/{total})")
        less.append(
            f"=ROUND(MAX(0,ABS({a1(row, 8)}-{a1(row, 5)})-0.01),4)"
            f"+ROUND({a1(row, 4)}-{a1(row, 5)}-{a1(row, 6)},2)"
        )
    native = layout["claims native"]
    write_headings(sheet, native, [Heading("Exact share, native", "money")])
    for offset, formula in enumerate(exact):
        put(sheet, native.top + offset, native.left, formula, theme.PLAIN, theme.MONEY)
    proof_column(sheet, layout["claims difference"], "Beyond a cent", less)


def _rungs(sheet: Worksheet, layout: Layout, whole: Block) -> None:
    found = layout["rungs"]
    put(sheet, found.top - 2, 1, "By rung", theme.SECTION)
    for offset, heading in enumerate(("Rung", "Due", "Paid", "Short", "In full")):
        look = theme.HEADING if offset else theme.TEXT_HEADING
        put(sheet, found.top - 1, 1 + offset, heading, theme.STATE_HEADING if offset == 4 else look)
    names = here(column_of(whole, 0))
    proofs = []
    for n, rung in enumerate(_RUNGS):
        row = found.top + n
        put(sheet, row, 1, _RUNG_NAMES[n], theme.PLAIN)
        theme.note(sheet, row, 1, _NOTES[rung].note)
        for offset in range(3):
            summed = here(column_of(whole, 3 + offset))
            formula = f'=SUMIFS({summed},{names},"{rung}")'
            put(sheet, row, 2 + offset, formula, theme.PLAIN, theme.MONEY)
        put(sheet, row, 5, f"=ROUND({a1(row, 4)},2)=0", theme.STATE, theme.FLAG)
        until = here(Block(TITLE, found.top, 2, row, 2))
        paid = here(Block(TITLE, found.top, 3, row, 3))
        proofs.append(f"=ROUND(MIN(Funds,SUM({until}))-SUM({paid}),2)")
    proof_column(sheet, layout["rungs difference"], "In order, difference", proofs)
    theme.widths(sheet, 6, 17)
    left = layout["rungs left"]
    put(sheet, left.top, 1, "Left with the agent", theme.STRONG)
    theme.note(sheet, left.top, 1, rules.LEFT.note)
    put(sheet, left.top, 2, f"=Funds-SUM({here(column_of(found, 2))})", theme.TOTAL, theme.MONEY)


SHEET = Sheet(TITLE, place, write)
