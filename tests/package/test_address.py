"""A1 notation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import OutOfRange, WrongKind, XlmodelError
from xlmodel.package.address import (
    MAX_COLUMN,
    MAX_ROW,
    Address,
    Block,
    column_letters,
    column_number,
    inside,
    quote_sheet,
)

ROWS = st.integers(1, MAX_ROW)
COLUMNS = st.integers(1, MAX_COLUMN)
SHEETS = st.none() | st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="[]:*?/\\"), min_size=1, max_size=31
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("A1", (1, 1)),
        ("Z9", (9, 26)),
        ("AA10", (10, 27)),
        ("$B$5", (5, 2)),
        ("b5", (5, 2)),
        ("XFD1048576", (1_048_576, 16_384)),
    ],
)
def test_address(text: str, address: tuple[int, int]) -> None:
    assert Address.parse(text) == address
    assert str(Address(*address)) == text.replace("$", "").upper()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", WrongKind),
        ("A", WrongKind),
        ("1", WrongKind),
        ("A1:B2", WrongKind),
        ("ABCD1", WrongKind),
        ("A1\n", WrongKind),
        ("Ä1", WrongKind),
        ("A٣", WrongKind),
        ("A0", OutOfRange),
        ("XFE1", OutOfRange),
        ("A1048577", OutOfRange),
    ],
)
def test_no_address(text: str, error: type[XlmodelError]) -> None:
    with pytest.raises(error):
        Address.parse(text)


@pytest.mark.parametrize(
    ("text", "block", "written"),
    [
        ("A1", Block(None, 1, 1, 1, 1), "$A$1"),
        ("$A$1:B5", Block(None, 1, 1, 5, 2), "$A$1:$B$5"),
        ("B5:A1", Block(None, 1, 1, 5, 2), "$A$1:$B$5"),
        ("A1:A1", Block(None, 1, 1, 1, 1), "$A$1"),
        ("A:C", Block(None, 1, 1, MAX_ROW, 3), "$A$1:$C$1048576"),
        ("$2:$7", Block(None, 2, 1, 7, MAX_COLUMN), "$A$2:$XFD$7"),
        ("Pool!$B$2", Block("Pool", 2, 2, 2, 2), "Pool!$B$2"),
        ("Tie-out!$B$5:$U$49", Block("Tie-out", 5, 2, 49, 21), "'Tie-out'!$B$5:$U$49"),
        ("'Tie-out'!$B$5:$U$49", Block("Tie-out", 5, 2, 49, 21), "'Tie-out'!$B$5:$U$49"),
        ("'It''s'!A1", Block("It's", 1, 1, 1, 1), "'It''s'!$A$1"),
        ("'A1'!A1", Block("A1", 1, 1, 1, 1), "'A1'!$A$1"),
        ("'a!b'!A1", Block("a!b", 1, 1, 1, 1), "'a!b'!$A$1"),
        ("Übersicht!A1", Block("Übersicht", 1, 1, 1, 1), "'Übersicht'!$A$1"),
    ],
)
def test_block(text: str, block: Block, written: str) -> None:
    assert Block.parse(text) == block
    assert str(block) == written
    assert Block.parse(written) == block


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "7",
        "A1:",
        ":A1",
        "A1:B2:C3",
        "A1:B",
        "A:5",
        "A1,B2",
        "#REF!",
        "Rate",
        "[1]Pool!A1",
        "'[book.xlsx]Pool'!A1",
        "Jan:Mar!A1",
        "'Jan:Mar'!A1",
        "!A1",
        "''!A1",
        "'It's'!A1",
        "two words!A1",
        "XFE1:XFE2",
        "A0",
    ],
)
def test_no_block(text: str) -> None:
    with pytest.raises((WrongKind, OutOfRange)):
        Block.parse(text)


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("Pool", "Pool"),
        ("_pool_2", "_pool_2"),
        ("Two words", "'Two words'"),
        ("Tie-out", "'Tie-out'"),
        ("It's", "'It''s'"),
        ("1999", "'1999'"),
        ("A1", "'A1'"),
        ("abc12", "'abc12'"),
        ("R1C1", "'R1C1'"),
        ("rc", "'rc'"),
        ("R", "'R'"),
        ("c7", "'c7'"),
        ("TRUE", "'TRUE'"),
    ],
)
def test_sheet_names_are_quoted_where_they_must_be(name: str, quoted: str) -> None:
    assert quote_sheet(name) == quoted


def test_block_geometry() -> None:
    block = Block("Pool", 2, 3, 4, 4)
    assert block.shape == (3, 2)
    assert block.anchor == (2, 3)
    assert [str(cell) for cell in block.cells()] == ["C2", "D2", "C3", "D3", "C4", "D4"]
    assert block.contains(Address(4, 4))
    assert Address(2, 3) in block
    assert not block.contains(Address(5, 4))
    assert not block.contains(Address(4, 2))
    assert block.contains(Block(None, 3, 3, 4, 4))
    assert not block.contains(Block(None, 3, 3, 5, 4))
    assert block.text(absolute=False) == "Pool!C2:D4"


@given(COLUMNS)
def test_letters_and_numbers_of_columns_are_inverse(column: int) -> None:
    assert column_number(column_letters(column)) == column
    assert column_number(column_letters(column).lower()) == column


@given(SHEETS, ROWS, ROWS, COLUMNS, COLUMNS)
def test_a_block_reads_back_from_its_text(
    sheet: str | None, top: int, bottom: int, left: int, right: int
) -> None:
    block = Block(sheet, min(top, bottom), min(left, right), max(top, bottom), max(left, right))
    assert Block.parse(block.text()) == block
    assert Block.parse(block.text(absolute=False)) == block


SMALL = st.integers(1, 12)
CELLS = st.builds(Address, SMALL, SMALL)
BLOCKS = st.builds(
    lambda top, left, rows, columns: Block(None, top, left, top + rows, left + columns),
    SMALL,
    SMALL,
    st.integers(0, 4),
    st.integers(0, 4),
)


@given(st.lists(CELLS), st.lists(BLOCKS, max_size=8))
def test_the_sweep_finds_what_a_search_finds(cells: list[Address], blocks: list[Block]) -> None:
    found = inside(cells, blocks)
    assert found.keys() == {cell for cell in cells if any(cell in block for block in blocks)}
    assert all(cell in block for cell, block in found.items())
