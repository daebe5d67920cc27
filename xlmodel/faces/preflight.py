"""What is known before a formula is evaluated: that it can be, or why not.

The evaluator is a borrowed engine; what it is known to lack or to get wrong is refused here by name, with
the cell, so that no wrong number is ever written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from xlmodel.errors import Place, UnsupportedFormula, XlmodelError
from xlmodel.faces.formula_text import OURS, Call, find_calls
from xlmodel.functions import FUNCTIONS, find
from xlmodel.package.parts import Package
from xlmodel.package.sheet import Sheet

# Native functions that formualizer 0.13.0 lacks, or that gave another value than LibreOffice when measured.
REFUSED: Mapping[str, str] = {
    "DURATION": "the evaluator lacks it",
    "MDURATION": "the evaluator lacks it",
    "COUPNUM": "the evaluator lacks it",
    "COUPPCD": "the evaluator lacks it",
    "COUPNCD": "the evaluator lacks it",
    "MMULT": "the evaluator lacks it",
    "TRANSPOSE": "the evaluator lacks it",
    "INDIRECT": "what it refers to is not known before evaluation",
}


_SUSPECT = re.compile("|".join((OURS, *REFUSED)), re.IGNORECASE)


def preflight(package: Package, sheets: Mapping[str, Sheet]) -> None:
    """Raises UnknownFunction or UnsupportedFormula for the first formula that cannot be evaluated rightly."""
    for place, call in _calls(package, sheets, _SUSPECT):
        if call.ours:
            _require_known(call, place)
        elif call.name in REFUSED:
            raise UnsupportedFormula(
                f"{call.name} cannot be recomputed here: {REFUSED[call.name]}", place=place
            )


def require_known_functions(package: Package, sheets: Mapping[str, Sheet]) -> None:
    """Raises UnknownFunction for the first formula that calls a function of ours which does not exist."""
    for place, call in _calls(package, sheets, re.compile(OURS, re.IGNORECASE)):
        if call.ours:
            _require_known(call, place)


def _calls(
    package: Package, sheets: Mapping[str, Sheet], suspect: re.Pattern[str]
) -> Iterator[tuple[Place, Call]]:
    for name, sheet in sheets.items():
        for address, cell in sheet.formulas():
            if suspect.search(cell.formula or ""):  # most formulas need no closer look
                place = Place(file=package.name, sheet=name, cell=str(address))
                yield from ((place, call) for call in find_calls(cell.formula or ""))


def _require_known(call: Call, place: Place) -> None:
    if call.name not in FUNCTIONS:
        try:
            find(call.name)
        except XlmodelError as error:
            raise error.at(file=place.file, sheet=place.sheet, cell=place.cell) from None
