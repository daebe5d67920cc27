"""The same work as others would do it: plain loops, full matrices, other people's programs."""

from __future__ import annotations

import datetime as dt
from typing import Any

import modelx
import numba
import numpy as np
from numpy.typing import NDArray

from xlmodel.pool.contracts import Pool

Floats = NDArray[np.float64]


@numba.njit  # type: ignore[untyped-decorator]
def compiled_loop(balance: Any, rate: Any, age: Any, term: Any, speed: float, months: int) -> Any:
    """Interest and principal by month: every contract, month by month, in compiled code on one thread."""
    interest, principal = np.zeros(months), np.zeros(months)
    for contract in range(len(balance)):
        left, monthly, remaining = balance[contract], rate[contract] / 12, int(term[contract])
        payment = left / remaining
        if monthly > 0:
            payment = left * monthly / (1 - (1 + monthly) ** -remaining)
        for month in range(remaining):
            earned = left * monthly
            scheduled = payment - earned
            after = left - scheduled
            smm = speed / (1 - speed * (age[contract] + month))
            if smm >= 1 or smm < 0:  # the speed at which a line pays off early
                smm = 1.0
            prepaid = after * smm
            interest[month] += earned
            principal[month] += scheduled + prepaid
            left = after - prepaid
            payment *= 1 - smm
            if left <= 0:
                break
    return interest, principal


def full_matrices(pool: Pool, speed: float) -> tuple[Floats, Floats]:
    """The same by whole (month, contract) matrices of numpy."""
    months = int(pool.remaining_term.max())
    month = np.arange(months + 1)[:, None]
    rate = pool.rate / 12
    left = np.maximum(pool.remaining_term - month, 0)
    scheduled = pool.balance * (1 - (1 + rate) ** -left) / (1 - (1 + rate) ** -pool.remaining_term)
    survivors = np.maximum(1 - speed * (pool.age + month), 0) / (1 - speed * pool.age)
    balance = scheduled * survivors
    interest = balance[:-1] * rate
    principal = balance[:-1] - balance[1:]
    return interest.sum(axis=1), principal.sum(axis=1)


def plain_python(lines: list[tuple[float, float, int, int]], speed: float) -> tuple[list[float], list[float]]:
    """Interest and ending balance of a few lines (balance, rate, term, age), month by month in Python."""
    months = max(term for _, _, term, _ in lines)
    interest, ending = [0.0] * months, [0.0] * months
    for balance, rate, term, age in lines:
        left, monthly = balance, rate / 12
        for month in range(term):
            earned = left * monthly
            payment = left * monthly / (1 - (1 + monthly) ** -(term - month))
            after = left - (payment - earned)
            whole = 1 - speed * (age + month)
            smm = 1.0 if whole <= speed else speed / whole
            left = after - after * smm
            interest[month] += earned
            ending[month] += left
    return interest, ending


def plain_decrement(
    ending: list[float], classes: list[float], cutoff: float, first: int, call: float
) -> tuple[list[list[float]], list[float]]:
    """Decrement table and lives in months of classes that follow the pool in order, month by month."""
    left = list(classes)
    table, lives = [], [0.0] * len(classes)
    for number, pool in enumerate(ending[first - 1 :], start=1):
        target = 0.0 if pool <= call * cutoff else pool
        due = max(sum(left) - target, 0.0)
        for n in range(len(left)):
            paid = min(due, left[n])
            left[n] -= paid
            due -= paid
            lives[n] += paid * number / classes[n]
        table.append([one / whole for one, whole in zip(left, classes, strict=True)])
    return table, lives


def plain_figures(
    payments: list[Any], days: list[dt.date], start: dt.date, initial: tuple[int, ...]
) -> tuple[list[list[float]], list[float]]:
    """Decrement table and average lives in years (30/360) of the payments of the second implementation."""
    table, lives = [], [0.0] * len(initial)
    for payment, day in zip(payments, days, strict=True):
        table.append([balance / whole for balance, whole in zip(payment.balance, initial, strict=True)])
        years = day.year - start.year + (day.month - start.month) / 12 + (day.day - start.day) / 360
        for n, principal in enumerate(payment.principal):
            lives[n] += principal * years
    return table, [life / whole for life, whole in zip(lives, initial, strict=True)]


def modelx_lines(lines: list[tuple[float, float, int, int]]) -> Any:
    """The lines as a modelx model; its cells are functions of line and month."""
    model = modelx.new_model()
    space = model.new_space("Lines")
    space.lines, space.speed = lines, 0.015

    def balance(line, month):  # type: ignore[no-untyped-def]
        if month == 0:
            return lines[line][0]
        return (balance(line, month - 1) - scheduled(line, month)) * (1 - smm(line, month))

    def interest(line, month):  # type: ignore[no-untyped-def]
        return balance(line, month - 1) * lines[line][1] / 12

    def scheduled(line, month):  # type: ignore[no-untyped-def]
        i = lines[line][1] / 12
        payment = balance(line, month - 1) * i / (1 - (1 + i) ** -(lines[line][2] - month + 1))
        return payment - interest(line, month)

    def smm(line, month):  # type: ignore[no-untyped-def]
        whole = 1 - speed * (lines[line][3] + month - 1)  # noqa: F821
        return 1.0 if whole <= speed else speed / whole  # noqa: F821

    for formula in (balance, interest, scheduled, smm):
        space.new_cells(formula.__name__, formula=formula)
    return space
