"""The page docs/conventions.md says what the tables of the code say."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from xlmodel.conventions.calendar import CALENDARS, ROLLS
from xlmodel.conventions.day_count import DAY_COUNTS, days
from xlmodel.conventions.money import ROUNDINGS

PAGE = (Path(__file__).parents[2] / "docs" / "conventions.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, its own heading left out."""
    lines = PAGE.split(heading, 1)[1].splitlines()
    rows = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    width = len(rows[0])
    end = next((place for place, row in enumerate(rows) if len(row) != width), len(rows))
    return [[cell.strip() for cell in row] for row in rows[2:end]]


def test_every_day_count_with_its_clause_and_aliases() -> None:
    rows = {row[0].strip("`"): row for row in table("## Day counts")}
    assert list(rows) == list(DAY_COUNTS)
    for name, convention in DAY_COUNTS.items():
        _, clause, aliases, accrual = rows[name]
        assert clause == convention.clause
        assert (accrual == "adjusted") is convention.adjusted
        for alias in convention.aliases:
            assert alias.text in aliases


def test_the_days_printed() -> None:
    heading = PAGE.split("### The 30/360 family", 1)[1].splitlines()
    names = next(line for line in heading if line.startswith("| start")).strip("|").split("|")[2:]
    rows = table("### The 30/360 family")
    assert len(rows) == 5
    for start, end, *counts in rows:
        found = [days(date.fromisoformat(start), date.fromisoformat(end), name) for name in names]
        assert found == [int(count) for count in counts]


def test_every_calendar_roll_and_rounding() -> None:
    rows = {row[0].strip("`"): row[2] for row in table("## Calendars")}
    assert list(rows) == list(CALENDARS)
    for name, calendar in CALENDARS.items():
        assert rows[name] == f"{calendar.first_year}-{calendar.last_year}"
    for name in [*ROLLS, *ROUNDINGS]:
        assert f"`{name}`" in PAGE
