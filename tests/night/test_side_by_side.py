"""Workbooks side by side: in processes of their own, with the results of one after the other."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.test_cli import xlmodel
from xlmodel.night.run import find_jobs, run

WORKBOOK = Path(__file__).parents[2] / "workbooks" / "carmax_2024_2"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Two workbooks that tie, and between them by name a file that is none."""
    for name in ("a", "c"):
        shutil.copytree(WORKBOOK, tmp_path / name)
    (tmp_path / "b.xlsx").write_text("no workbook")
    return tmp_path


def test_two_processes_say_what_one_says(desk: Path) -> None:
    answers = []
    for processes in ("1", "2"):
        done = xlmodel(
            "--log-file", "log", "regenerate", ".", "--processes", processes, "--json", "out.json", cwd=desk
        )
        assert done.returncode == 2, done.stderr
        answers.append(json.loads((desk / "out.json").read_text())["workbooks"])
        records = [json.loads(line) for line in (desk / "log").read_text().splitlines()]
        (desk / "log").unlink()
        # every workbook is logged, whichever process did it
        assert all(
            any(f"{name}: " in json.dumps(r) for r in records) for name in ("b.xlsx", "carmax_2024_2.xlsx")
        )
    for answer in answers:
        for workbook in answer:
            del workbook["seconds"]
    assert answers[0] == answers[1]
    assert [workbook["status"] for workbook in answers[1]] == ["ok", "refused", "ok"]


def test_a_process_that_dies_fails_its_workbooks_by_name(desk: Path) -> None:
    before = {path: path.read_bytes() for path in desk.rglob("*.xlsx")}
    jobs = find_jobs([desk])
    with ProcessPoolExecutor(2, get_context("spawn"), initializer=os._exit, initargs=(3,)) as executor:
        results = run(jobs, executor)
    assert [result.job for result in results] == jobs
    for result in results:
        assert result.status.word == "failed"
        assert str(result.job.source) in str(result.error)
        assert "BrokenProcessPool" in str(result.error)
    assert {path: path.read_bytes() for path in desk.rglob("*.xlsx")} == before
