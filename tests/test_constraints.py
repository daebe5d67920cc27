"""The pinned packages install on every Python that the project promises."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]


def test_no_pinned_package_asks_for_a_later_python() -> None:
    """Debian 12 has 3.11.2; a package that asked for 3.11.5 would stop the installation there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = project["requires-python"].removeprefix(">=") + ".0"
    asked = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        name = line.partition("==")[0]
        try:
            asked[name] = str(metadata(name).json.get("requires_python", ""))
        except PackageNotFoundError:  # of another system
            continue
    assert len(asked) >= 50
    refused = {name: asks for name, asks in asked.items() if not SpecifierSet(asks).contains(oldest)}
    assert refused == {}
