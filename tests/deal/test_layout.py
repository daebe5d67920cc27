"""How the arrays of a run lie in memory, and that no number depends on it."""

from __future__ import annotations

import numpy as np

from xlmodel.deal.layout import Room, across, beside, chosen_ones, columns_at, laid_beside, some


def test_columns_next_to_each_other_are_a_slice() -> None:
    assert columns_at((2, 3, 4)) == slice(2, 5)
    assert columns_at((7,)) == slice(7, 8)
    assert columns_at(()) == slice(0, 0)
    assert columns_at((2, 4)) == [2, 4]
    assert columns_at((3, 2)) == [3, 2]


def test_scenarios_lie_side_by_side() -> None:
    assert beside(4, 3).strides == (8, 32)
    assert laid_beside(np.arange(12).reshape(4, 3)).strides == (8, 32)
    assert laid_beside(np.arange(12).reshape(4, 3)).tolist() == np.arange(12).reshape(4, 3).tolist()


def test_room_is_given_once() -> None:
    room = Room(2, 3, 4)
    one, other = room.take(1), room.take(3)
    one[:] = 1
    assert one.shape == (2, 3, 1)
    assert other.shape == (2, 3, 3)
    assert not other.any()


def test_sums_and_flags() -> None:
    amounts = laid_beside(np.array([[1, 2], [30, 40]]))
    assert across(amounts).tolist() == [3, 70]
    assert across(amounts[:, :1]).tolist() == [1, 30]
    assert across(amounts[:, :0]).tolist() == [0, 0]
    assert some(amounts)
    assert not some(amounts > 40)
    assert chosen_ones(np.array([True, True])) == slice(None)
    assert amounts[chosen_ones(np.array([False, True]))].tolist() == [[30, 40]]
