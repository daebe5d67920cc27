"""Printed tables: what is compared, how much ties, and that every miss is what its explanation says.

The figures are recomputed here by ``recomputed.py``, which knows nothing of the workbook's evaluation.
"""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from tests.workbook.recomputed import exact, reach, ties, value
from tests.workbook.sheets_of import edit
from tests.workbook.test_validate import validated
from xlmodel.errors import BadDealFolder, BadPublished, BadTable, NotWritten
from xlmodel.night.job import Job
from xlmodel.night.result import Result, Status, as_json
from xlmodel.night.terminal import _summary
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_folder
from xlmodel.workbook.exceptions import ERROR, ROUNDING, read_exceptions
from xlmodel.workbook.inputs import require_no_edits
from xlmodel.workbook.printed.figures import Figure, Form, Key
from xlmodel.workbook.printed.folder import KEYS, TableFolder, read_table_folder
from xlmodel.workbook.printed.periods import RELATIONS, Period, read_period
from xlmodel.workbook.printed.rules import Rule, Tie, claims_of_rules, claims_of_ties
from xlmodel.workbook.refresh import read_package, refresh

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
RECEIVABLES, POOL = "carmax_receivables", "carmax_1999_1_pool"
BOTH = (RECEIVABLES, POOL)


@pytest.fixture(scope="module")
def folders() -> dict[str, TableFolder]:
    return {name: read_table_folder(WORKBOOKS / name) for name in BOTH}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both folders with fresh builds, refreshed; not to be written to."""
    root = tmp_path_factory.mktemp("printed")
    for name in BOTH:
        shutil.copytree(WORKBOOKS / name, root / name)
        package = open_package(build_folder(root / name), name=name)
        (root / name / f"{name}.xlsx").write_bytes(refresh(package).data)
    return root


# --- the figures themselves ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "printed", "claims", "claims_tied", "tied", "of"),
    [(RECEIVABLES, 1349, 522, 514, 174, 175), (POOL, 493, 214, 207, 38, 38)],
)
def test_how_many_figures_follow_from_others_and_tie(
    folders: dict[str, TableFolder],
    name: str,
    printed: int,
    claims: int,
    claims_tied: int,
    tied: int,
    of: int,
) -> None:
    folder = folders[name]
    values = exact(folder.figures)
    hits = {
        listed: sum(
            ties(value(c, values), values[c.figure], folder.figures[c.figure].decimals)
            for c in getattr(folder, listed)
        )
        for listed in ("claims", "ties")
    }
    assert (len(folder.figures), len(folder.claims), len(folder.ties)) == (printed, claims, of)
    assert hits == {"claims": claims_tied, "ties": tied}


@pytest.mark.parametrize("name", BOTH)
def test_every_miss_is_explained_as_it_is_and_rounding_can_do_it(
    folders: dict[str, TableFolder], name: str
) -> None:
    folder = folders[name]
    values = exact(folder.figures)
    explained = {(one.check, one.figure): one for one in folder.exceptions}
    for check, claims in (("figures", folder.claims), ("ties", folder.ties)):
        for claim in claims:
            figure = folder.figures[claim.figure]
            found = value(claim, values)
            if ties(found, values[claim.figure], figure.decimals):
                continue
            one = explained.pop((check, claim.name))
            assert one.holds(figure.value, float(found)), claim.name
            assert one.decimals > figure.decimals
            unit = Decimal(1).scaleb(-figure.decimals)
            # Rounding moves a figure by a digit; what is further away is a slip of the pen.
            assert (abs(found - values[claim.figure]) < Decimal("1.01") * unit) == (one.reason == ROUNDING)
            if one.reason == ROUNDING and claim.figure not in FORCED:
                assert abs(found - values[claim.figure]) <= reach(claim, values, folder.figures), claim.name
    assert not explained, "explanations of nothing"


# Printed a digit off so that a column adds up, or worked from another figure that was rounded first.
FORCED = {
    Key("finance_income", "finance_income", "percent", "9 months to 30 Nov 2017"),
    Key("grades", "a", "percent", "30 Nov 2017"),
    Key("grades", "c", "percent", "28 Feb 2019"),
    Key("past_due_by_grade", "days_61_90", "percent", "28 Feb 2021"),
    Key("reserve", "initial", "value"),
}


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        # finance income, nine months of 2017: 4.6 - 0.7 = 3.9, though the amounts give 3.84
        (["margin_after_provision", "total_direct"], "finance_income"),
    ],
)
def test_a_percentage_that_was_added_up(
    folders: dict[str, TableFolder], parts: list[str], whole: str
) -> None:
    values = exact(folders[RECEIVABLES].figures)
    period = "9 months to 30 Nov 2017"
    keys = [Key("finance_income", row, "percent", period) for row in parts]
    assert sum(values[key] for key in keys) == values[Key("finance_income", whole, "percent", period)]


@pytest.mark.parametrize(
    ("table", "rows", "total", "period"),
    [
        ("grades", ("a", "b", "c"), "total", "30 Nov 2017"),
        ("grades", ("a", "b", "c"), "total", "28 Feb 2019"),
        ("past_due_by_grade", ("days_31_60", "days_61_90", "days_over_90"), "total_past_due", "28 Feb 2021"),
    ],
)
def test_columns_that_were_made_to_add_up(
    folders: dict[str, TableFolder], table: str, rows: tuple[str, ...], total: str, period: str
) -> None:
    values = exact(folders[RECEIVABLES].figures)
    parts = [values[Key(table, row, "percent", period)] for row in rows]
    assert sum(parts) == values[Key(table, total, "percent", period)]


def test_the_notes_roll_forward_by_hand(folders: dict[str, TableFolder]) -> None:
    """13,764,808 + 11,217,298 - 9,565,649 = 15,416,457."""
    folder = folders[RECEIVABLES]
    tie = next(
        c for c in folder.ties if c.subject.startswith("Non-recourse notes roll") and "30 Nov 2021" in c.name
    )
    values = exact(folder.figures)
    assert value(tie, values) == values[tie.figure] == 15_416_457
    parts = [values[part] for part in tie.parts if isinstance(part, Key)]
    assert parts == [13_764_808, 11_217_298, -9_565_649]


def test_every_published_figure_has_its_document_and_page(folders: dict[str, TableFolder]) -> None:
    for folder in folders.values():
        assert all(figure.document and figure.page for figure in folder.figures.values())
        assert {claim.figure.table for claim in folder.claims} | {"earnings", "concentration"} >= {
            table.name for table in folder.tables if table.rules
        }


# --- the workbooks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "figures", "explained", "tied", "of", "ties_explained"),
    [(RECEIVABLES, 514, 8, 174, 175, 1), (POOL, 207, 7, 38, 38, 0)],
)
def test_a_workbook_is_ok_when_matched_and_explained_make_up_all(
    fresh: Path, name: str, figures: int, explained: int, tied: int, of: int, ties_explained: int
) -> None:
    found = validated(fresh / name / f"{name}.xlsx")
    assert found.ok
    by_name = {check.name: check for check in found.checks}
    one, two = by_name["figures"], by_name["ties"]
    assert (one.matched, one.explained, one.cells) == (figures, explained, figures + explained)
    assert (two.matched, two.explained, two.cells) == (tied, ties_explained, of)
    assert by_name["check_figures"].ok
    assert by_name["check_ties"].ok
    # A miss that is explained is no measure of how near the others are.
    assert one.worst is not None
    assert one.worst <= 0.5


def test_explained_stands_in_the_json_and_the_closing_table(fresh: Path) -> None:
    found = validated(fresh / POOL / f"{POOL}.xlsx")
    job = Job(Path("a.xlsx"), Path("a.xlsx"), Path("published"))
    document = as_json([Result(job, Status.OK, None, 1.0, validation=found)])
    checks = {check["name"]: check for check in document["workbooks"][0]["checks"]}
    assert (checks["figures"]["matched"], checks["figures"]["explained"]) == (207, 7)
    assert "figures 207/214 and 7 explained" in _summary(found.checks)


def test_an_altered_input_misses_and_is_named(fresh: Path, tmp_path: Path) -> None:
    file = tmp_path / "edited.xlsx"
    shutil.copy(fresh / POOL / f"{POOL}.xlsx", file)
    edit(file, {("PublishedFigures", 1, 1): 155250000.01})  # the price of class A-1, page 1
    found = validated(file, fresh / POOL / "published")
    assert not found.ok
    assert [miss.sheet for miss in found.altered if miss.sheet == "Figures"] == ["Figures"]
    missed = {miss.cell for check in found.checks for miss in check.misses}
    assert missed


def test_a_workbook_with_edited_figures_is_not_built_over(fresh: Path, tmp_path: Path) -> None:
    file = tmp_path / "edited.xlsx"
    shutil.copy(fresh / POOL / f"{POOL}.xlsx", file)
    built = open_package(build_folder(fresh / POOL), name="fresh")
    require_no_edits(read_package(file), built)
    edit(file, {("PublishedFigures", 1, 1): 155250000.01})
    with pytest.raises(NotWritten, match="PublishedFigures"):
        require_no_edits(read_package(file), built)


def test_two_builds_are_equal(fresh: Path) -> None:
    assert build_folder(fresh / POOL) == build_folder(fresh / POOL)


# --- exceptions ---------------------------------------------------------------------------------------


def published_with(fresh: Path, tmp_path: Path, old: str, new: str) -> Path:
    """A folder published whose exceptions differ in one place."""
    folder = tmp_path / "published"
    shutil.copytree(fresh / POOL / "published", folder)
    text = (folder / "exceptions.csv").read_text()
    assert old in text
    (folder / "exceptions.csv").write_text(text.replace(old, new))
    return folder


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(",46.30,", ",46.31,", id="computed otherwise than explained"),
        pytest.param(",47,46.30,", ",46,46.30,", id="printed otherwise than explained"),
        pytest.param("composition/total:remaining_term,", "composition/total:rate,", id="a figure that ties"),
    ],
)
def test_an_explanation_that_is_no_longer_so_is_a_miss(
    fresh: Path, tmp_path: Path, old: str, new: str
) -> None:
    found = validated(fresh / POOL / f"{POOL}.xlsx", published_with(fresh, tmp_path, old, new))
    assert not found.ok
    texts = [str(miss) for miss in found.misses]
    assert any(text.startswith("exceptions.csv!composition/total") for text in texts)
    assert any("expected 47.00, found 46.30" in text for text in texts)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (ROUNDING, "bad luck", "'bad luck' is no reason"),
        ("16098943.9930", "about 16 million", "is no figure"),
        ("figures,reserve", "figure,reserve", "'figure' is no check"),
    ],
)
def test_an_exception_that_cannot_be_read(
    fresh: Path, tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(BadPublished, match=message) as raised:
        validated(fresh / POOL / f"{POOL}.xlsx", published_with(fresh, tmp_path, old, new))
    assert str(raised.value.place.file).endswith("exceptions.csv")


def test_no_exceptions_file_explains_nothing(tmp_path: Path) -> None:
    assert read_exceptions(tmp_path) == ()


def test_the_errors_in_the_source(folders: dict[str, TableFolder]) -> None:
    """The text says $7 thousand twice; 7,947,313 - 7,940,254 = 7,059 thousand."""
    errors = [one for folder in folders.values() for one in folder.exceptions if one.reason == ERROR]
    assert [(one.printed, one.computed) for one in errors] == [(7.0, 7059.0)] * 2


# --- rules and periods --------------------------------------------------------------------------------


def figure(row: str, measure: str = "m", period: str = "", value: float = 1.0) -> Figure:
    return Figure(Key("t", row, measure, period), "d", "1", value, 1, Form.NUMBER)


def figures_of(*listed: Figure) -> dict[Key, Figure]:
    return {one.key: one for one in listed}


def texts_of(rule: str, *listed: Figure, row: str = "sum") -> list[str]:
    figures = figures_of(*listed)
    claims = claims_of_rules({"t": [Rule(rule, (row,))]}, figures)
    return [claim.text({key: str(key) for key in figures}) for claim in claims]


QUARTER, NINE = "3 months to 30 Nov 2021", "9 months to 30 Nov 2021"


@pytest.mark.parametrize(
    ("rule", "listed", "expected"),
    [
        ("{a}+{b}", [figure("a"), figure("b"), figure("sum")], ["t/a:m+t/b:m"]),
        ("{a}+{b}", [figure("a"), figure("sum")], []),
        ("SUM({a},{b?})", [figure("a"), figure("sum")], ["SUM(t/a:m,0)"]),
        ("{:n}/2", [figure("sum"), figure("sum", "n")], ["t/sum:n/2"]),
        ("{a}*{months}", [figure("a", period=NINE), figure("sum", period=NINE)], [f"t/a:m@{NINE}*9"]),
        ("{a}*{months}", [figure("a"), figure("sum")], []),
        ("{a@end}", [figure("a", period="30 Nov 2021"), figure("sum", period=NINE)], ["t/a:m@30 Nov 2021"]),
        ("{a@begin}", [figure("a", period="28 Feb 2021"), figure("sum", period=NINE)], ["t/a:m@28 Feb 2021"]),
        ("{a@year}", [figure("a", period=NINE), figure("sum", period=QUARTER)], [f"t/a:m@{NINE}"]),
    ],
)
def test_what_a_rule_says(rule: str, listed: list[Figure], expected: list[str]) -> None:
    assert texts_of(rule, *listed) == expected


def test_a_rule_that_names_no_figure_is_told() -> None:
    with pytest.raises(BadTable, match="names no figure"):
        texts_of("{a:b:c:d}", figure("sum"))


def test_a_tie_that_says_nothing_is_told() -> None:
    with pytest.raises(BadTable, match="says nothing"):
        claims_of_ties([Tie("a tie", "t/sum:m", "{t/none:m}", "t/sum:m")], figures_of(figure("sum")))


@pytest.mark.parametrize(
    ("period", "relation", "expected"),
    [
        ("9 months to 30 Nov 2020", "begin", "29 Feb 2020"),
        ("9 months to 30 Nov 2021", "begin", "28 Feb 2021"),
        ("6 months to 31 Aug 2019", "begin", "28 Feb 2019"),
        ("3 months to 31 Aug 2019", "begin", "31 May 2019"),
        ("6 months to 31 Aug 2019", "prior", "6 months to 31 Aug 2018"),
        ("3 months to 30 Nov 2020", "next", "3 months to 30 Nov 2021"),
        ("9 months to 30 Nov 2021", "end", "30 Nov 2021"),
    ],
)
def test_relations_of_periods(period: str, relation: str, expected: str) -> None:
    here = read_period(period)
    assert here is not None
    assert str(RELATIONS[relation](here, ())) == expected


@pytest.mark.parametrize("text", ["", "fiscal 2021", "9 months to November 2021", "30 Nob 2021"])
def test_what_is_no_period(text: str) -> None:
    assert read_period(text) is None


def test_a_period_reads_back() -> None:
    for text in ("30 Nov 2021", "9 months to 30 Nov 2021"):
        assert str(read_period(text)) == text
    assert isinstance(read_period("30 Nov 2021"), Period)


# --- a folder that does not fit -----------------------------------------------------------------------

HEAD = 'schema = 1\nkind = "tables"\ntitle = "T"\nsentence = "S"\n'
TABLE = HEAD + '[[tables]]\ntable = "t"\nsheet = "S"\ntitle = "T"\nrows = {a = "A"}\nmeasures = {m = "M"}\n'
FIGURES = "document,page,table,row,period,measure,printed\n"


@pytest.mark.parametrize(
    ("document", "figures", "message"),
    [
        (TABLE, FIGURES + "d,1,t,b,,m,1.0\n", "has no place"),
        (TABLE, FIGURES + "d,1,t,a,,m,one\n", "'one' is no figure"),
        (TABLE, FIGURES + "d,1,t,a,,m,1.0\nd,1,t,a,,m,1.0\n", "again"),
        (TABLE.replace("rows", "lines"), FIGURES + "d,1,t,a,,m,1.0\n", "'lines', which nothing reads"),
        (
            TABLE.replace('title = "T"\nsentence', "sentence"),
            FIGURES + "d,1,t,a,,m,1.0\n",
            "title is missing",
        ),
        (TABLE.replace("schema = 1", "schema = 2"), FIGURES + "d,1,t,a,,m,1.0\n", "schema is 2"),
    ],
)
def test_a_folder_that_does_not_fit_is_told(
    tmp_path: Path, document: str, figures: str, message: str
) -> None:
    (tmp_path / "published").mkdir()
    (tmp_path / "model.toml").write_text(document)
    (tmp_path / "published" / "figures.csv").write_text(figures)
    with pytest.raises((BadDealFolder, BadPublished), match=message) as raised:
        build_folder(tmp_path)
    assert raised.value.place.file


@pytest.mark.parametrize("name", KEYS)
def test_a_key_that_nothing_reads_is_told_wherever_it_stands(tmp_path: Path, name: str) -> None:
    """Of every list and table of the document, so that the manual's lists of keys are all that there are."""
    above = "" if name == "the document" else f"[[{name}]]\n" if "." not in name else f"[{name}]\n"
    stray = f"{above}colour = 1\n"
    text = (
        stray + TABLE
        if not above
        else TABLE + ("[[tables.rules]]\ncolour = 1\n" if name == "tables.rules" else stray)
    )
    (tmp_path / "model.toml").write_text(text)
    with pytest.raises(
        BadDealFolder, match="'colour', which nothing reads; known: " + next(iter(KEYS[name]))
    ):
        build_folder(tmp_path)


def test_a_folder_without_figures(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(TABLE)
    with pytest.raises(BadPublished, match="no such file"):
        build_folder(tmp_path)
