"""Published figures that do not tie, one by one with the reason: ``published/exceptions.csv``.

An exception holds for one figure of one check, as long as the figure is printed and computed as it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from xlmodel.conventions.money import round_half_up
from xlmodel.errors import BadPublished
from xlmodel.workbook.csv_rows import Row, read_rows

FILE = "exceptions.csv"
ROUNDING, ERROR = REASONS = ("rounding in the source", "error in the source")
_HEADINGS = ("check", "figure", "printed", "computed", "reason", "explanation")


@dataclass(frozen=True)
class Explained:
    """One figure that does not tie.  ``computed`` is known to ``decimals``, more than are printed."""

    check: str
    figure: str
    printed: float
    computed: float
    decimals: int
    reason: str
    explanation: str

    def holds(self, printed: object, found: object) -> bool:
        """Whether the figure still is what was explained."""
        return (
            isinstance(found, float)
            and printed == self.printed
            and round_half_up(found, self.decimals) == self.computed
        )


def read_exceptions(published: Path) -> tuple[Explained, ...]:
    """The exceptions of a folder ``published``; none where there is no such file.

    Raises BadPublished, with file and row, for a reason that is none of REASONS, or one that is not told.
    """
    rows = read_rows(published / FILE, _HEADINGS)
    return tuple(_explained(row) for row in rows or ())


def _explained(row: Row) -> Explained:
    reason = row.text("reason")
    if reason not in REASONS:
        raise row.bad(f"{reason!r} is no reason", "reason", f"write one of: {', '.join(REASONS)}")
    printed, _ = _number(row, "printed")
    computed, decimals = _number(row, "computed")
    return Explained(
        row.text("check"), row.text("figure"), printed, computed, decimals, reason, row.text("explanation")
    )


def _number(row: Row, heading: str) -> tuple[float, int]:
    """A figure in the workbook's unit, and its decimals: 8.6% is 0.086."""
    text = row.text(heading)
    try:
        number = Decimal(text.removesuffix("%"))
    except InvalidOperation:
        raise _no_number(row, heading, text) from None
    if not number.is_finite():
        raise _no_number(row, heading, text)
    number = number.scaleb(-2) if text.endswith("%") else number
    return float(number), max(-int(number.as_tuple().exponent), 0)


def _no_number(row: Row, heading: str, text: str) -> BadPublished:
    return row.bad(f"{text!r} is no figure", heading, "write it as printed, such as -53.6 or 8.6%")
