"""The pool in cells: XM_COLLECTIONS, XM_POOL_FACTOR."""

from __future__ import annotations

from typing import Any

import numpy as np

from xlmodel.conventions.money import round_half_up
from xlmodel.functions.cells import Rows
from xlmodel.functions.kinds import Boolean, Integer, IntegerSetting, Number, Numbers, Range, Text
from xlmodel.functions.refusals import blaming, refuse, refuse_negative
from xlmodel.functions.registry import function
from xlmodel.functions.speeds import check_listed, vector_model
from xlmodel.pool.cash_flows import CashFlows
from xlmodel.pool.collateral import collateral_from_rows
from xlmodel.pool.projection import project

COLLECTIONS_HEADER = (
    "Month",
    "Beginning balance",
    "Interest",
    "Scheduled principal",
    "Prepaid principal",
    "Ending balance",
)


@function("XM_COLLECTIONS", "Pool")
def collections(
    pools: Range, speed: Numbers, model: Text = "ABS", periods: Integer | None = None, header: Boolean = False
) -> Rows:
    """What a pool of contracts pays month by month at a prepayment speed, constant or by month.

    One row a month; columns: month, beginning balance, interest, scheduled principal, prepaid principal,
    ending balance, in dollars, not rounded.

    pools: Contracts or rep lines: pool, balance, rate, original term, remaining term; with headings or not.
        Or reported months, at speed 0: month, interest, principal, ending balance, with headings.
    speed: Speed as a decimal: 0.015 for 1.5% ABS, 1.5 for 150% PSA. A range of several is one speed a
        month, the last of which holds on.
    model: ABS, SMM, CPR or PSA; followed by "by age" if a range of speeds begins with the first month since
        origination, else it begins with the first month shown; ABS when omitted.
    periods: Months; until the last scheduled payment when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    name, by = vector_model(model)
    check_listed(speed, name, "speed")
    with blaming("pools"):
        collateral = collateral_from_rows(pools)
    if isinstance(collateral, CashFlows):
        refuse(any(speed), "speed", "what was collected is reported, so {} is no speed", speed[0], "give 0")
        reported = collateral.months if periods is None else periods
        refuse(
            not 1 <= reported <= collateral.months,
            "periods",
            f"{{}} months are asked for, {collateral.months} are reported",
            reported,
        )
        c = collateral.collections(1)
    else:
        reported = None
        with blaming("periods"):
            speeds = np.array([speed]) if len(speed) > 1 else np.array(speed)
            c = project(collateral, speeds, name, periods, by)
    columns = (
        c.beginning_balance,
        c.interest,
        c.scheduled_principal,
        c.prepaid_principal,
        c.ending_balance,
    )
    month = np.arange(1, c.months + 1, dtype=np.float64)
    rows: Rows = np.column_stack([month, *(column[0] for column in columns)]).tolist()
    rows = rows[:reported]
    return [list(COLLECTIONS_HEADER), *rows] if header else rows


@function("XM_POOL_FACTOR", "Pool", elementwise=True)
def pool_factor(balance: Number, original: Number, digits: IntegerSetting = 7) -> Any:
    """Balance divided by original balance, rounded as a servicer's report prints it.

    balance: Balance after the payment, in dollars, zero or more.
    original: Balance at the start, in dollars, above zero.
    digits: Decimals of the factor, rounded half up; 7 when omitted.
    """
    refuse(original <= 0, "original", "the original balance {:,.15g} is not above zero", original)
    refuse_negative(balance, "balance")
    return round_half_up(balance / original, digits)
