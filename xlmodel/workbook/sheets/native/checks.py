"""The checks of a native workbook."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xlmodel.workbook.sheets.check_cells import Check, all_zero
from xlmodel.workbook.sheets.checks import CHECKS as OF_A_DEAL
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, cell, column_of
from xlmodel.workbook.sheets.native.dates import has_holidays
from xlmodel.workbook.sheets.native.runs import runs_of

# What is said of the deal and of the printed figures, whoever works them out.
_SHARED = (
    "check_decrement",
    "check_average_life",
    "check_first_interest",
    "check_pool_equals_securities",
    "check_securities_within_pool",
)


def applicable(contents: Contents) -> Sequence[Check[Contents]]:
    """The checks that a native workbook of a deal has."""
    shared = [check for check in OF_A_DEAL if check.name in _SHARED]
    return [check for check in (*shared, *_OWN) if check.applies(contents)]


def _always(contents: Contents) -> bool:
    return True


def _zero_in_every_run(*names: str) -> Callable[[Contents, Layout], str]:
    """Columns that each run has are zero throughout."""

    def formula(contents: Contents, layout: Layout) -> str:
        return "=" + all_zero([layout.ref(one.at(name)) for one in runs_of(contents) for name in names])

    return formula


def _no_claim(contents: Contents, layout: Layout) -> str:
    names = [f"claim {n}" for n in range(len(contents.deal.policies))]
    return _zero_in_every_run(*names)(contents, layout)


def _equal(contents: Contents, layout: Layout) -> str:
    counts = layout["compared counts"]
    cells, equal = (column_of(counts, n).text() for n in (0, 1))
    return f"=ROUND(SUM({cells}),0)=ROUND(SUM({equal}),0)"


def _collected(contents: Contents, layout: Layout) -> str:
    last = [cell(layout[one.at("month pool")], -1, 0).text() for one in runs_of(contents)]
    return "=" + all_zero(last)


def _paid_in_full(contents: Contents, layout: Layout) -> str:
    last = [
        cell(layout[one.at(f"balance {n}")], -1, 0).text()
        for one in runs_of(contents)
        for n in range(contents.classes)
    ]
    return "=" + all_zero(last)


def _rows(contents: Contents, layout: Layout) -> str:
    parts = (
        f"ROWS(Collections)={layout.ref('longest term')}",
        f"ROWS(Distributions)={layout.ref('payment dates')}",
        f"ROWS(Decrement)={layout.ref('printed payment dates')}+1",
    )
    return f"=AND({','.join(parts)})"


_OWN: tuple[Check[Contents], ...] = (
    Check(
        "check_functions",
        "Every cell of every run and table is what the functions gave; FALSE too once an input is edited.",
        _always,
        _equal,
    ),
    Check(
        "check_clauses",
        "The texts from which the formulas were made are still those of the build.",
        _always,
        lambda contents, layout: f"=AND({layout.ref('clauses same')},{layout.ref('texts same')})",
    ),
    Check(
        "check_collections",
        "In every run the pool is collected to the last cent.",
        _always,
        _collected,
    ),
    Check(
        "check_sources_uses",
        "On each date of every run what comes in is what is paid, to the cent.",
        _always,
        _zero_in_every_run("sources less uses"),
    ),
    Check(
        "check_paid_in_full",
        "After the last payment date of every run no class has a balance.",
        _always,
        _paid_in_full,
    ),
    Check(
        "check_no_claim",
        "No policy would have to pay: its claims, and what follows from them, only the functions work out.",
        lambda contents: bool(contents.deal.policies),
        _no_claim,
    ),
    Check(
        "check_even_shares",
        "No row is short that shares cents among several payees, which only the functions do to the cent.",
        _always,
        _zero_in_every_run("uneven"),
    ),
    Check(
        "check_holidays",
        "The list of holidays reaches beyond the last payment date.",
        has_holidays,
        lambda contents, layout: f"=MAX({layout.ref('payment date')})<MAX({layout.ref('holidays')})",
    ),
    Check(
        "check_rows",
        "The tables have as many rows as the pool's longest term and the terms imply.",
        _always,
        _rows,
    ),
)
