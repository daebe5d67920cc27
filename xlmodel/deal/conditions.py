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


Condition = Callable[[Situation], Flags]

FLAGS: Mapping[str, Condition] = {
    "called": lambda situation: situation.called,
    "accelerated": lambda situation: situation.accelerated,
    "can be retired": lambda situation: situation.retiring,
}
"""Conditions that are named, not computed from a class or a date."""


def always(situation: Situation) -> Flags:
    """The blank condition."""
    return np.ones(len(situation.called), dtype=bool)


def parse_condition(text: str, groups: Groups, triggers: Collection[str] = ()) -> Condition:
    """The condition that a text describes; ``or`` binds weakest, ``not`` strongest.

    Names of triggers are conditions, so are ``until DATE`` and ``after DATE`` (the payment date, unadjusted).
    Raises UnknownStep for a word that is no condition.
    """
    if not text.strip():
        return always
    return _Parser(re.findall(r"[()]|[^\s()]+", text), text, groups, triggers).whole()


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
        return parts[0] if len(parts) == 1 else lambda s: np.logical_or.reduce([part(s) for part in parts])

    def _both(self) -> Condition:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda s: np.logical_and.reduce([part(s) for part in parts])

    def _one(self) -> Condition:
        if self._take("not"):
            denied = self._one()
            return lambda s: ~denied(s)
        if self._take("("):
            inside = self._either()
            if not self._take(")"):
                raise self._unknown("(")
            return inside
        for flag, condition in FLAGS.items():
            if self._take(*flag.split()):
                return condition
        for word in ("until", "after"):
            if self._take(word):
                return self._date(word)
        return self._trigger() or self._paid()

    def _date(self, word: str) -> Condition:
        text = self.words[self.position] if self.position < len(self.words) else ""
        self.position += 1
        try:
            day = np.datetime64(dt.date.fromisoformat(text), "D")
        except ValueError:
            raise self._unknown(f"{word} {text}") from None
        if word == "until":
            return lambda s: np.full(len(s.called), s.day <= day)
        return lambda s: np.full(len(s.called), s.day > day)

    def _trigger(self) -> Condition | None:
        """A trigger whose name begins here; the longest one."""
        rest = [word.lower() for word in self.words[self.position :]]
        for name in sorted(self.triggers, key=len, reverse=True):
            words = name.lower().split()
            if rest[: len(words)] == words:
                self.position += len(words)
                place = list(self.triggers).index(name)
                return lambda s: s.triggered[:, place]
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
                columns = list(parse_classes(" ".join(name), self.groups))
                return lambda s: (s.balance[:, columns] == 0).all(axis=1)
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
