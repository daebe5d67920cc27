"""What a run leaves beside a workbook, and what the next one makes of it."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.workbook.sheets_of import edit, find
from xlmodel.night import record, versions
from xlmodel.night.history import History, history_file
from xlmodel.night.job import Job, Options, find_jobs
from xlmodel.night.record import sidecar
from xlmodel.night.regenerate import regenerate
from xlmodel.night.result import Result
from xlmodel.night.verify import Verification

pytestmark = pytest.mark.soak

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
SPEED = 0.005  # the first of the printed tables' speeds, prospectus of 1999-1


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A small workbook that ties, with its figures; no run is on record."""
    folder = tmp_path / "carmax_2024_2"
    shutil.copytree(WORKBOOKS / "carmax_2024_2", folder, ignore=shutil.ignore_patterns("*.json", "*.sqlite"))
    return folder / "carmax_2024_2.xlsx"


def job(book: Path) -> Job:
    return Job(book, book, book.parent / "published")


def again(book: Path, **options: bool) -> Result:
    return regenerate(job(book), Options(**options))


def document(book: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sidecar(book).read_text())
    return found


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_the_sidecar_tells_where_the_numbers_come_from(book: Path) -> None:
    before = book.read_bytes()
    changed = edit(book, {("Collections", 3, 2): 123.25})  # the cached value of a result is lost by openpyxl
    assert changed
    source = book.read_bytes()
    result = again(book)
    told = document(book)
    assert told["workbook"] == "carmax_2024_2.xlsx"
    assert told["input"] == {"sha256": digest(source)}
    assert told["output"] == {"sha256": digest(book.read_bytes())}
    assert told["input"] != told["output"]
    assert told["versions"]["functions"] == versions.versions().functions
    assert set(told["versions"]["libraries"]) == {"formualizer", "numpy", "holidays"}
    assert told["status"] == result.status.word
    assert len(told["changed"]) == result.changed > 100
    assert {"sheet", "cell", "old", "new"} == set(told["changed"][0])
    assert told["changed"][0]["old"] is None  # openpyxl keeps no cached values
    assert told["verifier"] is None
    assert [check["name"] for check in told["checks"]] == [check.name for check in result.checks]
    assert before != source


def test_beside_a_workbook_stay_a_json_and_an_sqlite_file(book: Path) -> None:
    before = {path.name for path in book.parent.iterdir()}
    again(book)
    again(book, force=True)
    assert {path.name for path in book.parent.iterdir()} - before == {
        "carmax_2024_2.xlsx.json",
        "carmax_2024_2.xlsx.sqlite",
    }


def test_without_records_nothing_is_left(book: Path) -> None:
    before = {path.name for path in book.parent.iterdir()}
    for _ in range(2):
        result = again(book, records=False)
        assert (result.status.word, result.skipped) == ("ok", False)
    assert {path.name for path in book.parent.iterdir()} == before


def test_a_workbook_that_has_not_changed_is_skipped_with_its_checks(book: Path) -> None:
    first = again(book)
    records = {path: path.read_bytes() for path in (sidecar(book), history_file(book))}
    second = again(book)
    assert (first.skipped, second.skipped) == (False, True)
    assert (second.status, second.error, second.changed) == (first.status, None, 0)
    assert second.checks == first.checks
    assert (second.formulas, second.functions) == (first.formulas, first.functions)
    assert {path: path.read_bytes() for path in records} == records
    assert again(book, force=True).skipped is False


def _other_functions(book: Path, patch: pytest.MonkeyPatch) -> None:
    mine = versions.versions()
    patch.setattr(record, "versions", lambda: versions.Versions("0.0.1+0", mine.code, mine.libraries))


def _other_code(book: Path, patch: pytest.MonkeyPatch) -> None:
    mine = versions.versions()
    patch.setattr(record, "versions", lambda: versions.Versions(mine.functions, "0", mine.libraries))


def _other_library(book: Path, patch: pytest.MonkeyPatch) -> None:
    mine = versions.versions()
    other = (("formualizer", "0.0.1"), *mine.libraries[1:])
    patch.setattr(record, "versions", lambda: versions.Versions(mine.functions, mine.code, other))


def _published(book: Path, patch: pytest.MonkeyPatch) -> None:
    file = book.parent / "published" / "certificates.csv"
    file.write_bytes(file.read_bytes() + b"\n")


def _published_more(book: Path, patch: pytest.MonkeyPatch) -> None:
    (book.parent / "published" / "more.csv").write_text("a,b\n")


def _content(book: Path, patch: pytest.MonkeyPatch) -> None:
    edit(book, {("Collections", 3, 2): 123.25})


def _older_file(book: Path, patch: pytest.MonkeyPatch) -> None:
    book.write_bytes((book.parent / "before").read_bytes())


def _sidecar_gone(book: Path, patch: pytest.MonkeyPatch) -> None:
    sidecar(book).unlink()


def _sidecar_cut(book: Path, patch: pytest.MonkeyPatch) -> None:
    sidecar(book).write_bytes(sidecar(book).read_bytes()[:500])


def _sidecar_of_other_kind(book: Path, patch: pytest.MonkeyPatch) -> None:
    sidecar(book).write_text("[1, 2]")


def _sidecar_of_a_bad_run(book: Path, patch: pytest.MonkeyPatch) -> None:
    sidecar(book).write_text(sidecar(book).read_text().replace('"status": "ok"', '"status": "mismatch"'))


@pytest.mark.parametrize(
    "change",
    [
        _other_functions,
        _other_code,
        _other_library,
        _published,
        _published_more,
        _content,
        _older_file,
        _sidecar_gone,
        _sidecar_cut,
        _sidecar_of_other_kind,
        _sidecar_of_a_bad_run,
    ],
)
def test_what_has_changed_is_not_skipped(
    book: Path, change: Callable[[Path, pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    openpyxl.load_workbook(book).save(book)  # drops the cached values: the run has something to write
    (book.parent / "before").write_bytes(book.read_bytes())
    assert again(book).status.word == "ok"
    assert again(book).skipped
    change(book, monkeypatch)
    assert not again(book).skipped


def test_a_formula_that_may_answer_otherwise_is_never_skipped(book: Path) -> None:
    workbook = openpyxl.load_workbook(book)
    workbook.worksheets[0]["AZ1"] = "=TODAY()>1"
    workbook.save(book)
    for _ in range(2):
        refused = again(book)
        assert (refused.status.word, refused.skipped) == ("refused", False)
        assert "TODAY" in (refused.error or "")


def test_a_run_that_is_to_verify_is_skipped_after_one_that_did(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xlmodel.night.verify.verify", lambda _: Verification("Other 1.0", 9, 0, 1e-15, ()))
    again(book)
    assert again(book, verify=True).skipped is False
    last = again(book, verify=True)
    assert last.skipped is True
    assert last.verification == Verification("Other 1.0", 9, 0, 1e-15, ())
    assert document(book)["verifier"]["worst"] == 1e-15
    assert again(book).skipped is True


def test_copies_are_skipped_while_source_and_copy_stay(book: Path, tmp_path: Path) -> None:
    def run() -> Result:
        (one,) = find_jobs([book], out=tmp_path / "copies")
        return regenerate(one, Options())

    assert run().skipped is False
    assert run().skipped is True
    copy = tmp_path / "copies" / book.name
    good = copy.read_bytes()
    assert not sidecar(book).exists()
    copy.unlink()
    assert run().skipped is False
    assert copy.read_bytes() == good
    edit(book, {("Collections", 3, 2): 123.25})
    assert run().skipped is False


def test_a_failed_run_is_on_record_and_leaves_the_cells(book: Path) -> None:
    again(book)
    good = book.read_bytes()
    book.write_text("no workbook")
    assert again(book).status.word == "refused"
    assert document(book)["status"] == "refused"
    assert document(book)["output"] is None
    book.write_bytes(good)
    third = again(book)  # not skipped: the last run was none to go by
    assert (third.status.word, third.skipped) == ("ok", False)
    assert third.moved is not None
    assert (third.moved.input_count, third.moved.result_count) == (0, 0)
    with History.read(book) as history:
        assert [run.status for _, run in history.runs()] == ["ok", "refused", "ok"]


def test_nothing_is_recorded_beside_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = regenerate(Job(tmp_path / "gone.xlsx", tmp_path / "gone.xlsx", tmp_path), Options())
    assert result.status.word == "refused"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"no database", b"", b"SQLite format 3\x00" + bytes(200)])
def test_a_damaged_history_stops_the_run_before_anything_is_written(book: Path, data: bytes) -> None:
    edit(book, {("Collections", 3, 2): 123.25})
    before = book.read_bytes()
    history_file(book).write_bytes(data)
    result = again(book)
    assert result.status.word == "failed"
    assert str(result.error).startswith(f"XM-706 {history_file(book)}: ")
    assert "move the .sqlite file away" in str(result.error)
    assert book.read_bytes() == before
    assert history_file(book).read_bytes() == data
    assert not sidecar(book).exists()


def test_a_history_of_a_later_program_is_left_alone(book: Path) -> None:
    again(book)
    with sqlite3.connect(history_file(book)) as database:
        database.execute("PRAGMA user_version = 99")
    assert "it has schema 99, this program knows 1" in str(again(book, force=True).error)


def test_the_second_figure_of_the_flagship_moves_with_its_speed(tmp_path: Path) -> None:
    folder = tmp_path / "carmax_1999_1"
    shutil.copytree(WORKBOOKS / "carmax_1999_1", folder, ignore=shutil.ignore_patterns("*.json", "*.sqlite"))
    book = folder / "carmax_1999_1.xlsx"
    first = again(book)
    assert first.moved is not None
    assert first.moved.since is None
    edit(book, {find(book, "Speeds", SPEED): 0.006})
    second = again(book)
    assert second.status.word == "mismatch"
    assert second.moved is not None
    (change,) = second.moved.inputs
    assert str(change.place[1]) == "B5"
    assert (change.old and change.old.value, change.new and change.new.value) == (SPEED, 0.006)
    assert second.moved.result_count > 100
    assert len(second.moved.results) == 100
