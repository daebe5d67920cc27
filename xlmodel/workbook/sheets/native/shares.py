"""Who gets what of an amount that does not reach: tiers one after the other, inside a tier in proportion.

Cents that do not divide go by largest remainder in our functions.  Between two payees that is one rounding;
among three or more natively each running total is rounded, which may put a cent elsewhere: a check cell says
where such a row was short.
"""

from __future__ import annotations

from collections.abc import Sequence

from xlmodel.workbook.sheets.native.template import cents, total


def shared(
    amount: str, dues: Sequence[str], weights: Sequence[str], tiers: Sequence[Sequence[int]]
) -> list[str]:
    """What each payee gets of an amount, given what it is due; templates, in the order of ``dues``.

    ``tiers``: places in ``dues``; ``weights`` are what a tier shares by.
    """
    found = [""] * len(dues)
    before: list[str] = []
    for tier in tiers:
        reaching = f"MAX(0,{amount}-({total(before)}))" if before else amount
        if len(tier) == 1:
            found[tier[0]] = cents(f"MIN({dues[tier[0]]},{reaching})")
        else:
            whole = total([dues[n] for n in tier])
            by = total([weights[n] for n in tier])
            for place, n in enumerate(tier):
                running = total([weights[m] for m in tier[: place + 1]])
                earlier = total([weights[m] for m in tier[:place]])
                less = f"-{cents(f'({reaching})*({earlier})/({by})')}" if place else ""
                part = f"{cents(f'({reaching})*({running})/({by})')}{less}"
                found[n] = cents(f"IF({reaching}>={whole},{dues[n]},{part})")
        before += [dues[n] for n in tier]
    return found
