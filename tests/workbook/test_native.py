"""The native form: plain formulas alone, which give what our functions give and what the prospectus prints.

LibreOffice, which knows nothing of our functions, works the whole workbook out again.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from openpyxl import Workbook

from tests.deal.tie import DEAL
from tests.libreoffice import convert
from tests.workbook.books import checks, lost, named, refreshed, saved, values_of
from xlmodel.conventions.money import round_half_up
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import at_speeds
from xlmodel.deal.waterfall import run
from xlmodel.errors import NotNative
from xlmodel.package.address import Block
from xlmodel.package.guard import open_package
from xlmodel.workbook.forms import FORMS
from xlmodel.workbook.lint import lint
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.sheets.contents import Contents, read_contents
from xlmodel.workbook.sheets.layout import Layout, cell
from xlmodel.workbook.sheets.native import sheets_of
from xlmodel.workbook.sheets.native.runs import BASE, runs_of
from xlmodel.workbook.validate import validate

pytestmark = pytest.mark.filterwarnings("ignore:Unable to read chart")  # one that LibreOffice wrote

WORKBOOKS = DEAL.parent
NATIVE = FORMS["native"]


@pytest.fixture(scope="module")
def contents() -> Contents:
    return read_contents(DEAL)


@pytest.fixture(scope="module")
def layout(contents: Contents) -> Layout:
    blocks: dict[str, Block] = {}
    for sheet in sheets_of(contents):
        blocks |= sheet.place(contents)
    return Layout(blocks)


@pytest.fixture(scope="module")
def formulas() -> bytes:
    return NATIVE.build(DEAL)


@pytest.fixture(scope="module")
def libreoffice(formulas: bytes, tmp_path_factory: pytest.TempPathFactory) -> Workbook:
    """Worked out by LibreOffice from the formulas alone: the file that it gets holds no value of ours."""
    return recalculated(formulas, tmp_path_factory.mktemp("native"))


def recalculated(data: bytes, folder: Path) -> Workbook:
    source = folder / "native.xlsx"
    source.write_bytes(data)
    (folder / "out").mkdir()
    return openpyxl.load_workbook(convert(source, "xlsx", folder / "out"), data_only=True)


def with_edits(data: bytes, edit: Callable[[Workbook], None]) -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(data))
    edit(book)
    return saved(book)


def set_cell(book: Workbook, block: Block, value: Any) -> None:
    book[str(block.sheet)].cell(block.top, block.left).value = value


def paid(deal: Deal, speed: float) -> Distributions:
    """What the Python API gives."""
    scenario = at_speeds([speed])
    return run(deal, collect(deal, read_folder(DEAL).pool, scenario), scenario)


def assert_run(
    book: Workbook, layout: Layout, key: str, found: Distributions, until: int | None = None
) -> None:
    """Interest, principal, balances and the reserve account of every date, or of the first, to the cent."""
    expected = {}
    for n in range(len(found.classes)):
        expected[f"interest {n}"] = found.interest[0, :, n]
        expected[f"principal {n}"] = found.principal[0, :, n]
        expected[f"balance {n}"] = found.balance[0, :, n]
    accounts = found.accounts
    for name, amounts in (
        ("opening", accounts.opening),
        ("deposit", accounts.deposit),
        ("taken", accounts.draw),
        ("release", accounts.release),
        ("closing", accounts.closing),
    ):
        expected[f"account {name} 0"] = amounts[0, :, 0]
    for name, cents in expected.items():
        shown = [row[0] for row in values_of(book, layout[f"{key} {name}"])][:until]
        np.testing.assert_array_equal(
            np.rint(np.array(shown, dtype=float) * 100), cents[:until], err_msg=name
        )


@pytest.mark.faces
def test_formulas_are_plain(formulas: bytes) -> None:
    """Of functions that Excel 2010 and LibreOffice 7.4 have, none that spills or that changes by itself."""
    book = openpyxl.load_workbook(io.BytesIO(formulas))
    used, count = set(), 0
    for sheet in book:
        for row in sheet.iter_rows():
            for c in row:
                if c.data_type == "f":
                    count += 1
                    used |= set(re.findall(r"([A-Z][A-Z0-9._]*)\(", re.sub(r'"[^"]*"', "", str(c.value))))
    assert count > 40_000
    known = """
        ABS AND COLUMNS COUNT COUNTA COUNTIF COUNTIFS DATE DAY EOMONTH EXACT FIXED IF INDEX ISNA ISNUMBER MAX
        MIN MONTH NA NOT OR PMT ROUND ROUNDDOWN ROWS SUM SUMIFS SUMPRODUCT WORKDAY YEAR
    """
    assert used <= set(known.split())


@pytest.mark.faces
def test_two_builds_are_equal(formulas: bytes) -> None:
    assert NATIVE.build(DEAL) == formulas


@pytest.fixture(scope="module")
def valued(formulas: bytes) -> bytes:
    return NATIVE.with_values(open_package(formulas, name="native.xlsx"))


@pytest.mark.faces
def test_it_validates_as_the_live_form_does(valued: bytes) -> None:
    package = open_package(valued, name="native.xlsx")
    result = validate(package, refresh(package).evaluation, DEAL / "published")
    assert result.ok
    counts = {check.name: (check.matched, check.cells) for check in result.checks}
    assert counts["decrement"] == (880, 880)
    assert counts["average_life"] == (20, 20)
    assert counts["first_interest"] == (5, 5)
    (decrement,) = [check for check in result.checks if check.name == "decrement"]
    assert (decrement.informative_matched, decrement.informative) == (147, 147)


@pytest.mark.faces
def test_lint_finds_nothing(valued: bytes) -> None:
    assert lint(open_package(valued, name="native.xlsx")) == []


@pytest.mark.faces
def test_libreoffice_ties_to_the_prospectus(libreoffice: Workbook) -> None:
    """880 figures, 147 of them neither 0 nor 100, 20 lives, 5 interest amounts, from the files as printed."""
    contents = read_contents(DEAL)
    classes = [note_class.name for note_class in contents.deal.classes]
    speeds = [f"{100 * speed:.2f}" for speed in contents.folder.speeds]
    table = named(libreoffice, "Decrement")
    matched = informative = 0
    for row in csv.DictReader((DEAL / "published/decrement_table.csv").open(encoding="utf-8")):
        speed = f"{float(row['abs_speed_pct']):.2f}"
        column = classes.index(row["class"]) * len(speeds) + speeds.index(speed)
        found, figure = table[int(row["period"])][column], row["percent_of_initial"]
        if int(row["period"]) == 0:
            continue
        if figure == "*":
            hit = found > 0 and round_half_up(found, 3) == 0
        else:
            hit = round_half_up(100 * found, 1) == float(figure)
        matched += bool(hit)
        informative += figure == "*" or float(figure) not in (0, 100)
    assert (matched, informative) == (880, 147)
    lives = named(libreoffice, "AverageLife")
    ties = 0
    for row in csv.DictReader((DEAL / "published/weighted_average_life.csv").open(encoding="utf-8")):
        speed = f"{float(row['abs_speed_pct']):.2f}"
        life = lives[classes.index(row["class"])][speeds.index(speed)]
        ties += round_half_up(life, 2) == float(row["wal_years"])
    assert ties == 20
    printed = {
        row["class"]: float(row["first_period_interest"])
        for row in csv.DictReader((DEAL / "published/classes.csv").open(encoding="utf-8"))
    }
    assert [row[0] for row in named(libreoffice, "FirstInterest")] == [printed[name] for name in classes]


@pytest.mark.faces
def test_libreoffice_finds_every_check_true(libreoffice: Workbook) -> None:
    found = checks(libreoffice)  # LibreOffice writes TRUE as the number 1
    assert {name for name, state in found.items() if state != 1} == set()
    assert {"check_functions", "check_clauses", "check_decrement", "check_no_claim", "check_holidays"} <= set(
        found
    )


@pytest.mark.faces
def test_libreoffice_equals_the_live_form(libreoffice: Workbook, layout: Layout) -> None:
    """Every cell of the live workbook's sheet Distributions that both have, from the file in workbooks/."""
    live = openpyxl.load_workbook(DEAL / f"{DEAL.name}.xlsx", data_only=True)
    sheet = live["Distributions"]
    start = Block.parse(live.defined_names["Distributions"].attr_text or "")
    headings: list[tuple[str, int]] = []
    group = ""
    for column in range(start.left, start.right + 1):
        group = str(sheet.cell(start.top - 3, column).value or group)
        headings.append((f"{group}|{sheet.cell(start.top - 2, column).value}", column))
    classes = [note_class.name for note_class in read_contents(DEAL).deal.classes]
    pairs = {
        f"{name}|{kind.capitalize()}": f"{kind} {n}"
        for n, name in enumerate(classes)
        for kind in ("interest", "principal", "balance", "factor")
    }
    moves = {"Opening": "opening", "Deposit": "deposit", "Draw": "taken", "Closing": "closing"}
    pairs |= {f"Account: reserve|{shown}": f"account {name} 0" for shown, name in moves.items()}
    cash = {"Pool balance": "pool", "Available funds": "available", "Fees paid": "fees paid"}
    cash |= {"Released": "released", "Remainder": "remainder", "Paid to insurers": "premiums paid"}
    pairs |= {f"Cash|{shown}": name for shown, name in cash.items()}
    compared = 0
    for heading, column in headings:
        if heading == "Cash|Policy claims":
            continue
        native = [row[0] for row in values_of(libreoffice, layout[BASE.at(pairs[heading])])]
        ours = [sheet.cell(row, column).value for row in range(start.top, start.bottom + 1)]
        assert np.allclose(native, np.array(ours, dtype=float), rtol=0, atol=1e-6), heading
        compared += len(ours)
    assert compared == 59 * 30


@pytest.mark.faces
def test_an_edited_workbook_gives_what_the_api_gives(
    formulas: bytes, contents: Contents, layout: Layout, tmp_path: Path
) -> None:
    """Another coupon, another servicing fee, another base speed and another speed of the tables."""

    def edit(book: Workbook) -> None:
        set_cell(book, cell(layout["class rate"], 3, 0), 0.095)
        set_cell(book, cell(layout["Speeds"], 0, 0), 0.0042)
        set_cell(book, layout["base speed"], 0.0137)
        set_cell(book, cell(layout["fee rate"], 1, 0), 0.0225)

    book = recalculated(with_edits(formulas, edit), tmp_path)
    deal = contents.deal
    classes = list(deal.classes)
    classes[3] = replace(classes[3], rate=0.095)
    fees = list(deal.fees)
    fees[1] = replace(fees[1], rate=0.0225)
    deal = replace(deal, classes=tuple(classes), fees=tuple(fees))
    keys = {one.speed: one.key for one in runs_of(contents)}
    for place, speed in ((None, 0.0137), (0, 0.0042), (3, 0.0180)):
        assert_run(book, layout, keys[place], paid(deal, speed))
    found = checks(book)
    assert found["check_functions"] == 0  # an input is no longer what the functions were given
    assert found["check_clauses"] == 1
    assert found["check_sources_uses"] == 1


@pytest.mark.faces
def test_the_reserve_account_is_drawn_as_the_api_draws_it(
    formulas: bytes, contents: Contents, layout: Layout, tmp_path: Path
) -> None:
    """Fees so high that collections do not reach; the policy is not needed."""
    rate = 0.055

    def edit(book: Workbook) -> None:
        set_cell(book, cell(layout["fee rate"], 1, 0), rate)

    book = recalculated(with_edits(formulas, edit), tmp_path)
    fees = list(contents.deal.fees)
    fees[1] = replace(fees[1], rate=rate)
    expected = paid(replace(contents.deal, fees=tuple(fees)), contents.folder.base_speed)
    assert expected.accounts.draw.sum() > 0
    assert expected.policies.claim.sum() == 0
    assert_run(book, layout, BASE.key, expected)


@pytest.mark.soak
@pytest.mark.faces
def test_a_limit_binds_as_in_the_api(tmp_path: Path) -> None:
    """Principal of at most 4,000,000.00 a date, until the reserve account is drawn and the insurer pays."""
    folder = Path(shutil.copytree(DEAL, tmp_path / "deal", ignore=shutil.ignore_patterns("*.xlsx*")))
    text = (folder / "deal.toml").read_text(encoding="utf-8")
    before = 'to = "A-1 > A-2 > A-3 > A-4"\nwhen = "not accelerated"\n'
    text = text.replace(before, f'{before}limit = "4000000 a date"\n', 1)
    (folder / "deal.toml").write_text(text, encoding="utf-8")
    contents = read_contents(folder)
    blocks: dict[str, Block] = {}
    for sheet in sheets_of(contents):
        blocks |= sheet.place(contents)
    expected = paid(contents.deal, contents.folder.base_speed)
    claimed = int(np.argmax(expected.policies.claim[0].any(axis=1)))  # the native form has no policy
    assert expected.principal[0, :claimed, :4].sum(axis=1).tolist() == [4_000_000_00] * claimed
    assert np.count_nonzero(expected.accounts.draw[0, :claimed]) > 3
    assert_run(recalculated(NATIVE.build(folder), tmp_path), Layout(blocks), BASE.key, expected, claimed)


@pytest.mark.faces
def test_a_falsified_clause_fails_its_check(formulas: bytes, layout: Layout) -> None:
    """Clause 4 pays A-2 a dollar less on the third date; the text of clause 6 is another."""

    def edit(book: Workbook) -> None:
        target = cell(layout[BASE.at("paid 3 1")], 2, 0)
        formula = book[str(target.sheet)].cell(target.top, target.left).value
        set_cell(book, target, f"{formula}-1")
        set_cell(book, cell(layout["Payments"], 6, 2), "remainder")

    book = refreshed(with_edits(formulas, edit), keep_errors=True)
    assert {"check_functions", "check_clauses"} <= lost(checks(book))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "cells", "lives"),
    [("carmax_2010_2", 1248, 48), ("drive_2025_2", 1040, 60), ("toyota_2025_b", 834, 48)],
)
def test_the_other_projected_deals(name: str, cells: int, lives: int) -> None:
    """Counts of the printed figures: workbooks/NAME/published."""
    folder = WORKBOOKS / name
    package = open_package(NATIVE.build(folder), name=name)
    evaluation = refresh(package).evaluation
    result = validate(package, evaluation, folder / "published")
    assert list(map(str, result.misses)) == []
    counts = {check.name: check.matched for check in result.checks}
    assert (counts["decrement"], counts["average_life"]) == (cells, lives)
    assert counts["check_functions"] == 1


def test_reported_months_are_refused() -> None:
    with pytest.raises(NotNative, match="reported months") as raised:
        NATIVE.build(WORKBOOKS / "carmax_2024_2")
    assert raised.value.place.file == str(WORKBOOKS / "carmax_2024_2" / "deal.toml")


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('value = "ABS"', 'value = "PSA"', "prepayment model PSA"),
        ('day_count = "30/360"', 'day_count = "actual/actual ISDA"', "class A-3 accrues on"),
        ('to = "Notes"', 'to = "Notes"\nlimit = "5000000 a date"', "three payees or more share"),
        ('covers = "1, 2, 3, 4, 6, 7, 8,', 'covers = "2, 3, 4, 6, 7, 8,', "clause 1, 'fee servicing'"),
    ],
)
def test_what_cannot_be_said_is_named(before: str, after: str, says: str, tmp_path: Path) -> None:
    folder = tmp_path / "deal"
    folder.mkdir()
    text = (DEAL / "deal.toml").read_text(encoding="utf-8")
    assert before in text
    (folder / "deal.toml").write_text(text.replace(before, after), encoding="utf-8")
    (folder / "pool.csv").write_bytes((DEAL / "pool.csv").read_bytes())
    with pytest.raises(NotNative, match=re.escape(says)):
        NATIVE.build(folder)
