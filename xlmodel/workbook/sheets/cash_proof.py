"""Native proof of the cash: collections reach the waterfall, sources are uses, accounts roll forward."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.class_proof import bond_days
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, a1, block, cell
from xlmodel.workbook.sheets.theme import put

_CASH = ("sources", "uses", "sources less uses")
_YEARS = ("year fraction from closing", "years")


def place(contents: Contents, sheet: str, top: int, left: int) -> Mapping[str, Block]:
    """Columns in the order of ``_names``."""
    names = _names(contents)
    return {name: block(sheet, top, left + n, contents.dates) for n, name in enumerate(names)}


def write(sheet: Worksheet, contents: Contents, layout: Layout, top: int) -> list[int]:
    """The last column of the group."""
    names = _names(contents)
    left = layout[names[0]].left
    theme.group(sheet, top - 3, left, len(names), "Proof of the cash")
    for offset, name in enumerate(names):
        put(sheet, top - 2, left + offset, _heading(layout, name), theme.HEADING)
    theme.widths(sheet, left - 1, 3, *([17] * len(names)))
    for name in names:
        if "difference" in name or name.endswith("less uses"):
            theme.mark_difference(sheet, layout[name])
    for row in range(top, top + contents.dates):
        for name, formula in _formulas(contents, layout, row).items():
            shown = theme.FRACTION if name in _YEARS else theme.MONEY
            put(sheet, row, layout[name].left, formula, theme.PLAIN, shown)
    unadjusted, basis = layout["unadjusted date"], layout.term("average life day count")
    ends = Block(None, unadjusted.top, unadjusted.left, unadjusted.bottom, unadjusted.right)
    theme.put_array(
        sheet,
        layout["year fraction from closing"],
        f"=XM_YEARFRAC({layout.term('average life from')},{ends.text(absolute=False)},{basis})",
        [theme.FRACTION],
    )
    return [left + len(names) - 1]


def account_differences(contents: Contents) -> list[str]:
    """Names of the columns that show whether accounts roll forward."""
    openings = [f"account opening difference {n}" for n in range(contents.accounts)]
    return [*openings, "account roll difference"] if openings else []


def lives_comparable(contents: Contents) -> bool:
    """Whether average lives, which count as the printed tables do, follow from the sheet Distributions.

    Where the tables assume other payment dates than the deal has, interest differs by a few days' accrual,
    and so does principal that is paid from what interest leaves.
    """
    return contents.deal.table_roll in (None, contents.deal.roll)


def _names(contents: Contents) -> list[str]:
    return [*_CASH, *account_differences(contents), *_YEARS]


def _heading(layout: Layout, name: str) -> str:
    if name.startswith("account opening"):
        account = cell(layout["account account"], int(name.rsplit(maxsplit=1)[-1]), 0).text()
        return f'={account}&": opening, difference"'
    return name.replace("roll difference", "roll, difference").capitalize()


def _formulas(contents: Contents, layout: Layout, row: int) -> dict[str, str]:
    def at(name: str, above: int = 0) -> str:
        return a1(row - above, layout[name].left)

    classes, accounts = range(contents.classes), range(contents.accounts)

    def moved(move: str) -> list[str]:
        return [at(f"account {move} {n}") for n in accounts]

    paid = [at(f"{kind} {n}") for n in classes for kind in ("interest", "principal")]
    sources = [at("cash available funds"), *moved("draw"), at("cash policy claims")]
    uses = [at("cash fees paid"), *paid, at("cash paid to insurers"), *moved("deposit"), at("cash remainder")]
    formulas = {
        "sources": "=" + "+".join(sources),
        "uses": "=" + "+".join(uses),
        "sources less uses": f"=ROUND({at('sources')}-{at('uses')},2)",
    }
    for n in accounts:
        opening, before = at(f"account opening {n}"), at(f"account closing {n}", above=1)
        formulas[f"account opening difference {n}"] = f"=ROUND({opening}-{before},2)"
    if contents.accounts:
        # What accounts release is one column, so all accounts roll forward together.
        left = "+".join([*moved("opening"), *moved("deposit")])
        right = "-".join([*moved("draw"), at("cash released"), *moved("closing")])
        formulas["account roll difference"] = f"=ROUND({left}-{right},2)"
    start, end = layout.term("average life from"), a1(row, layout["unadjusted date"].left)
    basis = layout.term("average life day count")
    native = f'IF({basis}="30/360",({bond_days(start, end)})/360,{at("year fraction from closing")})'
    formulas["years"] = f"={native}"
    return formulas
