"""From dollars to cents that add up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from xlmodel.deal.receipts import monthly_cents
from xlmodel.pool.contracts import pool_from_rows
from xlmodel.pool.projection import Collections, project


def collected(**dollars: list[float]) -> Collections:
    """Two months of one scenario, in which nothing else comes in."""
    one = project(pool_from_rows([[100.0, 0.0, 2, 2]]), np.array([0.0]))
    arrays: dict[str, Any] = {name: np.array([amounts]) for name, amounts in dollars.items()}
    return replace(one, **arrays)


def test_the_last_cent_of_a_pool_leaves_it_once() -> None:
    """Of 0.003 dollars 0.006 would default: 0 cents are left, and none can leave."""
    monthly = monthly_cents(
        collected(
            beginning_balance=[0.004, 0.003],
            ending_balance=[0.003, 0.0],
            scheduled_principal=[0.001, 0.0],
            defaulted=[0.0, 0.006],
            purchase_amount=[0.0, 0.005],
        )
    )
    assert monthly.defaulted.tolist() == [[0, 0]]
    assert monthly.purchase.tolist() == [[0, 0]]
    assert (monthly.principal >= 0).all()
    assert (monthly.cash >= 0).all()


def test_what_leaves_a_balance_adds_up() -> None:
    monthly = monthly_cents(
        collected(
            beginning_balance=[100.0, 60.25],
            ending_balance=[60.25, 0.0],
            scheduled_principal=[25.0, 39.0],
            defaulted=[10.004, 0.251],
            purchase_amount=[0.0, 20.0],
        )
    )
    # 100.00 - 60.25 - 10.00 = 29.75; 60.25 - 0 - 0.25 - 20.00 = 40.00
    assert monthly.principal.tolist() == [[29_75, 40_00]]
    assert monthly.defaulted.tolist() == [[10_00, 25]]
