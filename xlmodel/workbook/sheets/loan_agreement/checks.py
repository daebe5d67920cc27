"""The checks of a loan agreement's workbook."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets.check_cells import Check, all_zero
from xlmodel.workbook.sheets.comparison import Compared, tie_check
from xlmodel.workbook.sheets.layout import Layout

_TITLES = {
    "receipts": ("Receipts by payee, worked by hand", "ReceiptsPaid"),
    "claims": ("Claims after an event of default, worked by hand: due, paid, short", "ClaimsPaid"),
}


def compared(contents: Model) -> Sequence[Compared]:
    """Figures worked by hand, as far as the folder has them."""
    return [
        Compared(name, title, block, f"Published{block}", contents.published[name])
        for name, (title, block) in _TITLES.items()
        if name in contents.published
    ]


def checks(contents: Model) -> list[Check[Model]]:
    """The checks that apply."""
    ties: list[Check[Model]] = [
        tie_check(f"check_{name}", name, f"{title}: every figure is met to the cent.")
        for name, (title, _) in _TITLES.items()
        if name in contents.published
    ]
    return [*ties, *_CHECKS]


def _zero(*names: str) -> Callable[[Model, Layout], str]:
    return lambda contents, layout: "=" + all_zero([layout.ref(name) for name in names])


def _always(contents: Model) -> bool:
    return True


_CHECKS: tuple[Check[Model], ...] = (
    Check(
        "check_received",
        "Paid to all and left with the agent = received.",
        _always,
        _zero("receipts proof sum"),
    ),
    Check(
        "check_rateably",
        "Before an event of default each bank's part is its percentage, to a cent.",
        _always,
        _zero("receipts proof banks"),
    ),
    Check(
        "check_rungs",
        "After it each rung is paid in full before the next.",
        _always,
        _zero("rungs difference"),
    ),
    Check(
        "check_pro_rata",
        "Within a rung each is paid its share of what reaches the rung, to a cent.",
        _always,
        _zero("claims difference"),
    ),
    Check(
        "check_percentages",
        "The percentages of the banks add up to 100%.",
        _always,
        lambda contents, layout: (
            "=AND("
            + ",".join(
                f"ROUND(SUM({layout.ref(f'banks {name} percentage')})-1,9)=0"
                for name in ("term", "revolving", "total")
            )
            + ")"
        ),
    ),
)
