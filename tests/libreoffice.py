"""LibreOffice as a second spreadsheet program: every value recalculated, cached ones ignored."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

_RECALCULATE_ALWAYS = 0

_REGISTRY = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>{mode}</value></prop></item></oor:items>
"""


def convert(source: Path, form: str, out: Path, profile: Path | None = None) -> Path:
    """``source`` recalculated and saved as ``form`` (xlsx, pdf, ...) in the folder ``out``.

    Every call has a profile of its own unless one is given to be used again; a virtual environment first on
    the PATH would break the Python inside LibreOffice, so the PATH is the system's.
    """
    program = shutil.which("soffice", path=os.defpath)
    assert program, "LibreOffice is needed for the tests marked faces: make test installs it"
    with tempfile.TemporaryDirectory() as own:
        home = profile or Path(own)
        registry = home / "user" / "registrymodifications.xcu"
        if not registry.exists():
            registry.parent.mkdir(parents=True)
            registry.write_text(_REGISTRY.format(mode=_RECALCULATE_ALWAYS))
        command = [program, f"-env:UserInstallation=file://{home}", "--headless", "--norestore"]
        command += ["--convert-to", form, "--outdir", str(out), str(source)]
        done = subprocess.run(
            command,
            env={**os.environ, "PATH": os.defpath},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
    made = out / f"{source.stem}.{form.partition(':')[0]}"
    assert made.exists(), done.stderr
    return made
