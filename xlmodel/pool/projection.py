"""What a pool pays, month by month: the projection plane, in float dollars and unrounded.

Each contract pays level payments from its balance over its remaining term, on the last day of each month
and with a full month's interest; prepayments come after the scheduled principal.  Source: CarMax Auto Owner
Trust 1999-1 prospectus, page 34.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import InternalError, OutOfRange
from xlmodel.pool import prepayment, survival
from xlmodel.pool.contracts import Pool
from xlmodel.pool.ordered import Ordered, in_order
from xlmodel.pool.vintages import Vintages, vintages
from xlmodel.processes.crew import Crew

Floats = NDArray[np.float64]
_Totals = tuple[Floats, Floats]  # what ``_totals`` gives

# Scenarios are taken in blocks whose (month, vintage, scenario) arrays have near this many numbers, so that
# they stay in the processor's cache.
_BLOCK = 1 << 16
_MOST_MONTHS = 1200


@dataclass(frozen=True)
class Collections:
    """What came in, by scenario and month: arrays of shape (scenario, month), in dollars.

    Month 1 is the first after the cutoff date.  Ending balance = beginning balance - scheduled principal -
    prepaid principal - defaulted - purchase amount.  Liquidation proceeds are of earlier defaults.
    ``other`` is what comes in besides, such as investment income.  ``waiting`` is the part of the beginning
    balance of lines that begin in a later month.  ``speeds`` are as they were given: (scenario,), or
    (scenario, month).
    """

    speeds: Floats
    model: str
    beginning_balance: Floats
    interest: Floats
    scheduled_principal: Floats
    prepaid_principal: Floats
    ending_balance: Floats
    defaulted: Floats
    liquidation_proceeds: Floats
    purchase_amount: Floats
    other: Floats
    waiting: Floats

    @property
    def months(self) -> int:
        return int(self.ending_balance.shape[1])

    @property
    def cutoff_balance(self) -> float:
        return float(self.beginning_balance[0, 0])

    @property
    def net_loss(self) -> Floats:
        """Defaults less proceeds of all months, (scenario,): added month by month, beside whatever others."""
        losses: Floats = np.cumsum(self.defaulted - self.liquidation_proceeds, axis=1)[:, -1]
        return losses


def project(
    pool: Pool | Ordered,
    speeds: Floats,
    model: str = "ABS",
    months: int | None = None,
    by: str = "period",
    crew: Crew | None = None,
) -> Collections:
    """Collections of a pool, one scenario a speed, or one scenario a row of speeds.

    ``speeds``: (scenario,) decimals a month (ABS, SMM), a year (CPR) or multiples (PSA); or (scenario,
    month), whose last month holds on: by "period" months count from the cutoff date, by "age" from each
    contract's origination.  ``months``: default until the last scheduled payment.  ``crew``: processes that
    share the work on a large pool, best a mapped one (:func:`xlmodel.pool.mapped.mapped`); the figures are
    the same to the last bit.  Raises OutOfRange for a speed or a count of months without meaning and for
    contracts whose months are not whole, UnknownName for a model, WorkerDied where a process of a crew died.
    """
    speeds = np.atleast_1d(np.asarray(speeds, dtype=np.float64))
    prepayment.check_speeds(speeds, model)
    months = pool.months if months is None else months
    if not 1 <= months <= _MOST_MONTHS:
        raise OutOfRange(f"{months} months cannot be projected; ask for 1 to {_MOST_MONTHS}")
    ordered = in_order(pool) if isinstance(pool, Pool) else pool
    calls = [(ordered, part, speeds, model, months, by) for part in ordered.parts]
    totals, waiting = _sum([_totals(*call) for call in calls] if crew is None else crew.share(_totals, calls))
    ending, interest, scheduled, prepaid = (total.T for total in totals)
    nothing = np.broadcast_to(0.0, (len(speeds), months))
    collections = Collections(
        speeds=speeds,
        model=prepayment.find(model).name,
        beginning_balance=ending[:, :-1],
        interest=interest[:, 1:],
        scheduled_principal=scheduled[:, 1:],
        prepaid_principal=prepaid[:, 1:],
        ending_balance=ending[:, 1:],
        defaulted=nothing,
        liquidation_proceeds=nothing,
        purchase_amount=nothing,
        other=nothing,
        waiting=np.broadcast_to(waiting, nothing.shape),
    )
    _conserved(collections)
    return collections


def _sum(parts: list[_Totals]) -> _Totals:
    """The totals of all parts, in their order, added into the first."""
    totals, waiting = parts[0]
    for more, later in parts[1:]:
        totals += more
        waiting += later
    return totals, waiting


def _totals(pool: Ordered, cohorts: slice, speeds: Floats, model: str, months: int, by: str) -> _Totals:
    """Balance, interest, scheduled and prepaid principal of some cohorts, (4, month + 1, scenario).

    And what waits for its first month, (month,).
    """
    found = prepayment.find(model)
    due = vintages(pool.part(cohorts)).until(months)
    # (month, what, vintage): products of matrices with the survivors, a month each.
    paid = np.stack([due.interest[:, 1:].T, due.scheduled[:, 1:].T], axis=1)
    left = np.ascontiguousarray(due.balance.T)[:, None, :]
    totals = np.zeros((4, months + 1, len(speeds)))
    some = max(1, _BLOCK // (len(due.age) * (months + 1)))
    for start in range(0, len(speeds), some):
        block = slice(start, start + some)
        survivors = _survivors(found, speeds[block], due, by)
        before, after = survivors[:-1], survivors[1:]
        totals[0, :, block] = (left @ survivors)[:, 0]
        totals[1:3, 1:, block] = np.moveaxis(paid @ before, 1, 0)
        totals[3, 1:, block] = (left[1:] @ (before - after))[:, 0]
    return totals, _waiting(due)


def _waiting(due: Vintages) -> Floats:
    """The balance of the vintages that do not begin in a month, (month,), month 1 the first."""
    late = np.arange(1, due.months + 1) <= due.delay[:, None]
    waiting: Floats = due.balance[:, 0] @ late
    return waiting


def _survivors(model: prepayment.PrepaymentModel, speeds: Floats, due: Vintages, by: str) -> Floats:
    """Part of each vintage that has not prepaid, shape (month + 1, vintage, scenario)."""
    late = np.flatnonzero(due.delay)
    if not late.size:
        return _since_cutoff(model, speeds, due.age, due.months, by)
    survivors = np.ones((due.months + 1, len(due.age), len(speeds)))
    for delay in np.flatnonzero(np.bincount(due.delay)).tolist():
        # A line that begins later is one that begins now, seen from a later month.
        own = speeds[:, min(delay, speeds.shape[1] - 1) :] if speeds.ndim == 2 and by == "period" else speeds
        chosen = due.delay == delay
        if delay <= due.months:
            survivors[delay:, chosen] = _since_cutoff(model, own, due.age[chosen], due.months - delay, by)
    return survivors


def _since_cutoff(
    model: prepayment.PrepaymentModel, speeds: Floats, age: Floats, months: int, by: str
) -> Floats:
    if speeds.ndim == 2:
        return np.ascontiguousarray(survival.of_vector(model.smm, speeds, age, months, by).transpose(1, 2, 0))
    month = np.arange(months + 1, dtype=np.float64)[:, None, None]
    survivors: Floats = model.survivors(speeds, age[:, None], month)
    return survivors


def _conserved(c: Collections) -> None:
    """Every dollar of principal is still there or was collected, within the precision of the operands."""
    lost = c.beginning_balance - c.scheduled_principal - c.prepaid_principal - c.ending_balance
    if (np.abs(lost) > 1e-10 * max(c.cutoff_balance, 1.0)).any():
        raise InternalError("the projection loses principal")
