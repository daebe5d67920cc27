"""Answers about cells: what the paragraphs must say.

Amounts are the prospectus's own or worked by hand beside the case; the cells are those of the built workbook.
"""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from tests.workbook.books import layout_of, saved
from tests.workbook.small_deal import write_small_deal
from xlmodel.deal.folder import read_folder
from xlmodel.errors import BadUsage
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.cell_words import Book, parse_target
from xlmodel.workbook.refresh import read_package, refresh
from xlmodel.workbook.why import why


def book_of(path: Path) -> Book:
    package = read_package(path)
    return Book(package, refresh(package, keep_errors=True).evaluation)


@pytest.fixture(scope="module")
def flagship(built: Path) -> Book:
    return book_of(built / "carmax_1999_1.xlsx")


def told(book: Book, built: Path, cell: str) -> str:
    return why(book, built / "published", parse_target(book.package, cell))


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        # A-1's first interest: 155,250,000 x 6.2025% x 48/360 = 1,283,917.50, prospectus page 43.
        (
            "Distributions!D7",
            [
                "Distributions!D7 = 1,283,917.50",
                "15 December 1999",
                "Clause 2 (Payments!C6) pays 'interest' to Notes",
                "155,250,000.00 outstanding x 6.2025% (Terms!D46, stated, page 4) x 48/360 of a year",
                "actual/360, Terms!E46",
                "The amount due bound",
            ],
        ),
        # 643,957,759.72 - 596,114,152.81 = 47,843,606.91, below A-1's balance.
        (
            "Distributions!E7",
            [
                "Clause 4 (Payments!C8)",
                "stand at 643,957,759.72 against pool of 596,114,152.81: the requirement is 47,843,606.91",
                "The final date of A-1 is 2000-11-15 (Terms!H46, stated, page 4), which has not come",
                "The requirement bound: 47,843,606.91",
                "after this payment 4,511,410.48",
            ],
        ),
        # A-1's last payment: less was outstanding than the requirement.
        ("Distributions!E12", ["The balance of the class bound: all 16,467,825.51 of A-1 was paid"]),
        ("Distributions!I7", ["The order bound: A-1 stands before A-2 and took all of the requirement"]),
        # Required 3.75% of 596,114,152.81 = 22,354,280.73; held 16,098,944.00; lacking 6,255,336.73.
        (
            "Distributions!Y7",
            [
                "Clause 9 (Payments!C14) pays 'top up reserve'",
                "reserve target (22,354,280.73)",
                "3.75% of pool (596,114,152.81)",
                "Cash bound: 6,255,336.73 was due to reserve account and 4,511,410.48 was paid",
                "1,743,926.25 short",
                "after this payment 0.00",
            ],
        ),
        ("Distributions!X7", ["16,098,944.00 (Terms!B23, stated, page 55)"]),
        ("Distributions!Z7", ["covers clauses 1, 2, 3", "Collections were enough"]),
        # 643,957,759.72 / 1,200 = 536,631.47 and 619,842,825.74 / 1,200 = 516,535.69.
        ("Distributions!AD7", ["a twelfth of 1% (Terms!B", "1,053,167.16 for this date, 0.00 overdue"]),
        ("Distributions!D60", ["Interest paid to A-1. Nothing is left to pay on this date."]),
        (
            "Distributions!AF7",
            ["takes whatever the clauses above leave", "What was left bound: 0.00 to seller"],
        ),
        (
            "Decrement!C7",
            [
                "at 0.5% ABS, to the call",
                "it agrees with the published 79.8%",
                "published/decrement_table.csv",
                "36",
            ],
        ),
        (
            "Decrement!C54",
            ["Average life of A-1 at 0.5% ABS", "1999-10-27", "agrees with the published 0.43"],
        ),
        ("'Tie-out'!K7", ["= 79.8%", "A published figure, not computed", "compared with Decrement!C7"]),
        (
            "Tie-out!B33",
            ["It repeats Distributions!D7", "agrees with the published 1,283,917.50", "43 (notes)"],
        ),
        ("check_decrement", ["= TRUE", "native formula", "= 880"]),
        ("Terms!B8", ["28 October 1999", "value of Closing date", "The document states it, page 20"]),
        ("Terms!B12", ["Assumed by the desk", "the Federal Reserve's calendar is taken"]),
        ("Terms!D46", ["6.2025%", "rate of A-1 in the table Classes", "page 4"]),
        ("Payments!C8", ["pay of clause 4 in the table Payments"]),
        ("Pool!B5", ["19,018,158.88", "balance of line 1 in the table Pools"]),
        ("Assumptions!B5", ["An input, in the range Speeds"]),
        ("Statement!D14", ["Item 1 of the statement", "48/360"]),
        ("Ledger!E16", ["Clause 1 (Payments!C5) pays 'fee servicing' to servicer"]),
        ("Ledger!P9", ["INDEX(XM_DISTRIBUTIONS", "47,843,606.91"]),
        ("Collections!C6", ["Beginning balance of collection month 2, of the 13 lines"]),
        ("Pool!B18", ["native formula =SUM($B$5:$B$17)", "13 cells that sum to 643,957,759.72"]),
        ("Distributions!C7", ["XM_PAYMENT_DATES", "15 December 1999"]),
        ("Decrement", ["45 rows by 20 columns", "XM_DECREMENT", "Name one of its cells"]),
        ("Terms!Z99", ["The cell is empty"]),
        ("Terms!A1", ["A text", "it is no number"]),
        ("Terms!A5", ["The heading 'term' of the table Terms"]),
    ],
)
def test_the_flagships_cells_are_explained(flagship: Book, built: Path, cell: str, parts: list[str]) -> None:
    text = told(flagship, built, cell)
    assert [part for part in parts if part not in text] == [], text


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("F12", "does not say on which sheet"),
        ("Nowhere!A1", "there is no sheet 'Nowhere'"),
        ("Distributions!", "is no cell"),
        ("not a cell", "is no cell of this workbook"),
    ],
)
def test_what_is_no_cell_is_told(flagship: Book, cell: str, says: str) -> None:
    with pytest.raises(BadUsage, match=says):
        parse_target(flagship.package, cell)


def test_every_number_of_distributions_has_an_answer_that_ends_with_its_clause(
    flagship: Book, built: Path
) -> None:
    """A row in the middle, another at the end: no column is without words, none is refused."""
    block = parse_target(flagship.package, "Distributions")
    for row in (block.top, block.top + 41, block.bottom):
        for column in range(block.left, block.right + 1):
            cell = type(block)(block.sheet, row, column, row, column)
            text = why(flagship, built / "published", cell)
            assert "cannot be explained" not in text
            assert len(text) > 120


@pytest.mark.soak
def test_a_figure_that_misses_and_a_cell_that_fails_are_told(built: Path, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(built / "carmax_1999_1.xlsx")
    book["Tie-out"]["K7"] = 0.8
    book["Assumptions"]["B5"] = -1
    (tmp_path / "edited.xlsx").write_bytes(saved(book))
    edited = book_of(tmp_path / "edited.xlsx")
    assert "It fails: XM_DECREMENT shows" in told(edited, built, "Decrement!C7")
    book["Assumptions"]["B5"] = 0.005
    (tmp_path / "edited.xlsx").write_bytes(saved(book))
    edited = book_of(tmp_path / "edited.xlsx")
    assert "it does NOT agree with the published 80%" in told(edited, built, "Decrement!C7")
    # Beside it no folder says where the figures were printed.
    (tmp_path / "published").mkdir()
    assert f"write {tmp_path / 'published' / 'SOURCE.md'}" in told(edited, tmp_path, "Tie-out!K7")


def test_another_deal_has_answers_of_its_own(tmp_path: Path) -> None:
    """Nothing rests on the flagship's sheets or clauses: a deal of three classes, two fees, no account."""
    path = write_small_deal(tmp_path / "small")
    layout = layout_of(path)
    package = open_package(build_workbook(read_folder(path)), name="small.xlsx")
    book = Book(package, refresh(package).evaluation)
    block = layout["Distributions"]

    def of(column: int) -> str:
        left = block.left + column
        return why(book, path / "published", type(block)(block.sheet, block.top, left, block.top, left))

    # 6,000,000 x 1% x 33/360 = 5,500.00: 18 March to 20 April 2021.
    assert "6,000,000.00 outstanding x 1% (" in of(0)
    assert "x 33/360 of a year (actual/360" in of(0)
    assert "accrues 5,500.00" in of(0)
    # C: 1,000,000 x 3% x 32/360 = 2,666.66, truncated.
    assert "accrues 2,666.66" in of(8)
    assert "The order bound: A stands before B and took all of the requirement" in of(5)


def test_the_cap_of_a_clause_is_named_when_it_binds(tmp_path: Path) -> None:
    """A cap of 2,000 a date on the fees: 10,000,000 x (1% + 0.03%) / 12 = 8,583.33 are owed."""
    path = write_small_deal(tmp_path / "small")
    text = (path / "deal.toml").read_text(encoding="utf-8")
    text = text.replace('note = "Side by side."', 'limit = "2000 a date"')
    (path / "deal.toml").write_text(text, encoding="utf-8")
    package = open_package(build_workbook(read_folder(path)), name="small.xlsx")
    book = Book(package, refresh(package).evaluation)
    fees = layout_of(path)["cash fees paid"]
    cell = type(fees)(fees.sheet, fees.top, fees.left, fees.top, fees.left)
    told_of = why(book, path / "published", cell)
    assert "The cap is 2000 a date (" in told_of
    assert "of which 2,000.00 was left" in told_of
    assert "The cap of the clause bound" in told_of
