"""New: a deal folder begun from the folder of another deal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import xlmodel
from xlmodel.errors import BadUsage, NotWritten

# Letters and digits first: such a name is a folder and a file on every system, and no option.
_NAME = re.compile(r"\w[\w .&()+-]*(?<![ .])")
_COPIED = (".toml", ".csv")
_DOCUMENT = "deal.toml"
_DEAL_NAME = re.compile(r'^(term = "deal"\nvalue = )".*"$', re.MULTILINE)
_HEAD = re.compile(r"\A(?:#.*\n)*")
_STATED = re.compile(r'^status = "(?:stated|derived)"$', re.MULTILINE)
_PAGE = re.compile(r'^page = ".*"\n?', re.MULTILINE)


def templates() -> dict[str, Path]:
    """The deal folders that a new one can begin from, by name: the package's, else its repository's."""
    return shipped(_DOCUMENT)


def shipped(document: str) -> dict[str, Path]:
    """The folders that come with the program and hold such a document, by name."""
    package = Path(xlmodel.__file__).parent
    place = next((p for p in (package / "templates", package.parent / "workbooks") if p.is_dir()), None)
    found = sorted(place.glob(f"*/{document}")) if place else []
    return {path.parent.name: path.parent for path in found}


def start_deal(name: str, like: str, beside: Path) -> Path:
    """Write the folder ``beside / name`` from a template: its tables and pool, without published figures.

    -> the folder.  What the template's document states is assumed of another deal, so every status becomes
    ``assumed``, and pages are left out.  Raises BadUsage for a name that is no folder's or an unknown
    template, NotWritten where the folder exists or cannot be made.
    """
    if not _NAME.fullmatch(name):
        raise BadUsage(
            f"{name!r} is no name for a folder", remedy="use letters, digits, blanks and . & ( ) + - _"
        )
    known = templates()
    if like not in known:
        raise BadUsage(f"there is no template {like!r}", remedy=f"use one of: {', '.join(known)}")
    folder = beside / name
    try:
        files = {
            path.name: path.read_bytes()
            for path in sorted(known[like].iterdir())
            if path.suffix in _COPIED and path.is_file()
        }
        files[_DOCUMENT] = _renamed(files[_DOCUMENT].decode("utf-8"), name, like).encode("utf-8")
        folder.mkdir()
        for file, data in files.items():
            (folder / file).write_bytes(data)
    except FileExistsError:
        raise NotWritten("there is such a folder already", remedy="choose another name").at(
            file=str(folder)
        ) from None
    except OSError as error:
        raise NotWritten(f"cannot be written: {error.strerror}").at(file=str(folder)) from None
    return folder


def _renamed(document: str, name: str, like: str) -> str:
    """The text of deal.toml for a deal of another name."""
    text = document.replace("\r\n", "\n")
    text, count = _DEAL_NAME.subn(lambda found: f"{found[1]}{json.dumps(name, ensure_ascii=False)}", text)
    assert count == 1, f"the template {like} does not name its deal once"
    head = f"# {name}, begun from {like}: all is assumed until the deal's own document is read.\n"
    text = _HEAD.sub(lambda found: head, text, count=1)
    return _PAGE.sub("", _STATED.sub('status = "assumed"', text))
