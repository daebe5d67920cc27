"""A night over every file of tests/bad_workbooks: what must come of each, while the others go on."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from tests.package.test_bad_workbooks import FOLDER
from xlmodel.functions import FUNCTIONS
from xlmodel.functions.kinds import NumberSetting, Range
from xlmodel.functions.registry import function
from xlmodel.night.job import Job, Options
from xlmodel.night.regenerate import regenerate

SHEET = "part xl/worksheets/sheet1.xml"

# status, words of the message that must be there (file name apart)
EXPECTED: dict[str, tuple[str, list[str]]] = {
    "00_good": ("ok", []),
    "01_zip_bomb_600mb": ("refused", ["XM-302", SHEET, "629,145,794 bytes"]),
    "02_billion_laughs": ("refused", ["XM-302", SHEET, "DTD"]),
    "03_xxe_local_file": ("refused", ["XM-302", SHEET, "DTD"]),
    "05_truncated": ("refused", ["XM-301", "not a complete zip"]),
    "06_bad_crc": ("refused", ["XM-303", SHEET, "corrupt"]),
    "07_html_as_xlsx": ("refused", ["XM-301", "not a zip"]),
    "08_empty": ("refused", ["XM-301", "empty, not a zip"]),
    "09_ole2_xls_as_xlsx": ("refused", ["XM-301", "old .xls"]),
    "10_password_desk": ("refused", ["XM-304", "password"]),
    "11_formula_injection_as_text": ("ok", []),
    "12_dde_link": ("refused", ["XM-302", "externalLink1.xml", "DDE"]),
    "13_external_link_unc": ("ok", []),
    "14_used_range_XFD1048576": ("ok", []),
    "19_path_traversal_part": ("refused", ["XM-302", "../../tmp/pwn.txt"]),
    "22_strict_ooxml": ("refused", ["XM-305", "Strict"]),
    "23_formula_without_cached_value": ("ok", []),
    "24_stale_cache": ("ok", []),
    "26_date1904": ("refused", ["XM-305", "xl/workbook.xml", "1904"]),
    "27_circular": ("refused", ["XM-404", "Inputs!C1", "Inputs!C2"]),
    "29_formula_9000_chars": ("refused", ["XM-305", "cell C1", "8,999 characters"]),
    "31_macro_renamed_to_xlsx": ("refused", ["XM-302", "macroEnabled"]),
    "33_unknown_udf": ("failed", ["XM-402", "cell C1", "XM_NOT_THERE"]),
    "34_udf_prefixes": ("failed", ["XM-402", "cell C1", "XM_DECR"]),  # no such function in this version
}


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def job(path: Path, target: Path | None = None) -> Job:
    return Job(path, target or path, path.parent / "published")


@pytest.fixture
def copy(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return Path(shutil.copy(FOLDER / f"{request.param}.xlsx", tmp_path))


def decrement(block: Range, speed: NumberSetting, column: NumberSetting) -> float:
    """A number from all three arguments.

    block: A range.
    speed: A speed.
    column: A column.
    """
    return speed * column + len(block)


@pytest.fixture
def xm_decr() -> Iterator[None]:
    """A function of the name that 34_udf_prefixes calls."""
    function("XM_DECR", "Pool")(decrement)
    yield
    del FUNCTIONS["XM_DECR"]


def test_the_table_is_that_of_the_folder() -> None:
    assert sorted(EXPECTED) == sorted(path.stem for path in FOLDER.glob("*.xlsx"))


def test_a_night_of_bad_workbooks_goes_on_to_the_end(tmp_path: Path) -> None:
    """The whole program in a process of its own: exit code, messages, no traceback, targets as they were."""
    night = tmp_path / "night"
    shutil.copytree(FOLDER, night, ignore=shutil.ignore_patterns("*.md"))
    before = {path.name: path.read_bytes() for path in night.glob("*.xlsx")}
    out = tmp_path / "results.json"
    command = [sys.executable, "-c", "from xlmodel.cli import main; main()", "regenerate", str(night)]
    done = subprocess.run(
        [*command, "--jobs", "1", "--json", str(out)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    results = {Path(one["path"]).stem: one for one in json.loads(out.read_text())["workbooks"]}
    assert {name: one["status"] for name, one in results.items()} == {
        name: status for name, (status, _) in EXPECTED.items()
    }
    for name, (status, words) in EXPECTED.items():
        result = results[name]
        message = result["error"] or ""
        assert [word for word in words if word not in message] == [], message
        assert bool(message) == (status != "ok")
        assert f"{name}.xlsx" in (message or f"{name}.xlsx")
        assert result["seconds"] < 5
        if status != "ok":
            assert (night / f"{name}.xlsx").read_bytes() == before[f"{name}.xlsx"]
    left = {path.suffix for path in night.iterdir()}
    assert left <= {".xlsx", ".json", ".sqlite"}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_each_takes_little_memory(name: str, tmp_path: Path) -> None:
    """Under 500 MB, in a process that may not have more."""
    path = shutil.copy(FOLDER / f"{name}.xlsx", tmp_path)
    limit = 500 << 20
    program = "from xlmodel.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "refresh", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
    )
    assert done.returncode == {"ok": 0, "refused": 2, "failed": 1}[EXPECTED[name][0]], done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "copy", ["00_good", "23_formula_without_cached_value", "24_stale_cache"], indirect=True
)
def test_the_value_is_computed_and_only_its_sheet_changes(copy: Path) -> None:
    before = parts(copy)
    result = regenerate(job(copy))
    after = parts(copy)
    assert openpyxl.load_workbook(copy, data_only=True)["Inputs"]["B2"].value == 0.03
    assert [name for name in before if before[name] != after[name]] == ["xl/worksheets/sheet1.xml"]
    assert result.changed == 1
    assert list(before) == list(after)
    if "stale" in copy.stem:
        (change,) = json.loads(Path(f"{copy}.json").read_text())["changed"]
        assert (change["cell"], change["old"], change["new"]) == ("B2", 999, 0.03)


@pytest.mark.parametrize("copy", ["11_formula_injection_as_text"], indirect=True)
def test_texts_that_look_like_formulas_stay_texts_and_are_told(copy: Path) -> None:
    result = regenerate(job(copy))
    sheet = openpyxl.load_workbook(copy)["Inputs"]
    assert {sheet.cell(row, 1).data_type for row in range(3, 10)} == {"s"}
    (warning,) = [line for line in result.warnings if "look like formulas" in line]
    assert [cell for cell in ("A3", "A4", "A6", "A7", "A8") if f"Inputs!{cell}" not in warning] == []


@pytest.mark.parametrize("copy", ["13_external_link_unc"], indirect=True)
def test_an_external_link_is_kept_and_told_or_refused(copy: Path) -> None:
    before = parts(copy)
    result = regenerate(job(copy))
    after = parts(copy)
    assert any("external link to file://10.0.0.9/share/curves.xlsx" in line for line in result.warnings)
    assert any("keep their cached values: Inputs!A9" in line for line in result.warnings)
    cell = b'<c r="A9"' + before["xl/worksheets/sheet1.xml"].split(b'<c r="A9"')[1].split(b"</c>")[0]
    assert cell in after["xl/worksheets/sheet1.xml"]
    assert b"<v>14</v>" in cell
    assert [name for name in before if "externalLink" in name and before[name] != after[name]] == []
    strict = regenerate(job(copy), Options(strict=True))
    assert (strict.status.word, "external link" in str(strict.error)) == ("refused", True)


@pytest.mark.parametrize("copy", ["14_used_range_XFD1048576"], indirect=True)
def test_a_value_in_the_last_cell_costs_no_time(copy: Path) -> None:
    assert regenerate(job(copy), Options(records=False)).seconds < 1


@pytest.mark.parametrize("copy", ["34_udf_prefixes"], indirect=True)
@pytest.mark.usefixtures("xm_decr")
def test_every_spelling_of_a_function_is_one_and_stays(copy: Path) -> None:
    """Under a function of that name: five spellings, one value, and the file keeps each as it was."""
    before = [cell.value for (cell,) in openpyxl.load_workbook(copy)["Inputs"]["C1:C5"]]
    result = regenerate(job(copy))
    assert (result.status.word, result.error) == ("ok", None)
    values = [cell.value for (cell,) in openpyxl.load_workbook(copy, data_only=True)["Inputs"]["C1:C5"]]
    assert values == [0.015 * 3 + 2] * 5
    assert [cell.value for (cell,) in openpyxl.load_workbook(copy)["Inputs"]["C1:C5"]] == before
