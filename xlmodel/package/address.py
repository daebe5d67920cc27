"""Cell addresses and blocks of cells in A1 notation, rows and columns counted from 1."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

from xlmodel.errors import OutOfRange, WrongKind

MAX_ROW = 1_048_576
MAX_COLUMN = 16_384

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})", re.ASCII)
_COLUMN = re.compile(r"\$?([A-Za-z]{1,3})", re.ASCII)
_ROW = re.compile(r"\$?([0-9]{1,7})", re.ASCII)
_PLAIN_SHEET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_LOOKS_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*([Cc][0-9]*)?|[Cc][0-9]*|true|false", re.I)


@lru_cache(maxsize=MAX_COLUMN)
def column_letters(column: int) -> str:
    """The letters of a column: 1 is A, 16384 is XFD."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


@lru_cache(maxsize=2 * MAX_COLUMN)
def column_number(letters: str) -> int:
    """The number of a column; upper or lower case.  ``OutOfRange`` beyond XFD."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    if number > MAX_COLUMN:
        raise OutOfRange(f"column {letters} lies beyond the last column, XFD")
    return number


def _row_number(digits: str) -> int:
    row = int(digits)
    if not 1 <= row <= MAX_ROW:
        raise OutOfRange(f"row {digits} is not between 1 and {MAX_ROW}")
    return row


class Address(NamedTuple):
    """One cell; ``str`` gives A1 notation, and the order is by row, then column."""

    row: int
    column: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``A1``, ``$A$1`` or ``a1``; ``WrongKind`` or ``OutOfRange`` if that is no cell."""
        match = _CELL.fullmatch(text)
        if match is None:
            raise WrongKind(f"{text!r} is not a cell address such as B5")
        return cls(_row_number(match[2]), column_number(match[1]))

    def __str__(self) -> str:
        return f"{column_letters(self.column)}{self.row}"


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of cells, corners included, on a named sheet or on none in particular."""

    sheet: str | None
    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``A1``, ``$A$1:B5``, ``A:C``, ``2:7``, with or without ``Sheet!`` or ``'Sheet name'!``.

        Corners may come in any order.  ``WrongKind`` or ``OutOfRange`` if the text is anything else,
        a reference to another workbook or to several sheets included.
        """
        sheet, area = _split_sheet(text)
        first, colon, last = area.partition(":")
        for pattern, is_cell, is_column in ((_CELL, 1, 0), (_COLUMN, 0, 1), (_ROW, 0, 0)):
            low, high = pattern.fullmatch(first), pattern.fullmatch(last or first)
            if low is None or high is None or (not colon and not is_cell) or (colon and not last):
                continue
            if is_cell:
                rows = sorted((_row_number(low[2]), _row_number(high[2])))
                columns = sorted((column_number(low[1]), column_number(high[1])))
            elif is_column:
                rows = [1, MAX_ROW]
                columns = sorted((column_number(low[1]), column_number(high[1])))
            else:
                rows = sorted((_row_number(low[1]), _row_number(high[1])))
                columns = [1, MAX_COLUMN]
            return cls(sheet, rows[0], columns[0], rows[1], columns[1])
        raise WrongKind(f"{text!r} is not a reference such as A1:B5 or 'Sheet name'!$A$1:$B$5")

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.bottom - self.top + 1, self.right - self.left + 1

    @property
    def anchor(self) -> Address:
        """The cell at the top left."""
        return Address(self.top, self.left)

    def cells(self) -> Iterator[Address]:
        """Every cell, row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield Address(row, column)

    def contains(self, other: Address | Block) -> bool:
        """Whether a cell, or the whole of another block, lies inside; sheets are not compared."""
        if isinstance(other, Block):
            return (
                self.top <= other.top
                and other.bottom <= self.bottom
                and self.left <= other.left
                and other.right <= self.right
            )
        return self.top <= other.row <= self.bottom and self.left <= other.column <= self.right

    __contains__ = contains

    def text(self, *, absolute: bool = True) -> str:
        """A1 notation with the sheet if there is one; a single cell is written without a colon."""
        mark = "$" if absolute else ""
        corners = [
            f"{mark}{column_letters(column)}{mark}{row}"
            for row, column in ((self.top, self.left), (self.bottom, self.right))
        ]
        area = corners[0] if corners[0] == corners[1] else ":".join(corners)
        return area if self.sheet is None else f"{quote_sheet(self.sheet)}!{area}"

    def __str__(self) -> str:
        return self.text()


def quote_sheet(name: str) -> str:
    """A sheet name as a formula writes it: quoted unless it is a plain word that is no cell address."""
    if _PLAIN_SHEET.fullmatch(name) and not _LOOKS_LIKE_CELL.fullmatch(name):
        return name
    return "'" + name.replace("'", "''") + "'"


def _split_sheet(text: str) -> tuple[str | None, str]:
    before, mark, area = text.rpartition("!")
    if not mark:
        return None, text
    if len(before) > 2 and before[0] == before[-1] == "'":
        inner = before[1:-1]
        if "'" not in inner.replace("''", ""):
            before = inner.replace("''", "'")
            if not set(before) & set("[]:"):
                return before, area
    elif before and not set(before) & set("'[]:!, ()"):
        return before, area
    raise WrongKind(f"{text!r} does not name one sheet of this workbook")


def inside(cells: Iterable[Address], blocks: Collection[Block]) -> dict[Address, Block]:
    """Those of the cells that lie in a block, each with the first such block; sheets are not compared.

    A sweep down the rows, so thousands of cells against thousands of blocks stay cheap.
    """
    found: dict[Address, Block] = {}
    waiting = sorted(blocks, key=lambda block: (block.top, block.left), reverse=True)
    active: list[tuple[int, int, Block]] = []  # by last row, so those that end leave from the front
    if not waiting:
        return found
    for cell in sorted(cells):
        while waiting and waiting[-1].top <= cell.row:
            block = waiting.pop()
            insort(active, (block.bottom, len(waiting), block), key=lambda item: item[:2])
        while active and active[0][0] < cell.row:
            del active[0]
        for _, _, block in active:
            if block.left <= cell.column <= block.right:
                found[cell] = block
                break
    return found
