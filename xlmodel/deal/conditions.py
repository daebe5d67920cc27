"""Conditions under which a clause pays: flags and ``CLASS paid``, joined by ``not``, ``and``, ``or``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
    def balance(self) -> Cents: ...


Condition = Callable[[Situation], Flags]

FLAGS: Mapping[str, Condition] = {
    "called": lambda situation: situation.called,
    "accelerated": lambda situation: situation.accelerated,
}
"""Conditions of one word."""


def always(situation: Situation) -> Flags:
    """The blank condition."""
    return np.ones(len(situation.called), dtype=bool)


def parse_condition(text: str, groups: Groups) -> Condition:
    """The condition that a text describes; ``or`` binds weakest, ``not`` strongest.

    Raises UnknownStep for a word that is no condition.
    """
    if not text.strip():
        return always
    return _Parser(re.findall(r"[()]|[^\s()]+", text), text, groups).whole()


@dataclass
class _Parser:
    """Recursive descent over words; a name may have several words, up to ``paid``."""

    words: Sequence[str]
    text: str
    groups: Groups
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
            if self._take(flag):
                return condition
        return self._paid()

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

    def _take(self, word: str) -> bool:
        if self.position < len(self.words) and self.words[self.position].lower() == word:
            self.position += 1
            return True
        return False

    def _unknown(self, word: str) -> UnknownStep:
        return UnknownStep(
            f"{word!r} in {self.text!r} is no condition; known: "
            f"{', '.join(FLAGS)}, CLASS paid, not, and, or, parentheses"
        )
