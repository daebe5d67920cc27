"""How a command ends that checked workbooks."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from xlmodel.commands.said import quiet, say

if TYPE_CHECKING:
    from xlmodel.night.result import Result


def report(results: list[Result], json_file: Path | None, pages: Path | None = None) -> None:
    """Print the closing table, write the JSON and the report, leave with the exit code."""
    from xlmodel.night.result import as_json, exit_code
    from xlmodel.night.terminal import closing_table
    from xlmodel.workbook.replace import replace_file

    code = exit_code(results)
    if code or not quiet():
        closing_table(results)
    if json_file is not None:
        replace_file(json_file, (dumps(as_json(results), indent=2) + "\n").encode())
    if pages is not None:
        from xlmodel.night.report import write_report

        say(f"wrote {write_report(results, pages)}")
    if code:
        raise typer.Exit(code)
