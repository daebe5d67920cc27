"""The text of a formula as the evaluator is given it: calls numbered, blanks for omitted arguments.

Every call of ours, and of a native function that is computed by ``native_layer``, carries its number, so that
an error can be traced to its formula.  What is joined to a text goes through a function of ours, because the
evaluator shows seventeen digits where spreadsheet programs show fifteen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from xlmodel.faces.formula_text import find_calls
from xlmodel.faces.formula_tree import COMPARISONS, Kind, Node, parse
from xlmodel.faces.native_layer import LAYER, TEXT_OF
from xlmodel.faces.native_table import GIVE_TEXT, TEXT_ARGUMENTS, kinds
from xlmodel.faces.template import row_spans, rows, template

_JOINS = re.compile("&|" + "|".join(rf"\b{re.escape(name)}\(" for name in TEXT_ARGUMENTS), re.IGNORECASE)
_REWRITTEN = re.compile(
    "XM_|&|" + "|".join(rf"\b{re.escape(name)}\(" for name in (*LAYER, *TEXT_ARGUMENTS)), re.IGNORECASE
)
# A cell that no workbook fills: what an omitted argument becomes, for which the engine would pass 0.
_BLANK_CELL = "XFD1048576"
_SHORT_NUMBER = re.compile(r"[0-9]{1,15}")

_ROW, _NUMBER = "\x00", "\x01"  # which no formula holds
_MARK = re.compile("([\x00\x01])")

_Edit = tuple[int, int, str]


class EngineText:
    """Rewrites the formulas of a workbook; what is found out about one template serves all its formulas."""

    def __init__(self) -> None:
        self.numbered: list[str] = []
        """The formula of each number."""
        self._plans: dict[str, list[str] | None] = {}

    def rewrite(self, formula: str) -> str:
        """A formula for the evaluator."""
        key = template(formula)
        if key in self._plans:
            plan = self._plans[key]
        else:
            plan = self._plans[key] = _plan(key)
        if plan is None:
            return formula
        numbers = iter(rows(formula))
        pieces = []
        for piece in plan:
            if piece == _ROW:
                pieces.append(next(numbers))
            elif piece == _NUMBER:
                pieces.append(str(len(self.numbered)))
                self.numbered.append(formula)
            else:
                pieces.append(piece)
        return "".join(pieces)


def _plan(key: str) -> list[str] | None:
    """The pieces of a rewritten template, with marks where row numbers and numbers of calls belong."""
    if not _REWRITTEN.search(key):
        return None
    edits = [(begin, end, _ROW) for begin, end in row_spans(key)]
    edits += _calls(key)
    if _JOINS.search(key):
        edits += _joined(parse(key))
    for begin, end, text in sorted(edits, key=lambda edit: (edit[0], edit[1]), reverse=True):
        key = key[:begin] + text + key[end:]
    return [piece for piece in _MARK.split(key) if piece]


def _calls(formula: str) -> Iterator[_Edit]:
    for found in find_calls(formula):
        if found.ours or found.name in LAYER:
            comma = "," if found.arguments else ""
            yield found.start, found.open + 1, f"{found.name}({_NUMBER}{comma}"
            for begin, end in found.arguments:
                if not formula[begin:end].strip():
                    yield begin, end, _BLANK_CELL


def _joined(tree: Node) -> Iterator[_Edit]:
    """Around each piece that becomes a text: a call of ``TEXT_OF``."""
    for node in tree.walk():
        for child in _becoming_text(node):
            if not _is_text(child):
                yield child.start, child.start, f"{TEXT_OF}({_NUMBER},"
                yield child.end, child.end, ")"


def _becoming_text(node: Node) -> Iterator[Node]:
    if node.kind is Kind.OPERATION and node.text == "&":
        yield from node.children
    elif node.kind is Kind.CALL and node.text in TEXT_ARGUMENTS:
        letters = islice(kinds(TEXT_ARGUMENTS[node.text]), len(node.children))
        yield from (child for letter, child in zip(letters, node.children, strict=False) if letter == "t")


def _is_text(node: Node) -> bool:
    """Whether a piece shows the same text everywhere, and needs no function around it."""
    match node.kind:
        case Kind.OPERATION:
            return node.text == "&" or node.text in COMPARISONS
        case Kind.CALL:
            return node.text in GIVE_TEXT
        case Kind.NUMBER:
            return bool(_SHORT_NUMBER.fullmatch(node.text))
        case Kind.CELL | Kind.AREA | Kind.NAME | Kind.ARRAY:
            return False
    return True
