"""Defaults and losses in cells: XM_MDR, XM_DEFAULT_AMOUNTS, XM_RECOVERIES."""

from __future__ import annotations

from typing import Any

import numpy as np

from xlmodel.functions.cells import Rows
from xlmodel.functions.kinds import Boolean, DefaultName, Integer, Number, Numbers
from xlmodel.functions.refusals import blaming, refuse, refuse_negative
from xlmodel.functions.registry import function
from xlmodel.pool import loss

DEFAULTS_HEADER = ("Defaults", "Survivors")
_MOST_MONTHS = 1200


@function("XM_MDR", "Losses", elementwise=True)
def monthly_default_rate(speed: Number, month: Integer, model: DefaultName = "CDR") -> Any:
    """Monthly default rate: the part of the performing balance that defaults in a month.

    speed: Speed as a decimal: 0.02 for 2% CDR, 1.5 for 150% SDA.
    month: Month since origination, 1 for the first.
    model: SDA, CDR or MDR; CDR when omitted.
    """
    refuse(month < 1, "month", "month {} since origination; the first month is 1", month)
    with blaming("model" if loss.find(model).mdr is None else "speed"):
        return loss.mdr(speed, month, model)


@function("XM_DEFAULT_AMOUNTS", "Losses")
def default_amounts(
    balances: Numbers,
    original: Number,
    net_loss: Number,
    severity: Number,
    timing: Numbers,
    header: Boolean = False,
) -> Rows:
    """Defaults month by month that lose a given part of the original balance, in the months of a timing.

    One row a month; columns: defaults in dollars, and the part of the pool that has not defaulted by then.
    #NUM! if more would default than performs.

    balances: Balance at the start of each month, with schedule and prepayments but no defaults.
    original: Original balance, of which the net loss is a part, in dollars.
    net_loss: Cumulative net loss as a decimal: 0.02 for 2% of the original balance.
    severity: Part of what defaults that is lost, above 0: 0.5 for half.
    timing: Part of the net loss in each month; the parts sum to 1.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    refuse_negative(original, "original")
    refuse(not 0 <= net_loss <= 1, "net_loss", "a net loss of {:g}", net_loss, "write 2% as 0.02")
    refuse(not 0 < severity <= 1, "severity", "a severity of {:g}", severity, "give a part above 0, up to 1")
    with blaming("timing"):
        found = loss.net_loss_defaults(net_loss, timing, severity, original, np.array([balances]))
    rows: Rows = np.column_stack([found.amount[0], found.survivors[0, 1:]]).tolist()
    return [list(DEFAULTS_HEADER), *rows] if header else rows


@function("XM_RECOVERIES", "Losses")
def recoveries(defaults: Numbers, severity: Number, lag: Integer = 0) -> Rows:
    """What comes back of defaults, month by month.

    One row a month, as many more than there are defaults as the lag has months.

    defaults: Defaults of each month, in dollars.
    severity: Part of what defaults that is lost: 0.5 for half.
    lag: Months from default to recovery; 0 when omitted.
    """
    refuse(not 0 <= severity <= 1, "severity", "a severity of {:g}", severity, "give a part from 0 to 1")
    refuse(not 0 <= lag <= _MOST_MONTHS, "lag", "a lag of {} months", lag, "give 0 to 1,200")
    with blaming("defaults"):
        rows: Rows = loss.recoveries([defaults], severity, lag)[0][:, None].tolist()
    return rows
