"""Orders of classes: ``A-1 > A-2a + A-2b > B`` pays tiers one after the other, a tier side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from xlmodel.deal.layout import columns_at
from xlmodel.errors import UnknownStep

Groups = Mapping[str, tuple[int, ...]]
"""Class and group names (in lower case) -> positions of the classes they stand for."""


@dataclass(frozen=True)
class Order:
    """Tiers of class positions, senior first."""

    tiers: tuple[tuple[int, ...], ...]

    @cached_property
    def classes(self) -> list[int]:
        """All positions, senior first."""
        return [position for tier in self.tiers for position in tier]

    @cached_property
    def columns(self) -> slice | list[int]:
        """The same positions as columns of an array."""
        return columns_at(tuple(self.classes))

    @cached_property
    def one_by_one(self) -> bool:
        """Whether no tier has two classes side by side."""
        return len(self.classes) == len(self.tiers)


def parse_order(text: str, groups: Groups) -> Order:
    """The order that a text describes; ``>`` is one after the other, ``+`` side by side.

    Raises UnknownStep for a name that is no class or group, or a class named twice.
    """
    tiers = tuple(
        parse_classes(tier.strip().removeprefix("(").removesuffix(")"), groups) for tier in text.split(">")
    )
    order = Order(tiers)
    if len(set(order.classes)) != len(order.classes):
        raise UnknownStep(f"{text!r} names a class twice")
    return order


def parse_classes(text: str, groups: Groups) -> tuple[int, ...]:
    """The classes of ``A-1 + A-2`` or ``Notes``, by position."""
    found: list[int] = []
    for word in re.split(r"\+", text):
        name = word.strip()
        positions = groups.get(name.lower())
        if positions is None:
            raise UnknownStep(f"{name!r} is no class or group of this deal; known: {', '.join(groups)}")
        found.extend(positions)
    return tuple(found)
