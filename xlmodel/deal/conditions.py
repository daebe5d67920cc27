"""Conditions under which a clause pays: flags and ``CLASS paid``, joined by ``not``, ``and``, ``or``."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.layout import columns_at
from xlmodel.deal.orders import Groups, parse_classes
from xlmodel.errors import UnknownStep

Flags = NDArray[np.bool_]
Cents = NDArray[np.int64]


class Situation(Protocol):
    """What a condition can look at, at its row: arrays with the scenario axis first."""

    @property
    def called(self) -> Flags: ...
    @property
    def accelerated(self) -> Flags: ...
    @property
    def triggered(self) -> Flags: ...
    @property
    def retiring(self) -> Flags: ...
    @property
    def day(self) -> NDArray[np.datetime64]: ...
    @property
    def balance(self) -> Cents: ...


class Condition(Protocol):
    """What a condition says of each scenario; the kinds below, so that others can write it in their words."""

    def __call__(self, situation: Situation, /) -> Flags: ...


@dataclass(frozen=True)
class Always:
    """The blank condition."""

    def __call__(self, situation: Situation, /) -> Flags:
        return np.ones(len(situation.called), dtype=bool)


@dataclass(frozen=True)
class Flag:
    """One of FLAGS: a condition that is named, not computed from a class or a date."""

    name: str

    def __call__(self, situation: Situation, /) -> Flags:
        return FLAGS[self.name](situation)


@dataclass(frozen=True)
class Triggered:
    """The trigger at a place of the table Triggers is hit."""

    name: str
    place: int

    def __call__(self, situation: Situation, /) -> Flags:
        return situation.triggered[:, self.place]


@dataclass(frozen=True)
class Paid:
    """These classes have no balance."""

    classes: tuple[int, ...]

    def __call__(self, situation: Situation, /) -> Flags:
        return np.asarray((situation.balance[:, columns_at(self.classes)] == 0).all(axis=1))


@dataclass(frozen=True)
class ByDate:
    """The payment date, unadjusted, is not ``after`` a day, or is."""

    day: dt.date
    after: bool

    def __call__(self, situation: Situation, /) -> Flags:
        later = situation.day > np.datetime64(self.day, "D")
        return np.full(len(situation.called), later if self.after else ~later)


@dataclass(frozen=True)
class Not:
    part: Condition

    def __call__(self, situation: Situation, /) -> Flags:
        return ~self.part(situation)


@dataclass(frozen=True)
class Both:
    """All of these, joined by ``and``."""

    parts: tuple[Condition, ...]

    def __call__(self, situation: Situation, /) -> Flags:
        return np.asarray(np.logical_and.reduce([part(situation) for part in self.parts]))


@dataclass(frozen=True)
class Either:
    """One or more of these, joined by ``or``."""

    parts: tuple[Condition, ...]

    def __call__(self, situation: Situation, /) -> Flags:
        return np.asarray(np.logical_or.reduce([part(situation) for part in self.parts]))


FLAGS: Mapping[str, Callable[[Situation], Flags]] = {
    "called": lambda situation: situation.called,
    "accelerated": lambda situation: situation.accelerated,
    "can be retired": lambda situation: situation.retiring,
}
"""Conditions that are named, not computed from a class or a date."""

always = Always()


def parse_condition(text: str, groups: Groups, triggers: Collection[str] = ()) -> Condition:
    """The condition that a text describes; ``or`` binds weakest, ``not`` strongest.

    Names of triggers are conditions, so are ``until DATE`` and ``after DATE`` (the payment date, unadjusted).
    Raises UnknownStep for a word that is no condition.
    """
    if not text.strip():
        return always
    return _Parser(re.findall(r"[()]|[^\s()]+", text), text, groups, triggers).whole()


def changes_in_a_payment(condition: Condition) -> bool:
    """Whether what the rows of a date pay can change what a condition says."""
    if isinstance(condition, Not):
        return changes_in_a_payment(condition.part)
    if isinstance(condition, Both | Either):
        return any(changes_in_a_payment(part) for part in condition.parts)
    return isinstance(condition, Paid) or condition == Flag("can be retired")


def needs_acceleration(condition: Condition, classes: int, triggers: int) -> bool:
    """Whether a condition can hold once the notes are accelerated, and not before.

    Tried on every mixture of called, retiring, all triggers and all classes paid, on an early and a late day.
    """
    days = np.array(["1900-01-01", "9999-12-31"], dtype="datetime64[D]")
    held = np.concatenate([condition(_Probe(day, classes, triggers)) for day in days[:, None]])
    accelerated = np.tile(_MIXTURES[:, 0], 2)
    return bool(held.any() and not (held & ~accelerated).any())


_MIXTURES = np.array(list(product([False, True], repeat=5)))


@dataclass
class _Probe:
    """A situation with one scenario for each mixture of flags."""

    day: NDArray[np.datetime64]
    classes: int
    triggers: int

    accelerated = _MIXTURES[:, 0]
    called = _MIXTURES[:, 1]
    retiring = _MIXTURES[:, 2]

    @property
    def triggered(self) -> Flags:
        return np.repeat(_MIXTURES[:, 3:4], self.triggers, axis=1)

    @property
    def balance(self) -> Cents:
        return np.repeat(_MIXTURES[:, 4:5].astype(np.int64), self.classes, axis=1)


@dataclass
class _Parser:
    """Recursive descent over words; a name may have several words, up to ``paid``."""

    words: Sequence[str]
    text: str
    groups: Groups
    triggers: Collection[str] = ()
    position: int = 0

    def whole(self) -> Condition:
        condition = self._either()
        if self.position < len(self.words):
            raise self._unknown(self.words[self.position])
        return condition

    def _either(self) -> Condition:
        parts = [self._both()]
        while self._take("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _both(self) -> Condition:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _one(self) -> Condition:
        if self._take("not"):
            return Not(self._one())
        if self._take("("):
            inside = self._either()
            if not self._take(")"):
                raise self._unknown("(")
            return inside
        for flag in FLAGS:
            if self._take(*flag.split()):
                return Flag(flag)
        for word in ("until", "after"):
            if self._take(word):
                return self._date(word)
        return self._trigger() or self._paid()

    def _date(self, word: str) -> Condition:
        text = self.words[self.position] if self.position < len(self.words) else ""
        self.position += 1
        try:
            day = dt.date.fromisoformat(text)
        except ValueError:
            raise self._unknown(f"{word} {text}") from None
        return ByDate(day, after=word == "after")

    def _trigger(self) -> Condition | None:
        """A trigger whose name begins here; the longest one."""
        rest = [word.lower() for word in self.words[self.position :]]
        for name in sorted(self.triggers, key=len, reverse=True):
            words = name.lower().split()
            if rest[: len(words)] == words:
                self.position += len(words)
                return Triggered(name, list(self.triggers).index(name))
        return None

    def _paid(self) -> Condition:
        name: list[str] = []
        while self.position < len(self.words) and self.words[self.position].lower() not in (
            "and",
            "or",
            "(",
            ")",
        ):
            word = self.words[self.position]
            self.position += 1
            if word.lower() == "paid" and name:
                return Paid(parse_classes(" ".join(name), self.groups))
            name.append(word)
        raise self._unknown(" ".join(name))

    def _take(self, *words: str) -> bool:
        end = self.position + len(words)
        if tuple(word.lower() for word in self.words[self.position : end]) == words:
            self.position = end
            return True
        return False

    def _unknown(self, word: str) -> UnknownStep:
        return UnknownStep(
            f"{word!r} in {self.text!r} is no condition; known: "
            f"{', '.join((*FLAGS, *self.triggers))}, CLASS paid, until DATE, after DATE, not, and, or, ( )"
        )
