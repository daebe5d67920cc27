"""Build: the package, its defined names, and deals of other shapes."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl import Workbook
from openpyxl.worksheet.formula import ArrayFormula

from tests.deal.tie import DEAL
from tests.workbook.sheets_of import named
from tests.workbook.small_deal import write_small_deal
from xlmodel.deal.definition import Clause
from xlmodel.deal.folder import DealFolder, read_folder
from xlmodel.deal.reading import read_deal
from xlmodel.deal.scenario import read_scenarios
from xlmodel.errors import BadDealFolder, BadPublished, UnknownName
from xlmodel.package.address import Block
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.convention_search import search_folder
from xlmodel.workbook.formulas import FORMULAS_NAME
from xlmodel.workbook.inputs import INPUTS_NAME
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.validate import validate

SHEETS = [
    "Summary",
    "Terms",
    "Payments",
    "Pool",
    "Assumptions",
    "Scenarios",
    "Grid",
    "Statement",
    "Ledger",
    "Collections",
    "Distributions",
    "Decrement",
    "Prices",
    "Paths",
    "Tie-out",
]
PUBLISHED = {"PublishedDecrement", "PublishedAverageLife", "PublishedFirstInterest"}


@pytest.fixture(scope="module")
def flagship() -> DealFolder:
    return read_folder(DEAL)


@pytest.fixture(scope="module")
def data(flagship: DealFolder) -> bytes:
    return build_workbook(flagship)


@pytest.fixture(scope="module")
def book(data: bytes) -> Workbook:
    return openpyxl.load_workbook(io.BytesIO(data))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> DealFolder:
    return read_folder(write_small_deal(tmp_path_factory.mktemp("deals") / "small"))


@pytest.fixture(scope="module")
def small_book(small: DealFolder) -> Workbook:
    return openpyxl.load_workbook(io.BytesIO(build_workbook(small)))


def blocks(book: Workbook) -> dict[str, Block]:
    return {
        name: Block.parse(defined.attr_text or "")
        for name, defined in book.defined_names.items()
        if name not in (INPUTS_NAME, FORMULAS_NAME)
    }


def shapes(book: Workbook) -> dict[str, tuple[int, int]]:
    return {name: block.shape for name, block in blocks(book).items() if not name.startswith("check_")}


def arrays(book: Workbook) -> dict[str, tuple[int, int]]:
    """Formula text of each array, up to its parenthesis with the sheet's name before it -> its shape."""
    found = {}
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, ArrayFormula):
                    key = f"{sheet.title}!{cell.coordinate} {(cell.value.text or '').split('(')[0]}"
                    found[key] = Block.parse(cell.value.ref).shape
    return found


def test_sheets_in_order(book: Workbook, small_book: Workbook) -> None:
    assert book.sheetnames == SHEETS
    assert small_book.sheetnames == [name for name in SHEETS if name not in ("Grid", "Prices")]


CHOICES = {"SelectedScenario": (1, 1), "ComparedScenario": (1, 1), "SelectedDate": (1, 1)}


def test_names_of_the_flagship(book: Workbook) -> None:
    """A class a row after the headings, 13 pools, 60 months of which two make the first payment."""
    assert shapes(book) == CHOICES | {
        "Terms": (38, 11),  # 12 + 3 + 2 + 2 + 6 + 2 + 5 rows and six between; the widest of all has 8 + 3
        "Classes": (6, 11),
        "Payments": (21, 7),
        "Pools": (14, 5),
        "Speeds": (1, 4),
        "Scenarios": (13, 25),  # eight and four blank ones
        "ScenarioSummary": (12, 17),  # 12 and a life a class
        "ScenarioEvents": (12, 9),  # the name, four events, four that follow
        "GridItem": (1, 1),
        "GridScenario": (1, 1),
        "GridSpeeds": (1, 4),
        "GridLosses": (1, 6),
        "GridSeverities": (1, 2),
        "Grid": (5, 13),  # headings; 6 losses at each of two severities
        "Settlement": (1, 1),
        "Compounding": (1, 1),
        "PricedClass": (1, 1),
        "Prices": (6, 4),
        "PriceYields": (5, 8),
        "QuotedPrices": (9, 1),
        "QuotedYields": (36, 8),  # 9 prices at each of four speeds
        "Statement1": (32, 6),  # 5 items a class, 12 of the whole
        "Statement2": (17, 6),
        "Ledger": (47, 7),
        "Collections": (60, 6),
        "Distributions": (59, 31),  # 5 classes x 4, an account x 4, 7 of cash
        "Decrement": (45, 20),
        "AverageLife": (5, 4),
        "FirstInterest": (5, 1),
        "PublishedDecrement": (45, 20),
        "PublishedAverageLife": (5, 4),
        "PublishedFirstInterest": (5, 1),
    }
    assert blocks(book)["check_decrement"].shape == (1, 1)


def test_names_of_another_deal(small_book: Workbook) -> None:
    """Three classes, two speeds, no account, policy or event, no published figures; at most 30 months."""
    assert shapes(small_book) == CHOICES | {
        "Terms": (16, 11),
        "Classes": (4, 11),
        "Payments": (5, 6),
        "Pools": (3, 4),
        "Speeds": (1, 2),
        "Scenarios": (6, 25),  # the base speed and four blank ones
        "ScenarioSummary": (5, 15),
        "ScenarioEvents": (5, 5),
        "Statement1": (26, 6),  # 5 items a class, 11 of the whole
        "Ledger": (9, 7),  # two fees, three classes twice, the remainder
        "Collections": (30, 6),
        "Distributions": (30, 19),
        "Decrement": (7, 6),
        "AverageLife": (3, 2),
        "FirstInterest": (3, 1),
    }
    checks = {name for name in blocks(small_book) if name.startswith("check_")}
    assert not checks & {"check_decrement", "check_average_life", "check_first_interest"}
    assert "check_securities_within_pool" in checks
    assert "check_accounts_roll" not in checks


def test_every_name_is_one_absolute_range(book: Workbook) -> None:
    for name, defined in book.defined_names.items():
        if name in (INPUTS_NAME, FORMULAS_NAME):
            continue
        assert (defined.attr_text or "").count("$") in (2, 4), name
        assert blocks(book)[name].sheet in SHEETS


def test_arrays_fill_their_blocks(book: Workbook, small_book: Workbook) -> None:
    scenarios = [(12, 17), (12, 9), (32, 6), (17, 6), (47, 7), (1, 31), *[(65, 1)] * 5, *[(65, 12)] * 3]
    asked = [(5, 13), (36, 8), *[(1, 8)] * 5]  # the grid, yields by price and speed, a class a price
    proofs = [(59, 1)] * 6  # year fractions of five classes, and from the closing date
    assert sorted(arrays(book).values()) == sorted(
        [(60, 6), (59, 1), (59, 1), (59, 31), (45, 20), (5, 4), (5, 1), *scenarios, *proofs, *asked]
    )
    scenarios = [(5, 15), (5, 5), (26, 6), (9, 7), (1, 19), (30, 1), *[(30, 5)] * 2]
    assert sorted(arrays(small_book).values()) == sorted(
        [(30, 6), (30, 1), (30, 1), (30, 19), (7, 6), (3, 2), (3, 1), *scenarios, *[(30, 1)] * 4]
    )
    for name in ("Collections", "Distributions", "Decrement", "AverageLife", "Ledger", "ScenarioSummary"):
        block = blocks(book)[name]
        cell = book[str(block.sheet)].cell(block.top, block.left)
        assert isinstance(cell.value, ArrayFormula), name
        assert Block.parse(cell.value.ref).shape == block.shape


def test_two_builds_are_equal(flagship: DealFolder, data: bytes) -> None:
    assert build_workbook(read_folder(flagship.path)) == data


def test_the_package_bears_no_time(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = package.read("docProps/core.xml").decode()
        workbook = package.read("xl/workbook.xml").decode()
    assert core.count("2000-01-01T00:00:00Z") == 2
    assert 'fullCalcOnLoad="0"' in workbook


def test_no_value_is_computed(data: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    assert book["Distributions"]["D7"].value is None
    assert book["Tie-out"]["B5"].value is None


@pytest.mark.parametrize(("name", "of"), [("flagship", "book"), ("small", "small_book")])
def test_the_tables_on_the_sheets_are_the_deal(name: str, of: str, request: pytest.FixtureRequest) -> None:
    folder: DealFolder = request.getfixturevalue(name)
    book: Workbook = request.getfixturevalue(of)

    def rows(table: str) -> list[list[object]]:
        block = blocks(book)[table]
        values = book[str(block.sheet)].iter_rows(
            block.top, block.bottom, block.left, block.right, values_only=True
        )
        return [list(row) for row in values]

    read, deal = read_deal(rows("Terms"), rows("Classes"), rows("Payments")), folder.deal
    assert (read.classes, read.fees, read.accounts) == (deal.classes, deal.fees, deal.accounts)
    assert (read.measures, read.call, read.groups) == (deal.measures, deal.call, deal.groups)
    assert (read.policies, read.events, read.opening) == (deal.policies, deal.events, deal.opening)
    clauses = [
        [(c.priority, c.number, c.step, c.to, c.order, c.short) for c in one.clauses] for one in (read, deal)
    ]
    assert clauses[0] == clauses[1]
    for term in ("name", "cutoff_date", "closing_date", "first_payment_date", "payment_day", "roll"):
        assert getattr(read, term) == getattr(deal, term)
    for term in ("calendar", "first_collection_months", "prepayment_model", "average_life_from"):
        assert getattr(read, term) == getattr(deal, term)
    assert read.average_life_day_count is deal.average_life_day_count
    scenarios, expected = read_scenarios(rows("Scenarios")), read_scenarios(folder.scenarios)
    assert repr(scenarios) == repr(expected)


# --- folders that cannot be built ----------------------------------------------------------------


def changed(tmp_path: Path, change: Callable[[Path], object]) -> DealFolder:
    path = tmp_path / DEAL.name
    shutil.copytree(DEAL, path)
    change(path)
    return read_folder(path)


def replaced(file: str, old: str, new: str, count: int = -1) -> Callable[[Path], object]:
    def change(path: Path) -> None:
        text = (path / file).read_text(encoding="utf-8")
        assert old in text
        (path / file).write_text(text.replace(old, new, count), encoding="utf-8")

    return change


def test_more_printed_dates_than_the_pool_pays_on(tmp_path: Path) -> None:
    folder = changed(
        tmp_path, replaced("deal.toml", "printed_payment_dates = 44", "printed_payment_dates = 60")
    )
    with pytest.raises(BadDealFolder, match="60 printed payment dates; the pool pays on 59"):
        build_workbook(folder)


def test_a_deal_that_starts_after_closing(tmp_path: Path) -> None:
    held = [("balance", note_class.name) for note_class in read_folder(DEAL).deal.classes]
    rows = [("as of date", "1999-12-15"), ("cutoff pool", "643957759.72")]
    terms = [f'[[terms]]\nterm = "{name}"\nvalue = {value}\nstatus = "assumed"\n' for name, value in rows]
    opening = [
        f'[[opening]]\nopening = "{kind}"\nof = "{name}"\namount = 1\nstatus = "assumed"\n'
        for kind, name in [*held, ("account", "reserve")]
    ]
    text = "\n".join([*terms, *opening, "[[fees]]"])
    folder = changed(tmp_path, replaced("deal.toml", "[[fees]]", text, count=1))
    with pytest.raises(BadDealFolder, match="this one starts later"):
        build_workbook(folder)


@pytest.mark.soak
def test_a_table_that_is_printed_to_maturity(tmp_path: Path) -> None:
    """The table leaves the call out, the lives keep it.

    Without the call 827 cells of the prospectus tie, the 147 informative ones among them, as a computation by
    other hands found before this one (tests/deal/test_carmax_1999_1.py); the lives are printed to the call.
    """
    stated = 'printed_payment_dates = 44\nprinted_to = "maturity"'
    folder = changed(tmp_path, replaced("deal.toml", "printed_payment_dates = 44", stated))
    package = open_package(build_workbook(folder), name="book.xlsx")
    checks = validate(package, refresh(package).evaluation, folder.published).checks
    tied = {check.name: (check.matched, check.informative_matched) for check in checks}
    assert tied["decrement"] == (827, 147)
    assert tied["average_life"] == (20, 20)
    best = search_folder(folder.path).readings[0]
    assert best.call.startswith("call")  # which the lives decide
    assert best.tied == 827 + 20


def test_a_table_that_is_printed_to_nowhere(tmp_path: Path) -> None:
    stated = 'printed_payment_dates = 44\nprinted_to = "the moon"'
    with pytest.raises(UnknownName, match=r"key 'printed_to': 'the moon' is not one of: call, maturity"):
        changed(tmp_path, replaced("deal.toml", "printed_payment_dates = 44", stated))


def test_a_published_table_of_another_length(tmp_path: Path) -> None:
    folder = changed(
        tmp_path, replaced("deal.toml", "printed_payment_dates = 44", "printed_payment_dates = 43")
    )
    with pytest.raises(BadPublished, match="44 payment dates, the deal says 43"):
        build_workbook(folder)


def test_a_published_table_that_cannot_be_read(tmp_path: Path) -> None:
    folder = changed(tmp_path, replaced("published/decrement_table.csv", "79.8", "79,8"))
    with pytest.raises(BadPublished, match="more cells than headings"):
        build_workbook(folder)


def test_a_text_that_no_workbook_can_hold(tmp_path: Path) -> None:
    folder = changed(tmp_path, replaced("deal.toml", "Rounding to the cent", "Rounding\\u0007 to the cent"))
    with pytest.raises(BadDealFolder, match="control character") as raised:
        build_workbook(folder)
    assert raised.value.place.sheet == "Terms"


def deal_clauses() -> tuple[Clause, ...]:
    return read_folder(DEAL).deal.clauses


def test_a_text_that_looks_like_a_formula_stays_a_text(tmp_path: Path) -> None:
    def change(path: Path) -> None:
        replaced("deal.toml", '"CarMax Auto Owner Trust 1999-1"', "'=HYPERLINK(\"http://x.test\")'")(path)
        replaced("deal.toml", '"What is left of Available Funds (page 57)."', '"=1+1"')(path)
        replaced("deal.toml", '"Rounding to the cent is assumed."', '"#N/A"')(path)

    data = build_workbook(changed(tmp_path, change))
    book = openpyxl.load_workbook(io.BytesIO(data))
    last = 1 + [clause.number for clause in deal_clauses()].index("10")
    classes, payments = blocks(book)["Classes"], blocks(book)["Payments"]
    texts = [
        book["Summary"]["A1"],
        book["Terms"]["B6"],
        book["Payments"].cell(payments.top + last, payments.right),
        book["Terms"].cell(classes.top + 1, classes.right),
    ]
    assert [str(cell.value)[:6] for cell in texts] == ["=HYPER", "=HYPER", "=1+1", "#N/A"]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = [package.read(f"xl/worksheets/sheet{n}.xml").decode() for n in (1, 2, 3)]
    assert not any("<f>HYPERLINK" in part or "<f>1+1" in part for part in parts)
    assert 't="e"' not in parts[1]


@pytest.mark.soak
def test_the_last_line_may_begin_late(tmp_path: Path) -> None:
    """30 months that begin 3 months late end in month 33: 32 dates, since the first takes 2 months."""
    path = write_small_deal(tmp_path / "late")
    pool = "balance,rate,original_term,remaining_term,delay\n6000000,0.06,36,30,3\n4000000,0.00,24,18,\n"
    (path / "pool.csv").write_text(pool, encoding="utf-8")
    deal = (path / "deal.toml").read_text(encoding="utf-8")
    two = deal.replace('"first collection months"\nvalue = 1', '"first collection months"\nvalue = 2')
    two = two.replace('of = "pool"', 'of = "collecting pool"', 1)
    (path / "deal.toml").write_text(two, encoding="utf-8")
    file = tmp_path / "late.xlsx"
    file.write_bytes(refresh(open_package(build_workbook(read_folder(path)), name="late")).data)
    book = openpyxl.load_workbook(file, data_only=True)
    assert [cell.value for cell in book["Assumptions"]["B"][9:11]] == [33, 32]
    assert [row[-1].value for row in book["Pool"].iter_rows(min_row=4, max_row=6)] == ["Last month", 33, 18]
    assert len(named(file, "Distributions")) == 32
    # The servicing fee is of the line that has begun, and is worked natively beside: 4m x 1% / 12 in month 1.
    checks = {name: named(file, name) for name in book.defined_names if name.startswith("check_")}
    assert set(map(str, checks.values())) == {"[[True]]"}, checks
    headings = next(book["Collections"].iter_rows(values_only=True, min_row=4, max_row=4))
    fee = next(n for n, text in enumerate(headings) if text and "servicing" in str(text).lower())
    assert book["Collections"].cell(5, fee + 1).value == 3333.33
