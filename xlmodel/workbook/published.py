"""Published figures of a deal, as its folder ``published/`` holds them: what the computed ones must match.

Files (each may be absent, and then its figures are None): ``decrement_table.csv``,
``weighted_average_life.csv``, the column first_period_interest of ``classes.csv``, ``certificates.csv``.

A document may print tables for some classes only, and the table of a class may begin late or end early: what
is not printed has no row, and is None here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from xlmodel.deal.folder import CALL, ENDS
from xlmodel.errors import BadPublished, NamesMissing
from xlmodel.workbook.certificates import Certificates, read_certificates
from xlmodel.workbook.csv_rows import SPEED, Row, read_rows
from xlmodel.workbook.published_grid import Headed, hole

STAR = "*"
"""Printed for more than zero that would print as zero: less than half of the smallest printed unit."""

Figure = float | str | None

DECREMENT_FILE = "decrement_table.csv"
AVERAGE_LIFE_FILE = "weighted_average_life.csv"
CLASSES_FILE = "classes.csv"
CERTIFICATES_FILE = "certificates.csv"

_MOST_PERIODS = 1200


@dataclass(frozen=True)
class Printed:
    """A printed table: rows of numbers, or STAR, or None where nothing is printed; in the workbook's unit.

    ``decimals`` is the number of decimals to which the figures are known: 3 for a fraction that is printed
    as 79.8%; ``row_decimals`` says it row by row where they differ.  ``classes``: positions, in the deal, of
    the classes that are printed, in order.  ``ends``: the ENDS of average lives, in order.  A table of
    figures of many kinds (``figures.py``) has ``cell_decimals``, and texts that stand for themselves.
    ``names``: what ``exceptions.csv`` calls the figures; by their row and column where there are none.
    """

    rows: tuple[tuple[Figure, ...], ...]
    decimals: int
    classes: tuple[int, ...] = ()
    ends: tuple[str, ...] = (CALL,)
    row_decimals: tuple[int, ...] = ()
    cell_decimals: tuple[tuple[int, ...], ...] = ()
    names: tuple[tuple[str, ...], ...] = ()

    @property
    def unit(self) -> float:
        """The smallest printed step."""
        return float(Decimal(1).scaleb(-self.decimals))

    def decimals_of(self, row: int, column: int = 0) -> int:
        """The decimals of a cell; rows of a certificate are dollars, factors, percents."""
        if self.cell_decimals:
            return self.cell_decimals[row][column]
        return self.row_decimals[row] if self.row_decimals else self.decimals

    def name_of(self, row: int, column: int) -> str:
        """The name of a figure; rows and columns of those without names count from 1."""
        return self.names[row][column] if self.names else f"row {row + 1}, column {column + 1}"

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def figures(self) -> int:
        """How many figures are printed."""
        return sum(figure is not None for row in self.rows for figure in row)


@dataclass(frozen=True)
class Published:
    """Classes in the order of the deal, speeds in the order asked for.

    ``decrement``: fractions of the initial balance; closing and then a row a payment date; the classes, and
    within each the speeds.  ``average_life``: years; a row a class; a column a speed to the call, then a
    column a speed to maturity.  ``first_interest``: dollars; a row a class.
    """

    decrement: Printed | None
    average_life: Printed | None
    first_interest: Printed | None
    certificates: Certificates | None = None

    @property
    def certificate(self) -> Printed | None:
        """The figures of the certificates that follow from their inputs; a row a line, a column a date."""
        followed = self.certificates.followed if self.certificates else ()
        if not followed:
            return None
        decimals = tuple(line.decimals for line in followed)
        return Printed(tuple(line.compared for line in followed), max(decimals), (), row_decimals=decimals)


_Key = tuple[int, ...]
_Found = dict[_Key, tuple[Decimal | None, Row]]  # None is STAR


def read_published(path: Path, classes: Sequence[str], speeds: Sequence[float] | None = None) -> Published:
    """The figures in a folder ``published``, for the classes of a deal and its speeds as decimals.

    Speeds are those of the files, in their order, when None.  Raises BadPublished with file, row and
    remedy: a row that is missing or comes twice, an unknown class or speed, a text where a number belongs.
    """
    wanted = None if speeds is None else tuple(_percent(speed) for speed in speeds)
    return Published(
        decrement=_decrement(path / DECREMENT_FILE, classes, wanted),
        average_life=_average_life(path / AVERAGE_LIFE_FILE, classes, wanted),
        first_interest=_first_interest(path / CLASSES_FILE, classes),
        certificates=read_certificates(path / CERTIFICATES_FILE),
    )


def deal_figures(path: Path, rows_of: Callable[[str], list[list[Any]]]) -> dict[str, Printed | None]:
    """The figures of a folder ``published`` by the name of their tie, for the classes of a workbook.

    Raises what ``read_published`` raises, NamesMissing for a range Classes without names.
    """
    figures = read_published(path, _class_names(rows_of("Classes")))
    return {
        "decrement": figures.decrement,
        "average_life": figures.average_life,
        "first_interest": figures.first_interest,
        "certificate": figures.certificate,
    }


def _class_names(rows: Sequence[Sequence[Any]]) -> list[str]:
    """The names of the classes, in the order of the range Classes."""
    headings = [str(cell).lower() for cell in rows[0]]
    if "class" not in headings:
        raise NamesMissing("the range Classes has no column 'class'")
    column = headings.index("class")
    return [str(row[column]) for row in rows[1:] if row[column] not in (None, "")]


def _decrement(file: Path, classes: Sequence[str], speeds: tuple[Decimal, ...] | None) -> Printed | None:
    rows = read_rows(file, ("period", "class", SPEED, "percent_of_initial"))
    if rows is None:
        return None
    headed = Headed(class_at=1, speed_at=2, speeds_known=speeds is not None)
    speeds = speeds or _speeds_of(rows)
    found = _collect(
        rows,
        "percent_of_initial",
        lambda row: (_period(row), _class(row, classes), _speed(row, speeds)),
        lambda number: number.scaleb(-2),
    )
    periods = max(key[0] for key in found) + 1
    shown = _classes_of(found, at=1)
    keys = [
        [(period, position, speed) for position in shown for speed in range(len(speeds))]
        for period in range(periods)
    ]
    spans = {n: [key[0] for key in found if key[1] == n] for n in shown}
    outside = {key for row in keys for key in row if not min(spans[key[1]]) <= key[0] <= max(spans[key[1]])}
    return _printed(
        file,
        found,
        keys,
        lambda key: f"period {key[0]}, {_words(key[1:], classes, speeds)}",
        shown,
        headed=headed,
        not_printed=outside,
    )


def _average_life(file: Path, classes: Sequence[str], speeds: tuple[Decimal, ...] | None) -> Printed | None:
    rows = read_rows(file, ("class", SPEED, "wal_years"))
    if rows is None:
        return None
    headed = Headed(class_at=0, speed_at=1, speeds_known=speeds is not None)
    speeds = speeds or _speeds_of(rows)
    found = _collect(rows, "wal_years", lambda row: (_class(row, classes), _speed(row, speeds), _end(row)))
    ends = sorted({key[2] for key in found})
    shown = _classes_of(found, at=0)
    keys = [[(n, speed, end) for end in ends for speed in range(len(speeds))] for n in shown]

    def describe(key: _Key) -> str:
        return f"{_words(key[:2], classes, speeds)}, to {ENDS[key[2]]}"

    found_table = _printed(file, found, keys, describe, shown, headed=headed)
    return replace(found_table, ends=tuple(ENDS[end] for end in ends))


def _first_interest(file: Path, classes: Sequence[str]) -> Printed | None:
    rows = read_rows(file, ("class",))
    if rows is None or "first_period_interest" not in rows[0].values:
        return None
    found = _collect(rows, "first_period_interest", lambda row: (_class(row, classes),))
    every = tuple(range(len(classes)))
    return _printed(file, found, [[(n,)] for n in every], lambda key: _words(key, classes, ()), every)


def _collect(
    rows: list[Row],
    heading: str,
    key_of: Callable[[Row], _Key],
    scale: Callable[[Decimal], Decimal] = lambda number: number,
) -> _Found:
    """The figures of a column by key."""
    found: _Found = {}
    for row in rows:
        key = key_of(row)
        if key in found:
            raise row.bad(f"the figure of row {found[key][1].number} again", heading, "delete one")
        found[key] = (None if row.text(heading) == STAR else scale(row.decimal(heading)), row)
    return found


def _printed(
    file: Path,
    found: _Found,
    keys: Sequence[Sequence[_Key]],
    describe: Callable[[_Key], str],
    classes: tuple[int, ...],
    *,
    headed: Headed | None = None,
    not_printed: Collection[_Key] = (),
) -> Printed:
    """The figures by key; those that must be there and are not are an error.  ``headed``: may be a grid."""
    for key in (key for row in keys for key in row):
        if key not in found and key not in not_printed:
            rows_of = {one: row for one, (_, row) in found.items()}
            if headed and next(iter(rows_of.values())).columns:
                raise hole(rows_of, key, describe(key), headed)
            raise BadPublished(
                f"no row for {describe(key)}", remedy="add the row; every speed of a printed class has one"
            ).at(file=str(file))
    numbers = [number for number, _ in found.values() if number is not None]
    decimals = max((-int(number.as_tuple().exponent) for number in numbers), default=0)
    rows = tuple(tuple(_figure(found, key) for key in row) for row in keys)
    return Printed(rows, max(decimals, 0), classes)


def _figure(found: _Found, key: _Key) -> Figure:
    if key not in found:
        return None
    number = found[key][0]
    return STAR if number is None else float(number)


def _classes_of(found: _Found, at: int) -> tuple[int, ...]:
    """The classes that have figures, in the order of the deal; their position stands in the keys."""
    return tuple(sorted({key[at] for key in found}))


def _end(row: Row) -> int:
    """To the call unless the file has a column that says otherwise."""
    if not row.has("to"):
        return ENDS.index(CALL)
    word = row.text("to").lower()
    if word not in ENDS:
        raise row.bad(f"{word!r} is no end of a life", "to", f"use one of: {', '.join(ENDS)}")
    return ENDS.index(word)


def _period(row: Row) -> int:
    number = row.decimal("period")
    if number != int(number) or number > _MOST_PERIODS:
        raise row.bad(f"{number} is no payment date", "period", "count them from 1; 0 is closing")
    return int(number)


def _class(row: Row, classes: Sequence[str]) -> int:
    name = row.text("class")
    known = [one.lower() for one in classes]
    if name.lower() not in known:
        raise row.bad(f"the deal has no class {name!r}", "class", f"use one of: {', '.join(classes)}")
    return known.index(name.lower())


def _speed(row: Row, speeds: tuple[Decimal, ...]) -> int:
    speed = row.decimal(SPEED)
    if speed not in speeds:
        known = ", ".join(str(s) for s in speeds)
        raise row.bad(f"{speed}% is none of the speeds {known}", SPEED, "use one of the deal's speeds")
    return speeds.index(speed)


def _speeds_of(rows: list[Row]) -> tuple[Decimal, ...]:
    return tuple(dict.fromkeys(row.decimal(SPEED) for row in rows))


def _percent(speed: float) -> Decimal:
    """0.0150 as 1.5, free of binary noise."""
    return Decimal(f"{speed * 100:.10f}").normalize()


def _words(key: _Key, classes: Sequence[str], speeds: Sequence[Decimal]) -> str:
    return ", ".join(_parts(key, classes, speeds))


def _parts(key: _Key, classes: Sequence[str], speeds: Sequence[Decimal]) -> Iterator[str]:
    yield f"class {classes[key[0]]}"
    for position in key[1:]:
        yield f"speed {speeds[position]}%"
