"""Python's cycle collector held off while many small objects without cycles are made.

Among tens of thousands of young cells it looks again and again, finds nothing, and doubles the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """No cycle collection in the block; afterwards as it was."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()
