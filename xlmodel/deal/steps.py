"""The few kinds of amount that a clause can pay, and how their texts are read.

A row of the Payments table has one of them in its column ``pay``.  What each one owes on a payment date is
computed in ``rows.py``; here is only what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from xlmodel.deal.orders import Groups, parse_classes
from xlmodel.errors import UnknownStep


@dataclass(frozen=True)
class Fee:
    """``fee A + B``: these fees of the collection period and what is overdue, side by side."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Interest:
    """``interest``: of the period, overdue, and interest on what is overdue, of the classes named."""


@dataclass(frozen=True)
class PrincipalOver:
    """``principal over MEASURE (CLASSES)``: by how much these classes exceed a measure.

    Less the principal already due under earlier rows of the same date; at most the balance of the classes
    that are paid.
    """

    measure: str
    compared: tuple[int, ...]


@dataclass(frozen=True)
class PrincipalOutstanding:
    """``principal outstanding``: the whole balance of the classes named."""


@dataclass(frozen=True)
class PrincipalAtFinalDate:
    """``principal at final date``: the balance of each class named whose final date has come."""


@dataclass(frozen=True)
class Greatest:
    """``greatest of A and B``: class by class the larger of two amounts of principal."""

    parts: tuple[Principal, ...]


@dataclass(frozen=True)
class TopUp:
    """``top up ACCOUNT``: what the account lacks of its requirement."""

    account: str


@dataclass(frozen=True)
class Amount:
    """``amount SCHEDULE``: a named amount of this date and what is overdue."""

    schedule: str


@dataclass(frozen=True)
class Premium:
    """``premium POLICY``: of the period and what is overdue."""

    policy: str


@dataclass(frozen=True)
class Reimbursement:
    """``reimbursement POLICY``: what the policy has paid and not been given back, with interest."""

    policy: str


@dataclass(frozen=True)
class Remainder:
    """``remainder``: all that is left; the last row."""


Principal = PrincipalOver | PrincipalOutstanding | PrincipalAtFinalDate | Greatest
Step = Fee | Interest | Principal | Amount | TopUp | Premium | Reimbursement | Remainder


@dataclass(frozen=True)
class StepKind:
    """One row of STEP_KINDS: how the text looks, and what makes the step of it."""

    text: str
    pattern: re.Pattern[str]
    make: Callable[[re.Match[str], Groups], Step]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip().lower() for name in text.split("+"))


STEP_KINDS = (
    StepKind("fee NAME", re.compile(r"fee (.+)", re.I), lambda m, groups: Fee(_names(m[1]))),
    StepKind("interest", re.compile(r"interest", re.I), lambda m, groups: Interest()),
    StepKind(
        "principal over MEASURE (CLASSES)",
        re.compile(r"principal over ([^()]+?) ?\(([^()]+)\)", re.I),
        lambda m, groups: PrincipalOver(m[1].strip().lower(), parse_classes(m[2], groups)),
    ),
    StepKind(
        "principal outstanding",
        re.compile(r"principal outstanding", re.I),
        lambda m, groups: PrincipalOutstanding(),
    ),
    StepKind(
        "principal at final date",
        re.compile(r"principal at final date", re.I),
        lambda m, groups: PrincipalAtFinalDate(),
    ),
    StepKind(
        "greatest of PRINCIPAL and PRINCIPAL",
        re.compile(r"greatest of (principal .+) and (principal .+)", re.I),
        lambda m, groups: Greatest((_principal(m[1], groups), _principal(m[2], groups))),
    ),
    StepKind(
        "amount SCHEDULE", re.compile(r"amount (.+)", re.I), lambda m, groups: Amount(m[1].strip().lower())
    ),
    StepKind(
        "premium POLICY", re.compile(r"premium (.+)", re.I), lambda m, groups: Premium(m[1].strip().lower())
    ),
    StepKind(
        "reimbursement POLICY",
        re.compile(r"reimbursement (.+)", re.I),
        lambda m, groups: Reimbursement(m[1].strip().lower()),
    ),
    StepKind(
        "top up ACCOUNT", re.compile(r"top up (.+)", re.I), lambda m, groups: TopUp(m[1].strip().lower())
    ),
    StepKind("remainder", re.compile(r"remainder", re.I), lambda m, groups: Remainder()),
)


def parse_step(text: str, groups: Groups) -> Step:
    """The step that a text describes.  Raises UnknownStep, listing the kinds."""
    words = " ".join(text.split())
    for kind in STEP_KINDS:
        found = kind.pattern.fullmatch(words)
        if found:
            return kind.make(found, groups)
    known = "; ".join(kind.text for kind in STEP_KINDS)
    raise UnknownStep(f"{text!r} is no kind of amount; known: {known}")


def _principal(text: str, groups: Groups) -> Principal:
    step = parse_step(text, groups)
    if not isinstance(step, Principal):
        raise UnknownStep(f"{text!r} is no amount of principal")
    return step
