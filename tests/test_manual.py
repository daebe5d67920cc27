"""The manual says everything, and what it says is so: every block is run, every page built."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.page_commands import commands, parameters
from docs.page_deal import steps
from docs.page_sheets import all_sheets
from tests.manual_blocks import DOCS, NOT_RUN, ROOT, RUN, SHOWN, WRITTEN, Block, blocks, pages, run_page
from xlmodel.cli import COMMANDS, GROUPS, app
from xlmodel.deal.steps import STEP_KINDS
from xlmodel.functions import FUNCTIONS

_MOST_NOT_RUN = 12


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_is_documented(name: str) -> None:
    function = FUNCTIONS[name]
    _, _, section = text_of("functions.md").partition(f"### {function.signature}\n")
    section = section.partition("\n### ")[0]
    for parameter in function.parameters:
        assert f"| {parameter.name} | " in section
        assert parameter.help
    picture = f"images/functions/{name.lower()}.svg"
    assert picture in section
    assert f"={name}(" in text_of(picture)


def test_every_command_and_option_is_documented() -> None:
    page = text_of("commands.md")
    found = dict(commands())
    assert set(COMMANDS) <= set(found)
    assert {name.partition(" ")[0] for name in found if " " in name} == set(GROUPS)
    for name, command in found.items():
        _, heading, section = page.partition(f"## xlmodel {name}\n")
        assert heading, name
        section = section.partition("\n## ")[0]
        assert "xlmodel " + name in section, f"{name} has no example"
        for parameter in parameters(command):
            for spelling in (
                parameter.opts if parameter.param_type_name == "option" else [parameter.human_readable_name]
            ):
                assert spelling in section, (name, spelling)
            assert getattr(parameter, "help", None), f"{name}: {parameter.name} has no help"
    assert app().registered_callback


@pytest.mark.parametrize("kind", STEP_KINDS, ids=lambda kind: kind.text)
def test_every_kind_of_step_is_documented(kind: object) -> None:
    text = getattr(kind, "text")  # noqa: B009
    assert f"| `{text}` | {steps()[text]}" in text_of("deal.md")


def test_every_sheet_is_documented() -> None:
    page = text_of("sheets.md")
    for module, sheet in all_sheets():
        _, heading, section = page.partition(f"### {sheet.title}\n")
        assert heading, sheet.title
        assert len(section.partition("\n### ")[0].strip()) > 20, module.__name__


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"[\w/]+\.md", menu)
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def test_few_blocks_are_not_run() -> None:
    every = [(named(page), block) for page in pages() for block in blocks(page)]
    languages = {block.language for _, block in every}
    assert languages <= {*RUN, *WRITTEN, SHOWN, "text", *NOT_RUN}, f"unknown languages: {languages}"
    assert all(block.title for _, block in every if block.language in WRITTEN), "a file needs a title"
    kept = [(page, block.line) for page, block in every if block.language in NOT_RUN]
    assert len(kept) <= _MOST_NOT_RUN, kept


def test_blocks_that_fail_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\nxlmodel call XM_DAYS 1999-10-28 1999-12-15\n```\n\n```output\n47\n```\n")
    run_page(page, tmp_path)
    for wrong in (
        "```sh\nfalse\n```\n",
        "```sh\necho 1\n```\n\n```output\n2\n```\n",
        "```python\n1/0\n```\n",
    ):
        page.write_text(wrong)
        with pytest.raises(AssertionError):
            run_page(page, tmp_path)
    assert blocks(page) == [Block(1, "python", "", "1/0\n")]


@pytest.mark.faces
@pytest.mark.parametrize("page", [p for p in pages() if any(b.language in RUN for b in blocks(p))], ids=named)
def test_what_a_page_says_is_run(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "workbooks", tmp_path / "workbooks")
    run_page(page, tmp_path)


@pytest.mark.faces
def test_the_site_is_built_and_asks_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    for page in tmp_path.rglob("*.html"):
        fetched = re.findall(
            r'<(?:link|script|img|iframe)\b[^>]*?\b(?:href|src)="(https?:[^"]+)"', page.read_text("utf-8")
        )
        assert not fetched, (page, fetched)
    for style in tmp_path.rglob("*.css"):
        assert not re.search(r'url\(["\']?https?:', style.read_text("utf-8")), style
