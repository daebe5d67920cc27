"""The tie-out pack: a workbook for agreed-upon procedures, made to be printed and marked up.

It repeats nothing that it did not compare itself: every figure stands beside the one that was published, the
rounding and the tie are formulas that the reader's own program works out again.  Two packs of the same files
are equal byte for byte.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel import __version__
from xlmodel.functions import functions_version
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import empty_book, packed
from xlmodel.workbook.cell_words import Book
from xlmodel.workbook.in_terms import is_deal, read_model
from xlmodel.workbook.pack_facts import Facts, compared, files, readings
from xlmodel.workbook.pack_sheets import (
    write_compared,
    write_conventions,
    write_files,
    write_readings,
    write_recomputed,
    write_sources,
    write_summary,
)
from xlmodel.workbook.published_words import sources
from xlmodel.workbook.refresh import read_package, refresh
from xlmodel.workbook.validate import validate


def gather(workbook: Path, published: Path) -> Facts:
    """Evaluate a workbook, compare it, hash its files, try other readings.  Nothing is written.

    Raises what evaluating raises, NamesMissing for a workbook without names, BadPublished for figures that
    cannot be read or that are not there.
    """
    package = read_package(workbook)
    refreshed = refresh(package)
    book = Book(package, refreshed.evaluation)
    model = read_model(package) if is_deal(package) else None
    every = compared(book, published, model)
    found = validate(package, refreshed.evaluation, published)
    ties = {one.tie for one in every}
    source = published / "SOURCE.md"
    return Facts(
        title=model.title if model else workbook.stem,
        workbook=workbook.name,
        xlmodel=__version__,
        functions=functions_version(),
        compared=every,
        altered=found.altered,
        checks=[(check.name, check.ok) for check in found.checks if check.name not in ties],
        formulas=refreshed.evaluation.formulas,
        ours=refreshed.evaluation.functions,
        stale=len(refreshed.changes),
        model=model,
        readings=readings(model, published, every) if model else (),
        sources=sources(published),
        source_text=source.read_text(encoding="utf-8").splitlines() if source.is_file() else (),
        files=files(workbook, published),
    )


def pack(facts: Facts) -> bytes:
    """The pack as .xlsx, its formulas with their values."""
    book = empty_book(f"{facts.title} - Tie-out pack")
    sheets: tuple[tuple[str, Any], ...] = (
        ("Summary", write_summary),
        ("Compared", write_compared),
        ("Recomputed", write_recomputed),
        ("Readings", write_readings),
        ("Conventions", write_conventions),
        ("Sources", write_sources),
        ("Files", write_files),
    )
    for title, write in sheets:
        sheet: Worksheet = book.create_sheet(title)
        write(sheet, facts)
    return refresh(open_package(packed(book), name="pack")).data
