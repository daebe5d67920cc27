"""The tie-out pack of a workbook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.options import Published


def pack(
    file: Annotated[Path, typer.Argument(help="Workbook that is compared; it is not changed.")],
    out: Annotated[
        Path | None, typer.Option(help="Write here; by default beside the workbook, as NAME-tie-out.xlsx.")
    ] = None,
    published: Published = None,
) -> None:
    """Write a workbook for agreed-upon procedures: what was compared, how, and what came of it.

    Every figure with its rounding, what was recomputed, the readings that do not tie, conventions, sources
    and the hashes of all files. Ends with 1 where a figure does not tie; the pack is written all the same.

    Example: xlmodel pack workbooks/carmax_1999_1/carmax_1999_1.xlsx --out tie-out.xlsx
    """
    from xlmodel.errors import BadUsage
    from xlmodel.workbook.pack import gather
    from xlmodel.workbook.pack import pack as written
    from xlmodel.workbook.replace import replace_file

    target = out or file.with_name(f"{file.stem}-tie-out.xlsx")
    if target.resolve() == file.resolve():
        raise BadUsage("the pack would replace the workbook", remedy="give another file to --out")
    facts = gather(file, published or file.parent / "published")
    replace_file(target, written(facts))
    tied = sum(one.tied for one in facts.compared)
    typer.echo(f"wrote {target}: {tied} of {len(facts.compared)} figures tie")
    own = facts.readings[0].tied["decrement"][0] if facts.readings else 0
    for tried in facts.readings[1:]:
        decrement, cells = tried.tied["decrement"]
        more = f": {decrement - own} MORE than the workbook's own" if decrement > own else ""
        typer.echo(
            f"  reading {tried.name!r}: {decrement} of {cells} decrement cells tie, "
            f"{tried.informative[0]} of {tried.informative[1]} that could miss{more}"
        )
    if not facts.tied:
        raise typer.Exit(1)
