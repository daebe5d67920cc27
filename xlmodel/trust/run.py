"""A master trust run month by month: one pass over all series a month, because they share.

Every cent of collections goes to a series or to the transferor; the run itself checks it and shows nothing
where it does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xlmodel.conventions.money import product_cents
from xlmodel.errors import NotConserved
from xlmodel.trust.definition import Month, Trust
from xlmodel.trust.month import (
    SeriesMonth,
    apply_losses,
    begin,
    measure,
    pay_from_finance_charges,
    settle,
    test_spread,
    want_principal,
)
from xlmodel.trust.percentages import denominator, percentages
from xlmodel.trust.shares import capped, in_proportion, share
from xlmodel.trust.state import Period, SeriesState

_TIERS = 3  # interest, fee, defaults: what a group's pooled finance charges are for, in this order


@dataclass
class TrustMonth:
    """What the whole trust collected, allocated and shared in a month; cents."""

    month: Month
    receivables: int
    special_funding: int
    finance_charges: int
    principal: int
    defaults: int
    added: int
    finance_to_transferor: int = 0
    principal_to_transferor: int = 0
    defaults_to_transferor: int = 0
    excess_shared: int = 0
    principal_shared: int = 0
    principal_left: int = 0
    special_used: int = 0
    special_deposit: int = 0
    receivables_after: int = 0
    special_after: int = 0
    adjusted_after: int = 0
    transferor: int = 0
    deficit: int = 0
    minimum: int = 0

    @property
    def below_minimum(self) -> bool:
        return self.transferor < self.minimum


@dataclass(frozen=True)
class TrustRun:
    """The months of the trust, and those of each series in the order of the table Series."""

    trust: Trust
    months: tuple[TrustMonth, ...]
    series: tuple[tuple[SeriesMonth, ...], ...]


def run_trust(trust: Trust) -> TrustRun:
    """Run a trust.  Raises NotConserved, which is our fault, where a cent is lost or made."""
    states = [SeriesState.opening(series) for series in trust.series]
    receivables, special = trust.receivables, 0
    held: int | None = None  # what is still to come to the trust after a transfer restriction event
    months: list[TrustMonth] = []
    by_series: list[list[SeriesMonth]] = [[] for _ in states]
    for month in trust.months:
        restricted = trust.restricted_from is not None and month.end >= trust.restricted_from
        if restricted and held is None:
            held = receivables
        whole = _whole(month, receivables, special, held)
        these = [begin(state, month, trust.account_rate) for state in states]
        _allocate(whole, states, these)
        _pool(states, these)
        for this in these:
            measure(this)
        _share_excess(whole, states, these)
        for state, this in zip(states, these, strict=True):
            pay_from_finance_charges(this)
            apply_losses(state, this)
            want_principal(state, this)
        _share_principal(whole, states, these)
        for state, this, kept in zip(states, these, by_series, strict=True):
            settle(state, this)
            test_spread(state, this, trust.months_averaged)
            kept.append(this)
        _transferor(trust, whole, states, these)
        _require_conserved(whole, these)
        months.append(whole)
        receivables, special = whole.receivables_after, whole.special_after
        if held is not None:
            held -= whole.finance_charges + whole.principal
    return TrustRun(trust, tuple(months), tuple(map(tuple, by_series)))


def _whole(month: Month, receivables: int, special: int, held: int | None) -> TrustMonth:
    """What of a month's collections is the trust's; after a restriction event up to what it held then."""
    charges, principal, added = month.finance_charges, month.principal, month.added
    if held is not None:
        charges, principal = in_proportion(min(held, charges + principal), [charges, principal])
        principal, added = min(principal, receivables), 0
    # Receivables that are written off go on being allocated, as far as the trust still has any.
    defaults = month.defaults if held is None else min(month.defaults, receivables - principal)
    return TrustMonth(
        month,
        receivables,
        special,
        charges,
        principal,
        defaults,
        added,
        receivables_after=receivables + added - principal - defaults,
    )


def _allocate(whole: TrustMonth, states: Sequence[SeriesState], these: Sequence[SeriesMonth]) -> None:
    """Collections and defaults by the percentages of the series, what is left to the transferor."""
    assets = whole.receivables + whole.special_funding
    floating = [0 if this.period is Period.ENDED else this.adjusted for this in these]
    fixed = [
        0 if this.period is Period.ENDED else state.numerator(this.period)
        for state, this in zip(states, these, strict=True)
    ]
    weights = _with_transferor(assets, floating)
    *charges, whole.finance_to_transferor = in_proportion(whole.finance_charges, weights)
    *defaults, whole.defaults_to_transferor = in_proportion(whole.defaults, weights)
    *principal, whole.principal_to_transferor = in_proportion(
        whole.principal, _with_transferor(assets, fixed)
    )
    by_floating, by_fixed = percentages(assets, floating), percentages(assets, fixed)
    for n, this in enumerate(these):
        this.finance_charges = this.pooled = charges[n]
        this.defaults, this.principal = defaults[n], principal[n]
        this.series_percentage, this.floating_percentage = by_floating[n].series, by_floating[n].investor
        this.principal_series_percentage, this.principal_percentage = by_fixed[n].series, by_fixed[n].investor


def _with_transferor(assets: int, numerators: Sequence[int]) -> list[int]:
    """The numerators and what is left of the assets: the transferor's, and all of it where nobody has any."""
    left = denominator(assets, numerators) - sum(numerators)
    return [*numerators, left if any(numerators) else 1]


def _pool(states: Sequence[SeriesState], these: Sequence[SeriesMonth]) -> None:
    """Reallocated Investor Finance Charge Collections: a group's finance charges by need, tier by tier.

    The clause names them and does not say how they are found: practice.
    """
    groups = {state.series.group.lower() for state in states if state.series.pools}
    for group in groups:
        members = [
            this for state, this in zip(states, these, strict=True) if state.series.group.lower() == group
        ]
        left = sum(this.finance_charges for this in members)
        needs = [(sum(this.interest_due), this.fee_due, this.defaults) for this in members]
        given = [0] * len(members)
        for tier in range(_TIERS):
            paid = capped(left, [need[tier] for need in needs])
            left -= sum(paid)
            given = [a + b for a, b in zip(given, paid, strict=True)]
        weights = [this.adjusted for this in members]
        rest = in_proportion(left, weights if any(weights) else [1] * len(members))
        for this, a, b in zip(members, given, rest, strict=True):
            this.pooled = a + b


def _share_excess(whole: TrustMonth, states: Sequence[SeriesState], these: Sequence[SeriesMonth]) -> None:
    sharing = [state.series.shares_excess for state in states]
    found = share(
        [this.excess if on else 0 for this, on in zip(these, sharing, strict=True)],
        [this.shortfall if on else 0 for this, on in zip(these, sharing, strict=True)],
    )
    for this, given, received in zip(these, found.given, found.received, strict=True):
        this.excess_given, this.excess_received = given, received
    whole.excess_shared = sum(found.given)


def _share_principal(whole: TrustMonth, states: Sequence[SeriesState], these: Sequence[SeriesMonth]) -> None:
    """Shared principal, to which what the special funding account holds is added (practice)."""
    sharing = [state.series.shares_principal for state in states]
    over = [
        max(0, this.available - this.wanted) if on else 0 for this, on in zip(these, sharing, strict=True)
    ]
    short = [this.principal_shortfall if on else 0 for this, on in zip(these, sharing, strict=True)]
    found = share([*over, whole.special_funding], [*short, 0])
    for this, given, received in zip(these, found.given, found.received, strict=False):
        this.shared_given, this.shared_received = given, received
    whole.principal_shared, whole.special_used = sum(found.given), found.given[-1]


def _transferor(
    trust: Trust, whole: TrustMonth, states: Sequence[SeriesState], these: Sequence[SeriesMonth]
) -> None:
    """What is left is the transferor's, but for what keeps its interest at the minimum (practice)."""
    left = whole.principal_to_transferor + sum(this.principal_left for this in these)
    whole.adjusted_after = sum(state.adjusted for state in states)
    whole.minimum = product_cents(whole.receivables_after, trust.minimum_transferor, 1, 1)
    held = whole.special_funding - whole.special_used
    above = whole.receivables_after + held - whole.adjusted_after - whole.minimum
    whole.special_deposit = min(left, -above) if above < 0 else -min(above, held)
    whole.principal_left = left - whole.special_deposit
    whole.special_after = held + whole.special_deposit
    interest = whole.receivables_after + whole.special_after - whole.adjusted_after
    whole.transferor, whole.deficit = max(0, interest), max(0, -interest)


def _require_conserved(whole: TrustMonth, these: Sequence[SeriesMonth]) -> None:
    def total(of: str) -> int:
        return sum(getattr(this, of) for this in these)

    charges = total("finance_charges")
    covered = total("defaults_covered") + total("reimbursed")
    laws = {
        "finance charges": (charges + whole.finance_to_transferor, whole.finance_charges),
        "defaults": (total("defaults") + whole.defaults_to_transferor, whole.defaults),
        "finance charges within groups": (total("pooled"), charges),
        "excess finance charges": (total("excess_given"), total("excess_received")),
        "shared principal": (total("shared_given") + whole.special_used, total("shared_received")),
        "principal": (
            whole.principal + covered + whole.special_used,
            total("reallocated") + total("deposit") + whole.principal_left + whole.special_deposit,
        ),
        "invested amounts": (
            total("invested") + total("reimbursed"),
            total("reallocated")
            + total("charged_off")
            + total("paid")
            + sum(sum(this.invested_after) for this in these),
        ),
    }
    for what, (one, other) in laws.items():
        if one != other:
            raise NotConserved(f"{what} of {whole.month.end}: {one / 100:,.2f} is not {other / 100:,.2f}")
