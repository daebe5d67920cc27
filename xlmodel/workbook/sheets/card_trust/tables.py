"""The input sheets of a card master trust: Terms and Months."""

from __future__ import annotations

from xlmodel.trust.schemas import CLASSES, GROUPS, MONTHS, SERIES, TRUST
from xlmodel.workbook.sheets.card_trust import rules
from xlmodel.workbook.sheets.input_tables import Inputs, input_sheet

TERMS = input_sheet(
    Inputs(
        "Terms",
        "The trust, its groups, series and classes: what is computed is what stands here.",
        (TRUST, GROUPS, SERIES, CLASSES),
        notes={
            ("Trust", "restricted from"): rules.RESTRICTION.note,
            ("Trust", "minimum transferor"): rules.TRANSFEROR.note,
            ("Trust", "months averaged"): rules.SPREAD.note,
            ("Groups", "reallocates"): rules.POOLING.note,
            ("Series", "controlled amount"): rules.ACCUMULATION.note,
            ("Series", "reserve"): rules.ACCUMULATION.note,
            ("Series", "shares principal"): rules.SHARED_PRINCIPAL.note,
            ("Series", "shares excess"): rules.EXCESS.note,
            ("Classes", "rate"): rules.APPLICATION.note,
        },
    )
)
ACCOUNTS = input_sheet(
    Inputs(
        "Months",
        "What the servicer reports of the accounts, month by month. Synthetic.",
        (MONTHS,),
        notes={
            ("Months", "finance charges"): rules.FLOATING.note,
            ("Months", "defaults"): rules.CHARGE_OFFS.note,
            ("Months", "month"): rules.MONTHS.note,
        },
    )
)
