"""Validate: what a workbook computes against what somebody else published, at the printed precision."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from xlmodel.conventions.money import round_half_up
from xlmodel.conventions.serial import from_serial
from xlmodel.errors import BadPublished, NamesMissing, OutOfRange, XlmodelError
from xlmodel.package.address import Address, Block
from xlmodel.package.parts import Package
from xlmodel.package.values import Value
from xlmodel.workbook.exceptions import FILE as EXCEPTIONS_FILE
from xlmodel.workbook.exceptions import Explained, read_exceptions
from xlmodel.workbook.kinds import Tie, kind_of_workbook
from xlmodel.workbook.published import STAR, Figure, Printed

if TYPE_CHECKING:
    from xlmodel.faces.headless import Evaluation  # at run time it would load the evaluator

CHECK_PREFIX = "check_"


@dataclass(frozen=True)
class Miss:
    """A cell that does not show what it should.

    ``of``: its headings, such as A-1, 1.00%, no. 2, 2000-01-17.  ``printed``: what is expected, as the
    document prints it; ``value``: what the cell holds, unrounded.
    """

    sheet: str
    cell: str
    expected: str
    found: str
    of: str = ""
    printed: str = ""
    value: Value = None

    def __str__(self) -> str:
        of = f" ({self.of})" if self.of else ""
        return f"{self.sheet}!{self.cell}{of}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True)
class Check:
    """One comparison of many cells.

    ``explained``: cells that miss as ``published/exceptions.csv`` says, with the reason.
    ``informative`` counts the cells that could have missed: a decrement figure that is neither 0 nor 100, a
    figure of a certificate that is neither 0 nor 1.
    ``worst``: largest difference in units of the last printed digit; None where it has no meaning.
    """

    name: str
    cells: int
    matched: int
    informative: int
    informative_matched: int
    worst: float | None
    misses: tuple[Miss, ...] = field(repr=False)
    explained: int = 0

    @property
    def ok(self) -> bool:
        return self.matched + self.explained == self.cells


@dataclass(frozen=True)
class Validation:
    """All checks of a workbook, and the Published cells that no longer hold the published figures."""

    checks: tuple[Check, ...]
    altered: tuple[Miss, ...]
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not any(True for _ in self.misses) and all(check.ok for check in self.checks)

    @property
    def misses(self) -> Iterator[Miss]:
        for check in self.checks:
            yield from check.misses
        yield from self.altered


def validate(
    package: Package, evaluation: Evaluation, published: Path, *, any_workbook: bool = False
) -> Validation:
    """Compare an evaluated workbook with the figures of a ``published`` folder.

    ``any_workbook``: one that has none of the names, and no such folder, is no deal, and allowed: nothing
    is compared, which the warnings say.  Raises NamesMissing for a workbook without the defined names,
    BadPublished for figures that cannot be read or do not have the shape of their ranges.
    """
    blocks = _named_blocks(package)
    kind = kind_of_workbook(package)
    if any_workbook and not published.is_dir() and not set(kind.required) & set(blocks):
        return Validation((), (), ("nothing is compared: the workbook has no ranges of a deal",))
    _require_names(kind.required, blocks, package)
    figures = kind.figures(published, lambda name: evaluation.block(blocks[name]))
    explained = read_exceptions(published)
    _require_checks(explained, kind.ties, published)
    checks: list[Check] = []
    altered: list[Miss] = []
    for name, tie in kind.ties.items():
        printed = figures[name]
        if printed is None:
            continue
        _require_names([range_ for range_ in (tie.computed, tie.shown) if range_], blocks, package)
        if tie.computed:
            here = [one for one in explained if one.check == name]
            checks.append(_tie(name, tie, printed, blocks[tie.computed], evaluation, here))
        altered += _altered(printed, blocks[tie.shown], evaluation)
    for name, block in sorted(blocks.items()):
        if name.lower().startswith(CHECK_PREFIX):
            checks.append(_check_cell(name, block, evaluation))
    return Validation(tuple(checks), tuple(altered))


def _named_blocks(package: Package) -> dict[str, Block]:
    """The names that stand for one range."""
    blocks = {}
    for name, text in package.defined_names.items():
        try:
            block = Block.parse(text)
        except XlmodelError:
            continue  # a name may stand for a constant or a formula
        if block.sheet in package.sheets:
            blocks[name] = block
    return blocks


def _require_names(names: Sequence[str], blocks: Mapping[str, Block], package: Package) -> None:
    missing = [name for name in names if name not in blocks]
    if missing:
        raise NamesMissing(f"the workbook lacks the names {', '.join(missing)}").at(file=package.name)


def _require_checks(explained: Sequence[Explained], ties: Mapping[str, Tie], published: Path) -> None:
    for one in explained:
        if one.check not in ties:
            raise BadPublished(
                f"{one.check!r} is no check of this workbook", remedy=f"write one of: {', '.join(ties)}"
            ).at(file=str(published / EXCEPTIONS_FILE))


def _tie(
    name: str,
    tie: Tie,
    printed: Printed,
    block: Block,
    evaluation: Evaluation,
    exceptions: Sequence[Explained] = (),
) -> Check:
    """Compare a computed range cell by cell; what is not printed is not compared.

    An exception that explains no cell is a miss as well: what it says is no longer so.
    """
    _require_shape(printed, block)
    cells = matched = explained = informative = informative_matched = 0
    worst = 0.0
    misses = []
    idle = list(exceptions)
    for address, figure in list(_figures(printed, block))[tie.unproven * block.shape[1] :]:
        if figure is None:
            continue
        found = evaluation.value(str(block.sheet), address)
        decimals = printed.decimals_of(address.row - block.top, address.column - block.left)
        hit, distance = compare(found, figure, decimals)
        telling = figure not in tie.idle
        cells += 1
        matched += hit
        informative += telling
        informative_matched += telling and hit
        if not hit:
            at = printed.name_of(address.row - block.top, address.column - block.left)
            reason = next((one for one in idle if one.figure == at and one.holds(figure, found)), None)
            if reason:
                idle.remove(reason)
                explained += 1
                continue
        worst = max(worst, distance)
        if not hit:
            misses.append(
                Miss(
                    str(block.sheet),
                    str(address),
                    _shown(figure, decimals),
                    _shown(found, decimals),
                    _headings(address, block, evaluation),
                    _as_printed(figure, decimals, percent=tie.percent),
                    found,
                )
            )
    misses += [Miss(EXCEPTIONS_FILE, one.figure, "a figure that misses so", "none") for one in idle]
    return Check(name, cells, matched, informative, informative_matched, worst, tuple(misses), explained)


def _headings(address: Address, block: Block, evaluation: Evaluation) -> str:
    """What stands above a cell of a block, and before it; a heading of several columns is in the first."""
    words = []
    for row in range(max(block.top - 2, 1), block.top):
        for column in range(address.column, block.left - 1, -1):
            above = evaluation.value(str(block.sheet), Address(row, column))
            if isinstance(above, str) and above:
                words.append(above)
                break
    for column in range(1, block.left):
        before = evaluation.value(str(block.sheet), Address(address.row, column))
        if isinstance(before, str) and column == 1:
            words.append(before)
        elif isinstance(before, float) and not isinstance(before, bool):
            if column == 1:
                words.append(f"no. {before:g}")
            elif _is_date(evaluation.value(str(block.sheet), Address(block.top - 1, column))):
                words.append(_date(before))
    return ", ".join(word for word in words if word)


def _is_date(heading: Value) -> bool:
    """Whether a column holds dates, as its heading says."""
    return isinstance(heading, str) and heading.lower().endswith("date")


def _date(serial: float) -> str:
    try:
        return from_serial(serial).isoformat()
    except OutOfRange:
        return f"{serial:g}"


def compare(found: Value, figure: Figure, decimals: int) -> tuple[bool, float]:
    """Whether a value prints as the figure, and how far it is away, in units of the last printed digit."""
    if isinstance(figure, str) and figure != STAR:
        return found == figure, 0.0 if found == figure else math.inf
    if not isinstance(found, float) or isinstance(found, bool):
        return False, math.inf
    if figure == STAR:
        hit = found > 0 and round_half_up(found, decimals) == 0
        return hit, 0.0 if hit else abs(found) * 10**decimals
    assert isinstance(figure, float)
    return round_half_up(found, decimals) == figure, abs(found - figure) * 10**decimals


def _altered(printed: Printed, block: Block, evaluation: Evaluation) -> Iterator[Miss]:
    """Cells of a Published range that do not hold the published figure."""
    _require_shape(printed, block)
    for address, figure in _figures(printed, block):
        found = evaluation.value(str(block.sheet), address)
        if found != figure and not (figure is None and found == ""):
            expected = "a blank cell" if figure is None else f"the published {figure}"
            shown = "" if figure is None else str(figure)
            yield Miss(str(block.sheet), str(address), expected, _text(found), "", shown, found)


def _check_cell(name: str, block: Block, evaluation: Evaluation) -> Check:
    found = evaluation.value(str(block.sheet), block.anchor)
    hit = found is True
    miss = (
        () if hit else (Miss(str(block.sheet), str(block.anchor), "TRUE", _text(found), name, "TRUE", found),)
    )
    return Check(name, 1, int(hit), 1, int(hit), None, miss)


def _figures(printed: Printed, block: Block) -> Iterator[tuple[Address, Figure]]:
    for row, figures in enumerate(printed.rows):
        for column, figure in enumerate(figures):
            yield Address(block.top + row, block.left + column), figure


def _require_shape(printed: Printed, block: Block) -> None:
    if printed.shape != block.shape:
        rows, columns = printed.shape
        raise BadPublished(
            f"{rows} rows and {columns} columns are published, the range {block} has "
            f"{block.shape[0]} and {block.shape[1]}",
            remedy="rebuild the workbook, or compare with the figures it was built for",
        )


def _shown(value: Value, decimals: int) -> str:
    """A value with two more digits than are printed, so that a miss can be judged."""
    if isinstance(value, float) and not isinstance(value, bool):
        return f"{value:,.{decimals + 2}f}"
    return _text(value)


def _as_printed(figure: Figure, decimals: int, *, percent: bool) -> str:
    """A figure as the document prints it: 79.8% for the 0.798 of a decrement table."""
    if not isinstance(figure, float):
        return _text(figure)
    return f"{figure * 100:,.{max(decimals - 2, 0)}f}%" if percent else f"{figure:,.{decimals}f}"


def _text(value: Value) -> str:
    if value is None or value == "":
        return "nothing"
    return str(value).upper() if isinstance(value, bool) else str(value)
