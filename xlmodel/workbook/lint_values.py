"""The rule about values: what the file shows against what its formulas give."""

from __future__ import annotations

import math
from collections.abc import Iterator

from xlmodel.errors import ArrayDoesNotFit, UnknownFunction, XlmodelError
from xlmodel.faces.formula_text import find_calls
from xlmodel.package.address import Address
from xlmodel.package.values import Value
from xlmodel.workbook.lint_formulas import VOLATILE
from xlmodel.workbook.lint_reading import Found, Reading, cell_text, runs

_NEAR = 1e-9  # of the number: another processor's last digits are not stale


def stale(reading: Reading) -> Iterator[Found]:
    """Runs of cells whose value is not what evaluates.

    A workbook that cannot be evaluated is one finding, at the cell that stands in the way; one with volatile
    functions is not compared, because there every value may change.
    """
    if any(call.name in VOLATILE for formula in reading.formulas.values() for call in find_calls(formula)):
        return
    changes = reading.changes
    if isinstance(changes, UnknownFunction | ArrayDoesNotFit):
        return  # rules of their own tell it
    if isinstance(changes, XlmodelError):
        place = changes.place
        sentence = f"the values cannot be checked: {changes.message}"
        yield Found(place.sheet or "", place.cell or "", sentence, changes.advice)
        return
    was = {
        (change.sheet, Address.parse(change.cell)): change
        for change in changes
        if not _close(change.old, change.new)
    }
    for block in runs(was):
        first = was[block.sheet or "", block.anchor]
        count = block.shape[0]
        shown = "nothing" if first.old is None else repr(first.old)
        more = "" if count == 1 else f", and so on: {count} cells"
        yield Found(
            block.sheet or "",
            cell_text(block),
            f"the file shows {shown}, the formula gives {first.new!r}{more}",
        )


def _close(old: Value, new: Value) -> bool:
    return type(old) is float and type(new) is float and math.isclose(old, new, rel_tol=_NEAR, abs_tol=_NEAR)
