"""A synthetic tape of CarMax Auto Owner Trust 1999-1: 63,556 contracts that nobody signed.

Its tables are those of the prospectus (pages 31 to 34), and each contract meets the selection criteria
(page 30).  What the prospectus does not print, such as which terms are common or how a vehicle's age goes
with its balance, is invented: the tape says nothing of the real contracts beyond the printed tables.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from xlmodel.conventions import annuity
from xlmodel.errors import TapeNotMade
from xlmodel.pool.synthetic import lattice, rates
from xlmodel.pool.synthetic.attributes import newest_first, sorted_into, with_averages
from xlmodel.pool.synthetic.raking import rake, to_the_cent
from xlmodel.pool.synthetic.targets import Floats, Ints, Targets

CUTOFF_YEAR, CUTOFF_MONTH = 1999, 9

# The 13 hypothetical pools: original term up to, then months since origination up to.  The prospectus prints
# averages only; these are the limits under which each average can stand in its pool.
POOL_LIMITS = {36: (12, 72), 48: (12, 24, 72), 60: (12, 24, 36, 72), 72: (12, 24, 36, 72)}
BUCKET_STARTS = (1, 13, 25, 37, 49, 61)  # remaining terms, page 31

# Selection criteria, page 30.
ORIGINAL_TERMS = (12, 72)
REMAINING_TERMS = (3, 70)
LEAST_PAYMENTS = 2
LEAST_BALANCE = 500.0
MOST_ORIGINAL = 50_000.0
MOST_DAYS_PAST_DUE = 30

# Each state that the prospectus calls other has less than 0.30% of contracts and of balance (page 32).
OTHER_STATES = "AL CA CO CT DE IN KY LA MA MI MO MS NJ NY OH PA TN WV".split()  # noqa: SIM905  # reads better

# Invented: how common an original term is, and how loans age.
_COMMON_TERMS = {12: 4, 18: 2, 24: 8, 30: 3, 36: 25, 42: 6, 48: 40, 54: 5, 60: 100, 63: 4, 66: 25, 72: 30}
_RARE_TERM = 0.15
_MONTHLY_DECAY = 0.96
_AMOUNT_AT_60, _AMOUNT_POWER = 15_000.0, 0.75
_SPREAD = 0.38  # of the logarithm of a balance
_MODEL_YEAR_NOISE, _RATE_NOISE, _NEW_NOISE = 0.55, 0.9, 0.8
_SMALL_PAYS_MORE = 0.35
_HALF_A_MONTH = 0.49
_OPEN_RATES = (0.18, 0.21)  # where rates above 17.999% lie


@dataclass(frozen=True)
class Tape:
    """Contracts as columns of length N; balances in dollars and cents, rates as decimals."""

    state: tuple[str, ...]
    new: np.ndarray[tuple[int], np.dtype[np.bool_]]
    model_year: Ints
    original: Floats
    balance: Floats
    rate: Floats
    original_term: Ints
    remaining_term: Ints
    days_past_due: Ints

    def in_order(self, order: Ints) -> Tape:
        """The same contracts in another order."""
        states = tuple(self.state[place] for place in order.tolist())
        columns = {f.name: getattr(self, f.name)[order] for f in fields(self) if f.name != "state"}
        return Tape(state=states, **columns)

    def __len__(self) -> int:
        return len(self.balance)


def make(targets: Targets, seed: int) -> Tape:
    """The tape of a seed.  Raises TapeNotMade if the tables cannot be met together."""
    random = np.random.default_rng(seed)
    original_term, remaining_term, pool, bucket = _terms(targets)
    count = len(pool)
    age = original_term - remaining_term
    balance = _first_balance(original_term, remaining_term) * np.exp(random.normal(0, _SPREAD, count))
    amount = balance * original_term / remaining_term  # what was lent, roughly
    model_year = _model_years(targets, random, amount, original_term, age)
    new = _new_vehicles(targets, random, balance, original_term, remaining_term, model_year, age)
    state = random.permutation(np.repeat(np.arange(len(targets.state.labels)), targets.state.counted))
    rate_bucket = _rate_buckets(targets, random, balance, pool, new)
    kind = np.where(new, 0, 1)
    places = (kind, bucket, state, model_year, rate_bucket, pool)
    middle = rates.middles(_rate_edges(targets))[rate_bucket]
    lent = annuity_ratio(middle, original_term, remaining_term)
    balance = rake(
        balance, places, targets.partitions, np.full(count, LEAST_BALANCE + 1), 0.97 * MOST_ORIGINAL / lent
    )
    cents = to_the_cent(balance, places, targets.partitions)
    balance = cents / 100
    rate = rates.fit(targets, random, balance, rate_bucket, _rate_edges(targets), pool, new)
    original = _originals(targets, balance, kind, annuity_ratio(rate, original_term, remaining_term))
    years = np.array([int(label) for label in targets.model_year.labels])[model_year]
    made = Tape(
        state=_states(targets, state, balance),
        new=new,
        model_year=years - _older(random, model_year),
        original=original,
        balance=balance,
        rate=rate,
        original_term=original_term,
        remaining_term=remaining_term,
        days_past_due=_days_past_due(random, count),
    )
    return made.in_order(random.permutation(count))


def pool_of(original_term: Ints, remaining_term: Ints) -> Ints:
    """The hypothetical pool, from 0, of a contract's terms."""
    age = original_term - remaining_term
    pool = np.zeros(len(age), dtype=np.int64)
    before, number = 0, 0
    for longest, ages in POOL_LIMITS.items():
        for sooner, later in pairwise((0, *ages)):
            here = (original_term > before) & (original_term <= longest) & (age > sooner) & (age <= later)
            pool[here] = number
            number += 1
        before = longest
    return pool


def annuity_ratio(rate: Floats, original_term: Ints, remaining_term: Ints) -> Floats:
    """Original balance over the balance after the payments made, of level payments."""
    payments = original_term - remaining_term
    left = annuity.balance_after(np.ones(len(rate)), rate / 12, original_term, payments, 0.0, False)
    return np.asarray(1.0 / left)


def _terms(targets: Targets) -> tuple[Ints, Ints, Ints, Ints]:
    """Original term, remaining term, pool and bucket of every contract."""
    fitted = _fitted(targets)
    sizes = _first_balance(fitted.original, fitted.remaining)
    counts = np.zeros(len(sizes), dtype=np.int64)
    for number, wanted in enumerate(targets.remaining_term.counted.tolist()):
        here = np.flatnonzero(fitted.bucket == number)
        counts[here] = _whole(fitted.balance[here] / sizes[here], wanted)
    columns = (fitted.original, fitted.remaining, fitted.pool, fitted.bucket)
    original, remaining, pool, bucket = (np.repeat(column, counts) for column in columns)
    return original, remaining, pool, bucket


def _fitted(targets: Targets) -> lattice.Lattice:
    first, last = ORIGINAL_TERMS
    pairs = [
        (original, remaining)
        for original in range(first, last + 1)
        for remaining in range(REMAINING_TERMS[0], min(REMAINING_TERMS[1], original - LEAST_PAYMENTS) + 1)
    ]
    original, remaining = (np.array(column) for column in zip(*pairs, strict=True))
    common = np.array([_COMMON_TERMS.get(term, _RARE_TERM) for term in range(last + 1)])
    prior = lattice.Lattice(
        original,
        remaining,
        pool_of(original, remaining),
        np.searchsorted(BUCKET_STARTS, remaining, side="right") - 1,
        common[original] * _MONTHLY_DECAY ** (original - remaining) * _first_balance(original, remaining),
    )
    return lattice.fit(
        prior,
        targets.pools.partition.cents / 100,
        targets.remaining_term.cents / 100,
        _reconciled(targets, targets.pools.original_term, targets.composition.original_term),
        _reconciled(targets, targets.pools.remaining_term, targets.composition.remaining_term),
    )


def _reconciled(targets: Targets, of_pools: Floats, of_kinds: Floats) -> Floats:
    """Averages of the pools, all moved alike, under which those of new and used vehicles can stand as well.

    Each is printed in whole months; the total must be where both, and the printed total, round as printed.
    """
    totals = [
        float(np.average(of_pools, weights=targets.pools.partition.cents)),
        float(np.average(of_kinds[:2], weights=targets.composition.partition.cents)),
        float(of_kinds[2]),
    ]
    least, most = max(totals) - _HALF_A_MONTH, min(totals) + _HALF_A_MONTH
    if least > most:
        raise TapeNotMade("the average terms of pools, vehicles and total are further apart than rounding")
    return of_pools + (least + most) / 2 - totals[0]


def _first_balance(original_term: Ints, remaining_term: Ints) -> Floats:
    """An ordinary balance of such terms."""
    lent = _AMOUNT_AT_60 * (original_term / 60) ** _AMOUNT_POWER
    return np.asarray(lent * (remaining_term / original_term) ** 0.9)


def _whole(shares: Floats, total: int) -> Ints:
    """Whole numbers in proportion that sum to the total: largest remainders."""
    exact = shares / shares.sum() * total
    counts: Ints = np.floor(exact).astype(np.int64)
    short = total - int(counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:short]] += 1
    return counts


def _model_years(
    targets: Targets, random: np.random.Generator, amount: Floats, original_term: Ints, age: Ints
) -> Ints:
    """Larger and longer loans buy newer vehicles; none is newer than the year after the contract's."""
    score = np.log(amount) + original_term / 40 + random.normal(0, _MODEL_YEAR_NOISE, len(age))
    newest = _contract_year(age) + 1
    labels = np.array([int(label) for label in targets.model_year.labels])
    return newest_first(score, newest, labels, targets.model_year.counted)


def _new_vehicles(
    targets: Targets,
    random: np.random.Generator,
    balance: Floats,
    original_term: Ints,
    remaining_term: Ints,
    model_year: Ints,
    age: Ints,
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """New vehicles are of the contract's year or those beside it; their terms average as printed."""
    labels = np.array([int(label) for label in targets.model_year.labels])
    gap = _contract_year(age) - labels[model_year]
    noise = random.gumbel(0, _NEW_NOISE, len(age)) - 1.5 * np.abs(gap)
    noise[gap > 1] = -np.inf
    return with_averages(
        noise,
        balance,
        np.column_stack([original_term, remaining_term]).astype(np.float64),
        np.array([targets.composition.original_term[0], targets.composition.remaining_term[0]]),
        int(targets.composition.partition.counted[0]),
    )


def _rate_buckets(
    targets: Targets,
    random: np.random.Generator,
    balance: Floats,
    pool: Ints,
    new: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Ints:
    """Buckets of rates such that each pool, and new vehicles, come close to their average rate."""
    noise = random.normal(0, _RATE_NOISE, len(pool)) - _SMALL_PAYS_MORE * np.log(balance)
    wanted = np.append(targets.pools.rate, targets.composition.rate[0])
    members = [pool == number for number in range(len(targets.pools.rate))] + [new]
    middle = rates.middles(_rate_edges(targets))
    return sorted_into(noise, balance, members, wanted, middle, targets.contract_rate.counted)


def _rate_edges(targets: Targets) -> list[tuple[float, float]]:
    """Lowest and highest rate of each bucket."""
    starts = [int(label) / 100 for label in targets.contract_rate.labels]
    return [(start, start + 0.00999) for start in starts[:-1]] + [_OPEN_RATES]


def _originals(targets: Targets, balance: Floats, kind: Ints, ratio: Floats) -> Floats:
    """Original balances: those of level payments, scaled to the printed total of new and of used vehicles."""
    cents = np.zeros(len(balance), dtype=np.int64)
    for number, total in enumerate(targets.composition.original_cents.tolist()):
        here = np.flatnonzero(kind == number)
        level = balance[here] * ratio[here]
        scale = total / 100 / level.sum()
        cents[here] = np.rint(np.minimum(np.maximum(level * scale, balance[here]), MOST_ORIGINAL) * 100)
        _spread_cents(cents, here, total, balance)
    return cents / 100


def _spread_cents(cents: Ints, here: Ints, total: int, balance: Floats) -> None:
    """What rounding and limits left over, on contracts that have room for it."""
    over = int(cents[here].sum()) - total
    room = cents[here] - np.rint(balance[here] * 100).astype(np.int64)
    if over < 0:
        room = np.rint(MOST_ORIGINAL * 100).astype(np.int64) - cents[here]
    shares = _whole(room.astype(np.float64), abs(over)) if room.sum() >= abs(over) else None
    if shares is None or (shares > room).any():
        raise TapeNotMade(f"the original balances miss their total by {over / 100:,.2f}")
    cents[here] -= np.sign(over) * shares


def _states(targets: Targets, state: Ints, balance: Floats) -> tuple[str, ...]:
    """Names of states; those that are called other get about the same number of contracts each."""
    names = np.array(targets.state.labels, dtype=object)[state]
    others = np.flatnonzero(names == "other")
    order = others[np.argsort(-balance[others], kind="stable")]
    names[order] = np.array(OTHER_STATES, dtype=object)[np.arange(len(order)) % len(OTHER_STATES)]
    return tuple(names.tolist())


def _older(random: np.random.Generator, model_year: Ints) -> Ints:
    """Years before the first bucket's, for the vehicles that are "and earlier"."""
    return np.where(model_year == 0, random.integers(0, 4, len(model_year)), 0)


def _days_past_due(random: np.random.Generator, count: int) -> Ints:
    """Nine in ten are on time, and none is more than 30 days late."""
    late = random.random(count) < 0.1
    return np.asarray(np.where(late, random.integers(1, MOST_DAYS_PAST_DUE + 1, count), 0))


def _contract_year(age: Ints) -> Ints:
    """The year in which a contract of so many payments was signed: a month before the first of them."""
    return np.asarray((CUTOFF_YEAR * 12 + CUTOFF_MONTH - 1 - age) // 12)
