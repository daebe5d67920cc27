"""Statement: what the holders of each group are told about one payment date, and native proof of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.statement import POOL_FACTOR, Item
from xlmodel.functions.scenarios import STATEMENT_HEADER
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, column_of, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Statement"
_CHOICE = 4
_TOP = 10
_WIDTH = len(STATEMENT_HEADER)
_ITEM, _TEXT, _CLASS, _AMOUNT, _THOUSAND, _HOLDER = range(1, _WIDTH + 1)
_PROOF = _WIDTH + 2
_PROOFS = ("Amount", "Per 1,000", "Holder", "Difference")
_ABOVE = 4  # title, denomination, a blank row and the headings of each group
_DENOMINATION = 100_000


def place(contents: Contents) -> Mapping[str, Block]:
    """Blocks ``Statement1`` and so on, one a group, with ``denomination 0`` above and its proof beside it."""
    blocks = {"SelectedDate": block(TITLE, _CHOICE + 1, 3)}
    top = _TOP
    for number, group in enumerate(contents.groups):
        rows = len(contents.statement(group))
        found = block(TITLE, top + _ABOVE, 1, rows, _WIDTH)
        blocks[f"Statement{number + 1}"] = found
        blocks[f"denomination {number}"] = block(TITLE, top + 1, 3)
        blocks[f"statement proof {number}"] = block(TITLE, found.top, _PROOF, rows, len(_PROOFS))
        last = _PROOF + len(_PROOFS) - 1
        blocks[f"statement difference {number}"] = block(TITLE, found.top, last, rows)
        top = found.bottom + 4
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "To the holders, for one payment date: in dollars, for 1,000 of original denomination, for a holder.",
        inputs=True,
    )
    theme.widths(sheet, 1, 7, 56, 18, 20, 16, 18, 3, *([18] * (len(_PROOFS) - 1)), 13)
    _choice(sheet, contents, layout)
    for number, group in enumerate(contents.groups):
        _group(sheet, contents, layout, number, group)
    sheet.freeze_panes = "A3"
    ends = [layout[f"Statement{number}"].bottom + 2 for number in range(1, len(contents.groups) + 1)]
    printed = Block(TITLE, 1, 1, ends[-1], _WIDTH)
    theme.print_in_parts(sheet, printed=printed, title_rows=(1, _CHOICE + 4), ends=ends)


def _choice(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    number = layout.ref("ledger number")
    months = layout.term("first collection months")
    cutoff = layout.term("cutoff date")
    first = f"=EOMONTH({cutoff},IF({number}=1,0,{months}+{number}-2))+1"
    last = f"=EOMONTH({cutoff},{months}+{number}-1)"
    rows = (
        ("Scenario", "=SelectedScenario", None),
        ("Payment date", contents.trial[1].dates.adjusted[0].item(), theme.DATE),
        ("Collected from", first, theme.DATE),
        ("Collected to", last, theme.DATE),
    )
    for row, (label, value, number_format) in enumerate(rows, start=_CHOICE):
        chosen = row == layout["SelectedDate"].top
        put(sheet, row, 2, label, theme.NOTE)
        put(sheet, row, 3, value, theme.TEXT_INPUT if chosen else theme.STRONG_TEXT, number_format)
    put(sheet, _CHOICE, 4, "chosen on the sheet Scenarios", theme.INNER_NOTE)
    found = layout["SelectedDate"]
    theme.choose(sheet, found, layout.ref("path date"), "Choose a payment date.")


def _group(sheet: Worksheet, contents: Contents, layout: Layout, number: int, group: str) -> None:
    found, denomination = layout[f"Statement{number + 1}"], layout[f"denomination {number}"]
    name = layout.class_term(contents.groups[group], "group")
    put(sheet, denomination.top - 1, 1, f'="Statement to the holders of "&{name}', theme.SECTION)
    put(sheet, denomination.top, 2, "Original denomination of the holder, dollars", theme.NOTE)
    put(sheet, denomination.top, denomination.left, _DENOMINATION, theme.INPUT, theme.MONEY)
    looks = {_ITEM: theme.STATE_HEADING, _TEXT: theme.TEXT_HEADING, _CLASS: theme.INNER_HEADING}
    for column, heading in enumerate(STATEMENT_HEADER, start=1):
        put(sheet, found.top - 1, column, heading, looks.get(column, theme.HEADING))
    choice = f"SelectedDate,{name},{here(denomination)},SelectedScenario"
    formats = (theme.COUNT, None, None, theme.MONEY, theme.MONEY, theme.MONEY)
    formula = f"=XM_STATEMENT(Terms,Classes,Payments,Pools,Scenarios,{choice})"
    theme.put_array(sheet, found, formula, formats)
    items = contents.statement(group)
    for column, look in ((_ITEM, theme.STATE_TEXT), (_TEXT, theme.KEY), (_CLASS, theme.MONTH_LABEL)):
        theme.restyle(sheet, column_of(found, column - 1), look)
    for row, item in enumerate(items, start=found.top):
        put(sheet, row, _AMOUNT, None, theme.RIGHT, _number_format(item))
    # A line that goes on with the one above repeats its number and text.
    again = f"AND(${a1(found.top, _ITEM)}=${a1(found.top - 1, _ITEM)},${a1(found.top, _TEXT)}=\
${a1(found.top - 1, _TEXT)})"
    theme.mark_quiet(sheet, block(TITLE, found.top, _ITEM, len(items), 2), again)
    note = "#N/A: the model has no number of contracts; the servicer's records have."
    put(sheet, found.bottom + 1, _TEXT, note, theme.NOTE)
    _proof(sheet, contents, layout, number, items)


def _number_format(item: Item) -> str:
    if item.amount is None:
        return theme.COUNT
    return theme.FACTOR if item.text == POOL_FACTOR else theme.MONEY


def _proof(sheet: Worksheet, contents: Contents, layout: Layout, number: int, items: list[Item]) -> None:
    """Amounts from the row of XM_DISTRIBUTIONS, shares of them from the balances of the classes."""
    found = layout[f"statement proof {number}"]
    theme.group(sheet, found.top - 2, found.left, len(_PROOFS), "Proof")
    theme.put_row(sheet, found.top - 1, found.left, _PROOFS, theme.HEADING)
    denomination = here(layout[f"denomination {number}"])
    proved = _amounts(contents, layout, layout[f"Statement{number + 1}"].top, items)
    for row, (item, formula) in enumerate(zip(items, proved, strict=True), start=found.top):
        amount, thousand, holder = (a1(row, column) for column in (_AMOUNT, _THOUSAND, _HOLDER))
        pairs = []
        if formula:
            put(sheet, row, found.left, f"={formula}", theme.PLAIN, _number_format(item))
            pairs.append((amount, a1(row, found.left)))
        if item.per_thousand is not None:
            initial = layout.class_term(_position(contents, item), "balance")
            for offset, shown, share in ((1, thousand, "1000"), (2, holder, denomination)):
                # What should be half a cent may lie a hair below it.
                part = f"{amount}*MIN({share},{initial})/{initial}"
                if item.number == 5:  # of the balance: the denomination times the printed factor
                    part = f"{share}*ROUND({amount}/{initial},7)"
                native = f"=ROUND(ROUND({part},8),2)"
                put(sheet, row, found.left + offset, native, theme.PLAIN, theme.MONEY)
                pairs.append((shown, a1(row, found.left + offset)))
        if pairs:
            differences = "+".join(f"ABS({one}-{other})" for one, other in pairs)
            put(sheet, row, found.right, f"=ROUND({differences},7)", theme.PLAIN, theme.MONEY)
    theme.mark_difference(sheet, layout[f"statement difference {number}"])


def _position(contents: Contents, item: Item) -> int:
    return next(n for n, note_class in enumerate(contents.deal.classes) if note_class.name == item.of)


def _amounts(contents: Contents, layout: Layout, top: int, items: list[Item]) -> Iterator[str | None]:
    """A native formula for the amount of each item; None for what stands nowhere else."""
    balances: dict[str, str] = {}
    account = 0
    for row, item in enumerate(items, start=top):
        if item.number in (1, 3):
            column = "interest" if item.number == 1 else "principal"
            yield layout.ref(f"selected {column} {_position(contents, item)}")
        elif item.number == 4:
            yield layout.ref("selected cash fees paid")
        elif item.number == 5 and item.per_thousand is not None:
            balances[item.of] = a1(row, _AMOUNT)
            yield layout.ref(f"selected balance {_position(contents, item)}")
        elif item.number == 5 and item.of:
            initial = layout.class_term(_position(contents, item), "balance")
            if item.text == POOL_FACTOR:
                yield f"ROUND({balances[item.of]}/{initial},7)"
            else:  # the stub: what is left of whole thousands
                yield f"ROUND(ROUND(MOD({initial},1000)*ROUND({balances[item.of]}/{initial},7),8),2)"
        elif item.number == 5:
            yield f"ROUND({'+'.join(balances.values())},2)"
        elif item.number == 6:
            yield layout.ref("selected cash pool balance")
        elif item.number == 7:
            yield layout.ref(f"selected account closing {account}")
            account += 1
        else:
            yield None


SHEET = Sheet(TITLE, place, write)
