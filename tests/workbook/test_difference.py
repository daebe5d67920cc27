"""Workbooks compared in terms, by the command and by git.

Interest is worked by hand beside the case; counts of decrement cells follow from readings of which an
independent calculation says how many of the prospectus's 880 cells they tie (tests/deal).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.workbook.sheets_of import edit, find, named
from xlmodel.errors import NamesMissing
from xlmodel.workbook.difference import Difference, difference
from xlmodel.workbook.in_terms import read_model
from xlmodel.workbook.refresh import read_package
from xlmodel.workbook.text_form import text_of

pytestmark = pytest.mark.soak


def xlmodel(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from xlmodel.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, check=False, cwd=cwd, capture_output=True, text=True, timeout=120)


@pytest.fixture
def compare(built: Path, tmp_path: Path) -> Callable[..., Difference]:
    """The difference that edits make: (name of the range, row's key, heading, value)."""
    old = built / "carmax_1999_1.xlsx"
    new = tmp_path / "new.xlsx"

    def compared(*edits: tuple[str, Any, str, Any]) -> Difference:
        shutil.copy(old, new)
        places = {}
        for name, key, heading, value in edits:
            row = find(new, name, key)[1]
            places[name, row, _column(new, name, row, heading)] = value
        edit(new, places)
        return difference(read_model(read_package(old)), read_model(read_package(new)))

    return compared


def _column(path: Path, name: str, row: int, heading: str) -> int:
    """The column of a heading, of the headings nearest above a row."""
    rows = named(path, name)
    above = [[str(cell).lower() for cell in line] for line in rows[: row - 1]]
    return next(line.index(heading) + 1 for line in reversed(above) if heading in line)


def test_equal_workbooks_say_the_same(built: Path) -> None:
    model = read_model(read_package(built / "carmax_1999_1.xlsx"))
    assert difference(model, model) == Difference((), (), ())


def test_a_coupon(compare: Callable[..., Difference]) -> None:
    # 178,900,000 x 6.86% x 47/360 = 1,602,248.28; without losses principal does not hang on coupons.
    found = compare(("Classes", "A-3", "rate", 0.0686))
    assert found.inputs == ("Class A-3: rate 6.76% -> 6.86%",)
    assert found.effects == ("First interest of A-3: 1,578,891.89 -> 1,602,248.28",)


def test_a_size_a_convention_a_clause_a_rep_line(compare: Callable[..., Difference]) -> None:
    found = compare(
        ("Classes", "A-2", "balance", 208_000_000),
        ("Classes", "A-1", "day count", "30/360"),
        ("Payments", "interest", "short", "in order"),
        ("Pools", 3, "balance", 77_000_000),
    )
    assert found.inputs == (
        "Class A-1: day count actual/360 -> 30/360",
        "Class A-2: balance 208,650,000.00 -> 208,000,000.00",
        "Clause 2: short by amount due -> in order",
        "Pool line 3: balance 77,544,804.57 -> 77,000,000.00",
    )
    # 155,250,000 x 6.2025% x 47/360 = 1,257,169.22; 643,957,759.72 - 544,804.57 = 643,412,955.15.
    assert "First interest of A-1: 1,283,917.50 -> 1,257,169.22" in found.effects
    assert "Pool at cutoff: 643,957,759.72 -> 643,412,955.15" in found.effects


@pytest.mark.parametrize(
    ("change", "sentence", "tied"),
    [
        (("Terms", "clean-up call", "exercised", False), "Call clean-up call: exercised yes -> no", 827),
        (("Terms", "First collection months", "value", 1), "Term First collection months: 2 -> 1", 713),
    ],
)
def test_a_convention_changes_printed_cells(
    compare: Callable[..., Difference], change: tuple[Any, ...], sentence: str, tied: int
) -> None:
    found = compare(change)
    assert found.inputs == (sentence,)
    assert (
        f"Decrement table: {880 - tied} of 880 cells print another figure (to 1 decimal of a percent)"
        in found.effects
    )


def test_an_assumption_without_effect_says_so(compare: Callable[..., Difference]) -> None:
    found = compare(("Scenarios", "stress", "severity", 0.6))
    assert found.inputs == ("Scenario stress: severity 0.5 -> 0.6",)
    assert found.effects == (
        "Average lives, factors, first interest and the decrement table stay as they are.",
    )


def test_a_status_and_a_published_figure_and_a_formula_are_told(
    built: Path, compare: Callable[..., Difference], tmp_path: Path
) -> None:
    assert compare(("Terms", "Cutoff date", "status", "assumed")).inputs == (
        "Term Cutoff date: status stated -> assumed",
    )
    book = openpyxl.load_workbook(built / "carmax_1999_1.xlsx")
    book["Tie-out"]["K7"] = 0.8
    book["Pool"]["B18"] = "=SUM(B5:B16)"
    book.save(tmp_path / "new.xlsx")
    models = [read_model(read_package(p)) for p in (built / "carmax_1999_1.xlsx", tmp_path / "new.xlsx")]
    found = difference(*models)
    assert (found.inputs, found.same) == ((), False)
    assert found.besides[0] == "Published figures, decrement: 1 differ"
    assert found.besides[1].startswith("Formulas: 1 differ, on Pool")


def test_another_deal_has_other_classes_and_clauses() -> None:
    workbooks = Path(__file__).parents[2] / "workbooks"
    models = [
        read_model(read_package(workbooks / name / f"{name}.xlsx"))
        for name in ("carmax_1999_1", "carmax_2010_2")
    ]
    found = difference(*models)
    said = "\n".join(found.inputs)
    assert "Class Certificates removed: group Certificates, balance 12,879,759.72, rate 7.12%" in said
    assert "Class B added: group B, balance 43,875,000.00, rate 4.09%" in said
    assert "Clause 11 added: pay principal over pool less oc (A + B + C)" in said
    assert "Clause 3 removed: pay interest, to Certificates" in said
    assert "Speeds: 0.5%, 1%, 1.5%, 1.8% -> 1%, 1.3%, 1.5%, 1.7%" in said


def test_exit_codes_and_what_is_no_deal(built: Path, tmp_path: Path) -> None:
    old, new = built / "carmax_1999_1.xlsx", tmp_path / "new.xlsx"
    assert xlmodel("diff", old, old).returncode == 0
    shutil.copy(old, new)
    edit(new, {("Speeds", 1, 1): 0.006})
    done = xlmodel("diff", old, new)
    assert done.returncode == 1
    assert "Speeds: 0.5%, 1%, 1.5%, 1.8% -> 0.6%, 1%, 1.5%, 1.8%" in done.stdout
    edit(new, {("Classes", 2, 4): "many"})
    done = xlmodel("diff", old, new)
    assert (done.returncode, done.stdout) == (2, "")
    assert "sheet Terms, cell D46" in done.stderr
    plain = openpyxl.Workbook()
    plain.worksheets[0]["A1"] = "=1+1"
    plain.worksheets[0]["A2"] = 5
    plain.save(tmp_path / "plain.xlsx")
    done = xlmodel("diff", old, tmp_path / "plain.xlsx")
    assert done.returncode == 2
    assert "it is no deal workbook: it lacks the names Terms, Classes, Payments, Pools" in done.stderr
    with pytest.raises(NamesMissing):
        read_model(read_package(tmp_path / "plain.xlsx"))
    assert list(text_of(read_package(tmp_path / "plain.xlsx"))) == [
        "no deal workbook",
        "Sheet!A1: =1+1",
        "Sheet!A2: 5.0",
    ]


def test_git_shows_a_change_in_terms(built: Path, tmp_path: Path) -> None:
    """The lines of the README, with real git: .gitattributes, and textconv in its configuration."""
    home = {**os.environ, "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1", "PYTHONPATH": os.getcwd()}

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=tmp_path / "desk", env=home, check=True, capture_output=True, text=True
        ).stdout

    (tmp_path / "desk").mkdir()
    git("init", "-q")
    git("config", "user.name", "desk")
    git("config", "user.email", "desk@example.com")
    program = f"{sys.executable} -c 'from xlmodel.cli import main; main()'"
    git("config", "diff.xlmodel.textconv", f"{program} show")
    (tmp_path / "desk" / ".gitattributes").write_text("*.xlsx diff=xlmodel\n")
    book = tmp_path / "desk" / "deal.xlsx"
    shutil.copy(built / "carmax_1999_1.xlsx", book)
    git("add", ".")
    git("commit", "-q", "-m", "the deal")
    edit(book, {find(book, "Classes", 0.0676): 0.0686})
    changed = [
        line
        for line in git("diff", "-U0").splitlines()
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == [
        "-class A-3: rate = 6.76%",
        "+class A-3: rate = 6.86%",
        "-result A-3: first interest = 1,578,891.89",
        "+result A-3: first interest = 1,602,248.28",
    ]
