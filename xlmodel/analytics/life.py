"""Average lives: how long a dollar of a class is outstanding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.layout import some
from xlmodel.deal.timeline import years_from

Floats = NDArray[np.float64]


def average_life(deal: Deal, distributions: Distributions) -> Floats:
    """Sum of principal x years from closing, over the initial balance: (scenario, class), in years.

    NaN for a class that is not paid in full within the run: its life is not known.  Years run to the
    unadjusted payment date.  Source: CarMax Auto Owner Trust 1999-1 prospectus, pages 34 and 35.
    """
    years = years_from(
        deal.average_life_from, distributions.dates.unadjusted, deal.average_life_day_count.name
    )
    before = distributions.opening_balance
    weighted = np.zeros_like(before, dtype=np.float64)
    for period, year in enumerate(years.tolist()):  # one order of adding, however many scenarios there are
        after = distributions.balance[:, period]
        paid = before - after
        if some(paid):
            weighted += paid * year
        before = after
    weighted /= distributions.initial_balance
    return np.where(distributions.balance[:, -1] == 0, weighted, np.nan)
