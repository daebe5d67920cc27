"""A workbook as text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def show(file: Annotated[Path, typer.Argument(help="Workbook; it is not changed.")]) -> None:
    """Print a workbook in terms, a value a line: a text that can be compared, by git too.

    Of a deal: terms, fees, measures, classes, clauses, pool, scenarios, then average lives and first
    interest. Of any other workbook: its typed cells and formulas.

    Example: xlmodel show workbooks/carmax_1999_1/carmax_1999_1.xlsx
    """
    from xlmodel.workbook.refresh import read_package
    from xlmodel.workbook.text_form import text_of

    typer.echo("\n".join(text_of(read_package(file))))
