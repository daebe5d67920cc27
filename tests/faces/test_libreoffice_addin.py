"""The add-in's files: every function once, with its help; and the loader where it cannot run."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from xlmodel.errors import NoRegistration
from xlmodel.faces.libreoffice import addin, registration
from xlmodel.functions import FUNCTIONS

_OOR = "{http://openoffice.org/2001/registry}"


def texts(node: ElementTree.Element) -> dict[str, str]:
    return {prop.get(f"{_OOR}name", ""): prop[0].text or "" for prop in node.findall("prop")}


def described() -> dict[str, tuple[dict[str, str], list[dict[str, str]]]]:
    root = ElementTree.fromstring(addin.configuration())
    functions = root.find("node/node/node")
    assert functions is not None
    return {
        node.get(f"{_OOR}name", ""): (texts(node), [texts(each) for each in node.findall("node/node")])
        for node in functions
    }


def test_the_function_wizard_is_told_of_every_function_and_argument() -> None:
    found = described()
    assert set(found) == {name.removeprefix("XM_") for name in FUNCTIONS}
    for name, function in FUNCTIONS.items():
        about, arguments = found[name.removeprefix("XM_")]
        assert about["DisplayName"] == about["CompatibilityName"] == name
        assert about["Description"] == f"{function.help} ({function.category})"
        assert about["Category"] == "Add-In"
        if name != "XM_WHY":
            assert [(each["DisplayName"], each["Description"]) for each in arguments] == [
                (parameter.name, parameter.help) for parameter in function.parameters
            ]
    why = [each["DisplayName"] for each in found["WHY"][1]]
    assert why == [
        "function_name",
        *(f"arguments_{number}" for number in range(1, 12)),
    ]  # no function has more


def test_the_types_and_the_configuration_name_the_same_arguments() -> None:
    methods = dict(re.findall(r"^    .*? ([A-Z_]+)\((.*)\);$", addin.idl(), re.MULTILINE))
    assert set(methods) == {name.removeprefix("XM_") for name in FUNCTIONS}
    for function in FUNCTIONS.values():
        declared = re.findall(r"\[in\] \S+ (\w+)", methods[addin.method(function)])
        assert declared == [name for name, _, _ in addin.described(function)]
        assert all("_" not in name for name in declared)
    assert "sequence< sequence<any> > DAYS(" in addin.idl()
    assert "    any VERSION(" in addin.idl()


def test_the_extension_is_whole_and_always_the_same() -> None:
    data = registration.extension()
    assert data == registration.extension()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        manifest = archive.read("META-INF/manifest.xml").decode()
        listed = re.findall('full-path="([^"]+)"', manifest)
        assert set(listed) < set(archive.namelist())
        assert {"loader.py", "environment.json", "description.xml"} < set(archive.namelist())
        environment = json.loads(archive.read("environment.json"))
    assert environment["methods"] == [addin.method(function) for function in FUNCTIONS.values()]


@pytest.mark.parametrize("name", ["loader.py", "session.py"])
def test_what_any_python_must_read_is_written_for_an_old_one(name: str) -> None:
    compile(addin.source(name), name, "exec", flags=0, dont_inherit=True)
    import ast

    ast.parse(addin.source(name), feature_version=(3, 7))


# --- where root has registered the add-in for all: a stand-in for LibreOffice and its unopkg -----------

_SOFFICE = """#!{python}
import json, pathlib, re, sys
place = pathlib.Path(re.search(r"file://(\\S+)/session.components", " ".join(sys.argv))[1])
request = json.loads((place / "request.json").read_text())
own_profile = any("UserInstallation" in word for word in sys.argv)
canary = request["expected"] if own_profile else {canary}
answer = {{"python": list(sys.version_info[:2]), "canary": canary, "sheets": []}}
(place / "answer.json").write_text(json.dumps(answer))
"""
_UNOPKG = """#!/bin/sh
echo "$*" >> {log}
echo Identifier: org.xlmodel.addin
"""


def stand_in(folder: Path, canary: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine where the add-in is there for all users and a plain user's canary shows something."""
    log = folder / "unopkg.log"
    for name, text in (("soffice", _SOFFICE), ("unopkg", _UNOPKG)):
        program = folder / name
        program.write_text(text.format(python=sys.executable, canary=canary, log=log))
        program.chmod(0o755)
    (folder / "pythonloader.py").touch()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(registration, "_is_root", lambda: False)
    return log


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script of Unix")
def test_what_root_registered_for_all_is_not_registered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = stand_in(tmp_path, "request['expected']", monkeypatch)
    assert registration.register().endswith("already, for all users")
    assert log.read_text() == "list --shared\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script of Unix")
def test_what_root_registered_and_does_not_work_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = stand_in(tmp_path, "[525]", monkeypatch)
    with pytest.raises(NoRegistration, match=r"root has registered .*error 525") as raised:
        registration.register()
    assert "--remove" in raised.value.advice
    assert log.read_text() == "list --shared\n"
