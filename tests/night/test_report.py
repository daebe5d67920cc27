"""The report of a night, as written and as Chromium shows it."""

from __future__ import annotations

import datetime as dt
import re
import shutil
import struct
import zlib
from pathlib import Path

import openpyxl
import pytest

from tests import browser
from tests.browser import Seen, dom, picture
from tests.test_cli import xlmodel
from tests.workbook.sheets_of import edit, find
from xlmodel.night.figures import Table
from xlmodel.night.history import INPUT, Change, Changes, State
from xlmodel.night.job import Job, Options, find_jobs
from xlmodel.night.report import write_report
from xlmodel.night.report.drawing import draw
from xlmodel.night.report.numbers import exact, percent, shown
from xlmodel.night.report.panels import charts_of
from xlmodel.night.result import Result, Status
from xlmodel.night.run import run
from xlmodel.night.verify import Differing, Verification
from xlmodel.package.address import Address
from xlmodel.workbook.validate import Check, Miss, Validation

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
MOMENT = dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC)
HOSTILE = "<script>document.title='broken'</script>\"'&<img src=x onerror=alert(1)>"


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a night: one workbook that misses since its inputs changed, one that ties, one refused."""
    folder = tmp_path_factory.mktemp("night")
    for name in ("carmax_1999_1", "carmax_2024_2"):
        shutil.copytree(WORKBOOKS / name, folder / name, ignore=shutil.ignore_patterns("*.json", "*.sqlite"))
    assert xlmodel("regenerate", folder, cwd=folder).returncode == 0
    book = folder / "carmax_1999_1" / "carmax_1999_1.xlsx"
    edit(book, {find(book, "Classes", 0.062025): 0.07})  # A-1's rate: only its first interest misses
    (folder / "none.xlsx").write_text("no workbook")
    done = xlmodel("regenerate", folder, "--report", folder / "report", cwd=folder)
    assert done.returncode == 2, done.stderr
    return folder / "report"


def pages(report: Path) -> dict[str, Seen]:
    found = [report / "index.html", *sorted((report / "workbooks").iterdir())]
    return {path.stem.partition("-")[2] or path.stem: Seen(path.read_text()) for path in found}


def test_the_overview_lists_what_needs_a_look_first(night: Path) -> None:
    overview = pages(night)["index"]
    assert [row.split()[0] for row in overview.all("tr")[1:]] == [
        "none.xlsx",
        "carmax_1999_1.xlsx",
        "carmax_2024_2.xlsx",
    ]
    assert overview.all("p", "verdict") == ["2 of 3 workbooks need a look."]
    assert overview.all("span", "pill") == ["⊘ refused", "≠ mismatch", "✓ ok, unchanged"]
    # 905 printed figures and 18 check cells of 1999-1; 188 and 8 of 2024-2; a figure and its check cell miss
    assert "1,117 of 1,119 cells match" in overview.all("li", "tile")
    assert any("XM-301" in text for text in overview.all("span", "error"))


def test_every_link_leads_to_a_page_and_none_outside(night: Path) -> None:
    for path in night.rglob("*.html"):
        seen = Seen(path.read_text())
        links = [a["href"] for a in seen.attributes("a")]
        assert links
        for link in links:
            assert link.startswith("#") or (path.parent / link).is_file()
        assert not seen.attributes("script") + seen.attributes("iframe") + seen.attributes("img")
        assert [a["href"] for a in seen.attributes("link")] == ["data:,"]
        assert not re.search(r"https?://|url\(|@import", path.read_text())


def test_a_workbook_has_its_misses_changes_and_charts(night: Path) -> None:
    seen = pages(night)["carmax_1999_1"]
    assert seen.all("h2") == [
        "Checks",
        "What changed since the last run",
        "Percent of the initial balance that is left",
        "Average life in years",
        "First interest",
    ]
    rows = seen.all("tr")
    # prospectus, page 43: 1,283,917.50; with 7%: 155,250,000 x 7% x 48/360
    assert "Tie-out!B33 1,283,917.5000 1,449,000.0000" in rows
    assert "Terms!D46 0.062025 0.07" in rows
    assert "≠ first interest 4 of 5 4 of 5 16,508,250" in rows
    assert "'Tie-out'!B33 1,283,917.5 1,449,000" in rows
    assert "✗ first interest fails" in seen.all("li", "mismatch")
    assert seen.all("figcaption") == ["A-1", "A-2", "A-3", "A-4", "Certificates", "Average life"]
    drawings = seen.attributes("svg")
    assert len(drawings) == 7
    assert all(a["role"] == "img" and a["aria-label"] for a in drawings)
    assert "5 published figures over the computed ones; 1 of them missed." in drawings[-1]["aria-label"]
    assert len(seen.attributes("line", "missed")) == 1
    assert len(seen.attributes("td", "missed")) == 1


def test_a_skipped_workbook_has_its_charts_too(night: Path) -> None:
    seen = pages(night)["carmax_2024_2"]
    assert "Unchanged since its last good run" in " ".join(seen.all("p"))
    assert len(seen.attributes("svg")) == 52  # lines of the certificate that follow
    assert not seen.attributes("circle", "ring")


# The attributes that our pages use.
OURS = {
    *("class", "href", "lang", "charset", "name", "content", "http-equiv", "rel", "id", "scope", "role"),
    *("aria-label", "aria-hidden", "data-label", "tabindex", "open", "viewbox", "x", "y", "x1", "x2"),
    *("y1", "y2", "cx", "cy", "r", "rx", "width", "height", "points", "text-anchor"),
}


def hostile(tmp_path: Path) -> Path:
    """A report in which every text that comes from a file would be code."""
    place = (HOSTILE, Address(1, 1))
    check = Check(f"check_{HOSTILE}", 1, 0, 1, 0, None, (Miss(HOSTILE, HOSTILE, HOSTILE, HOSTILE),))
    table = Table(
        check="decrement",
        sheet=HOSTILE,
        columns=((HOSTILE, HOSTILE),),
        rows=(HOSTILE, f"1, {HOSTILE}"),
        computed=((1.0,), (HOSTILE,)),
        published=((0.5,), (HOSTILE,)),
        addresses=(("A1",), ("A2",)),
        missed=frozenset({(0, 0)}),
    )
    changes = (Change(place, State(INPUT, HOSTILE, None, HOSTILE), State(INPUT, None, None, HOSTILE)),)
    result = Result(
        job(HOSTILE),
        Status.MISMATCH,
        HOSTILE,
        0.1,
        formulas=1,
        validation=Validation((check,), (Miss(HOSTILE, HOSTILE, HOSTILE, HOSTILE),)),
        verification=Verification(HOSTILE, 1, 1, 0.5, (Differing(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1.0),)),
        moved=Changes(HOSTILE, changes, changes, 1, 1),
        figures=tuple(
            Table(**{**table.__dict__, "check": name})
            for name in ("decrement", "average_life", "certificate", "first_interest")
        ),
    )
    return write_report([result], tmp_path / "report", moment=MOMENT)


def job(name: str) -> Job:
    path = Path(f"{name.replace('/', '|')}.xlsx")
    return Job(path, path, path)


def test_a_text_from_a_file_is_never_code(tmp_path: Path) -> None:
    index = hostile(tmp_path)
    files = [index, *(index.parent / "workbooks").iterdir()]
    assert len(files) == 2
    for file in files:
        seen = Seen(file.read_text())
        assert not seen.attributes("script")
        assert not seen.attributes("img")
        assert not any("onerror" in a for _, a, _ in seen.found)
        assert "<script>document.title" in " ".join(seen.all("body"))
        # Nothing breaks out of an attribute: those that are there are ours.
        assert {key for _, a, _ in seen.found for key in a} <= OURS
    assert re.fullmatch(r"1-[A-Za-z0-9_-]+\.html", files[1].name)


@pytest.mark.faces
def test_a_sheet_named_as_a_script_does_nothing_in_a_browser(tmp_path: Path) -> None:
    index = hostile(tmp_path)
    for file in (index, *(index.parent / "workbooks").iterdir()):
        seen = Seen(dom(file))
        assert "broken" not in seen.all("title")
        assert not seen.attributes("script") + seen.attributes("img")


def test_a_workbook_with_such_a_sheet_goes_through_a_night(tmp_path: Path) -> None:
    folder = tmp_path / "deal"
    shutil.copytree(WORKBOOKS / "carmax_2024_2", folder, ignore=shutil.ignore_patterns("*.json", "*.sqlite"))
    file = folder / "carmax_2024_2.xlsx"
    book = openpyxl.load_workbook(file)
    book.create_sheet("<script>x<|script>")["A1"] = "<script>"
    book.save(file)
    run(find_jobs([folder]), None, Options())
    book["<script>x<|script>"]["A1"] = "</style><script>document.title='broken'</script>"
    book.save(file)
    (result,) = run(find_jobs([folder]), None, Options(figures=True))
    assert result.status is Status.OK
    write_report([result], tmp_path / "report")
    (page,) = (tmp_path / "report" / "workbooks").iterdir()
    seen = Seen(page.read_text())
    assert not seen.attributes("script")
    row = "'<script>x<|script>'!A1 <script> </style><script>document.title='broken'</script>"
    assert row in seen.all("tr")


def test_the_report_depends_on_the_results_alone(tmp_path: Path) -> None:
    results = [
        Result(job(f"book{n}"), status, None, 0.1) for n, status in enumerate((Status.OK, Status.FAILED) * 6)
    ]
    index = write_report(results, tmp_path / "one", moment=MOMENT)
    assert index.read_text() == write_report(results, tmp_path / "two", moment=MOMENT).read_text()
    assert "2026-01-02 03:04 UTC" in index.read_text()
    names = sorted(path.name for path in (tmp_path / "one" / "workbooks").iterdir())
    assert names[:2] == ["01-book0.html", "02-book1.html"]
    assert [row.split()[0] for row in Seen(index.read_text()).all("tr")[1:]][:6] == [
        f"book{n}.xlsx" for n in (1, 3, 5, 7, 9, 11)
    ]


def test_numbers_as_they_are_shown() -> None:
    assert [shown(v) for v in (1283917.5, 2000.0, 0.062025, 1 / 3, True, None, "a")] == [
        "1,283,917.50",
        "2,000",
        "0.062025",
        "0.333333",
        "TRUE",
        "",
        "a",
    ]
    assert [percent(v) for v in (0.798, 0.0, 0.7980861611594203, "*")] == ["79.8%", "0%", "79.8086%", "*"]
    assert [exact(v) for v in (0.1 + 0.2, 1283917.5, "", 5e-7)] == ["0.3", "1,283,917.5", "nothing", "5e-07"]


def test_a_panel_by_hand() -> None:
    """Two dates; 100% and 50% computed, 100% and 25% published: the second point misses and has a ring."""
    table = Table(
        "decrement",
        "Decrement",
        (("A-1", "1.00%"),),
        ("0, 1999-10-28", "1, 1999-12-15"),
        ((1.0,), (0.5,)),
        ((1.0,), (0.25,)),
        (("C6",), ("C7",)),
        frozenset({(1, 0)}),
    )
    ((title, drawing),) = draw(charts_of([table])[0])
    seen = Seen(str(drawing))
    assert title == "A-1"
    # the plot spans x from 40 to 310 and y from 8 (100%) to 168 (0%)
    assert [a["points"] for a in seen.attributes("polyline")] == ["40.0,8.0 310.0,88.0"]
    assert [(a["cx"], a["cy"]) for a in seen.attributes("circle", "dot")] == [
        ("40.0", "8.0"),
        ("310.0", "128.0"),
    ]
    assert [(a["cx"], a["cy"]) for a in seen.attributes("circle", "ring")] == [("310.0", "88.0")]
    assert "1999-12-15: 50% computed, 25% published" in seen.all("circle", "ring")


# Widths of a phone and of a desk, in light and in dark.
@pytest.mark.faces
@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_is_wider_than_the_window(night: Path, tmp_path: Path, width: int) -> None:
    """The browser lays the page out in a frame of the width, and says how wide it would have to be."""
    for page in [night / "index.html", *sorted((night / "workbooks").iterdir())]:
        probe = tmp_path / "probe.html"
        # The page's policy allows no script: a copy without it measures itself.
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text())
        script = "<script>document.title=document.documentElement.scrollWidth</script></body>"
        (tmp_path / "page.html").write_text(text.replace("</body>", script))
        probe.write_text(
            f'<iframe src="page.html" style="border:0;width:{width}px;height:900px" onload="'
            'document.title=this.contentDocument.documentElement.scrollWidth"></iframe>'
        )
        (title,) = Seen(dom_of_files(probe)).all("title")
        assert int(title) <= width, page.name


def dom_of_files(page: Path) -> str:
    """The document of a page that may look into other files beside it."""
    return browser.run("--allow-file-access-from-files", "--dump-dom", page.as_uri())


@pytest.mark.faces
def test_light_and_dark_have_their_own_colours(night: Path, tmp_path: Path) -> None:
    light = picture(night / "index.html", tmp_path / "light.png", 1200, 800)
    dark = picture(
        night / "index.html", tmp_path / "dark.png", 1200, 800, "--blink-settings=preferredColorScheme=0"
    )
    assert corner(light) == (0xFB, 0xFA, 0xF7)
    assert corner(dark) == (0x14, 0x17, 0x1A)


def corner(png: Path) -> tuple[int, ...]:
    """The colour of the first pixel of a PNG of 8 bits; its first row has no filter that reaches back."""
    data, at, pixels = png.read_bytes(), 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            pixels += data[at + 8 : at + 8 + length]
        at += length + 12
    return tuple(zlib.decompress(pixels)[1:4])


@pytest.mark.faces
def test_it_prints(night: Path, tmp_path: Path) -> None:
    (page,) = (night / "workbooks").glob("*carmax_1999_1.html")
    file = tmp_path / "page.pdf"
    browser.run("--no-pdf-header-footer", f"--print-to-pdf={file}", page.as_uri())
    assert file.read_bytes().startswith(b"%PDF")
    assert file.stat().st_size > 20_000
