"""Published figures as plain tables: numbers to their decimals, dates, texts, and blanks."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlmodel.errors import BadPublished
from xlmodel.workbook.figures import read_figures, read_table

TEXT = "series,share,paid,on,state\nA,0.4500,-12.50,2024-05-15,revolving\nB,,7,,\n"


def written(folder: Path, text: str) -> Path:
    file = folder / "table.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_cells_by_what_they_hold(tmp_path: Path) -> None:
    """15 May 2024 is serial 45427: 45292 is 1 January 2024, and 31 + 29 + 31 + 30 + 14 days follow."""
    table = read_table(written(tmp_path, TEXT))
    assert table is not None
    assert table.headings == ("share", "paid", "on", "state")
    assert table.labels == ("A", "B")
    assert table.printed.rows == ((0.45, -12.5, 45427.0, "revolving"), (None, 7.0, None, None))
    assert table.printed.cell_decimals == ((4, 2, 0, 0), (0, 0, 0, 0))
    assert (table.printed.shape, table.printed.figures) == ((2, 4), 5)


def test_no_file_is_no_figures(tmp_path: Path) -> None:
    assert read_figures(tmp_path / "table.csv") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [("a,b\n", "no figures"), ("a\n1\n", "no figures"), ("", "no figures"), ("a,b\n1,2,3\n", "has 3 cells")],
)
def test_a_table_that_is_none(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadPublished, match=message) as raised:
        read_table(written(tmp_path, text))
    assert raised.value.place.file == str(tmp_path / "table.csv")
