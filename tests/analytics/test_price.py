"""Prices and yields against QuantLib, and the yields at which CarMax 1999-1 was sold."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pytest
import QuantLib as ql
from hypothesis import given
from hypothesis import strategies as st

from tests.deal.tie import DEAL, rep_lines
from xlmodel.analytics import price
from xlmodel.analytics.class_price import ClassFlows, class_flows, price_yield_table
from xlmodel.analytics.discount import (
    market_discount,
    market_discount_by_yield,
    original_issue_discount,
)
from xlmodel.deal.collect import collect
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import at_speeds
from xlmodel.deal.waterfall import run
from xlmodel.errors import NoRoot, OutOfRange

SETTLEMENT = ql.Date(28, 10, 1999)
FREQUENCIES = {1: ql.Annual, 2: ql.Semiannual, 4: ql.Quarterly, 12: ql.Monthly}


def bullet() -> list[float]:
    return [0.0] * 5 + [3.25] + [0.0] * 5 + [3.25] + [0.0] * 5 + [103.25]


def amortising() -> list[float]:
    rows, balance = [], 100.0
    for _ in range(60):
        principal = balance * 0.05 + 0.2
        rows.append(balance * 0.07 / 12 + min(principal, balance))
        balance = max(balance - principal, 0.0)
    return rows


@pytest.mark.parametrize("frequency", FREQUENCIES)
@pytest.mark.parametrize("flows", [bullet(), amortising()], ids=["bullet", "amortising"])
@pytest.mark.parametrize("rate", [-0.01, 0.0, 0.0625, 0.31])
def test_price_yield_and_duration_are_those_of_quantlib(
    flows: list[float], frequency: int, rate: float
) -> None:
    counter = ql.Actual365Fixed()
    dates = [ql.Date(15, 11, 1999) + ql.Period(n, ql.Months) for n in range(len(flows))]
    times = [counter.yearFraction(SETTLEMENT, date) for date in dates]
    leg = [ql.SimpleCashFlow(amount, date) for amount, date in zip(flows, dates, strict=True)]
    terms = (counter, ql.Compounded, FREQUENCIES[frequency])
    interest = ql.InterestRate(rate, *terms)
    theirs = ql.CashFlows.npv(leg, interest, False, SETTLEMENT, SETTLEMENT)
    ours = price.price(flows, times, rate, 100.0, 0.0, frequency)
    assert ours == pytest.approx(theirs, rel=1e-12)
    back = price.yield_of(flows, times, theirs, 100.0, 0.0, frequency)
    found = ql.CashFlows.yieldRate(leg, theirs, *terms, False, SETTLEMENT, SETTLEMENT, 1e-14, 1000, 0.05)
    assert back == pytest.approx(rate, abs=1e-10)
    assert back == pytest.approx(found, abs=1e-10)
    theirs = ql.CashFlows.duration(leg, interest, ql.Duration.Modified, False, SETTLEMENT)
    assert price.modified_duration(flows, times, rate, frequency) == pytest.approx(theirs, rel=1e-10)


@given(st.floats(20.0, 300.0), st.sampled_from([1, 2, 12]))
def test_the_yield_at_a_price_prices_back(clean: float, frequency: int) -> None:
    flows = amortising()
    times = np.arange(1, len(flows) + 1) / 12
    found = price.yield_of(flows, times, clean, 100.0, 0.3, frequency)
    assert price.price(flows, times, found, 100.0, 0.3, frequency) == pytest.approx(clean, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("flows", "clean", "words"),
    [
        ([0.0, 0.0], 100.0, "nothing is paid"),
        ([5.0, 105.0], 0.0, "a price of 0"),
        ([5.0], -3.0, "a price of -3"),
    ],
)
def test_no_yield_is_said_and_not_made_up(flows: list[float], clean: float, words: str) -> None:
    with pytest.raises(NoRoot, match=words):
        price.yield_of(flows, np.arange(1, len(flows) + 1), clean, 100.0)
    with pytest.raises(OutOfRange, match="negative"):
        price.price([-1.0], [1.0], 0.05, 100.0)


def test_a_floater_at_par_has_its_own_margin() -> None:
    """At par on a coupon date every period is worth what it costs, so the margin is what is earned."""
    index, margin = np.array([0.05, 0.052, 0.049, 0.047]), 0.0058
    accruals = np.array([30, 31, 30, 31]) / 360
    flows = 100 * (index + margin) * accruals
    flows[-1] += 100
    assert price.discount_margin(flows, accruals, index, 100.0) == pytest.approx(margin, abs=1e-13)
    dear = price.discount_margin(flows, accruals, index, 100.01)
    assert 0 < margin - dear == pytest.approx(0.01 / 100 / accruals.sum(), rel=0.02)


# --- CarMax 1999-1 ----------------------------------------------------------------------------------

# Source: prospectus, cover page: price to public in percent.  No yield is printed.
COVER = {"A-1": 100.0, "A-2": 99.99621, "A-3": 99.99483, "A-4": 99.97880, "Certificates": 99.99700}


@pytest.fixture(scope="module")
def sold() -> dict[str, ClassFlows]:
    folder = read_folder(DEAL)
    scenarios = at_speeds([0.015])
    paid = run(folder.deal, collect(folder.deal, rep_lines(folder), scenarios), scenarios)
    return {c.name: class_flows(folder.deal, paid, n) for n, c in enumerate(folder.deal.classes)}


def test_cover_prices_give_the_yields_at_which_the_notes_were_sold(sold: dict[str, ClassFlows]) -> None:
    """Settlement 28 October 1999, 1.5% ABS, to call; against QuantLib on the same flows and dates.

    A monthly payer near par yields a little more than its rate on a bond-equivalent basis.
    """
    rates = {"A-1": 0.062025, "A-2": 0.0647, "A-3": 0.0676, "A-4": 0.0688, "Certificates": 0.0712}
    for name, flows in sold.items():
        assert (flows.settlement, flows.accrued, flows.unpaid) == (dt.date(1999, 10, 28), 0.0, 0.0)
        found = flows.yield_at(COVER[name])
        leg = [
            ql.SimpleCashFlow(amount / flows.balance * 100, ql.Date.from_date(day))
            for amount, day in zip(flows.amounts.tolist(), flows.dates.tolist(), strict=True)
            if amount
        ]
        counter = ql.Thirty360(ql.Thirty360.BondBasis)
        theirs = ql.CashFlows.yieldRate(
            leg,
            COVER[name],
            counter,
            ql.Compounded,
            ql.Semiannual,
            False,
            SETTLEMENT,
            SETTLEMENT,
            1e-14,
            1000,
            0.06,
        )
        assert found == pytest.approx(theirs, abs=1e-10)
        monthly = flows.yield_at(COVER[name], 12)
        assert monthly == pytest.approx(rates[name], abs=1.6e-3)
        assert found > monthly
        rows = price_yield_table(flows, [COVER[name] - 1, COVER[name], COVER[name] + 1])
        assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)
    assert sold["A-1"].window == (1, 6)  # the printed table: something is left on date 5, nothing on date 6
    assert sold["A-2"].average_life == pytest.approx(1.00, abs=0.01)  # printed 1.00, from the 27th


def test_accrued_interest_of_a_later_settlement_by_hand(sold: dict[str, ClassFlows]) -> None:
    folder = read_folder(DEAL)
    scenarios = at_speeds([0.015])
    paid = run(folder.deal, collect(folder.deal, rep_lines(folder), scenarios), scenarios)
    flows = class_flows(folder.deal, paid, 2, dt.date(1999, 12, 25))
    assert flows.accrued == pytest.approx(178_900_000 * 0.0676 * 10 / 360, abs=0.01)
    assert flows.balance == 178_900_000
    assert int(flows.numbers[0]) == 2
    with pytest.raises(OutOfRange, match="before the securities exist"):
        class_flows(folder.deal, paid, 2, dt.date(1999, 10, 27))


def test_discounts_of_the_cover_are_de_minimis(sold: dict[str, ClassFlows]) -> None:
    """A-3: 178,900,000 x (1 - 0.9999483) is 9,249.13; two complete years allow 0.5%: 894,500."""
    found = original_issue_discount(sold["A-3"], COVER["A-3"])
    assert found.total == pytest.approx(9_249.13, abs=0.01)
    assert found.de_minimis == pytest.approx(894_500.0)
    assert not found.counts
    assert not found.accrual.any()


def test_a_discount_that_counts_accrues_to_its_total(sold: dict[str, ClassFlows]) -> None:
    flows = sold["A-4"]
    found = original_issue_discount(flows, 97.0)
    assert found.counts
    assert found.total == pytest.approx(0.03 * flows.balance)
    assert found.accrual.sum() == pytest.approx(found.total, rel=1e-9)
    assert found.adjusted_price[-1] == pytest.approx(0.0, abs=1e-3)
    # The first interval by hand: 47 days of the yield on the price, less the interest paid.
    growth = (1 + found.rate / 12) ** (12 * 47 / 360)
    first = 0.97 * flows.balance * (growth - 1) - flows.interest[0]
    assert found.accrual[0] == pytest.approx(first, rel=1e-6)


def test_market_discount_by_days_and_by_yield(sold: dict[str, ClassFlows]) -> None:
    assert market_discount(1_000.0, 970.0, 100, 400) == pytest.approx(7.5)
    assert market_discount(1_000.0, 1_001.0, 100, 400) == 0.0
    with pytest.raises(OutOfRange):
        market_discount(1_000.0, 970.0, 500, 400)
    accruals = market_discount_by_yield(sold["A-4"], 98.0)
    assert accruals.sum() == pytest.approx(0.02 * sold["A-4"].balance, rel=1e-9)
    assert math.isfinite(accruals[0])
