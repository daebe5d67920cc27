"""Chromium without a window: a page as it stands after it was loaded, and as a picture."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from html.parser import HTMLParser
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")


def run(*arguments: str) -> str:
    """What the browser prints.  AssertionError where the page complains, as of what its policy forbids."""
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    assert program, "Chromium is needed for the tests marked faces: make test installs it"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += ["--disable-dev-shm-usage", f"--user-data-dir={profile}", "--enable-logging=stderr"]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=120, check=True)
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not complaints, complaints
    return done.stdout


def dom(page: Path) -> str:
    """The document of a page after it was loaded, as the browser has understood it."""
    return run("--dump-dom", page.as_uri())


def picture(page: Path, file: Path, width: int, height: int, *flags: str) -> Path:
    """A page as a PNG, of a window of this size."""
    run(*flags, f"--window-size={width},{height}", f"--screenshot={file}", page.as_uri())
    return file


class Seen(HTMLParser):
    """Elements by tag, each with its attributes and the text inside."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[int] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_data(" ")  # the texts of two elements are two words
        self.found.append((tag, {key: value or "" for key, value in attrs}, []))
        if tag not in ("meta", "link", "br", "input"):
            self._open.append(len(self.found) - 1)

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            if self.found[self._open.pop()][0] == tag:
                return

    def handle_data(self, data: str) -> None:
        for at in self._open:
            self.found[at][2].append(data)

    def all(self, tag: str, name: str = "") -> list[str]:
        """The texts of the elements of a tag and class."""
        return [" ".join("".join(t).split()) for g, a, t in self.found if g == tag and _has(a, name)]

    def attributes(self, tag: str, name: str = "") -> list[dict[str, str]]:
        return [a for g, a, _ in self.found if g == tag and _has(a, name)]


def _has(attributes: dict[str, str], name: str) -> bool:
    return not name or name in attributes.get("class", "").split()
