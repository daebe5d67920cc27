"""A lender's tables in cells: annual rates, the allowance, past due buckets, matrices, funding headroom."""

from __future__ import annotations

from typing import Any

import numpy as np

from xlmodel.errors import BadTable, MissingValue
from xlmodel.functions.cells import Rows
from xlmodel.functions.kinds import (
    Boolean,
    Date,
    Dates,
    Integer,
    Number,
    Numbers,
    Range,
    Texts,
)
from xlmodel.functions.refusals import blaming, refuse, refuse_negative
from xlmodel.functions.registry import function
from xlmodel.lender import allowance, funding, matrix, past_due, rates
from xlmodel.tables import Column, Kind, Schema, read

PAST_DUE_HEADER = ("Days past due", "Contracts", "% of contracts", "Balance", "% of balance")
FORECAST_HEADER = ("Month", "Net loss", "Still to come")
VINTAGES = Schema(
    "Vintages",
    (
        Column("vintage", Kind.NAME, "name of the vintage"),
        Column("original", Kind.AMOUNT, "dollars lent", required=True),
        Column("age", Kind.COUNT, "months since then", required=True),
        Column("lifetime loss", Kind.RATE, "part of the original that is lost on average", required=True),
        Column("lost", Kind.NUMBER, "net losses so far in dollars"),
    ),
)
_MOST_MONTHS = 1200


@function("XM_ANNUAL_RATE", "Lender", elementwise=True)
def annual_rate(amount: Number, average: Number, months: Number) -> Any:
    """An amount of some months as a rate per annum of an average balance: amount / average x 12 / months.

    amount: Income, expense or loss of the period, in dollars.
    average: Average balance in the period, in dollars, not 0.
    months: Months of the period, above 0: 3 for a quarter.
    """
    _check_average(average, months)
    return rates.annual_rate(amount, average, months)


@function("XM_NET_LOSS_RATE", "Lender", elementwise=True)
def net_loss_rate(charge_offs: Number, recoveries: Number, average: Number, months: Number) -> Any:
    """Charge-offs less recoveries of some months, as a rate per annum of an average balance.

    charge_offs: Principal charged off in the period, in dollars, 0 or more.
    recoveries: Recovered in the period of what was charged off, in dollars.
    average: Average balance in the period, in dollars, not 0.
    months: Months of the period, above 0: 3 for a quarter.
    """
    refuse_negative(charge_offs, "charge_offs")
    _check_average(average, months)
    return rates.net_loss_rate(charge_offs, recoveries, average, months)


@function("XM_RECOVERY_RATE", "Lender", elementwise=True)
def recovery_rate(recovered: Number, balance: Number) -> Any:
    """Part of the principal outstanding that came back when vehicles were repossessed and sold.

    recovered: Proceeds, in dollars, 0 or more.
    balance: Principal that was outstanding on the vehicles sold, in dollars, above 0.
    """
    refuse_negative(recovered, "recovered")
    refuse(balance <= 0, "balance", "the balance {:,.15g} is not above zero", balance)
    return rates.recovery_rate(recovered, balance)


@function("XM_ALLOWANCE", "Lender", elementwise=True)
def ending_allowance(
    beginning: Number, charge_offs: Number, recoveries: Number, provision: Number, adoption: Number = 0.0
) -> Any:
    """The allowance for loan losses at the end of a period: what it began with, less losses, plus provision.

    beginning: Allowance at the start of the period, in dollars.
    charge_offs: Charged off in the period, in dollars, 0 or more.
    recoveries: Recovered of what was charged off, in dollars.
    provision: Provision for loan losses, in dollars; negative if some is released.
    adoption: What a change of the standard adds at the start, in dollars; 0 when omitted.
    """
    refuse_negative(charge_offs, "charge_offs")
    return allowance.ending(beginning, charge_offs, recoveries, provision, adoption)


@function("XM_ALLOWANCE_FORECAST", "Lender")
def allowance_forecast(
    vintages: Range,
    timing: Numbers,
    factor: Number = 1.0,
    forecast_months: Integer = allowance.FORECAST_MONTHS,
    reversion_months: Integer = allowance.REVERSION_MONTHS,
    credible_months: Integer = allowance.CREDIBLE_MONTHS,
    header: Boolean = False,
) -> Rows:
    """Net losses expected of vintages month by month, from their average loss and its timing.

    One row a month ahead, as many as the timing has; columns: month, net loss of the month, and net loss of
    it and all later months, of which the first is the allowance; in dollars.

    vintages: Table with headings: vintage, original, age, lifetime loss and, for their own experience, lost.
    timing: Part of the lifetime loss in each month of age, 1 for the first; the parts sum to 1.
    factor: What forecasts of the economy make of a loss: 1.1 for a tenth more; 1 when omitted.
    forecast_months: Months that the forecasts reach; 24 when omitted.
    reversion_months: Months in which the factor goes back to 1 in a straight line; 12 when omitted.
    credible_months: Age from which a vintage's own losses count in full; 18 when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    refuse_negative(factor, "factor")
    for name, count in (
        ("forecast_months", forecast_months),
        ("reversion_months", reversion_months),
        ("credible_months", credible_months),
    ):
        refuse(not 0 <= count <= _MOST_MONTHS, name, "{} months", count, "give 0 to 1,200")
    with blaming("vintages"):
        found = _vintages(vintages)
    outlook = allowance.Outlook(factor, forecast_months, reversion_months, credible_months)
    with blaming("timing"):
        losses = allowance.expected_losses(found, timing, outlook).sum(axis=0)
    to_come = np.cumsum(losses[::-1])[::-1]
    rows: Rows = np.column_stack([np.arange(1, len(losses) + 1), losses, to_come]).tolist()
    return [list(FORECAST_HEADER), *rows] if header else rows


@function("XM_PAST_DUE", "Lender")
def past_due_table(
    balances: Numbers, days: Numbers, breaks: Numbers | None = None, header: Boolean = False
) -> Rows:
    """Contracts by days past due: current, the buckets, and the total.

    Columns: bucket, number of contracts and its part of all, balance in dollars and its part of all.

    balances: Balance of each contract, in dollars.
    days: Days that each contract is past due; 0 or fewer for one that is not.
    breaks: Days after which a bucket ends, in order; 30, 60 and 90 when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    refuse(
        len(balances) != len(days),
        "days",
        f"days past due are {{}}, balances {len(balances)}",
        len(days),
        "give both for every contract",
    )
    with blaming("breaks"):
        found = past_due.past_due(np.array(balances), np.array(days), breaks or past_due.BREAKS)
    count, balance = max(int(found.counts.sum()), 1), float(found.balances.sum())
    rows: Rows = [
        [label, float(number), number / count, float(amount), float(amount) / balance if balance else 0.0]
        for label, number, amount in zip(found.labels, found.counts, found.balances, strict=True)
    ]
    rows.append(["Total", float(found.counts.sum()), 1.0, balance, 1.0])
    return [list(PAST_DUE_HEADER), *rows] if header else rows


@function("XM_GRADE_MATRIX", "Lender")
def grade_matrix(balances: Numbers, grades: Texts, vintages: Texts, rows: Texts, columns: Texts) -> Rows:
    """Balances of contracts by credit grade and vintage, or by any two attributes, with totals.

    One row a grade and a last one of totals; one column a vintage and a last one of totals; in dollars.

    balances: Balance of each contract, in dollars.
    grades: Grade of each contract.
    vintages: Vintage of each contract, such as its fiscal year of origination.
    rows: The grades, in the order shown.
    columns: The vintages, in the order shown.
    """
    for name, texts in (("grades", grades), ("vintages", vintages)):
        refuse(
            len(texts) != len(balances),
            name,
            f"there are {{}} of them, balances are {len(balances)}",
            len(texts),
            "fill every cell",
        )
    found = matrix.matrix(np.array(balances), grades, vintages, rows, columns)
    listed: Rows = found.tolist()
    return listed


@function("XM_HEADROOM", "Lender")
def headroom(
    limits: Numbers, drawn: Number, expirations: Dates | None = None, day: Date | None = None
) -> float:
    """What may still be drawn on warehouse facilities: their limits less what is drawn.

    Negative if more is drawn than the facilities that are open allow.

    limits: Limit of each facility, in dollars.
    drawn: Drawn on all of them, in dollars.
    expirations: Last day of each facility; none expires when omitted.
    day: Day on which they must be open; today's expirations do not matter when omitted.
    """
    if expirations is not None and len(expirations) != len(limits):
        refuse(
            True,
            "expirations",
            f"there are {{}} last days, limits are {len(limits)}",
            len(expirations),
            "give a day for each",
        )
    if day is not None and expirations is None:
        raise MissingValue("a day is given, but not when the facilities expire").at(argument="expirations")
    ends = expirations or [None] * len(limits)
    facilities = [funding.Facility(limit, end) for limit, end in zip(limits, ends, strict=True)]
    return funding.headroom(facilities, drawn, day)


def _check_average(average: Any, months: Any) -> None:
    refuse(average == 0, "average", "the average balance is {}", average, "give the average of the period")
    refuse(months <= 0, "months", "a period of {:g} months", months, "give 3 for a quarter")


def _vintages(rows: Rows) -> allowance.Vintages:
    records = read(VINTAGES, rows)
    if not records:
        raise BadTable("the table has no vintage", remedy="give a row a vintage below the headings")
    columns = {
        name: np.array([r[name] for r in records], dtype=object)
        for name in ("original", "age", "lifetime loss")
    }
    for record in records:
        if record["original"] == 0:
            raise BadTable("a vintage of nothing", remedy="delete the row").at(**record.place("original"))
    lost = [record["lost"] for record in records]
    own = np.array(lost, dtype=np.float64) if all(value is not None for value in lost) else None
    if own is None and any(value is not None for value in lost):
        row = next(record for record in records if record["lost"] is None)
        raise MissingValue(
            "lost is blank here and filled in elsewhere", remedy="fill it for all, or for none"
        ).at(**row.place("lost"))
    return allowance.Vintages(
        columns["original"].astype(np.float64),
        columns["age"].astype(np.int64),
        columns["lifetime loss"].astype(np.float64),
        own,
    )
