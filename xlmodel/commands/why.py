"""Where the number of a cell comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.options import Published


def why(
    file: Annotated[Path, typer.Argument(help="Workbook; it is not changed.")],
    cell: Annotated[str, typer.Argument(help="A cell, such as Distributions!F12, or a name.")],
    published: Published = None,
) -> None:
    """Tell in a paragraph where a number comes from: clause, inputs, what bound it, the cash left.

    Example: xlmodel why workbooks/carmax_1999_1/carmax_1999_1.xlsx Distributions!E7
    """
    from xlmodel.workbook.cell_words import Book, parse_target
    from xlmodel.workbook.refresh import read_package, refresh
    from xlmodel.workbook.why import why as explain

    package = read_package(file)
    target = parse_target(package, cell)
    book = Book(package, refresh(package, keep_errors=True).evaluation)
    typer.echo(explain(book, published or file.parent / "published", target))
