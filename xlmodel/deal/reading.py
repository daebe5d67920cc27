"""From the tables of a deal folder or of a workbook's ranges to a Deal."""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from xlmodel.conventions import calendar, day_count
from xlmodel.conventions.money import to_cents
from xlmodel.deal.conditions import parse_condition
from xlmodel.deal.definition import (
    Account,
    Call,
    Clause,
    Deal,
    Event,
    Fee,
    Limit,
    NoteClass,
    Opening,
    Policy,
    Span,
    Trigger,
)
from xlmodel.deal.measures import COMBINATIONS, Component, Measure
from xlmodel.deal.orders import Groups, parse_classes, parse_order
from xlmodel.deal.schemas import (
    ACCOUNTS,
    CALLS,
    CLASSES,
    EVENTS,
    FEES,
    MEASURES,
    OPENING,
    PAYMENTS,
    POLICIES,
    SCHEDULES,
    STACKED,
    STATUSES,
    TERM_LIST,
    TERMS,
    TRIGGERS,
)
from xlmodel.deal.steps import Interest, Principal, parse_step
from xlmodel.errors import (
    BadTable,
    MissingValue,
    OutOfRange,
    UnknownName,
    UnknownStep,
    WrongKind,
    XlmodelError,
)
from xlmodel.pool import prepayment
from xlmodel.tables import RawRows, Record, Schema, convert, heading_text, read, split

# Keys of money.ROUNDINGS that give whole cents for any balance.
ROUNDINGS = ("half up", "truncate")
SHARINGS = ("in order", "by amount due", "by balance")
CALL_PRICES = ("what is owed", "pool")
EVENT_KINDS = ("interest unpaid", "principal unpaid", "policy claim", "stated")
SALES = ("always", "if sufficient", "if sufficient or consented")
OPENINGS = ("balance", "overdue interest", "overdue fee", "account", "unreimbursed", "overdue premium")


def read_deal(terms: RawRows, classes: RawRows, payments: RawRows) -> Deal:
    """The deal of the ranges Terms (its tables stacked), Classes and Payments.

    Raises an error with table, row and column for a value that cannot be read.  ``check.py`` tells
    whether what was read fits together.
    """
    try:
        stacked = split(STACKED, terms)
    except XlmodelError as error:
        raise error.at(table="Terms") from None

    def records(schema: Schema) -> list[Record]:
        first_row, rows = stacked.get(schema.name, (1, []))
        if not rows:
            return []
        found = read(schema, rows, first_row=first_row, table="Terms")
        for record in found:
            if "status" in record.values:
                _one_of(record, "status", STATUSES)
        return found

    general = _general(records(TERMS))
    note_classes = tuple(_note_class(r) for r in read(CLASSES, classes))
    groups = _groups(note_classes)
    triggers = _triggers(records(TRIGGERS))
    names = tuple(trigger.name for trigger in triggers)
    measures, measure_records = _measures(records(MEASURES), groups, names)
    calls = records(CALLS)
    if len(calls) > 1:
        raise BadTable("a deal has at most one call").at(**calls[1].place("call"))
    return Deal(
        **general,
        classes=note_classes,
        clauses=tuple(_clause(r, groups, names) for r in read(PAYMENTS, payments)),
        fees=tuple(_fee(r) for r in records(FEES)),
        accounts=tuple(_account(r) for r in records(ACCOUNTS)),
        policies=tuple(_policy(r) for r in records(POLICIES)),
        events=tuple(_event(r, groups) for r in records(EVENTS)),
        opening=tuple(_opening(r) for r in records(OPENING)),
        measures=measures,
        measure_records=measure_records,
        triggers=triggers,
        schedules=_schedules(records(SCHEDULES)),
        call=_call(calls[0]) if calls else None,
        groups=groups,
    )


def _general(records: Sequence[Record]) -> dict[str, Any]:
    """The keyword arguments of Deal that come from the table Terms."""
    known = {term.name: term for term in TERM_LIST}
    found: dict[str, Any] = {}
    for record in records:
        name = heading_text(record["term"])
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1) or known
            raise UnknownName(f"there is no term {name!r}; known: {', '.join(near)}").at(
                **record.place("term")
            )
        if name in found:
            raise BadTable(f"the term {name!r} comes twice").at(**record.place("term"))
        with _placed(record, "value"):
            found[name] = convert(record["value"], known[name].kind)
            _check_term(name, found[name])
    for name, term in known.items():
        if name not in found and term.required:
            raise MissingValue(f"the term {name!r} is missing: {term.help}").at(table="Terms")
    return {
        "name": found["deal"],
        "cutoff_date": found["cutoff date"],
        "closing_date": found["closing date"],
        "first_payment_date": found["first payment date"],
        "payment_day": int(found["payment day"]),
        "roll": found["business day roll"],
        "calendar": found["calendar"],
        "first_collection_months": int(found["first collection months"]),
        "prepayment_model": found["prepayment model"],
        "average_life_from": found["average life from"],
        "average_life_day_count": day_count.find(found["average life day count"]),
        "table_roll": found.get("table roll"),
        "as_of_date": found.get("as of date"),
        "cutoff_pool": int(to_cents(found["cutoff pool"])) if "cutoff pool" in found else None,
    }


_TERM_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "average life day count": day_count.find,
    "prepayment model": prepayment.find,
    "calendar": calendar.find_calendar,
    "business day roll": calendar.find_roll,
    "table roll": calendar.find_roll,
}


def _check_term(name: str, value: Any) -> None:
    if name in _TERM_CHECKS:
        _TERM_CHECKS[name](value)
    if name == "payment day" and not 1 <= value <= 31:
        raise OutOfRange(f"{value:g} is no day of a month")
    if name == "first collection months" and not 1 <= value <= 12:
        raise OutOfRange(f"{value:g} collection months in the first payment; expected 1 to 12")


def _note_class(record: Record) -> NoteClass:
    _one_of(record, "status", STATUSES)
    _one_of(record, "accrual dates", ("adjusted", "unadjusted"))
    _one_of(record, "rounding", ROUNDINGS)
    if record["balance"] <= 0:
        raise OutOfRange("a class has a balance above zero").at(**record.place("balance"))
    with _placed(record, "day count"):
        convention = day_count.find(record["day count"])
    return NoteClass(
        name=record["class"],
        group=record["group"],
        balance=_cents(record, "balance"),
        rate=record["rate"],
        index=record["index"].lower() if record["index"] else None,
        cap=record["cap"],
        day_count=convention,
        adjusted=record["accrual dates"].lower() == "adjusted",
        rounding=record["rounding"].lower(),
        final_date=record["final date"],
        record=record,
    )


def _groups(classes: Sequence[NoteClass]) -> dict[str, tuple[int, ...]]:
    """Names of classes and groups, in lower case, to the positions of their classes."""
    groups: dict[str, tuple[int, ...]] = {}
    for position, note_class in enumerate(classes):
        group = note_class.group.lower()
        groups[group] = (*groups.get(group, ()), position)
    for position, note_class in enumerate(classes):
        name = note_class.name.lower()
        if groups.get(name, (position,)) != (position,) or any(
            other.name.lower() == name for other in classes[:position]
        ):
            raise BadTable(f"the name {note_class.name!r} stands for two things").at(
                **note_class.record.place("class")
            )
        groups[name] = (position,)
    return groups


_RETIRED = re.compile(r"can be retired with (.+)", re.IGNORECASE)
_LIMIT = re.compile(r"([0-9][0-9,]*(?:\.[0-9]+)?) (?:a|each|in) (date|calendar year|total)", re.IGNORECASE)


def _clause(record: Record, groups: Groups, triggers: Sequence[str]) -> Clause:
    with _placed(record, "pay"):
        step = parse_step(record["pay"], groups)
    order = None
    if isinstance(step, Interest | Principal):
        with _placed(record, "to"):
            order = parse_order(record["to"], groups)
    retired = _RETIRED.fullmatch(record["when"] or "")
    with _placed(record, "when"):
        text = "can be retired" if retired else record["when"] or ""
        when = parse_condition(text, groups, triggers)
    if record["short"]:
        _one_of(record, "short", SHARINGS)
    return Clause(
        priority=(record["priority"] or "").lower(),
        number=record["clause"],
        step=step,
        to=record["to"],
        order=order,
        when=when,
        retires_with=retired[1].strip().lower() if retired else None,
        limit=_limit(record),
        short=(record["short"] or SHARINGS[0]).lower(),
        record=record,
    )


def _limit(record: Record) -> Limit | None:
    if not record["limit"]:
        return None
    found = _LIMIT.fullmatch(record["limit"])
    if found is None:
        raise UnknownStep(
            f"{record['limit']!r} is no limit",
            remedy="write: 300000 a calendar year, 2500 a date, 1000000 in total",
        ).at(**record.place("limit"))
    return Limit(int(to_cents(float(found[1].replace(",", "")))), found[2].lower())


FEE_BASES = ("pool", "cutoff pool")


def _fee(record: Record) -> Fee:
    if record["rate"] is None and record["amount"] is None:
        raise MissingValue("a fee has a rate or an amount").at(**record.place("rate"))
    if record["rate"] is not None:
        _one_of(record, "of", FEE_BASES)
    first = record["first"]
    part = amount = None
    if first:
        with _placed(record, "first"):
            part, amount = _first(first)
    return Fee(
        name=record["fee"].lower(),
        rate=record["rate"] or 0.0,
        base=(record["of"] or FEE_BASES[0]).lower(),
        amount=_cents(record, "amount") if record["amount"] is not None else 0,
        minimum=_cents(record, "minimum") if record["minimum"] is not None else 0,
        first_part=part,
        first_amount=amount,
        once=bool(record["once"]),
        record=record,
    )


def _first(text: str) -> tuple[Fraction | None, int | None]:
    """The first payment of a fee: a part of a year such as 2/12, or an amount."""
    try:
        if "/" in text:
            return Fraction(text.replace(" ", "")), None
        return None, int(to_cents(float(text)))
    except (ValueError, ZeroDivisionError):
        raise WrongKind(
            f"{text!r} is no amount and no part of a year", remedy="write 2266.67 or 2/12"
        ) from None


RELATIONS = ("above", "below", "at least", "at most")


def _triggers(records: Sequence[Record]) -> tuple[Trigger, ...]:
    """Rows of the same name are spans of one trigger."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        _one_of(record, "is", RELATIONS)
        if record["test"].lower() != "date" and record["level"] is None:
            raise MissingValue("the level that the test is compared with").at(**record.place("level"))
        by_name.setdefault(record["trigger"].lower(), []).append(record)
    return tuple(
        Trigger(
            name,
            tuple(
                Span(
                    r["test"].lower(),
                    r["is"].lower(),
                    r["level"] or 0.0,
                    (r["of"] or "cutoff pool").lower(),
                    r["through"],
                    r,
                )
                for r in rows
            ),
            rows[0]["latching"],
        )
        for name, rows in by_name.items()
    )


def _schedules(records: Sequence[Record]) -> dict[str, dict[dt.date, float]]:
    """Amounts by date, by schedule.  Raises BadTable for a date that comes twice."""
    schedules: dict[str, dict[dt.date, float]] = {}
    for record in records:
        amounts = schedules.setdefault(record["schedule"].lower(), {})
        if record["date"] in amounts:
            raise BadTable(f"the date {record['date']} comes twice").at(**record.place("date"))
        amounts[record["date"]] = record["amount"]
    return schedules


def _account(record: Record) -> Account:
    return Account(
        name=record["account"].lower(),
        initial=_cents(record, "initial"),
        requirement=record["requirement"].lower(),
        covers=_numbers(record["covers"]),
        direct=_numbers(record["direct"] or ""),
        excess_to=record["excess to"],
        record=record,
    )


def _policy(record: Record) -> Policy:
    return Policy(
        name=record["policy"].lower(),
        premium=record["premium"],
        base=record["of"].lower(),
        reimbursement=record["reimbursement"],
        covers=_numbers(record["covers"]),
        direct=_numbers(record["direct"] or ""),
        record=record,
    )


def _event(record: Record, groups: Groups) -> Event:
    _one_of(record, "kind", EVENT_KINDS)
    _one_of(record, "sale", SALES)
    with _placed(record, "of"):
        classes = parse_classes(record["of"], groups) if record["of"] else ()
    if record["kind"].lower().endswith("unpaid") and not classes:
        raise MissingValue("whose payment it is that is not paid").at(**record.place("of"))
    return Event(record["event"], record["kind"].lower(), classes, record["sale"].lower(), record)


def _opening(record: Record) -> Opening:
    _one_of(record, "opening", OPENINGS)
    return Opening(record["opening"].lower(), record["of"].lower(), _cents(record, "amount"), record)


def _numbers(text: str) -> tuple[str, ...]:
    """Clause numbers with commas between them."""
    return tuple(number.strip() for number in text.split(",") if number.strip())


def _measures(
    records: Sequence[Record], groups: Groups, triggers: Sequence[str]
) -> tuple[dict[str, Measure], dict[str, Record]]:
    """Rows of the same name become one measure."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        by_name.setdefault(record["measure"].lower(), []).append(record)
    measures = {}
    for name, rows in by_name.items():
        for record in rows:
            _one_of(record, "combine", tuple(COMBINATIONS))
            if record["combine"].lower() != rows[0]["combine"].lower():
                raise BadTable(f"the rows of {name!r} combine in different ways").at(
                    **record.place("combine")
                )
        components = tuple(_component(record, groups, triggers) for record in rows)
        measures[name] = Measure(name, rows[0]["combine"].lower(), components)
    return measures, {name: rows[0] for name, rows in by_name.items()}


def _component(record: Record, groups: Groups, triggers: Sequence[str]) -> Component:
    if (record["of"] is None) != (record["percent"] is None):
        raise MissingValue("a percentage needs its base, and a base its percentage").at(**record.place("of"))
    if (record["of"] is None) == (record["amount"] is None):
        raise BadTable("a component is a percentage of a base, or an amount").at(**record.place("amount"))
    with _placed(record, "when"):
        when = parse_condition(record["when"] or "", groups, triggers)
    if record["of"] is None:
        return Component(0.0, None, _cents(record, "amount"), when)
    return Component(record["percent"], record["of"].lower(), 0, when)


def _call(record: Record) -> Call:
    _one_of(record, "price", CALL_PRICES)
    return Call(
        name=record["call"],
        test=record["test"].lower(),
        part=record["at most"],
        base=record["of"].lower(),
        price=record["price"].lower(),
        exercised=record["exercised"],
        record=record,
    )


def _one_of(record: Record, heading: str, allowed: Sequence[str]) -> None:
    if str(record[heading]).lower() not in allowed:
        raise UnknownName(f"{record[heading]!r} is not one of: {', '.join(allowed)}").at(
            **record.place(heading)
        )


def _cents(record: Record, heading: str) -> int:
    with _placed(record, heading):
        return int(to_cents(record[heading]))


@contextmanager
def _placed(record: Record, heading: str) -> Iterator[None]:
    """Errors raised inside lie at this column of the record."""
    try:
        yield
    except XlmodelError as error:
        raise error.at(**record.place(heading)) from None
