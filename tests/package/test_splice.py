"""Values put into the original bytes, and nothing else changed."""

from __future__ import annotations

import io
import math
from random import Random

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.worksheet.formula import ArrayFormula

from tests.package.packages import MAIN, package, parts, sheet
from xlmodel.errors import CannotSplice, DamagedPackage, WrongKind
from xlmodel.package.address import Address, Block
from xlmodel.package.guard import open_package
from xlmodel.package.sheet import read_sheet
from xlmodel.package.splice import Change, splice, splice_sheets
from xlmodel.package.values import ErrorCode, Value

# Each: attributes and cached value as found; the value; attributes and cached value as they must become.
Case = tuple[str, str, Value, str, str]
CELLS: dict[str, Case] = {
    "no value yet": ("", "", 0.03, "", "<v>0.03</v>"),
    "an empty value": ("", "<v/>", 0.03, "", "<v>0.03</v>"),
    "openpyxl's": ("", "<v />", 0.03, "", "<v>0.03</v>"),
    "an empty pair": ("", "<v></v>", 0.03, "", "<v>0.03</v>"),
    "a stale one": (' s="2"', "<v>999</v>", 0.03, ' s="2"', "<v>0.03</v>"),
    "blanks around": ('  s="2" ', "\n <v>999</v>\n", 0.03, '  s="2" ', "\n <v>0.03</v>\n"),
    "equal to 15 digits": ("", "<v>0.3</v>", 0.1 + 0.2, "", "<v>0.3</v>"),
    "unequal in the 15th": ("", "<v>0.3</v>", 0.300000000000001, "", "<v>0.300000000000001</v>"),
    "spelt otherwise": ("", "<v>3.0E-1</v>", 0.3, "", "<v>3.0E-1</v>"),
    "number of type n": (' t="n"', "<v>1</v>", 2, ' t="n"', "<v>2</v>"),
    "number to text": (' s="2"', "<v>1</v>", "a<b", ' s="2" t="str"', "<v>a&lt;b</v>"),
    "text to number": (' t="str" s="2"', "<v>a</v>", 1, ' s="2"', "<v>1</v>"),
    "text to truth": (' t="str"', "<v>TRUE</v>", True, ' t="b"', "<v>1</v>"),
    "one to truth": ("", "<v>1</v>", True, ' t="b"', "<v>1</v>"),
    "number to error": ("", "<v>1</v>", ErrorCode("#N/A"), ' t="e"', "<v>#N/A</v>"),
    "error to number": (' t="e"', "<v>#N/A</v>", 1, "", "<v>1</v>"),
    "error to its text": (' t="e"', "<v>#N/A</v>", "#N/A", ' t="str"', "<v>#N/A</v>"),
    "a newer error": ("", "<v>1</v>", ErrorCode("#SPILL!"), ' t="e"', "<v>#VALUE!</v>"),
    "a rich error": (' t="e" vm="3"', "<v>#VALUE!</v>", 1, "", "<v>1</v>"),
    "a rich error kept": (
        ' t="e" vm="3"', "<v>#VALUE!</v>", ErrorCode("#SPILL!"), ' t="e" vm="3"', "<v>#VALUE!</v>"
    ),
    "a dynamic array": (' cm="1"', "<v>1</v>", 2, ' cm="1"', "<v>2</v>"),
    "blanks at the ends": ("", "", " a ", ' t="str"', '<v xml:space="preserve"> a </v>'),
    "a carriage return": ("", "", "a\r\nb", ' t="str"', "<v>a_x000D_\nb</v>"),
    "what looks escaped": ("", "", "_x0041_", ' t="str"', "<v>_x005F_x0041_</v>"),
    "what looks like a formula": ("", "", "=1+1", ' t="str"', "<v>=1+1</v>"),
    "an empty text": ("", "<v>1</v>", "", ' t="str"', "<v></v>"),
    "nothing": (' t="str"', "<v>1</v>", None, "", ""),
    "nothing still": ("", "<v/>", None, "", "<v/>"),
    "a shared string, equal": (' t="s"', "<v>1</v>", "two", ' t="s"', "<v>1</v>"),
    "a shared string, other": (' t="s"', "<v>1</v>", "one", ' t="str"', "<v>one</v>"),
    "a shared string, lost": (' t="s"', "<v>9</v>", "two", ' t="str"', "<v>two</v>"),
    "no number cached": ("", "<v>nan</v>", 1, "", "<v>1</v>"),
    "an extension": ("", "<extLst><ext/></extLst>", 1, "", "<v>1</v><extLst><ext/></extLst>"),
    "a comment in it": ("", "<v>9<!-- 9 --></v>", 1, "", "<v>1</v>"),
    "single quotes": (" s='2' t='str'", "<v>9</v>", True, " s='2' t=\"b\"", "<v>1</v>"),
}  # fmt: skip


@pytest.mark.parametrize("formula", ["<f>B1</f>", '<f t="shared" si="0"/>', '<f t="array" ref="A1">B1</f>'])
@pytest.mark.parametrize("case", CELLS)
def test_a_formula_cell(case: str, formula: str) -> None:
    attributes, cached, value, attributes_after, cached_after = CELLS[case]
    frame = f'<row r="1"><c r="A1"{{}}>{formula}{{}}</c><c r="Q1" t="s"><v>0</v></c></row>'
    before, after = (
        sheet(frame.format(attributes, cached)),
        sheet(frame.format(attributes_after, cached_after)),
    )
    strings = ["one", "two"]
    done = splice(before, {"A1": value}, strings)
    assert done.xml == after
    assert bool(done.changed) is (before != after)
    assert splice(done.xml, {"A1": value}, strings) == (done.xml, [])


def test_a_cell_without_reference() -> None:
    found = "<row><c><v>7</v></c><c><f>A1</f><v>{}</v></c></row>"
    assert splice(sheet(found.format(9)), {"B1": 7}).xml == sheet(found.format(7))


ARRAY = '<c r="A1"><f t="array" ref="A1:C3">F(1)</f><v>1</v></c>'
CHILDREN: dict[str, tuple[str, str, Value, str]] = {
    "a value": ("B1", '<c r="B1"><v>9</v></c>', 2, '<c r="B1"><v>2</v></c>'),
    "an empty cell": ("B1", '<c r="B1" s="4"/>', 2, '<c r="B1" s="4"><v>2</v></c>'),
    "an empty cell, text": ("B1", '<c r="B1" s="4" />', "x", '<c r="B1" s="4" t="str"><v>x</v></c>'),
    "an empty pair": ("B1", '<c r="B1" s="4"></c>', 2, '<c r="B1" s="4"><v>2</v></c>'),
    "with an extension": ("B1", '<c r="B1"><extLst/></c>', 2, '<c r="B1"><v>2</v><extLst/></c>'),
    "text of its own": ("B1", '<c r="B1" t="inlineStr"><is><t>x</t></is></c>', 2, '<c r="B1"><v>2</v></c>'),
    "equal text of its own": (
        "B1", '<c r="B1" t="inlineStr"><is><t>x</t></is></c>', "x",
        '<c r="B1" t="inlineStr"><is><t>x</t></is></c>',
    ),
    "rich text of its own": (
        "B1", '<c r="B1" t="inlineStr"><is><r><t>x</t></r></is></c>', "y", '<c r="B1" t="str"><v>y</v></c>'
    ),
    "text and value": (
        "B1", '<c r="B1" t="inlineStr"><v>1</v><is><t>x</t></is></c>', 2, '<c r="B1"><v>2</v></c>'
    ),
    "removed": ("B1", '<c r="B1" t="str" s="4"><v>x</v></c>', None, '<c r="B1" s="4"></c>'),
    "lower case": ("B1", '<c r="b1"><v>9</v></c>', 2, '<c r="b1"><v>2</v></c>'),
    "inserted last": ("B1", "", 2, '<c r="B1"><v>2</v></c>'),
    "inserted between": ("B1", '<c r="D1"/>', 2, '<c r="B1"><v>2</v></c><c r="D1"/>'),
    "inserted text": ("B1", "", " x", '<c r="B1" t="str"><v xml:space="preserve"> x</v></c>'),
    "nothing to insert": ("C1", '<c r="B1"/>', None, '<c r="B1"/>'),
}  # fmt: skip


@pytest.mark.parametrize("case", CHILDREN)
def test_a_child_of_an_array(case: str) -> None:
    cell, before, value, after = CHILDREN[case]
    done = splice(sheet(f'<row r="1">{ARRAY}{before}</row>'), {cell: value})
    assert done.xml == sheet(f'<row r="1">{ARRAY}{after}</row>')
    assert splice(done.xml, {cell: value}) == (done.xml, [])


def test_changes_are_told_in_order() -> None:
    rest = '<c r="D1" t="str"><f>1</f><v>old</v></c><c r="E1"><f>2</f><v>2</v></c>'
    values: dict[str, Value] = {"E1": 2.0, "B2": "new", "D1": True, "A1": 1}
    done = splice(sheet(f'<row r="1">{ARRAY}{rest}</row>'), values)
    assert done.changed == [Change("D1", "old", True), Change("B2", None, "new")]


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["B1", "Q7", "D2", "A4"])
def test_constants_are_never_touched(cell: str) -> None:
    xml = sheet(
        '<row r="1"><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"><f t="array" ref="A2:C3">1</f></c></row>'
    )
    with pytest.raises(CannotSplice, match="no formula") as caught:
        splice(xml, {"B3": 1, cell: 2})
    assert caught.value.place.cell == cell


@pytest.mark.parametrize("cell", ["A1", "B1", "C3"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400, "x" * 32_768, ErrorCode("#CIRC!")])
def test_what_no_cell_holds_is_refused_by_cell(cell: str, value: Value) -> None:
    with pytest.raises(CannotSplice) as caught:
        splice(sheet(f'<row r="1">{ARRAY}<c r="B1"/></row>'), {cell: value})
    assert caught.value.place.cell == cell


def test_no_address() -> None:
    with pytest.raises(WrongKind):
        splice(sheet(""), {"Rate": 1})


def test_an_array_without_range_is_refused() -> None:
    with pytest.raises(DamagedPackage, match="proper range"):
        splice(sheet('<row r="1"><c r="A1"><f t="array">1</f></c></row>'), {"B1": 1})


# --- whole sheets --------------------------------------------------------------------------------


def test_every_other_byte_survives() -> None:
    before = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<!-- é --><x:worksheet xmlns:x="{main}" '
        'xmlns:mc="urn:mc" mc:Ignorable="q"><x:sheetPr codeName="Blatt1"/><x:sheetData>\n'
        '  <x:row r="1" spans="1:3"  ht="15.5"><x:c r="A1" s="7" t="str" >'
        '<x:f>B1&amp;"é"</x:f><x:v>{old}</x:v></x:c>'
        "<x:c r='C1' t='b'><x:v>1</x:v></x:c></x:row>\n</x:sheetData><x:conditionalFormatting sqref='A1'/>"
        '<x:extLst><x:ext uri="u"><a:b xmlns:a="urn:a"><c r="A1"><f>1</f></c></a:b></x:ext></x:extLst>'
        "</x:worksheet>"
    )
    xml = before.format(main=MAIN, old="old").encode()
    assert splice(xml, {"A1": "néw"}).xml == before.format(main=MAIN, old="néw").encode()


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b'<?xml version="1.0"?>\r\n', "<!-- é東😀 -->".encode()])
def test_offsets_count_bytes(start: bytes) -> None:
    rows = '<row r="1"><c r="A1" t="str"><f>"é東😀"</f><v>{}</v></c><c r="B1"><f>1</f><v>{}</v></c></row>'
    values: dict[str, Value] = {"A1": "😀é", "B1": 2}
    done = splice(start + sheet(rows.format("東", 1)), values)
    assert done.xml == start + sheet(rows.format("😀é", 2))


def test_openpyxl_writes_no_elements_for_the_children_of_an_array() -> None:
    workbook = openpyxl.Workbook()
    page = workbook.worksheets[0]
    page.title = "Tie-out"
    page["B5"] = ArrayFormula("B5:U49", "=XM_DECREMENT(A1)")
    page["C7"].number_format = "0.00"
    buffer = io.BytesIO()
    workbook.save(buffer)
    opened = open_package(buffer.getvalue(), name="deal.xlsx")
    block = Block.parse("B5:U49")
    values = {address: address.row + address.column / 100 for address in block.cells()}
    (part, done), *_ = splice_sheets(opened, {"Tie-out": values}).items()
    assert len(done.changed) == 900
    copy = opened.replace({part: done.xml})
    shown = openpyxl.load_workbook(io.BytesIO(copy), data_only=True)["Tie-out"]
    assert {address: shown.cell(*address).value for address in block.cells()} == values
    assert shown["C7"].number_format == "0.00"
    kept = openpyxl.load_workbook(io.BytesIO(copy))["Tie-out"]["B5"].value
    assert (kept.ref, kept.text) == ("B5:U49", "=XM_DECREMENT(A1)")


def test_several_sheets_with_shared_strings_and_places() -> None:
    strings = f'<sst xmlns="{MAIN}"><si><t>same</t></si></sst>'.encode()
    one = sheet('<row r="1"><c r="A1" t="s"><f>B1</f><v>0</v></c></row>')
    opened = package(parts({"One": one, "Two": one}, strings=strings))
    done = splice_sheets(opened, {"One": {"A1": "same"}, "Two": {"A1": "other"}})
    assert done["xl/worksheets/sheet1.xml"] == (one, [])
    assert done["xl/worksheets/sheet2.xml"].changed == [Change("A1", "same", "other")]
    with pytest.raises(CannotSplice) as caught:
        splice_sheets(opened, {"Two": {"B1": 1}})
    assert str(caught.value.place) == "deal.xlsx, part xl/worksheets/sheet2.xml, sheet Two, cell B1"


# --- laws ----------------------------------------------------------------------------------------

VALUES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(["#N/A", "#NUM!", "#VALUE!"]).map(ErrorCode),
    st.none(),
)
ANCHOR = '<c r="B2"><f t="array" ref="B2:E6">F(1)</f></c>'
FOUND = st.sampled_from(
    [
        "",
        '<c r="{0}" s="3"/>',
        '<c r="{0}"><v>0.1</v></c>',
        '<c r="{0}" t="b"><v>1</v></c>',
        '<c r="{0}" t="str"><v>old</v></c>',
        '<c r="{0}" t="inlineStr"><is><t>i</t></is></c>',
    ]
)
Spliceable = tuple[bytes, dict[Address, Value]]


@st.composite
def arrays(draw: st.DrawFn) -> Spliceable:
    """A sheet with an array of 5 x 4, some of whose cells and rows are there, and values for some."""
    rows = ""
    for row in range(1, 9):
        cells = ""
        for column in "ABCDEFG":
            cell = f"{column}{row}"
            inside = "B" <= column <= "E" and 2 <= row <= 6
            cells += ANCHOR if cell == "B2" else draw(FOUND).format(cell) if inside else f'<c r="{cell}"/>'
        kept = row == 2 or draw(st.booleans())
        narrow = row != 2 and draw(st.booleans())
        rows += f'<row r="{row}" spans="2:2">{"" if narrow else cells}</row>' if kept else ""
    block = list(Block.parse("B2:E6").cells())
    return sheet(rows, before='<dimension ref="B2"/>'), draw(st.dictionaries(st.sampled_from(block), VALUES))


@given(arrays())
def test_what_is_spliced_is_read_back_and_splicing_it_again_changes_nothing(case: Spliceable) -> None:
    xml, values = case
    before = read_sheet(xml, []).cells
    done = splice(xml, values)
    after = read_sheet(done.xml, []).cells
    for address, value in values.items():
        found = after[address].value if address in after else None
        assert (found, isinstance(found, ErrorCode)) == (value, isinstance(value, ErrorCode))
        assert isinstance(found, bool) is isinstance(value, bool)
    assert {a: cell for a, cell in before.items() if a not in values} == {
        a: cell for a, cell in after.items() if a not in values
    }
    assert {a: cell.formula for a, cell in before.items()}.items() <= {
        a: cell.formula for a, cell in after.items()
    }.items()
    assert list(after) == sorted(after)
    assert splice(done.xml, values) == (done.xml, [])
    assert splice(xml, {a: cell.value for a, cell in before.items() if a in values}) == (xml, [])


@given(arrays(), st.randoms(use_true_random=False))
def test_the_order_in_which_values_come_does_not_matter(case: Spliceable, dice: Random) -> None:
    xml, values = case
    shuffled = list(values.items())
    dice.shuffle(shuffled)
    assert splice(xml, dict(shuffled)) == splice(xml, values)
    piecemeal = xml
    for address, value in shuffled:
        piecemeal = splice(piecemeal, {address: value}).xml
    assert read_sheet(piecemeal, []) == read_sheet(splice(xml, values).xml, [])
