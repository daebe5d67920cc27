"""What an evaluation leaves in doubt: refused where a number may be wrong, else told to the reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from xlmodel.errors import UnsupportedFormula, XlmodelError
from xlmodel.faces.formula_text import calls_ours
from xlmodel.faces.formula_tree import Kind, Node, Unreadable, parse
from xlmodel.faces.native_table import TEXT_ARGUMENTS
from xlmodel.faces.preflight import Preflight
from xlmodel.package.address import Address, Block
from xlmodel.package.parts import Package
from xlmodel.package.sheet import Sheet
from xlmodel.package.values import ErrorCode, Value

# What a program that exports the text may take for a formula.  A sign before a number is harmless.
_LIKE_A_FORMULA = re.compile(r"[=@\t\r]|[+-](?![0-9.,%]*$)")
_LIKE_A_NUMBER = re.compile(r"\s*(?:[-+($€£¥]\s*)*\.?[0-9]|\s*(?:true|false)\s*$", re.IGNORECASE)
_NAMED = 10  # cells that a warning lists


def refuse_doubtful_value(
    sheets: Mapping[str, Sheet],
    values: Mapping[str, Mapping[Address, Value]],
    sheet: str,
    address: Address,
    file: str,
) -> None:
    """A new #VALUE! of a native formula that reads a text like a number, and no error.

    Spreadsheet programs read more texts as numbers than the evaluator does (``"1,234.5"+1``).
    Raises UnsupportedFormula.
    """
    formula = sheets[sheet].cells[address].formula or ""
    if calls_ours(formula):
        return
    try:
        tree = parse(formula)
    except Unreadable:
        return
    doubtful = None
    for node in _not_text(tree):
        if node.kind is Kind.TEXT and _LIKE_A_NUMBER.match(node.text):
            doubtful = f"the text {node.text[:40]!r}"
        for cell, value in _read(node, sheets, values, sheet):
            if isinstance(value, ErrorCode):
                return  # it is passed on
            if isinstance(value, str) and _LIKE_A_NUMBER.match(value):
                doubtful = f"the text {value[:40]!r} of {cell}"
    if doubtful:
        raise UnsupportedFormula(
            f"={formula[:80]} shows #VALUE! because of {doubtful}, "
            "which a spreadsheet program may read as a number",
            remedy="enter it as a number, or put it through VALUE",
        ).at(file=file, sheet=sheet, cell=str(address))


def _not_text(node: Node) -> Iterator[Node]:
    """The pieces of a formula, without those that are texts by right."""
    yield node
    if node.kind is Kind.CALL and (node.text == "VALUE" or node.text in TEXT_ARGUMENTS):
        return
    for child in node.children:
        yield from _not_text(child)


def _read(
    node: Node, sheets: Mapping[str, Sheet], values: Mapping[str, Mapping[Address, Value]], sheet: str
) -> Iterator[tuple[Address, Value]]:
    if node.kind not in {Kind.CELL, Kind.AREA}:
        return
    named = {name.lower(): name for name in sheets}
    name = named.get((node.sheet or sheet).lower())
    try:
        block = Block.parse(node.text)
    except XlmodelError:
        return
    if name is None:
        return
    for address, cell in sheets[name].cells.items():
        if block.contains(address):
            yield address, values.get(name, {}).get(address, cell.value)


def warnings(package: Package, sheets: Mapping[str, Sheet], seen: Preflight) -> Iterator[str]:
    """What the reader should know of a workbook, a line each."""
    for link in package.external_links:
        yield f"external link to {link}: never followed"
    kept = [f"{name}!{address}" for name, cells in seen.external.items() for address in sorted(cells)]
    if kept:
        yield f"formulas that refer to another workbook keep their cached values: {_listed(kept)}"
    if seen.floats:
        yield f"numbers are compared without ROUND, to the last bit: {_listed(seen.floats)}"
    texts = [
        f"{name}!{address}"
        for name, sheet in sheets.items()
        for address, cell in sheet.cells.items()
        if cell.formula is None and isinstance(cell.value, str) and _LIKE_A_FORMULA.match(cell.value)
    ]
    if texts:
        yield f"texts that look like formulas stay texts: {_listed(texts)}"


def _listed(cells: list[str]) -> str:
    more = f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
    return ", ".join(cells[:_NAMED]) + more
