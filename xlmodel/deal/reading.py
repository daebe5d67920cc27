"""From the tables of a deal folder or of a workbook's ranges to a Deal."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xlmodel.conventions import calendar, day_count
from xlmodel.conventions.money import to_cents
from xlmodel.deal.conditions import parse_condition
from xlmodel.deal.definition import (
    Call,
    Clause,
    Deal,
    Limit,
    NoteClass,
)
from xlmodel.deal.orders import Groups, parse_order
from xlmodel.deal.reading_amounts import (
    cents_of,
    read_account,
    read_event,
    read_fee,
    read_measures,
    read_opening,
    read_policy,
    read_schedules,
    read_triggers,
)
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
    XlmodelError,
)
from xlmodel.pool import prepayment
from xlmodel.tables import RawRows, Record, Schema, convert, heading_text, read, split

# Keys of money.ROUNDINGS that give whole cents for any balance.
ROUNDINGS = ("half up", "truncate")
SHARINGS = ("in order", "by amount due", "by balance")
CALL_PRICES = ("what is owed", "pool")


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
                record.one_of("status", STATUSES)
        return found

    general = _general(records(TERMS))
    note_classes = tuple(_note_class(r) for r in read(CLASSES, classes))
    groups = _groups(note_classes)
    triggers = read_triggers(records(TRIGGERS))
    names = tuple(trigger.name for trigger in triggers)
    measures, measure_records = read_measures(records(MEASURES), groups, names)
    calls = records(CALLS)
    if len(calls) > 1:
        raise BadTable("a deal has at most one call").at(**calls[1].place("call"))
    return Deal(
        **general,
        classes=note_classes,
        clauses=tuple(_clause(r, groups, names) for r in read(PAYMENTS, payments)),
        fees=tuple(read_fee(r) for r in records(FEES)),
        accounts=tuple(read_account(r) for r in records(ACCOUNTS)),
        policies=tuple(read_policy(r) for r in records(POLICIES)),
        events=tuple(read_event(r, groups) for r in records(EVENTS)),
        opening=tuple(read_opening(r) for r in records(OPENING)),
        measures=measures,
        measure_records=measure_records,
        triggers=triggers,
        schedules=read_schedules(records(SCHEDULES)),
        schedule_records={record["schedule"].lower(): record for record in records(SCHEDULES)},
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
        with record.placed("value"):
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
    record.one_of("status", STATUSES)
    record.one_of("accrual dates", ("adjusted", "unadjusted"))
    record.one_of("rounding", ROUNDINGS)
    if record["balance"] <= 0:
        raise OutOfRange("a class has a balance above zero").at(**record.place("balance"))
    with record.placed("day count"):
        convention = day_count.find(record["day count"])
    return NoteClass(
        name=record["class"],
        group=record["group"],
        balance=cents_of(record, "balance"),
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
    with record.placed("pay"):
        step = parse_step(record["pay"], groups)
    order = None
    if isinstance(step, Interest | Principal):
        with record.placed("to"):
            order = parse_order(record["to"], groups)
    retired = _RETIRED.fullmatch(record["when"] or "")
    with record.placed("when"):
        text = "can be retired" if retired else record["when"] or ""
        when = parse_condition(text, groups, triggers)
    if record["short"]:
        record.one_of("short", SHARINGS)
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


def _call(record: Record) -> Call:
    record.one_of("price", CALL_PRICES)
    return Call(
        name=record["call"],
        test=record["test"].lower(),
        part=record["at most"],
        base=record["of"].lower(),
        price=record["price"].lower(),
        exercised=record["exercised"],
        record=record,
    )
