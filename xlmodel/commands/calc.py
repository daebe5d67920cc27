"""A workbook recalculated by LibreOffice Calc."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.said import say, waiting
from xlmodel.errors import BadUsage, XlmodelError


def calc(
    file: Annotated[Path, typer.Argument(help="Workbook; it is read only.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the CSV files; by default one of the workbook's name, here."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Open a copy in a window instead.")] = False,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds that LibreOffice may take before it is ended.")
    ] = 300.0,
) -> None:
    """Recalculate a workbook with LibreOffice Calc and the add-in; write its values, one CSV file a sheet.

    Nothing needs to be registered before. Numbers are written with all digits, dates as serial numbers.

    Example: xlmodel calc workbooks/carmax_1999_1/carmax_1999_1.xlsx --out values
    """
    from xlmodel.faces.libreoffice.recalculate import open_window, recalculate
    from xlmodel.package.values import ErrorCode
    from xlmodel.workbook.refresh import read_package
    from xlmodel.workbook.replace import replace_file
    from xlmodel.workbook.sheet_csv import file_names, sheet_csv

    if show and out is not None:
        raise BadUsage("--show writes no files", remedy="leave out --out, or --show")
    package = read_package(file)
    if show:
        open_window(package)
        return
    with waiting("LibreOffice recalculates"):
        values = recalculate(package, seconds=timeout)
    written: dict[str, bytes] = {}
    for sheet, cells in values.items():
        try:
            written[sheet] = sheet_csv(cells)
        except XlmodelError as error:
            raise error.at(file=str(file), sheet=sheet) from None
    folder = out or Path(file.stem)
    for sheet, name in file_names(values).items():
        replace_file(folder / name, written[sheet])
        cells = values[sheet]
        errors = sum(isinstance(value, ErrorCode) for value in cells.values())
        shown = f", {errors} of them errors" if errors else ""
        say(f"wrote {folder / name}: {len(cells)} values{shown}")
