"""Put new bytes in a file's place so that it holds either the old content or the new, never a part."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from xlmodel.errors import ChangedMeanwhile, NotWritten
from xlmodel.workbook.lock import PREFIX, hold, holds, locked

SUFFIX = ".tmp"


def replace_file(target: Path, data: bytes, *, read: Mapping[Path, bytes] | None = None) -> None:
    """Write beside the target, flush to the disk, read back, then rename over it.  Permissions are kept.

    ``read``: files from which ``data`` follows, with the bytes that they held; if one of them holds others
    by now, nothing is written.  One program at a time writes to a target.  What programs that died left
    in the folder is swept away.

    Raises NotWritten or ChangedMeanwhile; the target is then as it was and nothing is left beside it.
    """
    target = target.resolve()  # a symbolic link stays one; the file behind it is replaced
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent)
        with locked(target):
            if _is(target, data) and _newer(target, read):
                return  # another run has written the same
            for path, held in (read or {}).items():
                if not _is(path, held):
                    raise ChangedMeanwhile("the file was changed while it was evaluated").at(file=str(path))
            _replace(target, data)
    except OSError as error:
        raise NotWritten(f"{error.strerror or error}").at(file=str(target)) from error


def sweep(folder: Path) -> None:
    """Remove the temporary files of programs that died; those that are being written stay.

    Never raises: what cannot be removed is for the next run.
    """
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.name.startswith(PREFIX)]
    except OSError:
        return
    for name in names:
        if name.endswith((SUFFIX, ".lock")):
            _remove_orphan(folder / name)


def _remove_orphan(path: Path) -> None:
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return
    try:
        if hold(handle, wait=False):
            path.unlink(missing_ok=True)
    except OSError:
        pass  # Windows removes no file that is open: the next line closes it, the next run removes it
    finally:
        os.close(handle)


def _is(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def _newer(target: Path, read: Mapping[Path, bytes] | None) -> bool:
    """Whether the target is itself one of the files read, and no longer what it was then."""
    return any(path.resolve() == target and not _is(path, held) for path, held in (read or {}).items())


def _replace(target: Path, data: bytes) -> None:
    handle, temporary = _temporary(target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                if not os.access(target, os.W_OK) or not stat.S_IMODE(target.stat().st_mode) & 0o222:
                    raise PermissionError("the file is read-only")
                shutil.copymode(target, temporary)
            else:
                temporary.chmod(0o666 & ~_umask())
            if not _is(temporary, data):
                raise OSError("what was written does not read back the same")
            if os.name != "nt":  # while it is held nobody takes it for an orphan
                temporary.replace(target)
        if os.name == "nt":  # which renames no file that is open
            temporary.replace(target)
        _flush_folder(target.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _temporary(folder: Path) -> tuple[int, Path]:
    """A new file that is held, so that no other program sweeps it away."""
    while True:
        # A short name of its own: the target's may already be as long as a file system allows.
        handle, name = tempfile.mkstemp(dir=folder, prefix=PREFIX, suffix=SUFFIX)
        if hold(handle, wait=False) and holds(handle, Path(name)):
            return handle, Path(name)
        os.close(handle)  # it was swept away in between


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _flush_folder(folder: Path) -> None:
    """Make the rename itself durable, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
