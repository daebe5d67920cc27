"""Sheets: their formulas, that every check holds and can fail, and what a reader of the file sees."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import openpyxl
import pytest
from openpyxl import Workbook
from openpyxl.worksheet.formula import ArrayFormula

from tests.deal.tie import DEAL
from tests.workbook.books import checks, edited, lost, named, refreshed, saved, values_of
from tests.workbook.small_deal import write_small_deal
from xlmodel.deal.folder import read_folder
from xlmodel.functions import FUNCTIONS
from xlmodel.package.address import Block
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.sheets.layout import Layout, cell

pytestmark = pytest.mark.soak

# Functions that Excel, LibreOffice and the evaluator have and agree on.
NATIVE = {
    "ABS",
    "AND",
    "COLUMNS",
    "COUNTA",
    "COUNTIF",
    "COUNTIFS",
    "DAY",
    "EOMONTH",
    "FIXED",
    "IF",
    "INDEX",
    "ISNA",
    "ISNUMBER",
    "MATCH",
    "MAX",
    "MIN",
    "MOD",
    "MONTH",
    "NOT",
    "OR",
    "PMT",
    "ROUND",
    "ROUNDDOWN",
    "ROWS",
    "SUM",
    "SUMIFS",
    "SUMPRODUCT",
    "YEAR",
}
_CALL = re.compile(r"([A-Z][A-Z0-9_.]*)\(")
_TEXT = re.compile(r'"[^"]*"')


@pytest.fixture(scope="module")
def data() -> bytes:
    return build_workbook(read_folder(DEAL))


@pytest.fixture(scope="module")
def small_data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return build_workbook(read_folder(write_small_deal(tmp_path_factory.mktemp("deals") / "small")))


@pytest.fixture(scope="module")
def book(data: bytes) -> Workbook:
    return openpyxl.load_workbook(io.BytesIO(data))


def formulas(book: Workbook) -> Iterator[tuple[str, str]]:
    """Place and text of each formula."""
    for sheet in book:
        for row in sheet.iter_rows():
            for one in row:
                if one.data_type == "f":
                    value = one.value
                    text = value.text if isinstance(value, ArrayFormula) else value
                    yield f"{sheet.title}!{one.coordinate}", str(text)


# --- formulas ------------------------------------------------------------------------------------


def test_at_least_500_native_formulas(book: Workbook) -> None:
    native = [place for place, text in formulas(book) if "XM_" not in text]
    assert len(native) >= 500


@pytest.mark.parametrize("name", ["data", "small_data"])
def test_every_function_is_native_or_ours(name: str, request: pytest.FixtureRequest) -> None:
    book = openpyxl.load_workbook(io.BytesIO(request.getfixturevalue(name)))
    for place, text in formulas(book):
        for called in _CALL.findall(_TEXT.sub("", text)):
            assert called in NATIVE or called in FUNCTIONS, f"{place}: {text}"


def test_no_formula_hides_an_error(book: Workbook) -> None:
    """IFERROR, IFNA and the like would turn a failing cell into a number."""
    assert not [place for place, text in formulas(book) if re.search(r"IFERROR|IFNA|ISERR|AGGREGATE", text)]


def test_no_formula_names_this_deal(book: Workbook) -> None:
    """A class, a speed or a date in a formula's text would not follow an edit."""
    for place, text in formulas(book):
        assert not re.search(r"A-1|Certificates|CarMax|servicing|reserve|0\.015|1999", text), (
            f"{place}: {text}"
        )


def test_references_stay_inside_the_book(book: Workbook) -> None:
    titles = {"'Tie-out'" if title == "Tie-out" else title for title in book.sheetnames}
    for place, text in formulas(book):
        for sheet in re.findall(r"('[^']*'|[A-Za-z_]+)!", _TEXT.sub("", text)):
            assert sheet in titles, f"{place}: {text}"


def test_first_interest_refers_to_the_first_row_of_distributions(book: Workbook) -> None:
    first = Block.parse(book.defined_names["Distributions"].attr_text or "").top
    expected = [[f"=Distributions!${letters}${first}"] for letters in ("D", "H", "L", "P", "T")]
    assert named(book, "FirstInterest") == expected


# --- checks --------------------------------------------------------------------------------------


def test_every_check_of_the_flagship_holds(values: Workbook) -> None:
    assert len(checks(values)) == 18
    assert lost(checks(values)) == set()


def test_every_check_of_another_deal_holds(small_data: bytes) -> None:
    found = checks(refreshed(small_data))
    assert len(found) == 12
    assert lost(found) == set()


def test_counts_of_matched_cells(values: Workbook, layout: Layout) -> None:
    assert counts(values, layout, "decrement") == [880, 880, 147, 147]
    assert counts(values, layout, "average life") == [20, 20, 20, 20]
    assert counts(values, layout, "first interest") == [5, 5, 5, 5]


def test_a_tie_fails_by_a_unit_of_the_last_printed_digit(data: bytes, layout: Layout) -> None:
    """79.8% is printed for A-1 on the first date, 0.43 years, $119,724.52."""
    found = checks(
        edited(
            data,
            layout,
            ("PublishedDecrement", 1, 0, 0.799),
            ("PublishedAverageLife", 0, 0, 0.44),
            ("PublishedFirstInterest", 4, 0, 119724.53),
        )
    )
    assert lost(found) == {"check_decrement", "check_average_life", "check_first_interest"}


def test_an_asterisk_or_a_blank_ties_with_no_larger_figure(data: bytes, layout: Layout) -> None:
    """Rows 1 (79.8%) and 44 (0.0%) of A-1 at 0.50%."""
    book = edited(data, layout, ("PublishedDecrement", 1, 0, "*"), ("PublishedDecrement", 44, 0, None))
    assert counts(book, layout, "decrement") == [880, 878, 147, 146]
    assert lost(checks(book)) == {"check_decrement"}


def test_every_proof_can_fail(data: bytes, layout: Layout) -> None:
    """A wrong figure in one native cell of each proof."""
    wrong = {
        "check_pool_equals_securities": ("securities total", 0, 0, 643957759.73),
        "check_collections": ("collections Balance roll, difference", 7, 0, -0.01),
        "check_available_funds": ("receipts collected", 3, 0, 0),
        "check_fees": ("collections Fee servicing", 4, 0, 0),
        "check_interest_proof": ("days 1", 5, 0, 31),
        "check_balance_roll": ("balance difference 2", 20, 0, 0.01),
        "check_sources_uses": ("sources", 0, 0, 1.0),
        "check_accounts_roll": ("account roll difference", 2, 0, -0.01),
        "check_average_life_proof": ("years", 3, 0, 0),
        "check_ledger": ("cash left difference", 2, 0, 0.01),
        "check_statement": ("statement proof 1", 0, 0, 1.0),
        "check_grid": ("its loss", 0, 0, 0.04),
        "check_prices": ("price years", 20, 0, 9.9),
    }
    assert lost(checks(edited(data, layout, *wrong.values()))) == set(wrong)


def test_a_pool_too_small_leaves_classes_unpaid(data: bytes, layout: Layout) -> None:
    """13 pools of a million, nobody who purchases them at par, a policy for nothing but the fees."""
    edits: list[tuple[str, int, int, Any]] = [("pool balance", row, 0, 1_000_000) for row in range(13)]
    edits += [("call exercised", 0, 0, False), ("policy covers", 0, 0, 1), ("policy direct", 0, 0, None)]
    book = edited(data, layout, *edits, keep_errors=True)
    assert {"check_paid_in_full", "check_pool_equals_securities"} <= lost(checks(book))
    assert named(book, "AverageLife")[4] == ["#N/A"] * 4


def test_a_class_more_asks_for_more_columns(data: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(data))
    classes = book.defined_names["Classes"]
    block = Block.parse(classes.attr_text or "")
    classes.attr_text = Block("Terms", block.top, block.left, block.bottom + 1, block.right).text()
    assert lost(checks(refreshed(saved(book)))) == {"check_rows"}


def test_the_proofs_follow_edited_terms(data: bytes, layout: Layout) -> None:
    """Each class gets another term: the ties with what is printed are lost, the native proofs are not."""
    book = edited(
        data,
        layout,
        ("class day count", 0, 0, "30/360"),
        ("class accrual dates", 0, 0, "unadjusted"),
        ("class rounding", 1, 0, "truncate"),
        ("class day count", 2, 0, "actual/365 fixed"),
        ("class day count", 3, 0, "actual/actual ISDA"),
        ("class accrual dates", 3, 0, "adjusted"),
        ("class rate", 4, 0, 0.08),
        ("call at most", 0, 0, 0.2),
        ("call price", 0, 0, "pool"),
        ("fee rate", 0, 0, 0.0002),
        ("fee rate", 1, 0, 0.015),
        ("policy premium", 0, 0, 0.0025),
        ("base speed", 0, 0, 0.02),
    )
    assert lost(checks(book)) == {"check_decrement", "check_average_life", "check_first_interest"}


def counts(book: Workbook, layout: Layout, tie: str) -> list[object]:
    """Cells, matched, informative, informative and matched."""
    first = layout[f"cells {tie}"]
    cells = book["Tie-out"].iter_rows(first.top, first.top, first.left, first.left + 3, values_only=True)
    return list(next(cells))


def called_before(book: Workbook, layout: Layout) -> list[bool]:
    """Whether the call has been exercised, by payment date."""
    return [row[0] for row in values_of(book, layout["receipts called"])]


def test_the_call_pays_the_premium_of_its_date(data: bytes, layout: Layout) -> None:
    book = edited(data, layout, ("policy premium", 0, 0, 0.0025))
    assert lost(checks(book)) == set()
    row = called_before(book, layout).index(True)
    premium = values_of(book, layout["receipts premiums"])[row][0]
    assert premium > 0
    assert values_of(book, layout["cash paid to insurers"])[row][0] == premium


def test_a_fee_of_another_priority_does_not_hold_up_the_call(
    data: bytes, values: Workbook, layout: Layout
) -> None:
    """The trustee's fee is in no clause of the ordinary list: it is owed only once the property is sold."""
    book = edited(data, layout, ("fee rate", 0, 0, 0.0002))
    assert lost(checks(book)) == set()
    assert called_before(values, layout).index(True) + 1 == 36
    assert called_before(book, layout) == called_before(values, layout)


# --- what a reader sees --------------------------------------------------------------------------


def test_inputs_look_like_inputs_and_formulas_do_not(book: Workbook, layout: Layout) -> None:
    rate = cell(layout["class rate"], 0, 0)
    fill = book["Terms"].cell(rate.top, rate.left).fill.fgColor.rgb
    assert book["Assumptions"]["B5"].fill.fgColor.rgb == fill
    published = layout["PublishedDecrement"]
    assert book["Tie-out"].cell(published.top, published.left).fill.fgColor.rgb == fill
    for sheet in book:
        for row in sheet.iter_rows():
            for one in row:
                assert one.data_type != "f" or one.fill.fgColor.rgb != fill, f"{sheet.title}!{one.coordinate}"


def test_arrays_are_formatted_to_the_last_cell(book: Workbook) -> None:
    formats = {
        "Collections": "#,##0.00",
        "Distributions": "#,##0.00",
        "Decrement": '[=0]"";0.0%',
        "AverageLife": "0.00",
    }
    for name, expected in formats.items():
        block = Block.parse(book.defined_names[name].attr_text or "")
        last = book[str(block.sheet)].cell(block.bottom, block.right)
        assert last.number_format.startswith(expected), name


def test_every_sheet_is_set_up_for_print(book: Workbook) -> None:
    for sheet in book:
        assert sheet.page_setup.orientation == "landscape", sheet.title
        assert sheet.print_title_rows, sheet.title
        assert sheet.freeze_panes, sheet.title
        assert sheet.oddFooter is not None
        assert (sheet.oddFooter.left.text, sheet.oddFooter.right.text) == ("&A", "Page &P of &N")


def test_no_column_is_too_narrow_for_its_numbers(values: Workbook) -> None:
    """A number that does not fit shows as ###: digits and separators against the width of the column."""
    for sheet in values:
        for row in sheet.iter_rows():
            for one in row:
                if isinstance(one.value, float) and one.number_format.startswith("#,##0.00"):
                    width = sheet.column_dimensions[one.column_letter].width
                    assert len(f"{one.value:,.2f}") + 1 <= width, f"{sheet.title}!{one.coordinate}"


def test_charts_have_axes_and_refer_to_cells_that_exist(data: bytes) -> None:
    package = open_package(data, name="built.xlsx")
    parts = list(package.of_type("drawingml.chart+xml"))
    assert len(parts) == 11  # two on the Summary, four on Scenarios, a chart a class on Decrement
    for part in parts:
        xml = package.read(part).decode()
        assert xml.count('<delete val="0"') == 2
        references = re.findall(r"<f>([^<]+)</f>", xml)
        assert len(references) == 3 * xml.count("<ser>")
        assert {Block.parse(text).sheet for text in references} <= set(package.sheets)


def test_an_assumed_term_is_marked_by_a_rule_that_follows_an_edit(book: Workbook) -> None:
    rules = [rule for ranges in book["Terms"].conditional_formatting for rule in ranges.rules]
    assert any("assumed" in rule.formula[0] for rule in rules)


def test_inputs_cite_the_document(book: Workbook, layout: Layout) -> None:
    """Source: the term and its page in deal.toml of 1999-1, as in the prospectus's summary."""
    closing = layout["term closing date"]
    comment = book["Terms"].cell(closing.top, closing.left).comment
    assert comment is not None
    assert comment.text.startswith("Stated, page 20 of the document. Notes and certificates are issued")


def test_the_documents_asterisk_is_a_number_format() -> None:
    """CarMax 2010-2 prints whole percents, and * for less than 0.5%; 1999-1 prints none."""
    made = openpyxl.load_workbook(io.BytesIO(build_workbook(read_folder(DEAL.parent / "carmax_2010_2"))))
    assert made["Decrement"]["C6"].number_format == '[=0]"";[<0.005]"*";0%'
