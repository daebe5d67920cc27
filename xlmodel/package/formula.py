"""Formula text: moved with its relative references, and looked through for DDE."""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def tokens(formula: str) -> Iterator[re.Match[str]]:
    """The pieces of a formula in order, each a match whose ``lastgroup`` says what it is."""
    return _TOKEN.finditer(formula)


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


def relative(formula: str, row: int, column: int) -> str:
    """A formula with its relative references as distances: what all formulas of one fill have in common."""

    def row_text(text: str) -> str:
        return text if text.startswith("$") else f"R{int(text) - row:+d}"

    def column_text(text: str) -> str:
        return text if text.startswith("$") else f"C{column_number(text) - column:+d}"

    def away(match: re.Match[str]) -> str:
        match match.lastgroup:
            case "cell" if _is_column(match["column"]) and _is_row(match["row"]):
                return column_text(match["column"]) + row_text(match["row"])
            case "rows" if _is_row(match["r1"]) and _is_row(match["r2"]):
                return f"{row_text(match['r1'])}:{row_text(match['r2'])}"
            case "columns" if _is_column(match["c1"]) and _is_column(match["c2"]):
                return f"{column_text(match['c1'])}:{column_text(match['c2'])}"
        return match[0]

    return _TOKEN.sub(away, formula)


_REFERENCE = re.compile(
    r"""
      "(?:[^"]|"")*+"
    | (?P<sheet> (?: '(?:[^']|'')++' | [^\W\d][\w.]*+ ) ! )?
      (?P<area> \$?[A-Za-z]{1,3}\$?[0-9]{1,7} (?: :\$?[A-Za-z]{1,3}\$?[0-9]{1,7} )? (?![\w.(!]) )
    | (?P<name> [^\W\d][\w.\\?]*+ ) (?![\w.(!])
    | [^\W\d][\w.]*+
    """,
    re.VERBOSE,
)


def references(formula: str) -> list[str]:
    """The references to cells in a formula, with their sheets, and what may be defined names, as written."""
    return [
        (match["sheet"] or "") + match["area"] if match["area"] else match["name"]
        for match in _REFERENCE.finditer(formula)
        if match["area"] or match["name"]
    ]


def comparisons(formula: str) -> list[tuple[str, str]]:
    """The two sides of each = and <> in a formula, as written."""
    found: list[tuple[str, str]] = []
    # a frame for each open bracket: where the operand began, and the left side of a comparison, if in one
    frames: list[tuple[int, str | None]] = [(0, None)]

    def close(end: int) -> None:
        begin, left = frames[-1]
        if left is not None:
            found.append((left.strip(), formula[begin:end].strip()))

    passed = 0
    for match in _TOKEN.finditer(formula):
        text, here = match[0], match.start()
        if match.lastgroup != "other" or here < passed:
            continue
        if text in "({":
            frames.append((match.end(), None))
        elif text in ")}" and len(frames) > 1:
            close(here)
            frames.pop()
        elif text in ",;":
            close(here)
            frames[-1] = (match.end(), None)
        elif text in "<>=":
            sign = formula[here : here + 2] if formula[here : here + 2] in ("<>", "<=", ">=") else text
            passed = here + len(sign)
            close(here)
            begin = frames[-1][0]
            frames[-1] = (passed, formula[begin:here] if sign in ("=", "<>") else None)
    close(len(formula))
    return found


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
