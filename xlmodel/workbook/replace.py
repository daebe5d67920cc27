"""Put new bytes in a file's place so that it holds either the old content or the new, never a part."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from xlmodel.errors import NotWritten


def replace_file(target: Path, data: bytes) -> None:
    """Write beside the target, flush to the disk, then rename over it.  Permissions are kept.

    Raises NotWritten; the target is then as it was and nothing is left beside it.
    """
    target = target.resolve()  # a symbolic link stays one; the file behind it is replaced
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # A short name of its own: the target's may already be as long as a file system allows.
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".xlmodel-", suffix=".tmp")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            if not os.access(target, os.W_OK):
                raise PermissionError("the file is read-only")
            shutil.copymode(target, temporary)
        else:
            temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
        temporary = None
        _flush_folder(target.parent)
    except OSError as error:
        raise NotWritten(f"{error.strerror or error}").at(file=str(target)) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


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
