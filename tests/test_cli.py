"""The command line as a person and a night run meet it: output, exit codes, settings, logs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from tests.deal.tie import DEAL
from tests.workbook.conftest import built  # noqa: F401  one build for all
from tests.workbook.sheets_of import edit

pytestmark = pytest.mark.soak


def xlmodel(
    *arguments: object, cwd: Path | None = None, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from xlmodel.cli import main; main()", *map(str, arguments)]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("XLMODEL_")}
    return subprocess.run(
        command,
        check=False,
        cwd=cwd,
        input=stdin,
        env=clean | (env or {}),
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:  # noqa: F811
    return Path(shutil.copytree(built, tmp_path / DEAL.name))


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        # CarMax 1999-1 prospectus, page 43.
        ("XM_INTEREST 155250000 0.062025 1999-10-28 1999-12-15 actual/360", "1283917.5"),
        ("xm_days 1999-10-28 1999-12-15 30/360", "47"),
        ("XM_INTEREST 100 -0.01 1999-10-28 1999-12-15 actual/360 2", "-0.13"),  # 100 x 1% x 48/360
        ("XM_ALLOCATE 100 [[60],[70]]", "60\t0\n40\t30"),
        ("XM_POOL_FACTOR 107406393.09 155250000", "0.6918286"),
    ],
)
def test_call_prints_the_value(arguments: str, printed: str) -> None:
    done = xlmodel("call", *arguments.split(" "))
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, printed, "")


def test_call_prints_the_error_with_its_reason() -> None:
    done = xlmodel("call", "XM_INTEREST", -5, 0.06, "1999-10-28", "1999-12-15")
    assert (done.returncode, done.stdout.strip()) == (1, "#NUM!")
    assert "XM-102 argument balance: the balance -5 is negative" in done.stderr


def test_batch_answers_every_line() -> None:
    lines = '["XM_DAYS","1999-10-28","1999-12-15",2]\nnot json\n["XM_NOPE"]\n["XM_DAYS",1,"x"]\n'
    done = xlmodel("call", "--batch", stdin=lines)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, answers[0]) == (0, 48)
    assert [answer["error"] for answer in answers[1:]] == ["#VALUE!", "#NAME?", "#VALUE!"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Usage"),
        (["nonsense"], "nonsense"),
        (["regenerate", "--nope"], "--nope"),
        (["refresh"], "file"),
        (["call"], "no function is named"),
        (["call", "--batch", "XM_DAYS"], "--batch"),
        (["regenerate", "nowhere"], "nowhere"),
    ],
)
def test_wrong_usage_exits_with_64(arguments: list[str], says: str, tmp_path: Path) -> None:
    done = xlmodel(*arguments, cwd=tmp_path)
    assert done.returncode == 64
    assert says.lower() in (done.stdout + done.stderr).lower()
    assert "Traceback" not in done.stderr


def test_regenerate_prints_the_table_and_writes_the_json(folder: Path) -> None:
    done = xlmodel("regenerate", folder, "--json", folder / "run.json", env={"COLUMNS": "200"})
    assert done.returncode == 0, done.stderr
    assert "carmax_1999_1.xlsx" in done.stdout
    assert "decrement 880/880 (147/147 informative)" in done.stdout
    assert json.loads((folder / "run.json").read_text())["workbooks"][0]["status"] == "ok"


def test_exit_codes_of_mismatch_failure_and_refusal(folder: Path) -> None:
    book = folder / "carmax_1999_1.xlsx"
    edit(book, {("Speeds", 1, 1): 0.006})
    assert xlmodel("validate", book).returncode == 1
    edit(book, {("Speeds", 1, 1): -1})
    failed = xlmodel("refresh", book)
    assert failed.returncode == 1
    assert "because of Assumptions!" in failed.stderr
    assert xlmodel("refresh", book, "--keep-errors").returncode == 0
    (folder / "none.xlsx").write_text("no workbook")
    for command in ("refresh", "validate", "regenerate"):
        done = xlmodel(command, folder / "none.xlsx")
        assert done.returncode == 2
        assert "none.xlsx" in done.stdout + done.stderr
    assert xlmodel("build", folder / "nowhere").returncode == 2


def test_validate_refuses_what_has_no_names_and_a_night_only_says_so(tmp_path: Path) -> None:
    plain = tmp_path / "plain.xlsx"
    shutil.copy(Path(__file__).parent / "bad_workbooks" / "00_good.xlsx", plain)
    refused = xlmodel("validate", plain, env={"COLUMNS": "200"})
    assert refused.returncode == 2
    assert "XM-502" in refused.stdout + refused.stderr
    night = xlmodel("regenerate", plain, env={"COLUMNS": "200"})
    assert night.returncode == 0
    assert "nothing is compared" in night.stdout + night.stderr


def test_build_makes_the_same_workbook_and_keeps_edits(folder: Path) -> None:
    book = folder / "carmax_1999_1.xlsx"
    before = book.read_bytes()
    assert xlmodel("build", folder).returncode == 0
    assert book.read_bytes() == before
    edit(book, {("Speeds", 1, 1): 0.006})
    edited = book.read_bytes()
    done = xlmodel("build", folder)
    assert done.returncode == 1
    assert "Speeds" in done.stderr
    assert "--force" in done.stderr
    assert book.read_bytes() == edited
    assert xlmodel("build", folder, "--force").returncode == 0
    assert book.read_bytes() == before


def test_the_json_lists_every_cell_that_misses_and_the_table_names_the_check_cell(folder: Path) -> None:
    """Page 36 of the prospectus: 15 December 1999, 79.8% of A-1 at 0.50% ABS."""
    book, file = folder / "carmax_1999_1.xlsx", folder / "published" / "decrement_table.csv"
    edit(book, {("PublishedDecrement", 2, 1): 0.701, ("PublishedAverageLife", 1, 1): 9})
    text = file.read_text()
    assert "1,1999-12,A-1,0.50,79.8" in text
    file.write_text(text.replace("1,1999-12,A-1,0.50,79.8", "1,1999-12,A-1,0.50,70.1"))
    done = xlmodel("validate", book, "--json", folder / "run.json", env={"COLUMNS": "400"})
    assert done.returncode == 1
    assert "(not TRUE: check_average_life, check_decrement)" in done.stdout
    assert "(A-1, 0.50%, no. 1, 1999-12-15): expected 0.70100, found 0.79" in done.stdout
    (said,) = json.loads((folder / "run.json").read_text())["workbooks"]
    misses = {check["name"]: check["misses"] for check in said["checks"]}
    assert {name for name, cells in misses.items() if cells} == {
        "decrement",
        "check_decrement",
        "check_average_life",
    }
    for check in said["checks"]:
        assert len(check["misses"]) == check["cells"] - check["matched"] - check["explained"]
    (miss,) = misses["decrement"]
    found = miss.pop("found")
    assert miss == {
        "what": "A-1, 0.50%, no. 1, 1999-12-15",
        "sheet": "Decrement",
        "cell": "C7",
        "expected": "70.1%",
    }
    assert found != round(found, 5)  # unrounded, it prints as on page 36
    assert round(found, 3) == 0.798
    (untrue,) = misses["check_decrement"]
    assert (untrue["what"], untrue["expected"], untrue["found"]) == ("check_decrement", "TRUE", False)
    (altered,) = said["altered"]  # the life of A-1 at 0.50%, page 36, over which somebody typed 9
    assert (altered["expected"], altered["found"]) == ("0.43", 9)


def test_a_changed_folder_is_built_without_force_while_nobody_edited_the_workbook(tmp_path: Path) -> None:
    assert xlmodel("new", "mine", "--like", "drive_2025_2", "--formulas-only", cwd=tmp_path).returncode == 0
    book, document = tmp_path / "mine" / "mine.xlsx", tmp_path / "mine" / "deal.toml"
    text = document.read_text(encoding="utf-8")
    for changed in (
        text.replace("rate = 0.0529", "rate = 0.0629"),
        text.replace('clause = "14"', 'clause = "15"'),
    ):
        assert changed != text
        document.write_text(changed, encoding="utf-8")
        before = book.read_bytes()
        assert xlmodel("build", "mine", "--formulas-only", cwd=tmp_path).returncode == 0
        assert book.read_bytes() != before
    # Saved by another program without an edit it is still nobody's; with one it is somebody's.
    saved = openpyxl.load_workbook(book)
    truths = [cell for row in saved["Terms"].iter_rows() for cell in row if cell.value is True]
    for cell in truths:
        cell.value = "=TRUE()"  # as Calc saves it
    assert truths
    saved.save(book)
    document.write_text(text, encoding="utf-8")
    assert xlmodel("build", "mine", "--formulas-only", cwd=tmp_path).returncode == 0
    edit(book, {("Speeds", 1, 2): 0.016})
    refused = xlmodel("build", "mine", "--formulas-only", cwd=tmp_path, env={"COLUMNS": "400"})
    assert refused.returncode == 1
    assert "(first Assumptions!C5: 0.016 here, 0.015 in the folder)" in refused.stderr


def test_build_keeps_edited_formulas(folder: Path) -> None:
    book = folder / "carmax_1999_1.xlsx"
    before = book.read_bytes()
    made = openpyxl.load_workbook(book)
    formula = made["Decrement"]["C6"].value
    formula.text = formula.text.removesuffix(")") + ",TRUE)"
    made.save(book)
    edited = book.read_bytes()
    refused = xlmodel("build", folder, env={"COLUMNS": "400"})
    assert refused.returncode == 1
    assert "(first Decrement!C6: =XM_DECREMENT(" in refused.stderr
    assert "--force" in refused.stderr
    assert book.read_bytes() == edited
    assert xlmodel("build", folder, "--force").returncode == 0
    assert book.read_bytes() == before


def test_build_keeps_a_formula_that_became_a_number_and_a_sheet_that_was_added(folder: Path) -> None:
    book = folder / "carmax_1999_1.xlsx"
    before = book.read_bytes()
    for sheet, cell, value in (("Decrement", "A7", 1), ("Mine", "A1", "=Summary!A1")):
        made = openpyxl.load_workbook(book)
        (made[sheet] if sheet in made.sheetnames else made.create_sheet(sheet))[cell] = value
        made.save(book)
        refused = xlmodel("build", folder, env={"COLUMNS": "400"})
        assert refused.returncode == 1
        assert f"(first {sheet}!{cell}: " in refused.stderr
        book.write_bytes(before)


@pytest.mark.parametrize("form", ["values", "native"])
def test_other_forms_are_built_again_while_nobody_edited_them(folder: Path, form: str) -> None:
    book = folder / f"carmax_1999_1_{form}.xlsx"
    assert xlmodel("build", "--form", form, folder).returncode == 0
    before = book.read_bytes()
    assert xlmodel("build", "--form", form, folder).returncode == 0
    assert book.read_bytes() == before
    made = openpyxl.load_workbook(book)
    assert made["Decrement"]["A8"].value == "=A7+1"
    made["Decrement"]["A8"] = "=A7+2"
    made.save(book)
    refused = xlmodel("build", "--form", form, folder, env={"COLUMNS": "400"})
    assert refused.returncode == 1
    assert "(first Decrement!A8: =A7+2 here, =A7+1 in a build)" in refused.stderr


def test_a_flag_wins_over_the_environment_and_that_over_the_file(folder: Path) -> None:
    (folder / "xlmodel.toml").write_text('[regenerate]\njson = "file.json"\n')
    assert xlmodel("regenerate", folder, cwd=folder).returncode == 0
    assert (folder / "file.json").exists()
    (folder / "file.json").unlink()
    from_environment = {"XLMODEL_REGENERATE_JSON": "environment.json"}
    assert xlmodel("regenerate", folder, cwd=folder, env=from_environment).returncode == 0
    assert (folder / "environment.json").exists()
    assert not (folder / "file.json").exists()
    (folder / "environment.json").unlink()
    xlmodel("regenerate", folder, "--json", "flag.json", cwd=folder, env=from_environment)
    assert (folder / "flag.json").exists()
    assert not (folder / "environment.json").exists()


def test_a_setting_that_is_misspelt_is_not_ignored(tmp_path: Path) -> None:
    (tmp_path / "xlmodel.toml").write_text("[regenrate]\nout = 'x'\n")
    done = xlmodel("call", "XM_VERSION", cwd=tmp_path)
    assert done.returncode == 64
    assert "regenrate" in done.stderr


def test_the_log_is_json_lines(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert xlmodel("--log-file", log, "regenerate", folder).returncode == 0
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert {"time", "level", "logger", "message"} <= set(entries[0])
    assert any("carmax_1999_1.xlsx" in entry["message"] for entry in entries)


def test_processes_share_a_grid(tmp_path: Path) -> None:
    """400 scenarios, which are two blocks; an assumption that cannot be is told alike."""
    asked = [
        *("grid", DEAL, "--scenario", "stress"),
        *("--speed", "0.005:0.011:20"),
    ]
    for jobs in ("1", "2"):
        done = xlmodel(*asked, "--loss", "0:0.03:20", "--jobs", jobs, "--out", tmp_path / jobs)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert len((tmp_path / "1").read_text().splitlines()) == 401
    refused = [
        xlmodel(*asked, "--loss", "0:0.3:20", "--jobs", jobs, "--out", tmp_path / "none")
        for jobs in ("1", "2")
    ]
    assert [done.returncode for done in refused] == [1, 1]
    assert refused[0].stderr == refused[1].stderr
    assert "row 5, scenario speed 0.005, loss 0." in refused[0].stderr
    assert not (tmp_path / "none").exists()
