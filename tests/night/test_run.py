"""A run over several workbooks: each has its own result, one bad file does not hold up the others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.workbook.conftest import built  # noqa: F401  the same fixture, one build for both folders
from tests.workbook.sheets_of import edit, find
from xlmodel.errors import BadUsage
from xlmodel.night.job import find_jobs
from xlmodel.night.regenerate import regenerate
from xlmodel.night.result import Result, as_json, exit_code
from xlmodel.night.run import run

pytestmark = pytest.mark.soak


@pytest.fixture
def desk(built: Path, tmp_path: Path) -> Path:  # noqa: F811
    """A folder of workbooks: one good, one edited, one failing, one that is none."""
    for name in ("good", "edited", "failing"):
        shutil.copytree(built, tmp_path / name)
    edit(
        tmp_path / "edited" / "carmax_1999_1.xlsx",
        {find(tmp_path / "edited" / "carmax_1999_1.xlsx", "Speeds", 0.005): 0.006},
    )
    edit(tmp_path / "failing" / "carmax_1999_1.xlsx", {("Speeds", 1, 1): -1})
    (tmp_path / "none.xlsx").write_text("<html>no workbook</html>")
    (tmp_path / "~$open.xlsx").write_text("a lock file")
    return tmp_path


def test_each_workbook_has_its_own_result_and_the_highest_exit_code_wins(desk: Path) -> None:
    before = {path: path.read_bytes() for path in desk.rglob("*.xlsx")}
    heard: list[Result] = []
    results = run(find_jobs([desk]), done=heard.append)
    assert heard == results
    words = {str(r.job.source.relative_to(desk)): r.status.word for r in results}
    assert words == {
        "edited/carmax_1999_1.xlsx": "mismatch",
        "failing/carmax_1999_1.xlsx": "failed",
        "good/carmax_1999_1.xlsx": "ok",
        "none.xlsx": "refused",
    }
    assert exit_code(results) == 2
    assert exit_code([r for r in results if r.status.word != "refused"]) == 1
    assert exit_code([r for r in results if r.status.word == "ok"]) == 0
    unchanged = {path for path, data in before.items() if path.read_bytes() == data}
    assert {path.relative_to(desk).parts[0] for path in unchanged} == {
        "failing",
        "good",
        "none.xlsx",
        "~$open.xlsx",
    }
    assert [path for path in desk.rglob("*") if path.name.startswith(".xlmodel-")] == []


def test_the_json_of_a_run(desk: Path) -> None:
    document = json.loads(json.dumps(as_json(run(find_jobs([desk / "good", desk / "none.xlsx"])))))
    good, none = document["workbooks"]
    keys = ["path", "status", "skipped", "error", "seconds", "formulas", "functions", "changed"]
    keys += ["checks", "altered", "verifier", "warnings"]
    assert list(good) == keys == list(none)
    assert (good["status"], good["error"], good["changed"]) == ("ok", None, 0)
    assert good["functions"] >= 6
    assert good["formulas"] - good["functions"] >= 500
    decrement = good["checks"][0]
    assert {key: decrement[key] for key in decrement if key != "worst"} == {
        "name": "decrement",
        "cells": 880,
        "matched": 880,
        "explained": 0,
        "informative": 147,
        "informative_matched": 147,
        "misses": [],
    }
    assert good["altered"] == []
    assert (none["status"], none["checks"]) == ("refused", [])
    assert none["error"].startswith("XM-301 ")


def test_out_writes_copies_and_leaves_the_sources(desk: Path, tmp_path: Path) -> None:
    source = desk / "edited" / "carmax_1999_1.xlsx"
    before = source.read_bytes()
    (job,) = find_jobs([desk / "edited"], out=tmp_path / "copies")
    assert regenerate(job).status.word == "mismatch"
    assert source.read_bytes() == before
    assert (tmp_path / "copies" / "carmax_1999_1.xlsx").read_bytes() != before


def test_a_target_that_cannot_be_written_fails_and_says_so(desk: Path) -> None:
    blocked = desk / "blocked"
    blocked.write_text("a file where a folder should be")
    (job,) = find_jobs([desk / "good"], out=blocked)
    result = regenerate(job)
    assert result.status.word == "failed"
    assert "XM-306" in str(result.error)


def test_a_path_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="no file or folder"):
        find_jobs([tmp_path / "nowhere"])
