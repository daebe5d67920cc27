"""A deal folder from a template."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def new(
    name: Annotated[str, typer.Argument(help="Name of the deal; its folder is made here.")],
    like: Annotated[str, typer.Option(help="Template: the name of a deal that comes with the program.")],
) -> None:
    """Begin a deal folder from a template: its tables and pool, all assumed, without published figures.

    Example: xlmodel new my_deal --like carmax_2010_2
    """
    from xlmodel.workbook.new import start_deal

    folder = start_deal(name, like, Path())
    typer.echo(f"wrote {folder}; edit {folder / 'deal.toml'}, then: xlmodel build {folder}")
