"""What is compared in a workbook of printed tables: its claims, its ties, and all figures as they stand.

Which figures are compared is read from the workbook itself, by name; what was printed, from the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from xlmodel.errors import BadPublished
from xlmodel.workbook.printed.figures import FILE, Figure, read_figures
from xlmodel.workbook.printed.rules import MARK
from xlmodel.workbook.published import Printed


def table_figures(path: Path, rows_of: Callable[[str], list[list[Any]]]) -> dict[str, Printed | None]:
    """The figures of a folder ``published`` by the name of their tie.

    Raises BadPublished for a figure that the workbook compares and the folder does not have.
    """
    figures = read_figures(path)
    named = {str(key): figure for key, figure in figures.items()}

    def compared(name: str) -> Printed:
        names = [str(row[0]) for row in rows_of(name)]
        missing = [one for one in names if one.split(MARK)[0] not in named]
        if missing:
            raise BadPublished(
                f"the workbook compares {missing[0]}, which is not printed here",
                remedy="rebuild the workbook, or compare with the figures it was built for",
            ).at(file=str(path / FILE))
        return _column(names, [named[one.split(MARK)[0]] for one in names])

    return {
        "figures": compared("ClaimNames"),
        "ties": compared("TieNames"),
        "transcription": _column(list(named), list(figures.values())),
    }


def _column(names: Sequence[str], figures: Sequence[Figure]) -> Printed:
    decimals = tuple((figure.decimals,) for figure in figures)
    return Printed(
        rows=tuple((figure.value,) for figure in figures),
        decimals=max(figure.decimals for figure in figures),
        cell_decimals=decimals,
        names=tuple((name,) for name in names),
    )
