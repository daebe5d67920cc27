"""Cases of grids, prices and solvers, for the table in ``cases.py``."""

from __future__ import annotations

import datetime as dt

from tests.faces.case import NA, NUM, OMITTED, PROSPECTUS, VALUE, Case, GivenCell
from tests.faces.deal_ranges import DEAL, SCENARIOS

STRESS: list[list[GivenCell]] = [
    ["scenario", "speed", "default model", "default rate", "severity", "recovery lag", "insurer default"],
    ["stress", 0.013, "CDR", 0.1, 0.5, 4.0, 1.0],
]

# fmt: off
ANALYSIS_CASES: tuple[Case, ...] = (
    # --- XM_SCENARIOS, XM_PRICE, XM_YIELD, XM_BREAK_EVEN, XM_SOLVE_... --------------------------------
    Case(
        "average lives without losses, to the call", "XM_SCENARIOS",
        (*DEAL, STRESS, "A-2 average life", [[0.005], [0.015]], 0.0),
        [[1.42], [1.00]], f"{PROSPECTUS}, weighted average lives", digits=2,
    ),
    Case("a grid under headings", "XM_SCENARIOS",
         (*DEAL, STRESS, "net loss", 0.013, [[0.0, 0.1]], [[0.4, 0.5]], OMITTED, True)),
    Case("a grid of an unknown item", "XM_SCENARIOS", (*DEAL, STRESS, "moon", 0.013, 0.0), VALUE, "none"),
    Case(
        "a loss without a model", "XM_SCENARIOS", (*DEAL, SCENARIOS, "net loss", 0.013, 0.1), NUM, "none",
    ),
    Case(
        "price at the yield of a price", "XM_PRICE", (*DEAL, 0.015, "A-3", 0.0674, OMITTED, 12.0),
    ),
    Case("a class that is not there", "XM_PRICE", (*DEAL, 0.015, "Z", 0.06), NA, "no such class"),
    Case("accrued of ten days", "XM_PRICE", (*DEAL, 0.015, "a-3", 0.06, dt.date(1999, 12, 25)),
         [[0.187778]], "100 x 6.76% x 10 / 360", at=(1, 3), digits=6),
    Case("the cover price of A-2", "XM_YIELD", (*DEAL, 0.015, "A-2", [[99.99621], [100.0]])),
    Case("a price of nothing", "XM_YIELD", (*DEAL, 0.015, "A-2", 0.0), NUM, "no yield"),
    Case("break-even rates", "XM_BREAK_EVEN", (*DEAL, STRESS, OMITTED, OMITTED, True)),
    Case("an insured deal", "XM_BREAK_EVEN", (*DEAL, SCENARIOS), [[NA]], "the policy pays", at=(1, 2)),
    Case("the speed of a life", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 1.2)),
    Case("a life beyond all speeds", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 9.0), NUM, "no speed"),
    Case("the size of A-4", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "Certificates", 1e6)),
    Case("supported by itself", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "A-4"), NUM, "itself"),
)
# fmt: on
