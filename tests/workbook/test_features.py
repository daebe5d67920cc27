"""A refresh loses nothing: with fifty features, every part but the sheet and its chart stays to the byte."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.workbook.features import FEATURES, MAIN, build
from xlmodel.workbook.refresh import read_package, refresh

# What a refresh may write to: the sheet with formulas, and the chart that draws them.
TOUCHED = {"xl/worksheets/sheet1.xml", "xl/charts/chart1.xml", "xl/charts/chart2.xml"}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, bytes], Path]:
    """The parts before and after, and the file after."""
    path = tmp_path_factory.mktemp("features") / "forty.xlsm"
    build(path)
    before = parts(path)
    path.write_bytes(refresh(read_package(path)).data)
    return before, parts(path), path


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_is_there_before_and_after(
    feature: str, both: tuple[dict[str, bytes], dict[str, bytes], Path]
) -> None:
    before, after, _ = both
    part, words = FEATURES[feature]
    assert words.encode() in before[part], "the workbook of the test lacks it"
    assert words.encode() in after[part]
    if part not in TOUCHED:
        assert before[part] == after[part]


def test_every_other_part_is_the_same_to_the_byte(
    both: tuple[dict[str, bytes], dict[str, bytes], Path],
) -> None:
    before, after, _ = both
    assert list(before) == list(after)
    different = {name for name in before if before[name] != after[name]}
    assert {"xl/worksheets/sheet1.xml"} <= different <= TOUCHED


def test_of_the_sheet_only_values_change(both: tuple[dict[str, bytes], dict[str, bytes], Path]) -> None:
    before, after, _ = both

    def without_values(xml: bytes) -> bytes:
        head, _, rest = xml.partition(b"<v>")
        while rest:
            head += rest.partition(b"</v>")[2].partition(b"<v>")[0]
            rest = rest.partition(b"</v>")[2].partition(b"<v>")[2]
        return head

    part = "xl/worksheets/sheet1.xml"
    assert without_values(before[part]) == without_values(after[part])


def test_the_values_are_right(both: tuple[dict[str, bytes], dict[str, bytes], Path]) -> None:
    sheet = ElementTree.fromstring(both[1]["xl/worksheets/sheet1.xml"])
    values = {cell.get("r"): cell.findtext(f"{{{MAIN}}}v") for cell in sheet.iter(f"{{{MAIN}}}c")}
    assert [values[f"C{row}"] for row in range(1, 6)] == ["0.5", "1", "1.5", "2", "2.5"]
    assert [values[cell] for cell in ("D1", "D2", "E1", "E2", "F1", "F2")] == [
        "7.5",
        "0.2",
        "1",
        "2",
        "0",
        "0",
    ]


def test_a_second_refresh_changes_no_byte(both: tuple[dict[str, bytes], dict[str, bytes], Path]) -> None:
    package = read_package(both[2])
    assert refresh(package).data == package.data
