"""CarMax 2024-2: what four monthly servicer's certificates print, from the month's collections to the cent.

The file is read here by itself, without the code that validates workbooks; figures are compared as exact
decimals.  An input is not compared, nor is a figure from which a coupon was inferred.
"""

from __future__ import annotations

import csv
import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pytest

from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal, Opening
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.receipts import MonthlyCents, monthly_cents
from xlmodel.deal.scenario import at_speeds, read_scenarios
from xlmodel.deal.timeline import timeline
from xlmodel.deal.waterfall import run
from xlmodel.errors import OutOfRange, XlmodelError
from xlmodel.pool.cash_flows import CashFlows

FOLDER = read_folder(Path(__file__).parents[2] / "workbooks" / "carmax_2024_2")
DEAL = FOLDER.deal
ONE = at_speeds([0.0])
assert isinstance(FOLDER.pool, CashFlows)
POOL: CashFlows = FOLDER.pool

with (FOLDER.published / "certificates.csv").open(newline="", encoding="utf-8") as _file:
    CERTIFICATES = list(csv.DictReader(_file))
FOLLOWS = [row for row in CERTIFICATES if row["status"] == "follows"]


@dataclass(frozen=True)
class Run:
    """A run, and what came in, by month."""

    deal: Deal
    paid: Distributions
    monthly: MonthlyCents

    def position(self, name: str) -> list[int]:
        return [n for word in name.split(" + ") for n in self.deal.groups[word.lower()]]

    def balance(self, name: str, date: int) -> int:
        """After a payment date; -1 is closing."""
        if date < 0:
            opening = {o.of: o.amount for o in self.deal.opening if o.kind == "balance"}
            classes = (self.deal.classes[n] for n in self.position(name))
            return sum(opening.get(c.name.lower(), c.balance) for c in classes)
        return int(self.paid.balance[0, date, self.position(name)].sum())

    def factor(self, name: str, date: int) -> Decimal:
        initial = sum(self.deal.classes[n].balance for n in self.position(name))
        part = Decimal(self.balance(name, date)) / initial
        return part.quantize(Decimal("1e-7"), ROUND_HALF_UP)

    def clause(self, number: str, date: int) -> int:
        lines = [n for n, line in enumerate(self.paid.ledger.lines) if line.clause == number]
        return int(self.paid.ledger.due[0, date, lines].sum())

    def rate(self, name: str, date: int) -> Decimal:
        (position,) = self.position(name)
        rate = timeline(self.deal, self.monthly.ending.shape[1]).rate[date, position]
        return Decimal(f"{rate * 100:.9f}").quantize(Decimal("1e-5"))


def cents(amount: int) -> Decimal:
    return Decimal(int(amount)) / 100


KINDS: Mapping[str, Callable[[Run, int, str], Decimal]] = {
    "pool opening": lambda r, d, of: cents(r.monthly.beginning[0, d]),
    "pool closing": lambda r, d, of: cents(r.paid.pool[0, d]),
    "available funds": lambda r, d, of: cents(r.paid.available[0, d]),
    "fees": lambda r, d, of: cents(r.paid.ledger.total("fee")[0, d]),
    "rate": lambda r, d, of: r.rate(of, d),
    "interest": lambda r, d, of: cents(r.paid.interest[0, d, r.position(of)].sum()),
    "clause": lambda r, d, of: cents(r.clause(of, d)),
    "principal": lambda r, d, of: cents(r.paid.principal[0, d, r.position(of)].sum()),
    "remainder": lambda r, d, of: cents(r.paid.ledger.total("party")[0, d]),
    "account opening": lambda r, d, of: cents(r.paid.accounts.opening[0, d].sum()),
    "account closing": lambda r, d, of: cents(r.paid.accounts.closing[0, d].sum()),
    "opening balance": lambda r, d, of: cents(r.balance(of, d - 1)),
    "closing balance": lambda r, d, of: cents(r.balance(of, d)),
    "opening factor": lambda r, d, of: r.factor(of, d - 1),
    "factor": lambda r, d, of: r.factor(of, d),
    "net loss": lambda r, d, of: cents(r.monthly.defaulted[0, d] - r.monthly.proceeds[0, d]),
}


def ran(deal: Deal = DEAL, pool: CashFlows = POOL) -> Run:
    collections = collect(deal, pool, ONE)
    return Run(deal, run(deal, collections, ONE), monthly_cents(collections))


def missed(found: Run, rows: list[dict[str, str]] = FOLLOWS) -> list[dict[str, str]]:
    dates = [str(date) for date in found.paid.dates.adjusted]
    return [
        row
        for row in rows
        if KINDS[row["what"]](found, dates.index(row["payment_date"]), row["of"]) != Decimal(row["value"])
    ]


def test_every_figure_that_follows_is_met_to_the_cent() -> None:
    assert len(FOLLOWS) == 188
    assert missed(ran()) == []


def test_what_is_compared_and_what_is_not() -> None:
    assert Counter(row["status"] for row in CERTIFICATES) == {
        "follows": 188,
        "input": 36,
        "inferred": 8,
        "other": 28,
    }
    inferred = [row for row in CERTIFICATES if row["status"] == "inferred"]
    assert {row["payment_date"] for row in inferred} == {"2024-06-17"}
    assert [row["of"] for row in inferred] == ["A-2b", "A-1", "A-2a", "A-3", "A-4", "B", "C", "D"]
    # Three dates remain that prove each coupon, one of them a period of 21 days.
    proofs = Counter(row["of"] for row in FOLLOWS if row["what"] == "interest")
    assert proofs == {name: 4 if name == "A-2b" else 3 for name in ran().paid.classes}


def test_the_inferred_figures_agree_with_the_terms_all_the_same() -> None:
    inferred = [row for row in CERTIFICATES if row["status"] == "inferred"]
    assert missed(ran(), inferred) == []


def changed_class(name: str, **terms: object) -> Deal:
    classes = tuple(replace(c, **terms) if c.name == name else c for c in DEAL.classes)  # type: ignore[arg-type]
    return replace(DEAL, classes=classes)


def without_clause(number: str) -> Deal:
    return replace(DEAL, clauses=tuple(c for c in DEAL.clauses if c.number != number))


# A rule or an input changed a little -> the kinds of figure that then miss.
PERTURBED: dict[str, tuple[Callable[[], Run], set[str]]] = {
    "a coupon of 5.651%": (
        lambda: ran(changed_class("A-2a", rate=0.05651)),
        {"interest", "remainder"},
    ),
    "a margin of 0.59%": (
        lambda: ran(changed_class("A-2b", rate=0.0059)),
        {"rate", "interest", "remainder"},
    ),
    "class A-1 on 30/360": (
        lambda: ran(changed_class("A-1", day_count=DEAL.classes[1].day_count)),
        {"interest", "remainder"},
    ),
    "class A-2b to unadjusted dates": (
        lambda: ran(changed_class("A-2b", adjusted=False)),
        {"interest", "remainder"},
    ),
    "closing a day later": (
        lambda: ran(replace(DEAL, closing_date=dt.date(2024, 4, 25))),
        {"interest", "remainder"},
    ),
    "a fee of 1.01%": (
        lambda: ran(replace(DEAL, fees=(replace(DEAL.fees[0], rate=0.0101),))),
        {"fees", "remainder"},
    ),
    "no tertiary principal": (
        lambda: ran(without_clause("7")),
        {"clause"},
    ),
    "no quaternary principal": (
        lambda: ran(without_clause("9")),
        {"clause"},
    ),
    "no regular principal": (
        lambda: ran(without_clause("11")),
        {"clause", "principal", "remainder", "opening balance", "closing balance", "opening factor", "factor"}
        | {"interest"},
    ),
    "a cent less principal in April": (
        lambda: ran(
            pool=replace(
                POOL,
                principal=POOL.principal - np.array([1, 0, 0, 0]),
                ending=POOL.ending + 1,
            )
        ),
        {"pool opening", "pool closing", "available funds", "clause", "principal"}
        | {"opening balance", "closing balance"},
    ),
}


@pytest.mark.parametrize("name", PERTURBED)
def test_a_rule_changed_misses(name: str) -> None:
    make, kinds = PERTURBED[name]
    found = {row["what"] for row in missed(make())}
    assert found == kinds


def as_published(date: str) -> tuple[Opening, ...]:
    """What a certificate says that the next month opens with."""
    record = DEAL.classes[0].record

    def value(what: str, of: str) -> int:
        row = next(r for r in CERTIFICATES if (r["payment_date"], r["what"], r["of"]) == (date, what, of))
        return int(Decimal(row["value"]) * 100)

    balances = [
        Opening("balance", c.name.lower(), value("closing balance", c.name), record) for c in DEAL.classes
    ]
    return (*balances, Opening("account", "reserve", value("account closing", "reserve"), record))


@pytest.mark.parametrize("month", [1, 2, 3])
def test_roll_forward_a_months_published_closing_opens_the_next(month: int) -> None:
    """Each certificate by itself: from the one before, and the month's collections."""
    dates = sorted({row["payment_date"] for row in CERTIFICATES})
    opened = replace(
        DEAL,
        as_of_date=dt.date.fromisoformat(dates[month - 1]),
        opening=as_published(dates[month - 1]),
        cutoff_pool=161_209_140_006,
    )
    found = ran(opened)
    assert [str(date) for date in found.paid.dates.adjusted] == dates[month:]
    rows = [row for row in FOLLOWS if row["payment_date"] == dates[month]]
    assert len(rows) == (44 if month == 1 else 52)
    assert missed(found, rows) == []


def test_a_wrong_opening_is_carried() -> None:
    """A cent too much of A-1 at the opening: the month's principal pays it off, out of the remainder."""
    record = DEAL.classes[0].record
    opened = replace(
        DEAL,
        as_of_date=dt.date(2024, 5, 15),
        cutoff_pool=161_209_140_006,
        opening=(Opening("balance", "a-1", 25_803_966_549, record),),
    )
    rows = [row for row in FOLLOWS if row["payment_date"] == "2024-06-17"]
    kinds = {row["what"] for row in missed(ran(opened), rows)}
    assert kinds == {"opening balance", "principal", "clause", "remainder"}


def test_a_speed_or_a_loss_with_reported_collections_is_refused() -> None:
    with pytest.raises(OutOfRange, match=r"a speed of 0.015 is assumed .*make the speed 0"):
        collect(DEAL, POOL, at_speeds([0.015]))
    table: list[list[object]] = [
        ["scenario", "speed", "default model", "default rate", "severity", "purchased"],
        ["base", 0.0, None, None, None, None],
        ["stress", 0.0, "CDR", 0.02, 0.5, None],
    ]
    with pytest.raises(XlmodelError) as caught:
        collect(DEAL, POOL, read_scenarios(table))
    place = caught.value.place
    assert (place.table, place.row, place.heading) == ("Scenarios", 3, "default model")


def test_a_pool_that_begins_after_the_cutoff_date_is_refused() -> None:
    with pytest.raises(OutOfRange, match="correct the cutoff or as of date"):
        collect(DEAL, POOL.since(dt.date(2024, 5, 1)), ONE)
