"""Distributions: what each class gets on each payment date at the base speed, and to the right its proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.functions.payments import ACCOUNT_COLUMNS, CASH_COLUMNS, CLASS_COLUMNS
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import cash_proof, class_proof, receipts_proof, theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Distributions"
_TOP = 7  # first payment date; the row above it is closing
_FIRST = 4  # number, unadjusted date, date, then the array
_CLASS_FORMATS = (theme.MONEY, theme.MONEY, theme.MONEY, theme.FACTOR)


def place(contents: Contents) -> Mapping[str, Block]:
    rows = contents.dates
    whole = block(TITLE, _TOP, _FIRST, rows, len(contents.distributions_header))
    blocks = {
        "Distributions": whole,
        "date number": block(TITLE, _TOP, 1, rows),
        "unadjusted date": block(TITLE, _TOP, 2, rows),
        "payment date": block(TITLE, _TOP, 3, rows),
    }
    blocks |= named_columns(contents, whole)
    blocks |= class_proof.place(contents, TITLE, _TOP, whole.right + 2)
    for proof in (receipts_proof, cash_proof):
        left = max(found.right for found in blocks.values()) + 2
        blocks |= proof.place(contents, TITLE, _TOP, left)
    return blocks


def named_columns(contents: Contents, whole: Block) -> Mapping[str, Block]:
    """The columns of an array of XM_DISTRIBUTIONS: ``interest 0``, ``account draw 0``, ``cash remainder``."""
    names = [f"{heading.lower()} {n}" for n in range(contents.classes) for heading in CLASS_COLUMNS]
    names += [
        f"account {heading.lower()} {n}" for n in range(contents.accounts) for heading in ACCOUNT_COLUMNS
    ]
    names += [f"cash {heading.lower()}" for heading in CASH_COLUMNS]
    return {name: column_of(whole, column) for column, name in enumerate(names)}


def formats(contents: Contents) -> list[str | None]:
    """Their number formats."""
    others = len(ACCOUNT_COLUMNS) * contents.accounts + len(CASH_COLUMNS)
    return [*(_CLASS_FORMATS * contents.classes), *([theme.MONEY] * others)]


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "A row a payment date, at the base speed.  To the right the same is worked out again natively.",
    )
    whole = layout["Distributions"]
    put(sheet, 3, 1, "Speed", theme.PLAIN)
    put(sheet, 3, 2, f"={layout.ref('base speed')}", theme.STRONG, theme.PERCENT)
    _dates(sheet, layout)
    speed = layout.ref("base speed")
    arguments = f"Terms,Classes,Payments,Pools,{speed}"
    theme.put_array(sheet, whole, f"=XM_DISTRIBUTIONS({arguments})", formats(contents))
    ends = headings(sheet, contents, layout, _TOP - 2, _FIRST)
    _closing(sheet, contents, layout)
    _totals(sheet, contents, layout)
    theme.widths(sheet, 1, 6, 13, 13)
    theme.widths(sheet, whole.right + 1, 3)
    for proof in (class_proof, receipts_proof, cash_proof):
        ends += proof.write(sheet, contents, layout, _TOP)
    sheet.freeze_panes = a1(_TOP, _FIRST)
    theme.lines(sheet, _TOP - 2, 2)
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, _TOP - 3, 1, whole.bottom + 1, ends[-1]),
        title_rows=(_TOP - 3, _TOP - 2),
        title_columns=(1, 3),
        ends=ends,
    )


def _dates(sheet: Worksheet, layout: Layout) -> None:
    for column, heading in enumerate(("No.", "Unadjusted", "Payment date"), start=1):
        put(sheet, _TOP - 2, column, heading, theme.HEADING)
    number = layout["date number"]
    for row in range(number.top, number.bottom + 1):
        # Counted, not typed, so that rows can be followed from the formula alone.
        formula = f"={a1(row - 1, 1)}+1"
        put(sheet, row, 1, formula, theme.PLAIN, theme.COUNT)
    closing = layout.term("closing date")
    put(sheet, _TOP - 1, 1, 0, theme.PLAIN, theme.COUNT)
    for column in (2, 3):
        put(sheet, _TOP - 1, column, f"={closing}", theme.PLAIN, theme.DATE)
    first = ",".join(
        (layout.term("first payment date"), layout.ref("payment dates"), layout.term("payment day"))
    )
    rolled = f"{layout.term('business day roll')},{layout.term('calendar')}"
    for name, roll in (("unadjusted date", '"none"'), ("payment date", rolled)):
        theme.put_array(sheet, layout[name], f"=XM_PAYMENT_DATES({first},{roll})", (theme.DATE,))


def headings(sheet: Worksheet, contents: Contents, layout: Layout, row: int, left: int) -> list[int]:
    """Widths and two rows of headings, to ``row``, of an array of XM_DISTRIBUTIONS that begins at ``left``.

    -> the last column of each group.
    """
    groups: list[tuple[str, Sequence[str], Sequence[float]]] = [
        (f"={layout.class_term(position, 'class')}", CLASS_COLUMNS, (15, 16, 17, 12))
        for position in range(contents.classes)
    ]
    for position in range(contents.accounts):
        name = cell(layout["account account"], position, 0).text()
        groups.append((f'="Account: "&{name}', ACCOUNT_COLUMNS, [16] * len(ACCOUNT_COLUMNS)))
    groups += [("Cash", CASH_COLUMNS, [17] * len(CASH_COLUMNS))]
    ends = []
    column = left
    for group, titles, widths in groups:
        theme.group(sheet, row - 1, column, len(titles), group)
        theme.put_row(sheet, row, column, titles, theme.HEADING)
        theme.widths(sheet, column, *widths)
        column += len(titles)
        ends.append(column - 1)
    return ends


def _closing(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """The row before the first payment date: what everything starts from."""
    row = _TOP - 1
    for position in range(contents.classes):
        balance = layout[f"balance {position}"].left
        initial = layout.class_term(position, "balance")
        put(sheet, row, balance, f"={initial}", theme.PLAIN, theme.MONEY)
        put(sheet, row, balance + 1, f"={a1(row, balance)}/{initial}", theme.PLAIN, theme.FACTOR)
    for position in range(contents.accounts):
        initial = cell(layout["account initial"], position, 0).text()
        closing = layout[f"account closing {position}"].left
        put(sheet, row, closing, f"={initial}", theme.PLAIN, theme.MONEY)
    total = layout.ref("pool total balance")
    put(sheet, row, layout["cash pool balance"].left, f"=ROUND({total},2)", theme.PLAIN, theme.MONEY)


def _totals(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    whole = layout["Distributions"]
    row = whole.bottom + 1
    for column in range(1, whole.right + 1):
        put(sheet, row, column, None, theme.TOTAL)
    put(sheet, row, 1, "Total", theme.TOTAL)
    names = [f"{name} {n}" for n in range(contents.classes) for name in ("interest", "principal")]
    names += [f"account {name} {n}" for n in range(contents.accounts) for name in ("deposit", "draw")]
    names += [f"cash {heading.lower()}" for heading in CASH_COLUMNS if heading != "Pool balance"]
    for name in names:
        found = layout[name]
        put(sheet, row, found.left, f"=SUM({here(found)})", theme.TOTAL, theme.MONEY)


SHEET = Sheet(TITLE, place, write)
