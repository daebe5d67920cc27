"""A formula's text as a tree: operators, calls, references, constants, each with its place in the text.

What spreadsheet programs know and the evaluator does not (unions, intersections, references to several
sheets, tables, spilled ranges) is named here, by ``Unreadable``, so that it can be refused with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NoReturn

from xlmodel.faces.formula_text import canonical

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
  | (?P<text> "(?:[^"]|"")*+" )
  | (?P<error> \#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|GETTING_DATA|SPILL!|CALC!) )
  | (?P<array> \{(?:[^{}"]|"(?:[^"]|"")*+")*+\} )
  | (?P<sheet> (?: '(?:[^']|'')++' | (?:\[[^\]]*+\])?[^\W\d][\w.]*+ | \[[^\]]*+\][\w.]*+ )
        (?: :(?:[^\W\d][\w.]*+) )? ! )
  | (?P<call> (?:[^\W\d]|\\)[\w.\\?]*+ (?=\() )
  | (?P<area> \$?[A-Za-z]{1,3}\$?[0-9]{1,7}:\$?[A-Za-z]{1,3}\$?[0-9]{1,7}(?![\w.(])
            | \$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w.($])
            | \$?[0-9]{1,7}:\$?[0-9]{1,7}(?![\w.(]) )
  | (?P<cell> \$?[A-Za-z]{1,3}\$?[0-9]{1,7}(?![\w.(!]) )
  | (?P<number> (?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[Ee][+-]?[0-9]++)? )
  | (?P<name> (?:[^\W\d]|\\)[\w.\\?]*+ )
  | (?P<operator> <> | <= | >= | [-+*/^&=<>%(),:@\#\[\];{}] )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
# How strongly a sign binds; a minus before a number binds stronger than any of them, a range strongest.
_STRENGTH = dict.fromkeys(("=", "<>", "<", ">", "<=", ">="), 1) | {
    "&": 2,
    "+": 3,
    "-": 3,
    "*": 4,
    "/": 4,
    "^": 5,
}
COMPARISONS = frozenset(sign for sign, strength in _STRENGTH.items() if strength == 1)
_DEEPEST = 64  # levels of nesting that a spreadsheet program allows


class Kind(Enum):
    """What a node is."""

    NUMBER = "number"
    TEXT = "text"
    LOGICAL = "logical"
    ERROR = "error"
    ARRAY = "array constant"
    CELL = "cell"
    AREA = "range"
    EXTERNAL = "reference to another workbook"
    NAME = "name"
    CALL = "call"
    OMITTED = "omitted argument"
    OPERATION = "operation"


@dataclass(slots=True)
class Node:
    """One piece of a formula.  ``text`` is what it says: an operator's sign, a function's canonical name.

    Operands joined by signs of one strength are children of one node, whose sign is the first of them.
    """

    kind: Kind
    text: str
    start: int
    end: int
    children: list[Node] = field(default_factory=list)
    sheet: str | None = None

    def walk(self) -> Iterator[Node]:
        """The node and all below it, outer before inner."""
        yield self
        for child in self.children:
            yield from child.walk()


class Unreadable(Exception):
    """A formula that holds something the evaluator does not know; the message says what."""


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int
    spaced: bool


def parse(formula: str) -> Node:
    """The tree of a formula without its ``=``.  Raises ``Unreadable``."""
    reader = _Reader(formula)
    tree = reader.expression(0)
    if reader.at < len(reader.tokens):
        reader.stop(reader.tokens[reader.at])
    return tree


class _Reader:
    def __init__(self, formula: str) -> None:
        self.formula = formula
        self.tokens: list[_Token] = []
        self.at = 0
        self.depth = 0
        spaced = False
        for match in _TOKEN.finditer(formula):
            kind = match.lastgroup or "other"
            if kind == "space":
                spaced = True
                continue
            self.tokens.append(_Token(kind, match[0], match.start(), match.end(), spaced))
            spaced = False

    # --- tokens ---

    def peek(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def sign(self) -> str:
        if self.at >= len(self.tokens):
            return ""
        token = self.tokens[self.at]
        return token.text if token.kind == "operator" else ""

    def take(self) -> _Token:
        token = self.peek()
        if token is None:
            raise Unreadable("the formula ends too early")
        self.at += 1
        return token

    def stop(self, token: _Token) -> NoReturn:
        match token.text:
            case "#":
                raise Unreadable("a reference to a spilled range (#)")
            case "@":
                raise Unreadable("an implicit intersection (@)")
            case "[":
                raise Unreadable("a reference to a table")
        before = self.tokens[self.at - 1] if self.at else None
        if before is not None and token.spaced and token.kind in {"cell", "area", "name", "sheet", "call"}:
            raise Unreadable("an intersection of ranges (a space between references)")
        raise Unreadable(f"{token.text[:20]!r}, which cannot be read here")

    # --- grammar ---

    def expression(self, least: int) -> Node:
        left = self.signed()
        chain = 0  # the strength of the signs that the operands of ``left`` are joined by
        while (strength := _STRENGTH.get(sign := self.sign(), 0)) > least:
            self.at += 1
            right = self.expression(strength)
            if strength == chain:  # a sum of a thousand terms is one sum, not a thousand levels
                left.children.append(right)
                left.end = right.end
            else:
                left = Node(Kind.OPERATION, sign, left.start, right.end, [left, right])
            chain = strength
        return left

    def signed(self) -> Node:
        token = self.peek()
        if token is not None and token.kind == "operator" and token.text in {"+", "-"}:
            self.take()
            self.deeper()
            inner = self.signed()
            self.depth -= 1
            return Node(Kind.OPERATION, token.text, token.start, inner.end, [inner])
        node = self.primary()
        while self.sign() == "%":
            end = self.take().end
            node = Node(Kind.OPERATION, "%", node.start, end, [node])
        if self.sign() == ":":
            raise Unreadable("a range whose end is computed")
        return node

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unreadable("more levels than a formula can have")

    def primary(self) -> Node:
        token = self.take()
        match token.kind:
            case "number":
                return Node(Kind.NUMBER, token.text, token.start, token.end)
            case "text":
                return Node(Kind.TEXT, token.text[1:-1].replace('""', '"'), token.start, token.end)
            case "error":
                return Node(Kind.ERROR, token.text.upper(), token.start, token.end)
            case "array":
                return Node(Kind.ARRAY, token.text, token.start, token.end)
            case "cell" | "area":
                return Node(Kind[token.kind.upper()], token.text, token.start, token.end)
            case "call":
                return self.call(token, None)
            case "name":
                if token.text.upper() in {"TRUE", "FALSE"}:
                    return Node(Kind.LOGICAL, token.text.upper(), token.start, token.end)
                return self.named(token, None)
            case "sheet":
                return self.on_sheet(token)
            case "operator" if token.text == "(":
                return self.group(token)
            case _:
                self.at -= 1
                return self.stop(token)

    def named(self, token: _Token, sheet: str | None) -> Node:
        if self.sign() == "[":
            raise Unreadable(f"a reference to the table {token.text}")
        return Node(Kind.NAME, token.text, token.start, token.end, sheet=sheet)

    def on_sheet(self, token: _Token) -> Node:
        sheet = token.text[:-1]
        if sheet.startswith("'"):
            sheet = sheet[1:-1].replace("''", "'")
        target = self.take()
        if target.kind == "call":  # of an add-in: [1]!XM_F( or 'path'!XM_F(
            return self.call(target, token)
        if "[" in sheet:
            if target.kind not in {"cell", "area", "name", "error"}:
                self.stop(target)
            return Node(Kind.EXTERNAL, token.text + target.text, token.start, target.end)
        if ":" in sheet:
            raise Unreadable(f"a reference to several sheets ({sheet})")
        if target.kind == "error":
            return Node(Kind.ERROR, target.text, token.start, target.end)
        if target.kind == "name":
            node = self.named(target, sheet)
        elif target.kind in {"cell", "area"}:
            node = Node(Kind[target.kind.upper()], target.text, target.start, target.end, sheet=sheet)
        else:
            self.at -= 1
            self.stop(target)
        node.start = token.start
        return node

    def group(self, token: _Token) -> Node:
        self.deeper()
        node = self.expression(0)
        self.depth -= 1
        if self.sign() == ",":
            raise Unreadable("a union of ranges")
        if self.sign() != ")":
            self.stop(self.take())
        node.start, node.end = token.start, self.take().end
        return node

    def call(self, token: _Token, source: _Token | None) -> Node:
        node = Node(Kind.CALL, canonical(token.text), source.start if source else token.start, token.end)
        self.take()
        self.deeper()
        while True:
            here = self.peek()
            if self.sign() in {",", ")"}:
                assert here is not None
                if self.sign() == "," or node.children:
                    node.children.append(Node(Kind.OMITTED, "", here.start, here.start))
            else:
                node.children.append(self.expression(0))
            closing = self.take()
            if closing.kind != "operator" or closing.text not in {",", ")"}:
                self.at -= 1
                self.stop(closing)
            if closing.text == ")":
                break
        self.depth -= 1
        node.end = closing.end
        return node
