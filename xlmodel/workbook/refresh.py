"""Refresh: evaluate every formula of a workbook and splice the values into the file, in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xlmodel.errors import NotAWorkbook
from xlmodel.faces.headless import Evaluation, evaluate
from xlmodel.package.address import Block
from xlmodel.package.charts import refresh_caches
from xlmodel.package.collection import no_collection
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package
from xlmodel.package.splice import splice_sheets
from xlmodel.package.values import Value


@dataclass(frozen=True)
class Change:
    """A cached value that was wrong, or missing (None)."""

    sheet: str
    cell: str
    old: Value
    new: Value


@dataclass(frozen=True)
class Refreshed:
    """A workbook after evaluation.  ``data`` is the whole new file; the same bytes when nothing changed."""

    evaluation: Evaluation
    data: bytes
    changes: Sequence[Change]


def read_package(path: Path) -> Package:
    """The package of a file.  Raises what ``open_package`` raises, or NotAWorkbook for no readable file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotAWorkbook(f"cannot be read: {error.strerror or error}", remedy="check the path").at(
            file=str(path)
        ) from None
    return open_package(data, name=str(path))


def refresh(package: Package, *, keep_errors: bool = False, strict: bool = False) -> Refreshed:
    """Evaluate and splice.  Nothing is written to a disk.

    Raises CellFailed, with all failing cells in its message, unless ``keep_errors``; else what
    ``evaluate`` and ``splice`` raise.
    """
    with no_collection():
        return _refresh(package, keep_errors=keep_errors, strict=strict)


def _refresh(package: Package, *, keep_errors: bool, strict: bool) -> Refreshed:
    evaluation = evaluate(package, strict=strict)
    if evaluation.failures and not keep_errors:
        raise _all_failures(evaluation)
    new: dict[str, bytes] = {}
    changes: list[Change] = []
    filled = {sheet: values for sheet, values in evaluation.values.items() if values}
    for sheet, (part, spliced) in zip(filled, splice_sheets(package, filled).items(), strict=True):
        changes += [Change(sheet, change.cell, change.old, change.new) for change in spliced.changed]
        if spliced.changed:
            new[part] = spliced.xml
    new |= refresh_caches(package, lambda sheet, block: evaluation.block(_on(sheet, block)))
    return Refreshed(evaluation, package.replace(new) if new else package.data, changes)


def _on(sheet: str, block: Block) -> Block:
    return Block(sheet, block.top, block.left, block.bottom, block.right)


def _all_failures(evaluation: Evaluation) -> Exception:
    """The first failure, with the cells of the others."""
    first, *others = evaluation.failures
    if others:
        cells = ", ".join(f"{f.place.sheet}!{f.place.cell}" for f in others[:10])
        more = f" and {len(others) - 10} more" if len(others) > 10 else ""
        first.message += f"; also {cells}{more}"
    return first
