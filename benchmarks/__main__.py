"""Every benchmark in turn: make bench.  Ratios are taken in one run; this kind of machine is noisy."""

from __future__ import annotations

import sys

from benchmarks import conventions, engine, functions, libreoffice, native, night, regenerate, server

BENCHMARKS = (conventions, functions, native, regenerate, libreoffice, server, night, engine)

missed = [benchmark.__name__ for benchmark in BENCHMARKS if benchmark.main()]
sys.exit(f"missed a target: {', '.join(missed)}" if missed else 0)
