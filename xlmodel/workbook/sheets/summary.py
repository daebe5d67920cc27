"""Summary: what the deal is, its classes in figures and charts, and whether every check holds."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.charts import Curve, Frame, lines, stacked_areas
from xlmodel.workbook.sheets.check_list import write_check_list
from xlmodel.workbook.sheets.checks import applicable
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Summary"
_LIVE = "A live model: edit a blue cell on any of the next sheets, recalculate, and read it here."
_VALUES_ONLY = "Values only: what the functions gave at the build.  An edited input changes none of them."
_FACTS_TOP = 4
_FACTS = 6
_CLASSES_TOP = _FACTS_TOP + _FACTS + 3
_CHART_ROWS = 19
_CHART_COLUMNS = ((1, 5), (6, 6))  # first column and number of columns of each chart
_COLUMNS: tuple[tuple[str, str | None, float], ...] = (
    ("Class", None, 29),
    ("Initial balance", theme.MONEY, 18),
    ("Share", theme.PERCENT, 10),
    ("Rate", theme.RATE, 11),
    ("Day count", None, 16),
    ("Average life, years", theme.YEARS, 13),
    ("First interest", theme.MONEY, 15),
    ("First principal", theme.MONEY, 16),
    ("Payments until paid", theme.COUNT, 12),
    ("Last payment", theme.DATE, 14),
    ("Final scheduled payment", theme.DATE, 16),
)
_LIFE = 6  # column of the average life


def place(contents: Contents) -> Mapping[str, Block]:
    classes = block(TITLE, _CLASSES_TOP, 1, contents.classes, len(_COLUMNS))
    charts = classes.bottom + 3
    checks = applicable(contents)
    return {
        "summary classes": classes,
        "life at base speed": block(TITLE, _CLASSES_TOP, _LIFE, contents.classes),
        "summary charts": block(TITLE, charts, 1, _CHART_ROWS, len(_COLUMNS)),
        "summary checks": block(TITLE, charts + _CHART_ROWS + 1, 1, len(checks), 3),
    }


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(sheet, contents.deal.name, TITLE, _VALUES_ONLY if contents.values_only else _LIVE)
    theme.widths(sheet, 1, *(width for _, _, width in _COLUMNS))
    _facts(sheet, layout)
    _classes(sheet, contents, layout)
    _charts(sheet, contents, layout)
    write_check_list(
        sheet,
        applicable(contents),
        layout["summary checks"],
        last_column=len(_COLUMNS),
        state_at=(_FACTS_TOP + 1, 6),
    )
    sheet.freeze_panes = "A3"
    theme.lines(sheet, layout["summary classes"].top - 1, 2)
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _facts(sheet: Worksheet, layout: Layout) -> None:
    pool = layout.ref("cash pool balance")
    dates = layout.ref("payment date")
    facts = (
        ("Pool at the cutoff date", f"={layout.ref('pool total balance')}", theme.MONEY),
        ("Cutoff date", f"={layout.term('cutoff date')}", theme.DATE),
        ("Closing date", f"={layout.term('closing date')}", theme.DATE),
        ("First payment date", f"={layout.term('first payment date')}", theme.DATE),
        # The pool's balance is 0 once it is collected or purchased, at the latest on the last date.
        ("Pool collected or purchased", f'=INDEX({dates},COUNTIF({pool},">0")+1)', theme.DATE),
        ("Base speed", f"={layout.ref('base speed')}", theme.PERCENT),
    )
    for offset, (label, formula, number_format) in enumerate(facts):
        put(sheet, _FACTS_TOP + offset, 1, label, theme.NOTE)
        put(sheet, _FACTS_TOP + offset, 2, formula, theme.STRONG, number_format)
    put(sheet, _FACTS_TOP + _FACTS - 1, 3, f"={layout.term('prepayment model')}", theme.STRONG_TEXT)
    put(sheet, _FACTS_TOP, 5, "Functions", theme.NOTE)
    put(sheet, _FACTS_TOP, 6, "=XM_VERSION()", theme.STRONG)
    put(sheet, _FACTS_TOP + 1, 5, "Checks", theme.NOTE)


def _classes(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    classes, lives = layout["summary classes"], layout["life at base speed"]
    put(sheet, classes.top - 2, 1, "Classes at the base speed", theme.SECTION)
    for offset, (heading, _, _) in enumerate(_COLUMNS):
        put(sheet, classes.top - 1, 1 + offset, heading, theme.HEADING if offset else theme.TEXT_HEADING)
    total = a1(classes.bottom + 1, 2)
    dates = layout.ref("payment date")
    for position in range(contents.classes):
        row = classes.top + position
        balance = layout.ref(f"balance {position}")
        formulas = (
            f"={layout.class_term(position, 'class')}",
            f"={layout.class_term(position, 'balance')}",
            f"={a1(row, 2)}/{total}",
            f"={layout.class_term(position, 'rate')}",
            f"={layout.class_term(position, 'day count')}",
            None,
            f"={cell(layout[f'interest {position}'], 0, 0).text()}",
            f"={cell(layout[f'principal {position}'], 0, 0).text()}",
            f'=COUNTIF({balance},">0")+1',
            f"=INDEX({dates},MIN({a1(row, 9)},ROWS({dates})))",
            f"={layout.class_term(position, 'final date')}",
        )
        for offset, (formula, (_, number_format, _)) in enumerate(zip(formulas, _COLUMNS, strict=True)):
            look = theme.RIGHT if offset else theme.STRONG
            put(sheet, row, 1 + offset, formula, look, number_format)
    theme.put_array(
        sheet,
        lives,
        f"=XM_AVERAGE_LIFE(Terms,Classes,Payments,Pools,{layout.ref('base speed')})",
        (theme.YEARS,),
    )
    row = classes.bottom + 1
    for column in range(1, len(_COLUMNS) + 1):
        put(sheet, row, column, None, theme.TOTAL)
    put(sheet, row, 1, "Total, weighted rate", theme.TOTAL)
    for column, number_format in ((2, theme.MONEY), (3, theme.PERCENT), (7, theme.MONEY), (8, theme.MONEY)):
        values = here(block(TITLE, classes.top, column, contents.classes))
        put(sheet, row, column, f"=SUM({values})", theme.TOTAL, number_format)
    balances, rates = (here(block(TITLE, classes.top, column, contents.classes)) for column in (2, 4))
    put(sheet, row, 4, f"=SUMPRODUCT({balances},{rates})/{total}", theme.TOTAL, theme.RATE)


def _charts(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    top = layout["summary charts"].top
    dates = layout["unadjusted date"]

    # Most of a deal's last dates show nothing, and the printed tables end where they should.
    shown_dates = contents.printed if contents.published.decrement else contents.dates

    def shown(column: Block) -> str:
        """From closing, the row above the first payment date, on."""
        top = column.top - 1
        return Block(column.sheet, top, column.left, top + shown_dates, column.right).text()

    def curves(heading: str) -> list[Curve]:
        found = []
        for position in range(contents.classes):
            values = shown(layout[f"{heading} {position}"])
            found.append(Curve(layout.class_term(position, "class"), values))
        return found

    left, right = (block(TITLE, top, column, _CHART_ROWS, wide) for column, wide in _CHART_COLUMNS)
    balances = Frame("Class balances at the base speed", "Dollars, millions", "#,##0,,", left, shown_dates)
    stacked_areas(sheet, balances, shown(dates), curves("balance"))
    factors = Frame(
        "Part of the initial balance outstanding", "Of initial balance", "0%", right, shown_dates, top=1
    )
    lines(sheet, factors, shown(dates), curves("factor"))


SHEET = Sheet(TITLE, place, write)
