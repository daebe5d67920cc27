"""What is drawn: the tables of a workbook as panels of series, computed beside published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xlmodel.night.figures import Table
from xlmodel.package.values import Value

Numbers = tuple[float | None, ...]


@dataclass(frozen=True)
class Series:
    """A line of computed figures and its published points; ``color`` counts from 0."""

    label: str
    color: int
    computed: Numbers
    published: Numbers
    missed: frozenset[int]


@dataclass(frozen=True)
class Panel:
    """One drawing: series over the same places."""

    title: str
    places: tuple[str, ...]
    series: tuple[Series, ...]
    percent: bool = False


@dataclass(frozen=True)
class Chart:
    """The panels of one check.  ``kind``: lines, small lines, or bars.  ``keys``: the series, by label."""

    check: str
    title: str
    kind: str
    panels: tuple[Panel, ...]
    keys: tuple[tuple[str, int], ...]


def charts_of(tables: Sequence[Table]) -> list[Chart]:
    """A chart for each table."""
    return [_CHARTS.get(table.check, _plain)(table) for table in tables]


def _decrement(table: Table) -> Chart:
    """A panel a class, a line a speed, over the payment dates; what is all nought at the end is left out."""
    groups = list(dict.fromkeys(group for group, _ in table.columns))
    labels = list(dict.fromkeys(label for _, label in table.columns))
    panels = []
    for group in groups:
        columns = [at for at, (name, _) in enumerate(table.columns) if name == group]
        series = [
            _down(table, at, table.columns[at][1], labels.index(table.columns[at][1])) for at in columns
        ]
        length = max(map(_reach, series), default=0)
        series = [_cut(one, length) for one in series]
        places = tuple(label.rpartition(", ")[2] for label in table.rows[:length])
        panels.append(Panel(group, places, tuple(series), percent=True))
    keys = tuple((label, at) for at, label in enumerate(labels))
    return Chart(table.check, "Percent of the initial balance that is left", "lines", tuple(panels), keys)


def _average_life(table: Table) -> Chart:
    """A panel for the call and one for maturity, a line a class, over the speeds."""
    panels = []
    for group in dict.fromkeys(group for group, _ in table.columns):
        columns = [at for at, (name, _) in enumerate(table.columns) if name == group]
        series = tuple(_across(table, row, columns, row) for row in range(len(table.rows)))
        places = tuple(table.columns[at][1] for at in columns)
        title = group if group.startswith("To ") else "Average life"
        panels.append(Panel(title, places, series))
    keys = tuple((label, at) for at, label in enumerate(table.rows))
    return Chart(table.check, "Average life in years", "lines", tuple(panels), keys)


def _certificate(table: Table) -> Chart:
    """A small panel a line of the certificate, over the payment dates."""
    columns = list(range(len(table.columns)))
    places = tuple(label for _, label in table.columns)
    panels = tuple(
        Panel(label, places, (_across(table, row, columns, 0),)) for row, label in enumerate(table.rows)
    )
    return Chart(table.check, "The certificate, line by line", "small", panels, ())


def _plain(table: Table) -> Chart:
    """Any other check: bars of a single column, else lines down the columns, or along the rows of few."""
    rows, columns = len(table.rows), len(table.columns)
    if columns == 1:
        return _bars(table)
    if columns > rows:
        return replace(_certificate(table), title=_title(table))
    panels = tuple(
        Panel(f"{group} {label}".strip(), table.rows, (_down(table, at, label, 0),))
        for at, (group, label) in enumerate(table.columns)
    )
    return Chart(table.check, _title(table), "lines", panels, ())


def _title(table: Table) -> str:
    return table.check.replace("_", " ").capitalize()


def _bars(table: Table) -> Chart:
    """A bar a row."""
    series = _down(table, 0, table.check, 0)
    return Chart(table.check, _title(table), "bars", (Panel("", table.rows, (series,)),), ())


_CHARTS: dict[str, Callable[[Table], Chart]] = {
    "decrement": _decrement,
    "average_life": _average_life,
    "certificate": _certificate,
    "first_interest": _bars,
}


def _down(table: Table, column: int, label: str, color: int) -> Series:
    rows = range(len(table.rows))
    return Series(
        label,
        color,
        tuple(_number(table.computed[row][column]) for row in rows),
        tuple(_number(table.published[row][column]) for row in rows),
        frozenset(row for row in rows if (row, column) in table.missed),
    )


def _across(table: Table, row: int, columns: Sequence[int], color: int) -> Series:
    return Series(
        table.rows[row],
        color,
        tuple(_number(table.computed[row][at]) for at in columns),
        tuple(_number(table.published[row][at]) for at in columns),
        frozenset(number for number, at in enumerate(columns) if (row, at) in table.missed),
    )


def _reach(series: Series) -> int:
    """How many places there are until the first nought with which a series ends."""
    told = [
        at
        for at, (computed, published) in enumerate(zip(series.computed, series.published, strict=True))
        if computed or published
    ]
    return min(max(told, default=0) + 2, len(series.computed))


def _cut(series: Series, length: int) -> Series:
    return Series(
        series.label,
        series.color,
        series.computed[:length],
        series.published[:length],
        series.missed,
    )


def _number(value: Value) -> float | None:
    """Only numbers can be drawn."""
    return value if isinstance(value, float) and not isinstance(value, bool) else None
