"""Formula text: moved with its relative references, and looked through for DDE."""

from __future__ import annotations

import re

from xlmodel.errors import UnsupportedFeature
from xlmodel.package.address import MAX_COLUMN, MAX_ROW, column_letters, column_number

MAX_FORMULA = 8_192
"""Characters that a formula can have."""

# In this order: what holds no reference is passed over whole, so its letters are not taken for one.
# Repeats are possessive and bounded, so that a hostile formula costs no more than a long one.
_TOKEN = re.compile(
    r"""
    (?P<text> "(?:[^"]|"")*+" )
  | (?P<sheet> '(?:[^']|'')*+' )
  | (?P<brackets> \[ (?: '. | [^\[\]'] | \[ (?: '. | [^\]'] ){0,600}+ \] ){0,600}+ \] )
  | (?P<error> \#[A-Za-z][A-Za-z0-9/]*+[!?]? )
  | (?P<rows> (?P<r1>\$?[0-9]{1,7}) : (?P<r2>\$?[0-9]{1,7}) (?![\w.(!]) )
  | (?P<columns> (?P<c1>\$?[A-Za-z]{1,3}) : (?P<c2>\$?[A-Za-z]{1,3}) (?![\w.(!$]) )
  | (?P<cell> (?P<column>\$?[A-Za-z]{1,3}) (?P<row>\$?[0-9]{1,7}) (?![\w.(!]) )
  | (?P<name> [^\W\d][\w.\\?]*+ | \\[\w.\\?]*+ )
  | (?P<number> [0-9]++(?:\.[0-9]*+)?(?:[Ee][+-]?[0-9]++)? )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)


def shifted(formula: str, rows: int, columns: int) -> str:
    """A formula as it reads when filled ``rows`` down and ``columns`` to the right.

    Raises ``UnsupportedFeature`` if a reference would leave the sheet.
    """
    if not rows and not columns:
        return formula

    def move_row(text: str) -> str:
        if text.startswith("$"):
            return text
        moved = int(text) + rows
        if not 1 <= moved <= MAX_ROW:
            raise UnsupportedFeature("a shared formula refers beyond the edge of the sheet")
        return str(moved)

    def move_column(text: str) -> str:
        if text.startswith("$"):
            return text
        moved = column_number(text) + columns
        if not 1 <= moved <= MAX_COLUMN:
            raise UnsupportedFeature("a shared formula refers beyond the edge of the sheet")
        return column_letters(moved)

    def move(match: re.Match[str]) -> str:
        match match.lastgroup:
            case "cell" if _is_column(match["column"]) and _is_row(match["row"]):
                return move_column(match["column"]) + move_row(match["row"])
            case "rows" if _is_row(match["r1"]) and _is_row(match["r2"]):
                return f"{move_row(match['r1'])}:{move_row(match['r2'])}"
            case "columns" if _is_column(match["c1"]) and _is_column(match["c2"]):
                return f"{move_column(match['c1'])}:{move_column(match['c2'])}"
        return match[0]

    return _TOKEN.sub(move, formula)


# A name such as XFE1 or A0 looks like a cell and is none.


def _is_column(text: str) -> bool:
    letters = text.lstrip("$").upper()
    return (len(letters), letters) <= (3, "XFD")


def _is_row(text: str) -> bool:
    return 1 <= int(text.lstrip("$")) <= MAX_ROW


def calls_dde(formula: str) -> bool:
    """Whether a formula reaches for another program (``cmd|'/c calc'!A0``): a bar outside quotes."""
    if "|" not in formula:
        return False
    return any(match.lastgroup == "other" and match[0] == "|" for match in _TOKEN.finditer(formula))
