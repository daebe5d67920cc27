"""Many workbooks: refresh and validate each."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands import results as ending
from xlmodel.commands.options import JsonFile, KeepErrors, Published, Strict
from xlmodel.commands.workers import workers
from xlmodel.errors import BadUsage

_TIMEOUT = 600.0  # seconds that a workbook may take where several are worked on and nothing else is said


def regenerate(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Workbooks, or folders of them.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write copies here instead of in place.")] = None,
    published: Published = None,
    keep_errors: KeepErrors = False,
    strict: Strict = False,
    json: JsonFile = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a report of HTML pages into this folder.")
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, help="Workbooks to work on side by side; by default one a core.")
    ] = os.cpu_count() or 1,
    timeout: Annotated[
        float | None,
        typer.Option(min=0.001, help="Seconds a workbook may take; by default 600 where there are several."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Work on the Dask cluster at this address, tcp://HOST:PORT; extra cluster."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Evaluate workbooks that have not changed, too.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Recalculate with LibreOffice, and report what differs.")
    ] = False,
    no_records: Annotated[
        bool, typer.Option("--no-records", help="Keep no .json and .sqlite beside workbooks; skip none.")
    ] = False,
) -> None:
    """Refresh and validate every workbook found; by default those below workbooks/.

    Beside each workbook a record (.json) and its history (.sqlite) are kept; one that has not changed since
    its last good run is skipped.

    Example: xlmodel regenerate --jobs 2 --json results.json --report report
    """
    from xlmodel.night.job import Options, find_jobs
    from xlmodel.night.run import run
    from xlmodel.night.terminal import progress

    found = find_jobs(paths or [Path("workbooks")], out, published)
    if not found:
        raise BadUsage("no workbook found", remedy="name a .xlsx file or a folder that holds one")
    if verify and scheduler is None:
        from xlmodel.faces.libreoffice.program import soffice

        soffice()  # where it is missing, say so before the night and not after it
    options = Options(
        keep_errors=keep_errors,
        strict=strict,
        force=force,
        records=not no_records,
        verify=verify,
        figures=report is not None,
    )
    # Several workbooks have processes of their own even where one is enough: a workbook that kills its
    # process must not end the night.
    here = scheduler is None and len(found) == 1 and timeout is None
    elsewhere = (min(jobs, len(found)), timeout or _TIMEOUT, scheduler, context)
    with (
        nullcontext() if here else workers(*elsewhere) as executor,
        progress(len(found)) as advance,
    ):
        done = run(
            found,
            executor,
            options,
            elsewhere=scheduler is not None,
            done=lambda result: advance(result.job.source.name),
        )
    ending.report(done, json, report)
