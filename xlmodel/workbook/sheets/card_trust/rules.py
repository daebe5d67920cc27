"""What a card master trust follows: clauses of agreements, and practice where they are silent.

Sources of practice were read in public filings and collections of filed agreements; no wording is theirs.
"""

from __future__ import annotations

from xlmodel.workbook.sheets.clauses import ASSUMED, CLAUSE, PRACTICE, Rule

FLOATING = Rule(
    "Allocations of Finance Charge Collections",
    CLAUSE,
    "A series is allocated floating percentage × series percentage × the finance charge collections "
    "deposited.",
    "Allocation; Series sheets: Finance charges",
    "Series 1997-1 supplement, Allocations of Finance Charge Collections",
)
SHARED_PRINCIPAL = Rule(
    "Shared Principal Collections",
    CLAUSE,
    "All shared principal × the series' principal shortfall / all principal shortfalls. The shortfall"
    " is zero in the revolving period; in accumulation the controlled deposit less available "
    "principal; in early amortization the invested amount less available principal, shared principal "
    "left out both times. Never more than the shortfall.",
    "Series sheets: Principal shortfall, Shared principal; One month",
    "Series 2018-6 supplement, Shared Principal Collections",
)
EXCESS = Rule(
    "Excess Finance Charge Collections",
    CLAUSE,
    "All excess finance charges × the series' finance charge shortfall / all such shortfalls. The "
    "shortfall is the full amount required less reallocated finance charges, proceeds of the "
    "principal funding account and draws on the reserve account. Never more than the shortfall.",
    "Series sheets: Finance charge shortfall, Excess; One month",
    "Series 2018-6 supplement, Excess Finance Charge Collections",
)
RESTRICTION = Rule(
    "Account Allocations (Transfer Restriction Event)",
    CLAUSE,
    "Once the transferor can transfer nothing more, the first collections received on the accounts "
    "belong to the trust until it has been paid as much as it held at the event; receivables written "
    "off go on being allocated. Only where law forbids this is each account's payment applied to its "
    "oldest balance first.",
    "Terms: restricted from; Restriction",
    "Transfer agreement, Account Allocations",
)
REALLOCATED = Rule(
    "Reallocated Principal Collections",
    PRACTICE,
    "Principal of a junior class pays interest that a senior class is short of; the most junior class"
    " gives first, at most its share of principal and its invested amount, and is written down by "
    "what it gives. The clause at hand stops before its list.",
    "Series sheets: Reallocated principal; class columns: principal taken",
    "Reallocated Principal Collections clauses of Series 1996-7 and 1999-A certificates (collections "
    "of filed agreements)",
)
PERCENTAGES = Rule(
    "Series, floating and fixed percentages",
    PRACTICE,
    "Numerator: the adjusted invested amount (invested less principal funding account), for principal"
    " after the revolving period the invested amount at its end. Denominator: the greater of "
    "receivables with the special funding account and all numerators. Defaults always float.",
    "Allocation; Series sheets: percentages; One month",
    "Fixed Allocation Percentage as filed agreements define it: invested amount at the end of the "
    "revolving period over the greater of principal receivables and all numerators",
)
POOLING = Rule(
    "Reallocated Investor Finance Charge Collections",
    PRACTICE,
    "Series of a group that reallocates pool their finance charges: interest of all, then fees, then "
    "defaults, each pro rata; the rest by adjusted invested amount. The clause names the term only.",
    "Series sheets: Reallocated finance charges",
    "American Express Credit Account Master Trust, prospectus for Series 2017-1 (14 February 2017), "
    "reallocation group",
)
APPLICATION = Rule(
    "Application of finance charges",
    PRACTICE,
    "Interest class by class with what is overdue, servicing fee, defaults (then principal), earlier "
    "write-downs, reserve account; what is left is shared, then the transferor's. Interest runs on "
    "the balance outstanding.",
    "Series sheets: due and paid columns",
    "American Express Credit Account Master Trust, Series 2018-1 supplement, Excess Spread; Excess "
    "Finance Charge Collections",
)
CHARGE_OFFS = Rule(
    "Charge-offs and their reimbursement",
    PRACTICE,
    "Defaults that finance charges do not cover write the most junior class down first, none below "
    "zero; later finance charges make write-downs good, the senior class's first.",
    "Series sheets: Charged off, Reimbursed; class columns",
    "Investor Charge-Offs clauses with collateral interest, Class B, Class A (collections of filed "
    "agreements)",
)
ACCUMULATION = Rule(
    "Controlled accumulation, principal funding and reserve account",
    PRACTICE,
    "In accumulation the controlled amount and what earlier months were short of is deposited; in the"
    " expected month it is paid out, senior class first, and what is then unpaid amortizes early. The"
    " reserve account, funded from a month on, pays what the deposits earn less than they cost.",
    "Series sheets: Wanted, Deposit, Principal funding, Reserve",
    "American Express Credit Account Master Trust, prospectus for Series 2022-1 (10 March 2022)",
)
SPREAD = Rule(
    "Excess spread and early amortization",
    PRACTICE,
    "Yield: twelve times finance charges, proceeds and draws less defaults, over the invested amount;"
    " base rate: interest and fee likewise. Is the average of three months below zero, early "
    "amortization begins the next month.",
    "Series sheets: Portfolio yield to Average excess spread",
    "American Express Credit Account Master Trust, Series Adjusted Portfolio Yield (Series 2021-1); "
    "three-month test: GE Capital Credit Card Master Note Trust, Series Early Amortization Events; "
    "Moody's Approach to Rating Credit Card Receivables-Backed Securities",
)
TRANSFEROR = Rule(
    "Transferor's interest and its minimum",
    PRACTICE,
    "Receivables and special funding account less adjusted invested amounts. While it is below its "
    "minimum principal that would be the transferor's stays in the special funding account, and is "
    "shared where series are short.",
    "Allocation: Transferor's interest, Minimum, special funding",
    "American Express Credit Account Master Trust, prospectus for Series 2017-1 (14 February 2017)",
)
GIVING = Rule(
    "Who gives what is shared",
    ASSUMED,
    "Where less is wanted than there is to share, each gives in proportion to what it has, and keeps "
    "the rest.",
    "Series sheets: Excess given, Shared principal given",
    "no clause says so",
)
MONTHS = Rule(
    "Months",
    ASSUMED,
    "A twelfth of the annual rates a month; series outstanding from the first month on; no earnings "
    "on the reserve and special funding accounts.",
    "Terms, Months",
    "simplification",
)
RULES = (
    FLOATING,
    SHARED_PRINCIPAL,
    EXCESS,
    RESTRICTION,
    REALLOCATED,
    PERCENTAGES,
    POOLING,
    APPLICATION,
    CHARGE_OFFS,
    ACCUMULATION,
    SPREAD,
    TRANSFEROR,
    GIVING,
    MONTHS,
)
