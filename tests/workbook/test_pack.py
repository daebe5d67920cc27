"""The tie-out pack: every figure, the readings that fall, hashes, and that a miss is told.

The falls under other readings were found by an independent calculation (tests/deal/test_carmax_1999_1.py).
"""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
from pathlib import Path

import openpyxl
import pytest

from tests.workbook.sheets_of import edit
from tests.workbook.test_difference import xlmodel
from xlmodel.errors import BadPublished
from xlmodel.functions import functions_version
from xlmodel.workbook.pack import gather, pack
from xlmodel.workbook.pack_facts import Facts

pytestmark = pytest.mark.soak

WORKBOOKS = Path(__file__).parents[2] / "workbooks"


@pytest.fixture(scope="module")
def facts(built: Path) -> Facts:
    return gather(built / "carmax_1999_1.xlsx", built / "published")


@pytest.fixture(scope="module")
def made(facts: Facts) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(pack(facts)), data_only=True)


def test_every_figure_is_listed_with_its_rounding_and_ties(made: openpyxl.Workbook) -> None:
    rows = [row for row in made["Compared"].iter_rows(5, values_only=True) if row[0]]
    # 880 cells of the decrement tables, 20 average lives, 5 first interest amounts.
    assert len(rows) == 905
    assert [
        sum(row[0] == name for row in rows) for name in ("Decrement table", "Average lives", "First interest")
    ] == [
        880,
        20,
        5,
    ]
    assert all((row[7], row[8]) == (0, "yes") for row in rows)
    assert sum(row[0] == "Decrement table" and row[9] == "yes" for row in rows) == 147
    # Page 36: A-1 stands at 79.8% after the first payment date at 0.50% ABS.
    assert rows[0][1:4] == ("A-1", "0.5%, payment date 1", 0.798)
    # Page 43.
    assert rows[900][1:7] == ("A-1", "first payment date", 1283917.5, 1283917.5, 2, 1283917.5)


def test_rounding_and_tie_are_formulas_of_the_pack(facts: Facts) -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(pack(facts)))["Compared"]
    assert [sheet.cell(5, column).value for column in (7, 8, 9)] == [
        "=ROUND(E5,F5)",
        "=ROUND((G5-D5)*10^F5,0)+0",
        '=IF(H5=0,"yes","NO")',
    ]


def test_the_summary_counts(made: openpyxl.Workbook) -> None:
    sheet = made["Summary"]
    assert sheet["A3"].value == "Every figure compared ties."
    assert [[sheet.cell(row, column).value for column in range(1, 7)] for row in (6, 7, 8)] == [
        ["Decrement table", 880, 880, 0, 147, 147],
        ["Average lives", 20, 20, 0, 20, 20],
        ["First interest", 5, 5, 0, 5, 5],
    ]
    assert [sheet.cell(row, 8).value for row in (6, 7, 8)] == [
        "0.1%, half up",
        "0.01, half up",
        "0.01, half up",
    ]
    told = {row[0]: row[1] for row in sheet.iter_rows(values_only=True) if row[0]}
    assert told["Functions version"] == functions_version()
    assert told["Published cells altered in the workbook"] == "none"
    assert told["Accounts roll"] == "holds"


@pytest.mark.parametrize(
    ("reading", "tied", "informative"),
    [("age from cutoff", 710, 0), ("one collection month", 713, 0), ("no call", 827, 147)],
)
def test_the_readings_rejected_fall_as_an_independent_calculation_says(
    facts: Facts, made: openpyxl.Workbook, reading: str, tied: int, informative: int
) -> None:
    tried = next(t for t in facts.readings if t.name == reading)
    assert tried.tied["decrement"] == (tied, 880)
    assert tried.informative == (informative, 147)
    row = next(row for row in made["Readings"].iter_rows(values_only=True) if row[0] == reading)
    assert row[2] == f"{tied} of 880"
    assert str(row[6]).startswith("rejected: decrement table")


def test_other_readings_concern_other_tables(facts: Facts) -> None:
    tied = {t.name: t.tied for t in facts.readings}
    assert tied["adopted"] == {"decrement": (880, 880), "average_life": (20, 20), "first_interest": (5, 5)}
    # Pages 43 and 46: accrue 48 actual days, the three others 47 days of 30-day months.
    assert tied["all 30/360"]["first_interest"] == (3, 5)
    assert tied["all actual/360"]["first_interest"] == (2, 5)
    assert tied["lives from closing"]["decrement"] == (880, 880)
    assert tied["lives from closing"]["average_life"][0] < 20


def lengthen(workbook: Path, cell: str, end: str) -> None:
    """Another last argument for the call in a cell of the sheet Decrement."""
    book = openpyxl.load_workbook(workbook)
    formula = book["Decrement"][cell].value
    formula.text = f"{formula.text.removesuffix(')')}{end})"
    book.save(workbook)


def test_a_table_to_maturity_is_read_as_one(workbook: Path) -> None:
    """Without the call 827 of the 880 decrement cells tie, as an independent calculation says."""
    lengthen(workbook, "C6", ",TRUE")
    found = gather(workbook, workbook.parent / "published").readings
    tied = {one.name: (one.tied["decrement"], one.informative) for one in found}
    assert tied["adopted"] == tied["no call"] == ((827, 880), (147, 147))
    assert "terms alone" not in tied
    done = xlmodel("pack", workbook)
    assert "reading 'no call': 827 of 880" in done.stdout
    assert "MORE" not in done.stdout


def test_readings_are_held_against_what_the_workbook_shows(workbook: Path) -> None:
    """A formula was edited: its lives leave the call out, of which the terms know nothing.

    The prospectus prints lives to the call (20 tie); to maturity A-4 and the certificates are longer.
    """
    lengthen(workbook, "C54", ",,TRUE")
    adopted, terms, *_ = gather(workbook, workbook.parent / "published").readings
    assert adopted.tied["average_life"][0] < 20
    assert (terms.name, terms.tied["average_life"]) == ("terms alone", (20, 20))
    done = xlmodel("pack", workbook)
    assert "reading 'terms alone': 880 of 880" in done.stdout


def test_files_are_told_by_their_hashes(built: Path, made: openpyxl.Workbook) -> None:
    rows = [row[:3] for row in made["Files"].iter_rows(5, values_only=True) if row[1]]
    assert [row[0] for row in rows] == [
        "carmax_1999_1.xlsx",
        "deal.toml",
        "pool.csv",
        *(f"published/{path.name}" for path in sorted((built / "published").iterdir())),
    ]
    for name, size, digest in rows:
        data = (built / str(name)).read_bytes()
        assert (size, digest) == (len(data), hashlib.sha256(data).hexdigest())


def test_conventions_and_sources_come_with_their_pages(made: openpyxl.Workbook) -> None:
    conventions = [row[:5] for row in made["Conventions"].iter_rows(5, values_only=True)]
    assert ("term Cutoff date", "value", "1999-09-30", "stated", "109") in conventions
    assert ("term Calendar", "value", "FED", "assumed", None) in conventions
    assert any(row[:3] == ("class A-1", "day count", "actual/360") for row in conventions)
    sources = [row[:3] for row in made["Sources"].iter_rows(5, values_only=True)]
    assert (
        "classes.csv",
        "interest of the first payment date, in dollars and cents",
        "43 (notes), 46 (certificates)",
    ) in (sources)


def test_two_packs_are_equal_byte_for_byte(facts: Facts) -> None:
    assert pack(facts) == pack(facts)


def test_a_miss_and_an_altered_figure_are_told_and_the_exit_code_is_1(built: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(built, tmp_path / "deal"))
    book = folder / "carmax_1999_1.xlsx"
    edit(book, {("Classes", 2, 4): 0.063, ("PublishedAverageLife", 1, 1): 0.44})
    done = xlmodel("pack", book, "--out", tmp_path / "pack.xlsx")
    assert done.returncode == 1
    assert "904 of 905 figures tie" in done.stdout
    sheets = openpyxl.load_workbook(tmp_path / "pack.xlsx", data_only=True)
    assert sheets["Summary"]["A3"].value == "Not every figure ties: see the sheet Compared."
    missed = [row for row in sheets["Compared"].iter_rows(5, values_only=True) if row[8] == "NO"]
    # 155,250,000 x 6.3% x 48/360 = 1,304,100.00.
    assert [(row[1], row[3], row[4]) for row in missed] == [("A-1", 1283917.5, 1304100.0)]
    assert "misses by" in str(missed[0][10])
    told = {row[0]: row[1] for row in sheets["Summary"].iter_rows(values_only=True) if row[0]}
    assert str(told["Published cells altered in the workbook"]).startswith("1; the first: Tie-out!B49")


def test_a_certificate_has_a_pack_without_readings(tmp_path: Path) -> None:
    folder = WORKBOOKS / "carmax_2024_2"
    found = gather(folder / "carmax_2024_2.xlsx", folder / "published")
    assert found.tied
    assert found.readings == []
    # The monthly certificates: a line of theirs, and the dates on which it follows from the month before.
    opening = [one.where for one in found.compared if one.what == "Pool balance, beginning of period"]
    assert opening == ["17 June 2024", "15 July 2024", "15 August 2024"]
    pack(found)


def test_figures_that_do_not_tie_are_explained_one_by_one() -> None:
    """The 1999 prospectus about its pool: exceptions.csv says why some of the figures miss."""
    folder = WORKBOOKS / "carmax_1999_1_pool"
    found = gather(folder / "carmax_1999_1_pool.xlsx", folder / "published")
    explained = [one for one in found.compared if one.explained]
    with (folder / "published" / "exceptions.csv").open(newline="", encoding="utf-8") as file:
        assert len(explained) == len(list(csv.DictReader(file)))
    assert found.tied
    assert all(one.explained.startswith(("rounding", "error")) for one in explained)
    sheet = openpyxl.load_workbook(io.BytesIO(pack(found)), data_only=True)["Summary"]
    assert sheet["A3"].value == "Every figure compared ties or is explained."


def test_nothing_published_and_a_pack_in_the_workbooks_place_are_refused(built: Path, tmp_path: Path) -> None:
    with pytest.raises(BadPublished, match="no published figures"):
        gather(built / "carmax_1999_1.xlsx", tmp_path)
    book = built / "carmax_1999_1.xlsx"
    done = xlmodel("pack", book, "--out", book)
    assert done.returncode == 64
    assert "the pack would replace the workbook" in done.stderr
