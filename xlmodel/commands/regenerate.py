"""Many workbooks: refresh and validate each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.options import JsonFile, KeepErrors, Published
from xlmodel.commands.results import report
from xlmodel.commands.workers import workers
from xlmodel.errors import BadUsage


def regenerate(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Workbooks, or folders of them.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write copies here instead of in place.")] = None,
    published: Published = None,
    keep_errors: KeepErrors = False,
    json: JsonFile = None,
    processes: Annotated[
        int, typer.Option(min=1, help="Processes to work side by side; by default one a core.")
    ] = os.cpu_count() or 1,
) -> None:
    """Refresh and validate every workbook found; by default those below workbooks/.

    Example: xlmodel regenerate --json results.json
    """
    from xlmodel.night.run import find_jobs, run
    from xlmodel.night.terminal import progress

    jobs = find_jobs(paths or [Path("workbooks")], out, published)
    if not jobs:
        raise BadUsage("no workbook found", remedy="name a .xlsx file or a folder that holds one")
    with workers(min(processes, len(jobs)), context) as executor, progress(len(jobs)) as advance:
        results = run(
            jobs,
            executor,
            keep_errors=keep_errors,
            done=lambda result: advance(result.job.source.name),
        )
    report(results, json)
