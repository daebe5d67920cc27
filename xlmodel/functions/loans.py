"""Level payments in cells: XM_PAYMENT, its parts, what is left after some, how many, at which rate.

Rates are per annum, a twelfth a month, as everywhere; payments are positive.
"""

from __future__ import annotations

from typing import Any

from xlmodel.conventions import annuity
from xlmodel.functions.kinds import Boolean, Integer, IntegerSetting, Number, NumberSetting
from xlmodel.functions.refusals import blaming, refuse, refuse_negative, refuse_rate
from xlmodel.functions.registry import function


@function("XM_PAYMENT", "Loans", elementwise=True)
def payment(
    balance: Number, rate: Number, remaining_term: Integer, balloon: Number = 0.0, due: Boolean = False
) -> Any:
    """Level monthly payment that pays off a balance over its remaining term.

    balance: Principal balance, in dollars, zero or more.
    rate: Contract rate per annum as a decimal; a twelfth accrues each month.
    remaining_term: Months left, one or more.
    balloon: Balance left after the last payment, in dollars; 0 when omitted.
    due: TRUE if payments fall at the start of each month; FALSE when omitted.
    """
    _check(balance, rate, remaining_term, balloon)
    return annuity.payment(balance, rate / 12, remaining_term, balloon, due)


@function("XM_INTEREST_PART", "Loans", elementwise=True)
def interest_part(
    balance: Number,
    rate: Number,
    remaining_term: Integer,
    number: Integer,
    balloon: Number = 0.0,
    due: Boolean = False,
) -> Any:
    """Interest in one of the level payments of a loan.

    balance: Principal balance, in dollars, zero or more.
    rate: Contract rate per annum as a decimal; a twelfth accrues each month.
    remaining_term: Months left, one or more.
    number: Which payment, 1 for the first.
    balloon: Balance left after the last payment, in dollars; 0 when omitted.
    due: TRUE if payments fall at the start of each month; FALSE when omitted.
    """
    _check(balance, rate, remaining_term, balloon)
    _check_number(number, 1, remaining_term)
    return annuity.interest_part(balance, rate / 12, remaining_term, number, balloon, due)


@function("XM_PRINCIPAL_PART", "Loans", elementwise=True)
def principal_part(
    balance: Number,
    rate: Number,
    remaining_term: Integer,
    number: Integer,
    balloon: Number = 0.0,
    due: Boolean = False,
) -> Any:
    """Principal in one of the level payments of a loan.

    balance: Principal balance, in dollars, zero or more.
    rate: Contract rate per annum as a decimal; a twelfth accrues each month.
    remaining_term: Months left, one or more.
    number: Which payment, 1 for the first.
    balloon: Balance left after the last payment, in dollars; 0 when omitted.
    due: TRUE if payments fall at the start of each month; FALSE when omitted.
    """
    _check(balance, rate, remaining_term, balloon)
    _check_number(number, 1, remaining_term)
    return annuity.principal_part(balance, rate / 12, remaining_term, number, balloon, due)


@function("XM_BALANCE_AFTER", "Loans", elementwise=True)
def balance_after(
    balance: Number,
    rate: Number,
    remaining_term: Integer,
    number: Integer,
    balloon: Number = 0.0,
    due: Boolean = False,
) -> Any:
    """Balance of a loan just after one of its level payments.

    balance: Principal balance, in dollars, zero or more.
    rate: Contract rate per annum as a decimal; a twelfth accrues each month.
    remaining_term: Months left, one or more.
    number: After which payment, 0 for the balance before any.
    balloon: Balance left after the last payment, in dollars; 0 when omitted.
    due: TRUE if payments fall at the start of each month; FALSE when omitted.
    """
    _check(balance, rate, remaining_term, balloon)
    _check_number(number, 0, remaining_term)
    return annuity.balance_after(balance, rate / 12, remaining_term, number, balloon, due)


@function("XM_TERMS", "Loans", elementwise=True)
def terms(balance: Number, rate: Number, payment: Number, balloon: Number = 0.0, due: Boolean = False) -> Any:
    """Number of monthly payments that pay off a balance; not a whole number as a rule.

    #NUM! if the payment does not cover the interest.

    balance: Principal balance, in dollars, zero or more.
    rate: Contract rate per annum as a decimal; a twelfth accrues each month.
    payment: Level monthly payment, in dollars, above zero.
    balloon: Balance left after the last payment, in dollars; 0 when omitted.
    due: TRUE if payments fall at the start of each month; FALSE when omitted.
    """
    refuse_negative(balance, "balance")
    refuse_rate(rate)
    refuse(payment <= 0, "payment", "the payment {:,.15g} is not above zero", payment)
    refuse_negative(balloon, "balloon")
    with blaming("payment"):
        return annuity.terms(balance, rate / 12, payment, balloon, due)


@function("XM_RATE", "Loans", elementwise=True)
def rate(
    balance: NumberSetting,
    remaining_term: IntegerSetting,
    payment: NumberSetting,
    balloon: NumberSetting = 0.0,
    due: Boolean = False,
) -> Any:
    """Rate per annum at which level monthly payments pay off a balance: twelve times the monthly rate.

    Negative if less is paid than lent; #NUM! if there is no rate.

    balance: Principal balance, in dollars, above zero.
    remaining_term: Months left, one or more.
    payment: Level monthly payment, in dollars.
    balloon: Balance left after the last payment, in dollars; 0 when omitted.
    due: TRUE if payments fall at the start of each month; FALSE when omitted.
    """
    refuse(balance <= 0, "balance", "the balance {:,.15g} is not above zero", balance)
    _check_term(remaining_term)
    refuse_negative(balloon, "balloon")
    with blaming("payment"):
        return 12 * annuity.rate(balance, remaining_term, payment, balloon, due)


def _check(balance: Any, rate: Any, remaining_term: Any, balloon: Any) -> None:
    refuse_negative(balance, "balance")
    refuse_rate(rate)
    _check_term(remaining_term)
    refuse_negative(balloon, "balloon")


def _check_term(remaining_term: Any) -> None:
    refuse(remaining_term < 1, "remaining_term", "{} months left; expected one or more", remaining_term)


def _check_number(number: Any, first: int, remaining_term: Any) -> None:
    refuse(
        (number < first) | (number > remaining_term),
        "number",
        "there is no payment {}",
        number,
        f"give {first} up to the remaining term",
    )
