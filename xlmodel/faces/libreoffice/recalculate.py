"""A workbook recalculated by Calc with the add-in: every value from Calc, none from the file's cache."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from xlmodel.errors import CircularReference, LibreOfficeFailed
from xlmodel.faces.libreoffice.program import WAIT_SECONDS, LibreOffice, ask, show
from xlmodel.faces.libreoffice.spelling import for_calc, names_of
from xlmodel.faces.libreoffice.values import CIRCULAR, error_of
from xlmodel.faces.preflight import require_known_functions
from xlmodel.package.address import Address
from xlmodel.package.parts import Package
from xlmodel.package.rewritten import rewritten
from xlmodel.package.sheet import read_sheets
from xlmodel.package.values import ErrorCode, Value

Values = dict[str, dict[Address, Value]]
"""By sheet, every cell that is not blank."""


def recalculate(package: Package, *, seconds: float = WAIT_SECONDS) -> Values:
    """The values of a workbook as Calc computes them; nothing is written to the file.

    Raises UnknownFunction naming the cell, CircularReference, what ``read_sheets`` raises for a workbook that
    cannot be read, and what ``program.ask`` raises.
    """
    office = LibreOffice.find()
    with _copy(package) as copy:
        try:
            answer = ask(office, copy, seconds=seconds)
        except LibreOfficeFailed as error:
            raise error.at(file=package.name) from None
    circular: list[str] = []
    values = {sheet["name"]: dict(cells_of(sheet, circular)) for sheet in answer["sheets"]}
    if circular:
        raise CircularReference(f"formulas refer to each other in a circle: {', '.join(circular[:20])}").at(
            file=package.name
        )
    return {name: values.get(name, {}) for name in package.sheets}


def open_window(package: Package) -> None:
    """Show a copy of a workbook in Calc, after a look that the add-in works; returns when it is closed."""
    office = LibreOffice.find()
    with _copy(package) as copy:
        ask(office, None)
        show(office, copy)


@contextmanager
def _copy(package: Package) -> Iterator[Path]:
    """A file with the workbook as Calc has to be given it."""
    sheets = read_sheets(package)  # which refuses what nobody should open
    require_known_functions(package, sheets)
    names = names_of(package)
    with tempfile.TemporaryDirectory(prefix="xlmodel-", ignore_cleanup_errors=True) as folder:
        name = Path(package.name).name
        copy = Path(folder).resolve() / (name if len(name) < 100 else f"workbook{Path(name).suffix}")
        copy.write_bytes(rewritten(package, lambda formula, array: for_calc(formula, names, array=array)))
        yield copy


def cells_of(sheet: dict[str, Any], circular: list[str]) -> Iterator[tuple[Address, Value]]:
    """The cells of a sheet that ``ask`` answers; those in a circle are added to ``circular``."""
    for top, left, rows in sheet["blocks"]:
        for row, cells in enumerate(rows, start=top + 1):
            for column, cell in enumerate(cells, start=left + 1):
                if isinstance(cell, list):
                    if cell[0] == CIRCULAR:
                        circular.append(f"{sheet['name']}!{Address(row, column)}")
                    yield Address(row, column), ErrorCode(error_of(cell[0]))
                elif cell is not None:
                    yield Address(row, column), cell
