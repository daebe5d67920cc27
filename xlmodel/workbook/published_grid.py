"""What a published table lacks that was typed as a grid: a cell, a column, a row, or a speed in a heading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xlmodel.errors import BadPublished
from xlmodel.workbook.csv_rows import SPEED, Row

Key = tuple[int, ...]


@dataclass(frozen=True)
class Headed:
    """Where the key of a figure says its class and its speed.

    ``speeds_known``: the speeds are the deal's; else they are those that the file's headings name.
    """

    class_at: int
    speed_at: int
    speeds_known: bool


def hole(rows: Mapping[Key, Row], key: Key, missing: str, headed: Headed) -> BadPublished:
    """The error of a grid without the figure of a key, which ``missing`` says in words.

    ``rows``: the figures that it has, in the order of the file.
    """
    any_row = next(iter(rows.values()))
    with_class = "class" in any_row.columns
    ours = (headed.class_at, headed.speed_at) if with_class else (headed.speed_at,)
    theirs = [n for n in range(len(key)) if n not in ours]
    column = next((row for one, row in rows.items() if all(one[n] == key[n] for n in ours)), None)
    line = next((row for one, row in rows.items() if all(one[n] == key[n] for n in theirs)), None)
    if column and line:
        return line.bad(
            f"the cell is blank: the figure of {missing}", column.columns[SPEED], "write it as it is printed"
        )
    if column:
        return BadPublished(f"no row for {missing}", remedy="add the row").at(file=str(any_row.file))
    mistyped = [] if headed.speeds_known or not with_class else _mistyped(rows, headed)
    if mistyped:
        others = f" (nor that of {', '.join(map(repr, mistyped[1:]))})" if mistyped[1:] else ""
        return BadPublished(
            f"the speed of the heading {mistyped[0]!r} is unknown: no other class has it{others}, "
            "and its class lacks one that others have",
            remedy="correct the heading; every printed class has a column for every speed",
        ).at(file=str(any_row.file), row=1, heading=mistyped[0])
    return BadPublished(
        f"no column has the figure of {missing}",
        remedy=f"add the column, with a heading such as {any_row.columns[SPEED]!r}, or correct its heading",
    ).at(file=str(any_row.file), row=1)


def _mistyped(rows: Mapping[Key, Row], headed: Headed) -> list[str]:
    """Headings with a speed that their class has alone, while it lacks one that another class has."""
    headings = {(key[headed.class_at], key[headed.speed_at]): row.columns[SPEED] for key, row in rows.items()}
    every = {speed for _, speed in headings}
    of_class = {name: {s for c, s in headings if c == name} for name, _ in headings}
    return [
        heading
        for (name, speed), heading in headings.items()
        if sum(speed in speeds for speeds in of_class.values()) == 1
        and any(other not in of_class[name] for other in every)
    ]
