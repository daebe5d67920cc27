"""Which conventions make a published table."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

_READING = ("age", "first_months", "call", "rounding", "lives_from", "day_count")
_COLUMNS = (*_READING, "tied", "informative", "first_miss")


def search_conventions(
    folder: Annotated[Path, typer.Argument(help="Deal folder with published tables.")],
    top: Annotated[int, typer.Option(min=1, help="Rejected readings to show.")] = 10,
    log: Annotated[Path | None, typer.Option(help="Write every reading here, as CSV.")] = None,
) -> None:
    """Try every reading of a deal's printed tables and rank them by the figures that they tie.

    The deal's own terms about them are not used. The exit code is 1 if no reading ties all.

    Example: xlmodel search-conventions workbooks/carmax_1999_1 --log readings.csv
    """
    from xlmodel.analytics.convention_search import together
    from xlmodel.workbook.convention_search import search_folder
    from xlmodel.workbook.export import csv_bytes
    from xlmodel.workbook.replace import replace_file

    found = search_folder(folder)
    typer.echo(
        f"{len(found.readings):,} readings of {found.cells} printed figures, {found.informative} of them "
        "neither 0 nor 100%"
    )
    for number, each in enumerate(found.ties):
        typer.echo(f"{'ties' if not number else 'also ties'}: {each.words}")
    rejected = found.readings[len(found.ties) :]
    for words, each in islice(together(rejected), top):
        typer.echo(f"rejected, {each.tied} tie ({each.informative} informative): {words}: {each.first_miss}")
    if log is not None:
        table: list[list[object]] = [list(_COLUMNS)]
        table += [[getattr(each, name) for name in _COLUMNS] for each in found.readings]
        replace_file(log, csv_bytes(table))
        typer.echo(f"wrote {log}")
    if not found.ties:
        raise typer.Exit(1)
