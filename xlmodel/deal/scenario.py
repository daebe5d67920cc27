"""Scenarios: what is assumed about the pool and about those who decide, a row a scenario.

Dates of events are payment date numbers, 1 for the first; blank means never.  Something that happens on a
payment date governs that payment date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import to_cents
from xlmodel.errors import BadTable, NotAvailable, UnknownName
from xlmodel.tables import Column, Kind, RawRows, Record, Schema, read

Cents = NDArray[np.int64]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

CONSENTS = ("none", "two thirds", "all")

SCENARIOS = Schema(
    "Scenarios",
    (
        Column("scenario", Kind.NAME, "name of the scenario", required=True, width=20),
        Column("speed", Kind.NUMBER, "prepayment speed, in the model of the deal", required=True, width=8),
        Column("default model", Kind.NAME, "CNL, CDR or MDR; blank for no defaults", width=10),
        Column("default rate", Kind.NUMBER, "cumulative net loss, or rate of the model", width=9),
        Column(
            "timing", Kind.NAME, "of a cumulative net loss: percent by year, such as 40/30/20/10", width=14
        ),
        Column("severity", Kind.NUMBER, "part of a defaulted balance that is lost", width=9),
        Column("recovery lag", Kind.COUNT, "months from default to liquidation proceeds", width=9),
        Column("purchased", Kind.RATE, "part of the pool purchased each month", width=9),
        Column("stated event", Kind.COUNT, "payment date of another event of default", width=8),
        Column("insurer default", Kind.COUNT, "payment date from which the insurer pays nothing", width=8),
        Column("insurer declares", Kind.COUNT, "payment date from which its notice accelerates", width=8),
        Column("holders declare", Kind.COUNT, "payment date from which their declaration does", width=8),
        Column("rescinded", Kind.COUNT, "payment date from which they take it back", width=9),
        Column("sale", Kind.COUNT, "payment date on which the trust property is sold", width=8),
        Column("sale price", Kind.NUMBER, "part of the pool balance", width=8),
        Column("consent", Kind.TEXT, "of the holders to the sale: none, two thirds or all", width=10),
        Column("insurer prepays", Kind.COUNT, "payment date on which it prepays the securities", width=8),
        Column(
            "agreement requires", Kind.AMOUNT, "in the reserve account, by the insurance agreement", width=14
        ),
        Column("agreement from", Kind.COUNT, "payment date from which it requires that", width=9),
        Column("preference", Kind.AMOUNT, "preference amount that the policy pays", width=14),
        Column("preference date", Kind.COUNT, "payment date of the preference amount", width=9),
        Column("31-60", Kind.RATE, "part of the pool 31 to 60 days delinquent", width=8),
        Column("61-90", Kind.RATE, "part of the pool 61 to 90 days delinquent", width=8),
        Column("91+", Kind.RATE, "part of the pool 91 days or more delinquent", width=8),
        Column("note", Kind.TEXT, "what the scenario shows", width=50),
    ),
    help="One row a scenario; add rows of your own.",
)

DATES = (
    "stated event",
    "insurer default",
    "insurer declares",
    "holders declare",
    "rescinded",
    "sale",
    "insurer prepays",
    "agreement from",
    "preference date",
)
NEVER = 1 << 30


@dataclass(frozen=True)
class Scenarios:
    """Columns of length S.  ``dates`` holds payment date numbers by name, NEVER where there is none."""

    names: tuple[str, ...]
    speed: Floats
    default_model: tuple[str, ...]
    default_rate: Floats
    timing: tuple[str, ...]
    severity: Floats
    recovery_lag: Integers
    purchased: Floats
    dates: dict[str, Integers]
    sale_price: Floats
    consent: tuple[str, ...]
    agreement_requires: Cents
    preference: Cents
    delinquent: Floats  # (scenario, bucket): 31-60, 61-90, 91 and more days
    rows: tuple[int | None, ...]  # where each stands in its table

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def earliest(self) -> dict[str, int]:
        """The first payment date number by name in any scenario; before it there is nothing to look up."""
        return {name: int(numbers.min(initial=NEVER)) for name, numbers in self.dates.items()}

    def from_date(self, name: str, number: int) -> NDArray[np.bool_]:
        """Whether something has begun by a payment date, (scenario,)."""
        return np.asarray(self.dates[name] <= number)

    def on_date(self, name: str, number: int) -> NDArray[np.bool_]:
        """Whether something happens on a payment date, (scenario,)."""
        return np.asarray(self.dates[name] == number)


def at_speeds(speeds: Sequence[float] | Floats) -> Scenarios:
    """Scenarios that differ in speed only: no defaults, no events."""
    count, decimals = len(speeds), np.asarray(speeds, dtype=np.float64)
    zeros = np.zeros(count)
    return Scenarios(
        names=tuple(f"{speed:.4%}" for speed in decimals.tolist()),
        speed=decimals,
        default_model=("",) * count,
        default_rate=zeros,
        timing=("",) * count,
        severity=zeros,
        recovery_lag=np.zeros(count, dtype=np.int64),
        purchased=zeros,
        dates={name: np.full(count, NEVER, dtype=np.int64) for name in DATES},
        sale_price=zeros,
        consent=("none",) * count,
        agreement_requires=np.zeros(count, dtype=np.int64),
        preference=np.zeros(count, dtype=np.int64),
        delinquent=np.zeros((count, 3)),
        rows=(None,) * count,
    )


def read_scenarios(rows: RawRows) -> Scenarios:
    """The scenarios of a range or a file, with a heading row.  Raises with table, row and column."""
    records = read(SCENARIOS, rows)
    if not records:
        raise BadTable("the table Scenarios has no row").at(table="Scenarios")
    seen: set[str] = set()
    for record in records:
        if record["scenario"].lower() in seen:
            raise BadTable(f"the scenario {record['scenario']!r} comes twice").at(**record.place("scenario"))
        seen.add(record["scenario"].lower())
        _check(record)

    def column(heading: str) -> Floats:
        return np.array([record[heading] or 0.0 for record in records], dtype=np.float64)

    def dates(heading: str) -> Integers:
        return np.array([int(record[heading] or NEVER) for record in records], dtype=np.int64)

    return Scenarios(
        names=tuple(record["scenario"] for record in records),
        speed=column("speed"),
        default_model=tuple((record["default model"] or "").upper() for record in records),
        default_rate=column("default rate"),
        timing=tuple(record["timing"] or "" for record in records),
        severity=column("severity"),
        recovery_lag=column("recovery lag").astype(np.int64),
        purchased=column("purchased"),
        dates={heading: dates(heading) for heading in DATES},
        sale_price=column("sale price"),
        consent=tuple((record["consent"] or CONSENTS[0]).lower() for record in records),
        agreement_requires=to_cents(column("agreement requires")),
        preference=to_cents(column("preference")),
        delinquent=np.stack([column("31-60"), column("61-90"), column("91+")], axis=1),
        rows=tuple(record.row for record in records),
    )


def select(scenarios: Scenarios, name: str) -> Scenarios:
    """The scenario of a name, alone.  Raises NotAvailable, listing the names."""
    for position, known in enumerate(scenarios.names):
        if known.lower() == name.lower():
            return take(scenarios, [position])
    raise NotAvailable(f"there is no scenario {name!r}; known: {', '.join(scenarios.names)}")


def take(s: Scenarios, positions: Sequence[int]) -> Scenarios:
    """The scenarios at some positions, in that order."""
    chosen = list(positions)
    return replace(
        s,
        names=tuple(s.names[n] for n in chosen),
        speed=s.speed[chosen],
        default_model=tuple(s.default_model[n] for n in chosen),
        default_rate=s.default_rate[chosen],
        timing=tuple(s.timing[n] for n in chosen),
        severity=s.severity[chosen],
        recovery_lag=s.recovery_lag[chosen],
        purchased=s.purchased[chosen],
        dates={name: numbers[chosen] for name, numbers in s.dates.items()},
        sale_price=s.sale_price[chosen],
        consent=tuple(s.consent[n] for n in chosen),
        agreement_requires=s.agreement_requires[chosen],
        preference=s.preference[chosen],
        delinquent=s.delinquent[chosen],
        rows=tuple(s.rows[n] for n in chosen),
    )


def _check(record: Record) -> None:
    if (record["consent"] or CONSENTS[0]).lower() not in CONSENTS:
        raise UnknownName(f"{record['consent']!r} is not one of: {', '.join(CONSENTS)}").at(
            **record.place("consent")
        )
    for given, needed in (
        ("default model", "default rate"),
        ("default model", "severity"),
        ("sale", "sale price"),
        ("preference", "preference date"),
        ("agreement requires", "agreement from"),
    ):
        if record[given] and record[needed] is None:
            raise BadTable(f"{given} is given, {needed} is not").at(**record.place(needed))
