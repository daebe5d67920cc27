"""What a night has to do: the workbooks that it finds, and how they are to be treated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from xlmodel.errors import BadUsage

SUFFIXES = (".xlsx", ".xlsm")


@dataclass(frozen=True)
class Job:
    """A workbook to regenerate: where it is, where its result goes, what to compare it with."""

    source: Path
    target: Path
    published: Path


@dataclass(frozen=True)
class Options:
    """How workbooks are treated.

    ``any_workbook``: one that is no deal is evaluated all the same, not refused.
    ``keep_errors``: errors of our cells are written.  ``strict``: workbooks with links to other
    workbooks are refused.  ``force``: nothing is skipped.  ``records``: sidecar
    and history are kept beside the target.  ``verify``: another program recalculates.  ``figures``: the
    result carries what a report draws.
    """

    any_workbook: bool = True
    keep_errors: bool = False
    strict: bool = False
    force: bool = False
    records: bool = True
    verify: bool = False
    figures: bool = False


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


def _workbooks(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if (
            path.suffix.lower() in SUFFIXES
            and path.is_file()
            and not path.name.startswith(("~$", ".xlmodel-"))
        ):
            yield path
