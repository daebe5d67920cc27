"""Allowance model: what a loss timing curve makes of printed receivables by grade and vintage.

The receivables are printed; everything else is assumed and marked so.  The result stands beside the printed
allowance, and the average lifetime loss that the printed allowance implies beside the assumed one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.conventions.serial import to_serial
from xlmodel.errors import BadDealFolder
from xlmodel.package.address import Block
from xlmodel.workbook.printed.figures import Figure, Key
from xlmodel.workbook.printed.folder import TableFolder
from xlmodel.workbook.printed.periods import read_period
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.charts import Curve, Frame, lines
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.printed_figures import printed_cell
from xlmodel.workbook.sheets.theme import put, put_array, put_text

TITLE = "Allowance model"
_TOP = 5
# Name, label, unit, and where it comes from.
_ASSUMED: tuple[tuple[str, str, str | None], ...] = (
    ("contract_rate", "Contract rate", theme.TENTH_PERCENT),
    ("term", "Original term, months", theme.COUNT),
    ("speed", "Prepayment speed, ABS", theme.PERCENT),
    ("peak", "Age of the most losses, months", theme.COUNT),
    ("factor", "Losses scaled by forecasts of the economy", theme.YEARS),
    ("forecast_months", "Months that the forecasts reach", theme.COUNT),
    ("reversion_months", "Months of the return to average", theme.COUNT),
)
_VINTAGES = ("vintage", "original", "age", "lifetime loss", "outstanding", "scheduled", "not prepaid")
_FORECAST = ("Month", "Net loss", "Still to come")
_LEFT = 9  # column of the forecast; dates and timing to its left


def _entry(folder: TableFolder) -> Mapping[str, Any]:
    assert folder.allowance is not None
    return folder.allowance


def _cells(folder: TableFolder) -> Iterator[tuple[str, str, Figure]]:
    """Grade, vintage and receivables of every vintage."""
    entry = _entry(folder)
    for vintage in entry["age"]:
        for grade in entry["lifetime_loss"]:
            key = Key(entry["table"], grade, vintage, entry["period"])
            if key not in folder.figures:
                raise BadDealFolder(f"the figure {key} is not printed").at(
                    file=str(folder.path / "model.toml")
                )
            yield grade, vintage, folder.figures[key]


def place(folder: TableFolder) -> Mapping[str, Block]:
    entry = _entry(folder)
    grades, ages, months = len(entry["lifetime_loss"]), len(entry["age"]), int(entry["assumed"]["term"])
    losses = _TOP + len(_ASSUMED) + 3
    age = losses + grades + 3
    vintages = age + ages + 9
    below = age + ages + 2  # its tall headings beside a heading
    blocks = {
        "model lifetime losses": block(TITLE, losses, 2, grades),
        "model ages": block(TITLE, age, 2, ages),
        "model results": block(TITLE, age + ages + 2, 2, 4),
        "model vintages": block(TITLE, vintages, 1, grades * ages + 1, 4),
        "model receivables": block(TITLE, vintages, 5, grades * ages + 1, 3),
        "model weights": block(TITLE, below, _LEFT + 5, months),
        "model timing": block(TITLE, below, _LEFT + 6, months),
        "model forecast": block(TITLE, below, _LEFT + 1, months, len(_FORECAST)),
        "model dates": block(TITLE, below, _LEFT, months),
    }
    for row, (name, _, _) in enumerate(_ASSUMED):
        blocks[f"model {name}"] = block(TITLE, _TOP + row, 2)
    return blocks


def write(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    theme.head(
        sheet,
        folder.title,
        TITLE,
        "Receivables as printed; all assumptions are invented and marked: the result is not the lender's.",
        inputs=True,
    )
    theme.widths(sheet, 1, 50, 16, 12, 14, 16, 12, 12, 3, 14, 9, 16, 16, 10, 10, 10)
    _assumptions(sheet, folder, layout)
    _vintages(sheet, folder, layout)
    _forecast(sheet, folder, layout)
    _results(sheet, folder, layout)
    sheet.freeze_panes = "A3"
    theme.print_setup(sheet, title_rows=(1, 2))


def _assumptions(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    entry = _entry(folder)
    put(sheet, _TOP - 1, 1, "Assumed", theme.TEXT_HEADING)
    put(sheet, _TOP - 1, 2, "Value", theme.HEADING)
    put(sheet, _TOP - 1, 3, "Status", theme.INNER_HEADING)
    for name, label, shape in _ASSUMED:
        _assumption(sheet, layout[f"model {name}"], label, entry["assumed"][name], shape)
    for title, block_name, values, labels, shape in (
        (
            "Average lifetime net loss by grade",
            "model lifetime losses",
            entry["lifetime_loss"],
            "rows",
            theme.PERCENT,
        ),
        ("Age of a vintage, months", "model ages", entry["age"], "measures", theme.COUNT),
    ):
        at = layout[block_name]
        table = next(table for table in folder.tables if table.name == entry["table"])
        names = getattr(table, labels)
        put(sheet, at.top - 2, 1, title, theme.SECTION)
        put(sheet, at.top - 1, 1, "Of", theme.TEXT_HEADING)
        put(sheet, at.top - 1, 2, "Value", theme.HEADING)
        put(sheet, at.top - 1, 3, "Status", theme.INNER_HEADING)
        for row, (name, value) in enumerate(values.items()):
            _assumption(sheet, cell(at, row, 0), names[name], value, shape)


def _assumption(sheet: Worksheet, at: Block, label: str, value: float, shape: str | None) -> None:
    put_text(sheet, at.top, 1, label, theme.PLAIN)
    put(sheet, at.top, 2, float(value), theme.INPUT, shape)
    put(sheet, at.top, 3, "assumed", theme.TEXT_INPUT)
    theme.mark_status(sheet, block(TITLE, at.top, 3))


def _vintages(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    """The range that XM_ALLOWANCE_FORECAST reads, and to its right what it is made from."""
    entry = _entry(folder)
    table = layout["model vintages"]
    names = next(t for t in folder.tables if t.name == entry["table"])
    rate, term, speed = (here(layout[f"model {name}"]) for name in ("contract_rate", "term", "speed"))
    put(
        sheet,
        table.top - 1,
        1,
        "Vintages, $ millions; original balances follow from what is left",
        theme.SECTION,
    )
    for offset, heading in enumerate(_VINTAGES):
        put(sheet, table.top, 1 + offset, heading, theme.HEADING if offset else theme.TEXT_HEADING)
    grades, ages = list(entry["lifetime_loss"]), list(entry["age"])
    for number, (grade, vintage, figure) in enumerate(_cells(folder), start=1):
        row = table.top + number
        age = here(cell(layout["model ages"], ages.index(vintage), 0))
        lost = here(cell(layout["model lifetime losses"], grades.index(grade), 0))
        put_text(sheet, row, 1, f"{names.rows[grade]}, {names.measures[vintage]}", theme.KEY)
        put(sheet, row, 2, f"={a1(row, 5)}/{a1(row, 6)}/{a1(row, 7)}", theme.PLAIN, theme.MONEY)
        put(sheet, row, 3, f"={age}", theme.PLAIN, theme.COUNT)
        put(sheet, row, 4, f"={lost}", theme.PLAIN, theme.PERCENT)
        put(sheet, row, 5, f"={printed_cell(layout, figure.key)}", theme.RIGHT, theme.MONEY)
    every = block(TITLE, table.top + 1, 3, table.shape[0] - 1)
    ages_of_all = here(every)
    for column, call in (
        (6, f"XM_BALANCE_AFTER(1,{rate},{term},{ages_of_all})"),
        (7, f"XM_SURVIVORS({speed},0,{ages_of_all})"),
    ):
        put_array(sheet, block(TITLE, table.top + 1, column, table.shape[0] - 1), f"={call}", [theme.PERCENT])


def _forecast(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    entry = _entry(folder)
    dates, forecast, timing = (layout[f"model {name}"] for name in ("dates", "forecast", "timing"))
    period = read_period(entry["period"])
    assert period is not None
    for column, heading in enumerate(("Date", *_FORECAST, "Month of age", "Weight", "Part of losses")):
        put(sheet, dates.top - 1, dates.left + column, heading, theme.HEADING)
    theme.lines(sheet, dates.top - 1, 2)
    peak = here(layout["model peak"])
    for row in range(dates.shape[0]):
        at = dates.top + row
        put(
            sheet,
            at,
            dates.left,
            f"=XM_ADD_MONTHS({to_serial(period.end)},{row + 1},TRUE)",
            theme.KEY,
            theme.DATE,
        )
    every, weights = here(timing), here(layout["model weights"])
    for row in range(timing.shape[0]):
        at = timing.top + row
        number, weight = a1(at, timing.left - 2), a1(at, timing.left - 1)
        put(sheet, at, timing.left - 2, float(row + 1), theme.PLAIN, theme.COUNT)
        put(sheet, at, timing.left - 1, f"={number}*EXP(-{number}/{peak})", theme.PLAIN, theme.YEARS)
        put(sheet, at, timing.left, f"={weight}/SUM({weights})", theme.PLAIN, theme.PERCENT)
    scale = ",".join(
        here(layout[f"model {name}"]) for name in ("factor", "forecast_months", "reversion_months")
    )
    formula = f"=XM_ALLOWANCE_FORECAST({here(layout['model vintages'])},{every},{scale})"
    put_array(sheet, forecast, formula, [theme.COUNT, theme.MONEY, theme.MONEY])
    frame = Frame(
        "Net losses still to come",
        "$ millions a month",
        theme.COUNT,
        block(TITLE, _TOP - 1, _LEFT, 20, 7),
        dates.shape[0],
        date_axis="",
    )
    name = cell(Block(TITLE, forecast.top - 1, forecast.left, forecast.top - 1, forecast.right), 0, 1)
    lines(sheet, frame, dates.text(), [Curve(name.text(), column_of(forecast, 1).text())])


def _results(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    at, vintages = layout["model results"], layout["model vintages"]
    printed = printed_cell(layout, _key(_entry(folder)["printed"], folder.figures))
    original = _below(column_of(vintages, 1))
    lifetime = _below(column_of(vintages, 3))
    average = f"SUMPRODUCT({here(original)},{here(lifetime)})/SUM({here(original)})"
    model, shown = a1(at.top, 2), a1(at.top + 1, 2)
    rows = (
        ("Allowance of the model", f"={here(cell(layout['model forecast'], 0, 2))}", theme.MONEY),
        ("Allowance printed", f"={printed}", theme.MONEY),
        ("Average lifetime loss assumed", f"={average}", theme.PERCENT),
        (
            "Average lifetime loss that the printed allowance implies",
            f"={a1(at.top + 2, 2)}*{shown}/{model}",
            theme.PERCENT,
        ),
    )
    put(sheet, at.top - 1, 1, "Result, $ millions", theme.SECTION)
    for row, (label, formula, shape) in enumerate(rows):
        put(sheet, at.top + row, 1, label, theme.PLAIN)
        put(sheet, at.top + row, 2, formula, theme.STRONG, shape)


def _below(column: Block) -> Block:
    """A column without its heading."""
    return Block(column.sheet, column.top + 1, column.left, column.bottom, column.right)


def _key(text: str, figures: Mapping[Key, Figure]) -> Key:
    found: Sequence[Key] = [key for key in figures if str(key) == text]
    if not found:
        raise BadDealFolder(f"the figure {text} is not printed")
    return found[0]


SHEET = Sheet(TITLE, place, write)
