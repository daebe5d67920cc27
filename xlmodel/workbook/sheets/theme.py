"""How every sheet looks: one calm theme that does not rely on telling red from green.

Arial, because its metrics are the same everywhere (Liberation Sans stands in for it on Linux), so a column
that fits on one machine fits on all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal
from weakref import WeakKeyDictionary

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.comments import Comment
from openpyxl.formatting.rule import ColorScaleRule, FormulaRule, Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block, column_letters

FONT = "Arial"
INK = "1F2A37"
QUIET = "5B6776"
ACCENT = "23476B"
INPUT_INK = "0B3FA8"
INPUT_FILL = "FFF8DC"
HEADING_FILL = "DDE6EF"
GROUP_FILL = "C3D2E2"
INPUT_TAB = "E8C75A"
ASSUMED_FILL = "F9DEC5"
DERIVED_FILL = "E9E6F3"
HOLDS_FILL = "D5E8F3"
FAILS_FILL = "F2B48C"
# One hue from light to dark: a heat map is read with any colour vision and in grey, and ink on all of it.
LEAST_FILL, MOST_FILL = "F7FAFD", "6FAEDB"
LINE = "AAB7C4"

# Okabe and Ito's palette, told apart by readers with any colour vision, darker tones first.
SERIES = ("0072B2", "56B4E9", "009E73", "E69F00", "CC79A7", "D55E00", "7F7F7F", "1F2A37")
Dash = Literal["solid", "dash", "sysDot", "dashDot", "lgDash", "lgDashDot"]
DASHES: tuple[Dash, ...] = ("solid", "dash", "sysDot", "dashDot", "lgDash", "lgDashDot")

# A dash for nothing, so that a column's first and last amounts are seen at once.
MONEY = '#,##0.00;-#,##0.00;"–"'
RATE = "0.0000%"
PERCENT = "0.00%"
TENTH_PERCENT = "0.0%"
DOLLARS_OR_RATE = "#,##0.00####"
COUNT = "#,##0"
DOLLARS = '#,##0;-#,##0;"–"'
# LibreOffice shows a logical constant as 1 or 0 without it; Excel shows TRUE or FALSE whatever the format.
FLAG = '"TRUE";"TRUE";"FALSE"'
FACTOR = '0.0000000;-0.0000000;"–"'
YEARS = "0.00"
QUOTE = "0.00000"
ANY_SIZE = '[>=1000]#,##0;[=0]"–";0.00'
FRACTION = "0.000000"
LINE_HEIGHT = 13.5  # points
_SCALE = 50  # percent
_SMALLEST_SCALE = 40
_ROWS_AT_SCALE = 70
_PAGE_WIDTH = 10.0  # inches between the margins of a landscape letter page
_LETTER = 1.2  # letters to a digit's width, on average
_PAGE_ROWS = 34  # at full size
_NOTE_WIDTH, _NOTE_LINE, _NOTE_LETTERS = 380, 17, 58  # pixels wide and to a line; letters to a line
_OWN_FORMAT = 200  # numbers below 164 are the formats that every program knows
_CHARACTER = 0.079  # inches that a column needs for each character of its width, with some to spare

DATE = "d mmm yyyy"
MONTH = "mmmm yyyy"
MONTH_SHORT = "mmm yyyy"


def percent(decimals: int) -> str:
    """A percentage with so many decimals."""
    return f"0.{'0' * decimals}%" if decimals > 0 else "0%"


@dataclass(frozen=True)
class Look:
    """Font, fill and alignment of a cell; number formats go with the value."""

    bold: bool = False
    italic: bool = False
    size: int = 10
    ink: str = INK
    fill: str | None = None
    align: str | None = None
    wrap: bool = False
    indent: int = 0
    top_line: bool = False
    bottom_line: bool = False

    def apply(self, cell: Cell) -> None:
        side = Side(style="thin", color=LINE)
        cell.font = Font(name=FONT, size=self.size, bold=self.bold, italic=self.italic, color=self.ink)
        cell.alignment = Alignment(
            horizontal=self.align, vertical="center", wrap_text=self.wrap or None, indent=self.indent
        )
        if self.fill:
            cell.fill = PatternFill("solid", fgColor=self.fill)
        if self.top_line or self.bottom_line:
            cell.border = Border(
                top=side if self.top_line else None, bottom=side if self.bottom_line else None
            )


PLAIN = Look()
STRONG = Look(bold=True)
STRONG_RIGHT = Look(bold=True, align="right")
STRONG_TEXT = Look(bold=True, align="left", indent=1)
NOTE = Look(ink=QUIET)
INNER_NOTE = Look(ink=QUIET, align="left", indent=1)
TITLE = Look(bold=True, size=15, ink=ACCENT)
SUBTITLE = Look(ink=QUIET)
SECTION = Look(bold=True, size=11, ink=ACCENT)
HEADING = Look(bold=True, fill=HEADING_FILL, align="right", wrap=True, bottom_line=True)
TEXT_HEADING = Look(bold=True, fill=HEADING_FILL, align="left", bottom_line=True)
INNER_HEADING = Look(bold=True, fill=HEADING_FILL, align="left", indent=1, bottom_line=True)
STATE_HEADING = Look(bold=True, fill=HEADING_FILL, align="center", bottom_line=True)
GROUP = Look(bold=True, fill=GROUP_FILL, align="center")
KEY = Look(align="left")
KEY_INNER = Look(align="left", indent=1)
SOURCE = Look(ink=QUIET, align="left", indent=1)
TEXT_INPUT = Look(ink=INPUT_INK, fill=INPUT_FILL, align="left", indent=1)
INPUT = Look(ink=INPUT_INK, fill=INPUT_FILL)
TOTAL = Look(bold=True, top_line=True)
STATE = Look(bold=True, align="center")
STATE_TEXT = Look(align="center")
RIGHT = Look(align="right")
MONTH_LABEL = Look(align="left", indent=1)
PRINTED = Look(ink=INPUT_INK, fill=INPUT_FILL, align="right")


# For each cell openpyxl compares every part of its style with all that the workbook has; once is enough.
_STYLES: WeakKeyDictionary[Workbook, dict[tuple[Look, str | None], Any]] = WeakKeyDictionary()


def put(
    sheet: Worksheet, row: int, column: int, value: Any, look: Look = PLAIN, number_format: str | None = None
) -> None:
    """One cell with its value, look and number format."""
    cell = sheet.cell(row, column)
    assert isinstance(cell, Cell)
    cell.value = value
    assert sheet.parent is not None
    known = _STYLES.setdefault(sheet.parent, {})
    style = known.get((look, number_format))
    if style is not None:
        cell._style = copy(style)  # type: ignore[attr-defined]  # not in the stubs; far quicker than setting parts
        return
    look.apply(cell)
    if number_format:
        cell.number_format = number_format
    known[look, number_format] = copy(cell._style)  # type: ignore[attr-defined]  # as above


def put_text(
    sheet: Worksheet, row: int, column: int, value: Any, look: Look = PLAIN, number_format: str | None = None
) -> None:
    """One cell with a value that somebody else wrote: a text that begins with = is no formula."""
    put(sheet, row, column, value, look, number_format)
    if isinstance(value, str):
        sheet.cell(row, column).data_type = "s"


def put_array(
    sheet: Worksheet, block: Block, formula: str, formats: Sequence[str | None], look: Look = PLAIN
) -> None:
    """An array formula over a block, one number format a column; children are styled too.

    openpyxl leaves unstyled children out of the file, and a child without a style would lose its format.
    """
    for address in block.cells():
        put(sheet, address.row, address.column, None, look, formats[address.column - block.left])
    area = Block(None, block.top, block.left, block.bottom, block.right).text(absolute=False)
    sheet.cell(block.top, block.left).value = ArrayFormula(area, formula)


def note(sheet: Worksheet, row: int, column: int, text: str) -> None:
    """A note that shows when the cell is pointed at, as tall as its text."""
    comment = Comment(text, "xlmodel", width=_NOTE_WIDTH)
    lines_needed = sum(math.ceil(len(line) / _NOTE_LETTERS) or 1 for line in text.splitlines())
    comment.height = _NOTE_LINE * (lines_needed + 1)
    sheet.cell(row, column).comment = comment


def restyle(sheet: Worksheet, cells: Block, look: Look) -> None:
    """Another look for cells that have their values and number formats, such as a column of an array."""
    for address in cells.cells():
        cell = sheet.cell(address.row, address.column)
        assert isinstance(cell, Cell)
        look.apply(cell)


def put_row(sheet: Worksheet, row: int, column: int, values: Sequence[Any], look: Look = PLAIN) -> None:
    """Cells side by side."""
    for offset, value in enumerate(values):
        put(sheet, row, column + offset, value, look)


def head(sheet: Worksheet, deal: str, title: str, sentence: str, *, inputs: bool = False) -> None:
    """The two rows at the top of every sheet; the tab of a sheet of inputs has a colour of its own."""
    sheet.sheet_properties.tabColor = INPUT_TAB if inputs else ACCENT
    put_text(sheet, 1, 1, f"{deal} – {title}", TITLE)
    put(sheet, 2, 1, sentence, SUBTITLE)
    sheet.row_dimensions[1].height = 24
    sheet.sheet_view.showGridLines = False


def widths(sheet: Worksheet, first: int, *wide: float) -> None:
    """Widths of columns side by side, in characters."""
    for offset, width in enumerate(wide):
        sheet.column_dimensions[column_letters(first + offset)].width = width


def lines_of(text: str, width: float, look: Look = PLAIN) -> int:
    """Lines that a text takes in a column; bold letters are wider."""
    return math.ceil(len(text) / (width - look.indent) / (1.0 if look.bold else _LETTER))


def lines(sheet: Worksheet, row: int, count: int) -> None:
    """Height of a row for so many lines of text; programs do not all find it by themselves."""
    sheet.row_dimensions[row].height = LINE_HEIGHT * count


def print_setup(
    sheet: Worksheet,
    *,
    title_rows: tuple[int, int],
    title_columns: tuple[int, int] | None = None,
    pages_tall: int = 0,
) -> None:
    """Landscape, fitted to the width, heading rows repeated, a footer with sheet and page.

    ``pages_tall``: 0 for as many as it takes.
    """
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 1  # US letter, the paper of the deals' desks
    sheet.page_setup.fitToWidth = 1
    sheet.page_setup.fitToHeight = pages_tall
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = f"{title_rows[0]}:{title_rows[1]}"
    if title_columns:
        first, last = map(column_letters, title_columns)
        sheet.print_title_cols = f"{first}:{last}"
    margins = sheet.page_margins
    margins.left = margins.right = 0.5
    margins.top, margins.bottom, margins.footer = 0.55, 0.7, 0.35
    footer = sheet.oddFooter
    assert footer is not None
    footer.left.text, footer.right.text = "&A", "Page &P of &N"
    for part in (footer.left, footer.right):
        part.font, part.size, part.color = FONT, 8, QUIET


def print_in_groups(
    sheet: Worksheet,
    *,
    title: str,
    printed: Block,
    title_rows: tuple[int, int],
    title_columns: tuple[int, int] | None,
    ends: Sequence[int],
) -> None:
    """For a sheet too wide for one page: as many groups of columns a page as fit, none of them torn.

    ``ends``: the last column of each group.  The title goes into the page's header, because columns that
    are repeated would cut it off on every page but the first.
    """
    print_setup(sheet, title_rows=title_rows, title_columns=title_columns)
    sheet.print_area = area(printed)
    header = sheet.oddHeader
    assert header is not None
    header.left.text = title.replace("&", "&&")
    header.left.font, header.left.size = f"{FONT},Bold", 11
    sheet.page_margins.top, sheet.page_margins.header = 0.75, 0.35
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=False)
    sheet.page_setup.fitToWidth = sheet.page_setup.fitToHeight = None
    sheet.page_setup.pageOrder = "overThenDown"

    def wide(first: int, last: int) -> float:
        return sum(sheet.column_dimensions[column_letters(n)].width for n in range(first, last + 1))

    first, repeated = title_columns or (1, 0)
    starts = (repeated, *ends)
    widest = wide(first, repeated) + max(
        wide(before + 1, end) for before, end in zip(starts, ends, strict=False)
    )
    # A few rows or columns too many for a page are no reason for twice as many pages.
    fitting = [int(_PAGE_WIDTH / _CHARACTER * 100 / widest)]
    if not sheet.row_breaks.brk:
        fitting.append(_SCALE * _ROWS_AT_SCALE // printed.bottom)
    scale = min([_SCALE, *(fit for fit in fitting if fit >= _SMALLEST_SCALE)])
    sheet.page_setup.scale = scale
    room = _PAGE_WIDTH / _CHARACTER * 100 / scale - wide(first, repeated)
    used, before = 0.0, repeated
    for end in ends:
        group = wide(before + 1, end)
        if used and used + group > room:
            sheet.col_breaks.append(Break(id=before))
            used = 0.0
        used, before = used + group, end


def print_in_parts(
    sheet: Worksheet, *, printed: Block, title_rows: tuple[int, int], ends: Sequence[int]
) -> None:
    """For a sheet of several parts, one below the other: each on a page of its own, all in one size.

    ``ends``: the last row of each part.  Breaks hold only where nothing is fitted to a number of pages.
    """
    print_setup(sheet, title_rows=title_rows)
    sheet.print_area = area(printed)
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=False)
    sheet.page_setup.fitToWidth = sheet.page_setup.fitToHeight = None
    columns = range(printed.left, printed.right + 1)
    wide = sum(sheet.column_dimensions[column_letters(n)].width for n in columns)
    tall = title_rows[1] + max(
        end - before for before, end in zip((title_rows[1], *ends), ends, strict=False)
    )
    fitting = (1.0, _PAGE_WIDTH / _CHARACTER / wide, _PAGE_ROWS / tall)
    sheet.page_setup.scale = int(100 * min(fitting))
    for end in ends[:-1]:
        break_after_row(sheet, end)


def break_after_row(sheet: Worksheet, row: int) -> None:
    sheet.row_breaks.append(Break(id=row))


def mark_status(sheet: Worksheet, status: Block) -> None:
    """A status of assumed or derived looks different, also after the desk edits it."""
    first = a1(status)
    _rule(sheet, status, f'{first}="assumed"', ASSUMED_FILL, Font(bold=True, italic=True))
    _rule(sheet, status, f'{first}="derived"', DERIVED_FILL, Font(italic=True))


def mark_practice(sheet: Worksheet, status: Block) -> None:
    """A rule that is practice or assumed looks different from a clause."""
    first = a1(status)
    _rule(sheet, status, f'{first}="assumed"', ASSUMED_FILL, Font(bold=True, italic=True))
    _rule(sheet, status, f'{first}="practice"', DERIVED_FILL, Font(italic=True))


def mark_period(sheet: Worksheet, cells: Block) -> None:
    """A series that accumulates, or amortizes early, is seen at once."""
    first = a1(cells)
    _rule(sheet, cells, f'{first}="accumulation"', DERIVED_FILL, Font(bold=True))
    _rule(sheet, cells, f'{first}="early amortization"', ASSUMED_FILL, Font(bold=True, italic=True))


def mark_advance(sheet: Worksheet, rows: Block, event: int) -> None:
    """Lines of advances and determinations are told from receipts; ``event`` is the column that says so."""
    first = f"${column_letters(event)}{rows.top}"
    _rule(sheet, rows, f'{first}="advance"', DERIVED_FILL, Font(italic=True))
    _rule(sheet, rows, f'{first}="determination"', ASSUMED_FILL, Font(italic=True))


def mark_default(sheet: Worksheet, cells: Block) -> None:
    """Receipts after an event of default are seen at once."""
    _rule(sheet, cells, f"{a1(cells)}=TRUE", ASSUMED_FILL, Font(bold=True))


def mark_state(sheet: Worksheet, cells: Block) -> None:
    """TRUE and FALSE of checks: light blue and orange."""
    first = a1(cells)
    _rule(sheet, cells, f"{first}=TRUE", HOLDS_FILL, Font(bold=True))
    _rule(sheet, cells, f"{first}=FALSE", FAILS_FILL, Font(bold=True, italic=True))


def mark_difference(sheet: Worksheet, cells: Block) -> None:
    """A difference that is not zero stands out."""
    _rule(sheet, cells, f"{a1(cells)}<>0", FAILS_FILL, Font(bold=True))


def mark_word(sheet: Worksheet, cells: Block, word: str, fill: str) -> None:
    """Cells that hold a word have a fill of their own."""
    _rule(sheet, cells, f'{a1(cells)}="{word}"', fill, Font(bold=True))


def mark_quiet(sheet: Worksheet, cells: Block, test: str) -> None:
    """Cells that say nothing new step back where a test, written for the first of them, is true."""
    _rule(sheet, cells, test, None, Font(color=LINE))


def heat(sheet: Worksheet, cells: Sequence[Block]) -> None:
    """A heat map over one or several blocks: the darker, the more; all of them on one scale."""
    rule = ColorScaleRule(start_type="min", start_color=LEAST_FILL, end_type="max", end_color=MOST_FILL)  # type: ignore[no-untyped-call]  # the stubs leave it untyped
    sheet.conditional_formatting.add(" ".join(map(area, cells)), rule)


def show_as(sheet: Worksheet, cells: Block, test: str, number_format: str) -> None:
    """Cells bear another number format while a test is true."""
    style = DifferentialStyle(numFmt=NumberFormat(numFmtId=_OWN_FORMAT, formatCode=number_format))
    rule = Rule(type="expression", dxf=style, formula=[test])
    sheet.conditional_formatting.add(area(cells), rule)


def choose(sheet: Worksheet, cells: Block, source: str, prompt: str) -> None:
    """Cells take one of the values of a range, or of a quoted list."""
    rule = DataValidation("list", formula1=source, allow_blank=False, showErrorMessage=True)
    rule.errorTitle, rule.error = "Not in the list", prompt
    rule.showInputMessage, rule.prompt = True, prompt
    rule.add(area(cells))
    sheet.add_data_validation(rule)


def _rule(sheet: Worksheet, cells: Block, test: str, fill: str | None, font: Font) -> None:
    pattern = PatternFill("solid", bgColor=fill, fgColor=fill) if fill else None
    rule = FormulaRule(formula=[test], fill=pattern, font=font)  # type: ignore[no-untyped-call]  # the stubs leave it untyped
    sheet.conditional_formatting.add(area(cells), rule)


def a1(cells: Block) -> str:
    """The first cell of a block, relative: a rule is written for it and moves with the others."""
    return str(cells.anchor)


def area(block: Block) -> str:
    """A block as a range of its own sheet, without dollar signs."""
    return Block(None, block.top, block.left, block.bottom, block.right).text(absolute=False)


def group(sheet: Worksheet, row: int, column: int, count: int, text: str) -> None:
    """A heading over several columns."""
    for offset in range(count):
        put(sheet, row, column + offset, text if offset == 0 else None, GROUP)
    if count > 1:
        sheet.merge_cells(start_row=row, end_row=row, start_column=column, end_column=column + count - 1)
