"""Summary: what the native form is and is not, its classes in figures, and whether every check holds."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, here
from xlmodel.workbook.sheets.native.checks import applicable
from xlmodel.workbook.sheets.native.decrement import life
from xlmodel.workbook.sheets.native.runs import BASE
from xlmodel.workbook.sheets.theme import put

TITLE = "Summary"
_FACTS_TOP = 4
_COLUMNS: tuple[tuple[str, str | None, float], ...] = (
    ("Class", None, 29),
    ("Initial balance", theme.MONEY, 18),
    ("Rate", theme.RATE, 12),
    ("Day count", None, 16),
    ("Average life, years", theme.YEARS, 13),
    ("First interest", theme.MONEY, 15),
    ("First principal", theme.MONEY, 17),
    ("Last payment", theme.DATE, 14),
    ("Final scheduled payment", theme.DATE, 16),
)
_WORDS = (
    "Every figure here is worked by plain formulas of the spreadsheet program: no add-in, no macro.",
    "No losses, delinquencies, events of default, policy claims or sales: the printed tables assume none.",
    "So scenarios, grids, statements are left out, and yields, which need a search: build the live form.",
    "Blue cells are inputs.  Numbers and dates may be edited, and everything follows; formulas were made",
    "from the texts of the tables (sheet Clauses), so an edited text needs a new build: check_clauses.",
    "Beside each run stand the values that the XM_ functions gave at the build, and the differences.",
)


def place(contents: Contents) -> Mapping[str, Block]:
    classes = block(TITLE, _FACTS_TOP + 10, 1, contents.classes, len(_COLUMNS))
    checks = applicable(contents)
    return {
        "summary classes": classes,
        "summary checks": block(TITLE, classes.bottom + 4, 1, len(checks), 3),
    }


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "The native form: the same model in plain formulas, compared with the functions cell by cell.",
    )
    theme.widths(sheet, 1, *(width for _, _, width in _COLUMNS))
    _facts(sheet, layout)
    _classes(sheet, contents, layout)
    _checks(sheet, contents, layout)
    sheet.freeze_panes = "A3"
    theme.lines(sheet, layout["summary classes"].top - 1, 2)
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _facts(sheet: Worksheet, layout: Layout) -> None:
    checks, counts = layout["summary checks"], layout["compared counts"]
    states = here(Block(TITLE, checks.top, 2, checks.bottom, 2))
    compared, equal = (
        Block(counts.sheet, counts.top, counts.left + n, counts.bottom, counts.left + n).text()
        for n in (0, 1)
    )
    facts = (
        ("Pool at the cutoff date", f"={layout.ref('pool total balance')}", theme.MONEY),
        ("Closing date", f"={layout.term('closing date')}", theme.DATE),
        ("First payment date", f"={layout.term('first payment date')}", theme.DATE),
        ("Base speed", f"={layout.ref('base speed')}", theme.PERCENT),
        ("Cells compared", f"=SUM({compared})", theme.COUNT),
        ("Of these equal", f"=SUM({equal})", theme.COUNT),
    )
    for offset, (label, formula, shown) in enumerate(facts):
        put(sheet, _FACTS_TOP + offset, 1, label, theme.NOTE)
        put(sheet, _FACTS_TOP + offset, 2, formula, theme.STRONG, shown)
    put(sheet, _FACTS_TOP + 6, 1, "Checks", theme.NOTE)
    put(sheet, _FACTS_TOP + 6, 2, f"=AND({states})", theme.STATE, theme.FLAG)
    theme.mark_state(sheet, block(TITLE, _FACTS_TOP + 6, 2))
    for offset, sentence in enumerate(_WORDS):
        put(sheet, _FACTS_TOP + offset, 4, sentence, theme.NOTE)


def _classes(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    classes, dates = layout["summary classes"], layout.ref("payment date")
    put(sheet, classes.top - 2, 1, "Classes at the base speed", theme.SECTION)
    for offset, (heading, _, _) in enumerate(_COLUMNS):
        put(sheet, classes.top - 1, 1 + offset, heading, theme.HEADING if offset else theme.TEXT_HEADING)
    for position in range(contents.classes):
        row, balance = classes.top + position, layout.ref(f"balance {position}")
        formulas = (
            f"={layout.class_term(position, 'class')}",
            f"={layout.class_term(position, 'balance')}",
            f"={layout.class_term(position, 'rate')}",
            f"={layout.class_term(position, 'day count')}",
            f"={life(layout, BASE, position)}",
            f"={cell(layout[f'interest {position}'], 0, 0).text()}",
            f"={cell(layout[f'principal {position}'], 0, 0).text()}",
            f'=INDEX({dates},MIN(COUNTIF({balance},">0")+1,ROWS({dates})))',
            f"={layout.class_term(position, 'final date')}",
        )
        for offset, (formula, (_, shown, _)) in enumerate(zip(formulas, _COLUMNS, strict=True)):
            put(sheet, row, 1 + offset, formula, theme.RIGHT if offset else theme.STRONG, shown)
    row = classes.bottom + 1
    for column in range(1, len(_COLUMNS) + 1):
        put(sheet, row, column, None, theme.TOTAL)
    put(sheet, row, 1, "Total", theme.TOTAL)
    for column in (2, 6, 7):
        values = f"{a1(classes.top, column)}:{a1(classes.bottom, column)}"
        put(sheet, row, column, f"=SUM({values})", theme.TOTAL, theme.MONEY)


def _checks(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    checks = layout["summary checks"]
    put(sheet, checks.top - 1, 1, "Check", theme.TEXT_HEADING)
    put(sheet, checks.top - 1, 2, "State", theme.STATE_HEADING)
    for column in range(3, len(_COLUMNS) + 1):
        put(sheet, checks.top - 1, column, None, theme.TEXT_HEADING)
    put(sheet, checks.top - 1, 3, "TRUE while this holds", theme.INNER_HEADING)
    for row, check in enumerate(applicable(contents), start=checks.top):
        put(sheet, row, 1, check.name, theme.PLAIN)
        put(sheet, row, 2, f"={check.name}", theme.STATE, theme.FLAG)
        put(sheet, row, 3, check.sentence, theme.INNER_NOTE)
    theme.mark_state(sheet, Block(TITLE, checks.top, 2, checks.bottom, 2))


SHEET = Sheet(TITLE, place, write)
