"""Regenerate: refresh and validate workbooks side by side, each with a result of its own."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from xlmodel.errors import BadUsage, Category, InternalError, XlmodelError
from xlmodel.workbook.refresh import read_package, refresh
from xlmodel.workbook.replace import replace_file
from xlmodel.workbook.validate import Check, Validation, validate

log = logging.getLogger(__name__)

SUFFIXES = (".xlsx", ".xlsm")


class Status(Enum):
    """What became of a workbook, and the exit code that says so."""

    OK = ("ok", 0)
    MISMATCH = ("mismatch", 1)
    FAILED = ("failed", 1)
    REFUSED = ("refused", 2)

    @property
    def word(self) -> str:
        return self.value[0]

    @property
    def exit_code(self) -> int:
        return self.value[1]


@dataclass(frozen=True)
class Job:
    """A workbook to regenerate: where it is, where its result goes, what to compare it with."""

    source: Path
    target: Path
    published: Path


@dataclass(frozen=True)
class Result:
    """What became of one workbook: small and plain, since it may come from another process."""

    job: Job
    status: Status
    error: str | None
    seconds: float
    formulas: int = 0
    functions: int = 0
    changed: int = 0
    validation: Validation | None = None

    @property
    def checks(self) -> tuple[Check, ...]:
        return self.validation.checks if self.validation else ()


def find_jobs(paths: Sequence[Path], out: Path | None = None, published: Path | None = None) -> list[Job]:
    """The workbooks below the paths, in order; with ``out`` their copies keep their place below it.

    Raises BadUsage for a path that does not exist.  Files that a program holds open (``~$``) and our own
    temporary ones are left out.
    """
    jobs = []
    for path in paths:
        if not path.exists():
            raise BadUsage(f"there is no file or folder {path}")
        root = path if path.is_dir() else path.parent
        found = sorted(_workbooks(path)) if path.is_dir() else [path]
        for source in found:
            target = out / source.relative_to(root) if out else source
            jobs.append(Job(source, target, published or source.parent / "published"))
    return jobs


def check(job: Job) -> Result:
    """Evaluate a workbook and compare it; nothing is written."""
    return regenerate(job, write=False)


def regenerate(job: Job, *, keep_errors: bool = False, write: bool = True) -> Result:
    """Evaluate a workbook, compare it, write it if it changed.  Never raises an XlmodelError.

    A mismatch is written all the same: the values follow from the inputs.  A refused or failed workbook
    leaves its target as it was.
    """
    start = time.perf_counter()
    formulas = functions = changed = 0
    validation: Validation | None = None
    try:
        package = read_package(job.source)
        refreshed = refresh(package, keep_errors=keep_errors)
        formulas, functions = refreshed.evaluation.formulas, refreshed.evaluation.functions
        changed = len(refreshed.changes)
        validation = validate(package, refreshed.evaluation, job.published)
        if write and (refreshed.data is not package.data or job.target != job.source):
            replace_file(job.target, refreshed.data)
        status = Status.OK if validation.ok else Status.MISMATCH
        error = None if validation.ok else _first_miss(validation)
    except XlmodelError as raised:
        status = Status.REFUSED if raised.category is Category.REFUSED else Status.FAILED
        error = str(raised)
    except Exception as fault:  # a fault of ours in one workbook must not hold up the others
        log.exception("%s failed", job.source)
        status, error = Status.FAILED, _fault(job, fault)
    seconds = time.perf_counter() - start
    log.info("%s: %s in %.2f s%s", job.source, status.word, seconds, f": {error}" if error else "")
    return Result(job, status, error, seconds, formulas, functions, changed, validation)


def run(
    jobs: Sequence[Job],
    executor: Executor | None = None,
    *,
    keep_errors: bool = False,
    done: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Regenerate all jobs, on the executor if one is given; ``done`` hears of each result as it comes.

    The results stand in the order of the jobs, whichever is finished first.  A process that dies fails
    the workbooks that it had not given back, each by name.
    """
    results: dict[int, Result] = {}
    if executor is None:
        for at, job in enumerate(jobs):
            results[at] = regenerate(job, keep_errors=keep_errors)
            done(results[at])
    else:
        places = {_submitted(executor, job, keep_errors=keep_errors): at for at, job in enumerate(jobs)}
        for future in as_completed(places):
            at = places[future]
            fault = future.exception()
            results[at] = (
                Result(jobs[at], Status.FAILED, _fault(jobs[at], fault), 0.0) if fault else future.result()
            )
            done(results[at])
    return [results[at] for at in range(len(jobs))]


def _submitted(executor: Executor, job: Job, *, keep_errors: bool) -> Future[Result]:
    try:
        return executor.submit(regenerate, job, keep_errors=keep_errors)
    except BrokenExecutor as fault:  # a process has died already; this job fails like those it held
        failed: Future[Result] = Future()
        failed.set_exception(fault)
        return failed


def exit_code(results: Sequence[Result]) -> int:
    """The highest exit code of all results."""
    return max((result.status.exit_code for result in results), default=0)


def as_json(results: Sequence[Result]) -> dict[str, Any]:
    """A run as plain data, for ``--json``."""
    return {"workbooks": [_as_json(result) for result in results]}


def _as_json(result: Result) -> dict[str, Any]:
    return {
        "path": str(result.job.target),
        "status": result.status.word,
        "error": result.error,
        "seconds": round(result.seconds, 4),
        "formulas": result.formulas,
        "functions": result.functions,
        "changed": result.changed,
        "checks": [
            {
                "name": check.name,
                "cells": check.cells,
                "matched": check.matched,
                "informative": check.informative,
                "informative_matched": check.informative_matched,
                "worst": check.worst,
            }
            for check in result.checks
        ],
    }


def _workbooks(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if (
            path.suffix.lower() in SUFFIXES
            and path.is_file()
            and not path.name.startswith(("~$", ".xlmodel-"))
        ):
            yield path


def _first_miss(validation: Validation) -> str:
    misses = list(validation.misses)
    more = f" and {len(misses) - 1} more" if len(misses) > 1 else ""
    return f"{misses[0]}{more}"


def _fault(job: Job, fault: BaseException) -> str:
    return str(InternalError(f"{type(fault).__name__}: {fault}").at(file=str(job.source)))
