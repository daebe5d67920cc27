"""How the arrays of a run lie in memory: scenario beside scenario, so that sums over classes add columns.

The scenario axis comes first in every shape; in memory it is the innermost.  An array that lies otherwise
gives the same numbers, later.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def beside(*shape: int, dtype: type = np.int64) -> NDArray[Any]:
    """Zeros (scenario, ...), with the scenarios side by side."""
    return np.zeros(shape, dtype=dtype, order="F")


def laid_beside(array: NDArray[Any]) -> NDArray[Any]:
    """The same array (scenario, ...), with the scenarios side by side."""
    return np.asfortranarray(array)
