"""What became of a workbook, and of a whole night, as small plain data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from xlmodel.night.job import Job

if TYPE_CHECKING:
    from xlmodel.night.figures import Figures
    from xlmodel.night.history import Changes
    from xlmodel.night.verify import Verification
    from xlmodel.workbook.validate import Check, Miss, Validation


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
class Result:
    """What became of one workbook: small and plain, since it may come from another process.

    ``changed`` counts cached values that were wrong; ``skipped``: nothing had changed since the last good
    run, whose checks these are; ``moved``: what differs from the run before.
    """

    job: Job
    status: Status
    error: str | None
    seconds: float
    formulas: int = 0
    functions: int = 0
    changed: int = 0
    validation: Validation | None = None
    skipped: bool = False
    verification: Verification | None = None
    moved: Changes | None = None
    figures: Figures | None = None
    warnings: tuple[str, ...] = ()

    @property
    def checks(self) -> tuple[Check, ...]:
        return self.validation.checks if self.validation else ()

    def after(self, seconds: float) -> Result:
        """The same, with the time that it took in all."""
        return replace(self, seconds=seconds)


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
        "skipped": result.skipped,
        "error": result.error,
        "seconds": round(result.seconds, 4),
        "formulas": result.formulas,
        "functions": result.functions,
        "changed": result.changed,
        "checks": [
            check_as_json(check) | {"misses": [_miss_as_json(miss) for miss in check.misses]}
            for check in result.checks
        ],
        "altered": [_miss_as_json(miss) for miss in result.validation.altered] if result.validation else [],
        "verifier": result.verification.as_json() if result.verification else None,
        "warnings": list(result.warnings),
    }


def check_as_json(check: Check) -> dict[str, Any]:
    """A check without its misses.  JSON has no infinity: a cell that holds no number has no distance."""
    worst = check.worst
    return {
        "name": check.name,
        "cells": check.cells,
        "matched": check.matched,
        "explained": check.explained,
        "informative": check.informative,
        "informative_matched": check.informative_matched,
        "worst": None if worst is None or math.isinf(worst) else worst,
    }


def _miss_as_json(miss: Miss) -> dict[str, Any]:
    """A cell that misses: what it is, where it stands, as printed, and unrounded.

    JSON knows no infinity and no NaN; nor does a cell.  What is not in a cell has the text of the report.
    """
    return {
        "what": miss.of,
        "sheet": miss.sheet,
        "cell": miss.cell,
        "expected": miss.printed or miss.expected,
        "found": miss.found if miss.value is None else miss.value,
    }
