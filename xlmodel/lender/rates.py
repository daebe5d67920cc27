"""Rates of a lender's tables: amounts of a period as rates per annum of an average balance.

Amounts are positive; numbers or arrays that numpy broadcasts.  Source of the definitions: the footnotes
"annualized percentage of total average managed receivables" of quarterly reports of finance companies.
"""

from __future__ import annotations

from typing import Any

_YEAR = 12


def annual_rate(amount: Any, average: Any, months: Any) -> Any:
    """Amount of so many months, over an average balance, times 12 over the months."""
    return amount / average * _YEAR / months


def net_loss_rate(charge_offs: Any, recoveries: Any, average: Any, months: Any) -> Any:
    """Charge-offs less recoveries, as a rate per annum of the average balance."""
    return annual_rate(charge_offs - recoveries, average, months)


def recovery_rate(recovered: Any, balance: Any) -> Any:
    """Part of the balance outstanding that came back when vehicles were repossessed and sold."""
    return recovered / balance
