"""Every benchmark in turn, each in a process of its own: make bench.

Ratios are taken in one run; this kind of machine is noisy.
"""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = ("conventions", "functions", "native", "regenerate", "libreoffice", "server", "night", "engine")

missed = [
    name
    for name in BENCHMARKS
    if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
]
sys.exit(f"missed a target: {', '.join(missed)}" if missed else 0)
