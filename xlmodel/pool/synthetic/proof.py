"""What a tape of CarMax Auto Owner Trust 1999-1 shows: the printed tables and criteria, from its columns.

Nothing here knows how the tape was made: it reads columns and stratifies them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from xlmodel.pool.stratify import Strata, stratify_names, stratify_numbers
from xlmodel.pool.synthetic import carmax_1999_1 as deal
from xlmodel.pool.synthetic.targets import Floats, Ints
from xlmodel.pool.tape.columns import Columns, numbers, texts

Shown = dict[tuple[str, str, str], float]
"""Figures by table, row and measure, as ``published/figures.csv`` names them."""

RATE_STARTS = tuple(percent / 100 for percent in range(5, 19))
LEAST_OTHER_STATE = 0.0030


def tables(columns: Columns, labels: Mapping[str, tuple[str, ...]]) -> Shown:
    """Every figure of the tables composition, the four distributions and hypothetical pools.

    ``labels``: the rows of each table but its total, in order.
    """
    balance = numbers(columns, "balance")
    shown: Shown = {}
    states = [name if name in labels["state"] else "other" for name in texts(columns, "state")]
    years = np.maximum(numbers(columns, "model year"), float(labels["model_year"][0]))
    starts = {
        "remaining_term": (numbers(columns, "remaining term"), deal.BUCKET_STARTS),
        "model_year": (years, [float(label) for label in labels["model_year"]]),
        "contract_rate": (numbers(columns, "rate"), RATE_STARTS),
    }
    for table, (values, breaks) in starts.items():
        shown |= _distribution(table, labels[table], stratify_numbers(values, balance, breaks))
    named = [label for label in labels["state"] if label != "other"]
    shown |= _distribution("state", labels["state"], stratify_names(states, balance, named))
    shown |= _composition(columns, labels["composition"])
    shown |= _pools(columns, labels["hypothetical_pools"])
    return shown


def _distribution(table: str, labels: tuple[str, ...], strata: Strata) -> Shown:
    columns = {
        "count": strata.counts,
        "count_percent": strata.count_parts,
        "balance": strata.balances,
        "balance_percent": strata.balance_parts,
    }
    shown = {
        (table, label, measure): float(values[row])
        for row, label in enumerate(labels)
        for measure, values in columns.items()
    }
    totals = {"count": strata.count, "count_percent": 1.0, "balance": strata.balance, "balance_percent": 1.0}
    return shown | {(table, "total", measure): float(value) for measure, value in totals.items()}


def _composition(columns: Columns, labels: tuple[str, ...]) -> Shown:
    balance, original = numbers(columns, "balance"), numbers(columns, "original balance")
    averaged = {
        name: numbers(columns, name.replace("_", " ")) for name in ("rate", "original_term", "remaining_term")
    }
    kinds = stratify_names(texts(columns, "vehicle"), balance, labels, averaged)
    lent = stratify_names(texts(columns, "vehicle"), original, labels)
    shown: Shown = {}
    for row, label in enumerate((*labels, "total")):
        total = label == "total"
        shown["composition", label, "count"] = float(kinds.count if total else kinds.counts[row])
        shown["composition", label, "balance"] = kinds.balance if total else float(kinds.balances[row])
        shown["composition", label, "original"] = lent.balance if total else float(lent.balances[row])
        shown["composition", label, "balance_percent"] = 1.0 if total else float(kinds.balance_parts[row])
        for name in averaged:
            average = kinds.total_averages[name] if total else float(kinds.averages[name][row])
            shown["composition", label, name] = average
    return shown


def _pools(columns: Columns, labels: tuple[str, ...]) -> Shown:
    """The hypothetical pools, by original term and months since origination."""
    terms: dict[str, Ints] = {
        name: numbers(columns, name).astype(np.int64) for name in ("original term", "remaining term")
    }
    pool = deal.pool_of(terms["original term"], terms["remaining term"])
    averaged: dict[str, Floats] = {
        name: numbers(columns, name.replace("_", " ")) for name in ("rate", "original_term", "remaining_term")
    }
    strata = stratify_numbers(
        pool.astype(np.float64), numbers(columns, "balance"), range(len(labels)), averaged
    )
    shown = {
        ("hypothetical_pools", label, "balance"): float(strata.balances[row])
        for row, label in enumerate(labels)
    }
    for name, values in strata.averages.items():
        shown |= {("hypothetical_pools", label, name): float(values[row]) for row, label in enumerate(labels)}
    return shown | {("hypothetical_pools", "total", "balance"): strata.balance}


def criteria(columns: Columns) -> Iterator[tuple[str, int]]:
    """The selection criteria that a tape can show (pages 30 and 32), and how many contracts break each."""
    for sentence, breaks in CRITERIA.items():
        yield sentence, int(breaks(columns).sum())
    yield "each state called other has less than 0.30% of contracts and of balance", _large_others(columns)


def _large_others(columns: Columns) -> int:
    found = stratify_names(texts(columns, "state"), numbers(columns, "balance"), deal.OTHER_STATES)
    others = slice(0, len(deal.OTHER_STATES))
    large = np.maximum(found.count_parts[others], found.balance_parts[others]) >= LEAST_OTHER_STATE
    return int(large.sum())


def _outside(
    heading: str, least: float, most: float
) -> Callable[[Columns], np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    def breaks(columns: Columns) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        values = numbers(columns, heading)
        return np.asarray((values < least) | (values > most))

    return breaks


CRITERIA: dict[str, Callable[[Columns], np.ndarray[tuple[int], np.dtype[np.bool_]]]] = {
    "original balance of not more than $50,000": _outside("original balance", 0, deal.MOST_ORIGINAL),
    "remaining balance of not less than $500": _outside("balance", deal.LEAST_BALANCE, np.inf),
    "original term of 12 to 72 months": _outside("original term", *deal.ORIGINAL_TERMS),
    "remaining term of 3 to 70 months": _outside("remaining term", *deal.REMAINING_TERMS),
    "contract rate of 5% to 25%": _outside("rate", 0.05, 0.25),
    "at least two payments made": lambda columns: np.asarray(
        numbers(columns, "original term") - numbers(columns, "remaining term") < deal.LEAST_PAYMENTS
    ),
    "not more than 30 days delinquent": _outside("days past due", 0, deal.MOST_DAYS_PAST_DUE),
    "balance not above the original balance": lambda columns: np.asarray(
        numbers(columns, "balance") > numbers(columns, "original balance")
    ),
}
