"""The convention search over the published tables of a deal folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from xlmodel.analytics.convention_search import Found, PrintedCell, search
from xlmodel.deal.folder import MATURITY, read_folder
from xlmodel.errors import BadPublished, NotAvailable
from xlmodel.pool.contracts import Pool
from xlmodel.workbook.published import STAR, Figure, Printed, read_published


def search_folder(path: Path) -> Found:
    """Search the conventions of a deal folder.  Raises where nothing is printed or nothing is projected."""
    folder = read_folder(path)
    if not isinstance(folder.pool, Pool):
        raise NotAvailable("the collateral was reported, so no convention was assumed").at(file=str(path))
    names = tuple(note_class.name for note_class in folder.deal.classes)
    published = read_published(folder.published, names, folder.speeds)
    matures = folder.printed_to == MATURITY
    cells = list(_cells(published.decrement, matures, published.average_life, len(folder.speeds)))
    if not cells:
        raise BadPublished("no decrement table is published").at(file=str(folder.published))
    return search(folder.deal, folder.pool, folder.speeds, cells)


def _cells(
    decrement: Printed | None, table_matures: bool, lives: Printed | None, speeds: int
) -> Iterator[PrintedCell]:
    if decrement is not None:
        for period, row in enumerate(decrement.rows):
            if period:  # at closing everything is outstanding
                for n, figure in enumerate(row):
                    position = decrement.classes[n // speeds]
                    yield from _cell(position, n % speeds, period, figure, decrement.decimals, table_matures)
    if lives is not None:
        ends: Sequence[str] = lives.ends
        for at, row in enumerate(lives.rows):
            for n, figure in enumerate(row):
                matures = ends[n // speeds] == MATURITY
                yield from _cell(lives.classes[at], n % speeds, None, figure, lives.decimals, matures)


def _cell(
    position: int, speed: int, period: int | None, figure: Figure, decimals: int, matures: bool
) -> Iterator[PrintedCell]:
    if figure is not None:
        value = None if figure == STAR else float(figure)
        yield PrintedCell(position, speed, period, value, decimals, matures)
