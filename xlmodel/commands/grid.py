"""A grid of scenarios, here, in several processes or on a cluster."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.workers import workers
from xlmodel.errors import BadUsage

_AT_A_CLUSTER = 64  # blocks under way, which keep as many workers busy


def grid(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Deal folder.")],
    out: Annotated[Path, typer.Option(help="CSV file to write: a row a scenario.")],
    speed: Annotated[
        str | None, typer.Option(help="Speeds: 0.01,0.015 or first:last:count, such as 0.005:0.018:14.")
    ] = None,
    loss: Annotated[str | None, typer.Option(help="Default rates or net losses, likewise.")] = None,
    severity: Annotated[str | None, typer.Option(help="Severities, likewise.")] = None,
    lag: Annotated[str | None, typer.Option(help="Recovery lags in months, likewise.")] = None,
    scenario: Annotated[
        str | None, typer.Option(help="Scenario that is varied; the first by default.")
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(min=1, help="Processes here that share a grid of more than 250 scenarios."),
    ] = 1,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, such as tcp://10.0.0.5:8786.")
    ] = None,
) -> None:
    """Run a deal over a grid of speeds, losses, severities and lags, and write a row a scenario.

    Example: xlmodel grid workbooks/carmax_1999_1 --scenario stress --loss 0:0.1:11 --out grid.csv
    """
    from xlmodel.analytics.grid import block_count, run_grid, run_grid_by
    from xlmodel.deal.folder import read_folder, stacked_rows
    from xlmodel.deal.scenario import read_scenarios, select
    from xlmodel.workbook.replace import replace_file

    given = {"speed": speed, "loss": loss, "severity": severity, "lag": lag}
    axes = {name: _values(name, text) for name, text in given.items() if text is not None}
    if not axes:
        raise BadUsage("no axis is given", remedy="give --speed, --loss, --severity or --lag")
    found = read_folder(folder)
    base = select(read_scenarios(found.scenarios), scenario or found.scenarios[1][0])
    processes = min(jobs, block_count(axes))
    here = scheduler is None and processes == 1
    with nullcontext() if here else workers(processes, None, scheduler, context) as executor:
        if executor is None:
            result = run_grid(found.deal, found.pool, base, axes)
        else:
            tables = stacked_rows(found.stacked), found.classes, found.payments
            chosen = found.scenarios, base.names[0]
            under_way = 2 * processes if scheduler is None else _AT_A_CLUSTER
            result = run_grid_by(executor, tables, found.pool, *chosen, axes, under_way)
    replace_file(out, result.frame().to_csv(lineterminator="\n").encode("utf-8"))
    count = len(next(iter(result.items.values())).ravel())
    typer.echo(f"wrote {out}: {count:,} scenarios, {len(result.items)} results of each")


def _values(name: str, text: str) -> list[float]:
    """``a,b,c`` or ``first:last:count``."""
    try:
        if ":" not in text:
            return [float(part) for part in text.split(",")]
        first, last, count = text.split(":")
        steps = int(count) - 1
        if steps < 1:
            raise ValueError
        low, high = float(first), float(last)
        return [round(low + (high - low) * n / steps, 12) for n in range(steps + 1)]
    except ValueError:
        raise BadUsage(
            f"--{name} {text} is no list of numbers", remedy="write 0.01,0.015 or first:last:count"
        ) from None
