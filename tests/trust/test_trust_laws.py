"""Laws that hold for every master trust, over 200 and 2,000 random ones, to the cent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise

import pytest

from tests.trust.random_trusts import random_trust
from xlmodel.trust.month import SeriesMonth
from xlmodel.trust.run import TrustMonth, TrustRun, run_trust
from xlmodel.trust.state import Period


@pytest.fixture(scope="module", params=[200, pytest.param(2000, marks=pytest.mark.soak)])
def runs(request: pytest.FixtureRequest) -> list[TrustRun]:
    return [run_trust(random_trust(seed)) for seed in range(request.param)]


def months(runs: list[TrustRun]) -> Iterator[tuple[str, TrustMonth, list[SeriesMonth]]]:
    for run in runs:
        for number, month in enumerate(run.months):
            yield f"{run.trust.name}, {month.month.end}", month, [one[number] for one in run.series]


def total(these: list[SeriesMonth], name: str) -> int:
    return sum(getattr(this, name) for this in these)


def test_what_is_allocated_and_the_transferors_share_are_the_collections(runs: list[TrustRun]) -> None:
    for where, month, these in months(runs):
        assert total(these, "finance_charges") + month.finance_to_transferor == month.finance_charges, where
        assert total(these, "principal") + month.principal_to_transferor == month.principal, where
        assert total(these, "defaults") + month.defaults_to_transferor == month.defaults, where
        assert total(these, "pooled") == total(these, "finance_charges"), where


def test_what_is_given_is_what_is_received(runs: list[TrustRun]) -> None:
    shared = 0
    for where, month, these in months(runs):
        assert total(these, "excess_given") == total(these, "excess_received") == month.excess_shared, where
        received = total(these, "shared_received")
        assert total(these, "shared_given") + month.special_used == received == month.principal_shared, where
        for this in these:
            assert this.excess_received <= this.shortfall, where
            assert this.shared_received <= this.principal_shortfall, where
            assert not (this.excess_given and this.excess_received), where
            assert not (this.shared_given and this.shared_received), where
        shared += bool(month.excess_shared) + bool(received)
    assert shared > len(runs)  # sharing is not the exception among the random trusts


def test_finance_charges_are_used_once(runs: list[TrustRun]) -> None:
    for where, _, these in months(runs):
        for this in these:
            sources = this.pooled + this.proceeds + this.reserve_draw + this.excess_received
            uses = (
                sum(this.interest_paid)
                + this.fee_paid
                + this.defaults_covered
                + this.reimbursed
                + this.reserve_deposit
                + this.excess_given
                + this.finance_left
            )
            assert sources == uses, where


def test_principal_is_used_once(runs: list[TrustRun]) -> None:
    for where, month, these in months(runs):
        sources = month.principal + total(these, "defaults_covered") + total(these, "reimbursed")
        uses = total(these, "reallocated") + total(these, "deposit") + month.principal_left
        assert sources + month.special_used == uses + month.special_deposit, where


def test_invested_amounts_reconcile_class_by_class(runs: list[TrustRun]) -> None:
    written = 0
    for run in runs:
        for series in run.series:
            for before, this in zip([None, *series], series, strict=False):
                opening = this.invested_by_class if before is None else before.invested_after
                assert this.invested_by_class == opening
                for n, left in enumerate(this.invested_after):
                    assert left == (
                        opening[n]
                        - this.taken[n]
                        - this.charged_by_class[n]
                        + this.reimbursed_by_class[n]
                        - this.paid_by_class[n]
                    )
                    assert 0 <= left <= this.balance_after[n]
                written += this.charged_off > 0
                assert sum(this.covered) == sum(this.taken) == this.reallocated
    assert written > len(runs) / 4


def test_accounts_roll_forward(runs: list[TrustRun]) -> None:
    for run in runs:
        special = 0
        for month in run.months:
            assert month.special_funding == special
            special += month.special_deposit - month.special_used
            assert month.special_after == special
        for series in run.series:
            funding = reserve = 0
            for this in series:
                assert this.funding == funding
                funding += this.deposit - this.paid
                reserve += this.reserve_deposit - this.reserve_draw - this.reserve_released
                assert (this.funding_after, this.reserve_after) == (funding, reserve)


SIGNED = {"special_deposit"}  # a deposit, or below zero a release


def test_nothing_is_negative(runs: list[TrustRun]) -> None:
    names: dict[type, list[str]] = {
        kind: [field.name for field in fields(kind) if field.name not in SIGNED]
        for kind in (TrustMonth, SeriesMonth)
    }
    for where, month, these in months(runs):
        for found in (month, *these):
            for name in names[type(found)]:
                value = getattr(found, name)
                values = value if isinstance(value, list) else [value]
                if name in ("month", "period", "average_spread", "earned"):
                    continue
                assert all(one >= 0 for one in values), f"{where}: {name}"


def test_percentages_never_exceed_the_whole(runs: list[TrustRun]) -> None:
    for where, _, these in months(runs):
        for one, other in (
            ("series_percentage", "floating_percentage"),
            ("principal_series_percentage", "principal_percentage"),
        ):
            products = [getattr(this, one) * getattr(this, other) for this in these]
            assert sum(products) <= 1 + 1e-12, where
            assert all(getattr(this, other) <= 1 + 1e-12 for this in these), where


def test_an_early_amortization_never_ends_before_the_series_does(runs: list[TrustRun]) -> None:
    found = 0
    for run in runs:
        for series in run.series:
            for before, after in pairwise(series):
                if before.period is Period.EARLY:
                    found += 1
                    assert after.period in (Period.EARLY, Period.ENDED)
    assert found > len(runs) / 4


def test_the_clause_in_every_month(runs: list[TrustRun]) -> None:
    """Floating x series percentage x collections, to the cent that the largest remainder may move."""
    for where, month, these in months(runs):
        for this in these:
            by_clause = this.floating_percentage * this.series_percentage * month.finance_charges
            assert abs(this.finance_charges - by_clause) < 1 + 1e-6, where
