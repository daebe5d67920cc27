"""Tie-out: the checks, and the computed figures against the printed ones, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.published import Printed
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.cash_proof import lives_comparable
from xlmodel.workbook.sheets.check_cells import Check, write_checks
from xlmodel.workbook.sheets.checks import applicable
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.decrement import life_headings, percent_format, speed_headings
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, here, row_of
from xlmodel.workbook.sheets.theme import put

TITLE = "Tie-out"
_TOP = 5
_TIES = ("decrement", "average life", "first interest")
_NAMES = {
    "decrement": ("Decrement", "PublishedDecrement"),
    "average life": ("AverageLife", "PublishedAverageLife"),
    "first interest": ("FirstInterest", "PublishedFirstInterest"),
}
_COUNTS = ("cells", "matched", "informative", "informative matched")
# The sections stand one below the other in these columns; the decrement tables to their right.
_PANEL = 7


ChecksOf = Callable[[Contents], Sequence[Check[Contents]]]


def place(contents: Contents, checks_of: ChecksOf, proves_lives: bool) -> Mapping[str, Block]:
    """The panel from top to bottom, then the published decrement table and the differences beside it."""
    blocks = {}
    checks = checks_of(contents)
    for number, check in enumerate(checks):
        blocks[check.name] = block(TITLE, _TOP + number, 2)
    row = _TOP + len(checks) + 3
    ties = _ties(contents)
    for number, tie in enumerate(ties):
        for offset, count in enumerate(_COUNTS):
            blocks[f"{count} {tie}"] = block(TITLE, row + number, 2 + offset)
    if ties:
        row += len(ties) + 4
    blocks |= _place_first_interest(contents, row)
    row += contents.classes + 3
    if proves_lives and lives_comparable(contents):
        for offset, name in enumerate(("function", "proof", "difference")):
            blocks[f"average life {name}"] = block(TITLE, row, 2 + offset, contents.classes)
        row += contents.classes + 3
    if contents.published.average_life:
        shape = contents.published.average_life.shape
        for name in ("PublishedAverageLife", "difference average life"):
            blocks[name] = block(TITLE, row, 2, *shape)
            row += shape[0] + 3
    if contents.published.decrement:
        left = _panel(contents) + 4
        columns = len(contents.decrement_classes) * contents.speeds
        shape = (contents.printed + 1, columns)
        blocks["PublishedDecrement"] = block(TITLE, _TOP + 1, left, *shape)
        blocks["difference decrement"] = block(TITLE, _TOP + 1, left + columns + 3, *shape)
    return blocks


def write(
    sheet: Worksheet, contents: Contents, layout: Layout, checks_of: ChecksOf, proves_lives: bool
) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "Computed figures against those that somebody else printed, and against native formulas.",
    )
    theme.widths(sheet, 1, 30, *([15] * (_panel(contents) - 1)), 3)
    write_checks(sheet, checks_of(contents), contents, layout, last_column=_PANEL)
    _counts(sheet, contents, layout)
    _first_interest(sheet, contents, layout)
    if proves_lives and lives_comparable(contents):
        _average_life_proof(sheet, contents, layout)
    if contents.published.average_life:
        _average_life(sheet, contents, layout, contents.published.average_life)
    ends = [_panel(contents)]
    if contents.published.decrement:
        ends += _decrement(sheet, contents, layout, contents.published.decrement)
    sheet.freeze_panes = "A4"
    bottom = max(found.bottom for found in layout.blocks.values() if found.sheet == TITLE)
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, _TOP - 2, 1, bottom, ends[-1]),
        title_rows=(_TOP - 1, _TOP),
        title_columns=None,
        ends=ends,
    )


def _panel(contents: Contents) -> int:
    """The last column of the sections that stand one below the other."""
    return max(_PANEL, 1 + contents.speeds * len(contents.life_ends))


def _ties(contents: Contents) -> list[str]:
    published = contents.published
    figures = (published.decrement, published.average_life, published.first_interest)
    return [tie for tie, printed in zip(_TIES, figures, strict=True) if printed]


def _place_first_interest(contents: Contents, row: int) -> Mapping[str, Block]:
    blocks = {"FirstInterest": block(TITLE, row, 2, contents.classes)}
    if contents.published.first_interest:
        blocks["PublishedFirstInterest"] = block(TITLE, row, 3, contents.classes)
        blocks["difference first interest"] = block(TITLE, row, 4, contents.classes)
    return blocks


def _section(sheet: Worksheet, row: int, column: int, title: str, headings: list[str]) -> None:
    put(sheet, row - 2, column, title, theme.SECTION)
    for offset, heading in enumerate(headings):
        look = theme.HEADING if offset else theme.TEXT_HEADING
        put(sheet, row - 1, column + offset, heading, look)


def _counts(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    ties = _ties(contents)
    if not ties:
        return
    top = layout[f"cells {ties[0]}"].top
    headings = ["Printed figures", "Cells", "Matched", "Informative", "Of these tied"]
    _section(sheet, top, 1, "How many cells tie", headings)
    for tie in ties:
        row = layout[f"cells {tie}"].top
        put(sheet, row, 1, tie.capitalize(), theme.PLAIN)
        difference, shown = _counted(layout, tie)
        formulas = (
            f"=COUNTA({difference})",
            f"=COUNTIF({difference},0)",
            f'=COUNTIFS({shown},"<>0",{shown},"<>1",{shown},"<>")',
            f'=COUNTIFS({shown},"<>0",{shown},"<>1",{shown},"<>",{difference},0)',
        )
        if tie != "decrement":  # a printed 0 or 1 is as good as any other there
            formulas = (*formulas[:2], f'=COUNTIF({shown},"<>")', formulas[1])
        for offset, formula in enumerate(formulas):
            put(sheet, row, 2 + offset, formula, theme.PLAIN, theme.COUNT)
    note = "Informative: printed neither 0 nor 100%, so it cannot match by accident.  Closing is not counted."
    put(sheet, top + len(ties), 1, note, theme.NOTE)


def _counted(layout: Layout, tie: str) -> tuple[str, str]:
    """Differences and printed figures that are counted; the closing row of a decrement table is not."""
    not_counted = 1 if tie == "decrement" else 0
    differences, printed = (
        here(Block(block.sheet, block.top + not_counted, block.left, block.bottom, block.right))
        for block in (layout[f"difference {tie}"], layout[_NAMES[tie][1]])
    )
    return differences, printed


def _first_interest(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    first = layout["FirstInterest"]
    printed = contents.published.first_interest
    headings = ["Class", "Computed", *(["Printed", "Difference"] if printed else [])]
    _section(sheet, first.top, 1, "Interest on the first payment date, dollars", headings)
    for position in range(contents.classes):
        row = first.top + position
        put(sheet, row, 1, f"={layout.class_term(position, 'class')}", theme.PLAIN)
        source = row_of(layout[f"interest {position}"], 0).text()
        put(sheet, row, 2, f"={source}", theme.PLAIN, theme.MONEY)
    if printed:
        _compare(sheet, layout, "first interest", printed, theme.MONEY)


def _average_life_proof(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """Average lives at the base speed by the function, and from the principal of Distributions."""
    function, proof = layout["average life function"], layout["average life proof"]
    headings = ["Class", "Function", "Native", "Difference"]
    _section(sheet, function.top, 1, "Average life at the base speed, years", headings)
    years = layout.ref("years")
    for position in range(contents.classes):
        row = function.top + position
        put(sheet, row, 1, f"={layout.class_term(position, 'class')}", theme.PLAIN)
        life = cell(layout["life at base speed"], position, 0).text()
        put(sheet, row, function.left, f"={life}", theme.PLAIN, theme.FRACTION)
        principal = layout.ref(f"principal {position}")
        native = f"=SUMPRODUCT({principal},{years})/{layout.class_term(position, 'balance')}"
        put(sheet, row, proof.left, native, theme.PLAIN, theme.FRACTION)
        difference = f"=ROUND({a1(row, function.left)}-{a1(row, proof.left)},8)"
        column = layout["average life difference"].left
        put(sheet, row, column, difference, theme.PLAIN, theme.FRACTION)
    theme.mark_difference(sheet, layout["average life difference"])


def _average_life(sheet: Worksheet, contents: Contents, layout: Layout, printed: Printed) -> None:
    # Where lives run to two ends, a heading of its own stands to the right of the title.
    one_end = len(printed.ends) == 1
    titles = (
        ("PublishedAverageLife", "Average life, printed" + (", years" if one_end else "")),
        ("difference average life", "Average life, difference" + (" in printed units" if one_end else "")),
    )
    for name, title in titles:
        found = layout[name]
        _section(sheet, found.top, 1, title, ["Class"])
        life_headings(sheet, contents, layout, found)
        for number, position in enumerate(contents.life_classes):
            put(sheet, found.top + number, 1, f"={layout.class_term(position, 'class')}", theme.PLAIN)
    _compare(sheet, layout, "average life", printed, theme.YEARS)


def _decrement(sheet: Worksheet, contents: Contents, layout: Layout, printed: Printed) -> list[int]:
    """The printed table and the differences, side by side; the last column of each."""
    titles = (
        ("PublishedDecrement", "Printed: percent of initial balance", 9.0),
        ("difference decrement", "Difference in printed units", 7.0),
    )
    for name, title, width in titles:
        found = layout[name]
        put(sheet, found.top - 3, found.left - 1, title, theme.SECTION)
        put(sheet, found.top - 1, found.left - 1, "Payment date", theme.INNER_HEADING)
        theme.widths(sheet, found.left - 2, 3, 17, *([width] * (found.right - found.left + 1)))
        for number, position in enumerate(contents.decrement_classes):
            left = found.left + number * contents.speeds
            theme.group(
                sheet, found.top - 2, left, contents.speeds, f"={layout.class_term(position, 'class')}"
            )
            speed_headings(sheet, contents, layout, found.top - 1, left)
        months = layout["decrement month"]
        for offset, row in enumerate(range(found.top, found.bottom + 1)):
            shown = theme.MONTH if offset else '"Closing date"'
            month = cell(months, offset, 0).text()
            put(sheet, row, found.left - 1, f"={month}", theme.MONTH_LABEL, shown)
    _compare(sheet, layout, "decrement", printed, percent_format(contents))
    return [layout[name].right for name, _, _ in titles]


def _compare(sheet: Worksheet, layout: Layout, tie: str, printed: Printed, shown: str) -> None:
    """Printed figures as inputs, and by how many printed units the computed ones differ."""
    computed, published = (layout[name] for name in _NAMES[tie])
    differences = layout[f"difference {tie}"]
    decimals, units = printed.decimals, 10**printed.decimals
    for row, figures in enumerate(printed.rows):
        for column, figure in enumerate(figures):
            if figure is None:
                continue
            target = cell(published, row, column)
            put(sheet, target.top, target.left, figure, theme.PRINTED, shown)
            one, other = cell(computed, row, column).text(), a1(target.top, target.left)
            # An asterisk is more than nothing and would print as nothing; a blank ties with nothing.
            formula = (
                f"=IF(ISNUMBER({other}),ROUND(ROUND({one},{decimals})*{units}-{other}*{units},0),"
                f'IF(AND({other}="*",{one}>0,ROUND({one},{decimals})=0),0,1))'
            )
            put(sheet, differences.top + row, differences.left + column, formula, theme.PLAIN, theme.COUNT)
    theme.mark_difference(sheet, differences)


def sheet_of(checks_of: ChecksOf, *, proves_lives: bool) -> Sheet[Contents]:
    """The sheet with these checks; ``proves_lives`` works average lives out from Distributions too."""
    return Sheet(
        TITLE,
        lambda contents: place(contents, checks_of, proves_lives),
        lambda sheet, contents, layout: write(sheet, contents, layout, checks_of, proves_lives),
    )


SHEET = sheet_of(applicable, proves_lives=True)
