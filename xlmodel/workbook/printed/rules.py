"""Rules: spreadsheet formulas in which braces stand for printed figures, and what they say of which figure.

``{row}`` is the same measure and period, ``{table/row:measure@period}`` says all; a period is one of
RELATIONS or stands as it is printed.  ``{:measure}`` is the same row, ``{row?}`` 0 where it is not printed,
``{months}`` the months of the period.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from xlmodel.errors import BadTable
from xlmodel.workbook.printed.figures import Figures, Key
from xlmodel.workbook.printed.periods import RELATIONS, Period, read_period

_BRACES = re.compile(r"\{([^{}]*)\}")
_REFERENCE = re.compile(r"(?:([^/:@?]+)/)?([^/:@?]*)(?::([^/:@?]*))?(?:@([^/:@?]+))?(\?)?")
_MONTHS = "months"
MARK = " | "
"""Between a figure and what tells apart the comparisons of it."""

Part = str | Key
"""What a formula is made of: its own text, and figures."""


@dataclass(frozen=True)
class Rule:
    """A formula for the figures of a table: of these rows and measures, of all where None."""

    formula: str
    rows: tuple[str, ...] | None = None
    measures: tuple[str, ...] | None = None

    def speaks_of(self, key: Key) -> bool:
        return (self.rows is None or key.row in self.rows) and (
            self.measures is None or key.measure in self.measures
        )


@dataclass(frozen=True)
class Tie:
    """A formula for a figure of another table, in every period in which ``over`` is printed."""

    name: str
    figure: str
    formula: str
    over: str


@dataclass(frozen=True)
class Claim:
    """What a rule says of one figure: the parts of its formula.

    ``subject``: the table whose rule it is, or the tie.  ``mark``: what tells it from the table's first rule
    of the same figure.
    """

    figure: Key
    parts: tuple[Part, ...]
    subject: str
    mark: str = ""

    @property
    def name(self) -> str:
        """What the comparison is called in ``exceptions.csv``."""
        return f"{self.figure}{MARK}{self.mark}" if self.mark else str(self.figure)

    def text(self, cells: Mapping[Key, str]) -> str:
        """The formula, with a text for each figure."""
        return "".join(cells[part] if isinstance(part, Key) else part for part in self.parts)


def claims_of_rules(rules: Mapping[str, Sequence[Rule]], figures: Figures) -> list[Claim]:
    """What the tables' own rules say, in the order of the figures."""
    periods = _periods(figures)
    found = []
    for key in figures:
        number = 0
        for rule in rules.get(key.table, ()):
            if rule.speaks_of(key):
                parts = _parts(rule.formula, key, figures, periods)
                if parts and key not in parts:
                    number += 1
                    found.append(Claim(key, parts, key.table, f"rule {number}" if number > 1 else ""))
    return found


def claims_of_ties(ties: Sequence[Tie], figures: Figures) -> list[Claim]:
    """What the ties say, in their order.  Raises BadTable for a tie that says nothing of any figure."""
    periods = _periods(figures)
    found: list[Claim] = []
    for tie in ties:
        before = len(found)
        over = _reference(tie.over, Key("", "", ""), ())
        for key in figures:
            if over is None or (key.table, key.row, key.measure) != (over.table, over.row, over.measure):
                continue
            figure = _reference(tie.figure, replace(key), periods)
            if figure is None or figure not in figures:
                continue
            parts = _parts(tie.formula, key, figures, periods)
            if parts:
                found.append(Claim(figure, parts, tie.name, tie.name))
        if len(found) == before:
            raise BadTable(
                f"the tie {tie.name!r} says nothing of any printed figure",
                remedy="correct the names in its figure and formula",
            )
    return found


def _periods(figures: Figures) -> set[Period]:
    return {period for period in (read_period(key.period) for key in figures) if period}


def _parts(formula: str, at: Key, figures: Figures, periods: Collection[Period]) -> tuple[Part, ...] | None:
    """The parts of a formula for a figure; None where it names something that is not printed."""
    parts: list[Part] = []
    for number, text in enumerate(_BRACES.split(formula)):
        if number % 2 == 0:
            parts.append(text)
        elif text == _MONTHS:
            period = read_period(at.period)
            if period is None or not period.months:
                return None
            parts.append(str(period.months))
        else:
            key = _reference(text.removesuffix("?"), at, periods)
            if key in figures:
                parts.append(key)
            elif text.endswith("?"):
                parts.append("0")
            else:
                return None
    return tuple(part for part in parts if part != "")


def _reference(text: str, at: Key, periods: Collection[Period]) -> Key | None:
    """The figure that a reference names, seen from another; None where there is no such period."""
    match = _REFERENCE.fullmatch(text)
    if match is None:
        raise BadTable(
            f"{{{text}}} names no figure", remedy="write {table/row:measure@period} or a part of it"
        )
    table, row, measure, period, _ = match.groups()
    if period in RELATIONS:
        here = read_period(at.period)
        there = RELATIONS[period](here, periods) if here else None
        if there is None:
            return None
        period = str(there)
    return Key(
        table or at.table,
        row or at.row,
        at.measure if measure is None else measure,
        at.period if period is None else period,
    )
