"""The page of what a deal can say: its tables, the kinds of step, conditions, measures, events, scenarios."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from xlmodel.deal.conditions import FLAGS
from xlmodel.deal.folder import ASSUMPTIONS
from xlmodel.deal.measures import BASES, COMBINATIONS
from xlmodel.deal.questions import GRID, PRICES, PRICING
from xlmodel.deal.reading import SHARINGS
from xlmodel.deal.reading_amounts import EVENT_KINDS
from xlmodel.deal.scenario import SCENARIOS
from xlmodel.deal.schemas import TABLES, TERM_LIST
from xlmodel.deal.steps import STEP_KINDS, Step
from xlmodel.pool.cash_flows import CASH_FLOWS
from xlmodel.pool.contracts import POOLS
from xlmodel.tables import Schema

_WORKBOOKS = Path(__file__).parents[1] / "workbooks"

_INTRODUCTION = """\
# What a deal can say

A deal folder holds `deal.toml`, `pool.csv` and, where figures were published,
[`published/`](folders.md#the-folder-published). Each table below is a list of entries of `deal.toml`
(`[[classes]]`, keys with `_` for blanks) and a table of the workbook, with the same columns. In the workbook
the functions read the ranges, so what the desk edits there is what is computed. `xlmodel build FOLDER` makes
the workbook anew after each edit of the folder; inputs and formulas that were edited in the workbook it
overwrites only with `--force`.

Every entry has a status: *stated* (with the page), *derived* from what is stated, or *assumed*. Rates are
decimals per annum, amounts are dollars, terms are months.

## Steps: what a clause pays

A row of the table Payments is a clause. Its `pay` is one of these; most deals need no more than the first
four.
"""

_ORDERS = """\
**To whom.** A payee by name, or classes in an order: `A > B` one after the other, `A + B` side by side, by
balance; the name of a group stands for its classes. **Short** says how a shortage inside a row is shared:
{sharings}; by balance where it is blank.

**When.** {flags}, the name of a trigger, `CLASS paid`, `until DATE`, `after DATE`; joined by `not`, `and`,
`or`.

**Limit.** An amount and its span: `300000 a calendar year`, `20000 a date`, `500000 in total`. What is over
it stays due, and a lower row pays it.

**Measures** are a {combinations} of components; a component is an amount, or a part of one of these:
{bases}, a schedule, a class or group, another measure, and any of them `at cutoff`.

**Events of default** are of one of these kinds: {events}.
"""


def deal_page() -> str:
    """Steps, then every table with every column, then the terms."""
    parts = [_INTRODUCTION, "| pay | what it is | for instance |", "|---|---|---|"]
    used = dict(_clauses())
    for text, meaning in steps().items():
        parts.append(f"| `{text}` | {meaning} | {_instance(text, used)} |")
    parts += [
        "",
        _ORDERS.format(
            sharings=", ".join(f"`{name}`" for name in SHARINGS),
            flags=", ".join(f"`{name}`" for name in FLAGS),
            combinations=", ".join(f"`{name}`" for name in COMBINATIONS),
            bases=", ".join(f"`{name}`" for name in BASES),
            events=", ".join(f"`{name}`" for name in EVENT_KINDS),
        ),
    ]
    for schema in (*TABLES, POOLS, SCENARIOS, ASSUMPTIONS, GRID, PRICING, PRICES):
        parts += table(schema)
        if schema is TABLES[0]:
            parts += ["| term | meaning |", "|---|---|"]
            parts += [f"| {t.name}{'' if t.required else ', optional'} | {t.help} |" for t in TERM_LIST]
            parts += [""]
        if schema is POOLS:
            parts += table(CASH_FLOWS, title="Pools, as reported months")
    return "\n".join(parts).rstrip() + "\n"


def steps() -> Mapping[str, str]:
    """What each kind of step is, by its text in STEP_KINDS: the docstring of the class that it makes."""
    meanings = {}
    for step in get_args(Step):
        heading, _, meaning = (inspect.getdoc(step) or "").partition(": ")
        meanings[heading.strip("`")] = " ".join(meaning.split())
    return {kind.text: meanings[_like(kind.text, meanings)] for kind in STEP_KINDS}


def _like(text: str, headings: Mapping[str, str]) -> str:
    """The heading of a docstring for the text of a kind: names of parts differ, the words never."""

    def words(name: str) -> list[str]:
        return [word for word in name.split() if word.islower()]

    return next(heading for heading in headings if words(heading) == words(text))


def _clauses() -> Iterator[tuple[str, str]]:
    """A clause of a deal that comes with the program, by the beginning of what it pays."""
    for path in sorted(_WORKBOOKS.glob("*/deal.toml")):
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        for row in document.get("payments", []):
            yield row["pay"], f"`{row['pay']}` to {row['to']}, clause {row['clause']} of `{path.parent.name}`"


def _instance(text: str, used: Mapping[str, str]) -> str:
    kind = next(kind for kind in STEP_KINDS if kind.text == text)
    return next((shown for pay, shown in used.items() if kind.pattern.fullmatch(pay)), "no deal here yet")


def table(schema: Schema, level: int = 2, title: str = "") -> list[str]:
    """A table with its columns, under a heading."""
    lines = [
        "#" * level + f" Table {title or schema.name}",
        "",
        schema.help or "What the projection assumes.",
        "",
    ]
    lines += ["| column | kind | meaning |", "|---|---|---|"]
    lines += [
        f"| {c.heading} | {c.kind.name.lower()}{'' if c.required else ', optional'} | {c.help}"
        + (f"; also called {', '.join(c.aliases)} |" if c.aliases else " |")
        for c in schema.columns
    ]
    return [*lines, ""]
