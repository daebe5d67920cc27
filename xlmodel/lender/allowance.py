"""The allowance for loan losses: its roll-forward, and a forecast of what is still to be lost.

The forecast follows what lenders disclose under the expected-loss standard (ASC 326): each vintage loses an
average part of its original balance over its life; a curve says how much of that falls into each month of its
age; forecasts of the economy scale the losses of the next months, and after them the scale goes back to 1 in
a straight line.  ``docs/allowance.md`` has the model in full.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xlmodel.errors import OutOfRange

Floats = NDArray[np.float64]

FORECAST_MONTHS = 24
REVERSION_MONTHS = 12
CREDIBLE_MONTHS = 18
"""Source: the same report's note 5: two years, 12 months, and 18 months of performance history."""


@dataclass(frozen=True)
class Vintages:
    """Receivables by vintage, columns of length N.

    ``original``: dollars lent.  ``age``: months since then, a whole number.  ``lifetime_loss``: the part of
    the original balance that such receivables lose on average, net of recoveries.  ``lost``: net losses so
    far in dollars; None where the vintages' own experience is not used.
    """

    original: Floats
    age: NDArray[np.int64]
    lifetime_loss: Floats
    lost: Floats | None = None


@dataclass(frozen=True)
class Outlook:
    """How forecasts scale the losses of the months ahead: by ``factor``, then back to 1."""

    factor: float = 1.0
    forecast_months: int = FORECAST_MONTHS
    reversion_months: int = REVERSION_MONTHS
    credible_months: int = CREDIBLE_MONTHS


def ending(
    beginning: float, charge_offs: float, recoveries: float, provision: float, adoption: float
) -> float:
    """The allowance at the end of a period; ``adoption``: what a change of the standard adds at its start."""
    return beginning + adoption - charge_offs + recoveries + provision


def expected_losses(vintages: Vintages, timing: ArrayLike, outlook: Outlook) -> Floats:
    """Net losses expected of each vintage in each month ahead, (vintage, month), as many as the timing has.

    ``timing``: the part of its lifetime loss that a vintage loses in each month of age, 1 for the first; the
    parts sum to 1.  Their sum over all months is the allowance.
    Raises OutOfRange for a timing that does not.
    """
    curve = np.asarray(timing, dtype=np.float64)
    if not np.isclose(curve.sum(), 1.0, rtol=0, atol=1e-6) or (curve < 0).any():
        raise OutOfRange(
            f"the parts of the timing sum to {curve.sum():g}", remedy="give parts from 0 up that sum to 1"
        )
    months = np.arange(len(curve))
    at = vintages.age[:, None] + months
    to_come = np.where(at < len(curve), curve[np.minimum(at, len(curve) - 1)], 0.0)
    part_lost = lifetime_losses(vintages, curve, outlook.credible_months)
    return vintages.original[:, None] * part_lost[:, None] * to_come * scale(outlook, len(curve))


def lifetime_losses(vintages: Vintages, timing: Floats, credible_months: int) -> Floats:
    """The lifetime loss of each vintage: its average and its own experience, the latter by its age.

    What a vintage has lost, over the part of its losses that the curve puts into the months so far, is what
    its own experience says; it counts in full from ``credible_months`` on, before that in proportion.
    """
    if vintages.lost is None:
        return vintages.lifetime_loss
    done = np.concatenate([[0.0], np.cumsum(timing)])[np.minimum(vintages.age, len(timing))]
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(done > 0, vintages.lost / vintages.original / done, vintages.lifetime_loss)
    credible = np.minimum(vintages.age / credible_months, 1.0) if credible_months else 1.0
    return vintages.lifetime_loss + credible * (own - vintages.lifetime_loss)


def scale(outlook: Outlook, months: int) -> Floats:
    """The factor of each month ahead: the forecast's, then a straight line back to 1, then 1."""
    month = np.arange(1, months + 1)
    past = np.clip(month - outlook.forecast_months, 0, None)
    back = np.clip(past / outlook.reversion_months, 0.0, 1.0) if outlook.reversion_months else past > 0
    return outlook.factor + (1.0 - outlook.factor) * np.asarray(back, dtype=np.float64)
