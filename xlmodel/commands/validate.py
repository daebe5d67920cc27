"""A workbook against what was published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.options import JsonFile, Published
from xlmodel.commands.results import report
from xlmodel.commands.said import waiting


def validate(
    file: Annotated[Path, typer.Argument(help="Workbook to compare.")],
    published: Published = None,
    json: JsonFile = None,
) -> None:
    """Compare what a workbook computes with what was published, at the printed precision.

    Example: xlmodel validate workbooks/carmax_1999_1/carmax_1999_1.xlsx
    """
    from xlmodel.night.job import Job
    from xlmodel.night.regenerate import check

    with waiting(f"comparing {file.name}"):
        result = check(Job(file, file, published or file.parent / "published"))
    report([result], json)
