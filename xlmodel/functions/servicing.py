"""A servicer's remittances and advances in cells."""

from __future__ import annotations

from xlmodel.deal.advance_tables import LEDGER_HEADER, read_conditions, read_ledger, read_servicer, sheet_rows
from xlmodel.deal.advances import monthly_condition, remittance
from xlmodel.errors import XlmodelError
from xlmodel.functions.cells import Rows, dates
from xlmodel.functions.kinds import Boolean, Range
from xlmodel.functions.refusals import blaming, blaming_tables, padded
from xlmodel.functions.registry import function

_TABLES = ("servicer", "conditions", "receipts", "advances", "determinations")


@function("XM_REMITTANCE_DATES", "Trust")
def remittance_dates(servicer: Range, conditions: Range, received: Range, header: Boolean = False) -> Rows:
    """When a servicer remits what it receives on each date at the latest, and why.

    One row a date; columns: remittance date; closing date, two business days, or monthly.  Monthly, on the
    business day before the distribution date, only while the Monthly Remittance Condition holds.

    servicer: The range Servicer, with its headings: cutoff and closing date, day of distribution, calendar.
    conditions: The range Conditions: from when on which limbs of the condition hold.
    received: Dates of receipt, after the cutoff date.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    with blaming_tables(_TABLES):
        one, limbs = read_servicer(servicer), read_conditions(conditions)
    rows: Rows = [["Remitted by", "Basis"]] if header else []
    with blaming("received"):
        days = dates(received) or []
    width = len(received[0])
    for position, day in enumerate(days):
        try:
            on, basis = remittance(one, day, monthly_condition(limbs, day))
        except XlmodelError as error:
            row, column = divmod(position, width)
            raise error.at(argument="received", row=row + 1, column=column + 1) from None
        rows.append([on, basis.value])  # type: ignore[list-item]  # a date becomes its serial in result_rows
    return rows


@function("XM_ADVANCE_LEDGER", "Trust")
def advance_ledger(
    servicer: Range,
    conditions: Range,
    receipts: Range,
    advances: Range,
    determinations: Range,
    header: Boolean = False,
) -> Rows:
    """The ledger of a servicer: what it receives, advances, keeps in reimbursement and remits, and when.

    One row a row of receipts, advances and determinations, in order of date; those for blank rows are blank
    and stand at the end.  Out of what a receivable pays its Simple Interest Advances are kept first, then
    Unreimbursed Servicer Advances; the rest is remitted.

    servicer: The range Servicer, with its headings.
    conditions: The range Conditions.
    receipts: The range Receipts.
    advances: The range Advances: Simple Interest Advances.
    determinations: The range Determinations: advances that became Unreimbursed Servicer Advances.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    with blaming_tables(_TABLES):
        lines = read_ledger(servicer, conditions, receipts, advances, determinations)
    size = sum(len(table) - 1 for table in (receipts, advances, determinations))
    found: Rows = [[*LEDGER_HEADER]] if header else []
    return [*found, *padded(sheet_rows(lines), size)]
