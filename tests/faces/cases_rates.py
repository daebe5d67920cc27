"""Cases of rates of return, for the table in ``cases.py``."""

from __future__ import annotations

import datetime as dt

from tests.faces.case import CLOSING, DIV0, NAME, NUM, VALUE, Case

# fmt: off
RATES_CASES: tuple[Case, ...] = (
    # --- XM_IRR ---------------------------------------------------------------------------------------
    Case("one period", "XM_IRR", ([[-100.0], [110.0]],), 0.1, "110 / 100 - 1", digits=12),
    Case(
        "two rates, one by a guess", "XM_IRR", ([[-50.0, -100.0, 600.0, 300.0, -100.0]], 0.1),
         1.85441782845618,
        "numpy/numpy-financial, issue 28; the other is -0.768895470680781", digits=13,
    ),
    Case("no change of sign", "XM_IRR", ([[100.0], [110.0]],), NUM, "both received"),
    Case("nothing gained", "XM_IRR", ([[-100.0], [60.0], [40.0]],), 0.0, "100 back for 100", digits=12),
    Case("a blank among the flows", "XM_IRR", ([[-100.0], [None], [110.0]],), VALUE, "a gap"),
    Case("#DIV/0! among the flows", "XM_IRR", ([[-100.0], [DIV0]],), DIV0, "passes through"),
    Case("a guess of less than all", "XM_IRR", ([[-100.0], [110.0]], -1.0), NUM, "above -1"),
    Case("a text among the flows", "XM_IRR", ([[-100.0], ["110"]],), VALUE,
         "a text never counts as a number"),
    # --- XM_XIRR --------------------------------------------------------------------------------------
    Case("a year", "XM_XIRR", ([[-100.0], [110.0]], [[CLOSING], [dt.date(2000, 10, 27)]]), 0.1,
         "365 days, February 29 among them", digits=12),
    Case("four days", "XM_XIRR", ([[-10000.0, 9800.0]], [[dt.date(2022, 1, 24), dt.date(2022, 1, 28)]]),
         -0.84173699523486, "0.98 ^ (365 / 4) - 1", digits=13),
    Case("a date missing", "XM_XIRR", ([[-100.0], [110.0]], CLOSING), VALUE, "one a flow"),
    Case("dates in any order", "XM_XIRR", ([[110.0], [-100.0]], [[36826.0], [36461.0]]), 0.1, "365 days",
         digits=12),
    Case("all on one day", "XM_XIRR", ([[-100.0], [110.0]], [[CLOSING], [CLOSING]]), NUM, "no time passes"),
    Case("a blank date", "XM_XIRR", ([[-100.0], [110.0]], [[CLOSING], [None]]), VALUE, "a gap"),
    Case("#NAME? among the dates", "XM_XIRR", ([[-100.0], [110.0]], [[CLOSING], [NAME]]), NAME,
         "passes through"),
    Case("a guess", "XM_XIRR", ([[-100.0], [110.0]], [[36461.0], [36826.0]], 0.5), 0.1, "there is one rate",
         digits=12),
)
# fmt: on
