"""Packages of npm that tests need: fetched once into the user's cache, never into the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path


def package(name: str, version: str) -> Path:
    """The folder of an installed package."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "xlmodel-tests"
    home = cache / f"{name.replace('/', '-').removeprefix('@')}-{version}"
    folder = home / "node_modules" / name
    if not folder.is_dir():
        npm = shutil.which("npm")
        assert npm, "npm is needed for the tests marked faces: make test installs it (Debian: nodejs npm)"
        cache.mkdir(parents=True, exist_ok=True)
        # made aside and moved, because several test processes may do this at once
        aside = tempfile.mkdtemp(dir=cache)
        command = [npm, "install", "--prefix", aside, "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(
            [*command, f"{name}@{version}"], capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, f"npm could not install {name}@{version}: {done.stderr[-2000:]}"
        try:
            Path(aside).rename(home)
        except OSError:  # another process was first
            shutil.rmtree(aside)
    return folder
