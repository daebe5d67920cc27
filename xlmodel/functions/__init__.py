"""The spreadsheet functions: one registry, one value model, one file a family.

Importing the families is what fills the registry; a new family is named here.
"""

from xlmodel.functions import (
    about,
    accrual,
    analysis,
    collateral,
    lender,
    loan_agreements,
    loans,
    losses,
    money,
    payments,
    rates,
    scenarios,
    schedule,
    servicing,
    sharing,
    speeds,
    strata,
    trusts,
)
from xlmodel.functions.registry import FUNCTIONS, Function, Parameter, call, find, functions_version

FAMILIES = (
    accrual,
    schedule,
    money,
    loans,
    rates,
    speeds,
    losses,
    collateral,
    strata,
    lender,
    payments,
    scenarios,
    analysis,
    sharing,
    trusts,
    loan_agreements,
    servicing,
    about,
)

__all__ = ["FAMILIES", "FUNCTIONS", "Function", "Parameter", "call", "find", "functions_version"]
