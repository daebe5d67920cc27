"""One deal in one scenario, as CSV files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.said import say, waiting


def run(
    source: Annotated[Path, typer.Argument(help="Deal folder, or workbook whose ranges are the deal.")],
    out: Annotated[Path, typer.Option(help="Folder for the CSV files.")],
    scenario: Annotated[str | None, typer.Option(help="Name of the scenario; the first by default.")] = None,
) -> None:
    """Run a deal in one scenario and write collections, distributions, ledger and accounts as CSV files.

    Example: xlmodel run workbooks/carmax_1999_1 --scenario stress --out stress
    """
    from xlmodel.workbook.export import export_run

    with waiting(f"running {source.name}"):
        written = list(export_run(source, scenario, out))
    for path in written:
        say(f"wrote {path}")
