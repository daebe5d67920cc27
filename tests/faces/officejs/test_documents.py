"""What the server serves before any call: manifest, metadata, pages, pictures."""

from __future__ import annotations

import json
import re
import struct
import xml.etree.ElementTree as ET
import zlib

import pytest

from xlmodel.faces.officejs.icon import SIZES
from xlmodel.faces.officejs.limits import Limits
from xlmodel.faces.officejs.manifest import manifest
from xlmodel.faces.officejs.pages import documents
from xlmodel.functions import FUNCTIONS

URL = "https://tools.example:8443/xl"
MADE = documents(URL, Limits())


# --- the metadata ------------------------------------------------------------------------------------

METADATA = json.loads(MADE["/functions.json"][1])
DESCRIBED = {each["id"]: each for each in METADATA["functions"]}


def test_the_metadata_is_the_registry() -> None:
    assert METADATA["allowErrorForDataTypeAny"] is True
    assert list(DESCRIBED) == list(FUNCTIONS)
    for name, function in FUNCTIONS.items():
        found = DESCRIBED[name]
        assert (found["name"], found["description"]) == (name, function.help)
        assert [(p["name"], p["description"]) for p in found["parameters"]] == [
            (p.name, p.help) for p in function.parameters
        ]
        assert [p.get("optional", False) for p in found["parameters"]] == [
            not p.required and not p.repeated for p in function.parameters
        ]
        assert [p.get("repeating", False) for p in found["parameters"]] == [
            p.repeated for p in function.parameters
        ]


@pytest.mark.parametrize(
    ("name", "dimensionality"),
    [
        ("XM_VERSION", "scalar"),
        ("XM_WHY", "scalar"),
        ("XM_DAYS", "matrix"),  # a column of dates gives a column of days
        ("XM_DECREMENT", "matrix"),
    ],
)
def test_a_result_is_a_matrix_where_it_may_be_one(name: str, dimensionality: str) -> None:
    assert DESCRIBED[name]["result"] == {"type": "any", "dimensionality": dimensionality}


def test_the_metadata_keeps_microsofts_bounds() -> None:
    """Source: Microsoft, custom-functions-metadata (letters of an id), "Manually create JSON metadata for
    custom functions" (types), and the app manifest's schema (lengths)."""
    for each in METADATA["functions"]:
        assert re.fullmatch(r"[A-Za-z0-9._]+", each["id"])
        assert 0 < len(each["description"]) <= 512
        for parameter in each["parameters"]:
            assert 0 < len(parameter["name"]) <= 64
            assert 0 < len(parameter["description"]) <= 512
            assert (parameter["type"], parameter["dimensionality"]) == ("any", "matrix")
        repeating = [bool(parameter.get("repeating")) for parameter in each["parameters"]]
        assert not any(repeating[:-1])


# --- the manifest ------------------------------------------------------------------------------------

_BASIC = "{http://schemas.microsoft.com/office/officeappbasictypes/1.0}"
_APP = "{http://schemas.microsoft.com/office/appforoffice/1.1}"
_OVERRIDES = "{http://schemas.microsoft.com/office/taskpaneappversionoverrides}"


def test_every_address_of_the_manifest_is_served() -> None:
    root = ET.fromstring(MADE["/manifest.xml"][1])
    addresses = [
        value for element in root.iter() for value in element.attrib.values() if value.startswith("https://")
    ]
    assert len(addresses) == 11
    assert all(address.startswith(URL + "/") for address in addresses)
    assert {address.removeprefix(URL) for address in addresses} <= set(MADE)
    assert [each.text for each in root.iter(f"{_APP}AppDomain")] == ["https://tools.example:8443"]


def test_every_resource_of_the_manifest_is_defined_once_and_used() -> None:
    root = ET.fromstring(MADE["/manifest.xml"][1])
    defined = [
        each.attrib["id"] for each in root.iter() if each.tag.startswith(_BASIC) and "id" in each.attrib
    ]
    used = {each.attrib["resid"] for each in root.iter() if "resid" in each.attrib}
    assert sorted(defined) == sorted(used)
    assert all(len(each) <= 32 for each in defined)  # Source: Microsoft, "Resources element"


def test_the_names_of_the_functions_have_no_namespace() -> None:
    root = ET.fromstring(MADE["/manifest.xml"][1])
    assert list(root.iter(f"{_OVERRIDES}Metadata"))
    assert not list(root.iter(f"{_OVERRIDES}Namespace"))


def test_one_address_is_one_addin_and_its_text_is_escaped() -> None:
    def identity(url: str) -> str | None:
        return ET.fromstring(manifest(url)).findtext(f"{_APP}Id")

    assert identity(URL) == identity(URL + "/") != identity("https://other.example")
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identity(URL) or "")
    root = ET.fromstring(manifest('https://a.example/x&"y<z'))
    assert root.find(f"{_APP}IconUrl").attrib["DefaultValue"] == 'https://a.example/x&"y<z/icon-32.png'  # type: ignore[union-attr]  # it is there
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", root.findtext(f"{_APP}Version") or "")


# --- the pages and pictures --------------------------------------------------------------------------


def test_the_script_knows_the_functions_and_the_limits() -> None:
    script = MADE["/functions.js"][1].decode()
    known = json.loads(re.search(r"const FUNCTIONS = (.*);\n", script)[1])  # type: ignore[index]  # it is there
    assert set(known) == set(FUNCTIONS)
    assert known["XM_WHY"] == {"arguments": 2, "repeated": True, "rows": False}
    server = json.loads(re.search(r"const SERVER = (.*);\n", script)[1])  # type: ignore[index]  # it is there
    assert (server["calls"], server["bytes"]) == (Limits().calls, Limits().body_bytes)


@pytest.mark.parametrize("size", SIZES)
def test_a_picture_is_a_png_of_its_size(size: int) -> None:
    content = MADE[f"/icon-{size}.png"][1]
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (size, size)
    length = struct.unpack(">I", content[33:37])[0]
    assert content[37:41] == b"IDAT"
    assert len(zlib.decompress(content[41 : 41 + length])) == size * (4 * size + 1)
