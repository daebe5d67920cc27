"""A loan agreement from its tables: Agreement, Banks, Providers, Receipts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from xlmodel.conventions.money import to_cents
from xlmodel.errors import BeyondWhole, NotAvailable, OutOfOrder, UnsoundTrust
from xlmodel.tables import Column, Kind, RawRows, Record, Schema, read
from xlmodel.trust.loan_agreement import KINDS, Agreement, Bank, Provider, Receipt

_WHOLE = 10**9  # percentages are kept in billionths

AGREEMENT = Schema(
    "Agreement",
    (
        Column("agent", Kind.NAME, "name of the agent", required=True, width=22),
        Column("event of default", Kind.DATE, "day of the event; blank while there is none", width=16),
        Column("agent costs", Kind.AMOUNT, "its unreimbursed costs of collection", True, 16),
        Column("notes", Kind.AMOUNT, "outstanding on all notes at the event", True, 18),
        Column("commitment fees", Kind.AMOUNT, "unpaid Revolving Commitment Fees", True, 16),
        Column("letter of credit fees", Kind.AMOUNT, "unpaid Letter of Credit Fees", True, 16),
        Column("undrawn letters", Kind.AMOUNT, "outstanding Letters of Credit", True, 18),
        Column("holding account", Kind.NAME, "name of the Holding Account", True, 20),
    ),
)
BANKS = Schema(
    "Banks",
    (
        Column("bank", Kind.NAME, "name of the bank", required=True, width=22),
        Column("term percentage", Kind.NUMBER, "Term Loan Percentage", True, 16),
        Column("revolving percentage", Kind.NUMBER, "Revolving Percentage", True, 16),
        Column("total percentage", Kind.NUMBER, "Total Percentage", True, 16),
        Column("costs", Kind.AMOUNT, "its unreimbursed costs of collection", True, 16),
    ),
)
PROVIDERS = Schema(
    "Providers",
    (
        Column("provider", Kind.NAME, "name of the Rate Protection Provider", required=True, width=26),
        Column("owed", Kind.AMOUNT, "outstanding and owed Rate Protection Obligations", True, 18),
    ),
)
RECEIPTS = Schema(
    "Receipts",
    (
        Column("received", Kind.DATE, "day on which the agent receives the funds", required=True, width=14),
        Column("kind", Kind.TEXT, "one of: " + ", ".join(KINDS), True, 28),
        Column("amount", Kind.AMOUNT, "funds received", True, 18),
    ),
)
SCHEMAS = (AGREEMENT, BANKS, PROVIDERS, RECEIPTS)


def read_agreement(agreement: RawRows, banks: RawRows, providers: RawRows) -> Agreement:
    """The agreement of three tables, each with its headings.

    Raises the errors of ``tables.read``; BeyondWhole for percentages that are not 100% together.
    """
    rows = read(AGREEMENT, agreement)
    if len(rows) != 1:
        raise UnsoundTrust(f"the table Agreement has {len(rows)} rows", remedy="give one row").at(
            table="Agreement"
        )
    whole, members = rows[0], read(BANKS, banks)
    if not members:
        raise UnsoundTrust("there is no bank", remedy="give a row a bank").at(table="Banks", row=1)
    parts = {name: _parts(members, f"{name} percentage") for name in ("term", "revolving", "total")}
    return Agreement(
        agent=whole["agent"],
        default_date=whole["event of default"],
        agent_costs=to_cents(whole["agent costs"]),
        notes=to_cents(whole["notes"]),
        commitment_fees=to_cents(whole["commitment fees"]),
        letter_of_credit_fees=to_cents(whole["letter of credit fees"]),
        undrawn=to_cents(whole["undrawn letters"]),
        holding_account=whole["holding account"],
        banks=tuple(
            Bank(
                member["bank"],
                parts["term"][n],
                parts["revolving"][n],
                parts["total"][n],
                to_cents(member["costs"]),
            )
            for n, member in enumerate(members)
        ),
        providers=tuple(
            Provider(row["provider"], to_cents(row["owed"])) for row in read(PROVIDERS, providers)
        ),
    )


def read_receipts(agreement: Agreement, receipts: RawRows) -> list[Receipt]:
    """The receipts in order.

    Raises OutOfOrder for one that is earlier than the one before it, NotAvailable for a kind that the clause
    distributes after an event of default only.
    """
    found: list[Receipt] = []
    for record in read(RECEIPTS, receipts):
        record.one_of("kind", tuple(KINDS))
        day: dt.date = record["received"]
        kind = record["kind"].lower()
        if found and day < found[-1].date:
            raise OutOfOrder(
                f"{day:%d %B %Y} comes after {found[-1].date:%d %B %Y}", remedy="put the receipts in order"
            ).at(**record.place("received"))
        before = agreement.default_date is None or day < agreement.default_date
        if before and KINDS[kind] is None:
            raise NotAvailable(
                f"before an event of default the clause does not say who gets funds from {kind}",
                remedy="give the day of the event of default, or another kind",
            ).at(**record.place("kind"))
        found.append(Receipt(day, kind, to_cents(record["amount"])))
    return found


def _parts(members: Sequence[Record], heading: str) -> list[int]:
    """A column of percentages in billionths, which are all together."""
    parts: list[int] = []
    for member in members:
        share = member[heading]
        if not 0 <= share <= 1:
            raise BeyondWhole(
                f"a share of {share:.6%} is not between 0% and 100%", remedy="write 45% as 0.45"
            ).at(**member.place(heading))
        parts.append(round(share * _WHOLE))
        if sum(parts) > _WHOLE:
            raise BeyondWhole(
                f"down to {member['bank']} the {heading}s add up to {sum(parts) / _WHOLE:.6%}"
            ).at(**member.place(heading))
    if sum(parts) != _WHOLE:
        raise BeyondWhole(f"the {heading}s of all banks add up to {sum(parts) / _WHOLE:.6%}").at(
            **members[-1].place(heading)
        )
    return parts
