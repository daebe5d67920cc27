"""The tables that describe a master trust: Trust, Groups, Series, Classes, Months."""

from __future__ import annotations

from xlmodel.tables import Column, Kind, Schema

TRUST = Schema(
    "Trust",
    (
        Column("trust", Kind.NAME, "name of the trust", required=True, width=34),
        Column("receivables", Kind.AMOUNT, "principal receivables before the first month", True, 20),
        Column("minimum transferor", Kind.RATE, "least transferor's interest, of receivables", True, 14),
        Column("account rate", Kind.RATE, "what the accounts earn, per annum", True, 12),
        Column("months averaged", Kind.COUNT, "months in the average excess spread", True, 12),
        Column("restricted from", Kind.DATE, "first month of a transfer restriction event", width=16),
    ),
    help="One row: what concerns the whole trust.",
)
GROUPS = Schema(
    "Groups",
    (
        Column("group", Kind.NAME, "name of the group", required=True, width=14),
        Column(
            "reallocates", Kind.FLAG, "TRUE: its series pool their finance charges by need", True, width=14
        ),
    ),
    help="A row a group of series.",
)
SERIES = Schema(
    "Series",
    (
        Column("series", Kind.NAME, "name of the series", required=True, width=14),
        Column("group", Kind.NAME, "the group that it belongs to", width=10),
        Column("servicing fee", Kind.RATE, "per annum of the invested amount", True, 12),
        Column("accumulates from", Kind.DATE, "first month of the accumulation period", True, 16),
        Column("expected payment", Kind.DATE, "month of the expected final payment", True, 16),
        Column("controlled amount", Kind.AMOUNT, "deposit of each month of accumulation", True, 18),
        Column("reserve", Kind.RATE, "required reserve, of the senior class's balance", True, 10),
        Column("reserve from", Kind.DATE, "first month in which the reserve is funded", True, 16),
        Column("shares principal", Kind.FLAG, "TRUE for a Principal Sharing Series", True, 12),
        Column("shares excess", Kind.FLAG, "TRUE for an Excess Allocation Series", True, 12),
    ),
    help="A row a series.",
)
CLASSES = Schema(
    "Classes",
    (
        Column("class", Kind.NAME, "name of the class", required=True, width=14),
        Column("series", Kind.NAME, "the series that it belongs to", True, 14),
        Column("amount", Kind.AMOUNT, "initial balance", True, 18),
        Column("rate", Kind.RATE, "per annum, a twelfth each month", True, 12),
    ),
    help="A row a class, senior first within its series.",
)
MONTHS = Schema(
    "Months",
    (
        Column("month", Kind.DATE, "last day of the monthly period", True, 14),
        Column("finance charges", Kind.AMOUNT, "finance charge collections on the accounts", True, 18),
        Column("principal", Kind.AMOUNT, "principal collections on the accounts", True, 18),
        Column("defaults", Kind.AMOUNT, "principal receivables charged off", True, 18),
        Column("added", Kind.AMOUNT, "principal receivables transferred to the trust", True, 18),
    ),
    help="A row a monthly period: what the servicer reports of the accounts.",
)
SCHEMAS = (TRUST, GROUPS, SERIES, CLASSES, MONTHS)
