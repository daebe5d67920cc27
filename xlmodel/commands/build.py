"""Folder to workbook."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.said import say, waiting


class FormName(StrEnum):
    """The forms of ``workbook/forms.py``, which the command line must know without loading them."""

    LIVE = "live"
    VALUES = "values"
    NATIVE = "native"


def build(
    folder: Annotated[Path, typer.Argument(help="Folder with deal.toml or model.toml.")],
    form: Annotated[
        FormName,
        typer.Option(help="live: our functions; values: none of them; native: plain formulas instead."),
    ] = FormName.LIVE,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Workbook to write; by default FOLDER/NAME.xlsx, NAME_values.xlsx, NAME_native.xlsx."
        ),
    ] = None,
    formulas_only: Annotated[
        bool, typer.Option("--formulas-only", help="Do not fill in the values.")
    ] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Overwrite a workbook whose inputs or formulas were edited since it was built."
        ),
    ] = False,
) -> None:
    """Make the workbook of a folder: a deal, or another kind whose model.toml says what it is.

    Example: xlmodel build workbooks/carmax_1999_1

    Example: xlmodel build --form native workbooks/carmax_1999_1
    """
    from xlmodel.package.guard import open_package
    from xlmodel.workbook.forms import FORMS
    from xlmodel.workbook.formulas import require_no_edited_formulas
    from xlmodel.workbook.inputs import require_no_edits
    from xlmodel.workbook.refresh import read_package
    from xlmodel.workbook.replace import replace_file

    chosen = FORMS[form.value]
    target = out or chosen.file(folder)
    with waiting(f"building {target.name}"):
        package = open_package(chosen.build(folder), name=str(target))
        if target.exists() and not force:
            existing = read_package(target)
            require_no_edits(existing, package)
            require_no_edited_formulas(existing, package)
        data = package.data if formulas_only else chosen.with_values(package)
    replace_file(target, data)
    say(f"built {target}")
