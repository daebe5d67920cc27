"""Every benchmark in turn: make bench.  Ratios are taken in one run; this kind of machine is noisy."""

from __future__ import annotations

from benchmarks import conventions, functions, regenerate

BENCHMARKS = (conventions, functions, regenerate)

for benchmark in BENCHMARKS:
    benchmark.main()
