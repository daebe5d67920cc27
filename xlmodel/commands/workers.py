"""Processes that work side by side."""

from __future__ import annotations

import gc
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from xlmodel import journal

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import typer


def collect_rarely() -> None:
    """Look for cycles among objects less often.

    A workbook is hundreds of thousands of small objects without cycles; looking for them costs a tenth of the
    time.
    """
    gc.set_threshold(200_000, 50, 50)


def workers(count: int, context: typer.Context) -> AbstractContextManager[Executor | None]:
    """Processes that log as this one does; none where one is enough.

    They are spawned, not forked, on every system: a fork would copy the locks of the progress bar's thread.
    """
    if count == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    shared = context.parent.params if context.parent else {}
    return ProcessPoolExecutor(
        count,
        get_context("spawn"),
        initializer=_begin_worker,
        initargs=(shared.get("log_file"), bool(shared.get("verbose")), bool(shared.get("quiet"))),
    )


def _begin_worker(log_file: Path | None, verbose: bool, quiet: bool) -> None:
    collect_rarely()
    journal.set_up(log_file, verbose=verbose, quiet=quiet)
