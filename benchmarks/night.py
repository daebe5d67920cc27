"""A night of 200 copies of the flagship: one process, two processes, equality with the Python API, memory."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.night.copies import difference, inputs, peak_megabytes, write_copies
from xlmodel.night.job import Job, Options
from xlmodel.night.result import Status
from xlmodel.night.run import run
from xlmodel.processes.supervised import SupervisedPool

COPIES = 200
FEWER = 40
RUNS = 3
TARGET_RATIO = 1.7
TARGET_MEGABYTES = 300


def night(jobs: Sequence[Job], processes: int) -> tuple[float, float]:
    """Seconds that a night takes, processes started, and the most memory that one of them had."""
    start = time.perf_counter()
    with SupervisedPool(processes, timeout=600) as pool:
        results = run(jobs, pool, Options(force=True))
        seconds = time.perf_counter() - start
        peak = max(pool.submit(peak_megabytes).result() for _ in range(2 * processes))
    assert all(result.status is Status.MISMATCH for result in results), "other inputs, so figures miss"
    return seconds, peak


def main() -> bool:
    """Print the table; -> whether a target was missed."""
    wanted = inputs(COPIES)
    ratios, written, peaks = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{COPIES} copies of carmax_1999_1 with inputs of their own")
        for processes in (1, 2):
            jobs = write_copies(folder / f"by{processes}", wanted)
            seconds, peak = night(jobs, processes)
            peaks.append(peak)
            written.append([job.target.read_bytes() for job in jobs])
            print(f"  by {processes} at a time {seconds:8.1f} s  {peak:6.0f} MB a process")
        apart = max(difference(job.target, one) for job, one in zip(jobs, wanted, strict=True))
        for number in range(RUNS):
            times = [
                night(write_copies(folder / f"fewer{number}{processes}", wanted[:FEWER]), processes)[0]
                for processes in (1, 2)
            ]
            ratios.append(times[0] / times[1])
    same = written[0] == written[1]
    ratio, peak = statistics.median(ratios), max(peaks)
    print(f"  largest difference from the Python API: {apart:.1e}; bytes the same in both runs: {same}")
    told = f"one process against two, median of {RUNS} nights of {FEWER}"
    print(f"  {told}: {ratio:.2f} {_met(ratio >= TARGET_RATIO)}")
    print(f"  most memory of a process: {peak:.0f} MB {_met(peak < TARGET_MEGABYTES)}")
    return not (same and apart < 1e-9 and ratio >= TARGET_RATIO and peak < TARGET_MEGABYTES)


def _met(reached: bool) -> str:
    return "(target met)" if reached else "(target MISSED)"


if __name__ == "__main__":
    sys.exit(main())
