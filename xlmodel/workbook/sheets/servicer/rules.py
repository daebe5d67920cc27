"""What the workbook of a servicer's remittances and advances follows."""

from __future__ import annotations

from xlmodel.workbook.sheets.clauses import ASSUMED, CLAUSE, PRACTICE, Rule

IDENTIFY = Rule(
    "Collections and Allocations",
    CLAUSE,
    "Collections are identified and deposited promptly, at the latest two business days after receipt.",
    "Ledger: Remitted on",
    "Servicing agreement with a borrower, Collections and Allocations (a)",
)
DAILY = Rule(
    "Collections: two business days",
    CLAUSE,
    "Everything received on or in respect of the receivables, liquidation proceeds included, is "
    "remitted by the close of business on the second business day after receipt.",
    "Ledger: Remitted on, Basis",
    "Sale and servicing agreement, Collections",
)
MONTHLY = Rule(
    "Collections: Monthly Remittance Condition",
    CLAUSE,
    "While the named company services, no servicing termination event continues and its short-term "
    "ratings are at least A-1 (S&P) and F1 (Fitch), what a collection period brings may be remitted "
    "on the business day before the next distribution date. The condition was not met at closing.",
    "Terms: Conditions; Ledger: Basis",
    "Sale and servicing agreement, Collections",
)
CLOSING = Rule(
    "Collections: closing date remittance",
    CLAUSE,
    "What was received after the cutoff date, up to the second business day before closing, is "
    "remitted on the closing date.",
    "Ledger: Remitted on",
    "Sale and servicing agreement, Collections",
)
ADVANCE = Rule(
    "Collections: Simple Interest Advances",
    CLAUSE,
    "Out of what is received on a receivable with an unreimbursed Simple Interest Advance the "
    "servicer keeps as much as that advance, and remits the rest.",
    "Ledger: Kept for its advance",
    "Sale and servicing agreement, Collections",
)
UNREIMBURSED = Rule(
    "Collections: Unreimbursed Servicer Advances",
    CLAUSE,
    "If the servicer determines that it has made an Unreimbursed Servicer Advance, it keeps amounts "
    "received on or in respect of the receivables.",
    "Receipts: Determinations; Ledger: Kept for unreimbursed advances",
    "Sale and servicing agreement, Collections, and its Section 4.4(b)",
)
EXCLUDED = Rule(
    "Collections: what is not remitted",
    CLAUSE,
    "Supplemental servicing fees and payments on purchased receivables are left out.",
    "Ledger: Not remitted by its kind",
    "Sale and servicing agreement, Collections",
)
WHOLE_POOL = Rule(
    "Out of which receipts an Unreimbursed Servicer Advance is kept",
    PRACTICE,
    "Section 4.4(b) is not in the clauses at hand: out of whatever is received on any receivable, "
    "after that receivable's own advances, until it is reimbursed.",
    "Ledger: Kept for unreimbursed advances",
    "California Republic Auto Receivables Trust 2018-1, sale and servicing agreement, Advances by the"
    " Servicer (nonrecoverable advances); CarMax Auto Owner Trust 2015-2, sale and servicing "
    "agreement (1 May 2015), Section 4.4",
)
AMOUNT = Rule(
    "Amount of an advance",
    PRACTICE,
    "A month's interest on the receivable's balance less the interest received; here the amounts are inputs.",
    "Receipts: Advances",
    "California Republic Auto Receivables Trust 2018-1, sale and servicing agreement, Advances by the"
    " Servicer",
)
ORDER = Rule(
    "Order within a day",
    ASSUMED,
    "Advances count first, then determinations, then receipts, each in the order of its table.",
    "Ledger",
    "no clause says so",
)
CALENDAR = Rule(
    "Business days",
    ASSUMED,
    "Those of the Federal Reserve Banks; the clause at hand does not define them.",
    "Terms: calendar",
    "Federal Reserve holiday rule",
)
RULES = (
    IDENTIFY,
    DAILY,
    MONTHLY,
    CLOSING,
    ADVANCE,
    UNREIMBURSED,
    EXCLUDED,
    WHOLE_POOL,
    AMOUNT,
    ORDER,
    CALENDAR,
)
