"""What a tie-out pack tells: every comparison, the files with their hashes, the readings that do not tie."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from xlmodel.analytics.life import average_life
from xlmodel.analytics.readings import other_readings
from xlmodel.analytics.words import percent
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.folder import CALL, MATURITY
from xlmodel.deal.scenario import at_speeds
from xlmodel.deal.waterfall import run
from xlmodel.errors import BadPublished
from xlmodel.package.address import Address, Block
from xlmodel.package.values import Value
from xlmodel.pool.collateral import Collateral
from xlmodel.workbook.cell_words import Book, cell_name
from xlmodel.workbook.exceptions import Explained, read_exceptions
from xlmodel.workbook.in_terms import Model
from xlmodel.workbook.kinds import DEAL_DOCUMENT, OTHER_DOCUMENT, Tie, kind_of_workbook
from xlmodel.workbook.published import Figure, Printed, read_published
from xlmodel.workbook.validate import Miss, compare

_POOL_FILE = "pool.csv"


@dataclass(frozen=True)
class Compared:
    """One figure: what it is, as published, as recomputed, to how many decimals, whether it ties.

    ``informative``: it could have missed.  ``explained``: why one that does not tie need not, "" without a
    reason in exceptions.csv.
    """

    tie: str
    what: str
    where: str
    cell: str
    published: Figure
    recomputed: Value
    decimals: int
    tied: bool
    informative: bool
    distance: float
    number_format: str
    explained: str = ""

    @property
    def ok(self) -> bool:
        """Whether it ties, or is explained."""
        return self.tied or bool(self.explained)


@dataclass(frozen=True)
class File:
    """A file that the pack rests on."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Tried:
    """How many figures tie under a reading: (tied, cells) by table; so for informative decrement cells."""

    name: str
    sentence: str
    tied: dict[str, tuple[int, int]]
    informative: tuple[int, int]


@dataclass(frozen=True)
class Facts:
    """All that a pack shows.  ``model``: None for a workbook that is no deal's."""

    title: str
    workbook: str
    xlmodel: str
    functions: str
    compared: Sequence[Compared]
    altered: Sequence[Miss]
    checks: Sequence[tuple[str, bool]]
    formulas: int
    ours: int
    stale: int
    model: Model | None
    readings: Sequence[Tried]
    sources: Sequence[tuple[str, str, str]]
    source_text: Sequence[str]
    files: Sequence[File]

    @property
    def tied(self) -> bool:
        """Whether every figure ties or is explained, and nothing that was published has been altered."""
        return not self.altered and all(one.ok for one in self.compared)


def compared(book: Book, published: Path, model: Model | None) -> list[Compared]:
    """Every figure of every comparison.  Raises BadPublished where there is nothing to compare."""
    kind, names = kind_of_workbook(book.package), book.package.defined_names
    figures = kind.figures(published, lambda name: book.evaluation.block(Block.parse(names[name])))
    exceptions = read_exceptions(published)
    found: list[Compared] = []
    for name, tie in kind.ties.items():
        printed = figures.get(name)
        if printed is not None and tie.computed and tie.computed in names:
            here = [one for one in exceptions if one.check == name]
            found += _of_tie(book, name, tie, printed, Block.parse(names[tie.computed]), model, here)
    if not found:
        raise BadPublished(
            "there are no published figures that the workbook is compared with",
            remedy="put them into the folder published/ beside the workbook, or name it with --published",
        ).at(file=str(published))
    return found


def _of_tie(
    book: Book,
    name: str,
    tie: Tie,
    printed: Printed,
    block: Block,
    model: Model | None,
    exceptions: Sequence[Explained],
) -> Iterator[Compared]:
    for row, column in _order(name, printed):
        figure = printed.rows[row][column]
        if figure is None or row < tie.unproven:
            continue
        address = Address(block.top + row, block.left + column)
        sheet, decimals = str(block.sheet), printed.decimals_of(row, column)
        value = book.value(sheet, address)
        tied, distance = compare(value, figure, decimals)
        what, where = _labels(book, name, printed, model, (row, column), block)
        at = printed.name_of(row, column)
        reason = next((e for e in exceptions if e.figure == at and e.holds(figure, value)), None)
        yield Compared(
            name,
            what,
            where,
            cell_name(sheet, address),
            figure,
            value,
            decimals,
            tied,
            figure not in tie.idle,
            distance,
            _percent_format(decimals) if name == "decrement" else "",
            f"{reason.reason}: {reason.explanation}" if reason and not tied else "",
        )


def _percent_format(decimals: int) -> str:
    """The number format of a fraction with so many decimals."""
    return f"0.{'0' * (decimals - 2)}%" if decimals > 2 else "0%"


def _order(name: str, printed: Printed) -> Iterator[tuple[int, int]]:
    """Places of figures as the document prints them: a decrement table class by class."""
    rows, columns = printed.shape
    width = columns // len(printed.classes) if name == "decrement" and printed.classes else columns
    for left in range(0, columns, width):
        for row in range(rows):
            for column in range(left, left + width):
                yield row, column


def _labels(
    book: Book,
    name: str,
    printed: Printed,
    model: Model | None,
    place: tuple[int, int],
    block: Block,
) -> tuple[str, str]:
    """What a figure is of, and at which speed and date."""
    row, column = place
    if model is not None and printed.classes and name in ("decrement", "average_life", "first_interest"):
        classes = [model.deal.deal.classes[n].name for n in printed.classes]
        speeds = model.speeds
        if name == "decrement":
            which, speed = divmod(column, len(speeds))
            return classes[which], f"{percent(speeds[speed])}, payment date {row}"
        if name == "average_life":
            end, speed = divmod(column, len(speeds))
            return classes[row], f"{percent(speeds[speed])}, to {printed.ends[end]}"
        return classes[row], "first payment date"
    if printed.names:
        what, _, where = printed.name_of(row, column).partition("@")
        return what, where
    sheet, line = str(block.sheet), block.top + row
    beside = [Address(line, n) for n in range(1, block.left) if book.value(sheet, Address(line, n))]
    texts = [text for at in beside if isinstance(text := book.value(sheet, at), str)]
    texts = texts or [book.shown(sheet, at) for at in beside[:1]]  # a date, where no text stands
    above = Address(block.top - 1, block.left + column)
    return ", ".join(texts), book.shown(sheet, above).strip('"') if block.top > 1 else ""


def files(workbook: Path, published: Path) -> list[File]:
    """The workbook, the documents of its folder and the published figures, with their hashes."""
    folder = workbook.parent
    listed = [workbook, *(folder / name for name in (DEAL_DOCUMENT, OTHER_DOCUMENT, _POOL_FILE))]
    listed += sorted(path for path in published.rglob("*") if path.is_file()) if published.is_dir() else []
    found = []
    for path in listed:
        if path.is_file():
            data = path.read_bytes()
            inside = path.is_relative_to(folder)
            name = path.relative_to(folder).as_posix() if inside else path.as_posix()
            found.append(File(name, len(data), hashlib.sha256(data).hexdigest()))
    return found


def readings(model: Model, published: Path, shown: Sequence[Compared]) -> list[Tried]:
    """The reading adopted, and the others that the deal leaves room for; none where no table is printed.

    What ties under the reading adopted is what the workbook itself shows.  Where its terms alone give other
    counts, since somebody edited a formula, they are one of the others.
    """
    deal, pool = model.deal.deal, model.deal.pool
    printed = read_published(published, [c.name for c in deal.classes], model.speeds)
    if printed.decrement is None:
        return []
    tables = {
        "decrement": printed.decrement,
        "average_life": printed.average_life,
        "first_interest": printed.first_interest,
    }
    terms = _tried("terms alone", "The workbook's terms, run apart from it", deal, pool, model, tables)
    adopted = _as_shown(terms, shown)
    same = (adopted.tied, adopted.informative) == (terms.tied, terms.informative)
    found = [adopted] if same else [adopted, terms]
    for other, changed, collateral in other_readings(deal, pool):
        found.append(_tried(other.name, other.sentence, changed, collateral, model, tables))
    return found


def _as_shown(terms: Tried, shown: Sequence[Compared]) -> Tried:
    """What ties in the workbook, table by table; a table that it does not compare ties as its terms do."""
    tied = dict(terms.tied)
    for table in tied:
        here = [one.tied for one in shown if one.tie == table]
        if here:
            tied[table] = sum(here), len(here)
    telling = [one.tied for one in shown if one.tie == "decrement" and one.informative]
    return Tried("adopted", "The reading of the workbook", tied, (sum(telling), len(telling)))


def _tried(
    name: str,
    sentence: str,
    deal: Deal,
    pool: Collateral,
    model: Model,
    tables: dict[str, Printed | None],
) -> Tried:
    tied: dict[str, tuple[int, int]] = {}
    informative = [0, 0]
    for table, printed in tables.items():
        if printed is None:
            continue
        hits = cells = 0
        computed = _computed(table, printed, deal, pool, model)
        for row, figures in enumerate(printed.rows):
            for column, figure in enumerate(figures):
                if figure is None or (table == "decrement" and row == 0):
                    continue
                hit, _ = compare(computed[row][column], figure, printed.decimals_of(row, column))
                hits, cells = hits + hit, cells + 1
                if table == "decrement" and figure not in (0.0, 1.0):
                    informative[0] += hit
                    informative[1] += 1
        tied[table] = hits, cells
    return Tried(name, sentence, tied, (informative[0], informative[1]))


def _computed(table: str, printed: Printed, deal: Deal, pool: Collateral, model: Model) -> list[list[float]]:
    """What a reading gives, in the shape of a printed table; nothing beyond the last date of the pool."""
    scenarios = at_speeds(model.speeds)
    rows, columns = printed.shape
    if table == "average_life":
        parts = []
        for end in printed.ends:
            ended = deal.as_printed if end == CALL else deal.as_printed.to_maturity
            assert end in (CALL, MATURITY)
            paid = run(ended, collect(ended, pool, scenarios), scenarios)
            parts.append(average_life(ended, paid).T[list(printed.classes)])
        found: list[list[float]] = np.concatenate(parts, axis=1).tolist()
        return found
    # Interest is that of the deal itself; tables are printed under an assumption about payment dates.
    own = deal.as_printed if table == "decrement" else deal
    own = own.to_maturity if table == "decrement" and model.matures else own
    paid = run(own, collect(own, pool, scenarios), scenarios)
    if table == "first_interest":
        return [[float(paid.interest[0, 0, position]) / 100] for position in printed.classes]
    factor = np.concatenate([np.ones_like(paid.factor[:, :1]), paid.factor], axis=1)[:, :rows]
    filled = np.pad(factor, ((0, 0), (0, rows - factor.shape[1]), (0, 0)))
    by_class = filled[:, :, list(printed.classes)].transpose(1, 2, 0).reshape(rows, columns)
    return by_class.tolist()
