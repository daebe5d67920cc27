"""Folder to workbook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.said import say, waiting


def build(
    folder: Annotated[Path, typer.Argument(help="Folder with deal.toml or model.toml.")],
    out: Annotated[Path | None, typer.Option(help="Workbook to write; by default FOLDER/NAME.xlsx.")] = None,
    formulas_only: Annotated[
        bool, typer.Option("--formulas-only", help="Do not fill in the values.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a workbook whose inputs were edited.")
    ] = False,
) -> None:
    """Make the workbook of a folder: a deal, or another kind whose model.toml says what it is.

    Example: xlmodel build workbooks/carmax_1999_1
    """
    from xlmodel.package.guard import open_package
    from xlmodel.workbook.build import build_folder
    from xlmodel.workbook.inputs import require_same_inputs
    from xlmodel.workbook.refresh import read_package, refresh
    from xlmodel.workbook.replace import replace_file

    target = out or folder / f"{folder.resolve().name}.xlsx"
    with waiting(f"building {target.name}"):
        package = open_package(build_folder(folder), name=str(target))
        if target.exists() and not force:
            require_same_inputs(read_package(target), package)
        data = package.data if formulas_only else refresh(package).data
    replace_file(target, data)
    say(f"built {target}")
