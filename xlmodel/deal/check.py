"""Whether the tables of a deal fit together: CHECKS, each a function that returns findings.

What cannot be read at all was raised by ``definition.py``; here every table is readable, and all findings
are collected, so that a desk mends them in one go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xlmodel.deal.conditions import needs_acceleration
from xlmodel.deal.definition import Clause, Deal
from xlmodel.deal.measures import AT_CUTOFF, BASES, SCHEDULE
from xlmodel.deal.steps import (
    Amount,
    Fee,
    Greatest,
    Interest,
    Premium,
    Principal,
    PrincipalOver,
    Reimbursement,
    Remainder,
    Step,
    TopUp,
)
from xlmodel.deal.triggers import TESTS
from xlmodel.errors import UnsoundDeal
from xlmodel.tables import Record

ORDINARY, ACCELERATED, SALE = "", "accelerated", "sale"


@dataclass(frozen=True)
class Finding:
    """One thing that does not fit, the record and column where it lies, and the remedy."""

    record: Record
    heading: str
    message: str
    remedy: str


def known_names(deal: Deal) -> Iterator[Finding]:
    """Fees, accounts, policies and measures that rows speak of are defined."""
    fees = {fee.name for fee in deal.fees}
    accounts = {account.name for account in deal.accounts}
    policies = {policy.name for policy in deal.policies}
    for clause in deal.clauses:
        step = clause.step
        if isinstance(step, Fee):
            for name in step.names:
                if name not in fees:
                    yield _undefined(clause.record, "pay", "fee", name, fees)
        if isinstance(step, TopUp) and step.account not in accounts:
            yield _undefined(clause.record, "pay", "account", step.account, accounts)
        if isinstance(step, Amount) and step.schedule not in deal.schedules:
            yield _undefined(clause.record, "pay", "schedule", step.schedule, set(deal.schedules))
        if clause.retires_with is not None and clause.retires_with not in accounts:
            yield _undefined(clause.record, "when", "account", clause.retires_with, accounts)
        if isinstance(step, Premium | Reimbursement) and step.policy not in policies:
            yield _undefined(clause.record, "pay", "policy", step.policy, policies)
        for name in _measures_of(step):
            yield from _known_measure(deal, clause.record, "pay", name)
    for trigger in deal.triggers:
        for span in trigger.spans:
            if span.test not in TESTS:
                yield from _known_measure(deal, span.record, "test", span.test)
            yield from _known_measure(deal, span.record, "of", span.base)
    for note_class in deal.classes:
        if note_class.index is not None and note_class.index not in deal.schedules:
            yield _undefined(note_class.record, "index", "schedule", note_class.index, set(deal.schedules))
    for account in deal.accounts:
        yield from _known_measure(deal, account.record, "requirement", account.requirement)
    for policy in deal.policies:
        yield from _known_measure(deal, policy.record, "of", policy.base)
    if deal.call:
        yield from _known_measure(deal, deal.call.record, "test", deal.call.test)
        yield from _known_measure(deal, deal.call.record, "of", deal.call.base)
    for name, measure in deal.measures.items():
        for part in measure.components:
            if part.base is not None:
                yield from _known_measure(deal, deal.measure_records[name], "of", part.base)
    places = {
        "balance": set(deal.groups),
        "overdue interest": set(deal.groups),
        "overdue fee": fees,
        "account": accounts,
        "unreimbursed": policies,
        "overdue premium": policies,
    }
    for opening in deal.opening:
        if opening.of not in places[opening.kind]:
            yield _undefined(opening.record, "of", opening.kind, opening.of, places[opening.kind])


def no_circles(deal: Deal) -> Iterator[Finding]:
    """No measure leads back to itself."""

    def reaches(name: str, goal: str, seen: frozenset[str]) -> bool:
        measure = deal.measures.get(name)
        if measure is None or name in seen:
            return False
        bases = [part.base.removesuffix(AT_CUTOFF) for part in measure.components if part.base]
        return goal in bases or any(reaches(base, goal, seen | {name}) for base in bases)

    for name in deal.measures:
        if reaches(name, name, frozenset()):
            record = deal.measure_records[name]
            yield Finding(record, "measure", f"the measure {name!r} refers to itself", "break the circle")


def every_class_is_paid(deal: Deal) -> Iterator[Finding]:
    """Each class stands in a row that pays its interest and in one that pays its principal.

    Rows that wait for acceleration do not count: without losses nobody would be paid by them.
    """
    interest: set[int] = set()
    principal: set[int] = set()
    for clause in deal.priority(ORDINARY):
        waits = needs_acceleration(clause.when, len(deal.classes), len(deal.triggers))
        if clause.order is not None and not waits:
            paid = interest if isinstance(clause.step, Interest) else principal
            paid.update(clause.order.classes)
    for position, note_class in enumerate(deal.classes):
        for kind, paid in (("interest", interest), ("principal", principal)):
            if position not in paid:
                yield Finding(
                    note_class.record,
                    "class",
                    f"no clause pays the {kind} of class {note_class.name}",
                    "name the class in a row of the Payments table that does not wait for acceleration",
                )


def one_remainder(deal: Deal) -> Iterator[Finding]:
    """The last row of each priority, and only it, pays the remainder: all of it."""
    for clauses in _lists(deal):
        for clause in clauses[:-1]:
            if isinstance(clause.step, Remainder):
                yield Finding(
                    clause.record, "pay", "a clause follows the remainder", "make the remainder the last row"
                )
        last = clauses[-1]
        if not isinstance(last.step, Remainder):
            yield Finding(last.record, "pay", "no clause pays the remainder", "add a last row that pays it")
        elif last.limit is not None:
            yield Finding(
                last.record, "limit", "the remainder has a limit, and nobody gets the rest", "leave it blank"
            )


def known_priorities(deal: Deal) -> Iterator[Finding]:
    """Rows belong to the ordinary priority or to that of a sale."""
    for clause in deal.clauses:
        if clause.priority not in (ORDINARY, ACCELERATED, SALE):
            yield Finding(
                clause.record,
                "priority",
                f"there is no priority {clause.priority!r}",
                f"leave it blank, or write: {ACCELERATED} or {SALE}",
            )
    if not deal.priority(ORDINARY):
        record = deal.clauses[0].record if deal.clauses else None
        if record:
            yield Finding(
                record, "priority", "no row belongs to the ordinary priority", "leave it blank there"
            )


def each_paid_once(deal: Deal) -> Iterator[Finding]:
    """In one priority each fee, premium, reimbursement and account is paid by one row at most."""
    for clauses in _lists(deal):
        seen: Counter[object] = Counter()
        for clause in clauses:
            step = clause.step
            paid: tuple[object, ...] = step.names if isinstance(step, Fee) else ()
            if isinstance(step, TopUp | Premium | Reimbursement):
                paid = (step,)
            if clause.limit is not None:
                continue  # a later row pays what is over the limit
            for name in paid:
                seen[name] += 1
                if seen[name] == 2:
                    yield Finding(
                        clause.record, "pay", f"{clause.record['pay']!r} comes twice", "delete one row"
                    )


def rows_not_repeated(deal: Deal) -> Iterator[Finding]:
    """No row says again what an earlier one of the same priority says: same amount, payees and condition."""
    for clauses in _lists(deal):
        seen = set()
        for clause in clauses:
            words = tuple(
                str(clause.record[heading] or "").lower() for heading in ("pay", "to", "when", "limit")
            )
            if words in seen and not isinstance(clause.step, Remainder):
                yield Finding(clause.record, "clause", "the row repeats an earlier one", "delete one row")
            seen.add(words)


def covered_clauses_exist(deal: Deal) -> Iterator[Finding]:
    """Accounts and policies cover clauses that exist, and pay directly only what they cover."""
    numbers = {clause.number for clause in deal.clauses}
    for source in deal.sources:
        for number in source.covers:
            if number not in numbers:
                yield Finding(
                    source.record,
                    "covers",
                    f"{source.name} covers clause {number}, which does not exist",
                    f"name one of: {', '.join(sorted(numbers))}",
                )
        for number in source.direct:
            if number not in source.covers:
                yield Finding(
                    source.record,
                    "direct",
                    f"{source.name} pays clause {number} directly but does not cover it",
                    "add it to covers, or take it out",
                )


def one_row_retires(deal: Deal) -> Iterator[Finding]:
    """A list retires classes with an account in one row, in full: two would be offered the same money."""
    seen: dict[str, str] = {}
    for clause in deal.clauses:
        if clause.retires_with is None:
            continue
        if clause.limit is not None:
            yield Finding(
                clause.record,
                "limit",
                "the row retires classes with an account, and a limit would leave some of them",
                "leave it blank",
            )
        if clause.priority in seen:
            yield Finding(
                clause.record,
                "when",
                f"clause {seen[clause.priority]} of the same list retires classes already",
                "retire all of them in one row, by an order of classes",
            )
        seen.setdefault(clause.priority, clause.number)


def accounts_are_used(deal: Deal) -> Iterator[Finding]:
    """An account that must hold something is topped up by a row."""
    topped = {clause.step.account for clause in deal.clauses if isinstance(clause.step, TopUp)}
    for account in deal.accounts:
        if account.name not in topped:
            yield Finding(
                account.record,
                "account",
                f"no clause tops up {account.name}",
                f"add a row: top up {account.name}",
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


def opening_has_a_date(deal: Deal) -> Iterator[Finding]:
    """Opening amounts say when they hold."""
    if deal.opening and deal.as_of_date is None:
        yield Finding(
            deal.opening[0].record,
            "opening",
            "there are opening amounts but no as of date",
            "state the term: as of date, the last payment date made",
        )


def opening_is_complete(deal: Deal) -> Iterator[Finding]:
    """A run that starts later knows what every class and account holds, and what the pool once was.

    Only overdue amounts may be left out: there are none then.
    """
    stated = Counter((opening.kind, opening.of) for opening in deal.opening)
    for opening in deal.opening:
        if stated[opening.kind, opening.of] > 1:
            yield Finding(opening.record, "of", "the amount is stated twice", "delete one row")
    if deal.as_of_date is None:
        return
    first = deal.classes[0].record
    if deal.cutoff_pool is None:
        message = "the pool at the cutoff date is not known, since the pool's table is that of the as of date"
        yield Finding(first, "class", message, "state the term: cutoff pool")
    for kind, holders in (("balance", deal.classes), ("account", deal.accounts)):
        for holder in holders:
            if not stated[kind, holder.name.lower()]:
                yield Finding(
                    holder.record,
                    kind,
                    f"the as of date is stated, but not what {holder.name} then holds",
                    f"add a row to the table Opening: {kind}, {holder.name}, the amount (0 for nothing)",
                )


def sequential_shortage(deal: Deal) -> Iterator[Finding]:
    """A payee that is one party has nobody to share a shortage with by balance."""
    for clause in deal.clauses:
        if clause.short == "by balance" and not isinstance(clause.step, Principal):
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
    known_priorities,
    each_paid_once,
    rows_not_repeated,
    covered_clauses_exist,
    one_row_retires,
    accounts_are_used,
    dates_in_order,
    opening_has_a_date,
    opening_is_complete,
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
        message = first.message + "".join(f"; also {_also(f, first.remedy)}" for f in findings[1:])
        raise UnsoundDeal(message, remedy=first.remedy).at(**first.record.place(first.heading))


def _also(finding: Finding, said: str) -> str:
    """A further finding; the remedy of the first ends the message, and is not said twice."""
    remedy = "" if finding.remedy == said else f" ({finding.remedy})"
    return f"{finding.record.table} row {finding.record.row}: {finding.message}{remedy}"


def _lists(deal: Deal) -> list[tuple[Clause, ...]]:
    """The priorities of a deal, none of them empty."""
    return [deal.priority(name) for name in dict.fromkeys(clause.priority for clause in deal.clauses)]


def _measures_of(step: Step) -> list[str]:
    if isinstance(step, PrincipalOver):
        return [step.measure]
    if isinstance(step, Greatest):
        return [name for part in step.parts for name in _measures_of(part)]
    return []


def _known_measure(deal: Deal, record: Record, heading: str, name: str) -> Iterator[Finding]:
    if not _is_measure(deal, name):
        yield _undefined(record, heading, "measure", name, _measure_names(deal))


def _is_measure(deal: Deal, name: str) -> bool:
    if name.endswith(AT_CUTOFF):
        return _is_measure(deal, name.removesuffix(AT_CUTOFF))
    if name.startswith(SCHEDULE):
        return name.removeprefix(SCHEDULE) in deal.schedules
    return name in BASES or name in deal.measures or name in deal.groups


def _measure_names(deal: Deal) -> set[str]:
    return {*BASES, *deal.measures}


def _undefined(record: Record, heading: str, kind: str, name: str, known: set[str]) -> Finding:
    remedy = f"known: {', '.join(sorted(known))}" if known else f"add it to the table of {kind}s"
    return Finding(record, heading, f"there is no {kind} {name!r}", remedy)
