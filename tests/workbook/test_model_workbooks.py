"""The workbooks of a card trust, a loan agreement and a servicer: built, regenerated, edited, refused."""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl import Workbook

from tests.test_cli import xlmodel as command
from tests.trust.second_trust import figures
from tests.workbook.books import checks, lost
from tests.workbook.sheets_of import edit, named
from xlmodel.errors import BadDealFolder, BadPublished, NotWritten, XlmodelError
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_folder
from xlmodel.workbook.refresh import read_package, refresh
from xlmodel.workbook.sheets.card_trust.rules import RULES as TRUST_RULES
from xlmodel.workbook.sheets.clauses import CLAUSE, Rule
from xlmodel.workbook.sheets.loan_agreement.rules import RULES as LOAN_RULES
from xlmodel.workbook.sheets.servicer.rules import RULES as SERVICER_RULES
from xlmodel.workbook.validate import validate

pytestmark = pytest.mark.soak

ROOT = Path(__file__).parents[2] / "workbooks"
NAMES = ("card_master_trust", "loan_agreement", "servicer_advances")
RULES: dict[str, Sequence[Rule]] = dict(zip(NAMES, (TRUST_RULES, LOAN_RULES, SERVICER_RULES), strict=True))
MARKS = {"clause": "Clause", "practice": "Market practice", "assumed": "Assumed"}
FIGURES = {
    "card_master_trust": {"figures": (720, 280)},
    "loan_agreement": {"receipts": (80, 39), "claims": (39, 29)},
    "servicer_advances": {"ledger": (183, 80)},
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of the three folders with fresh builds, refreshed; not to be written to."""
    root = tmp_path_factory.mktemp("models")
    for name in NAMES:
        shutil.copytree(ROOT / name, root / name)
        package = open_package(build_folder(root / name), name=name)
        (root / name / f"{name}.xlsx").write_bytes(refresh(package).data)
    return root


@pytest.fixture
def folder(built: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return Path(shutil.copytree(built / request.param, tmp_path / request.param))


def of(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("folder", names, indirect=True)


def workbook(folder: Path) -> Path:
    return folder / f"{folder.name}.xlsx"


def book(folder: Path) -> Workbook:
    return openpyxl.load_workbook(workbook(folder), data_only=True)


@of(*NAMES)
def test_the_shipped_workbook_is_a_build_of_its_folder(folder: Path) -> None:
    """But for the version of the functions, which changes with every function added."""
    shipped = openpyxl.load_workbook(ROOT / folder.name / workbook(folder).name)
    fresh = openpyxl.load_workbook(workbook(folder))
    assert shipped.sheetnames == fresh.sheetnames
    for sheet in fresh:
        for row in sheet.iter_rows():
            for cell in row:
                one, other = cell.value, shipped[sheet.title][cell.coordinate].value
                if isinstance(one, float):
                    assert other == pytest.approx(one, rel=1e-12)
                else:
                    assert getattr(other, "text", other) == getattr(one, "text", one), cell.coordinate


@of(*NAMES)
def test_two_builds_are_equal_byte_for_byte(folder: Path) -> None:
    assert build_folder(folder) == build_folder(folder)


@of(*NAMES)
def test_every_check_holds_and_every_figure_is_met(folder: Path) -> None:
    package = read_package(workbook(folder))
    found = validate(package, refresh(package).evaluation, folder / "published")
    assert found.ok
    for name, (cells, informative) in FIGURES[folder.name].items():
        (check,) = [one for one in found.checks if one.name == name]
        assert (check.cells, check.matched, check.informative) == (cells, cells, informative)
    assert sum(one.name.startswith("check_") for one in found.checks) >= 6


@of(*NAMES)
def test_regenerate_changes_nothing_in_a_fresh_build(folder: Path) -> None:
    before = workbook(folder).read_bytes()
    done = command("regenerate", folder.name, cwd=folder.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert workbook(folder).read_bytes() == before


def notes(folder: Path) -> Iterator[str]:
    for sheet in openpyxl.load_workbook(workbook(folder)):
        for row in sheet.iter_rows():
            for cell in row:
                if cell.comment is not None:
                    yield cell.comment.text


@of(*NAMES)
def test_each_clause_is_a_note_of_the_cells_that_carry_it_out(folder: Path) -> None:
    said = "\n".join(notes(folder))
    for rule in RULES[folder.name]:
        if rule.status == CLAUSE or folder.name == "card_master_trust":
            assert rule.note in said, rule.name


@of(*NAMES)
def test_what_is_practice_names_a_public_source_and_is_marked(folder: Path) -> None:
    listed = {row[0].value: row[1].value for row in book(folder)["Clauses"].iter_rows(min_row=5)}
    for rule in RULES[folder.name]:
        assert listed[rule.name] == rule.status
        assert len(rule.source) > 10
        assert rule.note.startswith(MARKS[rule.status])


@of(*NAMES)
def test_charts_have_their_numbers(folder: Path) -> None:
    package = read_package(workbook(folder))
    charts = [part for part in package.parts if part.startswith("xl/charts/chart")]
    assert len(charts) >= 2
    assert all(b"<numCache>" in package.read(part) for part in charts)


def test_the_published_figures_are_those_of_the_second_program() -> None:
    table = (ROOT / "card_master_trust" / "published" / "figures.csv").read_text(encoding="utf-8")
    assert table == "".join(",".join(row) + "\n" for row in figures(ROOT / "card_master_trust"))


# --- edits of the desk -----------------------------------------------------------------------------


def refreshed(folder: Path) -> Workbook:
    path = workbook(folder)
    path.write_bytes(refresh(read_package(path)).data)
    return openpyxl.load_workbook(path, data_only=True)


@of("card_master_trust")
def test_another_coupon_moves_the_early_amortization(folder: Path) -> None:
    """At the coupons of the second series the third earns its base rate on average, and goes on revolving."""
    edit(workbook(folder), {("Classes", 8 + n, 4): rate for n, rate in enumerate((0.051, 0.0545, 0.066))})
    found = refreshed(folder)
    assert {row[1] for row in named(workbook(folder), "Series3")} == {"revolving"}
    # The figures of the second program are no longer met; everything that is native still is.
    assert lost(checks(found)) == {"check_figures"}


@of("card_master_trust")
def test_a_transfer_restriction_event_in_the_tenth_month(folder: Path) -> None:
    edit(workbook(folder), {("Trust", 2, 6): dt.datetime(2026, 10, 31)})
    found = refreshed(folder)
    months = named(workbook(folder), "TrustMonths")
    held = months[9][1]
    assert sum(row[3] + row[4] for row in months[9:]) <= held + 0.005
    assert all(row[6] == 0 for row in months[9:])
    assert lost(checks(found)) == {"check_figures"}


@of("loan_agreement")
def test_without_an_event_of_default_everything_goes_by_percentage(folder: Path) -> None:
    path = workbook(folder)
    edit(path, {("Agreement", 2, 2): None} | {("Receipts", row, 2): "term notes" for row in range(9, 12)})
    found = refreshed(folder)
    assert [row[3] for row in named(path, "Distribution")[:10]] == [False] * 10
    assert named(path, "ReceiptsPaid")[9][:3] == [1_350_000.0, 1_050_000.0, 600_000.0]
    assert lost(checks(found)) == {"check_receipts"}


@of("servicer_advances")
def test_a_receipt_in_a_spare_row(folder: Path) -> None:
    path = workbook(folder)
    new = (dt.datetime(2026, 7, 20), "R-101", "payment", 77.0)
    edit(path, {("Receipts", 19, column): value for column, value in enumerate(new, start=1)})
    refreshed(folder)
    line = named(path, "AdvanceLedger")[22]
    assert (line[2], line[4], line[8]) == ("R-101", 77.0, 77.0)
    assert line[9] == dt.datetime(2026, 7, 22)


@of("servicer_advances")
def test_a_figure_edited_in_the_published_range_is_told(folder: Path) -> None:
    edit(workbook(folder), {("PublishedLedgerAmounts", 1, 1): 412.51})
    package = read_package(workbook(folder))
    found = validate(package, refresh(package).evaluation, folder / "published")
    assert not found.ok
    assert len(found.altered) == 1


@of(*NAMES)
def test_edits_are_not_overwritten_by_a_build(folder: Path) -> None:
    edits: dict[str, tuple[tuple[str, int, int], Any]] = {
        "card_master_trust": (("Months", 2, 3), 1.0),
        "loan_agreement": (("Banks", 2, 5), 1.0),
        "servicer_advances": (("Advances", 2, 3), 1.0),
    }
    cell, value = edits[folder.name]
    edit(workbook(folder), {cell: value})
    refused = command("build", folder.name, cwd=folder.parent)
    assert refused.returncode == 1
    assert "XM-306" in refused.stderr
    assert command("build", "--force", folder.name, cwd=folder.parent).returncode == 0
    assert NotWritten.code == "XM-306"


# --- bad input: the refresh fails, nothing is written, and the message names cell and remedy ---------

BAD: dict[str, tuple[str, dict[tuple[str, int, int], Any], str, str]] = {
    "percentages beyond 100": (
        "loan_agreement",
        {("Banks", 4, 2): 0.30},
        "XM-213",
        "add up to 110",
    ),
    "a series in no group": ("card_master_trust", {("Series", 3, 2): None}, "XM-211", "in no group"),
    "a shortfall with nothing to share": (
        "card_master_trust",
        {("Series", 2, 9): False, ("Series", 3, 9): False},
        "XM-211",
        "nothing to share",
    ),
    "dates out of order, months": (
        "card_master_trust",
        {("Months", 5, 1): dt.datetime(2026, 6, 30)},
        "XM-212",
        "does not follow",
    ),
    "dates out of order, receipts": (
        "servicer_advances",
        {("Receipts", 3, 1): dt.datetime(2026, 4, 1)},
        "XM-212",
        "comes after",
    ),
    "an advance never made": (
        "servicer_advances",
        {("Determinations", 2, 2): "R-999"},
        "XM-214",
        "never made",
    ),
}
# The cell at fault where it is not the one that was edited.
AT = {"a shortfall with nothing to share": ("Series", 4, 9)}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_with_cell_and_remedy_and_nothing_is_written(
    name: str, built: Path, tmp_path: Path
) -> None:
    model, edits, code, words = BAD[name]
    folder = Path(shutil.copytree(built / model, tmp_path / model))
    written = edit(workbook(folder), edits)
    cell = written.get(AT.get(name, next(iter(edits)))) or _cell(folder, *AT[name])
    before = workbook(folder).read_bytes()
    done = command("refresh", str(workbook(folder)))
    assert done.returncode == 1
    assert workbook(folder).read_bytes() == before
    assert f"because of {cell}" in done.stderr
    assert f"[{code}]" in done.stderr
    assert words in done.stderr
    assert done.stderr.rstrip().endswith(")")  # the remedy


def _cell(folder: Path, name: str, row: int, column: int) -> str:
    loaded = openpyxl.load_workbook(workbook(folder))
    ((sheet, reference),) = loaded.defined_names[name].destinations
    return f"{sheet}!{loaded[sheet][reference.replace('$', '')][row - 1][column - 1].coordinate}"


@of(*NAMES)
def test_a_folder_that_is_unsound_is_not_built(folder: Path) -> None:
    file = folder / "model.toml"
    text = file.read_text(encoding="utf-8")
    determined = "determined = 2026-06-24\nreceivable = "
    old, new = {
        "card_master_trust": ('group = "Two"\nservicing', 'group = "Six"\nservicing'),
        "loan_agreement": ("term_percentage = 0.45", "term_percentage = 0.46"),
        "servicer_advances": (f'{determined}"R-107"', f'{determined}"R-1"'),
    }[folder.name]
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(XlmodelError) as raised:
        build_folder(folder)
    assert str(file) in str(raised.value)
    assert raised.value.place.row


@of("card_master_trust")
def test_published_figures_of_another_shape(folder: Path) -> None:
    file = folder / "published" / "figures.csv"
    file.write_text("\n".join(file.read_text(encoding="utf-8").splitlines()[:-1]), encoding="utf-8")
    with pytest.raises(BadPublished, match="23"):
        build_folder(folder)


@of("card_master_trust")
def test_a_folder_without_published_figures_has_no_such_check(folder: Path) -> None:
    shutil.rmtree(folder / "published")
    assert "check_figures" not in book_of(build_folder(folder)).defined_names


def book_of(data: bytes) -> Workbook:
    import io

    return openpyxl.load_workbook(io.BytesIO(data))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("schema = 1", "schema = 2", "schema is 2"),
        ("title = ", "heading = ", "unknown table"),
        ('title = "Tidewater Loan Agreement (synthetic)"', "title = 1", "no title"),
        ("[[banks]]", "[[bank]]", "unknown table 'bank'"),
    ],
)
@of("loan_agreement")
def test_a_document_that_the_kind_does_not_know(folder: Path, old: str, new: str, words: str) -> None:
    file = folder / "model.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(BadDealFolder, match=words):
        build_folder(folder)
