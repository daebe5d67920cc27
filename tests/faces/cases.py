"""The table of cases that every face must answer alike: a function, its arguments as cells, what comes out.

Nothing here belongs to one transport; ``case.py`` says how an argument stands in a spreadsheet.  The cases
stand in one file a family of functions; ``cases_values.py`` has what a transport must carry unharmed,
``cases_large.py`` what it must carry in bulk.

Every case is compared with the direct call.  Where ``expected`` is stated too, it was computed by hand (the
arithmetic is in ``source``) or printed by somebody else; it never came from the code under test.
"""

from __future__ import annotations

from tests.faces.case import OMITTED, UNSTATED, Case, Given, as_cells
from tests.faces.cases_about import ABOUT_CASES
from tests.faces.cases_accrual import ACCRUAL_CASES
from tests.faces.cases_analysis import ANALYSIS_CASES
from tests.faces.cases_deal import DEAL_CASES
from tests.faces.cases_large import LARGE_CASES
from tests.faces.cases_lender import LENDER_CASES
from tests.faces.cases_loans import LOANS_CASES
from tests.faces.cases_losses import LOSSES_CASES
from tests.faces.cases_money import MONEY_CASES
from tests.faces.cases_pool import POOL_CASES
from tests.faces.cases_rates import RATES_CASES
from tests.faces.cases_scenarios import SCENARIOS_CASES
from tests.faces.cases_schedule import SCHEDULE_CASES
from tests.faces.cases_speeds import SPEEDS_CASES
from tests.faces.cases_trust import TRUST_CASES
from tests.faces.cases_values import VALUES_CASES

__all__ = ["CASES", "OMITTED", "UNSTATED", "Case", "Given", "as_cells"]

CASES: tuple[Case, ...] = (
    *ABOUT_CASES,
    *ACCRUAL_CASES,
    *SCHEDULE_CASES,
    *MONEY_CASES,
    *RATES_CASES,
    *LOANS_CASES,
    *SPEEDS_CASES,
    *POOL_CASES,
    *LOSSES_CASES,
    *LENDER_CASES,
    *DEAL_CASES,
    *SCENARIOS_CASES,
    *ANALYSIS_CASES,
    *TRUST_CASES,
    *VALUES_CASES,
    *LARGE_CASES,
)
