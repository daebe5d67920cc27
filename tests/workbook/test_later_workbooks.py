"""The workbooks of later deals: they build, every check holds, and they tie with what is printed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.deal.test_later_deals import CARMAX, DRIVE, TOYOTA, WORKBOOKS
from tests.workbook.sheets_of import edit, named
from tests.workbook.test_validate import counts, validated
from xlmodel.deal.folder import read_folder
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.validate import CHECK_PREFIX

pytestmark = pytest.mark.soak

DEALS = (CARMAX, TOYOTA, DRIVE)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders with fresh builds, refreshed; not to be written to."""
    root = tmp_path_factory.mktemp("later")
    for name in DEALS:
        shutil.copytree(WORKBOOKS / name, root / name)
        package = open_package(build_workbook(read_folder(root / name)), name=name)
        (root / name / f"{name}.xlsx").write_bytes(refresh(package).data)
    return root


@pytest.mark.parametrize(
    ("name", "cells", "informative", "lives"),
    [(CARMAX, 1248, 183, 48), (TOYOTA, 834, 281, 48), (DRIVE, 1040, 236, 60)],
)
def test_everything_ties(books: Path, name: str, cells: int, informative: int, lives: int) -> None:
    found = validated(books / name / f"{name}.xlsx")
    assert found.ok
    ties = counts(found)
    assert ties["decrement"] == (cells, cells, informative, informative)
    assert ties["average_life"] == (lives,) * 4
    checks = {name: value for name, value in ties.items() if name.startswith(CHECK_PREFIX)}
    assert {"check_decrement", "check_average_life", "check_fees", "check_available_funds"} <= set(checks)
    assert set(checks.values()) == {(1, 1, 1, 1)}


@pytest.mark.parametrize(
    ("name", "table", "lives"),
    [(CARMAX, (53, 24), (6, 8)), (TOYOTA, (57, 24), (4, 12)), (DRIVE, (64, 30), (6, 10))],
)
def test_computed_and_published_ranges_have_one_shape(
    books: Path, name: str, table: tuple[int, int], lives: tuple[int, int]
) -> None:
    workbook = books / name / f"{name}.xlsx"
    for names, shape in (
        (("Decrement", "PublishedDecrement"), table),
        (("AverageLife", "PublishedAverageLife"), lives),
    ):
        for one in names:
            block = named(workbook, one)
            assert (len(block), len(block[0])) == shape


def test_what_is_not_printed_is_blank_and_must_stay_so(books: Path, tmp_path: Path) -> None:
    """Toyota's tables begin with the first payment date; that of A-1 ends after the twelfth."""
    folder = Path(shutil.copytree(books / TOYOTA, tmp_path / TOYOTA))
    workbook = folder / f"{TOYOTA}.xlsx"
    printed = named(workbook, "PublishedDecrement")
    assert printed[0] == [None] * 24
    assert (printed[12][:6], printed[13][:6]) == ([0.0] * 6, [None] * 6)
    edit(workbook, {("PublishedDecrement", 14, 1): 0.5})
    found = validated(workbook)
    assert not found.ok
    (miss,) = found.altered
    assert (miss.expected, miss.found) == ("a blank cell", "0.5")
    assert counts(found)["decrement"] == (834, 834, 281, 281)


def test_an_asterisk_is_more_than_zero_and_less_than_half_a_percent(books: Path) -> None:
    """2010-2, A-1 in January 2011 at 1.70%: the only asterisk of the tables."""
    workbook = books / CARMAX / f"{CARMAX}.xlsx"
    printed, computed = named(workbook, "PublishedDecrement"), named(workbook, "Decrement")
    stars = [(n, m) for n, row in enumerate(printed) for m, figure in enumerate(row) if figure == "*"]
    assert stars == [(6, 3)]
    assert 0 < computed[6][3] < 0.005


def test_every_check_holds_of_a_floating_class_and_a_fee_of_every_kind(tmp_path: Path) -> None:
    """Toyota's deal with an index under A-2b, capped in the end, and fees that its document does not have."""
    folder = Path(shutil.copytree(WORKBOOKS / TOYOTA, tmp_path / "floating"))
    text = (folder / "deal.toml").read_text(encoding="utf-8")
    text = text.replace("rate = 0.050863\n", 'rate = 0.0065\nindex = "average rate"\ncap = 0.052\n')
    text = text.replace('pay = "fee servicing"', 'pay = "fee servicing + owner + backup + start"')
    for number in range(64):
        year, month = divmod(2025 * 12 + 4 + number, 12)
        row = f"date = {year}-{month + 1:02d}-15\namount = {0.043 + number * 0.0001:.4f}\n"
        text += f'\n[[schedules]]\nschedule = "average rate"\n{row}'
    for name, terms in (
        ("owner", 'rate = 0.0001\nof = "cutoff pool"\namount = 100.5'),
        ("backup", 'rate = 0.00005\nof = "pool"\nminimum = 2500.0\nfirst = "1/6"'),
        ("start", "amount = 50000.0\nonce = true"),
    ):
        text += f'\n[[fees]]\nfee = "{name}"\n{terms}\nstatus = "assumed"\n'
    (folder / "deal.toml").write_text(text, encoding="utf-8")
    shutil.rmtree(folder / "published")
    package = open_package(build_workbook(read_folder(folder)), name="floating")
    (folder / "floating.xlsx").write_bytes(refresh(package).data)
    found = validated(folder / "floating.xlsx")
    assert found.ok, [str(miss) for miss in found.misses]
    assert {"check_interest_proof", "check_fees"} <= set(counts(found))


def test_lives_to_maturity_are_no_shorter_than_to_the_call(books: Path) -> None:
    for row in named(books / CARMAX / f"{CARMAX}.xlsx", "AverageLife"):
        assert all(call <= maturity for call, maturity in zip(row[:4], row[4:], strict=True))
