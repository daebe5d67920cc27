"""Laws of a loan agreement over random ones: every cent is paid once, rungs in order, shares to a cent."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from xlmodel.trust.loan_agreement import (
    KINDS,
    TERM,
    Agreement,
    Bank,
    Provider,
    Receipt,
    by_rungs,
    claims,
    distribute,
)

CENTS = st.integers(0, 10**11)
DAY = dt.date(2026, 6, 1)


@st.composite
def parts(draw: st.DrawFn, count: int) -> list[int]:
    """Percentages in billionths that are all together."""
    cuts = sorted(draw(st.lists(st.integers(0, 10**9), min_size=count - 1, max_size=count - 1)))
    return [b - a for a, b in zip([0, *cuts], [*cuts, 10**9], strict=True)]


@st.composite
def agreements(draw: st.DrawFn) -> Agreement:
    count = draw(st.integers(1, 5))
    term, revolving, total = (draw(parts(count)) for _ in range(3))
    banks = tuple(Bank(f"B{n}", term[n], revolving[n], total[n], draw(CENTS)) for n in range(count))
    providers = tuple(Provider(f"P{n}", draw(CENTS)) for n in range(draw(st.integers(0, 3))))
    return Agreement(
        "Agent", DAY, draw(CENTS), draw(CENTS), draw(CENTS), draw(CENTS), draw(CENTS), "H", banks, providers
    )


RECEIPTS = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from(sorted(KINDS)), CENTS), min_size=1, max_size=6
).map(
    lambda rows: [
        Receipt(
            DAY + dt.timedelta(days=day), "term notes" if day < 0 and KINDS[kind] is None else kind, cents
        )
        for day, kind, cents in sorted(rows)
    ]
)


@given(agreements(), RECEIPTS)
def test_every_cent_is_paid_once(agreement: Agreement, receipts: list[Receipt]) -> None:
    for one in distribute(agreement, receipts):
        everybody = [*one.banks, one.agent, *one.providers, one.holding, one.left]
        assert sum(everybody) == one.receipt.amount
        assert min(everybody) >= 0


@given(agreements(), RECEIPTS)
def test_before_default_each_bank_has_its_percentage_to_a_cent(
    agreement: Agreement, receipts: list[Receipt]
) -> None:
    for one in distribute(agreement, receipts):
        if one.after_default:
            continue
        for bank, paid in zip(agreement.banks, one.banks, strict=True):
            share = bank.term if KINDS[one.receipt.kind] == TERM else bank.revolving
            assert abs(Fraction(one.receipt.amount * share, 10**9) - paid) < 1


@given(agreements(), CENTS)
def test_a_rung_is_paid_when_those_above_it_are(agreement: Agreement, funds: int) -> None:
    owed = claims(agreement)
    paid = by_rungs(funds, [one.rung for one in owed], [one.due for one in owed])
    assert sum(paid) == min(funds, sum(one.due for one in owed))
    for rung in "abcd":
        here = [n for n, one in enumerate(owed) if one.rung == rung]
        below = [n for n, one in enumerate(owed) if one.rung > rung]
        due = sum(owed[n].due for n in here)
        reached = sum(paid[n] for n in here)
        if reached < due:
            assert not any(paid[n] for n in below)
        for n in here:
            assert 0 <= paid[n] <= owed[n].due
            assert due == 0 or abs(Fraction(reached * owed[n].due, due) - paid[n]) < 1


@given(agreements(), st.lists(CENTS, min_size=2, max_size=4))
def test_funds_in_parts_pay_what_they_pay_at_once(agreement: Agreement, amounts: list[int]) -> None:
    """But for the odd cent of each part, rung by rung exactly."""
    receipts = [Receipt(DAY, "collateral", amount) for amount in amounts]
    together = distribute(agreement, [Receipt(DAY, "collateral", sum(amounts))])[0]
    apart = distribute(agreement, receipts)
    assert sum(one.holding for one in apart) == together.holding
    assert sum(one.left for one in apart) == together.left
    for n in range(len(agreement.banks)):
        assert abs(sum(one.banks[n] for one in apart) - together.banks[n]) <= 3 * len(amounts)
