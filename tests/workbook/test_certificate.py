"""The workbook of reported months: the sheet Certificate ties to the cent, rolls forward, and can fail."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from tests.workbook.sheets_of import edit, find, named
from xlmodel.deal.folder import read_folder
from xlmodel.errors import BadPublished, XlmodelError
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.export import export_run
from xlmodel.workbook.refresh import read_package, refresh
from xlmodel.workbook.validate import Validation, validate

DEAL = Path(__file__).parents[2] / "workbooks" / "carmax_2024_2"


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the deal folder with a fresh build, refreshed; not to be written to."""
    folder = tmp_path_factory.mktemp("certified") / DEAL.name
    shutil.copytree(DEAL, folder, ignore=shutil.ignore_patterns("*.xlsx"))
    package = open_package(build_workbook(read_folder(folder)), name="fresh")
    (folder / f"{DEAL.name}.xlsx").write_bytes(refresh(package).data)
    return folder


@pytest.fixture
def workbook(certified: Path, tmp_path: Path) -> Path:
    """A copy of the workbook, beside its published figures, to be changed."""
    folder = Path(shutil.copytree(certified, tmp_path / DEAL.name))
    return folder / f"{DEAL.name}.xlsx"


def validated(workbook: Path) -> Validation:
    package = read_package(workbook)
    return validate(package, refresh(package).evaluation, workbook.parent / "published")


def missed(found: Validation) -> set[str]:
    return {check.name for check in found.checks if not check.ok}


def test_every_figure_ties(workbook: Path) -> None:
    found = validated(workbook)
    assert [str(miss) for miss in found.misses] == []
    counts = {check.name: (check.cells, check.matched) for check in found.checks}
    assert counts.pop("certificate") == (188, 188)
    certificate = next(check for check in found.checks if check.name == "certificate")
    assert (certificate.informative, certificate.informative_matched) == (147, 147)
    assert set(counts) >= {"check_certificate", "check_roll_forward", "check_interest_proof"}
    assert set(counts.values()) == {(1, 1)}


def test_the_ranges_have_the_same_shape(workbook: Path) -> None:
    for name in ("Certificate", "RollForward"):
        computed, printed = named(workbook, name), named(workbook, f"Published{name}")
        assert [len(row) for row in computed] == [len(row) for row in printed]
        assert {len(row) for row in computed} == {4}
    figures = [cell for row in named(workbook, "PublishedCertificate") for cell in row if cell is not None]
    assert len(figures) == 188


def test_what_makes_no_sense_for_reported_months_is_left_out(workbook: Path) -> None:
    book = openpyxl.load_workbook(workbook, read_only=True)
    assert book.sheetnames == ["Certificate", "Terms", "Payments", "Pool", "Distributions"]
    assert not {"Decrement", "AverageLife", "Scenarios"} & set(book.defined_names)


def test_the_workbook_runs_like_its_folder(workbook: Path, tmp_path: Path) -> None:
    for source in (workbook, workbook.parent):
        export_run(source, None, tmp_path / source.suffix.strip("."))
    for name in ("collections", "distributions", "ledger", "accounts"):
        texts = {(tmp_path / part / f"{name}.csv").read_text() for part in ("", "xlsx")}
        assert len(texts) == 1


def test_a_margin_edited_misses(workbook: Path) -> None:
    edit(workbook, {find(workbook, "Classes", 0.0058): 0.0059})
    found = validated(workbook)
    assert missed(found) == {"certificate", "check_certificate"}
    # Its rate on three dates, its interest and the remainder on four.
    certificate = next(check for check in found.checks if check.name == "certificate")
    assert certificate.cells - certificate.matched == 11


def test_a_cent_of_principal_is_shown_and_carried(workbook: Path) -> None:
    """A cent less collected in April: from then on the pool and class A-1 open each month a cent higher."""
    pools = named(workbook, "Pools")
    ending = len(pools[0])
    beginning, principal = (pools[0].index(name) + 1 for name in ("Beginning balance", "Principal"))
    edits = {("Pools", 2, principal): pools[1][principal - 1] - 0.01}
    edits |= {("Pools", row, ending): pools[row - 1][ending - 1] + 0.01 for row in range(2, len(pools) + 1)}
    edits |= {("Pools", row, beginning): None for row in range(3, len(pools) + 1)}
    edit(workbook, edits)
    found = validated(workbook)
    assert {"certificate", "check_certificate", "check_roll_forward"} <= missed(found)
    workbook.write_bytes(refresh(read_package(workbook)).data)
    sheet = openpyxl.load_workbook(workbook, data_only=True)["Certificate"]
    top = next(row for row in range(1, 200) if str(sheet.cell(row, 1).value).startswith("Roll-forward")) + 2
    carried = [round(float(sheet.cell(top, column).value), 2) for column in range(18, 22)]  # type: ignore[arg-type]
    assert carried == [0, 0.01, 0.02, 0.03]


def test_a_balance_that_does_not_roll_is_an_error_at_its_cell(workbook: Path) -> None:
    pools = named(workbook, "Pools")
    (written,) = edit(workbook, {("Pools", 3, len(pools[0])): 1.0}).values()
    with pytest.raises(XlmodelError, match="does not roll") as caught:
        refresh(read_package(workbook))
    assert written.split("!")[1] in str(caught.value)


BAD: dict[str, tuple[Callable[[str], str], str]] = {
    "an unknown figure": (lambda text: text.replace(",fees,", ",tips,"), "there is no figure 'tips'"),
    "an unknown class": (lambda text: text.replace(",interest,A-1,", ",interest,A-9,"), "'A-9' is nothing"),
    "an unknown status": (lambda text: text.replace(",follows", ",proven", 1), "'proven' is no status"),
    "a line twice": (lambda text: text + text.splitlines()[-1] + "\n", "again"),
    "no date": (lambda text: text.replace("2024-05-15", "May 2024", 1), "'May 2024' is no date"),
}


@pytest.mark.parametrize("name", BAD)
def test_certificates_that_cannot_be_compared_are_refused(name: str, tmp_path: Path) -> None:
    change, words = BAD[name]
    folder = Path(shutil.copytree(DEAL, tmp_path / DEAL.name))
    file = folder / "published" / "certificates.csv"
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(BadPublished, match=words):
        build_workbook(read_folder(folder))
