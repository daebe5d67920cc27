"""A deal as frozen data.  ``reading.py`` makes one from its tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from xlmodel.conventions.day_count import DayCount
from xlmodel.deal import steps
from xlmodel.deal.conditions import Condition
from xlmodel.deal.measures import Measure
from xlmodel.deal.orders import Groups, Order
from xlmodel.tables import Record


@dataclass(frozen=True)
class NoteClass:
    """A class of notes or certificates.  ``balance`` in cents, ``rate`` a decimal per annum.

    With an ``index`` (a schedule) the rate is the margin over it, at least 0 and at most ``cap``.
    """

    name: str
    group: str
    balance: int
    rate: float
    index: str | None
    cap: float | None
    day_count: DayCount
    adjusted: bool
    rounding: str
    final_date: dt.date
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Fee:
    """``rate`` per annum of ``base``, a twelfth for each collection month, and ``amount`` for each date.

    ``minimum`` for each date; ``first_part`` of a year or ``first_amount`` instead on the first one; amounts
    are cents.
    """

    name: str
    rate: float
    base: str
    amount: int
    minimum: int
    first_part: Fraction | None
    first_amount: int | None
    once: bool
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Account:
    """An account beside the collection account; ``covers`` lists clauses, ``initial`` is in cents."""

    name: str
    initial: int
    requirement: str
    covers: tuple[str, ...]
    direct: tuple[str, ...]
    excess_to: str
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Span:
    """One row of a trigger: until a date, the level that the test is compared with."""

    test: str
    relation: str
    level: float
    base: str
    through: dt.date | None
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Trigger:
    """A test on each payment date; ``latching`` stays once hit."""

    name: str
    spans: tuple[Span, ...]
    latching: bool


@dataclass(frozen=True)
class Limit:
    """A cap on what a row pays: ``cents`` for each ``per``: date, calendar year or in total."""

    cents: int
    per: str


@dataclass(frozen=True)
class Policy:
    """``premium`` per annum of ``base``; ``reimbursement`` is the rate on what it has paid."""

    name: str
    premium: float
    base: str
    reimbursement: float
    covers: tuple[str, ...]
    direct: tuple[str, ...]
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Event:
    """An event of default: a kind of ``events.py``, the classes concerned, what allows a sale after it."""

    name: str
    kind: str
    classes: tuple[int, ...]
    sale: str
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Opening:
    """An amount in cents that a run starts with which does not start at closing."""

    kind: str
    of: str
    amount: int
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Call:
    """Exercised on the first payment date on which ``test`` is at most ``part`` of ``base``."""

    name: str
    test: str
    part: float
    base: str
    price: str
    exercised: bool
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Clause:
    """A row of the Payments table.  ``order`` is None where the payee is no class."""

    priority: str
    number: str
    step: steps.Step
    to: str
    order: Order | None
    when: Condition = field(repr=False)
    retires_with: str | None
    limit: Limit | None
    short: str
    record: Record = field(repr=False, compare=False)


@dataclass(frozen=True)
class Deal:
    """Everything that a run needs to know about the securities; nothing about the pool but two terms."""

    name: str
    cutoff_date: dt.date
    closing_date: dt.date
    first_payment_date: dt.date
    payment_day: int
    roll: str
    calendar: str
    first_collection_months: int
    prepayment_model: str
    average_life_from: dt.date
    average_life_day_count: DayCount
    classes: tuple[NoteClass, ...]
    clauses: tuple[Clause, ...]
    fees: tuple[Fee, ...]
    accounts: tuple[Account, ...]
    policies: tuple[Policy, ...]
    events: tuple[Event, ...]
    opening: tuple[Opening, ...]
    table_roll: str | None
    as_of_date: dt.date | None
    cutoff_pool: int | None
    measures: Mapping[str, Measure]
    measure_records: Mapping[str, Record] = field(repr=False, compare=False)
    triggers: tuple[Trigger, ...]
    schedules: Mapping[str, Mapping[dt.date, float]] = field(repr=False)
    schedule_records: Mapping[str, Record] = field(repr=False, compare=False)
    call: Call | None
    groups: Groups

    @property
    def as_printed(self) -> Deal:
        """The deal under the assumption of its printed tables about payment dates, where they state one."""
        return self if self.table_roll is None else replace(self, roll=self.table_roll)

    @property
    def to_maturity(self) -> Deal:
        """The deal without the call."""
        return self if self.call is None else replace(self, call=replace(self.call, exercised=False))

    @property
    def months_in_first_payment(self) -> int:
        """Collection months in the first payment of a run; one where the run starts at a payment date."""
        return self.first_collection_months if self.as_of_date is None else 1

    @property
    def first_month(self) -> dt.date:
        """The first day of the first collection month of a run.

        Source: CarMax Auto Owner Trust 1999-1 prospectus, page 59: a payment date pays the month before it.
        """
        if self.as_of_date is not None:
            return self.as_of_date.replace(day=1)
        return (self.cutoff_date.replace(day=1) + dt.timedelta(days=32)).replace(day=1)

    @property
    def sources(self) -> tuple[Account | Policy, ...]:
        """What pays for clauses beside collections: accounts first, then policies."""
        return (*self.accounts, *self.policies)

    @cached_property
    def limited(self) -> tuple[Clause, ...]:
        """The clauses that pay no more than a limit, of whatever list."""
        return tuple(clause for clause in self.clauses if clause.limit is not None)

    def priority(self, name: str) -> tuple[Clause, ...]:
        """The clauses of one list, in order."""
        return tuple(clause for clause in self.clauses if clause.priority == name)
