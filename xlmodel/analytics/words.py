"""How an answer speaks of amounts and of the cells that it rests on."""

from __future__ import annotations

from collections.abc import Callable

from xlmodel.tables import Record

Cite = Callable[[Record, str], str]
"""Where a value of a deal table stands, by its record and heading."""


def by_row(record: Record, heading: str) -> str:
    """A place that is known by its row of a range alone: ``row 7 of Payments``."""
    return f"row {record.row} of {record.table}"


def money(cents: int | float) -> str:
    """Cents as dollars, exactly: 1,283,917.50."""
    whole = round(cents)
    sign = "-" if whole < 0 else ""
    return f"{sign}{abs(whole) // 100:,}.{abs(whole) % 100:02d}"


def percent(rate: float) -> str:
    """A decimal as a percentage, without binary noise: 6.2025%."""
    return f"{round(rate * 100, 10):.10g}%"


def fact(cite: Cite, record: Record, heading: str, shown: str) -> str:
    """A value of a deal table with its cell, its status and the page of the document."""
    status, page = record.values.get("status"), record.values.get("page")
    where = [cite(record, heading)]
    if status:
        where.append(str(status))
    if page:
        where.append(f"page {page}")
    return f"{shown} ({', '.join(where)})"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", ":")) else ".")
