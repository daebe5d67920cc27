"""Published figures: where one comes from, and how a computed cell compares with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from xlmodel.errors import XlmodelError
from xlmodel.package.address import Address, Block
from xlmodel.workbook.cell_words import Book, cell_name
from xlmodel.workbook.kinds import Tie, kind_of_workbook
from xlmodel.workbook.published import Printed
from xlmodel.workbook.validate import compare

_FILE = re.compile(r"`([^`]+)`")


def sources(published: Path) -> list[tuple[str, str, str]]:
    """File, what it holds and page, as the table of SOURCE.md says; empty without that file."""
    try:
        text = (published / "SOURCE.md").read_text(encoding="utf-8")
    except OSError:
        return []
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        file = _FILE.match(cells[0])
        if line.startswith("|") and file and len(cells) > 1:
            found.append((file[1], cells[1], cells[2] if len(cells) > 2 else ""))
    return found


def published_words(book: Book, published: Path, sheet: str, address: Address) -> str | None:
    """Where a published figure comes from; None for a cell of another kind."""
    for _, tie, shown, computed in _ties(book):
        if shown.sheet == sheet and address in shown:
            there = cell_name(str(computed.sheet), _other(computed, shown, address))
            if book.value(sheet, address) in (None, ""):
                return f"Nothing is published, or nothing is compared, for {there}."
            return f"A published figure, not computed. {_source(published, tie)} It is compared with {there}."
    return None


def tie_words(book: Book, published: Path, sheet: str, address: Address) -> Iterator[str]:
    """How a computed cell compares with the figure that is published for it."""
    for name, tie, shown, computed in _ties(book):
        if computed.sheet != sheet or address not in computed:
            continue
        there = _other(shown, computed, address)
        figure = book.value(str(shown.sheet), there)
        printed = _printed(book, published).get(name)
        if figure in (None, "") or printed is None:
            continue
        decimals = printed.decimals_of(there.row - shown.top, there.column - shown.left)
        wanted = figure if isinstance(figure, str) else float(figure or 0)
        hit, _ = compare(book.value(sheet, address), wanted, decimals)
        state = "agrees" if hit else "does NOT agree"
        yield (
            f"Rounded to {decimals} decimals it {state} with the published "
            f"{book.shown(str(shown.sheet), there)} in {cell_name(str(shown.sheet), there)}. "
            f"{_source(published, tie)}"
        )


def _ties(book: Book) -> Iterator[tuple[str, Tie, Block, Block]]:
    """The comparisons that the workbook has ranges for: name, tie, what is shown, what is computed."""
    names = book.package.defined_names
    for name, tie in kind_of_workbook(book.package).ties.items():
        if tie.shown in names and tie.computed is not None and tie.computed in names:
            yield name, tie, Block.parse(names[tie.shown]), Block.parse(names[tie.computed])


def _printed(book: Book, published: Path) -> Mapping[str, Printed | None]:
    names = book.package.defined_names
    try:
        return kind_of_workbook(book.package).figures(
            published, lambda name: book.evaluation.block(Block.parse(names[name]))
        )
    except (XlmodelError, KeyError):
        return {}


def _other(there: Block, here: Block, address: Address) -> Address:
    """The cell of another range that stands where a cell stands in its own."""
    return Address(there.top + address.row - here.top, there.left + address.column - here.left)


def _source(published: Path, tie: Tie) -> str:
    rows = [row for row in sources(published) if row[0] == tie.file]
    if not rows:
        document = published / "SOURCE.md"
        if not document.is_file():
            return f"Nothing says where it was printed: write {document}."
        return f"Its source is told in {document}."
    said = "; ".join(f"{what.split(';')[0]}" + (f": page {page}" if page else "") for _, what, page in rows)
    return f"It comes from published/{tie.file} ({said})."
