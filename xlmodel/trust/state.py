"""What a month of a series starts from and leaves behind; all amounts in cents."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from xlmodel.trust.definition import Month, Series


class Period(Enum):
    """Where a series stands."""

    REVOLVING = "revolving"
    ACCUMULATION = "accumulation"
    EARLY = "early amortization"
    ENDED = "ended"


@dataclass
class SeriesState:
    """A series between two months.

    ``balance`` is what holders have not been paid; ``invested`` is that less write-downs.  ``fixed``: the
    invested amount at the end of the revolving period, once it has ended.  ``spreads``: excess spread by
    month.
    """

    series: Series
    balance: list[int]
    invested: list[int]
    overdue: list[int]
    overdue_fee: int = 0
    funding: int = 0
    reserve: int = 0
    deposit_short: int = 0
    fixed: int | None = None
    early: bool = False
    spreads: list[Fraction] = field(default_factory=list)

    @classmethod
    def opening(cls, series: Series) -> SeriesState:
        amounts = [one.amount for one in series.classes]
        return cls(series, list(amounts), list(amounts), [0] * len(amounts))

    @property
    def adjusted(self) -> int:
        """The invested amount that the principal funding account does not hold already."""
        return sum(self.invested) - self.funding

    @property
    def reductions(self) -> list[int]:
        return [owed - left for owed, left in zip(self.balance, self.invested, strict=True)]

    def period(self, month: Month) -> Period:
        """Where the series stands in a month; an early amortisation never ends."""
        if not sum(self.invested):
            return Period.ENDED
        if self.early:
            return Period.EARLY
        return Period.REVOLVING if month.end < self.series.accumulates_from else Period.ACCUMULATION

    def numerator(self, period: Period) -> int:
        """What principal is allocated by; the invested amount is fixed when the revolving period ends."""
        if not self.adjusted:
            return 0  # nothing is left to be collected
        if period is Period.REVOLVING:
            return self.adjusted
        if self.fixed is None:
            self.fixed = sum(self.invested)
        return self.fixed
