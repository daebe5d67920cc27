"""Workbooks side by side, in processes of their own: one that hangs or kills its process does so alone."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.night import hostile
from tests.test_cli import xlmodel
from xlmodel.night.job import Options, find_jobs
from xlmodel.night.run import run
from xlmodel.processes.supervised import SupervisedPool

pytestmark = pytest.mark.soak

WORKBOOK = Path(__file__).parents[2] / "workbooks" / "carmax_2024_2"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Two workbooks that tie, and between them by name a file that is none."""
    for name in ("a", "c"):
        folder = tmp_path / name
        shutil.copytree(WORKBOOK, folder, ignore=shutil.ignore_patterns("*.json", "*.sqlite"))
    (tmp_path / "b.xlsx").write_text("no workbook")
    return tmp_path


def test_two_processes_say_what_one_says(desk: Path) -> None:
    answers = []
    for jobs in ("1", "2"):
        done = xlmodel(
            "--log-file", "log", "regenerate", ".", "--force", "--jobs", jobs, "--json", "out.json", cwd=desk
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


@pytest.mark.parametrize("processes", [1, 2])
def test_what_hangs_or_dies_fails_by_name_and_holds_up_nobody(desk: Path, processes: int) -> None:
    before = {}
    for kind in hostile.KINDS:
        book = desk / kind / "carmax_2024_2.xlsx"
        shutil.copytree(desk / "a", book.parent)
        before[book] = hostile.hostile(book, kind).read_bytes()
    jobs = find_jobs([desk])
    with SupervisedPool(processes, timeout=10, prepare=(hostile.enter, (), {})) as pool:
        results = run(jobs, pool, Options())
    assert [result.job for result in results] == jobs
    said = {str(r.job.source.relative_to(desk).parts[0]): (r.status.word, r.error or "") for r in results}
    assert said["a"] == said["c"] == ("ok", "")
    assert said["b.xlsx"][0] == "refused"
    for kind, code in (("hang", "XM-702"), ("spin", "XM-702"), ("exit", "XM-701")):
        status, error = said[kind]
        assert status == "failed"
        assert error.startswith(f"{code} {desk / kind / 'carmax_2024_2.xlsx'}: ")
    assert "exit code 7" in said["exit"][1]
    assert "after 10 seconds" in said["hang"][1]
    assert {book: book.read_bytes() for book in before} == before
    # the failed run is recorded as such
    with sqlite3.connect(desk / "hang" / "carmax_2024_2.xlsx.sqlite") as history:
        ((status, error),) = history.execute("SELECT status, error FROM run").fetchall()
    assert (status, error) == said["hang"]


def test_the_command_line_has_a_timeout(desk: Path) -> None:
    done = xlmodel("regenerate", "a", "--timeout", "0.01", "--json", "out.json", cwd=desk)
    (workbook,) = json.loads((desk / "out.json").read_text())["workbooks"]
    assert done.returncode == 1
    assert workbook["status"] == "failed"
    assert "XM-702" in workbook["error"]
    assert "--timeout" in done.stdout
