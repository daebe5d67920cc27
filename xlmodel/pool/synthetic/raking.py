"""Balances brought to the totals of several tables at once, first as numbers, then to the cent."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from xlmodel.errors import TapeNotMade
from xlmodel.pool.synthetic.targets import Floats, Ints, Partition

_CYCLES = 2000
_CLOSE = 1e-4  # dollars in any bucket


def rake(
    balance: Floats, places: Sequence[Ints], partitions: Sequence[Partition], least: Floats, most: Floats
) -> Floats:
    """Balances scaled bucket by bucket until every table is met, none below ``least`` or above ``most``.

    ``places``: for each partition the bucket of every contract.
    Raises TapeNotMade if the tables cannot be met together.
    """
    wanted = [partition.cents / 100 for partition in partitions]
    for _ in range(_CYCLES):
        off = 0.0
        for place, target in zip(places, wanted, strict=True):
            sums = np.bincount(place, weights=balance, minlength=len(target))
            off = max(off, float(np.abs(sums - target).max()))
            balance = balance * (target / sums)[place]
        held = np.clip(balance, least, most)
        if off < _CLOSE and np.array_equal(held, balance):
            return balance
        balance = held
    raise TapeNotMade(f"the tables cannot be met together: a bucket stays {off:,.2f} dollars away")


def to_the_cent(balance: Floats, places: Sequence[Ints], partitions: Sequence[Partition]) -> Ints:
    """Raked balances in whole cents that meet every bucket exactly.

    Rounding leaves some cents over in each bucket; they go from contract to contract of two buckets that are
    alike in all other tables, so that no other table moves.
    """
    cents = np.rint(balance * 100).astype(np.int64)
    spare = int(partitions[0].cents.sum() - cents.sum())
    cents[: abs(spare)] += 1 if spare > 0 else -1
    for number, partition in enumerate(partitions):
        _settle(cents, places, number, partition)
    return cents


def _settle(cents: Ints, places: Sequence[Ints], number: int, partition: Partition) -> None:
    """Bring one table to the cent without moving the others."""
    place, size = places[number], len(partition.cents)
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, place, cents)
    over = sums - partition.cents
    if not over.any():
        return
    pairs = _pairs(places, number, size)
    while over.any():
        giver = int(np.argmax(over))
        path = _path(pairs, giver, over)
        if path is None:
            raise TapeNotMade(
                f"{over[giver]} cents of {partition.name}, {partition.labels[giver]}, have no place"
            )
        amount = int(min(over[path[0]], -over[path[-1]]))
        for here, there in pairwise(path):
            down, up = pairs[here, there]
            cents[down] -= amount
            cents[up] += amount
        over[path[0]] -= amount
        over[path[-1]] += amount


def _pairs(places: Sequence[Ints], number: int, size: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Two contracts for two buckets of a table, alike in every other table, where there are such."""
    others = np.zeros(len(places[0]), dtype=np.int64)
    for at, place in enumerate(places):
        if at != number:
            others = others * (int(place.max()) + 1) + place
    place = places[number]
    order = np.lexsort((place, others))
    one, two = order[:-1], order[1:]
    alike = (others[one] == others[two]) & (place[one] != place[two])
    one, two = one[alike], two[alike]
    kinds, first = np.unique(place[one] * size + place[two], return_index=True)
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    for kind, at in zip(kinds.tolist(), first.tolist(), strict=True):
        here, there = divmod(kind, size)
        pairs.setdefault((here, there), (int(one[at]), int(two[at])))
        pairs.setdefault((there, here), (int(two[at]), int(one[at])))
    return pairs


def _path(pairs: dict[tuple[int, int], tuple[int, int]], giver: int, over: Ints) -> list[int] | None:
    """The shortest way from a bucket that has too much to one that has too little."""
    came = {giver: giver}
    queue = deque([giver])
    while queue:
        here = queue.popleft()
        if over[here] < 0:
            path = [here]
            while path[-1] != giver:
                path.append(came[path[-1]])
            return path[::-1]
        for one, two in pairs:
            if one == here and two not in came:
                came[two] = here
                queue.append(two)
    return None
