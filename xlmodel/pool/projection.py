"""What a pool pays, month by month: the projection plane, in float dollars and unrounded.

Each contract pays level payments from its balance over its remaining term, on the last day of each month
and with a full month's interest; prepayments come after the scheduled principal.  Source: CarMax Auto Owner
Trust 1999-1 prospectus, page 34.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import InternalError, OutOfRange
from xlmodel.pool import prepayment, survival
from xlmodel.pool.contracts import Pool

Floats = NDArray[np.float64]

# Contracts are taken in blocks whose (scenario, month, contract) arrays stay near this many numbers, so that
# memory does not grow with the tape and a block stays in the processor's cache.
_BLOCK = 1 << 17


@dataclass(frozen=True)
class Collections:
    """What came in, by scenario and month: arrays of shape (scenario, month), in dollars.

    Month 1 is the first after the cutoff date.  Ending balance = beginning balance - scheduled principal -
    prepaid principal - defaulted - purchase amount.  Liquidation proceeds are of earlier defaults.
    ``other`` is what comes in besides, such as investment income.  ``speeds`` are as they were given:
    (scenario,), or (scenario, month).
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

    @property
    def months(self) -> int:
        return int(self.ending_balance.shape[1])

    @property
    def cutoff_balance(self) -> float:
        return float(self.beginning_balance[0, 0])


def project(
    pool: Pool, speeds: Floats, model: str = "ABS", months: int | None = None, by: str = "period"
) -> Collections:
    """Collections of a pool, one scenario a speed, or one scenario a row of speeds.

    ``speeds``: (scenario,) decimals a month (ABS, SMM), a year (CPR) or multiples (PSA); or (scenario,
    month), whose last month holds on: by "period" months count from the cutoff date, by "age" from each
    contract's origination.  ``months``: default until the last scheduled payment.  Raises OutOfRange for a
    speed or a count of months without meaning, UnknownName for a model.
    """
    speeds = np.atleast_1d(np.asarray(speeds, dtype=np.float64))
    found = prepayment.find(model)
    prepayment.check_speeds(speeds, model)
    months = pool.months if months is None else months
    if not 1 <= months <= 1200:
        raise OutOfRange(f"{months} months cannot be projected; ask for 1 to 1200")
    totals = np.zeros((4, len(speeds), months + 1))
    block = max(1, _BLOCK // (len(speeds) * (months + 1)))
    for delay, late in pool.by_delay:
        # A line that begins later is one that begins now, seen from a later month.
        own = speeds[:, min(delay, speeds.shape[1] - 1) :] if speeds.ndim == 2 and by == "period" else speeds
        for start in range(0, len(late) if delay < months else 0, block):
            part = late.part(slice(start, start + block))
            survivors = _survivors(found, own, part.age, months - delay, by)
            _add(totals[:, :, delay:], part, survivors)
        totals[0, :, : min(delay, months + 1)] += late.balance.sum()
    ending, interest, scheduled, prepaid = totals
    nothing = np.zeros_like(ending[:, 1:])
    collections = Collections(
        speeds=speeds,
        model=found.name,
        beginning_balance=ending[:, :-1],
        interest=interest[:, 1:],
        scheduled_principal=scheduled[:, 1:],
        prepaid_principal=prepaid[:, 1:],
        ending_balance=ending[:, 1:],
        defaulted=nothing,
        liquidation_proceeds=nothing,
        purchase_amount=nothing,
        other=nothing,
    )
    _conserved(collections)
    return collections


def _survivors(
    model: prepayment.PrepaymentModel, speeds: Floats, age: Floats, months: int, by: str
) -> Floats:
    """Part of each contract that has not prepaid, shape (scenario, month, contract), month 0 included."""
    if speeds.ndim == 2:
        return survival.of_vector(model.smm, speeds, age, months, by)
    month = np.arange(months + 1, dtype=np.float64)[:, None]
    survivors: Floats = model.survivors(speeds[:, None, None], age, month)
    return survivors


def _add(totals: Floats, pool: Pool, survivors: Floats) -> None:
    """Add a block of contracts to the totals: balance, interest, scheduled and prepaid principal."""
    month = np.arange(totals.shape[2], dtype=np.float64)[:, None]
    left, repaid = amortisation(pool.rate / 12, pool.remaining_term, month)
    left, repaid = pool.balance * left, pool.balance * repaid
    balance = survivors * left  # (scenario, month, contract)
    totals[0] += balance.sum(axis=2)
    totals[1, :, 1:] += balance[:, :-1] @ (pool.rate / 12)
    totals[2, :, 1:] += np.einsum("smn,mn->sm", survivors[:, :-1], repaid[:-1])
    totals[3, :, 1:] += np.einsum("smn,mn->sm", survivors[:, :-1] - survivors[:, 1:], left[1:])


def amortisation(rate: Floats, term: Floats, month: Any) -> tuple[Floats, Floats]:
    """Parts of the balance under level payments: left after ``month`` of them, repaid by the next one.

    With v = 1 / (1 + i): (1 - v^(n-t)) / (1 - v^n) and i v^(n-t) / (1 - v^n), straight-line where the rate
    is 0.  Shape (month, contract); 0 from the last payment on.  What is repaid is not taken as a difference
    of balances, which would lose the two digits that the balance is larger.
    """
    months_left = np.maximum(term - month, 0.0)
    bears = rate > 0
    growth = np.log1p(np.where(bears, rate, 1.0))
    discount = np.expm1(-months_left * growth)  # v^(n-t) - 1
    whole = np.expm1(-term * growth)
    left: Floats = np.where(bears, discount / whole, months_left / term)
    level = np.where(bears, -rate * (1.0 + discount) / whole, 1.0 / term)
    return left, np.where(months_left >= 1, level, left)


def _conserved(c: Collections) -> None:
    """Every dollar of principal is still there or was collected, within the precision of the operands."""
    lost = c.beginning_balance - c.scheduled_principal - c.prepaid_principal - c.ending_balance
    if (np.abs(lost) > 1e-10 * max(c.cutoff_balance, 1.0)).any():
        raise InternalError("the projection loses principal")
