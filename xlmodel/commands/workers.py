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
"""Seconds that a piece of work may take where there are several and nothing else is said."""


def workers(
    processes: int, pieces: int, timeout: float | None, scheduler: str | None, context: typer.Context
) -> AbstractContextManager[Executor | None]:
    """Whoever works on so many pieces; None, this process, for a single one that may take any time.

    Several pieces, such as workbooks, have processes of their own even where one is enough: one that kills
    its process must not end the night.
    """
    if scheduler is not None:
        from xlmodel.night.cluster import cluster

        return cluster(scheduler, timeout or TIMEOUT)
    if pieces == 1 and timeout is None:
        return nullcontext()
    from xlmodel.processes.supervised import SupervisedPool

    shared = context.parent.params if context.parent else {}
    log = shared.get("log_file"), bool(shared.get("verbose")), bool(shared.get("quiet"))
    return SupervisedPool(
        min(processes, pieces), timeout=timeout or TIMEOUT, prepare=(_begin_worker, log, {})
    )


def _begin_worker(log_file: Path | None, verbose: bool, quiet: bool) -> None:
    process.set_up()
    journal.set_up(log_file, verbose=verbose, quiet=quiet)
