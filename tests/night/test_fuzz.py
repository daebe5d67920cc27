"""Five thousand broken workbooks: each has its result in time, errors have names, no target is damaged."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from tests.night.mutations import broken, whole
from tests.package.packages import zipped
from xlmodel.errors import XlmodelError
from xlmodel.night.job import Job, Options
from xlmodel.night.regenerate import regenerate
from xlmodel.package.guard import open_package
from xlmodel.package.sheet import read_sheets

CASES, CHUNK = 5_000, 100
SLOWEST, PATIENCE = 5.0, 120.0


def fault(number: int, folder: Path) -> str | None:
    """What is wrong with the way a broken workbook is treated; None if nothing is."""
    path = folder / "broken.xlsx"
    data = broken(number)
    path.write_bytes(data)
    start = time.perf_counter()
    result = regenerate(Job(path, path, folder / "published"), Options(records=False))
    seconds = time.perf_counter() - start
    after = path.read_bytes()
    if seconds > SLOWEST:
        return f"took {seconds:.1f} s"
    if result.status.word in {"failed", "refused"}:
        if not str(result.error).startswith("XM-") or "XM-901" in str(result.error):
            return f"no named error: {result.error}"
        if after != data:
            return "the target was touched although it was refused"
    elif after != data:
        try:  # what was written must be as sound as what was read
            read_sheets(open_package(after, name="after"))
        except XlmodelError as error:
            return f"damaged: {error}"
    left = [one.name for one in folder.iterdir() if one != path]
    return f"left behind: {left}" if left else None


def faults(first: int, folder: str) -> list[tuple[int, str]]:
    own = Path(folder) / str(first)
    own.mkdir()
    fault(0, own)  # so that the first case does not pay for loading the evaluator
    found = [(number, fault(number, own)) for number in range(first, first + CHUNK)]
    return [(number, words) for number, words in found if words is not None]


def test_the_workbook_that_is_broken_is_sound(tmp_path: Path) -> None:
    """But for an array formula over a text, which is told; so that mutations start from something."""
    path = tmp_path / "whole.xlsx"
    content = whole()
    content["xl/worksheets/sheet1.xml"] = content["xl/worksheets/sheet1.xml"].replace(
        b"A1:B2*2", b"A1:A2*{1,2}"
    )
    path.write_bytes(zipped(content))
    result = regenerate(Job(path, path, tmp_path / "published"), Options(records=False))
    assert (result.status.word, result.error, result.functions) == ("ok", None, 3)


def test_the_first_hundred(tmp_path: Path) -> None:
    assert faults(0, str(tmp_path)) == []


@pytest.mark.soak
def test_five_thousand_broken_workbooks(tmp_path: Path) -> None:
    """In supervised workers: a chunk that is not back in time names a hang, a worker that dies a crash."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as workers:
        chunks = [workers.submit(faults, first, str(tmp_path)) for first in range(0, CASES, CHUNK)]
        found = [line for chunk in chunks for line in chunk.result(timeout=PATIENCE)]
    assert found == []
