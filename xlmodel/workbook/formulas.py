"""The formulas of a workbook outside its inputs: what somebody may have edited since it was built.

A built workbook bears a mark of them, the hidden name BuiltFormulas.  Programs write formulas anew when they
save, so a mark is of what a formula says: not of its letters' case, its spaces, the prefixes of newer
functions, the quotes around sheets, how a number is spelt, or TRUE written as TRUE().
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from xlmodel.errors import NotWritten
from xlmodel.faces.formula_text import calls_ours
from xlmodel.package.address import Address, Block
from xlmodel.package.formula import tokens
from xlmodel.package.parts import Package
from xlmodel.package.sheet import read_sheets
from xlmodel.workbook.kinds import kind_of_workbook

FORMULAS_NAME = "BuiltFormulas"

_PLAIN = "plain "  # begins the mark of a workbook whose calls of our functions become constants
_PREFIXES = ("_XLFN.", "_XLWS.", "_XLL.", "_XLUDF.")
_TRUTH = ("TRUE", "FALSE")
_Formulas = dict[tuple[str, Address], str]


def require_no_edited_formulas(existing: Package, fresh: Package) -> None:
    """Raises NotWritten when somebody edited a formula outside the inputs, and a build would lose the edit.

    Formulas are edits when they are neither those of the build before nor those of the fresh one.  A workbook
    of an older version has no mark, and is not refused.
    """
    mark = existing.defined_names.get(FORMULAS_NAME)
    if mark is None:
        return
    inputs = kind_of_workbook(fresh).inputs
    plain = mark.startswith(f'"{_PLAIN}')
    if mark == formulas_mark(existing, inputs, plain=plain):
        return
    here, there = (_formulas(package, inputs, plain=plain) for package in (existing, fresh))
    if here == there:
        return
    raise NotWritten(
        f"formulas were edited since the workbook was built{_first_difference(here, there)}; "
        "a build would lose the edits",
        remedy="bring the edits into the folder, or pass --force",
    ).at(file=existing.name)


def formulas_mark(package: Package, inputs: Sequence[str], *, plain: bool = False) -> str:
    """The text of the name BuiltFormulas for the formulas that a workbook has.

    ``plain``: without those that call our functions, which are constants once the workbook has its values.
    """
    digest = hashlib.sha256()
    for (sheet, address), text in _formulas(package, inputs, plain=plain).items():
        digest.update(f"{sheet}!{address}={text}\n".encode())
    return f'"{_PLAIN if plain else ""}{digest.hexdigest()}"'


def said(formula: str) -> str:
    """What a formula says, however a program spells it."""
    return "".join(_pieces(formula))


def _pieces(formula: str) -> list[str]:
    pieces: list[str] = []
    for token in tokens(formula):
        text = token.group()
        if token.lastgroup == "number":
            text = f"{float(text):.15g}"
        elif token.lastgroup == "sheet":
            text = text[1:-1].upper()
        elif token.lastgroup != "text":
            text = text.strip().upper()
            while text.startswith(_PREFIXES):
                text = text.partition(".")[2]
        if text == ")" and pieces[-1:] == ["("] and pieces[-2:-1] and pieces[-2] in _TRUTH:
            pieces.pop()
        elif text:
            pieces.append(text)
    return pieces


def _first_difference(here: _Formulas, there: _Formulas) -> str:
    """The first cell whose formula is not that of a build from the folder."""
    for place in (*there, *here):
        if here.get(place) != there.get(place):
            sheet, address = place
            return (
                f" (first {sheet}!{address}: {_shown(here, place)} here, {_shown(there, place)} in a build)"
            )
    return ""


def _shown(formulas: _Formulas, place: tuple[str, Address]) -> str:
    return f"={formulas[place]}" if place in formulas else "no formula"


def _formulas(package: Package, inputs: Sequence[str], *, plain: bool) -> _Formulas:
    """What formulas say, by sheet and in the order of their cells."""
    return dict(_outside(package, inputs, plain=plain))


def _outside(
    package: Package, inputs: Sequence[str], *, plain: bool
) -> Iterator[tuple[tuple[str, Address], str]]:
    held = [Block.parse(package.defined_names[name]) for name in inputs if name in package.defined_names]
    for title, sheet in read_sheets(package).items():
        skipped = {address for block in held if block.sheet == title for address in block.cells()}
        for address, cell in sorted(sheet.formulas()):
            text = cell.formula or ""
            if address in skipped or (plain and calls_ours(text)):
                continue
            meant = said(text)
            if meant not in _TRUTH:  # a truth value, as Calc saves it
                yield (title, address), meant
