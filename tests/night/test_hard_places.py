"""Where a workbook lies makes it hard: locked, read-only, full, changed meanwhile, two at once, odd names."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from resource import RLIMIT_FSIZE, setrlimit

import openpyxl
import pytest

from tests.package.test_bad_workbooks import FOLDER
from tests.workbook.large_book import build
from xlmodel.night import work
from xlmodel.night.job import Job, Options, find_jobs
from xlmodel.night.regenerate import regenerate
from xlmodel.night.result import Result
from xlmodel.workbook.refresh import read_package, refresh

PROGRAM = [sys.executable, "-c", "from xlmodel.cli import main; main()"]


@pytest.fixture
def stale(tmp_path: Path) -> Path:
    """A workbook with a wrong value, alone in its folder."""
    folder = tmp_path / "desk"
    folder.mkdir()
    return Path(shutil.copy(FOLDER / "24_stale_cache.xlsx", folder))


def done(source: Path, target: Path | None = None, *, records: bool = True) -> Result:
    return regenerate(Job(source, target or source, source.parent / "published"), Options(records=records))


def shown(path: Path) -> object:
    return openpyxl.load_workbook(path, data_only=True)["Inputs"]["B2"].value


def left(path: Path) -> set[str]:
    return {one.name for one in path.parent.iterdir()} - {
        path.name,
        f"{path.name}.json",
        f"{path.name}.sqlite",
    }


def test_a_read_only_workbook_fails_by_name_and_stays(stale: Path) -> None:
    stale.chmod(0o444)
    result = done(stale)
    assert result.status.word == "failed"
    assert "XM-306" in str(result.error)
    assert "read-only" in str(result.error)
    assert (shown(stale), left(stale)) == (999, set())


def test_a_workbook_that_is_changed_meanwhile(stale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = (FOLDER / "00_good.xlsx").read_bytes()
    evaluate = work.evaluate

    def slow(*arguments: object) -> object:
        outcome = evaluate(*arguments)  # type: ignore[arg-type]  # as it was called
        stale.write_bytes(good)  # somebody saves while it is evaluated
        return outcome

    monkeypatch.setattr("xlmodel.night.regenerate.evaluate", slow)
    result = done(stale)
    assert result.status.word == "failed"
    assert "XM-308" in str(result.error)
    assert (stale.read_bytes(), left(stale)) == (good, set())


def test_a_copy_of_a_source_that_is_changed_meanwhile(stale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = work.evaluate

    def slow(*arguments: object) -> object:
        outcome = evaluate(*arguments)  # type: ignore[arg-type]  # as it was called
        stale.write_bytes(b"changed")
        return outcome

    monkeypatch.setattr("xlmodel.night.regenerate.evaluate", slow)
    target = stale.parent / "copies" / stale.name
    assert "XM-308" in str(done(stale, target).error)
    assert not target.exists()


def test_two_programs_on_one_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.workbook.large_book.ROWS", 20)
    path = tmp_path / "desk" / "deal.xlsx"
    path.parent.mkdir()
    build(path)
    new = refresh(read_package(path)).data
    both = [
        subprocess.Popen([*PROGRAM, "refresh", str(path)], stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    ends = [program.communicate(timeout=120)[1] for program in both]
    assert [(program.returncode, end) for program, end in zip(both, ends, strict=True)] == [(0, "")] * 4
    assert (path.read_bytes() == new, left(path)) == (True, set())


def test_a_full_disk(stale: Path) -> None:
    """No file of the process may grow beyond 100 bytes: the workbook stays, the night says why."""

    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        setrlimit(RLIMIT_FSIZE, (100, 100))

    ended = subprocess.run(
        [*PROGRAM, "regenerate", str(stale)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=full,
    )
    assert ended.returncode == 1
    assert "XM-306" in ended.stdout
    assert "Traceback" not in ended.stdout + ended.stderr
    assert (shown(stale), left(stale)) == (999, set())


def test_the_same_file_by_another_name(stale: Path) -> None:
    link = stale.parent / "link.xlsx"
    link.symlink_to(stale)
    result = done(stale, link, records=False)
    assert (result.status.word, shown(stale), link.is_symlink()) == ("ok", 0.03, True)


def test_out_may_be_the_folder_itself(stale: Path) -> None:
    (job,) = find_jobs([stale.parent], out=stale.parent)
    assert (regenerate(job).status.word, shown(stale), left(stale)) == ("ok", 0.03, set())


@pytest.mark.parametrize("length", [218, 240])
def test_a_long_name(stale: Path, length: int) -> None:
    path = stale.rename(stale.with_name("x" * (length - 5) + ".xlsx"))
    assert (done(path).status.word, shown(path), left(path)) == ("ok", 0.03, set())


def test_a_name_too_long_for_its_records_says_so(stale: Path) -> None:
    path = stale.rename(stale.with_name("x" * 250 + ".xlsx"))
    result = done(path)
    assert result.status.word == "failed"
    assert str(result.error).startswith("XM-")
    assert "XM-901" not in str(result.error)
    assert done(path, records=False).status.word == "ok"
