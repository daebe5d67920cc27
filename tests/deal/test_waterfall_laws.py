"""Laws of the payment plane over random deals, pools and scenarios: 2,000 and more of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from numpy.typing import NDArray

from tests.deal.random_deals import deals, pools, scenarios
from tests.deal.tie import DEAL
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import Scenarios, take
from xlmodel.deal.waterfall import run
from xlmodel.pool.contracts import Pool, pool_from_rows
from xlmodel.pool.projection import project

FOLDER = read_folder(DEAL)


# A failing example is a whole deal: making it smaller takes minutes and tells little.
NO_SHRINKING = tuple(phase for phase in Phase if phase not in (Phase.shrink, Phase.explain))


@settings(max_examples=25, phases=NO_SHRINKING)
@given(deals(), pools, scenarios(count=8))
def test_laws(deal: Deal, pool: Pool, assumed: Scenarios) -> None:
    keeps_the_laws(deal, pool, assumed)


@pytest.mark.soak
@settings(max_examples=260, phases=NO_SHRINKING)
@given(deals(), pools, scenarios(count=8))
def test_laws_over_2080_deals_and_scenarios(deal: Deal, pool: Pool, assumed: Scenarios) -> None:
    keeps_the_laws(deal, pool, assumed)


def keeps_the_laws(deal: Deal, pool: Pool, assumed: Scenarios) -> None:
    paid = run(deal, collect(deal, pool, assumed), assumed)
    cash_is_conserved(paid)
    nothing_is_negative(paid)
    balances_follow_from_the_ledger(deal, paid)
    accounts_roll(paid)
    no_lower_clause_is_paid_while_a_higher_one_is_short(deal, paid)
    shares_follow_their_rule(deal, paid)


def cash_is_conserved(paid: Distributions) -> None:
    policies = paid.policies.claim.sum(axis=2) + paid.policies.prepayment.sum(axis=2)
    sources = paid.available + paid.accounts.draw.sum(axis=2) + policies
    assert (sources == paid.ledger.paid.sum(axis=2)).all()


def nothing_is_negative(paid: Distributions) -> None:
    ledger, accounts = paid.ledger, paid.accounts
    for amounts in (ledger.paid, ledger.cash_left, paid.balance, *accounts.arrays, paid.policies.claim):
        assert (amounts >= 0).all()
    assert (ledger.paid <= ledger.due).all()
    assert (np.diff(paid.factor, axis=1) <= 0).all()


def balances_follow_from_the_ledger(deal: Deal, paid: Distributions) -> None:
    for position, note_class in enumerate(deal.classes):
        principal = paid.ledger.total("principal", position)
        assert (principal == paid.principal[:, :, position]).all()
        assert (note_class.balance - np.cumsum(principal, axis=1) == paid.balance[:, :, position]).all()
        # What is not paid of the interest due is overdue on the next date.
        interest = paid.interest_due
        due = (interest.accrued + interest.overdue + interest.on_overdue)[:, :, position]
        unpaid = due - paid.ledger.total("interest", position)
        assert (unpaid[:, :-1] == interest.overdue[:, 1:, position]).all()
    for position, account in enumerate(deal.accounts):
        deposits = paid.ledger.total("account", position)
        assert (deposits == paid.accounts.deposit[:, :, position]).all()
        moves = deposits - paid.accounts.draw[:, :, position] - paid.accounts.release[:, :, position]
        assert (account.initial + np.cumsum(moves, axis=1) == paid.accounts.closing[:, :, position]).all()


def accounts_roll(paid: Distributions) -> None:
    a = paid.accounts
    assert (a.opening + a.deposit - a.draw - a.release == a.closing).all()
    assert (a.opening[:, 1:] == a.closing[:, :-1]).all()


def no_lower_clause_is_paid_while_a_higher_one_is_short(deal: Deal, paid: Distributions) -> None:
    """Within one priority and the collection account; what is paid directly is apart."""
    ledger = paid.ledger
    rows = [number for number, line in enumerate(ledger.lines) if not line.direct]
    for ordinary in (True, False):
        lines = [n for n in rows if ledger.lines[n].ordinary is ordinary]
        short = ledger.due - ledger.paid
        for n in lines:
            higher = [m for m in lines if ledger.lines[m].row < ledger.lines[n].row]
            assert not ((ledger.paid[:, :, n] > 0) & (short[:, :, higher].sum(axis=2) > 0)).any()


def shares_follow_their_rule(deal: Deal, paid: Distributions) -> None:
    """Pro rata shares are exact but for cents; in order no tier is paid before the one above is whole."""
    ledger = paid.ledger
    for row, clause in enumerate(deal.clauses):
        lines = [n for n, line in enumerate(ledger.lines) if line.row == row and not line.direct]
        if len(lines) < 2:
            continue
        due, got = ledger.due[:, :, lines], ledger.paid[:, :, lines]
        tiers = clause.order.tiers if clause.order else [(n,) for n in range(len(lines))]
        if clause.short == "in order" and all(len(tier) == 1 for tier in tiers):
            for n in range(1, len(lines)):
                assert not ((got[:, :, n] > 0) & (got[:, :, :n] < due[:, :, :n]).any(axis=2)).any()
        elif clause.short == "in order":
            starts = np.cumsum([0, *map(len, tiers)]).tolist()
            for first, end in pairwise(starts):
                above = (got[:, :, :first] < due[:, :, :first]).any(axis=2)
                assert not (got[:, :, first:end].any(axis=2) & above).any()
                shared_by_amount_due(due[:, :, first:end], got[:, :, first:end])
        else:
            total_due, total = due.sum(axis=2, keepdims=True), got.sum(axis=2, keepdims=True)
            exact = total * (due / np.maximum(total_due, 1))
            # By balance what is due is rounded once, and what is paid once more.
            cents = 2 if clause.short == "by balance" else 1
            off = np.abs(got - exact) > cents + 1e-9 * exact
            where = tuple(np.argwhere(off.any(axis=2))[0]) if off.any() else ()
            assert not where, (clause.record["pay"], clause.short, due[where], got[where], exact[where])


def shared_by_amount_due(due: NDArray[np.int64], got: NDArray[np.int64]) -> None:
    """Those side by side get the same part of what each is due, but for a cent."""
    exact = got.sum(axis=2, keepdims=True) * (due / np.maximum(due.sum(axis=2, keepdims=True), 1))
    assert (np.abs(got - exact) <= 1 + 1e-9 * exact).all()


@settings(max_examples=40, phases=NO_SHRINKING)
@given(deals(), pools, scenarios(count=4))
def test_scenarios_together_equal_scenarios_alone(deal: Deal, pool: Pool, assumed: Scenarios) -> None:
    lag = int(assumed.recovery_lag.max())
    together = run(deal, collect(deal, pool, assumed), assumed)
    for number in range(len(assumed)):
        one = take(assumed, [number])
        alone = run(deal, collect(deal, pool, one, lag), one)
        assert (together.ledger.paid[number] == alone.ledger.paid[0]).all()
        assert (together.balance[number] == alone.balance[0]).all()
        assert (together.policies.unreimbursed[number] == alone.policies.unreimbursed[0]).all()


def test_interest_short_is_carried_with_interest_on_it() -> None:
    """By hand: a pool without interest pays principal only, so that A-3 goes short and its debt grows.

    A-3 of 1,000,000.00 at 12% on 30/360 from 28 October; the pool of 1,200.00 at 0% pays 100.00 a month.
    First date: 200.00 for 47 days of interest, 1,000,000 x 12% x 47/360 = 15,666.67, fee first: 1.00 + 0.92
    (1% / 12 of 1,200 and of 1,100).  Second date: one month on the balance is 10,000.00, on the 15,468.59
    overdue 154.69.
    """
    one = replace(FOLDER.deal.classes[2], balance=100_000_000, rate=0.12)
    others = tuple(replace(c, balance=1) for c in FOLDER.deal.classes)
    clauses = tuple(c for c in FOLDER.deal.clauses if c.number != "9")
    classes = (*others[:2], one, *others[3:])
    deal = replace(FOLDER.deal, classes=classes, clauses=clauses, call=None, accounts=(), policies=())
    deal = replace(deal, clauses=tuple(c for c in clauses if c.number not in ("7", "8", "S7")))
    pool = pool_from_rows([[1200.0, 0.0, 12.0, 12.0]])
    paid = run(deal, project(pool, np.array([0.0])))
    kinds = [(line.kind, line.position) for line in paid.ledger.lines]
    a3 = kinds.index(("interest", 2))
    assert paid.ledger.due[0, 0, a3] == 1_566_667
    assert paid.ledger.paid[0, 0, a3] == 20_000 - 192
    assert paid.ledger.due[0, 1, a3] == 1_566_667 - 19_808 + 1_000_000 + 15_469


@pytest.mark.parametrize("name", ["base", "stress", "severe", "insurer default", "sale"])
def test_the_flagships_scenarios_keep_the_laws(name: str) -> None:
    from xlmodel.deal.scenario import read_scenarios, select

    assumed = select(read_scenarios(FOLDER.scenarios), name)
    paid = run(FOLDER.deal, collect(FOLDER.deal, FOLDER.pool, assumed), assumed)
    cash_is_conserved(paid)
    nothing_is_negative(paid)
    balances_follow_from_the_ledger(FOLDER.deal, paid)
    no_lower_clause_is_paid_while_a_higher_one_is_short(FOLDER.deal, paid)
