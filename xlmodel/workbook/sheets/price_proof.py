"""Native proof of the prices: what a class pays after settlement, discounted at its yield, is its price.

Yields count years by 30/360 from settlement to the dates between which the class accrues, as the sheet
Distributions has them.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.class_proof import bond_days
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.theme import put

_COLUMNS: tuple[tuple[str, str, str | None], ...] = (
    ("class", "Class", None),
    ("before", "Payment dates until settlement", theme.DOLLARS),
    ("balance", "Balance at settlement", theme.DOLLARS),
    ("from", "Accrues from", theme.DATE),
    ("days", "Days accrued", theme.DOLLARS),
    ("fraction", "Year fraction", theme.FRACTION),
    ("part", "Part of the period", theme.FRACTION),
    ("accrued", "Accrued", theme.QUOTE),
    ("value", "Value at the yield", theme.QUOTE),
    ("price", "Price", theme.QUOTE),
    ("accrued difference", "Accrued, difference", theme.DOLLARS),
    ("price difference", "Price, difference", theme.DOLLARS),
)
COLUMNS = len(_COLUMNS)
_ROWS_A_PAGE = 32
_YEARS = ("Unadjusted", "Payment date")
DIFFERENCES = ("proved accrued difference", "proved price difference")


def place(contents: Contents, sheet: str, top: int) -> Mapping[str, Block]:
    """Blocks ``proved price`` and so on, a row a priced class; below them ``price years``."""
    rows = len(contents.pricing.priced)
    blocks = {
        f"proved {name}": block(sheet, top, 1 + number, rows) for number, (name, *_) in enumerate(_COLUMNS)
    }
    return blocks | {"price years": block(sheet, top + rows + 4, 2, contents.dates, len(_YEARS))}


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> list[int]:
    """The last row of each printed page."""
    top = layout["proved class"].top
    put(sheet, top - 2, 1, "Proof: the prices again, from the yields and the cash flows", theme.SECTION)
    for column, (_, heading, _) in enumerate(_COLUMNS, start=1):
        put(sheet, top - 1, column, heading, theme.HEADING if column > 1 else theme.TEXT_HEADING)
    theme.lines(sheet, top - 1, 3)
    for number, position in enumerate(contents.pricing.priced):
        formulas = _formulas(layout, position, number)
        for column, (name, _, number_format) in enumerate(_COLUMNS, start=1):
            look = theme.RIGHT if column > 1 else theme.KEY
            put(sheet, top + number, column, f"={formulas[name]}", look, number_format)
    for name in DIFFERENCES:
        theme.mark_difference(sheet, layout[name])
    return _years(sheet, layout)


def _formulas(layout: Layout, position: int, number: int) -> dict[str, str]:
    row = layout["proved class"].top + number

    def at(name: str) -> str:
        return a1(row, layout[f"proved {name}"].left)

    def column(name: str) -> str:
        return layout.ref(f"{name} {position}")

    def term(heading: str) -> str:
        return layout.class_term(position, heading)

    def given(offset: int) -> str:
        return here(cell(layout["PriceYields"], number, offset))

    basis, before, ends, settled = term("day count"), at("before"), column("accrues to"), "Settlement"
    unadjusted, adjusted = (here(column_of(layout["price years"], n)) for n in range(len(_YEARS)))
    # One of the two columns; the evaluator refuses an IF between ranges.
    moved = f'({term("accrual dates")}="adjusted")'
    years = f"({adjusted}*{moved}+{unadjusted}*(1-{moved}))"
    paid = f"({column('interest')}+{column('principal')})*({ends}>{settled})"
    return {
        "class": term("class"),
        "before": f'COUNTIF({ends},"<="&{settled})',
        "balance": f"IF({before}=0,{term('balance')},INDEX({column('balance')},MAX({before},1)))",
        "from": f"IF({before}=0,{layout.term('closing date')},INDEX({ends},MAX({before},1)))",
        "days": f'IF({basis}="30/360",{bond_days(at("from"), settled)},{settled}-{at("from")})',
        "fraction": f"XM_YEARFRAC({at('from')},{settled},{basis})",
        "part": (
            f'IF(OR({basis}="30/360",{basis}="actual/360"),{at("days")}/INDEX({column("days")},{before}+1),'
            f"{at('fraction')}/INDEX({column('year fraction')},{before}+1))"
        ),
        "accrued": f"INDEX({column('interest proof')},{before}+1)*{at('part')}/{at('balance')}*100",
        "value": (
            f"SUMPRODUCT({paid}*(1+{given(1)}/Compounding)^(-Compounding*{years}))/{at('balance')}*100"
        ),
        "price": f"{at('value')}-{at('accrued')}",
        "accrued difference": f"ROUND({at('accrued')}-{given(2)},7)",
        "price difference": f"ROUND({at('price')}-{here(cell(layout['price price'], number, 0))},7)",
    }


def _years(sheet: Worksheet, layout: Layout) -> list[int]:
    """Years from settlement to each date of the sheet Distributions; below zero before it."""
    found = layout["price years"]
    put(sheet, found.top - 2, 1, "Years from settlement, 30/360", theme.SECTION)
    put(sheet, found.top - 1, 1, "No.", theme.TEXT_HEADING)
    for offset, heading in enumerate(_YEARS):
        put(sheet, found.top - 1, found.left + offset, heading, theme.HEADING)
    for row in range(found.shape[0]):
        number = cell(layout["date number"], row, 0).text().replace("$", "")
        put(sheet, found.top + row, 1, f"={number}", theme.KEY, theme.COUNT)
        for offset, name in enumerate(("unadjusted date", "payment date")):
            date = cell(layout[name], row, 0).text().replace("$", "")
            formula = f"=({bond_days('Settlement', date)})/360"
            put(sheet, found.top + row, found.left + offset, formula, theme.RIGHT, theme.FRACTION)
    return [*range(found.top + _ROWS_A_PAGE, found.bottom, _ROWS_A_PAGE), found.bottom]
