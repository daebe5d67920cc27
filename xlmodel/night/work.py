"""The part of the work on a workbook that can be done anywhere: bytes in, bytes and findings out."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from xlmodel.errors import Category, InternalError, VersionsDiffer, XlmodelError
from xlmodel.night.job import Options
from xlmodel.night.result import Status
from xlmodel.night.versions import Versions, versions

if TYPE_CHECKING:
    from xlmodel.night.figures import Figures
    from xlmodel.night.history import Snapshot
    from xlmodel.night.verify import Verification
    from xlmodel.workbook.refresh import Change
    from xlmodel.workbook.validate import Validation

log = logging.getLogger(__name__)

# What another answer may come from although no input has changed.


@dataclass(frozen=True)
class Outcome:
    """What the work found.  ``data`` is the whole new file, None where nothing may be written."""

    status: Status
    error: str | None
    data: bytes | None = None
    formulas: int = 0
    functions: int = 0
    changes: Sequence[Change] = ()
    validation: Validation | None = None
    snapshot: Snapshot | None = None
    verification: Verification | None = None
    figures: Figures | None = None
    warnings: tuple[str, ...] = ()


def evaluate(name: str, data: bytes, published: Path, options: Options) -> Outcome:
    """Evaluate a workbook and compare it with the figures of a folder.  Nothing is written; never raises.

    A mismatch has new bytes all the same: the values follow from the inputs.
    """
    try:
        return _evaluate(name, data, published, options)
    except Exception as fault:  # a fault of ours in one workbook must not hold up the others
        return failure(name, fault)


def failure(name: str, fault: BaseException) -> Outcome:
    """The outcome of work that an error ended."""
    if isinstance(fault, XlmodelError):
        status = Status.REFUSED if fault.category is Category.REFUSED else Status.FAILED
        return Outcome(status, str(fault.at(file=name)))
    log.error("%s failed", name, exc_info=fault)
    return Outcome(Status.FAILED, str(InternalError(f"{type(fault).__name__}: {fault}").at(file=name)))


def evaluate_elsewhere(
    name: str, data: bytes, published: Mapping[str, bytes], options: Options, wanted: Versions
) -> Outcome:
    """``evaluate`` on a machine that has neither the workbook nor the figures.  Never raises.

    ``wanted``: the versions of the machine that asks; work with others is refused (VersionsDiffer).
    """
    if versions() != wanted:
        return failure(name, differing(wanted, versions()))
    with TemporaryDirectory(prefix="xlmodel-") as folder:
        for file, content in published.items():
            (Path(folder) / file).write_bytes(content)
        outcome = evaluate(name, data, Path(folder), options)
    if outcome.error is None:
        return outcome
    return replace(outcome, error=outcome.error.replace(folder, "published"))


def differing(wanted: Versions, found: Versions) -> VersionsDiffer:
    """The error of a worker that is not as this program is."""
    return VersionsDiffer(f"the worker has {found}; this program has {wanted}")


def _evaluate(name: str, data: bytes, published: Path, options: Options) -> Outcome:
    # Here, so that a workbook that is skipped costs no evaluator.
    from xlmodel.package.guard import open_package
    from xlmodel.workbook.refresh import refresh
    from xlmodel.workbook.validate import validate

    package = open_package(data, name=name)
    refreshed = refresh(package, keep_errors=options.keep_errors, strict=options.strict)
    evaluation = refreshed.evaluation
    validation = validate(package, evaluation, published, any_workbook=options.any_workbook)
    snapshot, figures, verification = None, None, None
    if options.records:
        from xlmodel.night.history import take

        snapshot = take(package, evaluation)
    if options.figures:
        from xlmodel.night.figures import figures_of

        figures = figures_of(package, evaluation.block, validation)
    if options.verify:
        from xlmodel.night.verify import verify

        verification = verify(open_package(refreshed.data, name=name))
    agreed = verification is None or verification.ok
    first = _first_miss(validation) if not validation.ok else str(verification) if not agreed else None
    return Outcome(
        status=Status.OK if first is None else Status.MISMATCH,
        error=first,
        data=refreshed.data,
        formulas=evaluation.formulas,
        functions=evaluation.functions,
        changes=refreshed.changes,
        validation=validation,
        snapshot=snapshot,
        verification=verification,
        figures=figures,
        warnings=(*evaluation.warnings, *validation.warnings),
    )


def _first_miss(validation: Validation) -> str:
    misses = list(validation.misses)
    more = f" and {len(misses) - 1} more" if len(misses) > 1 else ""
    return f"{misses[0]}{more}"
