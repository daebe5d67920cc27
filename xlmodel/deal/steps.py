"""The few kinds of amount that a clause can pay, and how their texts are read.

A row of the Payments table has one of them in its column ``pay``.  What each one owes on a payment date is
computed in ``waterfall.py``; here is only what it is.
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
class TopUp:
    """``top up ACCOUNT``: what the account lacks of its requirement."""

    account: str


@dataclass(frozen=True)
class Remainder:
    """``remainder``: all that is left; the last row."""


Step = Fee | Interest | PrincipalOver | PrincipalOutstanding | TopUp | Remainder


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
