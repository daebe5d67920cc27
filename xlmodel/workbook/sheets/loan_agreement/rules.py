"""What the workbook of a loan agreement follows."""

from __future__ import annotations

from xlmodel.workbook.sheets.clauses import ASSUMED, CLAUSE, PRACTICE, Rule

RATEABLY = Rule(
    "Payments and Collections: before an event of default",
    CLAUSE,
    "What is paid on Term Notes goes to the banks by Term Loan Percentage on the day of receipt; what"
    " is paid on Revolving Notes, commitment fees and letter of credit fees by Revolving Percentage.",
    "Receipts: the banks' columns",
    "Loan agreement, Payments and Collections",
)
COSTS = Rule(
    "Payments and Collections (a)",
    CLAUSE,
    "After an event of default first the agent and the banks for unreimbursed costs of collection, "
    "rateably by costs incurred.",
    "After default, rung a; Receipts",
    "Loan agreement, Payments and Collections",
)
NOTES = Rule(
    "Payments and Collections (b)",
    CLAUSE,
    "Next pro rata the banks, by Total Percentage, on the notes, and the rate protection providers, "
    "by what is outstanding and owed to each.",
    "After default, rung b; Receipts",
    "Loan agreement, Payments and Collections",
)
FEES = Rule(
    "Payments and Collections (c)",
    CLAUSE,
    "Next the banks, by Revolving Percentage, for unpaid commitment fees and letter of credit fees.",
    "After default, rung c; Receipts",
    "Loan agreement, Payments and Collections",
)
HOLDING = Rule(
    "Payments and Collections (d)",
    CLAUSE,
    "Last the holding account, to cover outstanding letters of credit.",
    "After default, rung d; Receipts",
    "Loan agreement, Payments and Collections",
)
BETWEEN = Rule(
    "Pro rata between notes and rate protection",
    PRACTICE,
    "The clause says pro rata and not by what: by the amounts outstanding, each bank's part of the "
    "notes being its Total Percentage of them.",
    "After default, rung b",
    "Rateable sharing by outstanding obligations, as the LSTA's Complete Credit Agreement Guide "
    "(Bellucci and McCluskey, 2nd edition, 2017) describes pro rata sharing",
)
LEFT = Rule(
    "What no rung takes",
    ASSUMED,
    "It stays with the agent; the clause does not say whose it is.",
    "Receipts: left with the agent",
    "no clause says so",
)
CENTS = Rule(
    "Odd cents",
    ASSUMED,
    "By largest remainder, ties in the order of the tables.",
    "all shares",
    "rounding is not stated",
)
RULES = (
    RATEABLY,
    COSTS,
    NOTES,
    FEES,
    HOLDING,
    BETWEEN,
    LEFT,
    CENTS,
)
