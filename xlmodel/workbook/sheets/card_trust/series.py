"""One sheet a series: what it is allocated, owes, pays and shares; its classes; and native proofs of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.trust.tables import CLASS_COLUMNS
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, at, proof_column, write_array
from xlmodel.workbook.sheets.card_trust import rules
from xlmodel.workbook.sheets.card_trust.allocation import HEADINGS as TRUST_HEADINGS
from xlmodel.workbook.sheets.card_trust.shape import SERIES_HEADINGS, TABLES, trust_months, trust_of
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell
from xlmodel.workbook.sheets.theme import put

_TOP = 6
_NOTES = {
    "Series percentage": rules.PERCENTAGES.note,
    "Floating percentage": rules.PERCENTAGES.note,
    "Floating or fixed percentage": rules.PERCENTAGES.note,
    "Finance charges": rules.FLOATING.note,
    "Reallocated finance charges": rules.POOLING.note,
    "Reserve draw": rules.ACCUMULATION.note,
    "Required": rules.EXCESS.note,
    "Finance charge shortfall": rules.EXCESS.note,
    "Excess given": rules.GIVING.note,
    "Excess received": rules.EXCESS.note,
    "Interest paid": rules.APPLICATION.note,
    "Reimbursed": rules.CHARGE_OFFS.note,
    "Reallocated principal": rules.REALLOCATED.note,
    "Charged off": rules.CHARGE_OFFS.note,
    "Wanted": rules.SHARED_PRINCIPAL.note,
    "Principal shortfall": rules.SHARED_PRINCIPAL.note,
    "Shared principal given": rules.GIVING.note,
    "Shared principal received": rules.SHARED_PRINCIPAL.note,
    "Deposit": rules.ACCUMULATION.note,
    "Portfolio yield": rules.SPREAD.note,
    "Average excess spread": rules.SPREAD.note,
}
_CLASS_NOTES = {
    "paid from junior principal": rules.REALLOCATED.note,
    "principal taken": rules.REALLOCATED.note,
    "charged off": rules.CHARGE_OFFS.note,
    "reimbursed": rules.CHARGE_OFFS.note,
}
PROOFS = (
    "clause",
    "required",
    "finance",
    "principal",
    "shortfall",
    "invested",
    "funding",
    "classes",
    "spread",
)
_HEADINGS = {
    "clause": "Floating × series × collections",
    "required": "Required and shortfall",
    "finance": "Finance charges used",
    "principal": "Principal used",
    "shortfall": "Principal shortfall",
    "invested": "Invested amount rolls",
    "funding": "Principal funding rolls",
    "classes": "Classes add up",
    "spread": "Yield less base rate",
}


def series_sheet(number: int) -> Sheet[Model]:
    """The sheet of the series of that number, from 0.  Its name stands in a cell, so it may be changed."""
    title = f"Series {number + 1}"

    def place(contents: Model) -> Mapping[str, Block]:
        months = trust_months(contents)
        whole = block(title, _TOP, 1, months, len(SERIES_HEADINGS))
        classes = block(title, _TOP, whole.right + 2, months, len(_class_headings(contents, number)))
        proofs = {
            f"{name} {number}": block(title, _TOP, classes.right + 2 + n, months)
            for n, name in enumerate(PROOFS)
        }
        return {
            f"Series{number + 1}": whole,
            f"Classes{number + 1}": classes,
            f"series name {number}": block(title, 3, 2),
            **proofs,
        }

    def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
        theme.head(
            sheet,
            contents.title,
            title,
            "Month by month: allocated, due, paid, shared, written down, deposited.",
        )
        name = layout[f"series name {number}"]
        put(sheet, 3, 1, "Series", theme.NOTE)
        put(sheet, 3, 2, f"={input_cell(layout, 'Series', 'series', number)}", theme.STRONG)
        whole, classes = layout[f"Series{number + 1}"], layout[f"Classes{number + 1}"]
        call = f"({TABLES},{a1(name.top, name.left)})"
        write_array(sheet, whole, f"=XM_TRUST_SERIES{call}", SERIES_HEADINGS, _NOTES)
        headings = _class_headings(contents, number)
        notes = {
            one.text: note
            for one in headings
            for ending, note in _CLASS_NOTES.items()
            if one.text.endswith(f": {ending}")
        }
        write_array(sheet, classes, f"=XM_TRUST_CLASSES{call}", headings, notes)
        theme.group(sheet, _TOP - 2, classes.left, len(headings), "By class")
        _proofs(sheet, contents, layout, number, headings)
        last = layout[f"{PROOFS[-1]} {number}"].right
        theme.mark_period(sheet, Block(title, whole.top, 2, whole.bottom, 2))
        sheet.freeze_panes = f"C{_TOP}"
        theme.print_in_groups(
            sheet,
            title=f"{contents.title} – {title}",
            printed=Block(title, _TOP - 2, 1, whole.bottom, last),
            title_rows=(_TOP - 2, _TOP - 1),
            title_columns=(1, 2),
            ends=_ends(whole, classes, last),
        )

    return Sheet(title, place, write)


def _ends(whole: Block, classes: Block, last: int) -> list[int]:
    """Where a page may end: after eight columns or so, and after each class."""
    step = len(CLASS_COLUMNS)
    of_classes = range(classes.left + step, classes.right + 1, step)
    return [*range(9, whole.right, 7), whole.right, *of_classes, last]


def _class_headings(contents: Model, number: int) -> list[Heading]:
    classes = trust_of(contents).series[number].classes
    money = [Heading(f"{one.name}: {name}", "money") for one in classes for name, _ in CLASS_COLUMNS]
    return [Heading("Month", "date"), *money]


def _proofs(
    sheet: Worksheet, contents: Model, layout: Layout, number: int, class_headings: Sequence[Heading]
) -> None:
    whole, classes = layout[f"Series{number + 1}"], layout[f"Classes{number + 1}"]
    trust = layout["TrustMonths"]
    formulas: dict[str, list[str]] = {name: [] for name in PROOFS}
    for row in range(whole.shape[0]):
        v = {one.text: at(whole, SERIES_HEADINGS, one.text, row) for one in SERIES_HEADINGS}
        charges = cell(trust, row, [one.text for one in TRUST_HEADINGS].index("Finance charges")).text()
        written = _by_class(classes, class_headings, row)
        funds = f"{v['Reallocated finance charges']}+{v['Account proceeds']}+{v['Reserve draw']}"
        required = "+".join(
            v[name] for name in ("Interest due", "Fee due", "Defaults", "Earlier write-downs", "Reserve due")
        )
        used = "+".join(
            v[name]
            for name in (
                "Interest paid",
                "Fee paid",
                "Defaults covered",
                "Reimbursed",
                "Reserve deposit",
                "Excess given",
                "Left to transferor",
            )
        )
        clause = f"{v['Floating percentage']}*{v['Series percentage']}*{charges}"
        # The largest remainder may move a cent.
        formulas["clause"].append(
            f"=IF(ABS(ROUND({clause}-{v['Finance charges']},2))<=0.01,0,"
            f"ROUND({clause}-{v['Finance charges']},2))"
        )
        formulas["required"].append(
            f"=ROUND({required}-{v['Required']},2)"
            f"+ROUND(MAX(0,{v['Required']}-({funds}))-{v['Finance charge shortfall']},2)"
        )
        formulas["finance"].append(f"=ROUND({funds}+{v['Excess received']}-({used}),2)")
        formulas["principal"].append(
            f"=ROUND({v['Principal']}-{v['Reallocated principal']}+{v['Defaults covered']}+{v['Reimbursed']}"
            f"+{v['Shared principal received']}-{v['Deposit']}-{v['Shared principal given']}"
            f"-{v['Principal left']},2)"
        )
        before = f"{v['Invested amount']}-{v['Principal funding account']}"
        losses = f"{v['Reallocated principal']}-{v['Charged off']}+{v['Reimbursed']}"
        wanted = (
            f'IF({v["Period"]}="early amortization",{before}-{losses},'
            f'IF({v["Period"]}="accumulation",{v["Wanted"]},0))'
        )
        formulas["shortfall"].append(
            f"=ROUND(MAX(0,ROUND({wanted},2)-{v['Available principal']})-{v['Principal shortfall']},2)"
        )
        formulas["invested"].append(
            f"=ROUND({v['Invested amount']}-{losses}-{v['Paid to holders']}-{v['Invested amount after']},2)"
        )
        formulas["funding"].append(
            f"=ROUND({v['Principal funding account']}+{v['Deposit']}-{v['Paid to holders']}"
            f"-{v['Principal funding after']},2)"
        )
        formulas["classes"].append(
            f"=ROUND({written['invested amount after']}-{v['Invested amount after']},2)"
            f"+ROUND({written['principal taken']}-{v['Reallocated principal']},2)"
            f"+ROUND({written['charged off']}-{v['Charged off']},2)"
        )
        formulas["spread"].append(
            f"=ROUND({v['Portfolio yield']}-{v['Base rate']}-{v['Excess spread']},9)+ROUND(IF("
            f"ROUND({v['Invested amount']},2)=0,0,12*({funds}-{v['Defaults']})/{v['Invested amount']})"
            f"-{v['Portfolio yield']},9)"
        )
    notes = {
        "clause": rules.FLOATING.note,
        "shortfall": rules.SHARED_PRINCIPAL.note,
        "spread": rules.SPREAD.note,
    }
    left = layout[f"{PROOFS[0]} {number}"].left
    theme.group(sheet, _TOP - 2, left, len(PROOFS), "Native proof, differences")
    for name in PROOFS:
        proof_column(sheet, layout[f"{name} {number}"], _HEADINGS[name], formulas[name], notes.get(name))


def _by_class(classes: Block, headings: Sequence[Heading], row: int) -> dict[str, str]:
    """The sum over the classes of each class column."""
    found: dict[str, list[str]] = {}
    for offset, heading in enumerate(headings[1:], start=1):
        name = heading.text.split(": ", 1)[1]
        found.setdefault(name, []).append(a1(classes.top + row, classes.left + offset))
    return {name: "+".join(cells) for name, cells in found.items()}
