"""Values into a workbook, in place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.options import KeepErrors, Strict
from xlmodel.commands.said import say, waiting


def refresh(
    file: Annotated[Path, typer.Argument(help="Workbook to refresh, in place.")],
    out: Annotated[Path | None, typer.Option(help="Write here instead of in place.")] = None,
    keep_errors: KeepErrors = False,
    strict: Strict = False,
) -> None:
    """Evaluate every formula and put the values into the file; every other byte stays.

    Example: xlmodel refresh workbooks/carmax_1999_1/carmax_1999_1.xlsx
    """
    from xlmodel.workbook.refresh import read_package
    from xlmodel.workbook.refresh import refresh as evaluate_and_splice
    from xlmodel.workbook.replace import replace_file

    package = read_package(file)
    with waiting(f"evaluating {file.name}"):
        refreshed = evaluate_and_splice(package, keep_errors=keep_errors, strict=strict)
    target = out or file
    if refreshed.data is not package.data or target != file:
        replace_file(target, refreshed.data, read={file: package.data})
    evaluation = refreshed.evaluation
    for warning in evaluation.warnings:
        typer.echo(f"{target}: {warning}", err=True)
    say(
        f"{target}: {evaluation.formulas} formulas, {evaluation.functions} of them ours, "
        f"{len(refreshed.changes)} cached values changed"
    )
