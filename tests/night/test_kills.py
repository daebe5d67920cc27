"""A hundred refreshes killed at random: the file is the old or the new one, and the next run is clean."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from pathlib import Path
from random import Random

import pytest

from tests.workbook.large_book import build
from xlmodel.night.job import Job, Options
from xlmodel.night.regenerate import regenerate
from xlmodel.package.guard import open_package
from xlmodel.package.sheet import read_sheets
from xlmodel.workbook.refresh import read_package, refresh

KILLS = 100


@pytest.mark.soak
def test_a_hundred_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.workbook.large_book.ROWS", 20)
    path = tmp_path / "desk" / "deal.xlsx"
    path.parent.mkdir()
    build(path)
    job, options = Job(path, path, path.parent / "published"), Options(force=True)
    old = path.read_bytes()
    new = refresh(read_package(path)).data
    assert new != old
    start = time.monotonic()
    assert regenerate(job, options).status.word == "ok"
    whole = time.monotonic() - start
    dice, seen, killed = Random(19991215), {old: 0, new: 0}, 0
    for _ in range(KILLS):
        path.write_bytes(old)
        killed += killed_after(dice.uniform(0, 1.3 * whole), job, options)
        after = path.read_bytes()
        seen[after] += 1  # a KeyError is a file that is neither
        read_sheets(open_package(after, name="after"))
        result = regenerate(job, options)
        assert (result.status.word, path.read_bytes() == new) == ("ok", True), result.error
        assert {one.name for one in path.parent.iterdir()} == {
            path.name,
            f"{path.name}.json",
            f"{path.name}.sqlite",
        }
        assert json.loads(Path(f"{path}.json").read_text())["status"] == "ok"
        with sqlite3.connect(f"{path}.sqlite") as history:
            assert history.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert killed > KILLS / 2
    assert min(seen.values()) > 0, "kills before and after the file was replaced"


def killed_after(seconds: float, job: Job, options: Options) -> bool:
    """Regenerate in a child that is killed after a time; whether it was still at work."""
    child = os.fork()
    if child == 0:
        try:
            regenerate(job, options)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
