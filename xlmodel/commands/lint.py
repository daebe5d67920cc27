"""What in a workbook will be slow, fragile or stale."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.options import JsonFile
from xlmodel.commands.said import say, waiting


def lint(
    file: Annotated[Path, typer.Argument(help="Workbook to look through; it is not changed.")],
    json: JsonFile = None,
) -> None:
    """Warn of what will be slow, fragile or stale in a workbook; docs/lint.md lists the rules.

    Ends with 0 where nothing is found, 1 with findings, 2 for a file that is refused.

    Example: xlmodel lint workbooks/carmax_1999_1/carmax_1999_1.xlsx
    """
    from json import dumps

    from xlmodel.workbook.lint import as_json
    from xlmodel.workbook.lint import lint as find
    from xlmodel.workbook.refresh import read_package
    from xlmodel.workbook.replace import replace_file

    with waiting(f"looking through {file.name}"):
        findings = find(read_package(file))
    for finding in findings:
        typer.echo(str(finding))
    if json is not None:
        replace_file(json, (dumps(as_json(str(file), findings), indent=2) + "\n").encode())
    say(f"{file}: {len(findings)} finding{'' if len(findings) == 1 else 's'}")
    if findings:
        raise typer.Exit(1)
