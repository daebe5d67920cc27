"""Credit losses over a projection: defaults, what comes back of them and when, contracts purchased.

Defaults of a month are taken from the balance at its start, before interest and scheduled principal; those
who remain pay and prepay as if nothing had happened.  Rates and curves are the same for all contracts, so
they need only the totals of the projection.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, WrongKind
from xlmodel.pool import loss
from xlmodel.pool.projection import Collections

Floats = NDArray[np.float64]

_MONTHS_A_YEAR = 12


def yearly_timing(text: str) -> Floats:
    """A timing such as ``40/30/20/10``, percent by year spread evenly over the months of each: (month,).

    Raises WrongKind for a text that is none, OutOfRange where the percentages do not sum to 100.
    """
    try:
        parts = np.array([float(part) for part in text.split("/")])
    except ValueError:
        raise WrongKind(
            f"{text!r} is no timing", remedy="write percent by year, such as 40/30/20/10"
        ) from None
    if (parts < 0).any() or abs(parts.sum() - 100) > 1e-9:
        raise OutOfRange(
            f"the timing {text} sums to {parts.sum():g}, not 100", remedy="correct the percentages"
        )
    return np.repeat(parts / 100 / _MONTHS_A_YEAR, _MONTHS_A_YEAR)


def with_losses(
    collections: Collections, left: Floats, severity: Floats, lag: NDArray[np.int64], purchased: Floats
) -> Collections:
    """A projection with defaults and purchases.

    ``left``: (scenario, month + 1), the part of today's contracts that has not defaulted, month 0 included.
    ``severity``, ``lag``, ``purchased``: (scenario,): part of a default that is lost, months until the rest
    comes back, part of the balance purchased at each month's end.  Raises
    OutOfRange when proceeds would come after the last month: project as many months more.
    """
    c = collections
    months = np.arange(c.months + 1)
    kept = (1 - purchased[:, None]) ** months
    before, after = left[:, :-1] * kept[:, :-1], left[:, 1:] * kept[:, :-1]
    defaulted = c.beginning_balance * (before - after)
    ending = c.ending_balance * after
    return replace(
        c,
        beginning_balance=c.beginning_balance * before,
        waiting=c.waiting * before,
        interest=c.interest * after,
        scheduled_principal=c.scheduled_principal * after,
        prepaid_principal=c.prepaid_principal * after,
        ending_balance=ending * (1 - purchased[:, None]),
        defaulted=defaulted,
        liquidation_proceeds=_proceeds(defaulted, severity, lag),
        purchase_amount=ending * purchased[:, None],
    )


def _proceeds(defaulted: Floats, severity: Floats, lag: NDArray[np.int64]) -> Floats:
    """What comes back of defaults, by month."""
    proceeds = np.zeros_like(defaulted)
    for months in set(lag.tolist()):
        chosen = lag == months
        back = loss.recoveries(defaulted[chosen], severity[chosen], months)
        last = defaulted.shape[1]
        if back[:, last:].any():
            raise OutOfRange(
                f"proceeds come {months} months after default, beyond the {last} months projected",
                remedy=f"project {months} months more",
            )
        proceeds[chosen] = back[:, :last]
    return proceeds
