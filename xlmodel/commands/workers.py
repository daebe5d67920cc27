"""Who does work that is not done here: processes that are watched, or a cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from xlmodel import journal
from xlmodel.commands import process

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import typer


def workers(
    processes: int, timeout: float | None, scheduler: str | None, context: typer.Context
) -> AbstractContextManager[Executor]:
    """So many processes of this machine, or those of a cluster.

    ``timeout``: seconds that a call may take, None for any number.
    """
    if scheduler is not None:
        from xlmodel.night.cluster import cluster

        return cluster(scheduler, timeout)
    from xlmodel.processes.supervised import SupervisedPool

    shared = context.parent.params if context.parent else {}
    log = shared.get("log_file"), bool(shared.get("verbose")), bool(shared.get("quiet"))
    return SupervisedPool(processes, timeout=timeout, prepare=(_begin_worker, log, {}))


def _begin_worker(log_file: Path | None, verbose: bool, quiet: bool) -> None:
    process.set_up()
    journal.set_up(log_file, verbose=verbose, quiet=quiet)
