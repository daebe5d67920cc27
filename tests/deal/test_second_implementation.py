"""The engine against a second implementation, written from the prospectus: every cent of every payment date.

Pools, cash and decisions are random, made so that everything the prospectus provides for happens often; how
often is asserted, so that it stays so.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.deal import prospectus_1999_1 as prospectus
from tests.deal.tie import DEAL
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import SCENARIOS, Scenarios, read_scenarios, take
from xlmodel.deal.waterfall import run
from xlmodel.pool.projection import Collections

MONTHS = 78  # The certificates' final scheduled payment date is the 75th payment date, of month 76.
CUTOFF_POOL = 643_957_759_72
ORDINARY = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
AFTER_SALE = ("S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8")
EVENTS = ("interest unpaid", "principal unpaid", "policy claim", "another event")

# --- random pools -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Months:
    """One scenario's collections in cents, month by month; ``pool`` begins with the cutoff date."""

    pool: list[int]
    interest: list[int]
    defaulted: list[int]
    proceeds: list[int]
    purchase: list[int]

    @property
    def cash(self) -> list[int]:
        """All that Available Funds consist of: what the pool lost was paid, but for defaults."""
        paid = [self.pool[m] - self.pool[m + 1] - self.defaulted[m] for m in range(MONTHS)]
        return [sum(amounts) for amounts in zip(self.interest, paid, self.proceeds, strict=True)]


def months(
    rng: Random,
    repaid: tuple[float, float],
    defaults: tuple[float, float] = (0.0, 0.0),
    coupon: tuple[float, float] = (0.08, 0.12),
    recovered: tuple[float, float] = (0.2, 0.5),
    dry: int = 0,
    collapse: float = 0.0,
) -> Months:
    """A random pool.

    ``repaid`` and ``defaults`` are parts of the pool a month, ``dry`` the number of months in which nothing
    is collected, ``collapse`` the part of the cutoff pool at which all the rest defaults.
    """
    repay, rate, part = rng.uniform(*repaid), rng.uniform(*coupon), rng.uniform(*recovered)
    default = rng.uniform(*defaults)
    lag, first = rng.randint(1, 8), rng.randint(0, 12)
    nothing = set(rng.sample(range(2, 40), dry))
    pool, interest, defaulted, proceeds, purchase = [CUTOFF_POOL], [], [], [], []
    for month in range(MONTHS):
        now = pool[-1]
        lost = int(now * default * rng.uniform(0, 2)) if month >= first else 0
        if now <= collapse * CUTOFF_POOL:
            lost = now
        stopped = month in nothing
        paid = 0 if stopped else min(now - lost, int(now * repay * rng.uniform(0.5, 1.5)))
        bought = min(now - lost - paid, rng.choice([0, 0, 0, rng.randint(1, 10**7)])) if not stopped else 0
        pool.append(now - lost - paid - bought)
        interest.append(0 if stopped else int(now * rate / 12 * rng.uniform(0.7, 1.1)))
        defaulted.append(lost)
        proceeds.append(int(part * defaulted[month - lag]) if month >= lag and not stopped else 0)
        purchase.append(bought)
    return Months(pool, interest, defaulted, proceeds, purchase)


# --- random scenarios -------------------------------------------------------------------------------

Case = tuple[Months, dict[str, Any]]


def mild(rng: Random) -> Case:
    """Losses that the reserve account bears, or most of them."""
    return months(rng, (0.02, 0.05), (0.002, 0.012)), {}


def severe(rng: Random) -> Case:
    """Losses that the policy pays for, and nobody does anything about it."""
    return months(rng, (0.02, 0.05), (0.01, 0.05), recovered=(0, 0.3)), {}


def unpaid(rng: Random) -> Case:
    """An insurer in default: the holders go short."""
    pool = months(rng, (0.01, 0.05), (0.005, 0.05), (0.0, 0.09), (0, 0.3), dry=rng.choice([0, 0, 2, 6]))
    return pool, {"insurer default": rng.randint(1, 12)}


def dry(rng: Random) -> Case:
    """Months without any cash, and no insurer: not even the servicer is paid."""
    pool = months(rng, (0.01, 0.04), (0.005, 0.03), (0.03, 0.09), (0, 0.2), dry=rng.randint(4, 14))
    return pool, {"insurer default": rng.randint(1, 6)}


def insurer_declares(rng: Random) -> Case:
    """The insurer accelerates, of a sound trust or of one that claims; at times it defaults later."""
    sound = rng.random() < 0.4
    pool = months(rng, (0.02, 0.05), (0.0, 0.006) if sound else (0.01, 0.04), dry=rng.choice([0, 1, 3]))
    decisions: dict[str, Any] = {"insurer declares": rng.randint(1, 20)}
    if sound:
        decisions["stated event"] = rng.randint(1, 20)
    if rng.random() < 0.4:
        decisions["insurer default"] = rng.randint(10, 40)
    if rng.random() < 0.2:
        decisions["rescinded"] = rng.randint(10, 40)
    return pool, decisions


def holders_declare(rng: Random) -> Case:
    """The insurer is in default and the holders accelerate; most take it back, if they may."""
    sound = rng.random() < 0.6
    pool = months(rng, (0.02, 0.05), (0.0, 0.008) if sound else (0.01, 0.05), dry=rng.choice([0, 0, 2]))
    declared = rng.randint(1, 20)
    decisions: dict[str, Any] = {"insurer default": rng.randint(1, 15), "holders declare": declared}
    if sound:
        decisions["stated event"] = rng.randint(1, 20)
    if rng.random() < 0.75:
        decisions["rescinded"] = declared + rng.randint(0, 12)
    return pool, decisions


def insurer_sells(rng: Random) -> Case:
    """The insurer has the trust property sold: freely after a claim, else only for enough."""
    claimed = rng.random() < 0.4
    pool = months(rng, (0.02, 0.05), (0.02, 0.05) if claimed else (0.0, 0.002), recovered=(0, 0.3))
    declared = rng.randint(1, 20)
    sale = declared + rng.randint(1, 15)
    decisions: dict[str, Any] = {"insurer declares": declared, "sale": sale}
    decisions["sale price"] = round(rng.uniform(0.7, 1.1), 3)
    if not claimed:
        decisions["stated event"] = rng.randint(1, declared)
    if rng.random() < 0.3:
        decisions["insurer default"] = rng.randint(declared + 1, declared + 20)
    return pool, decisions


def trustee_sells(rng: Random) -> Case:
    """The trustee sells: after a payment default, by consent, or for enough."""
    sound = rng.random() < 0.7
    pool = months(rng, (0.02, 0.05), (0.0, 0.003) if sound else (0.01, 0.05))
    declared = rng.randint(1, 15)
    decisions: dict[str, Any] = {"insurer default": rng.randint(1, declared), "holders declare": declared}
    decisions["stated event"] = rng.randint(1, declared)
    decisions["sale"] = declared + rng.randint(0, 15)
    decisions["sale price"] = round(rng.choice([rng.uniform(0, 0.2), rng.uniform(0.7, 1.1)]), 3)
    decisions["consent"] = rng.choice([None, "none", "none", "two thirds", "all"])
    return pool, decisions


def slow(rng: Random) -> Case:
    """So slow a pool that classes reach their final scheduled payment dates; half without the insurer."""
    pool = months(rng, (0.004, 0.02), (0.0, 0.004), dry=rng.choice([0, 0, 2]))
    return pool, {"insurer default": rng.randint(1, 50)} if rng.random() < 0.5 else {}


def sound(rng: Random) -> Case:
    """Nothing happens but what the insurance agreement asks for."""
    return months(rng, (0.02, 0.06), (0.0, 0.002)), {}


def thin(rng: Random) -> Case:
    """Just enough for the holders, so that the insurer and the reserve account go short."""
    return months(rng, (0.02, 0.04), (0.001, 0.006), (0.07, 0.085), (0.5, 0.6), dry=rng.choice([0, 1])), {}


def late(rng: Random) -> Case:
    """What is left of the pool defaults when the notes are nearly paid, and no insurer pays."""
    pool = months(rng, (0.05, 0.09), (0.0, 0.001), collapse=rng.uniform(0.008, 0.03), recovered=(0, 0.1))
    return pool, {"insurer default": rng.randint(1, 30)}


KINDS: tuple[tuple[Callable[[Random], Case], int], ...] = (
    (mild, 6),
    (severe, 6),
    (unpaid, 8),
    (dry, 6),
    (insurer_declares, 9),
    (holders_declare, 12),
    (insurer_sells, 10),
    (trustee_sells, 12),
    (slow, 8),
    (sound, 3),
    (thin, 5),
    (late, 6),
)

# Premium, reimbursement rate, whether the servicer purchases the pool at its 10%.
BATCHES = ((0.0, 0.0, True), (0.0035, 0.08, True), (0.0125, 0.12, True), (0.002, 0.0575, False))


def sometimes(rng: Random, decisions: dict[str, Any]) -> None:
    """What may happen in any scenario: a preference amount, a higher requirement of the agreement."""
    if rng.random() < 0.3:
        decisions["preference"] = rng.randint(1, 10**9) / 100
        decisions["preference date"] = rng.randint(1, 45)
    if rng.random() < 0.2:
        decisions["agreement requires"] = rng.randint(1, 5 * 10**9) / 100
        decisions["agreement from"] = rng.randint(1, 30)


# --- both implementations ---------------------------------------------------------------------------


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
            prospectus.Collected(pool.pool, pool.cash, adjusted, unadjusted), agreement, decided(row, purchases)
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
    )


def decided(row: dict[str, Any], purchases: bool) -> prospectus.Decisions:
    """A scenario's row as the second implementation takes it."""

    def cents(heading: str) -> int:
        return round(row.get(heading, 0) * 100)

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


def items(paid: Distributions) -> Iterator[tuple[str, NDArray[Any], Callable[[prospectus.Payment], Any]]]:
    """What is compared on each payment date: name, the engine's (scenario, date), the other's."""
    due, ledger = paid.interest_due, paid.ledger
    for n, name in enumerate(prospectus.CLASSES):
        yield f"interest accrued, {name}", due.accrued[:, :, n], lambda p, n=n: p.accrued[n]
        yield f"interest overdue, {name}", due.overdue[:, :, n], lambda p, n=n: p.overdue[n]
        yield f"interest on overdue, {name}", due.on_overdue[:, :, n], lambda p, n=n: p.on_overdue[n]
        yield f"interest paid, {name}", paid.interest[:, :, n], lambda p, n=n: p.interest[n]
        yield f"principal paid, {name}", paid.principal[:, :, n], lambda p, n=n: p.principal[n]
        yield f"balance, {name}", paid.balance[:, :, n], lambda p, n=n: p.balance[n]
    yield "pool", paid.pool, lambda p: p.pool
    yield "available", paid.available, lambda p: p.available
    yield "called", paid.called, lambda p: p.called
    yield "accelerated", paid.accelerated, lambda p: p.accelerated
    moves = ("requirement", "opening", "deposit", "draw", "release", "closing")
    for move, amounts in zip(moves, paid.accounts.arrays, strict=True):
        yield f"reserve {move}", amounts[:, :, 0], lambda p, move=move: getattr(p, move)
    for name in ("claim", "preference", "unreimbursed"):
        yield name, getattr(paid.policies, name)[:, :, 0], lambda p, name=name: getattr(p, name)
    yield "fee paid", ledger.total("fee"), lambda p: p.fee
    yield "premium paid", ledger.total("premium"), lambda p: p.premium
    yield "reimbursement paid", ledger.total("reimbursement"), lambda p: p.reimbursement
    yield "remainder", ledger.total("party"), lambda p: p.remainder
    direct = [n for n, line in enumerate(ledger.lines) if line.direct]
    for kind in ("interest", "principal"):
        columns = [n for n in direct if ledger.lines[n].kind == kind]
        name = f"direct_{kind}"
        yield f"direct {kind}", ledger.paid[:, :, columns].sum(axis=2), lambda p, name=name: getattr(p, name)
    for clause in (*ORDINARY, *AFTER_SALE):
        columns = [n for n, line in enumerate(ledger.lines) if line.clause == clause and n not in direct]
        owed, got = ledger.due[:, :, columns].sum(axis=2), ledger.paid[:, :, columns].sum(axis=2)
        yield f"clause {clause} owed", owed, lambda p, clause=clause: owed_by(p, clause)
        yield f"clause {clause} paid", got, lambda p, clause=clause: p.paid.get(clause, 0)


def owed_by(p: prospectus.Payment, clause: str) -> int:
    """What a clause owes from the collection account: less what went directly to the certificates."""
    direct = {"5": p.direct_interest, "6": p.direct_principal}.get(clause, 0)
    return p.owed.get(clause, 0) - direct


def differences(paid: Distributions, expected: list[prospectus.Outcome], names: tuple[str, ...]) -> list[str]:
    """Scenario, payment date, item and both numbers, the earliest payment dates first."""
    found = []
    for item, ours, read in items(paid):
        theirs = np.array([[read(p) for p in outcome.payments] for outcome in expected], dtype=ours.dtype)
        if item == "called":
            theirs = np.logical_or.accumulate(theirs, axis=1)
        for scenario, date in np.argwhere(ours != theirs).tolist():
            numbers = f"engine {ours[scenario, date]}, prospectus {theirs[scenario, date]}"
            found.append((date, f"{names[scenario]}, payment date {date + 1}, {item}: {numbers}"))
    history = paid.history
    for n, outcome in enumerate(expected):
        pairs = [
            (event, history.occurred[n, k], outcome.events.get(event, 0)) for k, event in enumerate(EVENTS)
        ]
        for name in ("accelerated", "rescinded", "sold", "refused"):
            pairs.append((name, getattr(history, name)[n], getattr(outcome, name) or 0))
        for item, ours, theirs in pairs:
            if ours != theirs:
                found.append((10**6, f"{names[n]}, date of {item}: engine {ours}, prospectus {theirs}"))
    return [text for _, text in sorted(found)]


def report(found: list[str]) -> str:
    return f"{len(found)} differences\n" + "\n".join(found[:12])


# --- tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(BATCHES)))
def test_every_cent_of_every_payment_date(number: int) -> None:
    b = batch(number)
    assert [event.kind for event in b.deal.events] == [*EVENTS[:3], "stated"]
    found = differences(b.paid, b.expected, b.scenarios.names)
    assert not found, report(found)


@pytest.mark.parametrize("number", range(len(BATCHES)))
def test_a_scenario_alone_ends_as_it_does_in_company(number: int) -> None:
    """One scenario of each kind: a run may stop early only where nothing is left to happen."""
    b = batch(number)
    firsts = np.cumsum([0] + [count for _, count in KINDS])[:-1].tolist()
    for n in firsts:
        c = b.collections
        arrays = {
            name: value[n : n + 1] for name, value in vars(c).items() if isinstance(value, np.ndarray)
        }
        paid = run(b.deal, replace(c, **arrays), take(b.scenarios, [n]))
        found = differences(paid, [b.expected[n]], (b.scenarios.names[n],))
        assert not found, report(found)


def test_everything_happens_often_enough() -> None:
    """Scenarios in which something happens; a clause is short where it cannot pay what it owes."""
    counts: Counter[str] = Counter()
    total = 0
    for number in range(len(BATCHES)):
        b = batch(number)
        for outcome, row in zip(b.expected, b.decisions, strict=True):
            total += 1
            counts.update(happened(outcome, row))
    assert total >= 200
    at_least = {
        "reserve drawn": 20,
        "policy pays": 20,
        "insurer in default": 20,
        "insurer declared": 20,
        "holders declared": 20,
        "rescission succeeds": 10,
        "rescission tried": 20,
        "insurer sells": 20,
        "insurer may not sell": 20,
        "trustee sells": 20,
        "trustee may not sell": 20,
        "preference amount": 20,
        "final date forces principal": 20,
        "purchased by the servicer": 20,
        "agreement raises the requirement": 20,
        "paid directly": 20,
        "overdue interest bears interest": 20,
        **{f"clause {clause} short": 10 for clause in ORDINARY[:-1]},
        "clause 4 short, not accelerated": 10,
        "S3 short": 5,
    }
    missing = {name: (counts[name], least) for name, least in at_least.items() if counts[name] < least}
    assert not missing, (missing, counts)


def happened(outcome: prospectus.Outcome, row: dict[str, Any]) -> set[str]:
    """What happened in a scenario, by the second implementation."""
    payments = outcome.payments
    declared, by_insurer = outcome.accelerated is not None, outcome.by_insurer
    rescission = "rescinded" in row and declared and not by_insurer
    found = {
        "reserve drawn": any(p.draw for p in payments),
        "policy pays": any(p.claim for p in payments),
        "insurer in default": "insurer default" in row,
        "insurer declares": declared and by_insurer,
        "holders declare": declared and not by_insurer,
        "rescission tried": rescission,
        "rescission succeeds": outcome.rescinded is not None,
        "rescission waits for interest": rescission and outcome.rescinded not in (row["rescinded"], outcome.accelerated),
        "insurer sells": outcome.sold is not None and by_insurer,
        "insurer may not sell": outcome.refused is not None and by_insurer,
        "trustee sells": outcome.sold is not None and not by_insurer,
        "trustee may not sell": outcome.refused is not None and not by_insurer,
        "preference amount": any(p.preference for p in payments),
        "purchased by the servicer": any(p.called for p in payments),
        "agreement raises the requirement": any(0 < p.requirement == row.get("agreement requires") for p in payments),
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
