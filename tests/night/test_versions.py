"""What a skip and a cluster go by: functions, code, libraries."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

import xlmodel
from xlmodel.functions import functions_version
from xlmodel.night import versions as module
from xlmodel.night.versions import Versions, versions


def test_they_are_those_of_the_installed_program() -> None:
    found = versions()
    assert found.functions == functions_version()
    assert dict(found.libraries) == {name: version(name) for name in ("formualizer", "numpy", "holidays")}
    assert Versions.from_json(found.as_json()) == found


def test_the_code_is_that_of_every_source_whatever_its_line_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "xlmodel"
    (package / "deal").mkdir(parents=True)
    (package / "__init__.py").write_bytes(b"a = 1\nb = 2\n")
    (package / "deal" / "x.py").write_bytes(b"c = 3\n")
    monkeypatch.setattr(xlmodel, "__file__", str(package / "__init__.py"))
    first = module._code()
    (package / "__init__.py").write_bytes(b"a = 1\r\nb = 2\r\n")
    assert module._code() == first
    (package / "deal" / "x.py").write_bytes(b"c = 4\n")
    changed = module._code()
    (package / "deal" / "x.py").rename(package / "deal" / "y.py")
    assert len({first, changed, module._code()}) == 3
