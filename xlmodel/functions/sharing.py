"""Sharing an amount in cells: XM_ALLOCATE."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.allocation import pro_rata, sequential
from xlmodel.conventions.money import to_cents
from xlmodel.errors import OutOfRange, UnknownName, WrongShape
from xlmodel.functions.cells import Rows
from xlmodel.functions.kinds import Number, Numbers, Text
from xlmodel.functions.registry import function


@function("XM_ALLOCATE", "Deal")
def allocate(
    available: Number, claims: Numbers, method: Text = "sequential", weights: Numbers | None = None
) -> Rows:
    """Shares an amount among claims, to the cent: what each is paid and what it falls short.

    One row a claim; columns: paid, short.  Cents left over by rounding go to the largest remainders, ties
    in the order of the claims.  No claim is paid more than it is.

    available: Amount to share, in dollars, zero or more.
    claims: Amounts due, in dollars, zero or more, senior first.
    method: sequential, or pro rata; sequential when omitted.
    weights: Weights of the shares for pro rata; the claims themselves when omitted.
    """
    if available < 0:
        raise OutOfRange(f"the amount {available:,.15g} is negative").at(argument="available")
    for position, claim in enumerate(claims, start=1):
        if claim < 0:
            raise OutOfRange(f"claim {position} is negative: {claim:,.15g}").at(argument="claims")
    if weights is not None and len(weights) != len(claims):
        raise WrongShape(f"{len(weights)} weights for {len(claims)} claims").at(argument="weights")
    cash, due = to_cents(np.array([available])), to_cents(np.array([claims]))
    wanted = " ".join(method.lower().replace("-", " ").split())
    if wanted == "sequential":
        paid = sequential(cash, due)
    elif wanted == "pro rata":
        paid = pro_rata(cash, due, None if weights is None else _scaled(weights)[None, :])
    else:
        raise UnknownName(f"there is no method {method!r}; known: sequential, pro rata").at(argument="method")
    rows: Rows = (np.stack([paid[0], due[0] - paid[0]], axis=1) / 100).tolist()
    return rows


def _scaled(weights: list[float]) -> NDArray[np.int64]:
    """Weights as integers of the same proportions, to nine digits of the largest."""
    array = np.array(weights)
    if (array < 0).any():
        raise OutOfRange("a weight is negative").at(argument="weights")
    largest = float(array.max(initial=0.0))
    return (
        np.round(array / largest * 1e9).astype(np.int64) if largest else np.zeros(len(array), dtype=np.int64)
    )
