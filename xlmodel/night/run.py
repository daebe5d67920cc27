"""A night: workbooks side by side, each with a result of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any

from xlmodel.errors import NoScheduler, XlmodelError
from xlmodel.night.job import Job, Options
from xlmodel.night.record import Source
from xlmodel.night.regenerate import Begun, begin, finish, give_up, regenerate
from xlmodel.night.result import Result
from xlmodel.night.versions import versions
from xlmodel.night.work import evaluate_elsewhere

AHEAD = 32
"""Workbooks that are handed out before the first one is back; more would only fill the memory."""

_Pending = dict[Future[Any], tuple[int, Begun]]


def run(
    jobs: Sequence[Job],
    executor: Executor | None = None,
    options: Options | None = None,
    *,
    elsewhere: bool = False,
    done: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Regenerate all jobs, on the executor if one is given; ``done`` hears of each result as it comes.

    ``elsewhere``: the executor's workers share no disk with us, so workbooks travel as bytes and are written
    here.  The results stand in the order of the jobs, whichever is finished first.  A process that dies
    fails the workbook that it worked on, by name.
    """
    options = options or Options()
    results: dict[int, Result] = {}
    for at, result in _results(jobs, executor, options, elsewhere=elsewhere):
        results[at] = result
        done(result)
    return [results[at] for at in range(len(jobs))]


def _results(
    jobs: Sequence[Job], executor: Executor | None, options: Options, *, elsewhere: bool
) -> Iterator[tuple[int, Result]]:
    if executor is None:
        yield from ((at, regenerate(job, options)) for at, job in enumerate(jobs))
        return
    hand_out = _bytes_of if elsewhere else _path_of
    waiting = iter(enumerate(jobs))
    pending: _Pending = {}
    while True:
        for at, job in waiting:
            begun = hand_out(executor, job, options)
            if isinstance(begun, Result):
                yield at, begun
                continue
            future, known = begun
            pending[future] = at, known
            if len(pending) >= AHEAD:
                break
        if not pending:
            return
        ready, _ = wait(pending, return_when=FIRST_COMPLETED)
        yield from _taken(ready, pending, elsewhere=elsewhere)


def _taken(
    ready: Iterable[Future[Any]], pending: _Pending, *, elsewhere: bool
) -> Iterator[tuple[int, Result]]:
    for future in ready:
        at, begun = pending.pop(future)
        fault = _fault(future)
        if fault is not None:
            yield at, give_up(begun, fault)
        elif elsewhere:
            yield at, finish(begun, future.result())
        else:
            yield at, future.result()


def _fault(future: Future[Any]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError:
        return NoScheduler("the work was cancelled: the cluster is gone")


def _path_of(executor: Executor, job: Job, options: Options) -> tuple[Future[Any], Begun]:
    known = Begun(job, options, Source(b"", {}), time.perf_counter())
    return _submitted(executor, regenerate, job, options), known


def _bytes_of(executor: Executor, job: Job, options: Options) -> tuple[Future[Any], Begun] | Result:
    begun = begin(job, options)
    if isinstance(begun, Result):
        return begun
    data, published = begun.source.data, begun.source.published
    return _submitted(executor, evaluate_elsewhere, begun.name, data, published, options, versions()), begun


def _submitted(executor: Executor, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
    try:
        return executor.submit(work, *arguments)
    except (BrokenExecutor, XlmodelError, OSError) as fault:  # this job fails like those that it held
        failed: Future[Any] = Future()
        failed.set_exception(fault)
        return failed
