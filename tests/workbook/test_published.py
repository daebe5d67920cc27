"""Published figures: what is read from the files, and what is said of files that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.deal.tie import DEAL, SPEEDS
from tests.test_imports import loaded_by
from xlmodel.errors import BadPublished
from xlmodel.workbook.published import STAR, Published, read_published

CLASSES = ("A-1", "A-2", "A-3", "A-4", "Certificates")
FLAGSHIP = DEAL / "published"


def read(folder: Path, **files: str) -> Published:
    """A deal of classes A and B at 1% and 2%, with these files."""
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return read_published(folder, ("A", "B"), (0.01, 0.02))


def test_the_flagships_decrement_table() -> None:
    """Source: CarMax Auto Owner Trust 1999-1 prospectus, pages 36 to 38."""
    table = read_published(FLAGSHIP, CLASSES, SPEEDS).decrement
    assert table is not None
    assert table.shape == (45, 20)
    assert (table.decimals, table.unit) == (3, 0.001)
    assert set(table.rows[0]) == {1.0}
    assert table.rows[1][:4] == (0.798, 0.75, 0.692, 0.65)  # A-1, December 1999
    assert table.rows[25][8:12] == (0.869, 0.617, 0.332, 0.142)  # A-3, December 2001
    assert table.rows[43][12:] == (0.609, 0, 0, 0, 1, 0, 0, 0)  # A-4 and certificates, June 2003


def test_the_flagships_average_lives_and_first_interest() -> None:
    """Source: prospectus, pages 36 to 38 (lives at the foot of the tables), 43 and 46."""
    found = read_published(FLAGSHIP, CLASSES, SPEEDS)
    assert found.average_life is not None
    assert found.first_interest is not None
    assert found.average_life.rows[1] == (1.42, 1.2, 1.0, 0.89)
    assert found.average_life.decimals == 2
    assert found.first_interest.rows == (
        (1283917.5,),
        (1799954.0,),
        (1578891.89,),
        (792932.61,),
        (119724.52,),
    )
    assert found.first_interest.decimals == 2


def test_speeds_are_those_of_the_file_when_none_are_asked_for() -> None:
    assert read_published(FLAGSHIP, CLASSES) == read_published(FLAGSHIP, CLASSES, SPEEDS)


def test_speeds_and_classes_come_in_the_order_asked_for() -> None:
    found = read_published(FLAGSHIP, CLASSES[::-1], SPEEDS[::-1]).average_life
    assert found is not None
    assert found.rows[0] == (2.72, 3.05, 3.38, 3.72)
    assert found.rows[4] == (0.27, 0.3, 0.36, 0.43)


def test_a_folder_without_figures_has_none(tmp_path: Path) -> None:
    assert read_published(tmp_path / "missing", CLASSES, SPEEDS) == Published(None, None, None)


def test_classes_without_first_interest_have_none(tmp_path: Path) -> None:
    assert read(tmp_path, classes="class,rate_pct\nA,5\nB,6\n").first_interest is None


LIVES = "class,cpr_speed_pct,wal_years\n"
TABLE = "period,class,abs_speed_pct,percent_of_initial\n"
CLOSING = "0,A,1,100\n0,A,2,100\n0,B,1,100\n0,B,2,100\n"


def test_an_asterisk_is_kept_and_whole_percents_are_known_to_two_decimals(tmp_path: Path) -> None:
    """An asterisk is printed for more than zero that would print as zero."""
    table = read(
        tmp_path, decrement_table=TABLE + CLOSING + "1,A,1,97\n1,A,2,*\n1,B,1,100\n1,B,2,3\n"
    ).decrement
    assert table is not None
    assert table.rows[1] == (0.97, STAR, 1.0, 0.03)
    assert (table.decimals, table.unit) == (2, 0.01)


def test_a_table_of_some_classes_that_begins_late_and_ends_early(tmp_path: Path) -> None:
    text = TABLE + "2,B,1,97.25\n2,B,2,96\n3,B,1,0\n3,B,2,0\n"
    table = read(tmp_path, decrement_table=text).decrement
    assert table is not None
    assert table.classes == (1,)
    assert table.rows == ((None, None), (None, None), (0.9725, 0.96), (0.0, 0.0))
    assert (table.figures, table.decimals) == (4, 4)


def test_a_row_missing_between_printed_ones_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadPublished, match="no row for period 2, class A, speed 1%"):
        read(tmp_path, decrement_table=TABLE + CLOSING + "1,A,1,97\n1,A,2,96\n3,A,1,9\n3,A,2,8\n2,A,2,8\n")


LIVES_TO = "class,to,abs_speed_pct,wal_years\n"


def test_lives_to_the_call_and_to_maturity(tmp_path: Path) -> None:
    text = LIVES_TO + "B,maturity,1,2.1\nB,maturity,2,1.9\nB,call,2,1.7\nB,Call,1,2\n"
    lives = read(tmp_path, weighted_average_life=text).average_life
    assert lives is not None
    assert lives.ends == ("call", "maturity")
    assert (lives.classes, lives.rows) == ((1,), ((2.0, 1.7, 2.1, 1.9),))


def test_lives_without_the_column_run_to_the_call() -> None:
    lives = read_published(FLAGSHIP, CLASSES, SPEEDS).average_life
    assert lives is not None
    assert (lives.ends, lives.shape) == (("call",), (5, 4))


def test_a_grid_is_the_list_of_its_cells(tmp_path: Path) -> None:
    grid = "period,A 1.00%,A 2.00%,B 1.00%,B 2.00%\n1,71.5,70,100,100\n2,*,0,99,98\n3,,,97,96\n"
    listed = "period,class,abs_speed_pct,percent_of_initial\n" + "".join(
        f"{period},{name},{speed},{figure}\n"
        for period, name, speed, figure in (
            (1, "A", "1.00", "71.5"), (1, "A", "2.00", "70"), (1, "B", "1.00", "100"),
            (1, "B", "2.00", "100"),
            (2, "A", "1.00", "*"), (2, "A", "2.00", "0"), (2, "B", "1.00", "99"), (2, "B", "2.00", "98"),
            (3, "B", "1.00", "97"), (3, "B", "2.00", "96"),
        )
    )  # fmt: skip
    found = read(tmp_path, decrement_table=grid).decrement
    assert found == read(tmp_path, decrement_table=listed).decrement
    assert found is not None
    assert found.rows[1] == (0.715, 0.7, 1, 1)
    assert found.rows[2] == (STAR, 0, 0.99, 0.98)


def test_a_grid_of_average_lives(tmp_path: Path) -> None:
    grid = "class,to,1.00%,2.00%\nA,call,0.39,0.35\nB,call,4.35,4.02\nA,maturity,0.4,0.36\nB,maturity,5,4.5\n"
    found = read(tmp_path, weighted_average_life=grid).average_life
    assert found is not None
    assert found.rows == ((0.39, 0.35, 0.4, 0.36), (4.35, 4.02, 5, 4.5))


@pytest.mark.parametrize(
    ("grid", "says"),
    [
        ("period,A 1.00%,A 2.00%\n1,71,\n2,70,69\n3,69,68\n", "period 1, class A"),
        ("period,A 1.00%,A 1.00%\n1,71,70\n", "stands twice"),
        ('period,A 1.00%,A 2.00%\n1,71,"70,5"\n', "column 'A 2.00%'"),
        ("period,C 1.00%,C 2.00%\n1,71,70\n", "C"),
        ("period;A 1.00%;A 2.00%\n1;71,5;70,5\n", "semicolons stand between the fields"),
    ],
)
def test_a_grid_that_cannot_be_used(grid: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(BadPublished) as raised:
        read(tmp_path, decrement_table=grid)
    assert says in str(raised.value)


GRID = "period,A 1.00%,A 2.00%,B 1.00%,B 2.00%\n1,71.5,70,100,100\n2,9,8,99,98\n3,7,6,97,96\n"
THREE = "period,A 1%,A 2%,B 1%,B 2%,C 1%,C 2%\n1,71,70,90,89,100,100\n"


@pytest.mark.parametrize(
    ("edit", "says", "row", "heading"),
    [
        (("2,9,8,", "2,9,,"), "the cell is blank: the figure of period 2, class A, speed 2", 3, "A 2.00%"),
        (("B 1.00%", "B 3.00%"), "3.00% is none of the speeds 1, 2", 2, "B 3.00%"),
        (("B 1.00%", "D 1.00%"), "the deal has no class 'D'", 2, "D 1.00%"),
        (("B 1.00%", "B 1.00"), "no column has the figure of period 1, class B, speed 1%", 1, None),
        (("2,9,8,99,98\n", ""), "no row for period 2, class A, speed 1%", None, None),
    ],
)
def test_a_hole_in_a_grid_is_placed(
    edit: tuple[str, str], says: str, row: int | None, heading: str | None, tmp_path: Path
) -> None:
    with pytest.raises(BadPublished) as raised:
        read(tmp_path, decrement_table=GRID.replace(*edit))
    assert says in raised.value.message
    assert (raised.value.place.row, raised.value.place.heading) == (row, heading)


def test_a_blank_life_in_a_grid_is_placed(tmp_path: Path) -> None:
    with pytest.raises(BadPublished, match="the cell is blank: the figure of class B, speed 1%") as raised:
        read(tmp_path, weighted_average_life="class,1.00%,2.00%\nA,0.39,0.35\nB,,4.02\n")
    assert (raised.value.place.row, raised.value.place.heading) == (3, "1.00%")


@pytest.mark.parametrize(
    ("right", "wrong", "also"),
    [("A 1%", "A 3%", ()), ("B 1%", "B 3%", ()), ("A 1%,A 2%,B 1%", "A 1%,A 3%,B 4%", ("'B 4%'",))],
)
def test_a_speed_of_one_heading_is_unknown_though_the_deals_speeds_are(
    right: str, wrong: str, also: tuple[str, ...], tmp_path: Path
) -> None:
    """A comparison takes the speeds of the file: a workbook whose speeds were edited is compared, too."""
    (tmp_path / "decrement_table.csv").write_text(THREE.replace(right, wrong))
    with pytest.raises(BadPublished, match=r"the speed of the heading '. 3%' is unknown") as raised:
        read_published(tmp_path, ("A", "B", "C"))
    assert raised.value.place.row == 1
    assert raised.value.place.heading == next(word for word in wrong.split(",") if "3%" in word)
    assert all(word in raised.value.message for word in also)


def test_a_column_that_one_class_lacks_is_no_unknown_speed(tmp_path: Path) -> None:
    (tmp_path / "decrement_table.csv").write_text("period,A 1%,A 2%,B 1%\n1,71,70,90\n")
    with pytest.raises(BadPublished, match="no column has the figure of period 1, class B, speed 2%"):
        read_published(tmp_path, ("A", "B"))


def test_the_heading_of_the_speed_may_name_any_model(tmp_path: Path) -> None:
    lives = read(tmp_path, weighted_average_life=LIVES + "A,1,1.5\nA,2,1.25\nB,1,2\nB,2,1.75\n").average_life
    assert lives is not None
    assert lives.rows == ((1.5, 1.25), (2.0, 1.75))


@pytest.mark.parametrize(
    ("file", "text", "row", "words"),
    [
        ("decrement_table", TABLE + CLOSING + "1,A,1,97\n", None, "no row for period 1, class A, speed 2%"),
        ("decrement_table", TABLE + CLOSING + "0,A,1.0,100\n", 6, "row 2 again"),
        ("decrement_table", TABLE + "0,C,1,100\n", 2, "no class 'C'"),
        ("decrement_table", TABLE + "0,A,3,100\n", 2, "none of the speeds 1, 2"),
        ("decrement_table", TABLE + "0,A,1,all of it\n", 2, "'all of it' is no number"),
        ("decrement_table", TABLE + "0,A,1,NaN\n", 2, "'NaN' is no number"),
        ("decrement_table", TABLE + "0,A,1,-5\n", 2, "negative"),
        ("decrement_table", TABLE + "0,A,1,\n", 2, "blank"),
        ("decrement_table", TABLE + "0.5,A,1,100\n", 2, "0.5 is no payment date"),
        ("decrement_table", TABLE + "999999999,A,1,100\n", 2, "is no payment date"),
        ("decrement_table", "period,class,percent_of_initial\n0,A,100\n", 1, "column speed_pct is missing"),
        ("decrement_table", TABLE, None, "headings only"),
        ("decrement_table", TABLE + "0,A,1,100,7\n", 2, "more cells than headings"),
        ("weighted_average_life", LIVES + "A,1,1.5\n", None, "no row for class A, speed 2%"),
        ("weighted_average_life", LIVES + "A,1,long\n", 2, "'long' is no number"),
        ("weighted_average_life", LIVES_TO + "A,sale,1,2\n", 2, "'sale' is no end of a life"),
        (
            "weighted_average_life",
            LIVES_TO + "A,call,1,2\nA,call,2,2\nA,maturity,1,2\n",
            None,
            "no row for class A, speed 2%, to maturity",
        ),
        ("classes", "class,first_period_interest\nA,12.50\n", None, "no row for class B"),
        ("classes", "class,first_period_interest\nA,12.50\nB,\n", 3, "blank"),
        ("classes", "name,first_period_interest\nA,12.50\n", 1, "column class is missing"),
    ],
)
def test_files_that_cannot_be_used_are_refused(
    tmp_path: Path, file: str, text: str, row: int | None, words: str
) -> None:
    with pytest.raises(BadPublished, match="XM-501") as raised:
        read(tmp_path, **{file: text})
    assert words in raised.value.message
    assert raised.value.place.row == row
    assert raised.value.place.file == str(tmp_path / f"{file}.csv")
    assert raised.value.advice


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "classes.csv").write_bytes("class\ncaf\xe9\n".encode("latin-1"))
    with pytest.raises(BadPublished, match="cannot be read"):
        read(tmp_path)


def test_reading_them_loads_nothing_heavy() -> None:
    assert loaded_by("import xlmodel.workbook.published") == set()
