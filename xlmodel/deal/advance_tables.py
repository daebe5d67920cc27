"""A servicer's tables: Servicer, Conditions, Receipts, Advances, Determinations."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from xlmodel.conventions.calendar import find_calendar
from xlmodel.conventions.money import to_cents
from xlmodel.deal.advances import (
    ADVANCE,
    DETERMINATION,
    FITCH_RATINGS,
    KINDS,
    RECEIPT,
    SP_RATINGS,
    Condition,
    Event,
    Line,
    Servicer,
    ledger,
)
from xlmodel.errors import BadTable, OutOfOrder, OutOfRange, XlmodelError
from xlmodel.tables import Column, Kind, RawRows, Record, Schema, read

SERVICER = Schema(
    "Servicer",
    (
        Column("servicer", Kind.NAME, "name of the servicer", required=True, width=26),
        Column("cutoff date", Kind.DATE, "what is received after it is the trust's", True, 16),
        Column("closing date", Kind.DATE, "of the transaction", True, 16),
        Column("distribution day", Kind.COUNT, "day of the month, or the next business day", True, 14),
        Column("calendar", Kind.NAME, "which days are business days", True, 14),
    ),
)
CONDITIONS = Schema(
    "Conditions",
    (
        Column("from", Kind.DATE, "first day on which this is so", required=True, width=16),
        Column("is servicer", Kind.FLAG, "TRUE while the company named in the clause services", True, 12),
        Column(
            "termination event", Kind.FLAG, "TRUE while an Event of Servicing Termination continues", True, 14
        ),
        Column("s&p", Kind.NAME, "short-term rating by S&P", True, 10),
        Column("fitch", Kind.NAME, "short-term rating by Fitch", True, 10),
    ),
)
RECEIPTS = Schema(
    "Receipts",
    (
        Column("received", Kind.DATE, "day of receipt", required=True, width=14),
        Column("receivable", Kind.NAME, "the receivable that it was received on", True, 14),
        Column("kind", Kind.TEXT, "one of: " + ", ".join(KINDS), True, 26),
        Column("amount", Kind.AMOUNT, "what was received", True, 16),
    ),
)
ADVANCES = Schema(
    "Advances",
    (
        Column("advanced", Kind.DATE, "day of the Simple Interest Advance", required=True, width=14),
        Column("receivable", Kind.NAME, "the receivable that it was made on", True, 14),
        Column("amount", Kind.AMOUNT, "the advance", True, 16),
    ),
)
DETERMINATIONS = Schema(
    "Determinations",
    (
        Column("determined", Kind.DATE, "day on which the servicer so determines", required=True, width=14),
        Column("receivable", Kind.NAME, "the receivable that the advance was made on", True, 14),
        Column("amount", Kind.AMOUNT, "Unreimbursed Servicer Advance; blank for all outstanding", width=16),
    ),
)
SCHEMAS = (SERVICER, CONDITIONS, RECEIPTS, ADVANCES, DETERMINATIONS)


def read_servicer(rows: RawRows) -> Servicer:
    """The servicer of a table of one row.  Raises OutOfOrder for a closing date before the cutoff date."""
    records = read(SERVICER, rows)
    if len(records) != 1:
        raise BadTable(f"the table Servicer has {len(records)} rows", remedy="give one row").at(
            table="Servicer", row=1
        )
    one = records[0]
    if one["closing date"] < one["cutoff date"]:
        raise OutOfOrder("the closing date is before the cutoff date", remedy="correct one of them").at(
            **one.place("closing date")
        )
    if not 1 <= one["distribution day"] <= 28:
        raise OutOfRange("a day from 1 to 28 is asked for, which every month has").at(
            **one.place("distribution day")
        )
    with one.placed("calendar"):
        calendar = find_calendar(one["calendar"]).name
    return Servicer(one["cutoff date"], one["closing date"], int(one["distribution day"]), calendar)


def read_conditions(rows: RawRows) -> list[Condition]:
    """The conditions in order of their first day.  Raises OutOfOrder for one that is not later."""
    found: list[Condition] = []
    for record in read(CONDITIONS, rows):
        for heading, known in (("s&p", SP_RATINGS), ("fitch", FITCH_RATINGS)):
            record.one_of(heading, tuple(rating.lower() for rating in known))
        day: dt.date = record["from"]
        if found and day <= found[-1].since:
            raise _late(record, "from", day, found[-1].since)
        found.append(
            Condition(
                day,
                record["is servicer"],
                record["termination event"],
                record["s&p"].upper(),
                record["fitch"].upper(),
            )
        )
    return found


def read_ledger(
    servicer: RawRows, conditions: RawRows, receipts: RawRows, advances: RawRows, determinations: RawRows
) -> list[Line]:
    """The ledger of five tables, each with its headings.

    Raises the errors of ``tables.read``, OutOfOrder for a table whose dates are not in order, and those of
    ``advances.ledger`` with table, row and column.
    """
    one = read_servicer(servicer)
    events = [
        *_events(RECEIPTS, receipts, "received", RECEIPT),
        *_events(ADVANCES, advances, "advanced", ADVANCE),
        *_events(DETERMINATIONS, determinations, "determined", DETERMINATION),
    ]
    early = next((event for event in events if event.what == RECEIPT and event.date <= one.cutoff), None)
    if early is not None:
        raise OutOfOrder(
            f"{early.date:%d %B %Y} is not after the cutoff date, {one.cutoff:%d %B %Y}: not the trust's",
            remedy="leave the receipt out, or correct the date",
        ).at(table="Receipts", row=early.row, column=1, heading="received")
    try:
        return ledger(one, read_conditions(conditions), events)
    except XlmodelError as error:
        raise error.at(table="Determinations") from None


def _events(schema: Schema, rows: RawRows, heading: str, what: str) -> list[Event]:
    found: list[Event] = []
    for record in read(schema, rows):
        day: dt.date = record[heading]
        if found and day < found[-1].date:
            raise _late(record, heading, day, found[-1].date)
        kind = ""
        if what == RECEIPT:
            record.one_of("kind", tuple(KINDS))
            kind = record["kind"].lower()
        amount = 0 if record["amount"] is None else to_cents(record["amount"])
        column = record.columns["receivable"]
        found.append(Event(day, what, record["receivable"], amount, kind, record.row, column))
    return found


def _late(record: Record, heading: str, day: dt.date, before: dt.date) -> XlmodelError:
    return OutOfOrder(
        f"{day:%d %B %Y} comes after {before:%d %B %Y}", remedy="put the rows in the order of their dates"
    ).at(**record.place(heading))


def sheet_rows(lines: Sequence[Line]) -> list[list[object]]:
    """The ledger as rows: event, amounts in dollars, dates; blanks where an event moves nothing."""
    return [
        [
            line.event.date,
            line.event.what,
            line.event.receivable,
            line.event.kind,
            line.event.amount / 100,
            line.not_remitted / 100,
            line.kept_for_advance / 100,
            line.kept_unreimbursed / 100,
            line.remitted / 100,
            line.remitted_on,
            line.basis.value if line.basis else None,
            line.outstanding / 100,
            line.unreimbursed / 100,
        ]
        for line in lines
    ]


LEDGER_HEADER = (
    "Date",
    "Event",
    "Receivable",
    "Kind",
    "Amount",
    "Not remitted by its kind",
    "Kept for its advance",
    "Kept for unreimbursed advances",
    "Remitted",
    "Remitted on",
    "Basis",
    "Advances outstanding on it",
    "Unreimbursed advances outstanding",
)
