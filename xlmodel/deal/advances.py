"""What a servicer retains of what it receives, what it remits and when: advances and their reimbursement.

Clause, Collections (Sale and Servicing Agreement).  Remittance by the second business day after receipt, or
monthly while the Monthly Remittance Condition holds; on the closing date what came in since the cutoff date;
out of what a receivable pays the servicer first keeps what it advanced on it, then, out of whatever is
received, its Unreimbursed Servicer Advances.  Cents.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from xlmodel.conventions.calendar import add_business_days, roll
from xlmodel.conventions.schedule import add_months
from xlmodel.errors import NeverAdvanced, OutOfRange

# Short-term ratings from the best on; the clause asks for the second of each.
SP_RATINGS = ("A-1+", "A-1", "A-2", "A-3", "B", "C", "D")
FITCH_RATINGS = ("F1+", "F1", "F2", "F3", "B", "C", "D")
_LEAST = 1

# Kinds of receipt, and whether it is remitted at all.
KINDS = {
    "payment": True,
    "liquidation proceeds": True,
    "repossession and sale": True,
    "supplemental servicing fee": False,
    "purchased receivable": False,
}
_REMITTED_WITHIN = 2  # business days after receipt; and before closing


class Basis(Enum):
    """Why a receipt is remitted when it is."""

    CLOSING = "closing date"
    DAILY = "two business days"
    MONTHLY = "monthly"
    NONE = "not remitted"


@dataclass(frozen=True)
class Servicer:
    """The dates and conventions of a servicing agreement."""

    cutoff: dt.date
    closing: dt.date
    day: int
    calendar: str


@dataclass(frozen=True)
class Condition:
    """What decides the Monthly Remittance Condition, from a day on."""

    since: dt.date
    is_servicer: bool
    terminated: bool
    sp: str
    fitch: str

    @property
    def holds(self) -> bool:
        """All three limbs: the servicer named, no Event of Servicing Termination, both ratings."""
        rated = SP_RATINGS.index(self.sp) <= _LEAST and FITCH_RATINGS.index(self.fitch) <= _LEAST
        return self.is_servicer and not self.terminated and rated


@dataclass(frozen=True)
class Event:
    """A receipt, an advance or a determination; ``row`` and ``column`` of its receivable in its table."""

    date: dt.date
    what: str
    receivable: str
    amount: int
    kind: str = ""
    row: int = 0
    column: int = 0


RECEIPT, ADVANCE, DETERMINATION = "receipt", "advance", "determination"
_ORDER = (ADVANCE, DETERMINATION, RECEIPT)  # of one day: what is advanced that day can be kept that day


@dataclass(frozen=True)
class Line:
    """A line of the ledger: what an event moves, and what then is outstanding."""

    event: Event
    outstanding: int
    unreimbursed: int
    not_remitted: int = 0
    kept_for_advance: int = 0
    kept_unreimbursed: int = 0
    remitted: int = 0
    remitted_on: dt.date | None = None
    basis: Basis | None = None


def monthly_condition(conditions: Sequence[Condition], day: dt.date) -> bool:
    """Whether the condition holds on a day: as the last row until then says; before the first it does not."""
    rows = [row for row in conditions if row.since <= day]
    return rows[-1].holds if rows else False


def distribution_date(servicer: Servicer, day: dt.date) -> dt.date:
    """The Distribution Date after the collection period, the calendar month, of a day."""
    found: dt.date = roll(
        add_months(day.replace(day=1), 1).replace(day=servicer.day), "following", servicer.calendar
    )
    return found


def remittance(servicer: Servicer, received: dt.date, monthly: bool) -> tuple[dt.date, Basis]:
    """When a receipt is remitted at the latest, and why.

    Raises OutOfRange for one of the cutoff date or before, which is not the trust's.
    """
    if received <= servicer.cutoff:
        raise OutOfRange(
            f"{received:%d %B %Y} is not after the cutoff date, {servicer.cutoff:%d %B %Y}: not the trust's",
            remedy="leave it out, or correct the date",
        )
    if received <= add_business_days(servicer.closing, -_REMITTED_WITHIN, servicer.calendar):
        return servicer.closing, Basis.CLOSING
    if monthly:
        before: dt.date = add_business_days(distribution_date(servicer, received), -1, servicer.calendar)
        return before, Basis.MONTHLY
    within: dt.date = add_business_days(received, _REMITTED_WITHIN, servicer.calendar)
    return within, Basis.DAILY


def ledger(servicer: Servicer, conditions: Sequence[Condition], events: Sequence[Event]) -> list[Line]:
    """Every event in order of its date; of one day advances first, then determinations, then receipts.

    A determination turns what is outstanding on a receivable, or a part of it, into an Unreimbursed Servicer
    Advance.  Raises NeverAdvanced for one about more than is outstanding there.
    """
    owed = _Owed()
    move = {ADVANCE: _advance, DETERMINATION: _determine}
    lines = []
    for event in sorted(events, key=lambda one: (one.date, _ORDER.index(one.what), one.row)):
        if event.what in move:
            lines.append(move[event.what](owed, event))
        else:
            lines.append(_receive(owed, event, servicer, monthly_condition(conditions, event.date)))
    return lines


@dataclass
class _Owed:
    """What the servicer has advanced and not got back: by receivable, and out of whatever is received."""

    on: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    unreimbursed: int = 0

    def line(self, event: Event, **moved: Any) -> Line:
        return Line(
            event,
            outstanding=self.on[event.receivable.lower()],
            unreimbursed=self.unreimbursed,
            **moved,
        )


def _advance(owed: _Owed, event: Event) -> Line:
    owed.on[event.receivable.lower()] += event.amount
    return owed.line(event)


def _determine(owed: _Owed, event: Event) -> Line:
    there = owed.on[event.receivable.lower()]
    amount = event.amount or there
    if not amount or amount > there:
        raise NeverAdvanced(_never(event, there)).at(row=event.row, column=event.column, heading="receivable")
    owed.on[event.receivable.lower()] -= amount
    owed.unreimbursed += amount
    return owed.line(replace(event, amount=amount))


def _receive(owed: _Owed, event: Event, servicer: Servicer, monthly: bool) -> Line:
    if not KINDS[event.kind]:
        return owed.line(event, not_remitted=event.amount, basis=Basis.NONE)
    name = event.receivable.lower()
    own = min(event.amount, owed.on[name])
    from_any = min(event.amount - own, owed.unreimbursed)
    owed.on[name] -= own
    owed.unreimbursed -= from_any
    rest = event.amount - own - from_any
    on, basis = remittance(servicer, event.date, monthly)
    return owed.line(
        event,
        kept_for_advance=own,
        kept_unreimbursed=from_any,
        remitted=rest,
        remitted_on=on if rest else None,
        basis=basis if rest else Basis.NONE,
    )


def _never(event: Event, outstanding: int) -> str:
    if not outstanding:
        return f"no advance is outstanding on the receivable {event.receivable}: it was never made"
    return (
        f"{event.amount / 100:,.2f} is determined on {event.receivable}, where only "
        f"{outstanding / 100:,.2f} was advanced and is outstanding"
    )
