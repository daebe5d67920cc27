"""LibreOffice as a program: where it is, and one session of it in a profile of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlmodel.errors import AddInBroken, LibreOfficeFailed, LibreOfficeStuck, NoLibreOffice, OtherPython
from xlmodel.faces.libreoffice import addin
from xlmodel.functions import functions_version

WAIT_SECONDS = 300.0

_SESSION = "org.xlmodel.Session"
_ELSEWHERE = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
    r"C:\Program Files (x86)\LibreOffice\program\soffice.exe",
)
_WINDOWS = sys.platform == "win32"


def soffice() -> Path:
    """The program on the PATH, or in its usual place.  Raises NoLibreOffice if there is none."""
    # A night that a scheduler starts may have a PATH without the system's folders.
    found = shutil.which("soffice") or shutil.which("soffice", path=None if _WINDOWS else os.defpath)
    places = [found] if found else [place for place in _ELSEWHERE if Path(place).exists()]
    if not places:
        raise NoLibreOffice("there is no soffice on the PATH or in its usual place")
    return Path(places[0])


@dataclass(frozen=True)
class LibreOffice:
    """An installed LibreOffice, by the path of its soffice."""

    soffice: Path

    @property
    def folder(self) -> Path:
        """The folder of its programs."""
        return self.soffice.resolve().parent

    @classmethod
    def find(cls) -> LibreOffice:
        """The one on the PATH, or in the usual place.

        Raises NoLibreOffice if there is none, or it was installed without its Python.
        """
        office = cls(soffice())
        if not office._file("pythonloader.py").exists():
            raise NoLibreOffice(f"the LibreOffice in {office.folder} was installed without Python")
        return office

    def tool(self, name: str) -> Path | None:
        """A program that comes with it or with its SDK."""
        beside = self.folder / f"{name}{'.exe' if _WINDOWS else ''}"
        sdk = self.folder.parent / "sdk" / "bin" / beside.name
        return next((each for each in (beside, sdk) if each.exists()), None)

    def _file(self, name: str) -> Path:
        inside = self.folder / name
        return inside if inside.exists() else self.folder.parent / "Resources" / name  # macOS


def ask(
    office: LibreOffice,
    file: Path | None,
    *,
    seconds: float = WAIT_SECONDS,
    own_profile: bool = True,
    rounds: int = 0,
) -> dict[str, Any]:
    """What ``session.py`` answers: every value of a file, or, without one, only that the add-in works.

    It recalculates so many ``rounds`` more and says how long each took.  With ``own_profile`` the add-in need
    not be registered; without, that of the user's own profile is asked.  Raises LibreOfficeStuck,
    LibreOfficeFailed; OtherPython or AddInBroken if the canary does not show the version of the functions, so
    that no number of a broken add-in is ever believed.
    """
    with _folder(own_profile) as folder:
        expected = functions_version()
        request = {
            "file": None if file is None else str(file),
            "canary": "=XM_VERSION()",
            "expected": expected,
            "rounds": rounds,
        }
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        arguments = ["--headless", *_arguments(folder, own_profile), f"service:{_SESSION}"]
        said = run([str(office.soffice), *arguments], seconds=seconds)
        try:
            answer = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise LibreOfficeFailed(f"LibreOffice ended without an answer{said and f': {said}'}") from None
    _refuse(answer, expected)
    return dict(answer)


def show(office: LibreOffice, file: Path) -> None:
    """Open a file in a window, as a new document, and wait until the window is closed."""
    with _folder(own_profile=True) as folder:
        run([str(office.soffice), *_arguments(folder, True), "-n", str(file)], seconds=None)


def run(command: Sequence[str], *, seconds: float | None) -> str:
    """Run a program of LibreOffice to its end; -> what it complained of.

    Raises LibreOfficeStuck after so many seconds; the program and all that it started are then ended.
    """
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    if not _WINDOWS:
        # A virtual environment first on the PATH breaks the Python inside LibreOffice.
        clean["PATH"] = os.defpath
    clean.pop("VIRTUAL_ENV", None)
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(
            command, env=clean, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        ) as process,
    ):
        try:
            process.wait(seconds)
        except BaseException as stop:  # Ctrl-C ends it as well
            _end(process)
            if isinstance(stop, subprocess.TimeoutExpired):
                raise LibreOfficeStuck(f"LibreOffice gave no answer in {seconds:g} seconds") from None
            raise
        output.seek(0)
        lines = output.read().decode(errors="replace").strip().splitlines()
    said = "; ".join(line for line in lines if "javaldx" not in line)
    if process.returncode:
        raise LibreOfficeFailed(
            f"{Path(command[0]).name} ended with {process.returncode}: {said or 'no word'}"
        )
    return said


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program together with those that it started: soffice is only a script."""
    if _WINDOWS:
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], check=False, capture_output=True)
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def _folder(own_profile: bool) -> Iterator[Path]:
    """A folder with the add-in, the session and, if it is to be its own, the profile."""
    with tempfile.TemporaryDirectory(prefix="xlmodel-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        for file, text in addin.files().items():
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "session.py").write_text(addin.source("session.py"), encoding="utf-8")
        (folder / "session.components").write_text(
            addin.components({_SESSION: _SESSION}, "session.py"), encoding="utf-8"
        )
        if own_profile:
            profile = folder / "profile" / "user"
            profile.mkdir(parents=True)
            (profile / "registrymodifications.xcu").write_text(addin.profile(), encoding="utf-8")
        yield folder


def _arguments(folder: Path, own_profile: bool) -> list[str]:
    """Where LibreOffice finds our types and services beside its own and those of its extensions."""
    ini = "louno.ini" if _WINDOWS else "lounorc"
    kinds = ("PKG_UserUnoFile", "PKG_SharedUnoFile", "PKG_BundledUnoFile")
    types = "<$ORIGIN/types>* " + " ".join(f"${{${{$ORIGIN/{ini}:{kind}}}:UNO_TYPES}}" for kind in kinds)
    services = "<$ORIGIN/services>* " + " ".join(
        f"${{${{$ORIGIN/{ini}:{kind}}}:UNO_SERVICES}}" for kind in kinds
    )
    services += f" {(folder / 'session.components').as_uri()}"
    arguments = ["--norestore", "--nologo", "--nofirststartwizard"]
    if own_profile:
        types = f"<$ORIGIN/types>* {(folder / 'xlmodel.idl').as_uri()}"
        services = " ".join(
            ["<$ORIGIN/services>*"]
            + [(folder / name).as_uri() for name in ("xlmodel.components", "session.components")]
        )
        arguments.append(f"-env:UserInstallation={(folder / 'profile').as_uri()}")
    return [*arguments, f"-env:URE_MORE_TYPES={types}", f"-env:URE_MORE_SERVICES={services}"]


def _refuse(answer: dict[str, Any], expected: str) -> None:
    found = tuple(answer["python"])
    if found != sys.version_info[:2]:
        theirs, ours = (".".join(map(str, each)) for each in (found, sys.version_info[:2]))
        raise OtherPython(
            f"LibreOffice carries Python {theirs}, this environment has {ours}",
            remedy=f"install xlmodel in an environment of Python {theirs}, made by python{theirs} -m venv",
        )
    if "failed" in answer:
        raise LibreOfficeFailed(str(answer["failed"]))
    canary = answer["canary"]
    if canary != expected:
        shown = canary if isinstance(canary, str) else f"error {canary[0]}"
        raise AddInBroken(f"a cell with =XM_VERSION() shows {shown!r}, not {expected!r}")
