"""An ordered pool in a file that the processes of this machine map into their memory.

Handed to one of them it travels as the name of the file, whatever its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from xlmodel.errors import NotAvailable
from xlmodel.pool.ordered import Ordered

_COHORTS, _CONTRACTS = "cohorts.npy", "contracts.npy"
_MAPS = 4  # files of others that a process keeps mapped


@contextmanager
def mapped(pool: Ordered) -> Iterator[Ordered]:
    """The same pool in a file for the time of a block: processes of this machine share it without copies.

    A process that still has it open at the end keeps what it has.  The file stays behind, in the folder for
    temporary files, where this process is killed, and on Windows where another has it open.
    """
    with TemporaryDirectory(prefix="xlmodel-", ignore_cleanup_errors=True) as folder:
        contracts = Path(folder, _CONTRACTS)
        np.save(Path(folder, _COHORTS), np.stack([pool.delay, pool.age, pool.term, np.diff(pool.start)]))
        np.save(contracts, np.stack([pool.balance, pool.rate]))
        yield _read(folder, contracts.stat().st_mtime_ns)


@lru_cache(maxsize=_MAPS)
def _arrived(folder: str, written: int) -> Ordered:
    """What a name becomes in the process where it arrives, once."""
    return _read(folder, written)


def _read(folder: str, written: int) -> Ordered:
    """The pool of a folder; a file of another time is another pool.  NotAvailable where there is none."""
    contracts = Path(folder, _CONTRACTS)
    try:
        found = contracts.stat().st_mtime_ns
        delay, age, term, sizes = np.load(Path(folder, _COHORTS))
        balance, rate = np.asarray(np.load(contracts, mmap_mode="r"))
    except FileNotFoundError:
        found = None
    if found != written:
        raise NotAvailable(
            f"{folder} does not hold the mapped pool",
            remedy="use it within its block, on the machine where it was mapped",
        )
    start = np.append(0, np.cumsum(sizes))
    return Ordered(delay, age, term, start, balance, rate, (_arrived, (folder, written)))
