"""The checks of a card trust's workbook."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets.card_trust.series import PROOFS
from xlmodel.workbook.sheets.card_trust.shape import series_count
from xlmodel.workbook.sheets.check_cells import Check, all_zero
from xlmodel.workbook.sheets.comparison import Compared, tie_check
from xlmodel.workbook.sheets.layout import Layout


def compared(contents: Model) -> Sequence[Compared]:
    """The figures of another program, if the folder has them."""
    table = contents.published.get("figures")
    if table is None:
        return ()
    return (
        Compared(
            "figures",
            "Figures of each series, month by month: an independent second program's",
            "Figures",
            "PublishedFigures",
            table,
        ),
    )


def checks(contents: Model) -> list[Check[Model]]:
    """The checks that apply."""
    found = [
        _CONSERVED,
        *(_of_series(name, *words) for name, words in _SERIES.items()),
        _ONE_MONTH,
        _RESTRICTION,
    ]
    if contents.published:
        found.insert(0, _FIGURES)
    return found


def _zero(names: Callable[[Model], list[str]]) -> Callable[[Model, Layout], str]:
    return lambda contents, layout: "=" + all_zero([layout.ref(name) for name in names(contents)])


def _always(contents: Model) -> bool:
    return True


def _of_series(proof: str, name: str, sentence: str) -> Check[Model]:
    def names(contents: Model) -> list[str]:
        return [f"{proof} {n}" for n in range(series_count(contents))]

    return Check(name, sentence, _always, _zero(names))


_FIGURES: Check[Model] = tie_check(
    "check_figures", "figures", "Every figure of the second program is met to the cent."
)
_CONSERVED: Check[Model] = Check(
    "check_conserved",
    "Allocated to series and to the transferor = collected; receivables and transferor's interest roll.",
    _always,
    _zero(
        lambda contents: [
            f"allocation {name}" for name in ("finance", "principal", "defaults", "receivables", "transferor")
        ]
    ),
)
_SERIES = {
    "clause": ("check_clause", "Finance charges = floating × series percentage × collections, to a cent."),
    "required": ("check_shortfall", "Finance charge shortfall = required less funds, never below zero."),
    "finance": ("check_finance_charges", "Each series uses its finance charges once."),
    "principal": ("check_principal", "Each series uses its principal once."),
    "shortfall": ("check_principal_shortfall", "Principal shortfalls are those of the clause, by period."),
    "invested": (
        "check_invested",
        "Invested amounts roll: less write-downs and payments, plus reimbursements.",
    ),
    "funding": ("check_funding", "Principal funding accounts roll."),
    "classes": ("check_classes", "The classes of each series add up to it."),
    "spread": ("check_spread", "Yield, base rate and excess spread follow from the amounts."),
}
assert set(_SERIES) == set(PROOFS)
_ONE_MONTH: Check[Model] = Check(
    "check_one_month",
    "In the month chosen one call for all series shares what the run shares.",
    _always,
    _zero(
        lambda contents: [
            f"month {name} difference" for name in ("percentages", "excess", "principal", "shortfall")
        ]
    ),
)
_RESTRICTION: Check[Model] = Check(
    "check_restriction",
    "First received and oldest first are what native formulas say.",
    _always,
    _zero(lambda contents: ["restriction first difference", "restriction oldest difference"]),
)
