"""Allocation: what the trust collects, what goes to its series and what is the transferor's."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.trust.tables import TRUST_COLUMNS
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, at, proof_column, write_array
from xlmodel.workbook.sheets.card_trust import rules
from xlmodel.workbook.sheets.card_trust.shape import TABLES, series_count, series_heading, trust_months
from xlmodel.workbook.sheets.layout import Layout, Sheet, block

TITLE = "Allocation"
_TOP = 6
HEADINGS = tuple(Heading(column.heading, column.holds) for column in TRUST_COLUMNS)
_NOTES = {
    "Finance charges": rules.FLOATING.note,
    "Finance charges to transferor": rules.FLOATING.note,
    "Principal to transferor": rules.PERCENTAGES.note,
    "Excess finance charges shared": rules.EXCESS.note,
    "Principal shared": rules.SHARED_PRINCIPAL.note,
    "Used from special funding": rules.TRANSFEROR.note,
    "To special funding": rules.TRANSFEROR.note,
    "Transferor's interest": rules.TRANSFEROR.note,
    "Minimum": rules.TRANSFEROR.note,
    "Defaults": rules.RESTRICTION.note,
}
_INTEREST = "Transferor's interest"
_PROOFS = ("finance", "principal", "defaults", "receivables", "transferor")


def place(contents: Model) -> Mapping[str, Block]:
    months = trust_months(contents)
    whole = block(TITLE, _TOP, 1, months, len(HEADINGS))
    proofs = {
        f"allocation {name}": block(TITLE, _TOP, whole.right + 2 + n, months)
        for n, name in enumerate(_PROOFS)
    }
    return {"TrustMonths": whole, **proofs}


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "Collections to the series and to the transferor, and what the trust holds.",
    )
    whole = layout["TrustMonths"]
    write_array(sheet, whole, f"=XM_TRUST_MONTHS({TABLES})", HEADINGS, _NOTES)
    months = whole.shape[0]
    theme.group(sheet, _TOP - 2, whole.right + 2, len(_PROOFS), "Native proof, differences")
    for name, heading, field in (
        ("finance", "Finance charges allocated", "Finance charges"),
        ("principal", "Principal allocated", "Principal"),
        ("defaults", "Defaults allocated", "Defaults"),
    ):
        formulas = []
        for row in range(months):
            parts = "+".join(series_heading(layout, n, field, row) for n in range(series_count(contents)))
            left = at(whole, HEADINGS, f"{field} to transferor", row)
            formulas.append(f"=ROUND({parts}+{left}-{at(whole, HEADINGS, field, row)},2)")
        proof_column(sheet, layout[f"allocation {name}"], heading, formulas)
    rolls, interests = [], []
    for row in range(months):
        here = {heading.text: at(whole, HEADINGS, heading.text, row) for heading in HEADINGS}
        rolls.append(
            f"=ROUND({here['Receivables']}+{here['Added']}-{here['Principal']}-{here['Defaults']}"
            f"-{here['Receivables after']},2)"
        )
        interests.append(
            f"=ROUND({here['Receivables after']}+{here['Special funding after']}"
            f"-{here['Adjusted invested amounts after']}-{here[_INTEREST]}"
            f"+{here['Assets short of invested amounts']},2)"
        )
    proof_column(sheet, layout["allocation receivables"], "Receivables roll", rolls)
    proof_column(sheet, layout["allocation transferor"], "Transferor's interest", interests)
    sheet.freeze_panes = f"B{_TOP}"
    last = layout["allocation transferor"].right
    theme.print_in_groups(
        sheet,
        title=f"{contents.title} – {TITLE}",
        printed=Block(TITLE, _TOP - 2, 1, whole.bottom, last),
        title_rows=(_TOP - 2, _TOP - 1),
        title_columns=(1, 1),
        ends=[7, 10, 15, 18, whole.right, last],
    )


SHEET = Sheet(TITLE, place, write)
