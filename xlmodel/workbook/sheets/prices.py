"""Prices: the yields at which classes were sold, yields of one class by price and speed, and native proof.

No document prints a yield, so nothing here is a tie-out.  The proof takes the yields back to prices, from the
cash flows of the sheet Distributions.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.questions import PRICES
from xlmodel.functions.analysis import PRICE_HEADER
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import price_proof, theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, here
from xlmodel.workbook.sheets.tables import column_block, write_table
from xlmodel.workbook.sheets.theme import put

TITLE = "Prices"
_TOP = 5
_SETTINGS = ("Settlement", "Compounding", "PricedClass")
_FORMATS = (
    theme.QUOTE,
    theme.RATE,
    theme.QUOTE,
    theme.YEARS,
    theme.YEARS,
    theme.COUNT,
    theme.COUNT,
    theme.MONEY,
)
_PRICE, _YIELD, _ACCRUED, _DURATION, _LIFE, _FIRST, _LAST, _UNPAID = range(len(PRICE_HEADER))
# Below the yields of a class: what they are of.
_FIGURES = (
    ("price-yield duration", _DURATION, theme.YEARS),
    ("Average life, years", _LIFE, theme.YEARS),
    ("First principal", _FIRST, theme.DATE),
    ("Last principal", _LAST, theme.DATE),
    ("Principal unpaid", _UNPAID, theme.MONEY),
)
_WIDTHS = (26.0, *([12.5] * (len(PRICES.columns) + len(PRICE_HEADER))))


def applies(contents: Contents) -> bool:
    return contents.folder.pricing is not None


def place(contents: Contents) -> Mapping[str, Block]:
    pricing = contents.pricing
    rows, columns = len(pricing.prices), len(pricing.prices[0])
    blocks = {name: block(TITLE, _TOP + number, 2) for number, name in enumerate(_SETTINGS)}
    table = block(TITLE, _TOP + len(_SETTINGS) + 3, 1, rows, columns)
    blocks["Prices"] = table
    for column in PRICES.columns:
        blocks[f"price {column.heading}"] = column_block(PRICES, pricing.prices, table, column.heading)
    blocks["price rate"] = block(TITLE, table.top + 1, columns + 1, rows - 1)
    blocks["PriceYields"] = block(TITLE, table.top + 1, columns + 2, rows - 1, len(PRICE_HEADER))
    quotes = len(pricing.quotes)
    blocks["QuotedPrices"] = block(TITLE, table.bottom + 6, 1, quotes)
    yields = block(TITLE, table.bottom + 6, 2, quotes, contents.speeds)
    blocks["price-yield table"] = yields
    whole = block(TITLE, yields.bottom + len(_FIGURES) + 5, 2, quotes * contents.speeds, len(PRICE_HEADER))
    blocks["QuotedYields"] = whole
    return {**blocks, **price_proof.place(contents, TITLE, whole.bottom + 4)}


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "Yields at prices.  No document prints a yield, so none of these is a tie-out.",
        inputs=True,
    )
    theme.widths(sheet, 1, *_WIDTHS)
    _settings(sheet, contents, layout)
    _sold(sheet, contents, layout)
    _table(sheet, contents, layout)
    _whole(sheet, contents, layout)
    ends = price_proof.write(sheet, contents, layout)
    sheet.freeze_panes = "B4"
    theme.print_in_parts(
        sheet,
        printed=Block(TITLE, 1, 1, ends[-1], max(layout["PriceYields"].right, price_proof.COLUMNS)),
        title_rows=(1, 2),
        ends=[layout["QuotedYields"].top - 3, layout["QuotedYields"].bottom + 1, *ends],
    )


def _settings(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    pricing = contents.pricing
    put(sheet, _TOP - 1, 1, "Assumption", theme.TEXT_HEADING)
    put(sheet, _TOP - 1, 2, "Value", theme.HEADING)
    for column, text in ((3, "Status"), (4, "Note"), *((n, None) for n in range(5, len(_WIDTHS) + 1))):
        put(sheet, _TOP - 1, column, text, theme.INNER_HEADING)
    listed = (
        ("Settlement", pricing.settlement, theme.INPUT, theme.DATE, "the buyer pays price and accrued"),
        (
            "Compoundings a year",
            pricing.frequency,
            theme.INPUT,
            theme.COUNT,
            "of a yield: 2 for a bond-equivalent one, 12 for a monthly one; years are 30/360",
        ),
        ("Class", pricing.note_class, theme.TEXT_INPUT, None, "of the table of yields by price and speed"),
    )
    for name, (label, value, look, number_format, note) in zip(_SETTINGS, listed, strict=True):
        row = layout[name].top
        put(sheet, row, 1, label, theme.KEY)
        theme.put_text(sheet, row, 2, value, look, number_format)
        put(sheet, row, 3, "assumed", theme.SOURCE)
        put(sheet, row, 4, note, theme.INNER_NOTE)
    theme.mark_status(sheet, block(TITLE, _TOP, 3, len(listed)))
    theme.choose(sheet, layout["Compounding"], '"1,2,4,12"', "One of: 1, 2, 4, 12.")
    theme.choose(sheet, layout["PricedClass"], layout.ref("class class"), "Choose a class of the deal.")
    theme.put_text(sheet, _TOP + len(listed), 1, pricing.note, theme.NOTE)


def _at(layout: Layout, contents: Contents) -> str:
    """To what the cash flows run, and in which model their speeds are, as a formula's text."""
    model = layout.term("prepayment model")
    if contents.deal.call is None:
        return f'{model}&", to maturity"'
    exercised = cell(layout["call exercised"], 0, 0).text()
    return f'{model}&IF({exercised},", to the call",", to maturity")'


def _sold(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """The table Prices, and beside each price what it means at the base speed: a call a class."""
    table, yields = layout["Prices"], layout["PriceYields"]
    base = layout.ref("base speed")
    title = f'="Yields at the prices below, at "&FIXED(100*{base},2)&"% "&{_at(layout, contents)}'
    put(sheet, table.top - 1, 1, title, theme.SECTION)
    write_table(sheet, PRICES, contents.pricing.prices, table.top, 1)
    theme.mark_status(sheet, layout["price status"])
    put(sheet, table.top, layout["price rate"].left, "Rate", theme.HEADING)
    _headings(sheet, table.top, yields.left)
    for row in range(yields.shape[0]):
        name, price = (here(cell(layout[f"price {heading}"], row, 0)) for heading in ("class", "price"))
        rate = f"=INDEX({layout.ref('class rate')},MATCH({name},{layout.ref('class class')},0))"
        put(sheet, yields.top + row, layout["price rate"].left, rate, theme.RIGHT, theme.RATE)
        call = f"XM_YIELD(Terms,Classes,Payments,Pools,{base},{name},{price},Settlement,Compounding)"
        one = block(TITLE, yields.top + row, yields.left, 1, yields.shape[1])
        theme.put_array(sheet, one, f"={call}", _FORMATS, theme.RIGHT)
    note = (
        "First and last: numbers of the payment dates with principal.  A class near par that is paid monthly \
yields more than its rate where a yield compounds less often."
    )
    put(sheet, table.bottom + 1, 1, note, theme.NOTE)


def _headings(sheet: Worksheet, row: int, left: int) -> None:
    for offset, heading in enumerate(PRICE_HEADER):
        put(sheet, row, left + offset, heading, theme.HEADING)
    theme.lines(sheet, row, 2)


def _table(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """Yields of the chosen class: a row a price, a column a speed; picked from the whole below."""
    yields, quotes, whole = layout["price-yield table"], layout["QuotedPrices"], layout["QuotedYields"]
    count = quotes.shape[0]
    title = f'=PricedClass&": yield by price and speed, "&{_at(layout, contents)}'
    put(sheet, yields.top - 2, 1, title, theme.SECTION)
    put(sheet, yields.top - 1, 1, "Price", theme.TEXT_HEADING)
    for row, value in enumerate(contents.pricing.quotes):
        put(sheet, quotes.top + row, 1, value, theme.INPUT, theme.QUOTE)
    for number in range(contents.speeds):
        column, first = yields.left + number, whole.top + number * count
        speed = cell(layout["Speeds"], 0, number).text()
        put(sheet, yields.top - 1, column, f"={speed}", theme.HEADING, theme.PERCENT)
        for row in range(count):
            found = a1(first + row, whole.left + _YIELD)
            put(sheet, yields.top + row, column, f"={found}", theme.RIGHT, theme.RATE)
        for offset, (_, held, number_format) in enumerate(_FIGURES):
            found = a1(first + count // 2, whole.left + held)
            shown = f"={found}"
            if held in (_FIRST, _LAST):
                shown = f'=IF({found}=0,"none",INDEX({layout.ref("payment date")},{found}))'
            elif held == _LIFE:
                shown = f'=IF(ISNA({found}),"not paid",{found})'
            look = theme.TOTAL if offset == 0 else theme.RIGHT
            put(sheet, yields.bottom + 1 + offset, column, shown, look, number_format)
    middle = a1(quotes.top + count // 2, 1)
    labels = [f'="Modified duration at "&FIXED({middle},2)', *(label for label, *_ in _FIGURES[1:])]
    for offset, label in enumerate(labels):
        put(sheet, yields.bottom + 1 + offset, 1, label, theme.KEY if offset else theme.TOTAL)


def _whole(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """One call for all prices and speeds; it takes the run of the printed tables' speeds."""
    whole, quotes = layout["QuotedYields"], layout["QuotedPrices"]
    put(sheet, whole.top - 2, 1, "The same as the function gives it, speed by speed", theme.SECTION)
    put(sheet, whole.top - 1, 1, "Speed", theme.TEXT_HEADING)
    _headings(sheet, whole.top - 1, whole.left)
    for row in range(whole.shape[0]):
        speed = cell(layout["Speeds"], 0, row // quotes.shape[0]).text()
        put(sheet, whole.top + row, 1, f"={speed}", theme.KEY, theme.PERCENT)
    call = "XM_YIELD(Terms,Classes,Payments,Pools,Speeds,PricedClass,QuotedPrices,Settlement,Compounding)"
    theme.put_array(sheet, whole, f"={call}", _FORMATS, theme.RIGHT)


SHEET = Sheet(TITLE, place, write, applies)
