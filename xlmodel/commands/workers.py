"""Who does the work: this process, others that are watched, or a cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from xlmodel import journal
from xlmodel.commands import process

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import typer

TIMEOUT = 600.0
"""Seconds that a workbook may take where several are worked on and nothing else is said."""


def workers(
    count: int, jobs: int, timeout: float | None, scheduler: str | None, context: typer.Context
) -> AbstractContextManager[Executor | None]:
    """Whoever works on so many workbooks; None, this process, for a single one that may take any time.

    Several workbooks have processes of their own even where one is enough: a workbook that kills its process
    must not end the night.
    """
    if scheduler is not None:
        from xlmodel.night.cluster import cluster

        return cluster(scheduler, timeout or TIMEOUT)
    if jobs == 1 and timeout is None:
        return nullcontext()
    from xlmodel.processes.supervised import SupervisedPool

    shared = context.parent.params if context.parent else {}
    log = shared.get("log_file"), bool(shared.get("verbose")), bool(shared.get("quiet"))
    return SupervisedPool(min(count, jobs), timeout=timeout or TIMEOUT, prepare=(_begin_worker, log, {}))


def _begin_worker(log_file: Path | None, verbose: bool, quiet: bool) -> None:
    process.set_up()
    journal.set_up(log_file, verbose=verbose, quiet=quiet)
