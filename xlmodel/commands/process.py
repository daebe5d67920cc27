"""What is set in the process of a command before it begins, for speed; no result depends on it."""

from __future__ import annotations

import gc
import os


def set_up() -> None:
    """Look for cycles among objects less often, and leave linear algebra to one thread.

    A workbook is hundreds of thousands of small objects without cycles: looking for them costs a tenth of the
    time.  The threads of OpenBLAS take longer to start than our small matrices take; where there is work for
    several threads or processes, it is shared out by us.
    """
    gc.set_threshold(200_000, 50, 50)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded, by worker processes too
