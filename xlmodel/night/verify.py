"""Verify: another spreadsheet program recalculates a workbook, and every cell that differs is told.

It gets a copy in which the cells that call our functions are constants, so it answers for every native
formula; ours are answered for by the published figures.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlmodel.faces.formula_text import calls_ours
from xlmodel.night import libreoffice
from xlmodel.package.freeze import freeze
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package
from xlmodel.package.sheet import read_sheets
from xlmodel.package.values import Value

TOLERANCE = 1e-9
"""How far a number may be from the other program's: absolute below 1, relative above."""

_NAMED = 50  # cells that a report or sidecar names, of those that differ


@dataclass(frozen=True)
class Differing:
    """A cell of which the other program says something else."""

    sheet: str
    cell: str
    formula: str
    ours: Value
    theirs: Value

    def __str__(self) -> str:
        return f"{self.sheet}!{self.cell}: ={self.formula} is {_text(self.ours)}, there {_text(self.theirs)}"


@dataclass(frozen=True)
class Verification:
    """What the other program says.

    ``worst``: the largest difference of numbers, those within the tolerance included; absolute below 1,
    relative above.  ``count``: cells that differ; ``differing`` names the first of them.
    """

    program: str
    compared: int
    count: int
    worst: float
    differing: tuple[Differing, ...]

    @property
    def ok(self) -> bool:
        return self.count == 0

    def __str__(self) -> str:
        if self.ok:
            return f"{self.program} agrees with {self.compared} native formulas"
        more = f" and {self.count - 1} more" if self.count > 1 else ""
        return f"{self.program} differs in {self.differing[0]}{more}"

    def as_json(self) -> dict[str, Any]:
        return {
            "program": self.program,
            "compared": self.compared,
            "differ": self.count,
            "worst": self.worst,
            "differing": [
                {"sheet": d.sheet, "cell": d.cell, "formula": d.formula, "ours": d.ours, "theirs": d.theirs}
                for d in self.differing
            ],
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Verification:
        differing = tuple(Differing(**entry) for entry in document["differing"])
        return cls(
            document["program"], document["compared"], document["differ"], document["worst"], differing
        )


def verify(package: Package) -> Verification:
    """Recalculate a workbook, whose values are in place, with LibreOffice; raises what ``convert`` does."""
    with tempfile.TemporaryDirectory(prefix="xlmodel-", ignore_cleanup_errors=True) as folder:
        frozen = Path(folder) / "frozen.xlsx"
        frozen.write_bytes(freeze(package, calls_ours))
        out = Path(folder) / "recalculated"
        out.mkdir()
        made = libreoffice.convert(frozen, "xlsx", out)
        theirs = open_package(made.read_bytes(), name=f"{package.name} as LibreOffice wrote it")
    return compare(package, theirs, _program())


def compare(ours: Package, theirs: Package, program: str) -> Verification:
    """Every native formula of a workbook against the same cell of another program's copy."""
    compared, worst = 0, 0.0
    differing: list[Differing] = []
    there = read_sheets(theirs)
    for name, address, formula, mine in _native(ours):
        cells = there[name].cells if name in there else {}
        other = cells[address].value if address in cells else None
        compared += 1
        far = distance(mine, other)
        if far is None or far > TOLERANCE:
            differing.append(Differing(name, str(address), formula, mine, other))
        worst = max(worst, far or 0.0)
    return Verification(program, compared, len(differing), worst, tuple(differing[:_NAMED]))


def distance(mine: Value, other: Value) -> float | None:
    """How far two values are apart; 0 for equal ones that are no numbers, None for others that differ.

    Blank and the empty text are one, since programs store a formula's ``""`` either way; so are TRUE and 1,
    since LibreOffice has no truth values but numbers that are shown as such.
    """
    if isinstance(mine, bool | float) and isinstance(other, bool | float):
        return abs(mine - other) / max(1.0, abs(mine), abs(other))
    mine, other = ("" if value is None else value for value in (mine, other))
    return 0.0 if type(mine) is type(other) and mine == other else None


def _native(package: Package) -> Iterator[tuple[str, Any, str, Value]]:
    for name, sheet in read_sheets(package).items():
        for address, cell in sheet.formulas():
            if cell.formula and not calls_ours(cell.formula):
                yield name, address, cell.formula, cell.value


def _text(value: Value) -> str:
    if value is None or value == "":
        return "blank"
    return f"{value!r}" if isinstance(value, float) else str(value)


@cache
def _program() -> str:
    return libreoffice.version()
