"""One workbook: begun here, evaluated here or anywhere, finished here.

What touches the disk of the desk - reading, replacing the file, its sidecar and history - is in this file, so
that a cluster's workers need no disk in common.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xlmodel.errors import NotAWorkbook, NotWritten
from xlmodel.night.job import Job, Options
from xlmodel.night.record import Source, as_bytes, document, now, sidecar, unchanged
from xlmodel.night.result import Result
from xlmodel.night.versions import versions
from xlmodel.night.work import Outcome, evaluate, failure
from xlmodel.workbook.replace import sweep

if TYPE_CHECKING:
    from xlmodel.night.history import Changes, History

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Begun:
    """A workbook that has been read and is to be evaluated."""

    job: Job
    options: Options
    source: Source
    start: float

    @property
    def name(self) -> str:
        return str(self.job.source)


def check(job: Job) -> Result:
    """Evaluate a workbook and compare it; nothing is written."""
    begun = begin(job, Options(any_workbook=False, records=False))
    if isinstance(begun, Result):
        return begun
    outcome = evaluate(begun.name, begun.source.data, job.published, begun.options)
    return _reported(_result(begun, outcome, None))


def regenerate(job: Job, options: Options | None = None) -> Result:
    """Evaluate a workbook, compare it, write it if it changed, record the run.  Never raises.

    A mismatch is written all the same: the values follow from the inputs.  A refused or failed workbook
    leaves its target as it was.  One that has not changed since its last good run is skipped.
    """
    begun = begin(job, options or Options())
    if isinstance(begun, Result):
        return begun
    return finish(begun, evaluate(begun.name, begun.source.data, job.published, begun.options))


def begin(job: Job, options: Options) -> Begun | Result:
    """Read a workbook; the result at once where it is skipped or cannot be read.  Never raises."""
    start = time.perf_counter()
    source = Source(b"", {})
    sweep(job.target.parent)
    try:
        source = Source(_read(job.source), _published(job.published))
        if options.records and not options.force:
            last = unchanged(job, options, source)
            if last is not None:
                if options.figures:
                    last = _with_figures(last)
                return _reported(last.after(time.perf_counter() - start))
    except Exception as fault:
        return finish(Begun(job, options, source, start), failure(str(job.source), fault))
    return Begun(job, options, source, start)


def finish(begun: Begun, outcome: Outcome) -> Result:
    """Write what the work found: the workbook if it changed, its history, its sidecar.  Never raises.

    The sidecar comes last: it alone lets the next run skip the workbook.
    """
    changes = None
    try:
        if begun.options.records and outcome.data is not None:
            changes = _write_all(begun, outcome)
        elif outcome.data is not None:
            _write_workbook(begun, outcome.data)
        elif begun.options.records:
            _record_failure(begun, outcome)
    except Exception as fault:
        failed = failure(begun.name, fault)
        outcome = replace(outcome, status=failed.status, error=failed.error)
    return _reported(_result(begun, outcome, changes))


def give_up(begun: Begun, fault: BaseException) -> Result:
    """The result of a workbook whose work gave no outcome: its process died, it took too long."""
    if not begun.source.data:  # it was read in the process that is gone
        try:
            begun = replace(begun, source=Source(_read(begun.job.source), _published(begun.job.published)))
        except (NotAWorkbook, OSError):
            return _reported(_result(begun, failure(begun.name, fault), None))
    return finish(begun, failure(begun.name, fault))


def _write_all(begun: Begun, outcome: Outcome) -> Changes | None:
    from xlmodel.night.history import History

    # Read before anything is written: a history that is damaged must not come to light afterwards.
    with History.read(begun.job.target) as history:
        assert outcome.data is not None
        _write_workbook(begun, outcome.data)
        try:
            return _record(begun, outcome, history)
        except NotWritten as error:
            error.message += "; the workbook itself is written, the record of its run is not"
            error.advice = "make room beside it, or pass --no-records"
            raise


def _record(begun: Begun, outcome: Outcome, history: History) -> Changes | None:
    from xlmodel.night.history import Run, history_file
    from xlmodel.workbook.replace import replace_file

    record = document(begun.job, begun.options, begun.source, outcome, now())
    seconds = time.perf_counter() - begun.start
    run = Run(
        time=record["time"],
        status=outcome.status.word,
        error=outcome.error,
        seconds=round(seconds, 3),
        input=record["input"]["sha256"],
        output=record["output"] and record["output"]["sha256"],
        published=record["published"]["sha256"],
        functions=versions().functions,
        code=versions().code,
    )
    changes = history.add(run, outcome.snapshot)
    replace_file(history_file(begun.job.target), history.data)
    replace_file(sidecar(begun.job.target), as_bytes(record))
    return changes


def _record_failure(begun: Begun, outcome: Outcome) -> None:
    """A failure is recorded where there is a workbook to record it beside; else that is logged."""
    from xlmodel.night.history import History

    if not begun.job.target.is_file():
        return
    try:
        with History.read(begun.job.target) as history:
            _record(begun, outcome, history)
    except Exception as fault:
        log.warning("%s: the failed run is not recorded: %s", begun.job.target, fault)


def _write_workbook(begun: Begun, data: bytes) -> None:
    from xlmodel.workbook.replace import replace_file

    if data != begun.source.data or begun.job.target != begun.job.source:
        replace_file(begun.job.target, data, read={begun.job.source: begun.source.data})


def _result(begun: Begun, outcome: Outcome, changes: Changes | None) -> Result:
    return Result(
        begun.job,
        outcome.status,
        outcome.error,
        time.perf_counter() - begun.start,
        formulas=outcome.formulas,
        functions=outcome.functions,
        changed=len(outcome.changes),
        validation=outcome.validation,
        verification=outcome.verification,
        moved=changes.most_telling() if changes else None,
        figures=outcome.figures,
        warnings=outcome.warnings,
    )


def _reported(result: Result) -> Result:
    words = f"{result.status.word}{', skipped' if result.skipped else ''}"
    error = f": {result.error}" if result.error else ""
    log.info("%s: %s in %.2f s%s", result.job.source, words, result.seconds, error)
    return result


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NotAWorkbook(f"cannot be read: {error.strerror or error}", remedy="check the path").at(
            file=str(path)
        ) from None


def _published(folder: Path) -> dict[str, bytes]:
    """The published figures as files."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*")) if path.is_file()}


def _with_figures(result: Result) -> Result:
    from xlmodel.night.figures import figures_as_they_stand

    return replace(result, figures=figures_as_they_stand(result.job.target, result.validation))
