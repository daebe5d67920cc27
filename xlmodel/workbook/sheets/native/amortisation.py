"""Amortisation: what level payments leave of each line of the pool, and how many of its contracts count.

Every line is a column here.  The parts do not depend on the speed; a run weighs them with the survivors of
its speed, in closed form: (1 - s (age + t)) / (1 - s age) of the contracts are left after t months at an ABS
speed s.  Source: CarMax Auto Owner Trust 1999-1 prospectus, page 34.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell
from xlmodel.workbook.sheets.native.runs import Run, runs_of
from xlmodel.workbook.sheets.theme import put

TITLE = "Amortisation"
_TOP = 5
_LEFT = 3
_TERMS = (
    ("balance", "Balance", theme.MONEY),
    ("rate", "Rate a month", "0.000000%"),
    ("remaining term", "Remaining term, months", theme.COUNT),
    ("age", "Age, months", theme.COUNT),
)


def place(contents: Contents) -> Mapping[str, Block]:
    lines = len(contents.folder.pools) - 1
    blocks = {}
    for n, (name, _, _) in enumerate(_TERMS):
        blocks[f"line {name}"] = block(TITLE, _TOP + n, _LEFT, 1, lines)
    row = _TOP + len(_TERMS) + 2
    for n, one in enumerate(runs_of(contents)):
        blocks[one.at("speed")] = block(TITLE, row + n, 2)
        blocks[one.at("weight")] = block(TITLE, row + n, _LEFT, 1, lines)
    row += len(runs_of(contents)) + 3
    blocks["part month"] = block(TITLE, row, 1, contents.months + 1)
    blocks["part"] = block(TITLE, row, _LEFT, contents.months + 1, lines)
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "A column a line of the pool: what level payments leave of its balance, month by month.",
    )
    part = layout["part"]
    theme.widths(sheet, 1, 26, 11, *([15] * part.shape[1]))
    _lines(sheet, contents, layout)
    _weights(sheet, contents, layout)
    _parts(sheet, layout)
    sheet.freeze_panes = a1(_TOP, _LEFT)
    theme.print_setup(sheet, title_rows=(1, _TOP - 1), title_columns=(1, 2))


def balance(contents: Contents, layout: Layout, one: Run, months: str, part: Block) -> str:
    """The pool's balance after so many months, which the cell ``months`` holds; ``part`` is their row."""
    return _weighed(contents, layout, one, months, [part.text()])


def interest(contents: Contents, layout: Layout, one: Run, months: str, part: Block) -> str:
    """A month's interest on what was left after so many months."""
    return _weighed(contents, layout, one, months, [part.text(), layout.ref("line rate")])


def _weighed(contents: Contents, layout: Layout, one: Run, months: str, rows: list[str]) -> str:
    """The sum over all lines of weight x rows x survivors; what a weight holds of survivors is left out."""
    speed, factors = layout.ref(one.at("speed")), [layout.ref(one.at("weight")), *rows]
    if contents.deal.prepayment_model == "ABS":
        left = f"(1-{speed}*({layout.ref('line age')}+{months}))"
        return f"SUMPRODUCT({','.join(factors)},{left}*({left}>0))"
    power = months if contents.deal.prepayment_model == "SMM" else f"({months}/12)"
    return f"SUMPRODUCT({','.join(factors)})*(1-{speed})^{power}"


def _weight(contents: Contents, layout: Layout, one: Run, line: int) -> str:
    """Balance over the part of the contracts that had survived until the cutoff date.

    A line so old that its speed leaves no survivor pays off in the first month.
    """
    amount = cell(layout["line balance"], 0, line).text()
    if contents.deal.prepayment_model != "ABS":
        return f"={amount}"
    left = f"(1-{layout.ref(one.at('speed'))}*{cell(layout['line age'], 0, line).text()})"
    return f"=IF({left}>0,{amount}/{left},0)"


def _lines(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    lines = len(contents.folder.pools) - 1
    put(sheet, _TOP - 1, 1, "Line of the pool", theme.TEXT_HEADING)
    put(sheet, _TOP - 1, 2, None, theme.TEXT_HEADING)
    for line in range(lines):
        put(sheet, _TOP - 1, _LEFT + line, line + 1, theme.HEADING, theme.COUNT)
        for name, _, shown in _TERMS:
            source = cell(layout[f"pool {name}"], line, 0).text()
            formula = f"={source}/12" if name == "rate" else f"={source}"
            target = layout[f"line {name}"]
            put(sheet, target.top, target.left + line, formula, theme.PLAIN, shown)
    for name, heading, _ in _TERMS:
        put(sheet, layout[f"line {name}"].top, 1, heading, theme.PLAIN)


def _weights(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    runs = runs_of(contents)
    top = layout[runs[0].at("speed")].top
    title = "Balance / contracts left at cutoff" if contents.deal.prepayment_model == "ABS" else "Balance"
    put(sheet, top - 1, 1, title, theme.TEXT_HEADING)
    put(sheet, top - 1, 2, "Speed", theme.HEADING)
    lines = layout["part"].shape[1]
    for line in range(lines):
        put(sheet, top - 1, _LEFT + line, None, theme.HEADING)
    for one in runs:
        where = layout[one.at("speed")]
        speed = layout["base speed"] if one.speed is None else cell(layout["Speeds"], 0, one.speed)
        put(sheet, where.top, 1, one.sheet, theme.PLAIN)
        put(sheet, where.top, 2, f"={speed.text()}", theme.PLAIN, theme.PERCENT)
        for line in range(lines):
            formula = _weight(contents, layout, one, line)
            put(sheet, where.top, _LEFT + line, formula, theme.PLAIN, theme.MONEY)


def _parts(sheet: Worksheet, layout: Layout) -> None:
    """(1 - v^(n-t)) / (1 - v^n), straight-line where a line bears no interest; 0 from the last payment on."""
    part = layout["part"]
    put(sheet, part.top - 1, 1, "Months after cutoff", theme.TEXT_HEADING)
    for column in range(2, part.right + 1):
        put(sheet, part.top - 1, column, None, theme.TEXT_HEADING)
    put(sheet, part.top - 1, _LEFT, "Part of the balance left, no prepayments", theme.INNER_HEADING)
    for row in range(part.top, part.bottom + 1):
        counted = f"={a1(row - 1, 1)}+1" if row > part.top else 0
        put(sheet, row, 1, counted, theme.MONTH_LABEL, theme.COUNT)
        for line in range(part.shape[1]):
            rate = a1(layout["line rate"].top, part.left + line)
            term = a1(layout["line remaining term"].top, part.left + line)
            left = f"MAX({term}-{a1(row, 1)},0)"
            formula = f"=IF({rate}>0,(1-(1+{rate})^-{left})/(1-(1+{rate})^-{term}),{left}/{term})"
            put(sheet, row, part.left + line, formula, theme.PLAIN, "0.00000000")


SHEET = Sheet(TITLE, place, write)
