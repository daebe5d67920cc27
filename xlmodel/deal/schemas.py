"""The tables that describe a deal: their columns, and the terms that every deal must state.

The same schemas read a deal folder (TOML) and a range of cells, and lay out the sheets, so the three
cannot drift apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from xlmodel.tables import Column, Kind, Schema

_STATUS = Column("status", Kind.TEXT, "stated, derived or assumed", required=True, width=10)
_PAGE = Column("page", Kind.NAME, "where the document says so", width=8)
_NOTE = Column("note", Kind.TEXT, "the document's rule in the desk's own words", width=70)
SOURCE = (_STATUS, _PAGE, _NOTE)

STATUSES = ("stated", "derived", "assumed")

TERMS = Schema(
    "Terms",
    (
        Column("term", Kind.TEXT, "name of the term", required=True, width=28),
        Column("value", Kind.ANY, "its value", required=True, width=18),
        *SOURCE,
    ),
    help="One row a term that concerns the whole deal.",
)

FEES = Schema(
    "Fees",
    (
        Column("fee", Kind.NAME, "name of the fee", required=True),
        Column("rate", Kind.RATE, "per annum, a twelfth each collection month", width=10),
        Column(
            "of",
            Kind.TEXT,
            "base: pool (at the start of the month), collecting pool (without lines that begin later) or"
            " cutoff pool",
        ),
        Column("amount", Kind.AMOUNT, "fixed, for each payment date", width=14, rare=True),
        Column("minimum", Kind.AMOUNT, "at least this much for each payment date", width=14, rare=True),
        Column(
            "first",
            Kind.NAME,
            "first payment instead: an amount, or a part of a year as 2/12",
            width=12,
            rare=True,
        ),
        Column("once", Kind.FLAG, "TRUE for a fee of the first payment only", width=8, rare=True),
        *SOURCE,
    ),
    help="What is owed to parties for their services, in each collection month.",
)

ACCOUNTS = Schema(
    "Accounts",
    (
        Column("account", Kind.NAME, "name of the account", required=True),
        Column("initial", Kind.AMOUNT, "deposit at closing", required=True, width=18),
        Column("requirement", Kind.TEXT, "measure that it is topped up to", required=True, width=22),
        Column("covers", Kind.NAME, "clauses whose shortfall it pays, with commas", required=True, width=28),
        Column("direct", Kind.NAME, "those paid past the collection account while accelerated", rare=True),
        Column("excess to", Kind.TEXT, "who gets what is above the requirement", required=True),
        *SOURCE,
    ),
    help="Accounts beside the collection account.",
)

MEASURES = Schema(
    "Measures",
    (
        Column("measure", Kind.NAME, "name of the measure; one row a component", required=True, width=22),
        Column("combine", Kind.TEXT, "sum, greatest or least of the components", required=True, width=10),
        Column("percent", Kind.NUMBER, "part of the base, as a decimal", width=10),
        Column("of", Kind.TEXT, "base of the percentage", width=22),
        Column("amount", Kind.AMOUNT, "a fixed amount, instead of a percentage", width=18),
        Column(
            "when", Kind.TEXT, "condition under which the row counts; blank is always", width=18, rare=True
        ),
        *SOURCE,
    ),
    help="Amounts that classes and accounts are compared with.",
)

CALLS = Schema(
    "Call",
    (
        Column("call", Kind.NAME, "name of the option", required=True, width=16),
        Column("test", Kind.TEXT, "measure tested", required=True),
        Column("at most", Kind.NUMBER, "part of the base, as a decimal", required=True, width=10),
        Column("of", Kind.TEXT, "measure that is the base", required=True),
        Column("price", Kind.TEXT, "what the purchaser pays", required=True, width=24),
        Column("exercised", Kind.FLAG, "TRUE when the projection assumes it", required=True, width=10),
        *SOURCE,
    ),
    help="The option to purchase what is left of the pool, on the first payment date that allows it.",
)

TRIGGERS = Schema(
    "Triggers",
    (
        Column("trigger", Kind.NAME, "name; one row for each span of dates", required=True, width=22),
        Column("test", Kind.TEXT, "measure, or: net loss, date", required=True, width=18),
        Column("is", Kind.TEXT, "above, below, at least or at most", required=True, width=10),
        Column("level", Kind.NUMBER, "part of the base, or of the cutoff pool for a net loss", width=10),
        Column("of", Kind.TEXT, "base of the level", width=16),
        Column("through", Kind.DATE, "last payment date of the row; blank is the last row", width=12),
        Column("latching", Kind.FLAG, "TRUE when it stays once it has been hit", required=True, width=9),
        *SOURCE,
    ),
    help="Tests on each payment date, before anything is paid; their names are conditions.",
)

SCHEDULES = Schema(
    "Schedules",
    (
        Column("schedule", Kind.NAME, "name of the schedule", required=True, width=22),
        Column(
            "date",
            Kind.DATE,
            "payment date, unadjusted; the cutoff date for the value at cutoff",
            required=True,
        ),
        Column("amount", Kind.NUMBER, "dollars, or a rate per annum for an index", required=True, width=18),
        Column("page", Kind.NAME, "where the document says so", width=8),
    ),
    help="Amounts and rates by payment date: yield supplements, swap payments, indices.",
)

POLICIES = Schema(
    "Policies",
    (
        Column("policy", Kind.NAME, "name of the policy", required=True),
        Column("premium", Kind.RATE, "per annum, a twelfth each payment date", required=True, width=10),
        Column("of", Kind.TEXT, "measure on which the premium is computed", required=True),
        Column(
            "reimbursement", Kind.RATE, "interest on unreimbursed payments, a twelfth a month", required=True
        ),
        Column("covers", Kind.NAME, "clauses whose shortfall it pays, with commas", required=True, width=28),
        Column("direct", Kind.NAME, "those paid past the collection account while accelerated", rare=True),
        *SOURCE,
    ),
    help="Insurance policies; they pay what accounts could not.",
)

EVENTS = Schema(
    "Events",
    (
        Column("event", Kind.NAME, "name of the event of default", required=True, width=22),
        Column("kind", Kind.TEXT, "what happens: one of the kinds of events.py", required=True, width=22),
        Column("of", Kind.NAME, "classes concerned", width=14),
        Column(
            "sale", Kind.TEXT, "who may sell the trust property after it, and when", required=True, width=26
        ),
        *SOURCE,
    ),
    help="Events of default under the indenture.",
)

OPENING = Schema(
    "Opening",
    (
        Column(
            "opening",
            Kind.TEXT,
            "what is carried: balance, overdue interest, overdue fee, account, ...",
            required=True,
        ),
        Column("of", Kind.NAME, "the class, fee, account or policy", required=True),
        Column("amount", Kind.AMOUNT, "at the as of date", required=True, width=18),
        *SOURCE,
    ),
    help="Where a run starts that does not start at closing.",
)

CLASSES = Schema(
    "Classes",
    (
        Column("class", Kind.NAME, "name of the class", required=True, width=16),
        Column("group", Kind.NAME, "classes of one group can be named together", required=True, width=14),
        Column("balance", Kind.AMOUNT, "initial principal balance", required=True, width=18),
        Column(
            "rate",
            Kind.RATE,
            "interest rate per annum; margin where there is an index",
            required=True,
            width=10,
        ),
        Column("index", Kind.NAME, "schedule whose rate the margin is added to", width=10, rare=True),
        Column("cap", Kind.RATE, "highest rate of a class with an index", width=8, rare=True),
        Column("day count", Kind.NAME, "how interest accrues", required=True, width=12),
        Column("accrual dates", Kind.TEXT, "adjusted or unadjusted payment dates", required=True),
        Column("rounding", Kind.TEXT, "of each interest amount", required=True, width=12),
        Column("final date", Kind.DATE, "final scheduled payment date", required=True, width=12),
        *SOURCE,
    ),
    help="The securities, senior first.",
)

PAYMENTS = Schema(
    "Payments",
    (
        Column(
            "priority",
            Kind.TEXT,
            "which list the row belongs to; blank is the ordinary one",
            width=10,
            rare=True,
        ),
        Column("clause", Kind.NAME, "number in the document, as printed", required=True, width=8),
        Column("pay", Kind.TEXT, "the amount: one of the kinds of steps.py", required=True, width=42),
        Column("to", Kind.TEXT, "payee, or classes in an order", required=True, width=36),
        Column("when", Kind.TEXT, "condition; blank is always", width=16),
        Column(
            "limit",
            Kind.NAME,
            "cap, such as 300000 a calendar year, divided by the order of the row; what is over it stays due",
            width=18,
            rare=True,
        ),
        Column("short", Kind.TEXT, "how a shortage inside the row is shared", width=16),
        _NOTE,
    ),
    help="The priority of payments: a row is a clause.",
)

# Tables that share the range Terms, stacked.
STACKED = (TERMS, FEES, ACCOUNTS, POLICIES, MEASURES, TRIGGERS, CALLS, EVENTS, OPENING, SCHEDULES)
TABLES = (*STACKED, CLASSES, PAYMENTS)


@dataclass(frozen=True)
class Term:
    """A term of the whole deal: its kind and what it means."""

    name: str
    kind: Kind
    help: str
    required: bool = True


TERM_LIST = (
    Term("deal", Kind.TEXT, "name of the deal"),
    Term("cutoff date", Kind.DATE, "collections after this day belong to the trust"),
    Term("closing date", Kind.DATE, "interest accrues from this day"),
    Term("first payment date", Kind.DATE, "first payment date, unadjusted"),
    Term("payment day", Kind.COUNT, "day of the month of a payment date, unadjusted"),
    Term("business day roll", Kind.TEXT, "where a payment date goes that is no business day"),
    Term("calendar", Kind.NAME, "whose business days"),
    Term("first collection months", Kind.COUNT, "months of collections in the first payment"),
    Term("prepayment model", Kind.NAME, "model of the speeds"),
    Term("average life from", Kind.DATE, "day from which average lives count"),
    Term("average life day count", Kind.NAME, "how their years count"),
    Term("table roll", Kind.TEXT, "roll of the payment dates in the printed tables", required=False),
    Term("as of date", Kind.DATE, "last payment date before a run that starts later", required=False),
    Term("cutoff pool", Kind.AMOUNT, "pool at cutoff, for a run that starts later", required=False),
)
