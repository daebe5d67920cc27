"""Report: the ledger by month and by day of remittance, as a servicer reports it; all native."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, column_under, proof_column, write_headings
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, here
from xlmodel.workbook.sheets.servicer import rules
from xlmodel.workbook.sheets.servicer.ledger import HEADINGS as LEDGER_HEADINGS
from xlmodel.workbook.sheets.theme import put

TITLE = "Report"
_TOP = 6
_DAYS_AFTER = 20
_MONTHLY = (
    Heading("Month to", "date"),
    Heading("Received", "money"),
    Heading("Not remitted by kind", "money"),
    Heading("Kept for advances", "money"),
    Heading("Kept for unreimbursed", "money"),
    Heading("Remitted or to be", "money"),
    Heading("Advances, opening", "money"),
    Heading("Made", "money"),
    Heading("Reimbursed", "money"),
    Heading("Determined", "money"),
    Heading("Advances, closing", "money"),
    Heading("Unreimbursed, opening", "money"),
    Heading("Added", "money"),
    Heading("Kept", "money"),
    Heading("Unreimbursed, closing", "money"),
)
_DAILY = (
    Heading("Day", "date"),
    Heading("Received", "money"),
    Heading("Not remitted by kind", "money"),
    Heading("Kept", "money"),
    Heading("Held after the day", "money"),
    Heading("Remitted", "money"),
)


def months(contents: Model) -> int:
    first, last = _span(contents)
    return (last.year - first.year) * 12 + last.month - first.month + 1


def days(contents: Model) -> int:
    """From the first receipt until everything has been remitted for certain."""
    first, last = _span(contents)
    end = (last.replace(day=1) + dt.timedelta(days=31)).replace(day=1) + dt.timedelta(days=_DAYS_AFTER)
    return (end - first).days + 1


def _span(contents: Model) -> tuple[dt.date, dt.date]:
    dates = [
        row[0] for name in ("Receipts", "Advances", "Determinations") for row in contents.tables[name][1:]
    ]
    return min(dates), max(dates)


def place(contents: Model) -> Mapping[str, Block]:
    monthly = block(TITLE, _TOP, 1, months(contents), len(_MONTHLY))
    daily = block(TITLE, monthly.bottom + 6, 1, days(contents), len(_DAILY))
    return {
        "ReportMonths": monthly,
        "report totals": block(TITLE, monthly.bottom + 1, 1, 1, len(_MONTHLY)),
        "report proof": block(TITLE, _TOP, len(_MONTHLY) + 2, months(contents)),
        "ReportDays": daily,
        "report days proof": block(TITLE, daily.top, len(_DAILY) + 2, days(contents)),
        "report labels": block(TITLE, _TOP, len(_MONTHLY) + 4, months(contents)),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(sheet, contents.title, TITLE, "By month as reported, and by day as kept and remitted.")
    _monthly(sheet, contents, layout)
    _daily(sheet, contents, layout)
    sheet.freeze_panes = f"B{_TOP}"
    theme.print_setup(sheet, title_rows=(1, 2))
    theme.break_after_row(sheet, layout["ReportMonths"].bottom + 3)


def _sum(layout: Layout, amount: str, *conditions: tuple[str, str]) -> str:
    """SUMIFS over the ledger."""
    whole = layout["AdvanceLedger"]
    listed = "".join(
        f",{column_under(whole, LEDGER_HEADINGS, name).text()},{test}" for name, test in conditions
    )
    return f"SUMIFS({column_under(whole, LEDGER_HEADINGS, amount).text()}{listed})"


def _monthly(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    found, totals = layout["ReportMonths"], layout["report totals"]
    put(sheet, found.top - 2, 1, "Servicer's report, by month of receipt", theme.SECTION)
    write_headings(
        sheet,
        found,
        _MONTHLY,
        {
            "Not remitted by kind": rules.EXCLUDED.note,
            "Kept for advances": rules.ADVANCE.note,
            "Kept for unreimbursed": rules.UNREIMBURSED.note,
            "Remitted or to be": rules.DAILY.note,
            "Made": rules.AMOUNT.note,
            "Determined": rules.UNREIMBURSED.note,
        },
    )
    first = _span(contents)[0]
    proofs = []
    for row in range(found.top, found.bottom + 1):
        # From the month before a row's end until that end.
        day = f"=EOMONTH(DATE({first.year},{first.month},1),{row - found.top})"
        put(sheet, row, 1, day, theme.PLAIN, theme.DATE)
        end = a1(row, 1)
        inside = (("Date", f'">"&EOMONTH({end},-1)'), ("Date", f'"<="&{end}'))
        receipt = ("Event", '"receipt"')
        above = row - 1 if row > found.top else None
        formulas = [
            _sum(layout, "Amount", receipt, *inside),
            _sum(layout, "Not remitted by its kind", *inside),
            _sum(layout, "Kept for its advance", *inside),
            _sum(layout, "Kept for unreimbursed advances", *inside),
            _sum(layout, "Remitted", *inside),
            a1(above, 11) if above else "0",
            _sum(layout, "Amount", ("Event", '"advance"'), *inside),
            a1(row, 4),
            _sum(layout, "Amount", ("Event", '"determination"'), *inside),
            f"{a1(row, 7)}+{a1(row, 8)}-{a1(row, 9)}-{a1(row, 10)}",
            a1(above, 15) if above else "0",
            a1(row, 10),
            a1(row, 5),
            f"{a1(row, 12)}+{a1(row, 13)}-{a1(row, 14)}",
        ]
        for offset, formula in enumerate(formulas):
            put(sheet, row, 2 + offset, f"={formula}", theme.PLAIN, theme.MONEY)
        spent = "-".join(a1(row, column) for column in (3, 4, 5, 6))
        proofs.append(f"=ROUND({a1(row, 2)}-{spent},2)")
    put(sheet, totals.top, 1, "Total", theme.TOTAL)
    for column in range(2, len(_MONTHLY) + 1):
        summed = here(Block(TITLE, found.top, column, found.bottom, column))
        value = f"=SUM({summed})" if column not in (7, 11, 12, 15) else None
        put(sheet, totals.top, column, value, theme.TOTAL, theme.MONEY)
    proof_column(sheet, layout["report proof"], "Received less its uses", proofs)
    labels = layout["report labels"]
    write_headings(sheet, labels, [Heading("For the chart", "text")])
    for row in range(labels.top, labels.bottom + 1):
        put(sheet, row, labels.left, f'=TEXT({a1(row, 1)},"mmm yyyy")', theme.RIGHT)


def _daily(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    found = layout["ReportDays"]
    put(sheet, found.top - 2, 1, "Kept and remitted, by day", theme.SECTION)
    write_headings(
        sheet,
        found,
        _DAILY,
        {"Remitted": "\n".join((rules.DAILY.note, rules.CLOSING.note, rules.MONTHLY.note))},
    )
    proofs = []
    for row in range(found.top, found.bottom + 1):
        first = row == found.top
        day = f"={input_cell(layout, 'Receipts', 'received', 0)}" if first else f"={a1(row - 1, 1)}+1"
        put(sheet, row, 1, day, theme.PLAIN, theme.DATE)
        on = ("Date", a1(row, 1))
        kept = (
            f"{_sum(layout, 'Kept for its advance', on)}+{_sum(layout, 'Kept for unreimbursed advances', on)}"
        )
        before = "0" if first else a1(row - 1, 5)
        formulas = [
            _sum(layout, "Amount", ("Event", '"receipt"'), on),
            _sum(layout, "Not remitted by its kind", on),
            kept,
            f"ROUND({before}+{a1(row, 2)}-{a1(row, 3)}-{a1(row, 4)}-{a1(row, 6)},2)",
            _sum(layout, "Remitted", ("Remitted on", a1(row, 1))),
        ]
        for offset, formula in enumerate(formulas):
            put(sheet, row, 2 + offset, f"={formula}", theme.PLAIN, theme.MONEY)
        proofs.append(f"=MIN(0,{a1(row, 5)})" if row < found.bottom else f"={a1(row, 5)}")
    proof_column(sheet, layout["report days proof"], "Held below zero, or left", proofs)
    quiet = f"AND({a1(found.top, 2)}=0,{a1(found.top, 6)}=0)".replace("B", "$B").replace("F", "$F")
    theme.mark_quiet(sheet, found, quiet)


SHEET = Sheet(TITLE, place, write)
