"""One month, chosen by the desk: all series side by side, the clauses called once for all."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, at, proof_column, write_array, write_headings
from xlmodel.workbook.sheets.card_trust import rules
from xlmodel.workbook.sheets.card_trust.allocation import HEADINGS as TRUST_HEADINGS
from xlmodel.workbook.sheets.card_trust.shape import SERIES_HEADINGS, series_count, trust_months
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, column_of, here
from xlmodel.workbook.sheets.theme import put

TITLE = "One month"
_TOP = 9
_GAP = 4
_SHOWN = {  # heading here: column of the series sheets
    "Adjusted invested amount": "Adjusted invested amount",
    "Available principal": "Available principal",
    "Wanted": "Wanted",
    "Principal shortfall": "Principal shortfall",
    "Shared principal given": "Shared principal given",
    "Shared principal received": "Shared principal received",
    "Excess": "Excess",
    "Finance charge shortfall": "Finance charge shortfall",
    "Excess given": "Excess given",
    "Excess received": "Excess received",
    "Series percentage": "Series percentage",
    "Floating percentage": "Floating percentage",
}
_PERCENTAGES = ("Series percentage", "Investor percentage", "Of all collections")
_SHARED = ("Given", "Received", "Still short")


def place(contents: Model) -> Mapping[str, Block]:
    count = series_count(contents)
    tops = [_TOP + n * (count + _GAP) for n in range(5)]
    return {
        "SelectedMonth": block(TITLE, 4, 2),
        "month place": block(TITLE, 5, 2),
        "month shown": block(TITLE, tops[0], 2, count, len(_SHOWN)),
        "month percentages": block(TITLE, tops[1], 2, count, 3),
        "month percentages difference": block(TITLE, tops[1], 6, count),
        "month offered excess": block(TITLE, tops[2], 2, count, 2),
        "month excess": block(TITLE, tops[2], 4, count, 3),
        "month excess difference": block(TITLE, tops[2], 8, count),
        "month offered principal": block(TITLE, tops[3], 2, count + 1, 2),
        "month principal": block(TITLE, tops[3], 4, count + 1, 3),
        "month principal difference": block(TITLE, tops[3], 8, count + 1),
        "month shortfall": block(TITLE, tops[4] + 1, 2, count),
        "month shortfall difference": block(TITLE, tops[4] + 1, 4, count),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "Choose a month; the clauses are called once for all series and compared with the run.",
        inputs=True,
    )
    theme.widths(sheet, 1, 30)
    months = column_of(layout["TrustMonths"], 0)
    put(sheet, 4, 1, "Month", theme.KEY)
    put(sheet, 4, 2, contents.tables["Months"][_default(contents) + 1][0], theme.INPUT, theme.DATE)
    theme.choose(sheet, layout["SelectedMonth"], months.text(), "One of the months")
    put(sheet, 5, 1, "Its place", theme.NOTE)
    put(sheet, 5, 2, f"=MATCH({here(layout['SelectedMonth'])},{months.text()},0)", theme.PLAIN, theme.COUNT)
    shown = layout["month shown"]
    headings = [Heading(name, "fraction" if name.endswith("percentage") else "money") for name in _SHOWN]
    put(sheet, shown.top - 2, 1, "As the run has it", theme.SECTION)
    write_headings(sheet, shown, headings)
    _names(sheet, contents, layout, shown.top)
    place = here(layout["month place"])
    for n in range(series_count(contents)):
        whole = layout[f"Series{n + 1}"]
        for offset, (heading, name) in enumerate(_SHOWN.items()):
            column = column_of(whole, [one.text for one in SERIES_HEADINGS].index(name))
            shape = theme.PERCENT if heading.endswith("percentage") else theme.MONEY
            put(sheet, shown.top + n, 2 + offset, f"=INDEX({column.text()},{place})", theme.PLAIN, shape)
    _percentages(sheet, contents, layout, headings)
    _sharing(
        sheet, contents, layout, headings, "excess", "Excess", "Finance charge shortfall", rules.EXCESS.note
    )
    _sharing(
        sheet, contents, layout, headings, "principal", "", "Principal shortfall", rules.SHARED_PRINCIPAL.note
    )
    _shortfalls(sheet, contents, layout, headings)
    sheet.freeze_panes = "B4"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _default(contents: Model) -> int:
    """A month in which much happens: the middle one."""
    return min(10, trust_months(contents) - 1)


def _names(sheet: Worksheet, contents: Model, layout: Layout, top: int) -> None:
    put(sheet, top - 1, 1, "Series", theme.TEXT_HEADING)
    for n in range(series_count(contents)):
        put(sheet, top + n, 1, f"={input_cell(layout, 'Series', 'series', n)}", theme.PLAIN)


def _percentages(sheet: Worksheet, contents: Model, layout: Layout, shown: list[Heading]) -> None:
    found, above = layout["month percentages"], layout["month shown"]
    trust, place = layout["TrustMonths"], here(layout["month place"])
    names = [one.text for one in TRUST_HEADINGS]
    assets = "+".join(
        f"INDEX({column_of(trust, names.index(name)).text()},{place})"
        for name in ("Receivables", "Special funding account")
    )
    put(sheet, found.top - 2, 1, "Percentages of finance charges", theme.SECTION)
    _names(sheet, contents, layout, found.top)
    write_array(
        sheet,
        found,
        f"=XM_ALLOCATION_PERCENTAGES({assets},{here(column_of(above, 0))})",
        [Heading(name, "fraction") for name in _PERCENTAGES],
        dict.fromkeys(_PERCENTAGES, rules.PERCENTAGES.note),
    )
    formulas = [
        f"=ROUND({a1(found.top + n, 2)}-{at(above, shown, 'Series percentage', n)},9)"
        f"+ROUND({a1(found.top + n, 3)}-{at(above, shown, 'Floating percentage', n)},9)"
        for n in range(series_count(contents))
    ]
    proof_column(sheet, layout["month percentages difference"], "Difference from the run", formulas)


def _sharing(
    sheet: Worksheet,
    contents: Model,
    layout: Layout,
    shown: list[Heading],
    what: str,
    offered: str,
    short: str,
    note: str,
) -> None:
    """What is offered and short, from the run; shared by one call; and compared with the run."""
    inputs, found, above = layout[f"month offered {what}"], layout[f"month {what}"], layout["month shown"]
    of_principal = what == "principal"
    title = "Shared principal collections" if of_principal else "Excess finance charge collections"
    put(sheet, found.top - 2, 1, title, theme.SECTION)
    _names(sheet, contents, layout, found.top)
    write_headings(sheet, inputs, [Heading("To share", "money"), Heading("Short", "money")])
    flag = "shares principal" if of_principal else "shares excess"
    for n in range(series_count(contents)):
        amount = (
            at(above, shown, offered, n)
            if offered
            else (f"MAX(0,{at(above, shown, 'Available principal', n)}-{at(above, shown, 'Wanted', n)})")
        )
        shares = input_cell(layout, "Series", flag, n)
        put(sheet, inputs.top + n, 2, f"=IF({shares},{amount},0)", theme.PLAIN, theme.MONEY)
        put(
            sheet,
            inputs.top + n,
            3,
            f"=IF({shares},{at(above, shown, short, n)},0)",
            theme.PLAIN,
            theme.MONEY,
        )
    if of_principal:
        trust, row = layout["TrustMonths"], inputs.bottom
        held = column_of(trust, [one.text for one in TRUST_HEADINGS].index("Special funding account"))
        put(sheet, row, 1, "Special funding account", theme.PLAIN)
        put(sheet, row, 2, f"=INDEX({held.text()},{here(layout['month place'])})", theme.PLAIN, theme.MONEY)
        put(sheet, row, 3, 0, theme.PLAIN, theme.MONEY)
    write_array(
        sheet,
        found,
        f"=XM_SHARE_AMONG_SERIES({here(column_of(inputs, 0))},{here(column_of(inputs, 1))})",
        [Heading(name, "money") for name in _SHARED],
        dict.fromkeys(_SHARED, note),
    )
    given, received = (
        ("Shared principal given", "Shared principal received")
        if of_principal
        else ("Excess given", "Excess received")
    )
    formulas = [
        f"=ROUND({a1(found.top + n, 4)}-{at(above, shown, given, n)},2)"
        f"+ROUND({a1(found.top + n, 5)}-{at(above, shown, received, n)},2)"
        for n in range(series_count(contents))
    ]
    if of_principal:
        trust = layout["TrustMonths"]
        used = column_of(trust, [one.text for one in TRUST_HEADINGS].index("Used from special funding"))
        formulas.append(f"=ROUND({a1(found.bottom, 4)}-INDEX({used.text()},{here(layout['month place'])}),2)")
    proof_column(sheet, layout[f"month {what} difference"], "Difference from the run", formulas)


def _shortfalls(sheet: Worksheet, contents: Model, layout: Layout, shown: list[Heading]) -> None:
    """The principal shortfall of the clause, cell by cell."""
    found, above, place = layout["month shortfall"], layout["month shown"], here(layout["month place"])
    put(sheet, found.top - 2, 1, "Principal shortfall by the clause", theme.SECTION)
    _names(sheet, contents, layout, found.top)
    write_headings(
        sheet,
        found,
        [Heading("By the function", "money")],
        {"By the function": rules.SHARED_PRINCIPAL.note},
    )
    formulas = []
    for n in range(series_count(contents)):
        periods = column_of(layout[f"Series{n + 1}"], 1).text()
        wanted = at(above, shown, "Wanted", n)
        call = (
            f"XM_PRINCIPAL_SHORTFALL(INDEX({periods},{place}),{at(above, shown, 'Available principal', n)},"
            f"{wanted},{wanted})"
        )
        put(sheet, found.top + n, 2, f"={call}", theme.PLAIN, theme.MONEY)
        formulas.append(f"=ROUND({a1(found.top + n, 2)}-{at(above, shown, 'Principal shortfall', n)},2)")
    proof_column(sheet, layout["month shortfall difference"], "Difference from the run", formulas)


SHEET = Sheet(TITLE, place, write)
