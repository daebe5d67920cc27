"""Small trusts in whole dollars, for tests that work a clause by hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xlmodel.trust.definition import Month, Series, SeriesClass, Trust

NEVER = dt.date(2099, 1, 31)


def series(name: str, *classes: tuple[str, float, float], **changes: Any) -> Series:
    """A revolving series without fee or reserve, in a group that does not reallocate; classes in dollars."""
    plain = Series(
        name=name,
        group="One",
        pools=False,
        fee=0.0,
        accumulates_from=NEVER,
        expected_payment=NEVER,
        controlled_amount=0,
        reserve=0.0,
        reserve_from=NEVER,
        shares_principal=True,
        shares_excess=True,
        classes=tuple(SeriesClass(one, round(amount * 100), rate) for one, amount, rate in classes),
    )
    return replace(plain, **changes)


def trust(receivables: float, members: Sequence[Series], months: Sequence[Month], **changes: Any) -> Trust:
    plain = Trust("small", round(receivables * 100), 0.0, 0.0, 3, None, tuple(members), tuple(months))
    return replace(plain, **changes)


def month(
    number: int, charges: float = 0.0, principal: float = 0.0, defaults: float = 0.0, added: float = 0.0
) -> Month:
    """A month of 2026, from 1; dollars."""
    end = (dt.date(2026, number, 28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
    return Month(end, *(round(amount * 100) for amount in (charges, principal, defaults, added)))
