"""A run that starts at a payment date goes on where a run from closing stood on that date."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pytest

from tests.deal.tie import DEAL, rep_lines
from xlmodel.deal.check import check
from xlmodel.deal.definition import Deal, Opening
from xlmodel.deal.folder import read_folder
from xlmodel.deal.waterfall import run
from xlmodel.errors import OutOfRange
from xlmodel.pool.contracts import Pool
from xlmodel.pool.projection import project

AS_OF = dt.date(1999, 12, 15)
FOLDER = read_folder(DEAL)
SPEED = np.array([0.0])  # without prepayments a pool can be stated again at any month
PAST = 7


def test_it_continues_the_run_from_closing() -> None:
    deal, pool = FOLDER.deal, rep_lines(FOLDER)
    whole = run(deal, project(pool, SPEED))
    months = PAST + deal.first_collection_months - 1
    left = pool.remaining_term > months
    growth = 1 + pool.rate / 12
    balance = (
        pool.balance * (1 - growth ** (months - pool.remaining_term)) / (1 - growth**-pool.remaining_term)
    )
    later = Pool(
        tuple(name for name, kept in zip(pool.names, left, strict=True) if kept),
        balance[left],
        pool.rate[left],
        pool.original_term[left],
        pool.remaining_term[left] - months,
    )
    record = deal.classes[0].record
    at = PAST - 1
    opening = [
        Opening("balance", c.name.lower(), int(whole.balance[0, at, n]), record)
        for n, c in enumerate(deal.classes)
    ]
    opening.append(Opening("account", "reserve", int(whole.accounts.closing[0, at, 0]), record))
    resumed_deal = replace(
        deal,
        as_of_date=whole.dates.adjusted[at].item(),
        cutoff_pool=64_395_775_972,
        opening=tuple(opening),
    )
    resumed = run(resumed_deal, project(later, SPEED))
    assert resumed.dates.adjusted.tolist() == whole.dates.adjusted[PAST:].tolist()
    # The pool restated in closed form may round another cent at a month's end.
    for one, other in (
        (resumed.balance, whole.balance[:, PAST:]),
        (resumed.interest, whole.interest[:, PAST:]),
        (resumed.accounts.closing, whole.accounts.closing[:, PAST:]),
        (resumed.pool, whole.pool[:, PAST:]),
    ):
        assert np.abs(one - other).max() <= 2
    assert resumed.called.tolist() == whole.called[:, PAST:].tolist()


def test_overdue_amounts_are_paid_first_with_interest_on_them() -> None:
    """By hand: 1,000.00 of A-3 interest overdue at 6.76% on 30/360 costs 5.63 in a month."""
    deal = FOLDER.deal
    whole = run(deal, project(rep_lines(FOLDER), SPEED))
    record = deal.classes[0].record
    overdue = Opening("overdue interest", "a-3", 100_000, record)
    resumed = replace(deal, as_of_date=whole.dates.adjusted[0].item(), opening=(overdue,))
    paid = run(resumed, project(rep_lines(FOLDER), SPEED))
    due = paid.interest_due
    assert due.overdue[0, 0].tolist() == [0, 0, 100_000, 0, 0]
    assert due.on_overdue[0, 0].tolist() == [0, 0, 563, 0, 0]
    # 178,900,000.00 x 6.76% / 12 = 1,007,803.33
    assert paid.interest[0, 0, 2] == 100_780_333 + 100_000 + 563


def test_an_as_of_date_that_is_no_payment_date_is_refused() -> None:
    deal = replace(FOLDER.deal, as_of_date=dt.date(2000, 3, 16))
    with pytest.raises(OutOfRange, match="no payment date"):
        run(deal, project(rep_lines(FOLDER), SPEED))


def carried(deal: Deal) -> tuple[Opening, ...]:
    """An opening row for every class and account; the amounts do not matter to a check."""
    record = deal.classes[0].record
    rows = [Opening("balance", c.name.lower(), c.balance, record) for c in deal.classes]
    return (*rows, *(Opening("account", a.name, a.initial, record) for a in deal.accounts))


def test_a_start_that_leaves_nothing_out_is_sound() -> None:
    deal = FOLDER.deal
    assert check(replace(deal, as_of_date=AS_OF, cutoff_pool=1, opening=carried(deal))) == []


def test_nothing_is_assumed_of_a_balance_an_account_or_the_pool_that_is_not_stated() -> None:
    deal = FOLDER.deal
    whole = carried(deal)
    for left_out in whole:
        rest = tuple(row for row in whole if row is not left_out)
        (finding,) = check(replace(deal, as_of_date=AS_OF, cutoff_pool=1, opening=rest))
        assert left_out.of in finding.message.lower()
        assert "table Opening" in finding.remedy
    (finding,) = check(replace(deal, as_of_date=AS_OF, opening=whole))
    assert "pool at the cutoff date is not known" in finding.message
    (first, second) = check(replace(deal, as_of_date=AS_OF, cutoff_pool=1, opening=(*whole, whole[0])))
    assert {first.message, second.message} == {"the amount is stated twice"}
