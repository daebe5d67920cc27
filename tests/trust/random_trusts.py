"""Random master trusts for the laws of conservation: any mix of series, groups, classes, bad months."""

from __future__ import annotations

import datetime as dt
import random

from xlmodel.trust.definition import Month, Series, SeriesClass, Trust


def month_end(number: int) -> dt.date:
    """The last day of a month, counted from January 2026."""
    first = dt.date(2026 + (number + 1) // 12, (number + 1) % 12 + 1, 1)
    return first - dt.timedelta(days=1)


def random_trust(seed: int) -> Trust:
    """A trust of one to four series and four to nine months; half of them in trouble."""
    draw = random.Random(seed)
    count, months = draw.randint(1, 4), draw.randint(4, 9)
    pools = {"I": draw.random() < 0.5, "II": draw.random() < 0.5}
    series = tuple(_series(draw, n, pools, months) for n in range(count))
    invested = sum(one.amount for one in series)
    receivables = int(invested * draw.choice([0.7, 1.0, 1.05, 1.3, 2.0]))
    stress = draw.choice([0.0, 1.0, 3.0])
    left, made = receivables, []
    for number in range(months):
        principal = int(left * draw.uniform(0.0, 0.5))
        defaults = int(left * draw.uniform(0.0, 0.01 + 0.06 * stress) * draw.random())
        added = int(left * draw.uniform(0.0, 0.6))
        charges = int(left * draw.uniform(0.0, 0.03)) if draw.random() < 0.9 else 0
        made.append(Month(month_end(number), charges, principal, defaults, added))
        left += added - principal - defaults
    return Trust(
        name=f"random {seed}",
        receivables=receivables,
        minimum_transferor=draw.choice([0.0, 0.07, 0.5]),
        account_rate=draw.choice([0.0, 0.03]),
        months_averaged=draw.randint(1, 3),
        restricted_from=month_end(draw.randrange(months)) if draw.random() < 0.3 else None,
        series=series,
        months=tuple(made),
    )


def _series(draw: random.Random, number: int, pools: dict[str, bool], months: int) -> Series:
    group = draw.choice(sorted(pools))
    start = draw.randrange(months)
    amounts = [draw.choice([0, 1, 33, 10_000_01, 75_000_000_00]) for _ in range(draw.randint(1, 4))]
    amounts[0] = draw.randint(1, 500_000_000_00)
    classes = tuple(
        SeriesClass("ABCD"[n], amount, draw.choice([0.0, 0.05, 0.2])) for n, amount in enumerate(amounts)
    )
    return Series(
        name=f"S{number}",
        group=group,
        pools=pools[group],
        fee=draw.choice([0.0, 0.02]),
        accumulates_from=month_end(start),
        expected_payment=month_end(draw.randint(start, months + 2)),
        controlled_amount=draw.randint(0, sum(amounts)),
        reserve=draw.choice([0.0, 0.005]),
        reserve_from=month_end(draw.randint(0, start)),
        shares_principal=draw.random() < 0.7,
        shares_excess=draw.random() < 0.7,
        classes=classes,
    )
