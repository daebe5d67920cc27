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
    Case("at two speeds", "XM_YIELD", (*DEAL, [[0.005, 0.015]], "A-2", 100.0),
         [[1.42], [1.00]], f"{PROSPECTUS}, weighted average lives, from the day before", at=(1, 5), digits=2),
    Case("a price of nothing", "XM_YIELD", (*DEAL, 0.015, "A-2", 0.0), NUM, "no yield"),
    Case("break-even rates", "XM_BREAK_EVEN", (*DEAL, STRESS, OMITTED, OMITTED, True)),
    Case("an insured deal", "XM_BREAK_EVEN", (*DEAL, SCENARIOS), [[NA]], "the policy pays", at=(1, 2)),
    Case("the speed of a life", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 1.2)),
    Case("a life beyond all speeds", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 9.0), NUM, "no speed"),
    Case("the size of A-4", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "Certificates", 1e6)),
    Case("supported by itself", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "A-4"), NUM, "itself"),
    Case("a grid of one scenario of several", "XM_SCENARIOS",
         (*DEAL, STRESS, "a-4 unpaid", 0.013, 0.3, 0.6, "stress")),
    Case("no speed", "XM_SCENARIOS", (*DEAL, STRESS, "drawn", None, 0.1), VALUE, "required"),
    Case("a text for the losses", "XM_SCENARIOS", (*DEAL, STRESS, "drawn", 0.01, "many"), VALUE, "no number"),
    Case("#VALUE! for the speeds",
         "XM_SCENARIOS", (*DEAL, STRESS, "drawn", VALUE, 0.1), VALUE, "passes through"),
    Case("a loss beyond all", "XM_SCENARIOS", (*DEAL, STRESS, "drawn", 0.01, 1.5), NUM, "a rate is below 1"),
    Case("in a scenario, under headings", "XM_PRICE",
         (*DEAL, STRESS, "A-4", [[0.06], [0.07]], OMITTED, 2.0, "stress", True)),
    Case("settled before closing",
         "XM_PRICE", (*DEAL, 0.015, "A-3", 0.06, dt.date(1999, 10, 1)), NUM, "early"),
    Case("no yield", "XM_PRICE", (*DEAL, 0.015, "A-3", None), VALUE, "required"),
    Case("a text for a yield", "XM_PRICE", (*DEAL, 0.015, "A-3", "six"), VALUE, "no number"),
    Case("compounded never", "XM_PRICE", (*DEAL, 0.015, "A-3", 0.06, OMITTED, 0.0), NUM, "1, 2, 4 or 12"),
    Case("in a scenario, monthly", "XM_YIELD",
         (*DEAL, STRESS, "A-4", 99.0, dt.date(1999, 10, 28), 12.0, "stress", True)),
    Case("a class without a name", "XM_YIELD", (*DEAL, 0.015, None, 99.0), VALUE, "required"),
    Case("no such class", "XM_YIELD", (*DEAL, 0.015, "Z", 99.0), NA, "none"),
    Case("a text for a price", "XM_YIELD", (*DEAL, 0.015, "A-2", "par"), VALUE, "no number"),
    Case("after the class is paid",
         "XM_YIELD", (*DEAL, 0.015, "A-1", 99.0, dt.date(2003, 1, 2)), NUM, "paid"),
    Case("a negative price", "XM_YIELD", (*DEAL, 0.015, "A-2", -1.0), NUM, "no yield"),
    Case("monthly rates", "XM_BREAK_EVEN", (*DEAL, STRESS, "stress", "MDR")),
    Case("no such scenario", "XM_BREAK_EVEN", (*DEAL, STRESS, "storm"), NA, "none"),
    Case("no such model", "XM_BREAK_EVEN", (*DEAL, STRESS, OMITTED, "XYZ"), VALUE, "none"),
    Case("amounts are no rates",
         "XM_BREAK_EVEN", (*DEAL, STRESS, OMITTED, "CNL"), VALUE, "a curve of amounts"),
    Case("no scenarios", "XM_BREAK_EVEN", (*DEAL, None), VALUE, "required"),
    Case("a bracket and a scenario", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 1.2, 0.001, 0.018, "slow")),
    Case("a bracket upside down",
         "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 1.2, 0.018, 0.001), NUM, "lower"),
    Case("no life", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", None), VALUE, "required"),
    Case("a text for a life", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", "long"), VALUE, "no number"),
    Case("the speed of no class", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "Z", 1.2), NA, "none"),
    Case("of one scenario", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "Certificates", 5e6, "stress")),
    Case("no support", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", None), VALUE, "required"),
    Case("a step of nothing", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "A-3", 0.0), NUM, "a cent"),
    Case("the size of no class", "XM_SOLVE_SIZE", (*DEAL, STRESS, "Z", "A-3"), NA, "none"),
    Case("steps by default", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "Certificates")),
)
# fmt: on
