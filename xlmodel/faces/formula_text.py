"""The calls inside a formula's text: which functions it calls, and where their arguments stand.

A scanner, not a parser: it knows texts, quoted sheet names, brackets and parentheses, which is what it takes
to find a call and its arguments in any formula that a spreadsheet program has stored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

OURS = "XM_"

_TOKEN = re.compile(
    r"""
      "(?:[^"]|"")*"                                     # a text
    | (?:(?:'(?:[^']|'')*'|\[[^\]]*\][\w.]*|[\w.]+)!)?   # where a function comes from: [1]! or a path
      (?P<call>[^\W\d][\w.]*)\s*\(                       # a name and its parenthesis: a call
    | '(?:[^']|'')*'                                     # a quoted sheet name
    | \[(?:[^\[\]]|\[[^\]]*\])*\]                        # a table's columns or a workbook's number
    | [(){},]
    """,
    re.VERBOSE,
)
# How programs spell a function of an add-in in the file.
_PREFIX = re.compile(r"^(?:_xlfn\.|_xlws\.|_xll\.|_xludf\.|_xldudf_)+", re.IGNORECASE)


@dataclass
class Call:
    """A call: its canonical name, and the spans of the whole, of what precedes "(", and of each argument."""

    name: str
    start: int
    open: int
    end: int = 0
    arguments: list[tuple[int, int]] = field(default_factory=list)

    @property
    def ours(self) -> bool:
        return self.name.startswith(OURS)


def canonical(name: str) -> str:
    """A function's name without the prefixes of the file, in upper case."""
    return _PREFIX.sub("", name).upper()


def find_calls(formula: str) -> list[Call]:
    """All calls of a formula, outer before inner.  An unbalanced formula gives the calls that are closed."""
    calls: list[Call] = []
    # A frame for each open bracket: the call and where its current argument begins; None for a plain one.
    frames: list[tuple[Call | None, int]] = []
    for token in _TOKEN.finditer(formula):
        text = token[0]
        if token["call"]:
            call = Call(canonical(token["call"]), token.start(), token.end() - 1)
            calls.append(call)
            frames.append((call, token.end()))
        elif text in "({":
            frames.append((None, token.end()))
        elif text == "," and frames:
            owner, begin = frames[-1]
            if owner is not None:
                owner.arguments.append((begin, token.start()))
                frames[-1] = (owner, token.end())
        elif text in ")}" and frames:
            owner, begin = frames.pop()
            if owner is not None:
                if owner.arguments or formula[begin : token.start()].strip():
                    owner.arguments.append((begin, token.start()))
                owner.end = token.end()
    return [call for call in calls if call.end]


def calls_ours(formula: str) -> bool:
    """Whether a formula calls one of our functions."""
    return any(call.ours for call in find_calls(formula)) if OURS in formula.upper() else False
