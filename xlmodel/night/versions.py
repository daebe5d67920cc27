"""What numbers depend on besides the workbook: the functions, and the code behind them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import xlmodel

# Libraries that take part in a value; another version of one may answer otherwise.
_LIBRARIES = ("formualizer", "numpy", "holidays")


@dataclass(frozen=True)
class Versions:
    """``functions`` as XM_VERSION shows it; ``code`` a hash of the package's sources, line ends apart."""

    functions: str
    code: str
    libraries: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        libraries = ", ".join(f"{name} {number}" for name, number in self.libraries)
        return f"functions {self.functions}, code {self.code[:12]}, {libraries}"

    def as_json(self) -> dict[str, object]:
        return asdict(self) | {"libraries": dict(self.libraries)}

    @classmethod
    def from_json(cls, document: Mapping[str, object]) -> Versions:
        libraries = document["libraries"]
        assert isinstance(libraries, dict)
        return cls(str(document["functions"]), str(document["code"]), tuple(libraries.items()))


@cache
def versions() -> Versions:
    """Those of this process."""
    from xlmodel.functions import functions_version  # with every family of them

    return Versions(functions_version(), _code(), tuple((name, _version(name)) for name in _LIBRARIES))


def _code() -> str:
    """A change of the code may change a number while every signature stays."""
    digest = hashlib.sha256()
    package = Path(xlmodel.__file__).parent
    for name, path in sorted(_sources(package)):
        digest.update(name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def _sources(package: Path) -> Iterator[tuple[str, Path]]:
    for path in package.rglob("*.py"):
        yield path.relative_to(package).as_posix(), path


def _version(library: str) -> str:
    """As its folder of metadata is named; to ask ``importlib.metadata`` would load all that reads mail."""
    for place in sys.path:
        for found in Path(place or ".").glob(f"{library}-*.dist-info"):
            return found.name.removesuffix(".dist-info").partition("-")[2]
    return "not installed"
