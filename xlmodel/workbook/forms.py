"""The three forms of a workbook, FORMS: with our functions, with values only, with native formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from xlmodel.errors import NotNative
from xlmodel.faces.formula_text import calls_ours
from xlmodel.package.freeze import freeze
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package
from xlmodel.workbook.build import build_folder, build_with
from xlmodel.workbook.kinds import DEAL, kind_of_folder
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.sheets import BOOKS
from xlmodel.workbook.sheets.contents import read_contents
from xlmodel.workbook.sheets.native import sheets_of


@dataclass(frozen=True)
class Form:
    """One form: what its file's name ends with, what builds its formulas, what is done to its values.

    ``frozen``: once it has its values, cells that need our functions hold them as constants.
    """

    name: str
    suffix: str
    build: Callable[[Path], bytes]
    frozen: bool = False

    def file(self, folder: Path) -> Path:
        """Where the workbook of a folder belongs."""
        return folder / f"{folder.resolve().name}{self.suffix}.xlsx"

    def with_values(self, package: Package) -> bytes:
        """The bytes of a built workbook with the values of its formulas.  Raises what ``refresh`` raises."""
        data = refresh(package).data
        return freeze(open_package(data, name=package.name), calls_ours) if self.frozen else data


def build_values(path: Path) -> bytes:
    """The formulas of the live form, to be frozen; its summary says that they will be."""
    if kind_of_folder(path) is not DEAL:
        return build_folder(path, to_be_frozen=True)
    contents = replace(read_contents(path), values_only=True)
    return build_with(contents, BOOKS[DEAL.name].sheets(contents), to_be_frozen=True)


def build_native(path: Path) -> bytes:
    """The native form of a deal folder.  Raises NotNative for what plain formulas are not made to say."""
    if kind_of_folder(path) is not DEAL:
        raise NotNative("only the workbook of a deal has a native form").at(file=str(path))
    try:
        contents = read_contents(path)
        return build_with(contents, sheets_of(contents))
    except NotNative as error:
        raise error.at(file=str(path / "deal.toml")) from None


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form("live", "", build_folder),
        Form("values", "_values", build_values, frozen=True),
        Form("native", "_native", build_native),
    )
}
