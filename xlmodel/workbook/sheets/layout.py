"""Where every block of the workbook lies, known before the first cell is written.

Each sheet says with ``place`` where its blocks come; then every sheet writes formulas that refer to any
block by name.  A block whose name is one capitalised word (``Terms``), or begins with ``check_``, is a
defined name of the workbook too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block, column_letters

_DEFINED = re.compile(r"[A-Z][A-Za-z0-9]*|check_\w+")


class Shown(Protocol):
    """What a workbook of any kind shows: its title, and the folder that it comes from."""

    @property
    def title(self) -> str: ...

    @property
    def path(self) -> Path: ...


C = TypeVar("C", bound=Shown)


@dataclass(frozen=True)
class Layout:
    """Blocks by name."""

    blocks: Mapping[str, Block]

    def __getitem__(self, name: str) -> Block:
        return self.blocks[name]

    def __contains__(self, name: str) -> bool:
        return name in self.blocks

    def ref(self, name: str) -> str:
        """A block as a formula on any sheet writes it: ``'Tie-out'!$B$5``."""
        return self.blocks[name].text()

    def term(self, name: str) -> str:
        """The value cell of a term."""
        return self.ref(f"term {name}")

    def class_term(self, position: int, heading: str) -> str:
        """A cell of the table Classes, by the position of the class."""
        return cell(self.blocks[f"class {heading}"], position, 0).text()

    def defined(self) -> Iterator[tuple[str, Block]]:
        """The defined names and their blocks."""
        for name, block in self.blocks.items():
            if _DEFINED.fullmatch(name):
                yield name, block


def _always(contents: Shown) -> bool:
    return True


@dataclass(frozen=True)
class Sheet(Generic[C]):
    """One sheet: its title, where its blocks come, how it is written, and for which contents there is one."""

    title: str
    place: Callable[[C], Mapping[str, Block]]
    write: Callable[[Worksheet, C, Layout], None]
    applies: Callable[[C], bool] = _always


@dataclass(frozen=True)
class Book(Generic[C]):
    """How folders of one kind become workbooks: what a folder shows, and its sheets in their order.

    ``contents`` raises what reading a folder raises, and BadPublished for figures that do not fit it.
    """

    contents: Callable[[Path], C]
    sheets: Callable[[C], Sequence[Sheet[C]]]


def block(sheet: str, top: int, left: int, rows: int = 1, columns: int = 1) -> Block:
    """A block by its corner and shape."""
    return Block(sheet, top, left, top + rows - 1, left + columns - 1)


def cell(of: Block, row: int, column: int) -> Block:
    """One cell of a block; rows and columns count from 0, negative ones from the end."""
    top = (of.top if row >= 0 else of.bottom + 1) + row
    left = (of.left if column >= 0 else of.right + 1) + column
    return Block(of.sheet, top, left, top, left)


def column_of(of: Block, column: int) -> Block:
    """One column of a block."""
    left = cell(of, 0, column).left
    return replace(of, left=left, right=left)


def row_of(of: Block, row: int) -> Block:
    """One row of a block."""
    top = cell(of, row, 0).top
    return replace(of, top=top, bottom=top)


def here(of: Block) -> str:
    """A block as a formula on its own sheet writes it, with dollar signs."""
    return replace(of, sheet=None).text()


def a1(row: int, column: int) -> str:
    """One cell of the same sheet, relative: ``D9``."""
    return f"{column_letters(column)}{row}"
