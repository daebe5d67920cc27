"""Funding headroom: what may still be drawn on warehouse facilities, today and as they expire."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Facility:
    """A warehouse facility: its limit, and its last day (None for one that does not expire)."""

    limit: float
    expires: dt.date | None = None

    def open_on(self, day: dt.date | None) -> bool:
        return day is None or self.expires is None or day <= self.expires


def headroom(facilities: Sequence[Facility], drawn: float, day: dt.date | None = None) -> float:
    """Limits of the facilities open on a day, less what is drawn; negative if too much is drawn."""
    return sum(facility.limit for facility in facilities if facility.open_on(day)) - drawn
