"""One program at a time writes to a file: locks that the system lets go of when a program dies.

The lock is on a small file beside the target, since the target itself is replaced.  A lock file that a
program left behind holds nobody up, because the lock on it died with the program.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = ".xlmodel-"
"""How the names of all files begin that are to be gone when a run is over."""

PATIENCE = 30.0
"""Seconds to wait for another program; it holds the lock only while it writes."""

_PAUSE = 0.02

if sys.platform == "win32":
    import msvcrt

    def _try(handle: int) -> bool:
        try:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def hold(handle: int, *, wait: bool) -> bool:
    """Lock an open file until it is closed; False if another program holds it (``wait``: for long)."""
    end = time.monotonic() + (PATIENCE if wait else 0)
    while not _try(handle):
        if time.monotonic() >= end:
            return False
        time.sleep(_PAUSE)
    return True


def holds(handle: int, path: Path) -> bool:
    """Whether an open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """The target is ours in the block.  Raises TimeoutError, an OSError, if another program keeps it."""
    # The name is short whatever the target's is; names that differ in case alone share a lock, at no harm.
    digest = hashlib.sha256(target.name.lower().encode("utf-8", "surrogateescape")).hexdigest()[:16]
    path = target.parent / f"{PREFIX}{digest}.lock"
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not hold(handle, wait=True):
                raise TimeoutError("another run is writing to the file and does not finish")
            if holds(handle, path):
                yield
                _remove(path)
                return
        except BaseException:
            if holds(handle, path):
                _remove(path)
            raise
        finally:
            os.close(handle)


def _remove(path: Path) -> None:
    with suppress(PermissionError):  # Windows removes no open file; the next run sweeps it
        path.unlink(missing_ok=True)
