"""Many copies with inputs of their own, side by side: each equals the Python API, twice the same bytes.

``make bench`` does the same with 200 copies, and measures what a second process gains.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.night.copies import difference, inputs, peak_megabytes, write_copies
from xlmodel.night.job import Options
from xlmodel.night.result import Status
from xlmodel.night.run import run
from xlmodel.processes.supervised import SupervisedPool

COPIES = 12
MOST_MEGABYTES = 300


@pytest.mark.soak
def test_copies_side_by_side(tmp_path: Path) -> None:
    wanted = inputs(COPIES)
    written = []
    for name, processes in (("one", 2), ("two", 1)):
        jobs = write_copies(tmp_path / name, wanted)
        with SupervisedPool(processes, timeout=120) as pool:
            results = run(jobs, pool, Options())
            peaks = [pool.submit(peak_megabytes).result() for _ in range(4)]
        # other inputs than the prospectus's: the figures miss, and say so
        assert {result.status for result in results} == {Status.MISMATCH}
        assert all(result.changed > 100 for result in results)
        assert max(peaks) < MOST_MEGABYTES
        written.append([job.target.read_bytes() for job in jobs])
    assert written[0] == written[1]
    assert len(set(written[0])) == COPIES
    apart = [difference(job.target, one) for job, one in zip(jobs, wanted, strict=True)]
    assert max(apart) < 1e-9
