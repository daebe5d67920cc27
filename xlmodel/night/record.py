"""The sidecar: a JSON file beside a workbook that says where its numbers come from.

It is also what the next run is compared with: a workbook that is as its last good run left it, with the same
figures, functions and code, need not be evaluated again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlmodel.night.job import Job, Options
from xlmodel.night.result import Result, Status, check_as_json
from xlmodel.night.versions import Versions, versions

if TYPE_CHECKING:
    from xlmodel.night.work import Outcome

SCHEMA = 1


@dataclass(frozen=True)
class Source:
    """What a run starts from: the workbook's bytes, and the published files by name."""

    data: bytes
    published: Mapping[str, bytes]

    @property
    def input_hash(self) -> str:
        return sha256(self.data)

    @property
    def published_hash(self) -> str:
        digest = hashlib.sha256()
        for name, content in sorted(self.published.items()):
            digest.update(name.encode() + b"\0" + sha256(content).encode() + b"\0")
        return digest.hexdigest()


def sidecar(target: Path) -> Path:
    """Where the record of a workbook lies: ``book.xlsx.json``."""
    return target.with_name(f"{target.name}.json")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def now() -> str:
    """The time in UTC, to the second, as records show it."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def document(job: Job, options: Options, source: Source, outcome: Outcome, time: str) -> dict[str, Any]:
    """The record of a run.  Numbers stand in it in full; texts and errors as the cells show them."""
    validation, verification = outcome.validation, outcome.verification
    return {
        "schema": SCHEMA,
        "workbook": job.target.name,
        "time": time,
        "status": outcome.status.word,
        "error": outcome.error,
        "input": {"sha256": source.input_hash},
        "output": None if outcome.data is None else {"sha256": sha256(outcome.data)},
        "published": {"sha256": source.published_hash},
        "versions": versions().as_json(),
        "keep_errors": options.keep_errors,
        "strict": options.strict,
        "warnings": list(outcome.warnings),
        "formulas": outcome.formulas,
        "functions": outcome.functions,
        "checks": [check_as_json(check) for check in validation.checks] if validation else [],
        "misses": [str(miss) for miss in validation.misses] if validation else [],
        "verifier": verification.as_json() if verification else None,
        "changed": [
            {"sheet": change.sheet, "cell": change.cell, "old": change.old, "new": change.new}
            for change in outcome.changes
        ],
    }


def as_bytes(record: dict[str, Any]) -> bytes:
    """The record as it stands in the file: a line a key, a line an entry of its lists."""
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and value:
            entries = ",\n".join(f"    {json.dumps(entry)}" for entry in value)
            lines.append(f"  {json.dumps(key)}: [\n{entries}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def unchanged(job: Job, options: Options, source: Source) -> Result | None:
    """The result of the last run, if it was good and another could only repeat it; else None."""
    try:
        last = json.loads(sidecar(job.target).read_bytes())
        if not _repeats(last, job, options, source):
            return None
        return _result(last, job)
    except (OSError, ValueError, TypeError, KeyError, AssertionError):
        return None  # no record, or none that can be trusted: the workbook is evaluated


def _repeats(last: dict[str, Any], job: Job, options: Options, source: Source) -> bool:
    # In place, the file must be as the run left it; with copies, the copy must be, and its source as it was.
    here = source.data if job.target == job.source else job.target.read_bytes()
    return (
        last["schema"] == SCHEMA
        and last["status"] == Status.OK.word
        and last["keep_errors"] == options.keep_errors
        and last["strict"] == options.strict
        and (last["verifier"] is not None or not options.verify)
        and last["published"]["sha256"] == source.published_hash
        and last["output"]["sha256"] == sha256(here)
        and (job.target == job.source or last["input"]["sha256"] == source.input_hash)
        and Versions.from_json(last["versions"]) == versions()
    )


def _result(last: dict[str, Any], job: Job) -> Result:
    from xlmodel.night.verify import Verification
    from xlmodel.workbook.validate import Check, Validation

    checks = tuple(Check(**check, misses=()) for check in last["checks"])
    verification = Verification.from_json(last["verifier"]) if last["verifier"] else None
    return Result(
        job,
        Status.OK,
        None,
        0.0,
        formulas=last["formulas"],
        functions=last["functions"],
        validation=Validation(checks, ()),
        skipped=True,
        warnings=tuple(last["warnings"]),
        verification=verification,
    )
