"""Tapes: read one, list what is wrong with it, make rep lines of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from xlmodel.errors import BadUsage

if TYPE_CHECKING:
    from xlmodel.pool.tape.reading import Tape

_SHOWN = 20

File = Annotated[Path, typer.Argument(help="Tape: .csv, .parquet, .xlsx, or .xml as filed (ABS-EE).")]
Map = Annotated[
    list[str] | None,
    typer.Option("--map", help='Heading of a field, such as "balance=CURR BAL"; as often as needed.'),
]
Percent = Annotated[
    bool | None,
    typer.Option("--percent/--decimal", help="What rates are; by default percent where the heading says so."),
]
Encoding = Annotated[str, typer.Option(help="Encoding of a CSV file.")]
Sheet = Annotated[str | None, typer.Option(help="Sheet of a workbook; the first by default.")]
Rejected = Annotated[Path | None, typer.Option(help="Write every rejected row and its reason here, as CSV.")]


def read_tape(
    file: File,
    columns: Map = None,
    percent: Percent = None,
    encoding: Encoding = "utf-8",
    sheet: Sheet = None,
    rejected: Rejected = None,
) -> None:
    """Read a tape and say what is on it; rejected rows are listed with their reasons.

    The exit code is 1 if a row was rejected.

    Example: xlmodel read-tape tape.csv --map "balance=CURR BAL" --rejected rejected.csv
    """
    tape = _read(file, columns, percent, encoding, sheet, rejected)
    if tape.rejected:
        raise typer.Exit(1)


def rep_lines(
    file: File,
    out: Annotated[Path, typer.Option(help="Write the lines here, as the pool.csv of a deal folder.")],
    rate_step: Annotated[float, typer.Option(help="Width of a bucket of rates, as a decimal.")] = 0.02,
    term_step: Annotated[int, typer.Option(help="Months of a bucket of terms.")] = 12,
    speed: Annotated[
        list[float] | None, typer.Option(help="Speed at which the error is shown; as often as wanted.")
    ] = None,
    model: Annotated[str, typer.Option(help="Prepayment model of the speeds.")] = "ABS",
    columns: Map = None,
    percent: Percent = None,
    encoding: Encoding = "utf-8",
    sheet: Sheet = None,
    rejected: Rejected = None,
) -> None:
    """Make rep lines of a tape by buckets of rate and terms, and show the error of doing so.

    Example: xlmodel rep-lines tape.csv --out pool.csv --rate-step 0.01
    """
    from xlmodel.pool.rep_lines import error_of, rep_lines
    from xlmodel.workbook.export import csv_bytes
    from xlmodel.workbook.replace import replace_file

    tape = _read(file, columns, percent, encoding, sheet, rejected)
    lines = rep_lines(tape.pool, rate_step, term_step)
    rows = zip(
        lines.pool.names,
        lines.pool.balance.tolist(),
        lines.pool.rate.tolist(),
        lines.pool.original_term.astype(int).tolist(),
        lines.pool.remaining_term.astype(int).tolist(),
        strict=True,
    )
    headings = ["pool", "balance", "rate", "original_term", "remaining_term"]
    replace_file(out, csv_bytes([headings, *map(list, rows)]))
    typer.echo(f"wrote {out}: {len(lines.pool)} lines for {len(tape.pool):,} contracts")
    error = error_of(lines, tape.pool, speed or [0.0, 0.01, 0.015], model)
    typer.echo("error of the lines   speed   balance, at most   all interest   average life   of the tape")
    for n, each in enumerate(error.speeds.tolist()):
        typer.echo(
            f"{each:>26.4%}   {error.balance[n]:>15.4%}   {error.interest[n]:>+12.4%}"
            f"   {error.average_life[n]:>9.4f} yr   {error.average_life_of_tape[n]:>8.4f} yr"
        )


def _read(
    file: Path,
    columns: list[str] | None,
    percent: bool | None,
    encoding: str,
    sheet: str | None,
    rejected: Path | None,
) -> Tape:
    from xlmodel.pool.tape.fields import LOAN
    from xlmodel.pool.tape.reading import read_tape
    from xlmodel.pool.tape.source import Options
    from xlmodel.workbook.export import csv_bytes
    from xlmodel.workbook.replace import replace_file

    pairs = [each.partition("=") for each in columns or []]
    for field, sign, heading in pairs:
        if not (field.strip() and sign and heading.strip()):
            raise BadUsage(f"--map {field}{sign}{heading} is no field=heading", remedy='write "balance=BAL"')
    given = {field.strip().lower(): heading.strip() for field, _, heading in pairs}
    tape = read_tape(file, Options(given, percent, encoding, sheet))
    pool = tape.pool
    total = float(pool.balance.sum())
    typer.echo(f"{file}: {tape.read:,} rows, {len(pool):,} contracts, {len(tape.rejected):,} rejected")
    typer.echo(", ".join(f"{field} from {heading!r}" for field, heading in tape.columns.items()))
    if tape.unread:
        more = f" and {len(tape.unread) - _SHOWN} more" if len(tape.unread) > _SHOWN else ""
        typer.echo(f"not read: {', '.join(map(repr, tape.unread[:_SHOWN]))}{more}")
    if LOAN not in tape.columns:
        typer.echo(
            "no column of loan numbers, so a contract that comes twice counts twice; name it with"
            ' --map "loan=HEADING"',
            err=True,
        )
    typer.echo(
        f"balance {total:,.2f}, rate {pool.balance @ pool.rate / total:.4%}, remaining term "
        f"{pool.balance @ pool.remaining_term / total:.2f}, age {pool.balance @ pool.age / total:.2f} months"
        " (averages by balance)"
    )
    if rejected is not None:
        table: list[list[object]] = [["row", "loan", "field", "reason"], *map(list, tape.rejected)]
        replace_file(rejected, csv_bytes(table))
        typer.echo(f"wrote {rejected}")
    for row in tape.rejected[: None if rejected is None else _SHOWN]:
        typer.echo(f"row {row.row}, loan {row.loan}: {row.reason}", err=True)
    if rejected is not None and len(tape.rejected) > _SHOWN:
        typer.echo(f"and {len(tape.rejected) - _SHOWN:,} more, all in {rejected}", err=True)
    return tape
