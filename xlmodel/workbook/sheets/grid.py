"""Grid: one scenario over speeds, losses and severities, as heat maps, and proof of where cells stand."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.questions import OF_A_CLASS, OF_THE_DEAL
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here, row_of
from xlmodel.workbook.sheets.theme import put

TITLE = "Grid"
_CHOICES = 4
_TOP = 8
_AXES = (
    ("GridSpeeds", "speed", "Speeds"),
    ("GridLosses", "loss", "Losses"),
    ("GridSeverities", "severity", "Severities"),
)
# What an item is, and the column of ScenarioSummary that shows the same of the scenario as it is.
_OF_THE_DEAL = {
    "net loss": ("part of the cutoff pool", 3),
    "drawn": ("from accounts, dollars", 4),
    "claims": ("paid by policies, dollars", 5),
    "called": ("number of the payment date of the call; a dash where there is none", 12),
}
_OF_A_CLASS = {
    "average life": ("years", 13),
    "unpaid": ("principal that is never paid, dollars", 0),
}
_PROOF = (
    "its row of the table",
    "its speed",
    "its loss",
    "its severity",
    "row of the grid",
    "column of the grid",
    "here",
    "on the sheet Scenarios",
    "grid difference",
)
_NAME, _FIGURE = 28.0, 12.0


def applies(contents: Contents) -> bool:
    return contents.folder.grid is not None


def place(contents: Contents) -> Mapping[str, Block]:
    grid = contents.grid
    speeds, losses, severities = (len(values) for values in (grid.speed, grid.loss, grid.severity))
    blocks = {"GridItem": block(TITLE, _CHOICES, 1), "GridScenario": block(TITLE, _CHOICES + 1, 1)}
    for number, (name, axis, _) in enumerate(_AXES):
        blocks[name] = block(TITLE, _TOP + number, 2, 1, len(getattr(grid, axis)))
    top = _TOP + len(_AXES) + 4
    for number in range(severities):
        blocks[f"heat map {number}"] = block(TITLE, top, 2, speeds, losses)
        top += speeds + 3
    whole = block(TITLE, top, 1, speeds + 1, losses * severities + 1)
    items = block(TITLE, whole.bottom + 6, 1, len(OF_THE_DEAL) + len(OF_A_CLASS) * contents.classes)
    proof = items.bottom + 3
    return {
        **blocks,
        "Grid": whole,
        "grid speed difference": block(TITLE, top + 1, whole.right + 1, speeds),
        "grid loss difference": block(TITLE, whole.bottom + 1, 2, 1, losses * severities),
        "grid item": items,
        "grid item column": block(TITLE, items.top, 2, items.shape[0]),
        **{name: block(TITLE, proof + number, 2) for number, name in enumerate(_PROOF)},
    }


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "One scenario, varied: a row a speed, a column a loss; all other assumptions stay those of its row.",
        inputs=True,
    )
    _choices(sheet, contents, layout)
    _axes(sheet, contents, layout)
    for number in range(len(contents.grid.severity)):
        _heat_map(sheet, contents, layout, number)
    theme.heat(sheet, [layout[f"heat map {n}"] for n in range(len(contents.grid.severity))])
    _whole(sheet, contents, layout)
    _items(sheet, contents, layout)
    _proof(sheet, layout)
    whole = layout["Grid"]
    theme.widths(sheet, 1, _NAME, *([_FIGURE] * whole.right))
    sheet.freeze_panes = "B4"
    bottom = layout["grid difference"].bottom
    theme.print_in_parts(
        sheet,
        printed=Block(TITLE, 1, 1, bottom, whole.right + 1),
        title_rows=(1, 2),
        ends=[whole.bottom + 2, bottom],
    )


def _choices(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    item, scenario = layout["GridItem"], layout["GridScenario"]
    put(sheet, item.top, 1, contents.grid.item, theme.TEXT_INPUT)
    put(sheet, item.top, 2, "is what every cell shows", theme.INNER_NOTE)
    theme.choose(sheet, item, here(layout["grid item"]), "Choose an item of the list below.")
    theme.put_text(sheet, scenario.top, 1, contents.grid.scenario, theme.TEXT_INPUT)
    put(sheet, scenario.top, 2, "is the scenario of the sheet Scenarios that is varied", theme.INNER_NOTE)
    theme.choose(
        sheet, scenario, layout.ref("scenario scenario"), "Choose a scenario of the sheet Scenarios."
    )


def _axes(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    last = max(layout[name].right for name, _, _ in _AXES)
    for column in range(1, last + 2):
        put(sheet, _TOP - 1, column, None, theme.TEXT_HEADING)
    put(sheet, _TOP - 1, 1, "Varied", theme.TEXT_HEADING)
    put(sheet, _TOP - 1, 2, "Values", theme.HEADING)
    put(sheet, _TOP - 1, last + 1, "Status", theme.INNER_HEADING)
    for name, axis, label in _AXES:
        found = layout[name]
        put(sheet, found.top, 1, label, theme.KEY)
        for offset, value in enumerate(getattr(contents.grid, axis)):
            put(sheet, found.top, found.left + offset, value, theme.INPUT, theme.PERCENT)
        put(sheet, found.top, last + 1, "assumed", theme.SOURCE)
    theme.mark_status(sheet, block(TITLE, _TOP, last + 1, len(_AXES)))
    theme.put_text(sheet, _TOP + len(_AXES), 1, contents.grid.note, theme.NOTE)


def _heat_map(sheet: Worksheet, contents: Contents, layout: Layout, severity: int) -> None:
    """One severity, picked from the whole, so that no error stands in a colour scale."""
    found, whole = layout[f"heat map {severity}"], layout["Grid"]
    put(sheet, found.top - 2, 1, f"=GridItem&{_severity(layout, severity)}", theme.SECTION)
    put(sheet, found.top - 1, 1, "Speed, by loss", theme.TEXT_HEADING)
    rows, columns = found.shape
    for column in range(columns):
        loss = here(cell(layout["GridLosses"], 0, column))
        put(sheet, found.top - 1, found.left + column, f"={loss}", theme.HEADING, theme.PERCENT)
    for row in range(rows):
        speed = here(cell(layout["GridSpeeds"], 0, row))
        put(sheet, found.top + row, 1, f"={speed}", theme.KEY, theme.PERCENT)
        for column in range(columns):
            one = a1(whole.top + 1 + row, whole.left + 1 + severity * columns + column)
            picked = f'=IF(ISNA({one}),"not paid",{one})'
            put(sheet, found.top + row, found.left + column, picked, theme.RIGHT, theme.ANY_SIZE)
    _units(sheet, found)


def _units(sheet: Worksheet, cells: Block) -> None:
    """Numbers of each item as they are read: lives and dollars by their size, the others told by name."""
    theme.show_as(sheet, cells, 'GridItem="net loss"', theme.PERCENT)
    theme.show_as(sheet, cells, 'GridItem="called"', theme.DOLLARS)


def _severity(layout: Layout, number: int) -> str:
    return f'" at a severity of "&FIXED(100*{here(cell(layout["GridSeverities"], 0, number))},1)&"%"'


def _whole(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """The array, and whether its headings, which the function gives, are the values that were asked for."""
    whole, losses = layout["Grid"], layout["GridLosses"].shape[1]
    put(sheet, whole.top - 2, 1, "The whole grid, as the function gives it", theme.SECTION)
    put(sheet, whole.top - 1, 1, None, theme.GROUP)
    for number in range(len(contents.grid.severity)):
        left = whole.left + 1 + number * losses
        theme.group(sheet, whole.top - 1, left, losses, f"=GridItem&{_severity(layout, number)}")
    deal = "Terms,Classes,Payments,Pools,Scenarios"
    formula = f"=XM_SCENARIOS({deal},GridItem,GridSpeeds,GridLosses,GridSeverities,GridScenario,TRUE)"
    formats = [theme.PERCENT, *([theme.ANY_SIZE] * (whole.shape[1] - 1))]
    theme.put_array(sheet, whole, formula, formats, theme.RIGHT)
    theme.restyle(sheet, column_of(whole, 0), theme.KEY)
    theme.restyle(sheet, row_of(whole, 0), theme.HEADING)
    for address in row_of(whole, 0).cells():
        sheet.cell(address.row, address.column).number_format = theme.PERCENT
    _units(sheet, Block(TITLE, whole.top + 1, whole.left + 1, whole.bottom, whole.right))
    by_speed, by_loss = layout["grid speed difference"], layout["grid loss difference"]
    put(sheet, whole.top, by_speed.left, "Difference", theme.HEADING)
    for row in range(by_speed.shape[0]):
        given, asked = a1(by_speed.top + row, whole.left), here(cell(layout["GridSpeeds"], 0, row))
        put(
            sheet, by_speed.top + row, by_speed.left, f"=ROUND({given}-{asked},9)", theme.RIGHT, theme.DOLLARS
        )
    put(sheet, by_loss.top, 1, "Difference", theme.NOTE)
    for column in range(by_loss.shape[1]):
        given = a1(whole.top, by_loss.left + column)
        asked = here(cell(layout["GridLosses"], 0, column % losses))
        put(
            sheet,
            by_loss.top,
            by_loss.left + column,
            f"=ROUND({given}-{asked},9)",
            theme.RIGHT,
            theme.DOLLARS,
        )
    theme.mark_difference(sheet, by_speed)
    theme.mark_difference(sheet, by_loss)
    note = "#N/A where a class is not paid in full.  The differences: headings less what was asked for."
    put(sheet, by_loss.bottom + 1, 1, note, theme.NOTE)


def _items(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """What can be shown; to each item the column of ScenarioSummary that shows it too."""
    items, columns = layout["grid item"], layout["grid item column"]
    put(sheet, items.top - 2, 1, "What can be shown", theme.SECTION)
    put(sheet, items.top - 1, 1, "Item", theme.TEXT_HEADING)
    put(sheet, items.top - 1, 2, "Column", theme.HEADING)
    put(
        sheet,
        items.top - 1,
        3,
        "What it is; the column of ScenarioSummary that shows it too",
        theme.INNER_HEADING,
    )
    for column in range(4, layout["Grid"].right + 2):
        put(sheet, items.top - 1, column, None, theme.INNER_HEADING)
    listed = [(name, *_OF_THE_DEAL[name]) for name in OF_THE_DEAL]
    for position in range(contents.classes):
        name = layout.class_term(position, "class")
        for what in OF_A_CLASS:
            meaning, first = _OF_A_CLASS[what]
            listed.append((f'={name}&" {what}"', meaning, first + position if first else 0))
    for row, (name, meaning, shown) in enumerate(listed, start=items.top):
        put(sheet, row, 1, name, theme.KEY)
        put(sheet, row, columns.left, shown, theme.RIGHT, theme.DOLLARS)
        put(sheet, row, 3, meaning, theme.INNER_NOTE)


def _proof(sheet: Worksheet, layout: Layout) -> None:
    """The scenario as it is stands in the grid, where its own values are among those varied."""
    at = {name: here(layout[name]) for name in _PROOF}
    top = layout[_PROOF[0]].top
    put(sheet, top - 1, 1, "Where the scenario itself stands", theme.SECTION)
    row, speed, loss, severity, down, across, inside, outside, _ = (at[name] for name in _PROOF)

    def own(heading: str) -> str:
        return f"=INDEX({layout.ref(f'scenario {heading}')},{row})"

    def among(axis: str, value: str) -> str:
        return f"IF(COUNTIF({axis},{value})=0,0,MATCH({value},{axis},0))"

    shown = f"INDEX({here(layout['grid item column'])},MATCH(GridItem,{here(layout['grid item'])},0))"
    place_of_loss, place_of_severity = among("GridLosses", loss), among("GridSeverities", severity)
    formulas = {
        "its row of the table": f"=MATCH(GridScenario,{layout.ref('scenario scenario')},0)",
        "its speed": own("speed"),
        "its loss": own("default rate"),
        "its severity": own("severity"),
        "row of the grid": f"={among('GridSpeeds', speed)}",
        "column of the grid": (
            f"=IF(MIN({place_of_loss},{place_of_severity},{shown})=0,0,"
            f"{place_of_loss}+COLUMNS(GridLosses)*({place_of_severity}-1))"
        ),
        "here": f"=IF(MIN({down},{across})=0,0,INDEX(Grid,{down}+1,{across}+1))",
        "on the sheet Scenarios": f"=IF(MIN({down},{across})=0,0,INDEX(ScenarioSummary,{row},{shown}))",
        # Where a class is not paid in full both say so.
        "grid difference": (
            f"=IF(OR(ISNA({inside}),ISNA({outside})),IF(AND(ISNA({inside}),ISNA({outside})),0,1),"
            f"ROUND({inside}-{outside},6))"
        ),
    }
    formats = {"its speed": theme.PERCENT, "its loss": theme.PERCENT, "its severity": theme.PERCENT}
    for name in _PROOF:
        found = layout[name]
        label = "Difference" if name == "grid difference" else f"{name[:1].upper()}{name[1:]}"
        put(sheet, found.top, 1, label, theme.KEY)
        put(sheet, found.top, found.left, formulas[name], theme.RIGHT, formats.get(name, theme.ANY_SIZE))
    for name in ("its row of the table", "row of the grid", "column of the grid"):
        found = layout[name]
        sheet.cell(found.top, found.left).number_format = theme.DOLLARS
    theme.mark_difference(sheet, layout["grid difference"])
    note = "A dash: not among the values, or shown by no column of ScenarioSummary; then nothing is compared."
    put(sheet, layout["grid difference"].top, 3, note, theme.INNER_NOTE)


SHEET = Sheet(TITLE, place, write, applies)
