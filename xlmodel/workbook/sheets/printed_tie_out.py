"""Tie-out: every recomputed figure and every tie between tables, one a row, with what explains a miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.exceptions import Explained
from xlmodel.workbook.printed.folder import TableFolder
from xlmodel.workbook.printed.rules import Claim
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.check_cells import Check, write_checks
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, here
from xlmodel.workbook.sheets.printed_figures import number_format, printed_cell
from xlmodel.workbook.sheets.printed_tables import difference, formula
from xlmodel.workbook.sheets.theme import put, put_text

TITLE = "Tie-out"
TIED, EXPLAINED, MISS = "tied", "explained", "miss"
_TOP = 5
_COLUMNS = (
    ("Table, or tie", 26.0),
    ("Figure", 78.0),
    ("Computed", 18.0),
    ("Printed", 18.0),
    ("Difference", 11.0),
    ("State", 11.0),
    ("Explained for", 18.0),
    ("Reason", 22.0),
    ("Explanation", 80.0),
)
_STATE = 6


def _lists(folder: TableFolder) -> tuple[tuple[str, str, Sequence[Claim]], ...]:
    """Name of the check, the singular of its ranges, and what it compares."""
    return (("figures", "Claim", folder.claims), ("ties", "Tie", folder.ties))


def checks(folder: TableFolder) -> list[Check[TableFolder]]:
    return [check for check in CHECKS if check.applies(folder)]


def place(folder: TableFolder) -> Mapping[str, Block]:
    """Checks above, then the two lists, each with its heading."""
    blocks = {check.name: block(TITLE, _TOP + n, 2) for n, check in enumerate(checks(folder))}
    row = _TOP + len(blocks) + 4
    for check, name, claims in _lists(folder):
        if claims:
            count = len(claims)
            blocks[f"{name}Names"] = block(TITLE, row, 2, count)
            blocks[f"{check} subjects"] = block(TITLE, row, 1, count)
            blocks[f"Published{name}s"] = block(TITLE, row, 4, count)
            blocks[f"{name}s"] = block(TITLE, row, 3, count)
            blocks[f"{check} states"] = block(TITLE, row, _STATE, count)
            row += count + 4
    return blocks


def write(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    theme.head(
        sheet,
        folder.title,
        TITLE,
        "Figures that are sums, differences, ratios or percentages of others, and ties between tables.",
    )
    theme.widths(sheet, 1, *(width for _, width in _COLUMNS))
    write_checks(sheet, checks(folder), folder, layout, last_column=len(_COLUMNS))
    for check, name, claims in _lists(folder):
        if claims:
            _list(sheet, folder, layout, check, layout[f"{name}s"].top, claims)
    sheet.freeze_panes = "A4"
    theme.print_setup(sheet, title_rows=(1, 2))


def _list(
    sheet: Worksheet, folder: TableFolder, layout: Layout, check: str, top: int, claims: Sequence[Claim]
) -> None:
    put(sheet, top - 2, 1, _TITLES[check], theme.SECTION)
    for offset, (heading, _) in enumerate(_COLUMNS):
        number = 2 <= offset <= 4 or offset == 6
        put(sheet, top - 1, 1 + offset, heading, theme.HEADING if number else theme.TEXT_HEADING)
    reasons = {one.figure: one for one in folder.exceptions if one.check == check}
    for row, claim in enumerate(claims, start=top):
        _row(sheet, folder, layout, row, claim, reasons.get(claim.name))
    last = top + len(claims) - 1
    theme.mark_difference(sheet, block(TITLE, top, 5, len(claims)))
    theme.mark_word(sheet, Block(TITLE, top, _STATE, last, _STATE), EXPLAINED, theme.DERIVED_FILL)
    theme.mark_word(sheet, Block(TITLE, top, _STATE, last, _STATE), MISS, theme.FAILS_FILL)


def _row(
    sheet: Worksheet, folder: TableFolder, layout: Layout, row: int, claim: Claim, why: Explained | None
) -> None:
    figure = folder.figures[claim.figure]
    shape = number_format(figure)
    computed = f"computed {claim.figure}"
    in_table = folder.first_claims.get(claim.figure) is claim and computed in layout
    found = f"={layout.ref(computed)}" if in_table else formula(claim, layout)
    put_text(sheet, row, 1, claim.subject, theme.KEY)
    put_text(sheet, row, 2, claim.name, theme.KEY)
    put(sheet, row, 4, f"={printed_cell(layout, claim.figure)}", theme.RIGHT, shape)
    put(sheet, row, 3, found, theme.STRONG, shape)
    put(sheet, row, 5, difference(a1(row, 3), a1(row, 4), figure.decimals), theme.PLAIN, theme.COUNT)
    so = f"ROUND({a1(row, 3)},{why.decimals})=ROUND({a1(row, 7)},{why.decimals})" if why else "FALSE"
    state = f'=IF({a1(row, 5)}=0,"{TIED}",IF({so},"{EXPLAINED}","{MISS}"))'
    put(sheet, row, _STATE, state, theme.STATE_TEXT)
    if why:
        finer = theme.percent(why.decimals - 2) if shape.endswith("%") else f"#,##0.{'0' * why.decimals}"
        put(sheet, row, 7, why.computed, theme.RIGHT, finer)
        put_text(sheet, row, 8, why.reason, theme.KEY)
        put_text(sheet, row, 9, why.explanation, theme.KEY)


def _no_miss(check: str) -> Check[TableFolder]:
    def formula_of(folder: TableFolder, layout: Layout) -> str:
        return f'=COUNTIF({here(layout[f"{check} states"])},"{MISS}")=0'

    return Check(f"check_{check}", _SENTENCES[check], lambda folder: _has(check, folder), formula_of)


def _has(check: str, folder: TableFolder) -> bool:
    return any(claims for name, _, claims in _lists(folder) if name == check)


_TITLES = {"figures": "Figures that follow from others", "ties": "Ties between tables"}
_SENTENCES = {
    "figures": "Every recomputed figure ties at its printed precision, or its miss is explained.",
    "ties": "Every tie between tables holds at the printed precision, or its miss is explained.",
}
CHECKS = (_no_miss("figures"), _no_miss("ties"))
SHEET = Sheet(TITLE, place, write)
