"""Regenerate: refresh and validate workbooks, one after the other, each with a result of its own."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from xlmodel.errors import BadUsage, Category, InternalError, XlmodelError
from xlmodel.workbook.refresh import Refreshed, read_package, refresh
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
    """What became of one workbook."""

    job: Job
    status: Status
    error: str | None
    seconds: float
    refreshed: Refreshed | None = None
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
    refreshed: Refreshed | None = None
    validation: Validation | None = None
    try:
        package = read_package(job.source)
        refreshed = refresh(package, keep_errors=keep_errors)
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
        status = Status.FAILED
        error = str(InternalError(f"{type(fault).__name__}: {fault}").at(file=str(job.source)))
    seconds = time.perf_counter() - start
    log.info("%s: %s in %.2f s%s", job.source, status.word, seconds, f": {error}" if error else "")
    return Result(job, status, error, seconds, refreshed, validation)


def run(
    jobs: Sequence[Job], *, keep_errors: bool = False, done: Callable[[Result], None] = lambda result: None
) -> list[Result]:
    """Regenerate all jobs; ``done`` hears of each result as it comes."""
    results = []
    for job in jobs:
        results.append(regenerate(job, keep_errors=keep_errors))
        done(results[-1])
    return results


def exit_code(results: Sequence[Result]) -> int:
    """The highest exit code of all results."""
    return max((result.status.exit_code for result in results), default=0)


def as_json(results: Sequence[Result]) -> dict[str, Any]:
    """A run as plain data, for ``--json``."""
    return {"workbooks": [_as_json(result) for result in results]}


def _as_json(result: Result) -> dict[str, Any]:
    evaluation = result.refreshed.evaluation if result.refreshed else None
    return {
        "path": str(result.job.target),
        "status": result.status.word,
        "error": result.error,
        "seconds": round(result.seconds, 4),
        "formulas": evaluation.formulas if evaluation else 0,
        "functions": evaluation.functions if evaluation else 0,
        "changed": len(result.refreshed.changes) if result.refreshed else 0,
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
