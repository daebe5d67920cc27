"""What is known before a formula is evaluated: that it can be, or why not.

The evaluator is a borrowed engine.  Only what is known to be evaluated rightly is let through: functions of
``native_table.NATIVE``, with ranges where they take ranges, names that stand for a cell, a range or a
constant.  Everything else is refused by name, with the cell, so that no wrong number is ever written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from xlmodel.errors import UnsupportedFormula, XlmodelError
from xlmodel.faces.formula_text import OURS, find_calls
from xlmodel.faces.formula_tree import COMPARISONS, Kind, Node, Unreadable, parse
from xlmodel.faces.native_layer import LAYER
from xlmodel.faces.native_table import (
    DATEDIF_UNITS,
    EXACT,
    MATCHED_RANGES,
    NATIVE,
    PASS_ON,
    TEXT_FORMATS,
    UNUSABLE,
    kinds,
)
from xlmodel.faces.template import row_spans, rows, template
from xlmodel.functions import FUNCTIONS, find
from xlmodel.package.address import MAX_COLUMN, Address, Block, column_number
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.sheet import Cell, Sheet

_FLOATING = frozenset(("+", "-", "*", "/", "^"))
_WHOLE = re.compile(r"[0-9]+")
MAX_CELLS = 200_000
"""Cells of a range that a function in Python is given, or that an array formula fills."""
MAX_ROWS = MAX_CELLS // MAX_COLUMN
_REMEDY = "rewrite the formula, or keep the workbook out of the run"


@dataclass
class Preflight:
    """What was seen on the way.

    ``external``: cells whose formula refers to another workbook, by sheet; they keep their cached value.
    ``floats``: cells that compare numbers which are not rounded, as ``Sheet!A1``.
    """

    external: dict[str, set[Address]] = field(default_factory=dict)
    floats: list[str] = field(default_factory=list)


def preflight(package: Package, sheets: Mapping[str, Sheet]) -> Preflight:
    """Raises UnknownFunction or UnsupportedFormula for the first formula that cannot be evaluated rightly."""
    seen = Preflight()
    for name, sheet in sheets.items():
        known = _Names(package, name)
        findings: dict[tuple[str, bool], _Finding] = {}
        for address, cell in sheet.formulas():
            formula = cell.formula or ""
            key = template(formula), cell.array is not None
            finding = findings.get(key)
            try:
                if finding is None:
                    finding = findings[key] = _examined(formula, known, array=key[1])
                if cell.array is not None and cell.array.shape[0] * cell.array.shape[1] > MAX_CELLS:
                    raise _too_large(f"the array formula fills {cell.array.text(absolute=False)}")
                if finding.ranged:
                    _refuse_wide(formula, rows(formula))
                if finding.matched:
                    _refuse_other_rows(finding.matched, rows(formula))
            except XlmodelError as error:
                raise error.at(file=package.name, sheet=name, cell=str(address)) from None
            if finding.external:
                _refuse_unkept(package, name, address, cell)
                seen.external.setdefault(name, set()).add(address)
            if finding.floats:
                seen.floats.append(f"{name}!{address}")
    return seen


def require_known_functions(package: Package, sheets: Mapping[str, Sheet]) -> None:
    """Raises UnknownFunction for the first formula that calls a function of ours which does not exist."""
    for name, sheet in sheets.items():
        for address, cell in sheet.formulas():
            if OURS not in (cell.formula or "").upper():
                continue
            for call in find_calls(cell.formula or ""):
                if call.ours and call.name not in FUNCTIONS:
                    with placed(file=package.name, sheet=name, cell=str(address)):
                        find(call.name)


@dataclass(frozen=True)
class _Finding:
    external: bool = False
    floats: bool = False
    ranged: bool = False
    """Whether it hands a range to a function that is computed in Python."""
    matched: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = ()
    """Functions whose ranges must have as many rows, each with the places of their row numbers."""


def _examined(formula: str, known: _Names, *, array: bool) -> _Finding:
    """What one formula is; raises as ``preflight`` does, without the place."""
    try:
        tree = parse(formula)
        nodes = list(tree.walk())
        if any(node.kind is Kind.EXTERNAL for node in nodes):
            return _Finding(external=True)
        for node in nodes:
            _refuse_call(node)
            _refuse_reference(node)
        many = _Shapes(known, array=array).many(tree, free=array)
        if many and not array and tree.kind is not Kind.ARRAY and not _calls_array(tree):
            raise Unreadable("a range in place of a single cell")
    except Unreadable as reason:
        raise UnsupportedFormula(f"={_short(formula)} holds {reason}", remedy=_REMEDY) from None
    return _Finding(
        floats=any(_compares_floats(node) for node in nodes),
        ranged=any(node.kind is Kind.AREA and bool(rows(node.text)) for node in _handed(tree)),
        matched=tuple(_matched(formula, tree)),
    )


def _short(formula: str) -> str:
    return formula if len(formula) <= 80 else formula[:77] + "..."


def _refuse_unkept(package: Package, sheet: str, address: Address, cell: Cell) -> None:
    if cell.value is None or cell.array is not None:
        raise UnsupportedFormula(
            "the formula refers to another workbook, and the file holds no value of it to keep",
            remedy="open both workbooks in the spreadsheet program and save this one",
        ).at(file=package.name, sheet=sheet, cell=str(address))


# --- calls ---------------------------------------------------------------------------------------


def _refuse_call(node: Node) -> None:
    if node.kind is not Kind.CALL:
        return
    name = node.text
    if name.startswith(OURS):
        if name not in FUNCTIONS:
            find(name)
        return
    if name not in NATIVE:
        reason = UNUSABLE.get(name, "its values were not compared with those of a spreadsheet program")
        raise UnsupportedFormula(f"{name} cannot be recomputed here: {reason}", remedy=_REMEDY)
    if name == "TEXT" and not _is_one_of(node, 1, TEXT_FORMATS):
        raise UnsupportedFormula(
            "TEXT with a format that is not among those compared",
            remedy=f"use one of {_listed(TEXT_FORMATS)}",
        )
    if name == "DATEDIF" and not _is_one_of(node, 2, DATEDIF_UNITS):
        raise UnsupportedFormula(
            "DATEDIF with a unit that is computed wrongly here", remedy=f"use one of {_listed(DATEDIF_UNITS)}"
        )
    if name in {"COUNTIF", "COUNTIFS", "SUMIF", "SUMIFS"}:
        for child in node.children:
            if child.kind is Kind.TEXT and child.text.lstrip("=<>").startswith("#"):
                raise UnsupportedFormula(f"{name} cannot count errors here", remedy=_REMEDY)
    if name in {"INDEX", "CHOOSE"} and any(child.kind is Kind.OMITTED for child in node.children[:1]):
        raise UnsupportedFormula(f"{name} without its first argument", remedy=_REMEDY)


def _is_one_of(call: Node, place: int, allowed: frozenset[str]) -> bool:
    if len(call.children) <= place or call.children[place].kind is not Kind.TEXT:
        return False
    text = call.children[place].text
    return text in allowed or text.upper() in allowed or text.lower() in allowed


def _listed(texts: frozenset[str]) -> str:
    return ", ".join(sorted(texts))


# --- references ----------------------------------------------------------------------------------


def _refuse_reference(node: Node) -> None:
    if node.kind is Kind.CELL and column_number_or_beyond(node.text) > MAX_COLUMN:
        raise Unreadable(f"the unknown name {node.text}")
    if node.kind is Kind.AREA:
        first, _, last = node.text.replace("$", "").partition(":")
        if first[0].isalpha() and first[-1].isdigit():
            low, high = Address.parse(first), Address.parse(last)
            if low.row > high.row or low.column > high.column:
                raise Unreadable(f"the range {node.text}, whose corners are not in order")


def column_number_or_beyond(cell: str) -> int:
    """The column of a cell, or one beyond the last for what only looks like a cell."""
    letters = "".join(character for character in cell if character.isalpha())
    try:
        return column_number(letters)
    except XlmodelError:
        return MAX_COLUMN + 1


def _matched(formula: str, tree: Node) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """For each function of matched ranges: where, among the formula's row numbers, its ranges end."""
    places = {span[0]: place for place, span in enumerate(row_spans(formula))}
    for node in tree.walk():
        if node.kind is not Kind.CALL or node.text not in MATCHED_RANGES:
            continue
        letters = islice(kinds(NATIVE[node.text]), len(node.children))
        ranges = [
            child
            for letter, child in zip(letters, node.children, strict=True)
            if letter == "r" and child.kind in {Kind.AREA, Kind.CELL}
        ]
        inside = [
            tuple(place for start, place in places.items() if child.start <= start < child.end)
            for child in ranges
        ]
        widths = {Block.parse(child.text).shape[1] for child in ranges}
        if len(widths) > 1 or len({bool(ends) for ends in inside}) > 1:
            raise _unmatched(node.text)
        if inside and inside[0]:
            yield node.text, tuple((ends[0], ends[-1]) for ends in inside)


def _refuse_other_rows(
    matched: tuple[tuple[str, tuple[tuple[int, int], ...]], ...], numbers: Sequence[str]
) -> None:
    for name, ranges in matched:
        if len({int(numbers[last]) - int(numbers[first]) for first, last in ranges}) > 1:
            raise _unmatched(name)


def _unmatched(name: str) -> UnsupportedFormula:
    return UnsupportedFormula(
        f"the ranges of {name} differ in size", remedy="give them the same rows and columns"
    )


def _handed(tree: Node) -> Iterator[Node]:
    """The arguments of functions that are computed in Python."""
    for node in tree.walk():
        if node.kind is Kind.CALL and (node.text.startswith(OURS) or node.text in LAYER):
            yield from node.children


def _refuse_wide(formula: str, numbers: Sequence[str]) -> None:
    values = [int(number) for number in numbers]
    if max(values) - min(values) < MAX_ROWS:
        return  # no range in it can have more
    for node in _handed(parse(formula)):
        if node.kind is Kind.AREA:
            shape = Block.parse(node.text).shape
            if shape[0] * shape[1] > MAX_CELLS:
                raise _too_large(f"{node.text} is handed to a function")


def _too_large(what: str) -> UnsupportedFormula:
    return UnsupportedFormula(
        f"{what}, more than {MAX_CELLS:,} cells", remedy="give it the range that holds something"
    )


class _Names:
    """What the defined names mean on one sheet."""

    def __init__(self, package: Package, sheet: str) -> None:
        own = package.local_names.get(sheet, {})
        self.targets = {
            name.lower(): text for names in (package.defined_names, own) for name, text in names.items()
        }
        self.local = {name.lower() for names in package.local_names.values() for name in names}

    def many(self, node: Node) -> bool:
        """Whether a name stands for several cells; raises ``Unreadable`` unless it is plain."""
        name = node.text
        text = self.targets.get(name.lower())
        if node.sheet is not None:
            raise Unreadable(f"the name {name} of the sheet {node.sheet}")
        if text is None:
            raise Unreadable(f"the unknown name {name}")
        try:
            target = parse(text.strip().removeprefix("="))
        except Unreadable as reason:
            raise Unreadable(f"the name {name}, which holds {reason}") from None
        sign_only = target.kind is Kind.OPERATION and target.text == "-" and len(target.children) == 1
        if sign_only and target.children[0].kind is Kind.NUMBER:
            return False
        match target.kind:
            case Kind.NUMBER | Kind.TEXT | Kind.LOGICAL:
                return False
            case Kind.CELL | Kind.AREA:
                if target.sheet is None:
                    raise Unreadable(f"the name {name}, which refers to no sheet ({text})")
                if "$" not in target.text:
                    raise Unreadable(f"the name {name}, which moves with the cell that uses it ({text})")
                return target.kind is Kind.AREA
            case Kind.ERROR:
                raise Unreadable(f"the name {name}, whose cells were deleted")
        raise Unreadable(f"the name {name}, which stands for a formula ({_short(text)})")


# --- shapes --------------------------------------------------------------------------------------


class _Shapes:
    """Whether each piece of a formula is one value or many; ranges where one value belongs are refused.

    ``free`` says that the piece is computed cell by cell: in an array formula, or below SUMPRODUCT.
    """

    def __init__(self, known: _Names, *, array: bool) -> None:
        self.known = known
        self.array = array

    def many(self, node: Node, *, free: bool) -> bool:
        match node.kind:
            case Kind.AREA:
                return True
            case Kind.ARRAY:
                return True
            case Kind.NAME:
                return self.known.many(node)
            case Kind.OPERATION:
                below = [self.many(child, free=free) for child in node.children]  # all are looked at
                many = any(below)
                if many and not free:
                    raise Unreadable(f"a range in place of a single cell, at the sign {node.text}")
                return many
            case Kind.CALL if node.text.startswith(OURS):
                return self.of_ours(node, free=free)
            case Kind.CALL:
                return self.of_native(node, free=free)
        return False

    def of_ours(self, node: Node, *, free: bool) -> bool:
        function = FUNCTIONS[node.text]
        many = [self.many(child, free=free) for child in node.children]
        return function.shape == "array" or (function.elementwise and any(many))

    def of_native(self, node: Node, *, free: bool) -> bool:
        letters = NATIVE[node.text]
        below = free or node.text == "SUMPRODUCT"
        if node.text == "SUMPRODUCT" and any(
            one.kind is Kind.AREA and _is_whole(one.text) for one in node.walk()
        ):
            raise Unreadable("whole columns or rows in SUMPRODUCT; name the rows that the table has")
        result = False
        wanted = list(islice(kinds(letters), len(node.children)))
        if len(wanted) < len(node.children):
            raise Unreadable(f"more arguments than {node.text} is known to take")
        for letter, child in zip(wanted, node.children, strict=True):
            many = self.many(child, free=below)
            if many and letter == "s":
                raise Unreadable(f"a range in place of a single value, in {node.text}")
            if many and letter == "a":
                if not (self.array or (node.text == "CHOOSE" and not free)):
                    raise Unreadable(f"a range in place of a single value, in {node.text}")
                result = True
        if node.text == "INDEX":
            return _is_line(node.children)
        return result or node.text in {"MMULT", "TRANSPOSE"}


def _is_whole(area: str) -> bool:
    """Whether a range is of whole columns (A:C) or rows (2:5)."""
    return not (any(map(str.isalpha, area)) and any(map(str.isdigit, area)))


def _is_line(arguments: Sequence[Node]) -> bool:
    """Whether INDEX gives a whole row or column."""
    chosen = arguments[1:]
    return any(
        one.kind is Kind.OMITTED or (one.kind is Kind.NUMBER and float(one.text) == 0) for one in chosen
    )


def _calls_array(tree: Node) -> bool:
    """Whether the result is what a function of ours gives: it spills, and is then refused by its shape."""
    return tree.kind is Kind.CALL and tree.text.startswith(OURS)


# --- comparisons ---------------------------------------------------------------------------------


def _compares_floats(node: Node) -> bool:
    return (
        node.kind is Kind.OPERATION
        and node.text in COMPARISONS
        and any(_is_floating(child) for child in node.children)
        and not any(child.kind in {Kind.TEXT, Kind.LOGICAL} for child in node.children)
    )


def _is_floating(node: Node) -> bool:
    """Whether a piece is a sum or product that nothing has rounded."""
    if _is_exact(node):
        return False
    if node.kind is Kind.OPERATION:
        if node.text in {"+", "-"}:  # a cell less one, a row and another: nothing to round
            exact = any(_is_exact(child) for child in node.children)
            return any(_is_floating(child) for child in node.children) or not exact
        return node.text in _FLOATING or node.text == "%"
    if node.kind is not Kind.CALL:
        return False
    if node.text in PASS_ON:
        return any(_is_floating(child) for child in node.children)
    if node.text in EXACT or node.text.startswith("IS") or node.text in {"AND", "OR", "NOT", "XOR"}:
        return False
    if node.text.startswith(OURS):
        return FUNCTIONS[node.text].shape != "array"
    return node.text in {
        "SUM",
        "SUMIF",
        "SUMIFS",
        "SUMPRODUCT",
        "PRODUCT",
        "AVERAGE",
        "AVERAGEIF",
        "AVERAGEIFS",
    }


def _is_exact(node: Node) -> bool:
    """Whether a piece is a whole number, or rounded, whatever the cells hold."""
    if node.kind is Kind.OPERATION:
        return node.text in {"+", "-", "*"} and all(_is_exact(child) for child in node.children)
    if node.kind is Kind.NUMBER:
        return bool(_WHOLE.fullmatch(node.text))
    return node.kind is Kind.CALL and node.text in EXACT
