"""A card master trust in cells: percentages, sharing, reallocation, restriction, and whole trusts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import to_cents
from xlmodel.errors import NotAvailable, NothingToShare, WrongShape
from xlmodel.functions.cells import Rows, numbers
from xlmodel.functions.kinds import Boolean, Number, Numbers, PeriodName, Range, Text
from xlmodel.functions.refusals import blaming, blaming_tables, padded, refuse_negative
from xlmodel.functions.registry import function
from xlmodel.trust.classes import reallocate
from xlmodel.trust.percentages import percentages
from xlmodel.trust.reading import read_trust
from xlmodel.trust.restriction import first_received, oldest_first
from xlmodel.trust.run import TrustRun, run_trust
from xlmodel.trust.shares import share
from xlmodel.trust.state import Period
from xlmodel.trust.tables import (
    SERIES_COLUMNS,
    TRUST_COLUMNS,
    class_headings,
    class_table,
    series_table,
    trust_table,
)

_TABLES = ("trust", "groups", "series", "classes", "months")


@function("XM_ALLOCATION_PERCENTAGES", "Trust")
def allocation_percentages(receivables: Number, numerators: Numbers, header: Boolean = False) -> Rows:
    """Percentages by which collections of a master trust are allocated to each of its series.

    One row a series; columns: series percentage, its part of all numerators; investor percentage, its
    numerator over that part of the receivables; both multiplied.  Floating with adjusted invested amounts,
    fixed with the invested amount at the end of the revolving period.  No denominator is less than all
    numerators, and a zero denominator gives zero.

    receivables: Principal receivables of the trust and its special funding account, in dollars.
    numerators: Numerator of each series, in dollars, 0 for one that takes no part.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    refuse_negative(receivables, "receivables")
    found = percentages(to_cents(receivables), _cents(numerators, "numerators"))
    rows: Rows = [["Series percentage", "Investor percentage", "Of all collections"]] if header else []
    for one in found:
        rows.append([one.series, one.investor, one.both])
    return rows


@function("XM_SHARE_AMONG_SERIES", "Trust")
def share_among_series(amounts: Range, shortfalls: Numbers, header: Boolean = False) -> Rows:
    """Shares what some series have too much of among those that are short, in proportion to their shortfalls.

    One row a series; columns: given, received, still short.  For Shared Principal Collections and Excess
    Finance Charge Collections.  None receives more than its shortfall, and without shortfalls nothing is
    shared.  Cents left over by rounding go to the largest remainders.

    amounts: What each series has to share, in dollars, 0 where it has nothing.
    shortfalls: What each series is short of, in dollars, in the same order.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    short = _cents(shortfalls, "shortfalls")
    if any(short) and all(cell is None for row in amounts for cell in row):
        raise NothingToShare("series are short, but no amount to share is given").at(
            argument="amounts", row=1, column=1
        )
    with blaming("amounts"):
        over = _cents(numbers(amounts) or [], "amounts")
    if len(over) != len(short):
        raise WrongShape(f"{len(over)} amounts for {len(short)} shortfalls").at(argument="amounts")
    found = share(over, short)
    rows: Rows = [["Given", "Received", "Still short"]] if header else []
    for given, received, due in zip(found.given, found.received, short, strict=True):
        rows.append([given / 100, received / 100, (due - received) / 100])
    return rows


@function("XM_PRINCIPAL_SHORTFALL", "Trust", elementwise=True)
def principal_shortfall(
    period: PeriodName, available: Number, controlled_deposit: Number, invested: Number
) -> NDArray[np.float64]:
    """By how much a series is short of principal, before it shares that of others.

    Zero in the revolving period; what the controlled deposit exceeds the available principal by in the
    accumulation period; what the invested amount exceeds it by in early amortization.

    period: revolving, accumulation, early amortization or ended.
    available: Available Principal Collections without shared ones, in dollars.
    controlled_deposit: Controlled Deposit Amount, in dollars.
    invested: Invested Amount, in dollars.
    """
    for amount, argument in (
        (available, "available"),
        (controlled_deposit, "controlled_deposit"),
        (invested, "invested"),
    ):
        refuse_negative(amount, argument)
    wanted = {Period.ACCUMULATION.value: controlled_deposit, Period.EARLY.value: invested}.get(period)
    zero = np.zeros(np.broadcast(available, controlled_deposit, invested).shape)
    short: NDArray[np.float64] = zero if wanted is None else np.maximum(wanted - np.asarray(available), zero)
    return short


@function("XM_REALLOCATE_PRINCIPAL", "Trust")
def reallocate_principal(
    shortfalls: Numbers, principal: Numbers, invested: Numbers, header: Boolean = False
) -> Rows:
    """Pays interest that is short from the principal of junior classes, which are written down by it.

    One row a class, senior first; columns: covered, taken, invested amount after.  The most junior class
    gives first, and none more than its principal or its invested amount.  Market practice.

    shortfalls: Interest that each class is short of, in dollars, senior first.
    principal: Each class's share of the principal collections, in dollars.
    invested: Invested amount of each class, in dollars.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    short, paid, left = (
        _cents(shortfalls, "shortfalls"),
        _cents(principal, "principal"),
        _cents(invested, "invested"),
    )
    for argument, given in (("principal", paid), ("invested", left)):
        if len(given) != len(short):
            raise WrongShape(f"{len(given)} amounts for {len(short)} classes").at(argument=argument)
    found = reallocate(short, paid, left)
    rows: Rows = [["Covered", "Taken", "Invested amount after"]] if header else []
    for covered, taken, amount in zip(found.covered, found.taken, left, strict=True):
        rows.append([covered / 100, taken / 100, (amount - taken) / 100])
    return rows


@function("XM_FIRST_RECEIVED", "Trust")
def first_received_collections(collections: Numbers, held: Number) -> Rows:
    """What of each collection belongs to the trust after a Transfer Restriction Event: the first received.

    One row a collection; dollars.  All is the trust's until it has been paid what it held at the event.

    collections: Collections on the accounts after the event, in dollars, in the order of receipt.
    held: Receivables of the trust at the event, in dollars.
    """
    refuse_negative(held, "held")
    return [[cents / 100] for cents in first_received(_cents(collections, "collections"), to_cents(held))]


@function("XM_OLDEST_FIRST", "Trust")
def oldest_balance_first(payments: Numbers, balances: Range) -> Rows:
    """Applies the payment on each account to its oldest balance first, where law forbids first-received.

    One row an account, one column a balance: what of the payment pays it.  Dollars; what is beyond all
    balances of an account pays none.

    payments: Payment on each account, in dollars.
    balances: A row an account: its balances in dollars, the oldest first; blank for none.
    """
    paid = _cents(payments, "payments")
    if len(balances) != len(paid):
        raise WrongShape(f"{len(balances)} rows of balances for {len(paid)} payments").at(argument="balances")
    with blaming("balances"):
        ages = [_cents(numbers([[cell or 0.0 for cell in row]]) or [], "balances") for row in balances]
    return [[cents / 100 for cents in row] for row in oldest_first(paid, ages)]


@function("XM_TRUST_MONTHS", "Trust")
def trust_months(
    trust: Range, groups: Range, series: Range, classes: Range, months: Range, header: Boolean = False
) -> Rows:
    """What a card master trust collects and allocates in each month, and what is left to the transferor.

    One row a month; dollars, to the cent.  The columns are those of the heading row.

    trust: The range Trust, with its headings.
    groups: The range Groups.
    series: The range Series.
    classes: The range Classes, senior first within a series.
    months: The range Months: collections, defaults and additions of each monthly period.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    run = _run(trust, groups, series, classes, months)
    rows: Rows = [[column.heading for column in TRUST_COLUMNS]] if header else []
    return [*rows, *padded(trust_table(run), len(months) - 1)]


@function("XM_TRUST_SERIES", "Trust")
def trust_series(
    trust: Range,
    groups: Range,
    series: Range,
    classes: Range,
    months: Range,
    one: Text,
    header: Boolean = False,
) -> Rows:
    """What one series of a card master trust is allocated, owed, paid and shares in each month.

    One row a month; dollars and fractions.  The columns are those of the heading row.

    trust: The range Trust, with its headings.
    groups: The range Groups.
    series: The range Series.
    classes: The range Classes, senior first within a series.
    months: The range Months: collections, defaults and additions of each monthly period.
    one: Name of the series.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    run = _run(trust, groups, series, classes, months)
    rows: Rows = [[column.heading for column in SERIES_COLUMNS]] if header else []
    return [*rows, *padded(series_table(run, _place_of(run, one)), len(months) - 1)]


@function("XM_TRUST_CLASSES", "Trust")
def trust_classes(
    trust: Range,
    groups: Range,
    series: Range,
    classes: Range,
    months: Range,
    one: Text,
    header: Boolean = False,
) -> Rows:
    """What the classes of one series are owed and paid in each month, and how they are written down.

    One row a month; the month, then ten columns a class, senior first.  Dollars.

    trust: The range Trust, with its headings.
    groups: The range Groups.
    series: The range Series.
    classes: The range Classes, senior first within a series.
    months: The range Months: collections, defaults and additions of each monthly period.
    one: Name of the series.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    run = _run(trust, groups, series, classes, months)
    place = _place_of(run, one)
    rows: Rows = [[*class_headings(run, place)]] if header else []
    return [*rows, *padded(class_table(run, place), len(months) - 1)]


def _run(*tables: Rows) -> TrustRun:
    with blaming_tables(_TABLES):
        return _cached(*(tuple(map(tuple, rows)) for rows in tables))


@lru_cache(maxsize=8)
def _cached(*tables: tuple[tuple[object, ...], ...]) -> TrustRun:
    trust, groups, series, classes, months = tables
    return run_trust(read_trust(trust, groups, series, classes, months))


def _place_of(run: TrustRun, name: str) -> int:
    names = [series.name for series in run.trust.series]
    for place, known in enumerate(names):
        if known.lower() == name.lower():
            return place
    raise NotAvailable(f"there is no series {name!r}; known: {', '.join(names)}").at(argument="one")


def _cents(amounts: list[float], argument: str) -> list[int]:
    for amount in amounts:
        refuse_negative(amount, argument)
    found: list[int] = to_cents(np.array(amounts, dtype=float)).tolist()
    return found
