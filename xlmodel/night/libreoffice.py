"""LibreOffice as a second spreadsheet program: every value recalculated, cached ones ignored."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from xlmodel.errors import LibreOfficeFailed, LibreOfficeStuck
from xlmodel.faces.libreoffice.program import soffice

TIMEOUT = 300
"""Seconds that a conversion may take."""

_RECALCULATE_ALWAYS = 0
_REGISTRY = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>{mode}</value></prop></item></oor:items>
"""


def convert(source: Path, form: str, out: Path, profile: Path | None = None) -> Path:
    """``source`` recalculated and saved as ``form`` (xlsx, pdf, ...) in the folder ``out``.

    Every call has a profile of its own unless one is given to be used again.  Raises NoLibreOffice,
    LibreOfficeFailed, or LibreOfficeStuck where it does not end in time.
    """
    program = soffice()
    with tempfile.TemporaryDirectory(prefix="xlmodel-", ignore_cleanup_errors=True) as own:
        home = profile or Path(own)
        registry = home / "user" / "registrymodifications.xcu"
        if not registry.exists():
            registry.parent.mkdir(parents=True)
            registry.write_text(_REGISTRY.format(mode=_RECALCULATE_ALWAYS))
        command = [
            str(program),
            f"-env:UserInstallation={home.resolve().as_uri()}",
            "--headless",
            "--norestore",
        ]
        command += ["--convert-to", form, "--outdir", str(out), str(source)]
        try:
            done = subprocess.run(
                command,
                env={**os.environ, "PATH": os.defpath},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise LibreOfficeStuck(f"{source.name} was not converted in {TIMEOUT} seconds") from None
        except OSError as error:
            raise LibreOfficeFailed(f"LibreOffice did not convert {source.name}: {error}") from None
    made = out / f"{source.stem}.{form.partition(':')[0]}"
    if not made.exists():
        said = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise LibreOfficeFailed(f"LibreOffice did not convert {source.name}: {said}")
    return made


def version() -> str:
    """As the program itself says it, such as ``LibreOffice 7.4.7.2``; its name alone if it does not."""
    try:
        said = subprocess.run(
            [str(soffice()), "--version"],
            env={**os.environ, "PATH": os.defpath},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "LibreOffice"
    return " ".join(said.split()[:2]) or "LibreOffice"
