"""What is known before a formula is evaluated: that it can be, or why not.

The evaluator is a borrowed engine; what it is known to lack or to get wrong is refused here by name, with
the cell, so that no wrong number is ever written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from xlmodel.errors import UnsupportedFormula, XlmodelError
from xlmodel.faces.formula_text import OURS, find_calls
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
    for name, sheet in sheets.items():
        for address, cell in sheet.formulas():
            if not _SUSPECT.search(cell.formula or ""):
                continue  # most formulas: nothing in their text can need a closer look
            for call in find_calls(cell.formula or ""):
                if call.ours:
                    if call.name not in FUNCTIONS:
                        try:
                            find(call.name)
                        except XlmodelError as error:
                            raise error.at(file=package.name, sheet=name, cell=str(address)) from None
                elif call.name in REFUSED:
                    raise UnsupportedFormula(
                        f"{call.name} cannot be recomputed here: {REFUSED[call.name]}"
                    ).at(file=package.name, sheet=name, cell=str(address))
