"""Replacing a file: the old bytes or the new ones, whatever happens; nothing left beside it."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from xlmodel.errors import ChangedMeanwhile, NotWritten
from xlmodel.workbook import lock
from xlmodel.workbook.lock import locked
from xlmodel.workbook.replace import replace_file, sweep

OLD, NEW = b"old" * 1000, b"new" * 2000


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "desk" / "deal.xlsx"
    path.parent.mkdir()
    path.write_bytes(OLD)
    return path


def beside(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir() if path != target)


def in_process(code: str, *arguments: object, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    def shrink() -> None:
        assert limit is not None
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=None if limit is None else shrink,
    )


def test_new_bytes_and_nothing_else(target: Path) -> None:
    target.chmod(0o640)
    replace_file(target, NEW, read={target: OLD})
    assert (target.read_bytes(), stat.S_IMODE(target.stat().st_mode), beside(target)) == (NEW, 0o640, [])


def test_a_source_that_changed_meanwhile_is_noticed(target: Path) -> None:
    source = target.with_name("source.xlsx")
    source.write_bytes(b"changed by somebody")
    with pytest.raises(ChangedMeanwhile, match=r"XM-308 .*source\.xlsx: the file was changed"):
        replace_file(target, NEW, read={source: b"as it was read"})
    assert (target.read_bytes(), beside(target)) == (OLD, ["source.xlsx"])


def test_a_target_that_changed_meanwhile_is_noticed(target: Path) -> None:
    with pytest.raises(ChangedMeanwhile):
        replace_file(target, NEW, read={target: b"as it was read"})
    assert (target.read_bytes(), beside(target)) == (OLD, [])


def test_a_source_that_is_gone_is_noticed(target: Path, tmp_path: Path) -> None:
    with pytest.raises(ChangedMeanwhile):
        replace_file(target, NEW, read={tmp_path / "gone.xlsx": b"as it was read"})
    assert target.read_bytes() == OLD


def test_two_runs_of_the_same_workbook_agree(target: Path) -> None:
    replace_file(target, NEW, read={target: OLD})
    replace_file(target, NEW, read={target: OLD})  # the second had read the file before the first wrote
    assert target.read_bytes() == NEW


def test_a_read_only_target_stays(target: Path) -> None:
    target.chmod(0o444)
    with pytest.raises(NotWritten, match="read-only"):
        replace_file(target, NEW)
    assert (target.read_bytes(), beside(target)) == (OLD, [])


def test_a_symbolic_link_stays_one(target: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.xlsx"
    link.symlink_to(target)
    replace_file(link, NEW, read={link: OLD})
    assert (link.is_symlink(), target.read_bytes()) == (True, NEW)


@pytest.mark.parametrize("length", [218, 250])
def test_a_long_name(target: Path, length: int) -> None:
    path = target.with_name("x" * (length - 5) + ".xlsx")
    replace_file(path, NEW)
    assert path.read_bytes() == NEW


def test_a_disk_that_fills_leaves_the_old_file(target: Path) -> None:
    """The system lets no file of the process grow beyond 4,096 bytes, as a full disk would not."""
    code = """
        import sys
        from pathlib import Path
        from xlmodel.errors import NotWritten
        from xlmodel.workbook.replace import replace_file
        try:
            replace_file(Path(sys.argv[1]), b"new" * 200_000)
        except NotWritten as error:
            print(error)
    """
    done = in_process(code, target, limit=4096)
    assert done.stdout.startswith(f"XM-306 {target}: File too large"), done.stderr
    assert (target.read_bytes(), beside(target)) == (OLD, [])


def test_a_second_program_waits_for_the_first(target: Path) -> None:
    code = """
        import sys, time
        from pathlib import Path
        from xlmodel.workbook.lock import locked
        with locked(Path(sys.argv[1])):
            print("held", flush=True)
            time.sleep(0.5)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(target)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        start = time.monotonic()
        replace_file(target, NEW)
        assert time.monotonic() - start > 0.2
    assert (target.read_bytes(), beside(target)) == (NEW, [])


def test_a_program_that_keeps_the_lock_is_named_in_time(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.1)
    with locked(target), pytest.raises(NotWritten, match="another run is writing"):
        replace_file(target, NEW)
    assert (target.read_bytes(), beside(target)) == (OLD, [])


def test_what_a_dead_program_left_holds_nobody_up_and_is_swept(target: Path) -> None:
    code = """
        import os, sys, signal
        from pathlib import Path
        from xlmodel.workbook import replace
        replace._flush_folder = lambda folder: None
        replace._is = lambda path, data: os.kill(os.getpid(), signal.SIGKILL)
        replace._replace(Path(sys.argv[1]), b"half")
    """
    in_process(code, target)
    (target.parent / ".xlmodel-0123456789abcdef.lock").write_bytes(b"")
    assert [name.startswith(".xlmodel-") for name in beside(target)] == [True, True]
    replace_file(target, NEW)
    assert (target.read_bytes(), beside(target)) == (NEW, [])


def test_a_file_that_is_being_written_is_not_swept(target: Path) -> None:
    from xlmodel.workbook.replace import _temporary

    handle, path = _temporary(target.parent)
    sweep(target.parent)
    assert path.exists()
    os.close(handle)
    sweep(target.parent)
    assert not path.exists()


def test_the_files_of_others_are_not_swept(target: Path) -> None:
    for name in ("notes.tmp", "~$deal.xlsx", ".xlmodel-notes", "deal.xlsx.json", "deal.xlsx.sqlite"):
        (target.parent / name).write_text("")
    before = beside(target)
    sweep(target.parent)
    sweep(target.parent / "nowhere")
    assert beside(target) == before
