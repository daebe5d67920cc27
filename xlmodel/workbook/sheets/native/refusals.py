"""What a native workbook cannot say yet, found before anything is written."""

from __future__ import annotations

from collections.abc import Iterable

from xlmodel.deal.check import ORDINARY
from xlmodel.deal.definition import Clause, Deal
from xlmodel.errors import NotNative
from xlmodel.pool.contracts import Pool
from xlmodel.workbook.sheets.contents import Contents

DAY_COUNTS = ("30/360", "actual/360", "actual/365 fixed")
MODELS = ("ABS", "SMM", "CPR")


def require_native(contents: Contents) -> None:
    """Raises NotNative with the table, the row and the reason."""
    deal = contents.deal
    if not isinstance(contents.folder.pool, Pool):
        raise NotNative("the native form projects contracts; the collateral of this deal is reported months")
    if contents.folder.pool.delay is not None and contents.folder.pool.delay.any():
        raise NotNative("contracts whose payments begin later (delay) are not worked natively")
    if deal.prepayment_model not in MODELS:
        raise _term(f"the prepayment model {deal.prepayment_model} is not one of {', '.join(MODELS)}")
    if deal.average_life_day_count.name not in DAY_COUNTS:
        raise _term(f"average lives on {deal.average_life_day_count.name} are not worked natively")
    for note_class in deal.classes:
        if note_class.day_count.name not in DAY_COUNTS:
            raise NotNative(
                f"class {note_class.name} accrues on {note_class.day_count.name}; natively worked are "
                f"{', '.join(DAY_COUNTS)}"
            ).at(**note_class.record.place("day count"))


def clause_refused(clause: Clause, why: str, column: str = "pay") -> NotNative:
    """A clause that cannot be said, by its number."""
    return NotNative(f"clause {clause.number}, {clause.record['pay']!r}: {why}").at(
        **clause.record.place(column)
    )


def covered_rows(covers: Iterable[str], rows: list[Clause], source: str) -> int:
    """How many of the first rows a source covers.  Raises NotNative where the covered ones have a gap."""
    covered = [clause.number in set(covers) for clause in rows]
    count = sum(covered)
    if not all(covered[:count]):
        gap = rows[covered.index(False)]
        raise clause_refused(
            gap, f"{source} covers clauses below it, and not this one: natively it covers the first rows"
        )
    return count


def ordinary(deal: Deal) -> list[Clause]:
    return list(deal.priority(ORDINARY))


def _term(why: str) -> NotNative:
    return NotNative(why).at(table="terms")
