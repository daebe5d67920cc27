"""Laws of a servicer's ledger over random events: nothing is kept twice, nothing is remitted late."""

from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.calendar import is_business_day
from xlmodel.deal.advances import (
    ADVANCE,
    DETERMINATION,
    KINDS,
    RECEIPT,
    Basis,
    Condition,
    Event,
    Line,
    Servicer,
    ledger,
)

SERVICER = Servicer(dt.date(2026, 3, 31), dt.date(2026, 4, 22), 15, "FED")
DAYS = st.integers(1, 300).map(lambda days: SERVICER.cutoff + dt.timedelta(days=days))
CONDITIONS = st.lists(
    st.builds(
        Condition,
        DAYS,
        st.booleans(),
        st.booleans(),
        st.sampled_from(["A-1+", "A-1", "A-2"]),
        st.sampled_from(["F1+", "F1", "F2"]),
    ),
    max_size=3,
    unique_by=lambda one: one.since,
).map(lambda rows: sorted(rows, key=lambda one: one.since))


@st.composite
def events(draw: st.DrawFn) -> list[Event]:
    """Any receipts and advances; determinations only of what is outstanding whatever is received before."""
    found = []
    for row in range(draw(st.integers(1, 25))):
        what = draw(st.sampled_from([RECEIPT, RECEIPT, ADVANCE]))
        kind = draw(st.sampled_from(sorted(KINDS))) if what == RECEIPT else ""
        found.append(
            Event(draw(DAYS), what, draw(st.sampled_from("RST")), draw(st.integers(0, 10**6)), kind, row)
        )
    last = max(one.date for one in found)
    found.append(Event(last, ADVANCE, "U", 5000, "", 90))
    found.append(
        Event(last + dt.timedelta(days=1), DETERMINATION, "U", draw(st.sampled_from([0, 100])), "", 91)
    )
    found.append(Event(last + dt.timedelta(days=2), RECEIPT, "R", draw(st.integers(0, 10**4)), "payment", 92))
    return found


@given(events(), CONDITIONS)
def test_what_is_received_is_kept_remitted_or_left_out(
    found: list[Event], conditions: list[Condition]
) -> None:
    for line in ledger(SERVICER, conditions, found):
        if line.event.what == RECEIPT:
            used = line.not_remitted + line.kept_for_advance + line.kept_unreimbursed + line.remitted
            assert used == line.event.amount


@given(events(), CONDITIONS)
def test_no_more_is_kept_than_was_advanced(found: list[Event], conditions: list[Condition]) -> None:
    lines = ledger(SERVICER, conditions, found)
    advanced = sum(line.event.amount for line in lines if line.event.what == ADVANCE)
    kept = sum(line.kept_for_advance + line.kept_unreimbursed for line in lines)
    last: dict[str, int] = {line.event.receivable: line.outstanding for line in lines}
    assert kept + sum(last.values()) + lines[-1].unreimbursed == advanced
    assert all(line.outstanding >= 0 and line.unreimbursed >= 0 for line in lines)


@given(events(), CONDITIONS)
def test_nothing_is_remitted_late(found: list[Event], conditions: list[Condition]) -> None:
    """Two business days, counted day by day; monthly before the distribution date; all on business days."""
    for line in ledger(SERVICER, conditions, found):
        if not line.remitted:
            assert line.remitted_on is None
            continue
        assert line.remitted_on is not None
        assert is_business_day(line.remitted_on)
        if line.basis is Basis.DAILY:
            assert _business_days(line) == 2
        elif line.basis is Basis.MONTHLY:
            month = (line.event.date.replace(day=1) + dt.timedelta(days=31)).replace(day=15)
            assert month - dt.timedelta(days=4) <= line.remitted_on <= month + dt.timedelta(days=3)
        else:
            assert (line.basis, line.remitted_on) == (Basis.CLOSING, SERVICER.closing)


def _business_days(line: Line) -> int:
    """Business days after the receipt until it is remitted."""
    assert line.remitted_on is not None
    count = (line.remitted_on - line.event.date).days
    days = [line.event.date + dt.timedelta(days=n) for n in range(1, count + 1)]
    return sum(bool(is_business_day(day)) for day in days)
