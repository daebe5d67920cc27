"""Laws of the payment plane over random pools, speeds and coupons: cash is conserved whatever happens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deal.tie import DEAL
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.waterfall import run
from xlmodel.pool.contracts import Pool, pool_from_rows
from xlmodel.pool.projection import project

FOLDER = read_folder(DEAL)

pools = st.lists(
    st.tuples(st.floats(1e4, 3e8), st.floats(0, 0.25), st.integers(2, 70), st.integers(0, 20)),
    min_size=1,
    max_size=5,
).map(lambda rows: pool_from_rows([[b, r, left + age, left] for b, r, left, age in rows]))


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """1999-1 with other coupons and sizes, so that money is short in many of them."""
    coupons = draw(st.lists(st.floats(0, 0.5), min_size=5, max_size=5))
    sizes = draw(st.lists(st.integers(1, 5 * 10**10), min_size=5, max_size=5))
    classes = tuple(
        replace(c, rate=rate, balance=size)
        for c, rate, size in zip(FOLDER.deal.classes, coupons, sizes, strict=True)
    )
    call = draw(st.sampled_from([FOLDER.deal.call, None]))
    return replace(FOLDER.deal, classes=classes, call=call)


def paid_out(deal: Deal, pool: Pool, speeds: list[float]) -> Distributions:
    return run(deal, project(pool, np.array(speeds)))


@settings(max_examples=150)
@given(deals(), pools, st.lists(st.floats(0, 0.3), min_size=1, max_size=3))
def test_laws(deal: Deal, pool: Pool, speeds: list[float]) -> None:
    paid = paid_out(deal, pool, speeds)
    accounts, ledger = paid.accounts, paid.ledger
    # Sources equal uses on every date.
    assert (paid.available + accounts.draw.sum(axis=2) == ledger.paid.sum(axis=2)).all()
    # Nothing is negative, nobody gets more than is due.
    for amounts in (ledger.paid, paid.balance, accounts.closing, accounts.draw, accounts.release):
        assert (amounts >= 0).all()
    assert (ledger.paid <= ledger.due).all()
    # Balances are the initial balance less what was paid, and never rise.
    initial = np.broadcast_to(paid.initial_balance, paid.balance[:, :1].shape)
    before = np.concatenate([initial, paid.balance], axis=1)
    live = np.cumsum(paid.principal, axis=1) + paid.balance == paid.initial_balance
    stopped = (paid.balance == 0) & (paid.principal == 0)
    assert (live | stopped).all()
    assert (np.diff(before, axis=1) <= 0).all()
    # Accounts roll.
    rolled = accounts.opening + accounts.deposit - accounts.draw - accounts.release
    assert (rolled == accounts.closing).all()
    # No lower clause is paid while a higher one is short, within the collection account.
    short = ledger.due - ledger.paid
    for line in range(1, len(ledger.lines)):
        higher = [n for n in range(line) if ledger.lines[n].row < ledger.lines[line].row]
        assert not ((ledger.paid[:, :, line] > 0) & (short[:, :, higher].sum(axis=2) > 0)).any()


@settings(max_examples=40)
@given(deals(), pools, st.lists(st.floats(0, 0.3), min_size=2, max_size=4))
def test_scenarios_together_equal_scenarios_alone(deal: Deal, pool: Pool, speeds: list[float]) -> None:
    together = paid_out(deal, pool, speeds)
    for number, speed in enumerate(speeds):
        alone = paid_out(deal, pool, [speed])
        assert (together.ledger.paid[number] == alone.ledger.paid[0]).all()
        assert (together.balance[number] == alone.balance[0]).all()


def test_interest_short_is_carried_with_interest_on_it() -> None:
    """By hand: a pool without interest pays principal only, so that A-1 goes short and its debt grows.

    One class of 1,000,000.00 at 12% on 30/360 from 28 October; the pool of 1,200.00 at 0% pays 100.00 a
    month.  First date: 200.00 for 47 days of interest, 1,000,000 x 12% x 47/360 = 15,666.67, fee first:
    1.00 + 0.92 (1% / 12 of 1,200 and of 1,100).  Second date: one month on the balance is 10,000.00, on the
    15,468.59 overdue 154.69.
    """
    one = replace(FOLDER.deal.classes[2], balance=100_000_000, rate=0.12)
    others = tuple(replace(c, balance=1) for c in FOLDER.deal.classes)
    deal = replace(FOLDER.deal, classes=(*others[:2], one, *others[3:]), call=None, accounts=())
    clauses = tuple(c for c in deal.clauses if c.number != "9")
    deal = replace(deal, clauses=clauses)
    pool = pool_from_rows([[1200.0, 0.0, 12.0, 12.0]])
    paid = paid_out(deal, pool, [0.0])
    kinds = [(line.kind, line.position) for line in paid.ledger.lines]
    a3 = kinds.index(("interest", 2))
    assert paid.ledger.due[0, 0, a3] == 1_566_667
    assert paid.ledger.paid[0, 0, a3] == 20_000 - 192
    assert paid.ledger.due[0, 1, a3] == 1_566_667 - 19_808 + 1_000_000 + 15_469
