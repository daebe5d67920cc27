"""Formulas as Calc has to be given them.

On import from .xlsx Calc 7.4 knows a function of an add-in only by implementation and method, ``XM.DAYS``,
and none of the spellings that files have.

It passes a reference to one blank cell as the number 0, and refuses a range in which a cell shows an error.
An array that it has computed has neither fault, so references are wrapped in TRANSPOSE: twice, or once for a
single cell.

SUMIFS, COUNTIFS, MATCH and the lookups do not find a text that an array function of an add-in has put into a
cell.  They find one that Calc has joined itself, so in array formulas each text is joined with an empty one.
"""

from __future__ import annotations

from collections.abc import Mapping

from xlmodel.errors import XlmodelError
from xlmodel.faces.formula_text import OURS, Call, find_calls
from xlmodel.faces.libreoffice.addin import IMPLEMENTATION
from xlmodel.functions import FUNCTIONS
from xlmodel.package.address import Block
from xlmodel.package.markup import SPREADSHEET, each_element
from xlmodel.package.parts import Package
from xlmodel.package.place import placed

MOST_CELLS = 200_000
"""Larger ranges (whole columns) are left as they are: their arrays would take more memory than they save."""


def for_calc(formula: str, names: Mapping[str, str], *, array: bool) -> str:
    """A formula, without ``=``, for the copy that Calc opens; ``names`` as ``names_of``."""
    if OURS not in formula.upper():
        return formula
    pieces: list[str] = []
    position = 0
    for call in find_calls(formula):
        if call.ours and call.start >= position:  # outermost; _call sees to those inside
            pieces += (formula[position : call.start], _call(formula, call, names, array))
            position = call.end
    return "".join((*pieces, formula[position:]))


def _call(formula: str, call: Call, names: Mapping[str, str], array: bool) -> str:
    arguments = (formula[begin:end].strip() for begin, end in call.arguments)
    given = (_wrapped(text, names) or for_calc(text, names, array=False) for text in arguments)
    text = f"{IMPLEMENTATION}.{call.name.removeprefix(OURS)}({','.join(given)})"
    if array and FUNCTIONS[call.name].shape == "array":
        return f'IF(ISTEXT({text}),{text}&"",{text})'
    return text


def names_of(package: Package) -> dict[str, str]:
    """What each name, in small letters, means; without those that a sheet defines for itself."""
    own: set[str] = set()

    def seen(element: str, attributes: dict[str, str]) -> None:
        if element == f"{SPREADSHEET} definedName" and "localSheetId" in attributes:
            own.add(attributes.get("name", "").lower())

    with placed(file=package.name, part=package.workbook):
        each_element(package.read(package.workbook), seen)
    names = {name.lower(): target for name, target in package.defined_names.items()}
    return {name: target for name, target in names.items() if name not in own}


def _wrapped(text: str, names: Mapping[str, str]) -> str | None:
    """An argument that is a reference, wrapped; None for any other."""
    meant = names.get(text.lower(), text)
    try:
        block = Block.parse(meant)
    except XlmodelError:
        return None
    rows, columns = block.shape
    if rows * columns > MOST_CELLS:
        return None
    if rows * columns > 1:
        return f"TRANSPOSE(TRANSPOSE({text}))"
    sheet, mark, cell = meant.partition(":")[0].rpartition("!")
    return f"TRANSPOSE({sheet}{mark}{cell}:{cell})"
