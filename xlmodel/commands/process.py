"""What is set in the process of a command before it begins, for speed; no result depends on it."""

from __future__ import annotations

import ctypes
import gc
import os
import sys


def set_up() -> None:
    """Look for cycles among objects less often, keep freed memory, leave linear algebra to one thread.

    A workbook is hundreds of thousands of small objects without cycles: looking for them costs a tenth of the
    time.  The threads of OpenBLAS take longer to start than our small matrices take; where there is work for
    several processes, it is shared out by us.  Arrays of a thousand scenarios come and go by
    the hundred: to have their memory from the system each time takes a quarter of the time of a run.
    """
    gc.set_threshold(200_000, 50, 50)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded, by worker processes too
    if sys.platform == "linux":
        _keep_memory()


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt, in malloc.h of the GNU C library


def _keep_memory() -> None:
    """Give freed memory back to the system only above a quarter of a gigabyte."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    # One without the other would make it worse; 32 MB is the most that older ones allow.
    if mallopt is not None and mallopt(_MMAP_THRESHOLD, 1 << 25):
        mallopt(_TRIM_THRESHOLD, 1 << 28)
