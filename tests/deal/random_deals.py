"""Random deals and scenarios, stated as tables: what a desk could write, most of it nothing like 1999-1."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import strategies as st

from xlmodel.deal.check import require_sound
from xlmodel.deal.definition import Deal
from xlmodel.deal.folder import stacked_rows
from xlmodel.deal.reading import read_deal
from xlmodel.deal.scenario import SCENARIOS, Scenarios, read_scenarios
from xlmodel.deal.schemas import STACKED, TABLES
from xlmodel.pool.contracts import pool_from_rows
from xlmodel.tables import rows_from_mappings

STATED = {"status": "assumed"}
LETTERS = "ABCDEF"


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """One to six classes in one to three groups, fees, accounts, a policy, events, a call: or none."""
    classes = draw(_classes())
    names = [c["class"] for c in classes]
    groups = list(dict.fromkeys(c["group"] for c in classes))
    accounts = draw(st.integers(0, 2))
    insured = draw(st.booleans())
    payments = draw(_payments(names, groups, accounts, insured))
    combine = draw(st.sampled_from(["sum", "greatest", "least"]))
    tables = {
        "terms": [{"term": name, "value": value} | STATED for name, value in _terms(draw).items()],
        "fees": [
            {"fee": "servicing", "rate": draw(st.sampled_from([0.0, 0.01, 0.04])), "of": "pool"} | STATED,
            {"fee": "trustee", "rate": 0.0005, "of": "pool"} | STATED,
        ],
        "accounts": [_account(draw, n) for n in range(accounts)],
        "policies": [_policy(draw)] if insured else [],
        "measures": [
            {"measure": "target", "combine": combine} | part | STATED
            for part in (
                {"percent": draw(st.sampled_from([0.01, 0.05, 0.2])), "of": "pool"},
                {"percent": 0.005, "of": "cutoff pool"},
                {"amount": 10_000.0},
            )
        ],
        "call": [_call(draw)] if draw(st.booleans()) else [],
        "events": [
            {"event": f"event {n}", "kind": kind, "of": groups[0], "sale": sale} | STATED
            for n, (kind, sale) in enumerate(
                [
                    ("interest unpaid", "if sufficient"),
                    ("principal unpaid", "if sufficient"),
                    ("policy claim", "always"),
                    ("stated", "if sufficient or consented"),
                ]
            )
        ],
    }
    deal = read_deal(_stacked(tables), _rows("Classes", classes), _rows("Payments", payments))
    require_sound(deal)
    return deal


pools = st.lists(
    st.tuples(st.floats(1e4, 3e7), st.floats(0, 0.25), st.integers(4, 40), st.integers(0, 20)),
    min_size=1,
    max_size=4,
).map(lambda rows: pool_from_rows([[b, r, left + age, left] for b, r, left, age in rows]))

_date = st.one_of(st.none(), st.integers(1, 20))


@st.composite
def scenarios(draw: st.DrawFn, count: int = 8) -> Scenarios:
    """Speeds, losses and decisions of all kinds."""
    entries = []
    for n in range(count):
        entry: dict[str, Any] = {"scenario": f"s{n}", "speed": draw(st.floats(0, 0.05))}
        if draw(st.booleans()):
            entry |= {
                "default model": draw(st.sampled_from(["MDR", "CDR"])),
                "default rate": draw(st.floats(0, 0.3)),
                "severity": draw(st.floats(0, 1)),
                "recovery lag": draw(st.integers(0, 6)),
            }
        for heading in (
            "stated event",
            "insurer default",
            "insurer declares",
            "holders declare",
            "rescinded",
            "insurer prepays",
        ):
            entry[heading] = draw(_date)
        if draw(st.booleans()):
            entry |= {"sale": draw(st.integers(2, 20)), "sale price": draw(st.floats(0, 1.2))}
            entry["consent"] = draw(st.sampled_from(["none", "two thirds", "all"]))
        if draw(st.booleans()):
            entry |= {"preference": draw(st.floats(0, 1e6)), "preference date": draw(st.integers(1, 20))}
        if draw(st.booleans()):
            entry |= {
                "agreement requires": draw(st.floats(0, 1e7)),
                "agreement from": draw(st.integers(1, 20)),
            }
        entry["purchased"] = draw(st.sampled_from([0.0, 0.0, 0.01]))
        entries.append(entry)
    return read_scenarios(rows_from_mappings(SCENARIOS, entries))


def _terms(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "deal": "a deal nobody prepared",
        "cutoff date": dt.date(2001, 1, 31),
        "closing date": dt.date(2001, 2, 13),
        "first payment date": dt.date(2001, 3, 15),
        "payment day": 15,
        "business day roll": "following",
        "calendar": "FED",
        "first collection months": draw(st.integers(1, 3)),
        "prepayment model": "SMM",
        "average life from": dt.date(2001, 2, 13),
        "average life day count": "30/360",
    }


@st.composite
def _classes(draw: st.DrawFn) -> list[dict[str, Any]]:
    count = draw(st.integers(1, 6))
    groups = draw(st.integers(1, min(3, count)))
    entries = []
    for n in range(count):
        adjusted = draw(st.booleans())
        entries.append(
            {
                "class": LETTERS[n],
                "group": f"group {min(n, groups - 1)}",
                "balance": draw(st.integers(1, 4 * 10**9)) / 100,
                "rate": draw(st.floats(0, 0.4)),
                "day count": "actual/360" if adjusted else "30/360",
                "accrual dates": "adjusted" if adjusted else "unadjusted",
                "rounding": draw(st.sampled_from(["half up", "truncate"])),
                "final date": dt.date(2001 + draw(st.integers(1, 4)), 6, 15),
            }
            | STATED
        )
    return entries


@st.composite
def _payments(
    draw: st.DrawFn, names: list[str], groups: list[str], accounts: int, insured: bool
) -> list[Any]:
    """Fees, interest group by group, principal in one order, then the rest; a sale with its own list."""
    joined = " + ".join(groups)
    order = "".join(
        name + (draw(st.sampled_from([" > ", " + "])) if n + 1 < len(names) else "")
        for n, name in enumerate(names)
    )
    short = st.sampled_from([None, "by amount due"])
    rows: list[dict[str, Any]] = [{"pay": "fee trustee + servicing", "to": "parties", "short": draw(short)}]
    rows += [{"pay": "interest", "to": group, "short": draw(short)} for group in groups]
    measure = draw(st.sampled_from(["pool", "target"]))
    principal = f"principal over {measure} ({joined})"
    if draw(st.booleans()):
        principal = f"greatest of {principal} and principal at final date"
    rows.append(
        {
            "pay": principal,
            "to": order,
            "when": "not accelerated",
            "short": draw(st.sampled_from([None, "by balance", "by amount due"])),
        }
    )
    rows.append({"pay": "principal outstanding", "to": order, "when": "accelerated", "short": "by balance"})
    if insured:
        rows += [{"pay": "premium policy", "to": "insurer"}, {"pay": "reimbursement policy", "to": "insurer"}]
    rows += [{"pay": f"top up account {n}", "to": f"account {n}"} for n in range(accounts)]
    rows.append({"pay": "remainder", "to": "seller"})
    sale: list[dict[str, Any]] = [{"pay": "fee trustee + servicing", "to": "parties"}]
    sale += [{"pay": "interest", "to": joined, "short": "by amount due"}]
    sale += [{"pay": "principal outstanding", "to": joined, "short": "by balance"}]
    sale.append({"pay": "remainder", "to": "seller"})
    numbered = [{"clause": str(n)} | row for n, row in enumerate(rows, start=1)]
    return numbered + [{"clause": f"S{n}", "priority": "sale"} | row for n, row in enumerate(sale, start=1)]


def _account(draw: st.DrawFn, n: int) -> dict[str, Any]:
    return {
        "account": f"account {n}",
        "initial": draw(st.integers(0, 10**8)) / 100,
        "requirement": draw(st.sampled_from(["target", "securities", "insurance agreement"])),
        "covers": draw(st.sampled_from(["1, 2", "2, S2, S3", "1, 2, S3"])),
        "direct": draw(st.sampled_from(["", "2"])),
        "excess to": "seller",
    } | STATED


def _policy(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "policy": "policy",
        "premium": draw(st.sampled_from([0.0, 0.002])),
        "of": "securities",
        "reimbursement": draw(st.sampled_from([0.0, 0.07])),
        "covers": draw(st.sampled_from(["1, 2", "2, S2, S3", "1, 2, S3"])),
        "direct": draw(st.sampled_from(["", "2"])),
    } | STATED


def _call(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "call": "clean-up call",
        "test": draw(st.sampled_from(["pool", "securities"])),
        "at most": draw(st.sampled_from([0.05, 0.1, 0.5])),
        "of": "cutoff pool",
        "price": draw(st.sampled_from(["what is owed", "pool"])),
        "exercised": True,
    } | STATED


def _rows(name: str, entries: list[Any]) -> list[list[Any]]:
    return rows_from_mappings(next(schema for schema in TABLES if schema.name == name), entries)


def _stacked(tables: dict[str, list[Any]]) -> list[list[Any]]:
    return stacked_rows({s.name: rows_from_mappings(s, tables.get(s.name.lower(), [])) for s in STACKED})
