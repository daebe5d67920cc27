"""The sheets of a tie-out pack."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.pack_facts import Compared, Facts, Tried
from xlmodel.workbook.published import STAR
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.theme import put, put_text

_TOP = 5
_TABLES = {
    "decrement": "Decrement table",
    "average_life": "Average lives",
    "first_interest": "First interest",
    "certificate": "Servicer's certificate",
}
_WRAP = theme.Look(wrap=True)
_REMARK = theme.Look(ink=theme.QUIET, align="left", indent=1, wrap=True)
_SIGN = ("Performed by", "Date", "Reviewed by", "Date")


def _table(
    sheet: Worksheet,
    row: int,
    headings: Sequence[str],
    rights: Sequence[int] = (),
    states: Sequence[int] = (),
) -> None:
    """A row of headings: to the right over numbers, in the middle over states, else to the left."""
    for column, heading in enumerate(headings, start=1):
        if column in rights:
            look = theme.HEADING
        elif column in states:
            look = theme.STATE_HEADING
        else:
            look = theme.TEXT_HEADING if column == 1 else theme.INNER_HEADING
        put(sheet, row, column, heading, look)
    theme.lines(sheet, row, 2)


def _named(tie: str) -> str:
    return _TABLES.get(tie, tie.replace("_", " ").capitalize())


def _by_tie(found: Sequence[Compared]) -> list[tuple[str, list[Compared], int]]:
    """The figures of each comparison, and the row of the first in the sheet Compared."""
    groups, row = [], _TOP
    for tie, some in groupby(found, key=lambda one: one.tie):
        listed = list(some)
        groups.append((tie, listed, row))
        row += len(listed)
    return groups


def write_summary(sheet: Worksheet, facts: Facts) -> None:
    """The result by table, what it rests on, and room for those who sign."""
    theme.head(
        sheet, facts.title, "Tie-out pack", "What was compared with published figures, and what came of it."
    )
    theme.widths(sheet, 1, 34, 13, 13, 13, 13, 15, 15, 34)
    verdict = "Every figure compared ties."
    if not facts.tied:
        verdict = "Not every figure ties: see the sheet Compared."
    elif any(one.explained for one in facts.compared):
        verdict = "Every figure compared ties or is explained."
    put(sheet, 3, 1, verdict, theme.SECTION)
    row = _TOP
    headings = (
        "Published table",
        "Figures",
        "Tied",
        "Explained",
        "Could miss",
        "Of these tied",
        "Worst, units",
        "Rounded to",
    )
    _table(sheet, row, headings, (2, 3, 4, 5, 6, 7))
    for tie, listed, first in _by_tie(facts.compared):
        row += 1
        last = first + len(listed) - 1
        tied, could = (f"Compared!${c}${first}:${c}${last}" for c in ("I", "J"))
        put(sheet, row, 1, _named(tie))
        put(sheet, row, 2, f"=COUNTA({tied})", theme.PLAIN, theme.COUNT)
        put(sheet, row, 3, f'=COUNTIF({tied},"yes")', theme.PLAIN, theme.COUNT)
        put(sheet, row, 4, f'=COUNTIF({tied},"explained")', theme.PLAIN, theme.COUNT)
        put(sheet, row, 5, f'=COUNTIF({could},"yes")', theme.PLAIN, theme.COUNT)
        put(sheet, row, 6, f'=COUNTIFS({tied},"yes",{could},"yes")', theme.PLAIN, theme.COUNT)
        worst = max((one.distance for one in listed if one.distance < float("inf")), default=0.0)
        put(sheet, row, 7, worst, theme.PLAIN, "0.0000")
        put(sheet, row, 8, _rounding(listed), theme.INNER_NOTE)
    row += 1
    note = (
        "Could miss: not 0 or 100%, which a wrong model may show as well. Worst: the largest distance "
        "between the unrounded figure and the published one, in units of the last printed digit; up to 0.5 "
        "it rounds to it."
    )
    put(sheet, row, 1, note, _WRAP)
    sheet.merge_cells(start_row=row, end_row=row, start_column=1, end_column=8)
    theme.lines(sheet, row, 2)
    row += 2
    put(sheet, row, 1, "What it rests on", theme.SECTION)
    for name, value in _rests_on(facts):
        row += 1
        put(sheet, row, 1, name)
        put_text(sheet, row, 2, value, theme.KEY)
    row += 2
    put(sheet, row, 1, "Native checks of the workbook", theme.SECTION)
    for name, holds in facts.checks:
        row += 1
        put(sheet, row, 1, name.removeprefix("check_").replace("_", " ").capitalize())
        put(sheet, row, 2, "holds" if holds else "DOES NOT HOLD", theme.KEY if holds else theme.STRONG_TEXT)
    row += 2
    for number, text in enumerate(_SIGN):
        column = 1 + 3 * (number % 2)
        put(sheet, row + 2 * (number // 2), column, text, theme.NOTE)
        for offset in (1, 2):
            put(sheet, row + 2 * (number // 2), column + offset, None, theme.Look(bottom_line=True))
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _rounding(listed: Sequence[Compared]) -> str:
    units = sorted({(one.decimals, bool(one.number_format)) for one in listed})
    text = " or ".join(f"{10.0 ** (2 - n):g}%" if percents else f"{10.0**-n:g}" for n, percents in units)
    return f"{text}, half up"


def _rests_on(facts: Facts) -> list[tuple[str, str]]:
    altered = f"{len(facts.altered)}; the first: {facts.altered[0]}" if facts.altered else "none"
    return [
        ("Workbook", facts.workbook),
        ("xlmodel", facts.xlmodel),
        ("Functions version", facts.functions),
        ("Formulas recomputed", f"{facts.formulas:,}, {facts.ours:,} of them calls of XM_ functions"),
        ("Values in the file that were stale", f"{facts.stale:,}"),
        ("Published cells altered in the workbook", altered),
        ("Readings tried", f"{len(facts.readings)}, see the sheet Readings" if facts.readings else "none"),
    ]


def write_compared(sheet: Worksheet, facts: Facts) -> None:
    """Every figure; rounding, difference and tie are formulas."""
    theme.head(sheet, facts.title, "Compared", "Every published figure beside the one that was recomputed.")
    headings = (
        "Table",
        "Of",
        "At",
        "Published",
        "Recomputed",
        "Decimals",
        "Rounded",
        "Difference, units",
        "Tied",
        "Could miss",
        "Remark",
        "Mark",
    )
    theme.widths(sheet, 1, 20, 24, 28, 17, 20, 11, 17, 12, 8, 12, 44, 14)
    _table(sheet, _TOP - 1, headings, (4, 5, 6, 7, 8), (9, 10))
    for row, one in enumerate(facts.compared, start=_TOP):
        number = one.number_format or "#,##0" + ("." + "0" * one.decimals if one.decimals else "")
        miss = "explained" if one.explained else "NO"
        plain, sign, _ = number.partition("%")
        full = f"{plain}{'' if '.' in plain else '.'}0000{sign}"  # four digits more than are compared
        put(sheet, row, 1, _named(one.tie))
        put_text(sheet, row, 2, one.what, theme.INNER_NOTE)
        put_text(sheet, row, 3, one.where, theme.INNER_NOTE)
        put_text(sheet, row, 4, one.published, theme.PRINTED, number)
        put_text(sheet, row, 5, _plain(one.recomputed), theme.RIGHT, full)
        put(sheet, row, 6, one.decimals, theme.PLAIN, theme.COUNT)
        if isinstance(one.published, float) and isinstance(one.recomputed, float):
            put(sheet, row, 7, f"=ROUND(E{row},F{row})", theme.PLAIN, number)
            put(sheet, row, 8, f"=ROUND((G{row}-D{row})*10^F{row},0)+0", theme.PLAIN, theme.COUNT)
            put(sheet, row, 9, f'=IF(H{row}=0,"yes","{miss}")', theme.STATE_TEXT)
        elif one.published == STAR:
            put(sheet, row, 9, f'=IF(AND(E{row}>0,ROUND(E{row},F{row})=0),"yes","NO")', theme.STATE_TEXT)
        else:
            put(sheet, row, 9, f'=IF(EXACT(D{row},E{row}),"yes","NO")', theme.STATE_TEXT)
        put(sheet, row, 10, "yes" if one.informative else "no", theme.STATE_TEXT)
        put_text(sheet, row, 11, _remark(one), _REMARK)
        theme.lines(sheet, row, theme.lines_of(_remark(one), 44, _REMARK))
        put(sheet, row, 12, None, theme.Look(bottom_line=True))
    last = _TOP + len(facts.compared) - 1
    theme.mark_difference(sheet, Block(None, _TOP, 8, last, 8))
    sheet.freeze_panes = f"A{_TOP}"
    theme.print_setup(sheet, title_rows=(1, _TOP - 1))


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value


def _remark(one: Compared) -> str:
    """What explains the figure: its cell, and for one that is near or does not tie, how far it is."""
    if one.explained:
        return f"{one.cell}; {one.explained}"
    if not one.tied:
        return f"{one.cell}; misses by {one.distance:,.3g} units"
    if one.published == STAR:
        return f"{one.cell}; * is more than nothing, and rounds to nothing"
    if one.distance > 0.45:
        return f"{one.cell}; near the edge: {one.distance:.3f} units"
    return one.cell


def write_recomputed(sheet: Worksheet, facts: Facts) -> None:
    """What was computed anew, and by what."""
    theme.head(sheet, facts.title, "Recomputed", "What was worked out again for this pack, and how.")
    theme.widths(sheet, 1, 30, 110)
    rows = [
        (
            "Every formula",
            f"All {facts.formulas:,} formulas of {facts.workbook} were evaluated from its inputs; the values "
            f"that the file held were not used. {facts.stale:,} of them were stale.",
        ),
        (
            "Functions",
            f"{facts.ours:,} formulas call XM_ functions, version {facts.functions}; the others are native "
            "and were evaluated by another engine, independent of the functions.",
        ),
        (
            "Rounding",
            "A figure ties if, rounded half up to the decimals of the published one, it is equal to it. "
            "Rounded, Difference and Tied on the sheet Compared are formulas of this pack.",
        ),
        (
            "Native checks",
            f"{sum(holds for _, holds in facts.checks)} of {len(facts.checks)} native checks of the workbook "
            "hold; they work out interest, balances, fees and sources and uses again without XM_ functions.",
        ),
        (
            "Cash",
            "On every payment date and in every run the engine itself refuses a result whose uses are not "
            "its sources to the cent.",
        ),
        (
            "Published cells",
            "The published figures that the workbook shows were compared with the files of published/: "
            + (f"{len(facts.altered)} were altered." if facts.altered else "none was altered."),
        ),
        (
            "Readings",
            f"{max(len(facts.readings) - 1, 0)} other readings were run in full; the sheet Readings says "
            "what ties under each."
            if facts.readings
            else "No table is printed that another reading could be tried on.",
        ),
        (
            "Not done",
            "Nothing was compared with anything but the published figures of the sheet Sources; contracts, "
            "notices and the document itself were not examined.",
        ),
    ]
    _table(sheet, _TOP - 1, ("What", "How"))
    for row, (what, how) in enumerate(rows, start=_TOP):
        put(sheet, row, 1, what, theme.STRONG)
        put(sheet, row, 2, how, _WRAP)
        theme.lines(sheet, row, theme.lines_of(how, 110, _WRAP) + 1)
    theme.print_setup(sheet, title_rows=(1, 2))


def write_readings(sheet: Worksheet, facts: Facts) -> None:
    """The reading adopted and those rejected, with what ties under each."""
    theme.head(
        sheet,
        facts.title,
        "Readings",
        "What would tie under another reading, one change at a time, run in full.",
    )
    tables = list(facts.readings[0].tied) if facts.readings else []
    theme.widths(sheet, 1, 24, 52, *([17] * (len(tables) + 1)), 40)
    if not facts.readings:
        put(sheet, _TOP - 1, 1, "No table is printed that another reading could be tried on.", theme.NOTE)
        theme.print_setup(sheet, title_rows=(1, 2))
        return
    headings = ("Reading", "What it says", *map(_named, tables), "Decrement cells that could miss", "Finding")
    _table(sheet, _TOP - 1, headings, range(3, 4 + len(tables)))
    adopted = facts.readings[0]
    for row, tried in enumerate(facts.readings, start=_TOP):
        put(sheet, row, 1, tried.name, theme.STRONG if tried is adopted else theme.PLAIN)
        put(sheet, row, 2, tried.sentence, _WRAP)
        for column, table in enumerate(tables, start=3):
            tied, cells = tried.tied[table]
            put(sheet, row, column, f"{tied:,} of {cells:,}", theme.RIGHT)
        put(sheet, row, 3 + len(tables), "{:,} of {:,}".format(*tried.informative), theme.RIGHT)
        put(sheet, row, 4 + len(tables), _finding(tried, adopted), theme.INNER_NOTE)
    theme.print_setup(sheet, title_rows=(1, _TOP - 1))


def _finding(tried: Tried, adopted: Tried) -> str:
    if tried is adopted:
        return "adopted"
    lost = [_named(table).lower() for table, (tied, _) in tried.tied.items() if tied < adopted.tied[table][0]]
    if lost:
        return f"rejected: {', '.join(lost)}"
    if tried.tied == adopted.tied:
        return "no published figure tells it apart"
    return "ties better than the reading adopted"


def write_conventions(sheet: Worksheet, facts: Facts) -> None:
    """What the deal's tables say, with status and page."""
    theme.head(
        sheet, facts.title, "Conventions", "The terms and conventions used, as the workbook states them."
    )
    theme.widths(sheet, 1, 34, 18, 52, 10, 8, 70)
    _table(sheet, _TOP - 1, ("Of", "What", "Value", "Status", "Page", "Note"))
    row = _TOP
    shown = (
        "Terms",
        "Fees",
        "Accounts",
        "Policies",
        "Measures",
        "Triggers",
        "Call",
        "Events",
        "Classes",
        "Payments",
    )
    for entry in facts.model.entries if facts.model else ():
        if entry.table not in shown:
            continue
        sources = {name: entry.says.get(name, "") for name in ("status", "page", "note")}
        for heading, text in entry.says.items():
            if heading in sources or heading in ("clause", "priority"):
                continue
            put_text(sheet, row, 1, entry.name)
            put_text(sheet, row, 2, heading)
            put_text(sheet, row, 3, text, _WRAP)
            lines = theme.lines_of(text, 52, _WRAP)
            for column, name in enumerate(sources, start=4):
                put_text(sheet, row, column, sources[name], _WRAP if name == "note" else theme.KEY)
            lines = max(lines, theme.lines_of(sources["note"], 70, _WRAP))
            theme.lines(sheet, row, max(lines, 1))
            sources = dict.fromkeys(sources, "")  # said once for each row of a table
            row += 1
    if row == _TOP:
        put(sheet, row, 1, "The workbook is no deal's: its inputs stand in its own ranges.", theme.NOTE)
    else:
        theme.mark_status(sheet, Block(None, _TOP, 4, row - 1, 4))
    sheet.freeze_panes = f"A{_TOP}"
    theme.print_setup(sheet, title_rows=(1, _TOP - 1))


def write_sources(sheet: Worksheet, facts: Facts) -> None:
    """Where the published figures come from, as the folder says it."""
    theme.head(
        sheet, facts.title, "Sources", "Where the published figures come from, and what a tie does not show."
    )
    theme.widths(sheet, 1, 34, 76, 40)
    _table(sheet, _TOP - 1, ("File", "What it holds", "Page"))
    row = _TOP
    for file, what, page in facts.sources:
        for column, text in enumerate((file, what, page), start=1):
            put_text(sheet, row, column, text, _WRAP)
        theme.lines(sheet, row, max(theme.lines_of(what, 76), theme.lines_of(page, 40), 1))
        row += 1
    row += 1
    put(
        sheet,
        row,
        1,
        "SOURCE.md of the folder" if facts.source_text else "The folder has no SOURCE.md",
        theme.SECTION,
    )
    for line in facts.source_text:
        if line.startswith("|"):
            continue
        row += 1
        if line.strip():
            look = theme.STRONG if line.startswith("#") else theme.PLAIN
            put_text(sheet, row, 1, line.lstrip("# "), look)
    theme.print_setup(sheet, title_rows=(1, 2))


def write_files(sheet: Worksheet, facts: Facts) -> None:
    """The files with their hashes, and how to work these out again."""
    theme.head(
        sheet, facts.title, "Files", "The files that the pack rests on, by the SHA-256 of their bytes."
    )
    theme.widths(sheet, 1, 44, 14, 74)
    _table(sheet, _TOP - 1, ("File", "Bytes", "SHA-256"), (2,))
    for row, file in enumerate(facts.files, start=_TOP):
        put_text(sheet, row, 1, file.name)
        put(sheet, row, 2, file.size, theme.PLAIN, theme.COUNT)
        put_text(sheet, row, 3, file.sha256, theme.Look(align="left", indent=1))
    note = "Work one out again: sha256sum FILE, or in PowerShell: Get-FileHash FILE"
    put(sheet, _TOP + len(facts.files) + 1, 1, note, theme.NOTE)
    theme.print_setup(sheet, title_rows=(1, 2))
