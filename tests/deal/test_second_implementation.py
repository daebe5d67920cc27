"""The engine against a second implementation, written from the prospectus: every cent of every payment date.

Pools, cash and decisions are random, made so that everything the prospectus provides for happens often; how
often is asserted, so that it stays so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.deal import prospectus_1999_1 as prospectus
from tests.deal.random_1999_1 import KINDS, MONTHS, Months, sometimes
from tests.deal.tie import DEAL
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import SCENARIOS, Scenarios, read_scenarios, take
from xlmodel.deal.waterfall import run
from xlmodel.pool.projection import Collections

ORDINARY = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
AFTER_SALE = ("S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8")
EVENTS = ("interest unpaid", "principal unpaid", "policy claim", "another event")
DECIDED = ("accelerated", "rescinded", "sold", "refused")

# Premium, reimbursement rate, whether the servicer purchases the pool at its 10%.
BATCHES = ((0.0, 0.0, True), (0.0125, 0.12, True), (0.0035, 0.0575, False))


@dataclass(frozen=True)
class Batch:
    """Scenarios that share the terms of the insurance agreement, and what both implementations pay."""

    deal: Deal
    collections: Collections
    scenarios: Scenarios
    paid: Distributions
    expected: list[prospectus.Outcome]
    decisions: list[dict[str, Any]]


@cache
def batch(number: int) -> Batch:
    premium, reimbursement, purchases = BATCHES[number]
    rng = Random(19991028 + number)
    pools, rows, names = [], [], []
    for kind, count in KINDS:
        for n in range(count):
            pool, decisions = kind(rng)
            sometimes(rng, decisions)
            pools.append(pool)
            rows.append(decisions)
            names.append(f"{kind.__name__} {n}")
    headings = [column.heading for column in SCENARIOS.columns]
    cells = [
        [{"scenario": name, "speed": 0.0, **row}.get(heading) for heading in headings]
        for name, row in zip(names, rows, strict=True)
    ]
    scenarios = read_scenarios([headings, *cells])
    deal = read_folder(DEAL).deal
    assert deal.call is not None
    policy = replace(deal.policies[0], premium=premium, reimbursement=reimbursement)
    deal = replace(deal, policies=(policy,), call=replace(deal.call, exercised=purchases))
    collections = collected(rng, pools)
    paid = run(deal, collections, scenarios)
    adjusted, unadjusted = paid.dates.adjusted.tolist(), paid.dates.unadjusted.tolist()
    agreement = prospectus.Agreement(Fraction(str(premium)), Fraction(str(reimbursement)))
    expected = [
        prospectus.pay(
            prospectus.Collected(pool.pool, pool.cash, adjusted, unadjusted),
            agreement,
            decided(row, purchases),
        )
        for pool, row in zip(pools, rows, strict=True)
    ]
    return Batch(deal, collections, scenarios, paid, expected, rows)


def collected(rng: Random, pools: list[Months]) -> Collections:
    """The pools as the engine takes them: dollars that are not yet rounded to the cent."""
    noise = np.random.default_rng(rng.randint(0, 10**9))

    def dollars(cents: list[list[int]]) -> NDArray[np.float64]:
        exact = np.array(cents, dtype=np.float64)
        unrounded = exact + np.where(exact > 0, noise.uniform(-0.4, 0.4, exact.shape), 0)
        return unrounded / 100

    balance = dollars([pool.pool for pool in pools])
    defaulted = dollars([pool.defaulted for pool in pools])
    purchase = dollars([pool.purchase for pool in pools])
    principal = balance[:, :-1] - balance[:, 1:] - defaulted - purchase
    return Collections(
        speeds=np.zeros(len(pools)),
        model="ABS",
        beginning_balance=balance[:, :-1],
        interest=dollars([pool.interest for pool in pools]),
        scheduled_principal=principal,
        prepaid_principal=np.zeros_like(principal),
        ending_balance=balance[:, 1:],
        defaulted=defaulted,
        liquidation_proceeds=dollars([pool.proceeds for pool in pools]),
        purchase_amount=purchase,
        other=np.zeros_like(principal),
        waiting=np.zeros_like(principal),
    )


def decided(row: dict[str, Any], purchases: bool) -> prospectus.Decisions:
    """A scenario's row as the second implementation takes it."""

    def cents(heading: str) -> int:
        return round(float(row.get(heading, 0)) * 100)

    return prospectus.Decisions(
        stated_event=row.get("stated event"),
        insurer_default=row.get("insurer default"),
        insurer_declares=row.get("insurer declares"),
        holders_declare=row.get("holders declare"),
        rescinded=row.get("rescinded"),
        sale=row.get("sale"),
        sale_price=Fraction(str(row.get("sale price", 0))),
        consent=row.get("consent") or "none",
        agreement_requires=cents("agreement requires"),
        agreement_from=row.get("agreement from"),
        preference=cents("preference"),
        preference_date=row.get("preference date"),
        servicer_purchases=purchases,
    )


# --- item by item -----------------------------------------------------------------------------------


def engine_items(paid: Distributions) -> dict[str, NDArray[Any]]:
    """What is compared on each payment date, (scenario, payment date)."""
    due, ledger = paid.interest_due, paid.ledger
    found: dict[str, NDArray[Any]] = {"pool": paid.pool, "available": paid.available}
    found |= {"called": paid.called, "accelerated": paid.accelerated}
    for n, name in enumerate(prospectus.CLASSES):
        found[f"interest accrued, {name}"] = due.accrued[:, :, n]
        found[f"interest overdue, {name}"] = due.overdue[:, :, n]
        found[f"interest on overdue, {name}"] = due.on_overdue[:, :, n]
        found[f"interest paid, {name}"] = paid.interest[:, :, n]
        found[f"principal paid, {name}"] = paid.principal[:, :, n]
        found[f"balance, {name}"] = paid.balance[:, :, n]
    for name in ("requirement", "opening", "deposit", "draw", "release", "closing"):
        found[f"reserve {name}"] = getattr(paid.accounts, name)[:, :, 0]
    for name in ("claim", "preference", "unreimbursed"):
        found[name] = getattr(paid.policies, name)[:, :, 0]
    for name, kind in (("fee", "fee"), ("premium",) * 2, ("reimbursement",) * 2, ("remainder", "party")):
        found[f"{name} paid"] = ledger.total(kind)
    for kind in ("interest", "principal"):
        columns = [n for n, line in enumerate(ledger.lines) if line.direct and line.kind == kind]
        found[f"direct {kind}"] = ledger.paid[:, :, columns].sum(axis=2)
    for clause in (*ORDINARY, *AFTER_SALE):
        columns = [n for n, line in enumerate(ledger.lines) if line.clause == clause and not line.direct]
        found[f"clause {clause} owed"] = ledger.due[:, :, columns].sum(axis=2)
        found[f"clause {clause} paid"] = ledger.paid[:, :, columns].sum(axis=2)
    return found


def prospectus_items(p: prospectus.Payment) -> dict[str, int]:
    """The same of one payment date of the second implementation."""
    found = {"pool": p.pool, "available": p.available, "called": int(p.pool_is_purchased)}
    found["accelerated"] = int(p.accelerated)
    for n, name in enumerate(prospectus.CLASSES):
        found[f"interest accrued, {name}"] = p.accrued[n]
        found[f"interest overdue, {name}"] = p.overdue[n]
        found[f"interest on overdue, {name}"] = p.on_overdue[n]
        found[f"interest paid, {name}"] = p.interest[n]
        found[f"principal paid, {name}"] = p.principal[n]
        found[f"balance, {name}"] = p.balance[n]
    for name in ("requirement", "opening", "deposit", "draw", "release", "closing"):
        found[f"reserve {name}"] = getattr(p, name)
    found |= {"claim": p.claim, "preference": p.preference, "unreimbursed": p.unreimbursed}
    found |= {"fee paid": p.fee, "premium paid": p.premium, "reimbursement paid": p.reimbursement}
    found |= {"remainder paid": p.remainder}
    found |= {"direct interest": p.direct_interest, "direct principal": p.direct_principal}
    for clause in (*ORDINARY, *AFTER_SALE):
        # What goes directly to the certificates is no longer owed from the collection account.
        found[f"clause {clause} owed"] = p.short(clause) + p.paid.get(clause, 0)
        found[f"clause {clause} paid"] = p.paid.get(clause, 0)
    return found


def dates_of(paid: Distributions, n: int) -> dict[str, int]:
    """When what happened in a scenario; 0 for never."""
    history = paid.history
    found = {event: int(history.occurred[n, k]) for k, event in enumerate(EVENTS)}
    return found | {name: int(getattr(history, name)[n]) for name in DECIDED}


def expected_dates(outcome: prospectus.Outcome) -> dict[str, int]:
    """The same of the second implementation."""
    found = {event: outcome.events.get(event, 0) for event in EVENTS}
    return found | {name: getattr(outcome, name) or 0 for name in DECIDED}


def differences(paid: Distributions, expected: list[prospectus.Outcome], names: Sequence[str]) -> list[str]:
    """Scenario, payment date, item and both numbers, the earliest payment dates first."""
    ours = engine_items(paid)
    theirs = [[prospectus_items(p) for p in outcome.payments] for outcome in expected]
    found: list[tuple[int, str]] = []
    for item, engine in ours.items():
        other = np.array([[payment[item] for payment in payments] for payments in theirs])
        for n, date in np.argwhere(engine != other).tolist():
            numbers = f"engine {engine[n, date]}, prospectus {other[n, date]}"
            found.append((date, f"{names[n]}, payment date {date + 1}, {item}: {numbers}"))
    assert ours.keys() == theirs[0][0].keys()
    for n, outcome in enumerate(expected):
        engine_dates = dates_of(paid, n)
        for item, number in expected_dates(outcome).items():
            if engine_dates[item] != number:
                numbers = f"engine {engine_dates[item]}, prospectus {number}"
                found.append((MONTHS, f"{names[n]}, payment date of {item}: {numbers}"))
    return [text for _, text in sorted(found)]


def report(found: list[str]) -> str:
    return f"{len(found)} differences\n" + "\n".join(found[:12])


# --- tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(BATCHES)))
def test_every_cent_of_every_payment_date(number: int) -> None:
    b = batch(number)
    assert [event.name for event in b.deal.events] == list(EVENTS)
    found = differences(b.paid, b.expected, b.scenarios.names)
    assert not found, report(found)


def test_a_run_that_stops_early_has_left_nothing_out() -> None:
    """Scenarios whose pool and securities are gone, without the others: such a run stops as soon as it may.

    They are taken together by what is still owed at the end, because one that goes on keeps the others going.
    """
    b = batch(1)
    groups: dict[tuple[bool, ...], list[int]] = {}
    for n, outcome in enumerate(b.expected):
        last = outcome.payments[-1]
        if (last.pool_is_purchased or outcome.sold) and not any(last.balance):
            key = (last.short("7") > 0, last.unreimbursed > 0, last.accelerated)
            groups.setdefault(key, []).append(n)
    everything, nothing, premium = (True, True, True), (False, False, False), (True, False, True)
    assert groups.keys() >= {everything, nothing, premium}
    for chosen in groups.values():
        arrays: dict[str, Any] = {
            key: value[chosen] for key, value in vars(b.collections).items() if isinstance(value, np.ndarray)
        }
        paid = run(b.deal, replace(b.collections, **arrays), take(b.scenarios, chosen))
        names = [b.scenarios.names[n] for n in chosen]
        found = differences(paid, [b.expected[n] for n in chosen], names)
        assert not found, report(found)


# Never less than the acceptance asks for: 20 of each event, 10 of each clause.
AT_LEAST = {
    "reserve drawn": 100,
    "policy pays": 100,
    "insurer in default": 100,
    "insurer declares": 50,
    "holders declare": 50,
    "rescission tried": 30,
    "rescission succeeds": 20,
    "rescission waits for interest": 10,
    "insurer sells": 20,
    "insurer may not sell": 20,
    "trustee sells": 20,
    "trustee may not sell": 20,
    "a price that pays the notes only": 5,
    "preference amount": 40,
    "purchased by the servicer": 20,
    "agreement raises the requirement": 20,
    "paid directly, interest": 50,
    "paid directly, principal": 20,
    "interest on overdue interest": 50,
    "clause 4 short, not accelerated": 50,
    **{f"final date of {name}": 20 for name in prospectus.CLASSES},
    **{f"clause {clause} short": 20 for clause in ORDINARY[:-1]},
    **{f"clause {clause} short": 10 for clause in ("S4", "S5", "S6", "S7")},
}


def test_everything_happens_often_enough() -> None:
    """In so many scenarios at least; a clause is short where it cannot pay all that it owes."""
    counts: Counter[str] = Counter()
    total = 0
    for number in range(len(BATCHES)):
        b = batch(number)
        total += len(b.expected)
        for outcome, row in zip(b.expected, b.decisions, strict=True):
            counts.update(happened(outcome, row))
    rare = {name: f"{counts[name]} of {least}" for name, least in AT_LEAST.items() if counts[name] < least}
    assert not rare
    assert total >= 200


def happened(outcome: prospectus.Outcome, row: dict[str, Any]) -> set[str]:
    """What happened in a scenario, by the second implementation."""
    payments = outcome.payments
    declared, by_insurer = outcome.accelerated is not None, outcome.by_insurer
    sold, refused = outcome.sold is not None, outcome.refused is not None
    rescission = "rescinded" in row and declared and not by_insurer
    late = rescission and outcome.rescinded not in (row["rescinded"], outcome.accelerated)
    agreed = round(100 * row.get("agreement requires", 0))
    found = {
        "reserve drawn": any(p.draw for p in payments),
        "policy pays": any(p.claim for p in payments),
        "insurer in default": "insurer default" in row,
        "insurer declares": declared and by_insurer,
        "holders declare": declared and not by_insurer,
        "rescission tried": rescission,
        "rescission succeeds": outcome.rescinded is not None,
        "rescission waits for interest": late,
        "insurer sells": sold and by_insurer,
        "insurer may not sell": refused and by_insurer,
        "trustee sells": sold and not by_insurer,
        "trustee may not sell": refused and not by_insurer,
        "a price that pays the notes only": refused and not by_insurer and row["sale price"] >= 1,
        "preference amount": any(p.preference for p in payments),
        "purchased by the servicer": any(p.pool_is_purchased for p in payments),
        "agreement raises the requirement": any(p.requirement == agreed > 0 for p in payments),
        "paid directly, interest": any(p.direct_interest for p in payments),
        "paid directly, principal": any(p.direct_principal for p in payments),
        "interest on overdue interest": any(any(p.on_overdue) for p in payments),
        "clause 4 short, not accelerated": any(p.short("4") for p in payments if not p.accelerated),
    }
    for name in prospectus.CLASSES:
        found[f"final date of {name}"] = any(name in p.final for p in payments)
    for clause in (*ORDINARY, *AFTER_SALE):
        found[f"clause {clause} short"] = any(p.short(clause) for p in payments)
    return {name for name, yes in found.items() if yes}
