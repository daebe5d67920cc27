"""Stratification of a tape file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def strat(
    file: Annotated[Path, typer.Argument(help="Tape: CSV, Parquet, xlsx or filing; one column is balance.")],
    by: Annotated[str, typer.Option(help="Heading of the column to sort into buckets.")],
    breaks: Annotated[
        str | None,
        typer.Option(
            help="Least number of each bucket, or names, separated by commas; all names by default."
        ),
    ] = None,
    average: Annotated[
        list[str] | None, typer.Option(help="Heading to average, weighted by balance; as often as wanted.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the table as CSV here too.")] = None,
) -> None:
    """Print a tape's contracts by buckets of a column: counts, balances, their parts, averages.

    Example: xlmodel strat tape.csv --by "remaining term" --breaks 1,13,25,37,49,61 --average rate
    """
    from xlmodel.pool.tape.columns import read_columns
    from xlmodel.workbook.replace import replace_file
    from xlmodel.workbook.strata import aligned, as_csv, as_text, strata_of

    headings = average or []
    strata = strata_of(read_columns(file), by, breaks.split(",") if breaks else None, headings)
    typer.echo(aligned([[by, "Contracts", "%", "Balance", "%", *headings], *as_text(strata)]))
    if out is not None:
        replace_file(out, as_csv(strata, by).encode("utf-8"))
        typer.echo(f"wrote {out}")
