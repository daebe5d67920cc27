"""Whether the tables of a deal fit together: CHECKS, each a function that returns findings.

What cannot be read at all was raised by ``definition.py``; here every table is readable, and all findings
are collected, so that a desk mends them in one go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xlmodel.deal.definition import Deal
from xlmodel.deal.measures import BASES
from xlmodel.deal.steps import Fee, Interest, PrincipalOutstanding, PrincipalOver, Remainder, TopUp
from xlmodel.errors import UnsoundDeal
from xlmodel.tables import Record


@dataclass(frozen=True)
class Finding:
    """One thing that does not fit, the record and column where it lies, and the remedy."""

    record: Record
    heading: str
    message: str
    remedy: str


def known_names(deal: Deal) -> Iterator[Finding]:
    """Fees, accounts and measures that rows speak of are defined."""
    fees = {fee.name for fee in deal.fees}
    accounts = {account.name for account in deal.accounts}
    for clause in deal.clauses:
        step = clause.step
        if isinstance(step, Fee):
            for name in step.names:
                if name not in fees:
                    yield _undefined(clause.record, "pay", "fee", name, fees)
        if isinstance(step, TopUp) and step.account not in accounts:
            yield _undefined(clause.record, "pay", "account", step.account, accounts)
        if isinstance(step, PrincipalOver) and not _is_measure(deal, step.measure):
            yield _undefined(clause.record, "pay", "measure", step.measure, _measure_names(deal))
    for account in deal.accounts:
        if not _is_measure(deal, account.requirement):
            yield _undefined(
                account.record, "requirement", "measure", account.requirement, _measure_names(deal)
            )
    if deal.call:
        for heading, name in (("test", deal.call.test), ("of", deal.call.base)):
            if not _is_measure(deal, name):
                yield _undefined(deal.call.record, heading, "measure", name, _measure_names(deal))
    for name, measure in deal.measures.items():
        for part in measure.components:
            if part.base is not None and not _is_measure(deal, part.base):
                yield _undefined(deal.measure_records[name], "of", "measure", part.base, _measure_names(deal))


def no_circles(deal: Deal) -> Iterator[Finding]:
    """No measure leads back to itself."""

    def reaches(name: str, goal: str, seen: frozenset[str]) -> bool:
        measure = deal.measures.get(name)
        if measure is None or name in seen:
            return False
        bases = [part.base for part in measure.components if part.base]
        return goal in bases or any(reaches(base, goal, seen | {name}) for base in bases)

    for name in deal.measures:
        if reaches(name, name, frozenset()):
            record = deal.measure_records[name]
            yield Finding(record, "measure", f"the measure {name!r} refers to itself", "break the circle")


def every_class_is_paid(deal: Deal) -> Iterator[Finding]:
    """Each class stands in a row that pays its interest and in one that pays its principal."""
    interest: set[int] = set()
    principal: set[int] = set()
    for clause in deal.clauses:
        if clause.order is not None:
            paid = interest if isinstance(clause.step, Interest) else principal
            paid.update(clause.order.classes)
    for position, note_class in enumerate(deal.classes):
        for kind, paid in (("interest", interest), ("principal", principal)):
            if position not in paid:
                yield Finding(
                    note_class.record,
                    "class",
                    f"no clause pays the {kind} of class {note_class.name}",
                    "name the class in a row of the Payments table",
                )


def one_remainder(deal: Deal) -> Iterator[Finding]:
    """The last row, and only it, pays the remainder."""
    for clause in deal.clauses[:-1]:
        if isinstance(clause.step, Remainder):
            yield Finding(
                clause.record, "pay", "a clause follows the remainder", "make the remainder the last row"
            )
    if deal.clauses and not isinstance(deal.clauses[-1].step, Remainder):
        yield Finding(
            deal.clauses[-1].record, "pay", "no clause pays the remainder", "add a last row that pays it"
        )


def clauses_in_order(deal: Deal) -> Iterator[Finding]:
    """Each fee and account is paid by one row at most; accounts cover clauses that exist."""
    seen: Counter[object] = Counter()
    for clause in deal.clauses:
        names: tuple[object, ...] = ()
        if isinstance(clause.step, Fee):
            names = clause.step.names
        elif isinstance(clause.step, TopUp):
            names = (clause.step,)
        for name in names:
            seen[name] += 1
            if seen[name] == 2:
                yield Finding(clause.record, "pay", f"{clause.record['pay']!r} comes twice", "delete one row")
    numbers = {clause.number for clause in deal.clauses}
    for account in deal.accounts:
        for number in account.covers:
            if number not in numbers:
                yield Finding(
                    account.record,
                    "covers",
                    f"the account {account.name} covers clause {number}, which does not exist",
                    f"name one of: {', '.join(sorted(numbers))}",
                )


def dates_in_order(deal: Deal) -> Iterator[Finding]:
    """Cutoff, closing and first payment come one after the other; finals come after the first payment."""
    for note_class in deal.classes:
        if note_class.final_date < deal.first_payment_date:
            yield Finding(
                note_class.record,
                "final date",
                "the final date is before the first payment",
                "correct the date",
            )
    if not deal.cutoff_date <= deal.closing_date < deal.first_payment_date:
        yield Finding(
            deal.classes[0].record if deal.classes else deal.clauses[0].record,
            "class",
            "cutoff, closing and first payment date do not follow each other",
            "correct the dates in the table Terms",
        )


def sequential_shortage(deal: Deal) -> Iterator[Finding]:
    """A payee that is one party has nobody to share a shortage with by balance."""
    for clause in deal.clauses:
        if clause.short == "by balance" and not isinstance(clause.step, PrincipalOver | PrincipalOutstanding):
            yield Finding(
                clause.record,
                "short",
                "only principal is shared by balance",
                "write: by amount due, or nothing",
            )


CHECKS: tuple[Callable[[Deal], Iterator[Finding]], ...] = (
    known_names,
    no_circles,
    every_class_is_paid,
    one_remainder,
    clauses_in_order,
    dates_in_order,
    sequential_shortage,
)


def check(deal: Deal) -> list[Finding]:
    """All findings; an empty list is a sound deal."""
    return [finding for run in CHECKS for finding in run(deal)]


def require_sound(deal: Deal) -> None:
    """Raises UnsoundDeal with all findings, placed at the first."""
    findings = check(deal)
    if findings:
        first = findings[0]
        others = [f"{f.record.table} row {f.record.row}: {f.message} ({f.remedy})" for f in findings[1:]]
        message = first.message + "".join(f"; also {other}" for other in others)
        raise UnsoundDeal(message, remedy=first.remedy).at(**first.record.place(first.heading))


def _is_measure(deal: Deal, name: str) -> bool:
    return name in BASES or name in deal.measures or name in deal.groups


def _measure_names(deal: Deal) -> set[str]:
    return {*BASES, *deal.measures}


def _undefined(record: Record, heading: str, kind: str, name: str, known: set[str]) -> Finding:
    remedy = f"known: {', '.join(sorted(known))}" if known else f"add it to the table of {kind}s"
    return Finding(record, heading, f"there is no {kind} {name!r}", remedy)
