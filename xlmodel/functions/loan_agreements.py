"""A loan agreement in cells: receipts by bank, claims after an event of default, any list of rungs."""

from __future__ import annotations

import numpy as np

from xlmodel.conventions.money import to_cents
from xlmodel.errors import WrongShape
from xlmodel.functions.cells import Rows
from xlmodel.functions.kinds import Boolean, Number, Numbers, Range, Texts
from xlmodel.functions.refusals import blaming_tables, padded, refuse_negative
from xlmodel.functions.registry import function
from xlmodel.trust.loan_agreement import Agreement, by_rungs, claims, distribute, rung_by_rung
from xlmodel.trust.loan_tables import read_agreement, read_receipts

_TABLES = ("agreement", "banks", "providers", "receipts")


@function("XM_ALLOCATE_RUNGS", "Trust")
def allocate_rungs(available: Number, rungs: Texts, claims: Numbers) -> Rows:
    """Pays claims rung by rung: each rung in full before the next, within a rung in proportion to the claims.

    One row a claim; columns: paid, short.  Rungs come in the order in which they are first named; cents left
    over by rounding go to the largest remainders.

    available: Amount to allocate, in dollars, zero or more.
    rungs: The rung of each claim: a letter, a number or a name.
    claims: Amounts due, in dollars, zero or more.
    """
    refuse_negative(available, "available")
    for claim in claims:
        refuse_negative(claim, "claims")
    if len(rungs) != len(claims):
        raise WrongShape(f"{len(rungs)} rungs for {len(claims)} claims").at(argument="rungs")
    due: list[int] = to_cents(np.array(claims)).tolist()
    paid = by_rungs(to_cents(available), rungs, due)
    return [[cents / 100, (owed - cents) / 100] for cents, owed in zip(paid, due, strict=True)]


@function("XM_LOAN_RECEIPTS", "Trust")
def loan_receipts(
    agreement: Range, banks: Range, providers: Range, receipts: Range, header: Boolean = False
) -> Rows:
    """To whom the agent of a loan agreement distributes each receipt, to the cent.

    One row a receipt; columns: received, kind, amount, TRUE after an event of default, a column a bank, the
    agent, a column a rate protection provider, the holding account, what no rung takes.  Before an event of
    default term collections go by Term Loan Percentage and revolving ones, fees too, by Revolving Percentage.

    agreement: The range Agreement, with its headings.
    banks: The range Banks.
    providers: The range Providers.
    receipts: The range Receipts.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    with blaming_tables(_TABLES):
        known = read_agreement(agreement, banks, providers)
        found = distribute(known, read_receipts(known, receipts))
    rows: Rows = []
    if header:
        rows = [["Received", "Kind", "Amount", "After default", *_payees(known), "Left with the agent"]]
    paid = [
        [
            one.receipt.date,
            one.receipt.kind,
            one.receipt.amount / 100,
            one.after_default,
            *(cents / 100 for cents in [*one.banks, one.agent, *one.providers, one.holding, one.left]),
        ]
        for one in found
    ]
    return [*rows, *padded(paid, len(receipts) - 1)]


@function("XM_LOAN_CLAIMS", "Trust")
def loan_claims(
    agreement: Range, banks: Range, providers: Range, funds: Number, header: Boolean = False
) -> Rows:
    """The claims after an event of default under a loan agreement, and what an amount of funds pays of each.

    One row a claim; columns: rung, payee, for what, due, paid, short.  Rungs: (a) costs of collection, (b)
    notes and rate protection pro rata, (c) unpaid fees, (d) a holding account for undrawn letters of credit.

    agreement: The range Agreement, with its headings.
    banks: The range Banks.
    providers: The range Providers.
    funds: Funds to distribute, in dollars.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    refuse_negative(funds, "funds")
    with blaming_tables(_TABLES):
        known = read_agreement(agreement, banks, providers)
    rows: Rows = [["Rung", "Payee", "For", "Due", "Paid", "Short"]] if header else []
    for one in rung_by_rung(to_cents(funds), claims(known)):
        claim = one.claim
        rows.append(
            [claim.rung, claim.payee, claim.purpose, claim.due / 100, one.paid / 100, one.short / 100]
        )
    return rows


def _payees(known: Agreement) -> list[str]:
    return [
        *(bank.name for bank in known.banks),
        known.agent,
        *(one.name for one in known.providers),
        known.holding_account,
    ]
