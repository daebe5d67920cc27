"""The cells that the formulas of ``tests/data/native`` refer to, and what both programs make of them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.worksheet.formula import ArrayFormula

from tests.libreoffice import convert
from xlmodel.faces.headless import evaluate
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.values import ErrorCode, Value

FORMULAS = Path(__file__).parents[1] / "data" / "native" / "formulas.txt"

COLUMNS: dict[str, list[Any]] = {
    "A": [5, -3, 0, 2.5, 10, 7.25, -1.5, 100, 3, 8],
    "B": ["apple", "Banana", "cherry", "apple", None, "12", "3.5", "x y", "-4", "zeta"],
    "C": [True, False, None, 1, "TRUE", 0, 2, "n/a", 4, 5],
    "D": [36461, 36509, 36540, 36585, 45351, 45657, 2, 61, 73050, 40908.5],
    "E": [-1000, 200, 300, 400, 500, 50],
    "F": [1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
    "G": [f"k{number}" for number in range(1, 11)],
    "H": [0.01, 0.02, 0.025, 0.03, 0.035, 0.04, 0.05, 0.055, 0.06, 0.08],
    "I": ["=1/0", "=NA()", '="x"+1', "=SQRT(-1)"],
    "K": ["Name", "Ann", "Bob", "Cy", "Dee", "Eve"],
    "L": ["Age", 30, 40, 50, 60, 35],
    "M": ["Pay", 100, 250.5, 300, 80, 120],
    "O": ["Age", ">35"],
    "P": ["Name", "Bob"],
    "Q": [36461, 36561, 36661, 36861, 37061],
}
FIRST = 101  # the row of the first formula, in column Z

# Functions that came with later versions of the format carry a prefix in the file.
_LATER = frozenset(
    [
        "ACOT",
        "ACOTH",
        "ARABIC",
        "BASE",
        "BINOM.DIST",
        "BINOM.INV",
        "BITAND",
        "BITLSHIFT",
        "BITOR",
        "BITRSHIFT",
        "BITXOR",
        "CEILING.MATH",
        "CHISQ.DIST",
        "CHISQ.DIST.RT",
        "CHISQ.INV",
        "CHISQ.INV.RT",
        "COMBINA",
        "CONCAT",
        "CONFIDENCE.NORM",
        "COT",
        "COTH",
        "COVARIANCE.P",
        "COVARIANCE.S",
        "CSC",
        "CSCH",
        "DAYS",
        "DECIMAL",
        "ERF.PRECISE",
        "ERFC.PRECISE",
        "EXPON.DIST",
        "F.DIST",
        "F.DIST.RT",
        "F.INV",
        "F.INV.RT",
        "FLOOR.MATH",
        "FORECAST.LINEAR",
        "GAMMA",
        "GAMMALN.PRECISE",
        "GAUSS",
        "IFNA",
        "IFS",
        "ISOWEEKNUM",
        "LOGNORM.DIST",
        "LOGNORM.INV",
        "MAXIFS",
        "MINIFS",
        "MODE.SNGL",
        "NEGBINOM.DIST",
        "NORM.DIST",
        "NORM.INV",
        "NORM.S.DIST",
        "NORM.S.INV",
        "NUMBERVALUE",
        "PDURATION",
        "PERCENTILE.EXC",
        "PERCENTILE.INC",
        "PHI",
        "POISSON.DIST",
        "QUARTILE.EXC",
        "QUARTILE.INC",
        "RANK.AVG",
        "RANK.EQ",
        "RRI",
        "SEC",
        "SECH",
        "SKEW.P",
        "STDEV.P",
        "STDEV.S",
        "SWITCH",
        "T.DIST",
        "T.DIST.2T",
        "T.DIST.RT",
        "T.INV",
        "T.INV.2T",
        "TEXTJOIN",
        "UNICHAR",
        "UNICODE",
        "VAR.P",
        "VAR.S",
        "WEIBULL.DIST",
        "XLOOKUP",
        "XOR",
    ]
)


def stored(formula: str) -> str:
    """A formula as the file spells it."""
    return "=" + re.sub(
        r"(?<![\w.])([A-Z][A-Z0-9.]*)\(",
        lambda match: ("_xlfn." if match[1] in _LATER else "") + match[0],
        formula,
    )


def cases() -> dict[str, list[str]]:
    """The formulas of ``formulas.txt`` by function; those of plain operators by ``operators``."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in FORMULAS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line[1:-1]
            found[name] = []
        elif line:
            found[name].append(line)
    return found


def workbook(path: Path, formulas: Sequence[str], *, array: bool = False) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for column, values in COLUMNS.items():
        for row, value in enumerate(values, start=1):
            sheet[f"{column}{row}"] = value
    for row, formula in enumerate(formulas, start=FIRST):
        text = stored(formula)
        sheet[f"Z{row}"] = ArrayFormula(f"Z{row}", text) if array else text
    book.save(path)


def ours(path: Path, count: int) -> list[Value]:
    package = open_package(path.read_bytes(), name=path.name)
    found = evaluate(package)
    (sheet,) = package.sheets
    return [found.value(sheet, Address(FIRST + number, 26)) for number in range(count)]


def libreoffice(path: Path, count: int) -> list[Value]:
    out = path.parent / "out"
    out.mkdir(exist_ok=True)
    sheet = openpyxl.load_workbook(convert(path, "xlsx", out), data_only=True).active
    assert sheet is not None
    return [_plain(sheet.cell(FIRST + number, 26)) for number in range(count)]


def _plain(cell: Any) -> Value:
    value = cell.value
    if cell.data_type == "e":
        return ErrorCode(value)
    if isinstance(value, dt.datetime):
        return (value - dt.datetime(1899, 12, 30)) / dt.timedelta(days=1)
    if isinstance(value, dt.date):
        return float(value.toordinal() - dt.date(1899, 12, 30).toordinal())
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
