"""Other readings of a deal, each one change away: a tie means little if they tie as well.

READINGS is short and generic.  One that a deal leaves no room for (no call, ages of nought) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from xlmodel.conventions import day_count
from xlmodel.deal.definition import Deal
from xlmodel.pool.collateral import Collateral
from xlmodel.pool.contracts import Pool

Reading = tuple[Deal, Collateral]


@dataclass(frozen=True)
class Other:
    """A reading by its name and a sentence; ``change`` gives None where the deal leaves no room for it."""

    name: str
    sentence: str
    change: Callable[[Deal, Collateral], Reading | None]


def _age_from_cutoff(deal: Deal, pool: Collateral) -> Reading | None:
    if not isinstance(pool, Pool) or not pool.age.any():
        return None
    return deal, replace(pool, original_term=pool.remaining_term)


def _one_month(deal: Deal, pool: Collateral) -> Reading | None:
    if deal.as_of_date is not None or deal.first_collection_months == 1:
        return None
    return replace(deal, first_collection_months=1), pool


def _one_month_more(deal: Deal, pool: Collateral) -> Reading | None:
    if deal.as_of_date is not None or deal.first_collection_months > 11:
        return None
    return replace(deal, first_collection_months=deal.first_collection_months + 1), pool


def _no_call(deal: Deal, pool: Collateral) -> Reading | None:
    if deal.call is None or not deal.call.exercised:
        return None
    return deal.to_maturity, pool


def _life_from_closing(deal: Deal, pool: Collateral) -> Reading | None:
    if deal.average_life_from == deal.closing_date:
        return None
    return replace(deal, average_life_from=deal.closing_date), pool


def _day_counts(name: str) -> Callable[[Deal, Collateral], Reading | None]:
    """All classes accrue by one convention."""

    def change(deal: Deal, pool: Collateral) -> Reading | None:
        convention = day_count.find(name)
        if all(c.day_count.name == convention.name for c in deal.classes):
            return None
        return replace(deal, classes=tuple(replace(c, day_count=convention) for c in deal.classes)), pool

    return change


READINGS = (
    Other(
        "age from cutoff", "Contracts count their age from the cutoff date, not origination", _age_from_cutoff
    ),
    Other("one collection month", "The first payment takes one month of collections", _one_month),
    Other(
        "a collection month more", "The first payment takes one more month of collections", _one_month_more
    ),
    Other("no call", "The call is not exercised", _no_call),
    Other("lives from closing", "Average lives count from the closing date", _life_from_closing),
    Other("all 30/360", "Every class accrues 30/360", _day_counts("30/360")),
    Other("all actual/360", "Every class accrues actual/360", _day_counts("actual/360")),
)


def other_readings(deal: Deal, pool: Collateral) -> Iterator[tuple[Other, Deal, Collateral]]:
    """The readings that a deal leaves room for."""
    for other in READINGS:
        changed = other.change(deal, pool)
        if changed is not None:
            yield other, *changed
