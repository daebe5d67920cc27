"""The spreadsheet functions: one registry, one value model, one file a family.

Importing the families is what fills the registry; a new family is named here.
"""

from xlmodel.functions import about, accrual, collateral, payments
from xlmodel.functions.registry import FUNCTIONS, Function, Parameter, call, find, functions_version

FAMILIES = (accrual, collateral, payments, about)

__all__ = ["FAMILIES", "FUNCTIONS", "Function", "Parameter", "call", "find", "functions_version"]
