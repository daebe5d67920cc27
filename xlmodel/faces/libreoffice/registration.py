"""The add-in as an extension, registered with the LibreOffice of this machine by its own tool, unopkg.

unopkg does not let root register an extension for root alone, so there it is registered for all users.
"""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from xlmodel import __version__
from xlmodel.errors import LibreOfficeFailed, LibreOfficeStuck, NoLibreOffice, NoRegistration, XlmodelError
from xlmodel.faces.libreoffice import addin
from xlmodel.faces.libreoffice.program import LibreOffice, ask, run
from xlmodel.functions import FUNCTIONS

IDENTIFIER = "org.xlmodel.addin"
_MEDIA = "application/vnd.sun.star."
_SECONDS = 120.0
_EARLIEST = 1980, 1, 1, 0, 0, 0  # the zip format's; so that the same add-in is the same file


def register() -> str:
    """Register the add-in, in place of an older one; -> what was done.

    Nothing is registered that does not work: a cell is computed before, with the add-in in a profile of its
    own, and after, with the user's.  Raises what ``program.ask`` raises, and NoRegistration.
    """
    office = LibreOffice.find()
    ask(office, None)
    if not _is_root() and IDENTIFIER in _unopkg(office, "list", "--shared"):
        return _is_there_for_all(office)
    with tempfile.TemporaryDirectory(prefix="xlmodel-") as folder:
        file = Path(folder) / "xlmodel.oxt"
        file.write_bytes(extension())
        _unopkg(office, "add", "--force", *_scope(), str(file))
    ask(office, None, own_profile=False)
    return f"registered {len(FUNCTIONS)} functions with the LibreOffice in {office.folder}{_for_whom()}"


def remove() -> str:
    """Take the add-in out; -> what was done.  Raises NoRegistration."""
    office = LibreOffice.find()
    if IDENTIFIER not in _unopkg(office, "list", *_scope()):
        return f"the add-in is not registered with the LibreOffice in {office.folder}{_for_whom()}"
    _unopkg(office, "remove", *_scope(), IDENTIFIER)
    return f"removed the add-in from the LibreOffice in {office.folder}{_for_whom()}"


def _is_there_for_all(office: LibreOffice) -> str:
    """What root has registered serves every user; beside it LibreOffice takes no second one."""
    try:
        ask(office, None, own_profile=False)
    except XlmodelError as error:
        raise NoRegistration(
            f"root has registered the add-in for all users, and it does not work for you: {error.message}",
            remedy="let root run xlmodel addin libreoffice again, or take it out with --remove",
        ) from None
    return f"the add-in is registered with the LibreOffice in {office.folder} already, for all users"


def extension() -> bytes:
    """The .oxt: the add-in with its description and its configuration.

    The types are compiled where the SDK is installed; else their source goes in, which is read as well.
    """
    files: dict[str, str | bytes] = dict(addin.files())
    types = "xlmodel.idl"
    compiled = _compiled(addin.idl())
    if compiled is not None:
        del files[types]
        types = "xlmodel.rdb"
        files[types] = compiled
    files["CalcAddIns.xcu"] = addin.configuration()
    files["description.xml"] = _description()
    files["META-INF/manifest.xml"] = _manifest(
        {
            types: "uno-typelibrary;type=RDB",
            "xlmodel.components": "uno-components",
            "CalcAddIns.xcu": "configuration-data",
        }
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _compiled(idl: str) -> bytes | None:
    """The types as the SDK's compiler writes them; None where it is not installed."""
    try:
        office = LibreOffice.find()
    except NoLibreOffice:
        return None
    compiler = office.tool("unoidl-write")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory(prefix="xlmodel-") as folder:
        source, result = Path(folder) / "xlmodel.idl", Path(folder) / "xlmodel.rdb"
        source.write_text(idl, encoding="utf-8")
        known = [office.folder / "types.rdb", office.folder / "types" / "offapi.rdb"]
        run([str(compiler), *map(str, known), str(source), str(result)], seconds=_SECONDS)
        return result.read_bytes()


def _description() -> str:
    return (
        f'{addin.XML}<description xmlns="http://openoffice.org/extensions/description/2006">'
        f'<identifier value="{IDENTIFIER}"/><version value="{__version__}"/>'
        '<display-name><name lang="en">xlmodel</name></display-name></description>\n'
    )


def _manifest(types: Mapping[str, str]) -> str:
    entries = "".join(
        f'<manifest:file-entry manifest:media-type="{_MEDIA}{kind}" manifest:full-path="{name}"/>'
        for name, kind in types.items()
    )
    namespace = "http://openoffice.org/2001/manifest"
    return f'{addin.XML}<manifest:manifest xmlns:manifest="{namespace}">{entries}</manifest:manifest>\n'


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _scope() -> list[str]:
    return ["--shared"] if _is_root() else []


def _for_whom() -> str:
    return ", for all users because you are root" if _is_root() else ""


def _unopkg(office: LibreOffice, *arguments: str) -> str:
    tool = office.tool("unopkg")
    if tool is None:
        raise NoLibreOffice(f"the LibreOffice in {office.folder} has no unopkg")
    try:
        return run([str(tool), *arguments], seconds=_SECONDS)
    except (LibreOfficeFailed, LibreOfficeStuck) as error:
        raise NoRegistration(error.message) from None
