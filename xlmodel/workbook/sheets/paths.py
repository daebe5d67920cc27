"""Paths: amounts over time in every scenario, and side by side in two of them; the charts draw them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Paths"
_TOP = 7
_FIRST = 4  # number, payment date, a gap, then the groups with a gap after each
COMPARED = ("SelectedScenario", "ComparedScenario")
_MOVES = ("balance", "requirement")


@dataclass(frozen=True)
class Item:
    """What XM_SCENARIO_PATHS shows: the block, its heading, the argument and how its numbers look."""

    block: str
    heading: str
    argument: str
    number_format: str


def items(contents: Contents, layout: Layout) -> Iterator[Item]:
    """The balance of the senior group, losses and claims."""
    group = layout.class_term(0, "group")
    yield Item("path group", f'={group}&", balance"', group, theme.MONEY)
    net_loss = "Net loss, cumulative, part of the cutoff pool"
    yield Item("path net loss", net_loss, '"net loss"', theme.RATE)
    if contents.deal.policies:
        yield Item("path claims", "Policy claims, cumulative", '"claims"', theme.MONEY)


def call(layout: Layout, argument: str) -> str:
    """The call for an item, a row for each payment date of the sheet."""
    shown = f"ROWS({layout.ref('path number')})"
    return f"XM_SCENARIO_PATHS(Terms,Classes,Payments,Pools,Scenarios,{argument},{shown})"


def required(layout: Layout, account: int) -> str:
    """The argument for what an account should hold."""
    return f'{cell(layout["account account"], account, 0).text()}&" requirement"'


def place(contents: Contents) -> Mapping[str, Block]:
    """Blocks ``path net loss`` and so on; ``compared balance 0 1``: first account, second scenario."""
    rows, width = contents.scenario_dates, len(contents.scenario_rows) - 1
    blocks = {
        "path number": block(TITLE, _TOP, 1, rows),
        "path date": block(TITLE, _TOP, 2, rows),
    }
    left = _FIRST
    for n in range(contents.accounts):
        for scenario in range(len(COMPARED)):
            for move in _MOVES:
                blocks[f"compared {move} {n} {scenario}"] = block(TITLE, _TOP, left, rows)
                left += 1
        left += 1
    claims = ["path claims"] if contents.deal.policies else []
    for name in ("path group", "path net loss", *claims):
        blocks[name] = block(TITLE, _TOP, left, rows, width)
        left += width + 1
    for number, name in enumerate(COMPARED):
        blocks[f"place of {name}"] = block(TITLE, 3 + number, 2)
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What the charts of the sheet Scenarios draw: a row a payment date, a column a scenario.",
    )
    names = layout.ref("scenario scenario")
    for one in COMPARED:
        row = layout[f"place of {one}"].top
        put(sheet, row, 1, "Row", theme.NOTE)
        put(sheet, row, 2, f"=MATCH({one},{names},0)", theme.STRONG, theme.COUNT)
        put(sheet, row, 3, f"={one}", theme.STRONG_TEXT)
    _dates(sheet, layout)
    ends = [_compared(sheet, layout, n) for n in range(contents.accounts)]
    for item in items(contents, layout):
        found = layout[item.block]
        _scenario_headings(sheet, layout, item)
        formats = [item.number_format] * found.shape[1]
        theme.put_array(sheet, found, f"={call(layout, item.argument)}", formats)
        theme.widths(sheet, found.left, *([16] * found.shape[1]), 3)
        ends.append(found.right)
    theme.widths(sheet, 1, 6, 13, 3)
    theme.lines(sheet, _TOP - 1, 2)
    sheet.freeze_panes = a1(_TOP, _FIRST - 1)
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, _TOP - 2, 1, layout["path number"].bottom, ends[-1]),
        title_rows=(_TOP - 2, _TOP - 1),
        title_columns=(1, 2),
        ends=ends,
    )


def _dates(sheet: Worksheet, layout: Layout) -> None:
    """Until the longest recovery lag that the table had when the workbook was built."""
    number, date = layout["path number"], layout["path date"]
    put(sheet, _TOP - 1, 1, "No.", theme.HEADING)
    put(sheet, _TOP - 1, 2, "Payment date", theme.HEADING)
    for row in range(number.top, number.bottom + 1):
        put(sheet, row, 1, f"={a1(row - 1, 1)}+1" if row > number.top else 1, theme.PLAIN, theme.COUNT)
    first, day = layout.term("first payment date"), layout.term("payment day")
    rolled = f"{layout.term('business day roll')},{layout.term('calendar')}"
    formula = f"=XM_PAYMENT_DATES({first},ROWS({here(number)}),{day},{rolled})"
    theme.put_array(sheet, date, formula, (theme.DATE,))


def _compared(sheet: Worksheet, layout: Layout, account: int) -> int:
    """Balance and requirement of an account in the two scenarios; the last column."""
    name = cell(layout["account account"], account, 0).text()
    columns = [(move, scenario) for scenario in range(len(COMPARED)) for move in _MOVES]
    left = layout[f"compared balance {account} 0"].left
    theme.group(sheet, _TOP - 2, left, len(columns), f'="Account: "&{name}')
    theme.widths(sheet, left, *([21] * len(columns)), 3)
    for column, (move, scenario) in enumerate(columns, start=left):
        put(sheet, _TOP - 1, column, f'={COMPARED[scenario]}&": {move}"', theme.HEADING)
        chosen = here(layout[f"place of {COMPARED[scenario]}"])
        argument = name if move == "balance" else required(layout, account)
        formula = f"=INDEX({call(layout, argument)},0,{chosen})"
        theme.put_array(sheet, layout[f"compared {move} {account} {scenario}"], formula, (theme.MONEY,))
    return left + len(columns) - 1


def _scenario_headings(sheet: Worksheet, layout: Layout, item: Item) -> None:
    found, names = layout[item.block], layout["scenario scenario"]
    theme.group(sheet, _TOP - 2, found.left, found.shape[1], item.heading)
    for number in range(found.shape[1]):
        name = cell(names, number, 0).text()
        put(sheet, _TOP - 1, found.left + number, f'=IF({name}="","",{name})', theme.HEADING)


SHEET = Sheet(TITLE, place, write)
