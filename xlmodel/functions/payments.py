"""The deal in cells: XM_DISTRIBUTIONS, XM_DECREMENT, XM_AVERAGE_LIFE, XM_ALLOCATE.

The first three read the deal from the ranges of a workbook, so what the desk edits is what is computed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.analytics.life import average_life
from xlmodel.conventions.allocation import pro_rata, sequential
from xlmodel.conventions.money import round_half_up, to_cents
from xlmodel.deal.check import require_sound
from xlmodel.deal.definition import Deal
from xlmodel.deal.reading import read_deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.waterfall import run
from xlmodel.errors import NotAvailable, OutOfRange, UnknownName, WrongShape, XlmodelError
from xlmodel.functions.cells import CellError, Rows, numbers
from xlmodel.functions.kinds import Boolean, Integer, Number, Numbers, Range, Text, Texts
from xlmodel.functions.registry import function
from xlmodel.pool import prepayment
from xlmodel.pool.contracts import Pool, pool_from_rows
from xlmodel.pool.projection import project

Frozen = tuple[tuple[Any, ...], ...]

CLASS_COLUMNS = ("Interest", "Principal", "Balance", "Factor")
ACCOUNT_COLUMNS = ("Opening", "Deposit", "Draw", "Closing")
CASH_COLUMNS = ("Pool balance", "Available funds", "Fees paid", "Released", "Remainder")


@function("XM_DISTRIBUTIONS", "Deal")
def distributions(
    terms: Range, classes: Range, payments: Range, pools: Range, speed: Number, header: Boolean = False
) -> Rows:
    """What a deal pays on each payment date at a constant prepayment speed.

    One row a payment date until the pool's last scheduled payment.  Columns: for each class interest,
    principal, balance and factor (7 decimals); for each account opening, deposit, draw and closing; then
    pool balance, available funds, fees paid, released from accounts, remainder.  Dollars, to the cent.

    terms: The range Terms: terms, fees, accounts, measures and call, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speed: Speed as a decimal from 0 to below 1, in the model that the terms name.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    deal, paid = _run(terms, classes, payments, pools, [[speed]], "speed")
    columns: list[NDArray[Any]] = []
    for position in range(len(paid.classes)):
        columns += [
            paid.interest[0, :, position] / 100,
            paid.principal[0, :, position] / 100,
            paid.balance[0, :, position] / 100,
            round_half_up(paid.factor[0, :, position], 7),
        ]
    accounts = paid.accounts
    for position in range(len(accounts.names)):
        moves = (accounts.opening, accounts.deposit, accounts.draw, accounts.closing)
        columns += [move[0, :, position] / 100 for move in moves]
    columns += [
        paid.pool[0] / 100,
        paid.available[0] / 100,
        paid.ledger.total("fee")[0] / 100,
        accounts.release[0].sum(axis=1) / 100,
        paid.ledger.total("party")[0] / 100,
    ]
    rows: Rows = np.column_stack(columns).tolist()
    return [list(distributions_header(deal)), *rows] if header else rows


def distributions_header(deal: Deal) -> list[str]:
    """The headings of XM_DISTRIBUTIONS for a deal."""
    blocks = [(note_class.name, CLASS_COLUMNS) for note_class in deal.classes]
    blocks += [(account.name.capitalize(), ACCOUNT_COLUMNS) for account in deal.accounts]
    return [f"{name} {column.lower()}" for name, columns in blocks for column in columns] + list(CASH_COLUMNS)


@function("XM_DECREMENT", "Deal")
def decrement(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speeds: Range,
    names: Texts | None = None,
    periods: Integer | None = None,
    header: Boolean = False,
) -> Rows:
    """Part of its initial balance that each class still has, by payment date and speed.

    The first row is the closing date, then one row a payment date.  Columns: the classes in order, within
    each the speeds in order.  Fractions from 1 to 0, not rounded.

    terms: The range Terms: terms, fees, accounts, measures and call, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speeds: Speeds as decimals from 0 to below 1, in the model that the terms name.
    names: Classes to show; all when omitted.
    periods: Payment dates to show; until the pool's last scheduled payment when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    deal, paid = _run(terms, classes, payments, pools, speeds, "speeds")
    chosen = _positions(deal, names)
    shown = paid.factor.shape[1] if periods is None else periods
    if not 1 <= shown <= paid.factor.shape[1]:
        raise OutOfRange(
            f"{shown} payment dates are asked for, the pool pays on {paid.factor.shape[1]}",
            remedy="ask for as many or fewer",
        ).at(argument="periods")
    scenarios = paid.factor.shape[0]
    factor = np.concatenate([np.ones((scenarios, 1, len(deal.classes))), paid.factor[:, :shown]], axis=1)
    by_class = factor[:, :, chosen].transpose(1, 2, 0)  # (row, class, speed)
    rows: Rows = by_class.reshape(shown + 1, -1).tolist()
    if not header:
        return rows
    listed = [speed for row in speeds for speed in row]
    return [[f"{deal.classes[n].name} {speed:.2%}" for n in chosen for speed in listed], *rows]


@function("XM_AVERAGE_LIFE", "Deal")
def average_life_table(
    terms: Range, classes: Range, payments: Range, pools: Range, speeds: Range, names: Texts | None = None
) -> Rows:
    """Average life of each class in years, by speed.

    One row a class, one column a speed; not rounded.  #N/A for a class that is not paid in full.

    terms: The range Terms: terms, fees, accounts, measures and call, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speeds: Speeds as decimals from 0 to below 1, in the model that the terms name.
    names: Classes to show; all when omitted.
    """
    deal, paid = _run(terms, classes, payments, pools, speeds, "speeds")
    lives = average_life(deal, paid)[:, _positions(deal, names)].T
    unpaid = CellError("#N/A", NotAvailable("the class is not paid in full within the life of the pool"))
    return [[unpaid if np.isnan(life) else life for life in row] for row in lives.tolist()]


@function("XM_ALLOCATE", "Deal")
def allocate(
    available: Number, claims: Numbers, method: Text = "sequential", weights: Numbers | None = None
) -> Rows:
    """Shares an amount among claims, to the cent: what each is paid and what it falls short.

    One row a claim; columns: paid, short.  Cents left over by rounding go to the largest remainders, ties
    in the order of the claims.  No claim is paid more than it is.

    available: Amount to share, in dollars, zero or more.
    claims: Amounts due, in dollars, zero or more, senior first.
    method: sequential, or pro rata; sequential when omitted.
    weights: Weights of the shares for pro rata; the claims themselves when omitted.
    """
    if available < 0:
        raise OutOfRange(f"the amount {available:,.15g} is negative").at(argument="available")
    for position, claim in enumerate(claims, start=1):
        if claim < 0:
            raise OutOfRange(f"claim {position} is negative: {claim:,.15g}").at(argument="claims")
    if weights is not None and len(weights) != len(claims):
        raise WrongShape(f"{len(weights)} weights for {len(claims)} claims").at(argument="weights")
    cash, due = to_cents(np.array([available])), to_cents(np.array([claims]))
    wanted = " ".join(method.lower().replace("-", " ").split())
    if wanted == "sequential":
        paid = sequential(cash, due)
    elif wanted == "pro rata":
        paid = pro_rata(cash, due, None if weights is None else _scaled(weights)[None, :])
    else:
        raise UnknownName(f"there is no method {method!r}; known: sequential, pro rata").at(argument="method")
    rows: Rows = (np.stack([paid[0], due[0] - paid[0]], axis=1) / 100).tolist()
    return rows


def _scaled(weights: list[float]) -> NDArray[np.int64]:
    """Weights as integers of the same proportions, to nine digits of the largest."""
    array = np.array(weights)
    if (array < 0).any():
        raise OutOfRange("a weight is negative").at(argument="weights")
    largest = float(array.max(initial=0.0))
    return (
        np.round(array / largest * 1e9).astype(np.int64) if largest else np.zeros(len(array), dtype=np.int64)
    )


def _positions(deal: Deal, names: list[str] | None) -> list[int]:
    if names is None:
        return list(range(len(deal.classes)))
    by_name = {note_class.name.lower(): position for position, note_class in enumerate(deal.classes)}
    for name in names:
        if name.lower() not in by_name:
            known = ", ".join(note_class.name for note_class in deal.classes)
            raise NotAvailable(f"the deal has no class {name!r}; it has: {known}").at(argument="names")
    return [by_name[name.lower()] for name in names]


def _run(
    terms: Rows, classes: Rows, payments: Rows, pools: Rows, speeds: Rows, argument: str
) -> tuple[Deal, Distributions]:
    """The deal of the ranges and its run, one scenario a speed; errors name argument, row and column."""
    try:
        scenarios = numbers(speeds) or []
    except XlmodelError as error:
        raise error.at(argument=argument) from None
    frozen = tuple(map(_frozen, (terms, classes, payments, pools)))
    try:
        deal, _ = _cached_deal(*frozen)
        _check_speeds(scenarios, deal.prepayment_model, argument, len(speeds[0]))
        return _cached_run(*frozen, tuple(scenarios))
    except XlmodelError as error:
        table = (error.place.table or "").lower()
        known = table if table in ("terms", "classes", "payments", "pools") else None
        raise error.at(argument=known) from None


# The same deal stands behind several array formulas of a sheet.  The key is all that the result depends on,
# so this is no state: it only saves time.
@lru_cache(maxsize=16)
def _cached_run(
    terms: Frozen, classes: Frozen, payments: Frozen, pools: Frozen, speeds: tuple[float, ...]
) -> tuple[Deal, Distributions]:
    deal, pool = _cached_deal(terms, classes, payments, pools)
    return deal, run(deal, project(pool, np.array(speeds), deal.prepayment_model))


@lru_cache(maxsize=16)
def _cached_deal(terms: Frozen, classes: Frozen, payments: Frozen, pools: Frozen) -> tuple[Deal, Pool]:
    deal = read_deal(terms, classes, payments)
    require_sound(deal)
    return deal, pool_from_rows(pools)


def _frozen(rows: Rows) -> Frozen:
    return tuple(map(tuple, rows))


def _check_speeds(speeds: list[float], model: str, argument: str, columns: int) -> None:
    for position, speed in enumerate(speeds):
        try:
            prepayment.check_speeds(np.array([speed]), model)
        except XlmodelError as error:
            row, column = divmod(position, columns)
            raise error.at(argument=argument, row=row + 1, column=column + 1) from None
