"""Ledger: every event with what the servicer keeps and remits, and native proofs of each line."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.advance_tables import LEDGER_HEADER
from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, at, proof_column, write_array
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, here
from xlmodel.workbook.sheets.servicer import rules

TITLE = "Ledger"
_TOP = 6
# Blank rows of the tables of events, for those that the desk adds; the ledger has a row for each.
SPARE = {"Receipts": 4, "Advances": 2, "Determinations": 2}
_HOLDS = {
    "Date": "date",
    "Remitted on": "date",
    "Event": "text",
    "Receivable": "text",
    "Kind": "text",
    "Basis": "text",
}
HEADINGS = tuple(Heading(text, _HOLDS.get(text, "money")) for text in LEDGER_HEADER)
TABLES = "Servicer,Conditions,Receipts,Advances,Determinations"
_NOTES = {
    "Not remitted by its kind": rules.EXCLUDED.note,
    "Kept for its advance": rules.ADVANCE.note,
    "Kept for unreimbursed advances": f"{rules.UNREIMBURSED.note}\n{rules.WHOLE_POOL.note}",
    "Remitted": rules.DAILY.note,
    "Remitted on": "\n".join((rules.DAILY.note, rules.CLOSING.note, rules.MONTHLY.note)),
    "Basis": rules.MONTHLY.note,
    "Date": rules.ORDER.note,
}
PROOFS = ("used", "outstanding", "unreimbursed", "in time")


def filled(contents: Model) -> int:
    """Events in the tables."""
    return sum(len(contents.tables[name]) - 1 for name in SPARE)


def place(contents: Model) -> Mapping[str, Block]:
    count = filled(contents) + sum(SPARE.values())
    whole = block(TITLE, _TOP, 1, count, len(HEADINGS))
    proofs = {
        f"ledger {name}": block(TITLE, _TOP, whole.right + 2 + n, count) for n, name in enumerate(PROOFS)
    }
    # From the amount on, without the spare rows: what is compared with figures worked by hand.
    amounts = block(TITLE, _TOP, 5, filled(contents), len(HEADINGS) - 4)
    return {"AdvanceLedger": whole, "LedgerAmounts": amounts, **proofs}


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "In order of date: received, advanced, determined; kept, remitted, outstanding.",
    )
    whole = layout["AdvanceLedger"]
    write_array(sheet, whole, f"=XM_ADVANCE_LEDGER({TABLES})", HEADINGS, _NOTES)
    theme.widths(sheet, 4, 27)
    theme.group(sheet, _TOP - 2, whole.right + 2, len(PROOFS), "Native proof, differences")
    formulas: dict[str, list[str]] = {name: [] for name in PROOFS}
    for row in range(whole.shape[0]):
        v = {heading.text: at(whole, HEADINGS, heading.text, row) for heading in HEADINGS}
        kept = f"{v['Kept for its advance']}+{v['Kept for unreimbursed advances']}"
        blank = f'{v["Event"]}=""'
        used = f"{v['Amount']}-{v['Not remitted by its kind']}-({kept})-{v['Remitted']}"
        formulas["used"].append(f'=IF({v["Event"]}="receipt",ROUND({used},2),0)')
        formulas["outstanding"].append(f"=IF({blank},0,{_outstanding(whole, row)})")
        formulas["unreimbursed"].append(f"=IF({blank},0,{_unreimbursed(whole, row)})")
        # Two business days are four days at most over a weekend, five where a holiday adjoins it.
        late = f'IF({v["Basis"]}="two business days",MAX(0,{v["Remitted on"]}-{v["Date"]}-5),0)'
        formulas["in time"].append(f"=IF({blank},0,{late})")
    for name, heading in zip(
        PROOFS,
        ("Received less kept and remitted", "Outstanding on it", "Unreimbursed", "Days beyond five"),
        strict=True,
    ):
        proof_column(sheet, layout[f"ledger {name}"], heading, formulas[name])
    theme.mark_advance(sheet, Block(TITLE, whole.top, 1, whole.bottom, whole.right), 2)
    sheet.freeze_panes = f"D{_TOP}"
    last = layout[f"ledger {PROOFS[-1]}"].right
    theme.print_in_groups(
        sheet,
        title=f"{contents.title} – {TITLE}",
        printed=Block(TITLE, _TOP - 2, 1, whole.bottom, last),
        title_rows=(_TOP - 2, _TOP - 1),
        title_columns=(1, 3),
        ends=[9, whole.right, last],
    )


def _until(whole: Block, heading: str, row: int) -> str:
    column = whole.left + [one.text for one in HEADINGS].index(heading)
    return here(Block(TITLE, whole.top, column, whole.top + row, column))


def _outstanding(whole: Block, row: int) -> str:
    """Advanced on a receivable, less determined and kept, by SUMIFS over the lines until this one."""
    events, names = _until(whole, "Event", row), _until(whole, "Receivable", row)
    amounts, kept = _until(whole, "Amount", row), _until(whole, "Kept for its advance", row)
    name = at(whole, HEADINGS, "Receivable", row)
    made = f'SUMIFS({amounts},{events},"advance",{names},{name})'
    gone = f'SUMIFS({amounts},{events},"determination",{names},{name})+SUMIFS({kept},{names},{name})'
    return f"ROUND({made}-({gone})-{at(whole, HEADINGS, 'Advances outstanding on it', row)},2)"


def _unreimbursed(whole: Block, row: int) -> str:
    events, amounts = _until(whole, "Event", row), _until(whole, "Amount", row)
    kept = _until(whole, "Kept for unreimbursed advances", row)
    left = at(whole, HEADINGS, "Unreimbursed advances outstanding", row)
    return f'ROUND(SUMIFS({amounts},{events},"determination")-SUM({kept})-{left},2)'


SHEET = Sheet(TITLE, place, write)
