"""Rows about amounts: fees, accounts, policies, measures, triggers, schedules, events, openings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction

from xlmodel.conventions.money import to_cents
from xlmodel.deal.conditions import parse_condition
from xlmodel.deal.definition import Account, Event, Fee, Opening, Policy, Span, Trigger
from xlmodel.deal.measures import COMBINATIONS, Component, Measure, with_steady
from xlmodel.deal.orders import Groups, parse_classes
from xlmodel.errors import BadTable, MissingValue, WrongKind
from xlmodel.tables import Record

EVENT_KINDS = ("interest unpaid", "principal unpaid", "policy claim", "stated")
SALES = ("always", "if sufficient", "if sufficient or consented")
OPENINGS = ("balance", "overdue interest", "overdue fee", "account", "unreimbursed", "overdue premium")
FEE_BASES = ("pool", "collecting pool", "cutoff pool")


def read_fee(record: Record) -> Fee:
    if record["rate"] is None and record["amount"] is None:
        raise MissingValue("a fee has a rate or an amount").at(**record.place("rate"))
    if record["rate"] is not None:
        record.one_of("of", FEE_BASES)
    first = record["first"]
    part = amount = None
    if first:
        with record.placed("first"):
            part, amount = _first(first)
    return Fee(
        name=record["fee"].lower(),
        rate=record["rate"] or 0.0,
        base=(record["of"] or FEE_BASES[0]).lower(),
        amount=cents_of(record, "amount") if record["amount"] is not None else 0,
        minimum=cents_of(record, "minimum") if record["minimum"] is not None else 0,
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


def read_triggers(records: Sequence[Record]) -> tuple[Trigger, ...]:
    """Rows of the same name are spans of one trigger."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        record.one_of("is", RELATIONS)
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


def read_schedules(records: Sequence[Record]) -> dict[str, dict[dt.date, float]]:
    """Amounts by date, by schedule.  Raises BadTable for a date that comes twice."""
    schedules: dict[str, dict[dt.date, float]] = {}
    for record in records:
        amounts = schedules.setdefault(record["schedule"].lower(), {})
        if record["date"] in amounts:
            raise BadTable(f"the date {record['date']} comes twice").at(**record.place("date"))
        amounts[record["date"]] = record["amount"]
    return schedules


def read_account(record: Record) -> Account:
    return Account(
        name=record["account"].lower(),
        initial=cents_of(record, "initial"),
        requirement=record["requirement"].lower(),
        covers=_numbers(record["covers"]),
        direct=_numbers(record["direct"] or ""),
        excess_to=record["excess to"],
        record=record,
    )


def read_policy(record: Record) -> Policy:
    return Policy(
        name=record["policy"].lower(),
        premium=record["premium"],
        base=record["of"].lower(),
        reimbursement=record["reimbursement"],
        covers=_numbers(record["covers"]),
        direct=_numbers(record["direct"] or ""),
        record=record,
    )


def read_event(record: Record, groups: Groups) -> Event:
    record.one_of("kind", EVENT_KINDS)
    record.one_of("sale", SALES)
    with record.placed("of"):
        classes = parse_classes(record["of"], groups) if record["of"] else ()
    if record["kind"].lower().endswith("unpaid") and not classes:
        raise MissingValue("whose payment it is that is not paid").at(**record.place("of"))
    return Event(record["event"], record["kind"].lower(), classes, record["sale"].lower(), record)


def read_opening(record: Record) -> Opening:
    record.one_of("opening", OPENINGS)
    return Opening(record["opening"].lower(), record["of"].lower(), cents_of(record, "amount"), record)


def _numbers(text: str) -> tuple[str, ...]:
    """Clause numbers with commas between them."""
    return tuple(number.strip() for number in text.split(",") if number.strip())


def read_measures(
    records: Sequence[Record], groups: Groups, triggers: Sequence[str]
) -> tuple[dict[str, Measure], dict[str, Record]]:
    """Rows of the same name become one measure."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        by_name.setdefault(record["measure"].lower(), []).append(record)
    measures = {}
    for name, rows in by_name.items():
        for record in rows:
            record.one_of("combine", tuple(COMBINATIONS))
            if record["combine"].lower() != rows[0]["combine"].lower():
                raise BadTable(f"the rows of {name!r} combine in different ways").at(
                    **record.place("combine")
                )
        components = tuple(_component(record, groups, triggers) for record in rows)
        measures[name] = Measure(name, rows[0]["combine"].lower(), components)
    return with_steady(measures, groups), {name: rows[0] for name, rows in by_name.items()}


def _component(record: Record, groups: Groups, triggers: Sequence[str]) -> Component:
    if (record["of"] is None) != (record["percent"] is None):
        raise MissingValue("a percentage needs its base, and a base its percentage").at(**record.place("of"))
    if (record["of"] is None) == (record["amount"] is None):
        raise BadTable("a component is a percentage of a base, or an amount").at(**record.place("amount"))
    with record.placed("when"):
        when = parse_condition(record["when"] or "", groups, triggers)
    if record["of"] is None:
        return Component(0.0, None, cents_of(record, "amount"), when)
    return Component(record["percent"], record["of"].lower(), 0, when)


def cents_of(record: Record, heading: str) -> int:
    """An amount of a record in cents."""
    with record.placed(heading):
        return int(to_cents(record[heading]))
