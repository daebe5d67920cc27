"""A deal whose tables do not fit together: each finding names table, row and remedy, and no run starts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.deal.tie import DEAL
from xlmodel.deal.check import check, require_sound
from xlmodel.deal.folder import read_folder, stacked_rows
from xlmodel.deal.reading import read_deal
from xlmodel.errors import UnsoundDeal, XlmodelError

FOLDER = read_folder(DEAL)
Rows = list[list[Any]]
Tables = dict[str, Rows]


def tables() -> Tables:
    stacked = [list(row) for row in stacked_rows(FOLDER.stacked)]
    payments = [list(row) for row in FOLDER.payments]
    return copy.deepcopy(
        {"terms": stacked, "classes": [list(r) for r in FOLDER.classes], "payments": payments}
    )


def where(rows: Rows, value: object) -> int:
    """The row, from 0, that holds a value."""
    return next(n for n, row in enumerate(rows) if value in row)


def without(table: str, value: object) -> Callable[[Tables], None]:
    def drop(t: Tables) -> None:
        del t[table][where(t[table], value)]

    return drop


def twice(table: str, value: object) -> Callable[[Tables], None]:
    return lambda t: t[table].insert(where(t[table], value), list(t[table][where(t[table], value)]))


def changed(table: str, old: object, new: object) -> Callable[[Tables], None]:
    def change(t: Tables) -> None:
        row = t[table][where(t[table], old)]
        row[len(row) - 1 - row[::-1].index(old)] = (
            new  # an event bears the name of its kind: the kind is meant
        )

    return change


def in_a_circle(t: Tables) -> None:
    row = next(row for row in t["terms"] if "reserve requirement" in row and "reserve target" in row)
    row[row.index("reserve target")] = "reserve requirement"


def after_the_remainder(t: Tables) -> None:
    rows = t["payments"]
    last = where(rows, "remainder")
    rows.insert(last, rows.pop(last + 1))  # the first row of the sale moves before it
    rows[last], rows[last + 1] = rows[last + 1], rows[last]
    rows[last + 1][rows[0].index("priority")] = None


def retired_twice(t: Tables) -> None:
    headings, *rows = t["payments"]
    pay, when, priority = (headings.index(name) for name in ("pay", "when", "priority"))
    for row in rows:
        if "principal" in str(row[pay]) and not row[priority]:
            row[when] = "can be retired with reserve"


def retired_by_parts(t: Tables) -> None:
    headings, *rows = t["payments"]
    pay, when, priority = (headings.index(name) for name in ("pay", "when", "priority"))
    headings.append("limit")
    for row in rows:
        row.append(None)
    row = next(row for row in rows if "principal" in str(row[pay]) and not row[priority])
    row[when], row[-1] = "can be retired with reserve", "1000 a date"


@pytest.mark.parametrize(
    ("edit", "table", "parts"),
    [
        (retired_by_parts, "Payments", ["retires classes with an account", "limit", "leave it blank"]),
        (retired_twice, "Payments", ["retires classes already", "in one row"]),
        (without("payments", "remainder"), "Payments", ["no clause pays the remainder", "add a last row"]),
        (without("payments", "top up reserve"), "Terms", ["no clause tops up reserve", "top up reserve"]),
        (twice("payments", "fee servicing"), "Payments", ["'fee servicing' comes twice", "delete one row"]),
        (twice("payments", "principal outstanding"), "Payments", ["repeats an earlier one", "delete"]),
        (after_the_remainder, "Payments", ["a clause follows the remainder", "the last row"]),
        (changed("payments", "sale", "sail"), "Payments", ["no priority 'sail'", "write: "]),
        (without("payments", "3"), "Terms", ["covers clause 3, which does not exist", "name one of"]),
        (changed("payments", "fee servicing", "fee trustees"), "Payments", ["no fee 'trustees'"]),
        (changed("payments", "top up reserve", "top up cash"), "Payments", ["no account 'cash'", "reserve"]),
        (changed("payments", "premium insurance policy", "premium wrap"), "Payments", ["no policy 'wrap'"]),
        (changed("terms", "reserve requirement", "target"), "Terms", ["no measure"]),
        (in_a_circle, "Terms", ["refers to itself", "circle"]),
        (changed("payments", "by amount due", "by balance"), "Payments", ["only principal is shared"]),
    ],
)  # fmt: skip
def test_a_finding_names_row_and_remedy(edit: Callable[[Tables], None], table: str, parts: list[str]) -> None:
    edited = tables()
    edit(edited)
    deal = read_deal(edited["terms"], edited["classes"], edited["payments"])
    with pytest.raises(UnsoundDeal) as raised:
        require_sound(deal)
    findings = [(f.record.table, f"{f.message}; {f.remedy}") for f in check(deal)]
    assert any(t == table and all(part in text for part in parts) for t, text in findings), findings
    assert raised.value.place.row


def test_a_remedy_that_findings_share_is_said_once() -> None:
    edited = tables()
    for clause in [row for row in edited["payments"] if "fee servicing" in row]:
        edited["payments"][edited["payments"].index(clause)] = [
            "fee nobody" if cell == "fee servicing" else cell for cell in clause
        ]
    edited["payments"].append(list(next(row for row in edited["payments"] if "fee nobody" in row)))
    deal = read_deal(edited["terms"], edited["classes"], edited["payments"])
    with pytest.raises(UnsoundDeal) as raised:
        require_sound(deal)
    said = str(raised.value)
    assert said.count("there is no fee 'nobody'") > 1
    assert said.count("known: ") == 1, said


@pytest.mark.parametrize(
    ("edit", "parts"),
    [
        (changed("payments", "A-1 > A-2 > A-3 > A-4", "A-1 > A-2 > A-3"), ["principal of class A-4"]),
        (without("payments", "2"), ["no clause pays the interest of class A-1"]),
    ],
)
def test_a_class_in_no_clause(edit: Callable[[Tables], None], parts: list[str]) -> None:
    """The row that waits for acceleration still pays A-4, and does not count."""
    edited = tables()
    edit(edited)
    deal = read_deal(edited["terms"], edited["classes"], edited["payments"])
    messages = [f.message for f in check(deal)]
    assert any(part in message for part in parts for message in messages), messages


@pytest.mark.parametrize(
    ("table", "old", "new", "parts"),
    [
        ("payments", "not accelerated", "not excelerated", ["'when'", "excelerated", "accelerated"]),
        ("payments", "interest", "interests", ["'pay'", "'interests' is no kind of amount"]),
        ("payments", "A-1 > A-2 > A-3 > A-4", "A-1 > A-1", ["'to'", "names a class twice"]),
        ("terms", "greatest", "largest", ["'combine'", "greatest"]),
        ("terms", "policy claim", "claim", ["'kind'", "policy claim"]),
        ("terms", "always", "sometimes", ["'sale'", "if sufficient"]),
        ("classes", "half up", "up", ["'rounding'", "truncate"]),
        ("classes", "adjusted", "moved", ["'accrual dates'", "unadjusted"]),
        ("classes", "A-2", "A-1", ["stands for two things"]),
    ],
)
def test_what_cannot_be_read_names_the_column(table: str, old: str, new: str, parts: list[str]) -> None:
    edited = tables()
    changed(table, old, new)(edited)
    with pytest.raises(XlmodelError) as raised:
        read_deal(edited["terms"], edited["classes"], edited["payments"])
    message = str(raised.value)
    assert [part for part in parts if part not in message] == [], message
    assert raised.value.place.row


def test_the_flagship_is_sound() -> None:
    assert check(FOLDER.deal) == []
