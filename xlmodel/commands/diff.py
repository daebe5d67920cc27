"""Two workbooks compared in terms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.errors import XlmodelError


def diff(
    old: Annotated[Path, typer.Argument(help="Deal workbook.")],
    new: Annotated[Path, typer.Argument(help="Deal workbook to compare with it.")],
) -> None:
    """Tell what differs between two deal workbooks in terms, and what that does to the results.

    Ends with 0 where they say the same, 1 where they differ, 2 for a file that is refused or is no deal.

    Example: xlmodel diff before.xlsx workbooks/carmax_1999_1/carmax_1999_1.xlsx
    """
    from xlmodel.workbook.difference import difference
    from xlmodel.workbook.in_terms import read_model
    from xlmodel.workbook.refresh import read_package

    try:
        found = difference(read_model(read_package(old)), read_model(read_package(new)))
    except XlmodelError as error:
        # 1 means that the workbooks differ, so it cannot mean that nobody knows.
        typer.echo(f"xlmodel: {error}", err=True)
        raise typer.Exit(2) from None
    if found.same:
        typer.echo("The workbooks say the same.")
        return
    for heading, sentences in (
        ("Changed", found.inputs),
        ("Besides the inputs", found.besides),
        ("What that does", found.effects),
    ):
        if sentences:
            typer.echo(f"{heading}:")
            for sentence in sentences:
                typer.echo(f"  {sentence}")
    raise typer.Exit(1)
