"""The checks of a servicer's workbook."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets.check_cells import Check, all_zero
from xlmodel.workbook.sheets.comparison import Compared, tie_check
from xlmodel.workbook.sheets.layout import Layout


def compared(contents: Model) -> Sequence[Compared]:
    """The ledger worked by hand, if the folder has it."""
    table = contents.published.get("ledger")
    if table is None:
        return ()
    title = "The ledger from the amount on, worked by hand"
    return (Compared("ledger", title, "LedgerAmounts", "PublishedLedgerAmounts", table, dates=(5,)),)


def checks(contents: Model) -> list[Check[Model]]:
    """The checks that apply."""
    ties: list[Check[Model]] = []
    if contents.published:
        ties.append(
            tie_check("check_ledger", "ledger", "Every figure of the ledger is met as worked by hand.")
        )
    return [*ties, *_CHECKS]


def _zero(*names: str) -> Callable[[Model, Layout], str]:
    return lambda contents, layout: "=" + all_zero([layout.ref(name) for name in names])


def _always(contents: Model) -> bool:
    return True


_CHECKS: tuple[Check[Model], ...] = (
    Check(
        "check_receipts",
        "Received = kept, left out and remitted, line by line.",
        _always,
        _zero("ledger used"),
    ),
    Check(
        "check_advances",
        "Advanced less determined and kept = outstanding on each receivable.",
        _always,
        _zero("ledger outstanding"),
    ),
    Check(
        "check_unreimbursed",
        "Determined less kept = Unreimbursed Servicer Advances outstanding.",
        _always,
        _zero("ledger unreimbursed"),
    ),
    Check(
        "check_in_time",
        "Two business days are never more than five days.",
        _always,
        _zero("ledger in time"),
    ),
    Check(
        "check_report",
        "By month received = its uses; by day nothing is remitted that is not there, and nothing is left.",
        _always,
        _zero("report proof", "report days proof"),
    ),
)
