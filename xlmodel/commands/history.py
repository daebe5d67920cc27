"""When a number moved, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.options import JsonFile


def history(
    file: Annotated[Path, typer.Argument(help="Workbook, whose history lies beside it.")],
    cell: Annotated[
        str | None, typer.Argument(help="Cell, such as Summary!B5, or name of one; all runs if left out.")
    ] = None,
    json: JsonFile = None,
) -> None:
    """Show the runs of a workbook, or the runs in which a cell moved, with the inputs behind it.

    Example: xlmodel history workbooks/carmax_1999_1/carmax_1999_1.xlsx Summary!B5
    """
    from json import dumps

    from xlmodel.night.causes import find_cell, moves
    from xlmodel.night.history import History, history_file
    from xlmodel.night.telling import cell_as_json, runs_as_json, tell_cell, tell_runs
    from xlmodel.workbook.replace import replace_file

    with History.read(file) as known:
        if not known.runs():
            raise _none(history_file(file))
        if cell is None:
            tell_runs(known)
            document = runs_as_json(known)
        else:
            place = find_cell(known, cell)
            found = moves(known, place)
            tell_cell(place, found)
            document = cell_as_json(place, found)
    if json is not None:
        replace_file(json, (dumps(document, indent=2) + "\n").encode())


def _none(file: Path) -> Exception:
    from xlmodel.errors import NoHistory

    return NoHistory("there is no history").at(file=str(file))
