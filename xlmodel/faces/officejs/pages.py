"""The documents that the server serves, made once at its start from the registry and the templates."""

from __future__ import annotations

import json
from importlib import resources

from xlmodel.errors import ServerNotReached
from xlmodel.faces.officejs.icon import SIZES, icon
from xlmodel.faces.officejs.limits import Limits
from xlmodel.faces.officejs.manifest import manifest
from xlmodel.faces.officejs.metadata import answers_with_rows, metadata
from xlmodel.functions import FUNCTIONS, functions_version

Documents = dict[str, tuple[str, bytes]]

_HTML, _SCRIPT, _JSON = "text/html", "text/javascript", "application/json"


def documents(public_url: str, limits: Limits) -> Documents:
    """Media type and content by path."""
    texts = {
        "/manifest.xml": ("application/xml", manifest(public_url)),
        "/functions.json": (_JSON, json.dumps(metadata(), indent=1)),
        "/functions.js": (_SCRIPT, functions_script(limits)),
        "/functions.html": (_HTML, _template("functions.html")),
        "/pane.html": (_HTML, _template("pane.html")),
        "/pane.js": (_SCRIPT, _template("pane.js")),
    }
    pictures = {f"/icon-{size}.png": ("image/png", icon(size)) for size in SIZES}
    return {path: (kind, text.encode()) for path, (kind, text) in texts.items()} | pictures


def functions_script(limits: Limits) -> str:
    """functions.js: what it must know of the server and of each function is written into it."""
    served = {
        name: {
            "arguments": len(function.parameters),
            "repeated": any(parameter.repeated for parameter in function.parameters),
            "rows": answers_with_rows(function),
        }
        for name, function in FUNCTIONS.items()
    }
    server = {
        "version": functions_version(),
        "calls": limits.calls,
        "bytes": limits.body_bytes,
        "seconds": limits.seconds + limits.upload_seconds,
        "notReached": {"code": ServerNotReached.code, "remedy": ServerNotReached.remedy},
    }
    script = _template("functions.js")
    for place, value in {"SERVER": server, "FUNCTIONS": served}.items():
        before, mark, after = script.partition(f"__{place}__")
        assert mark, f"functions.js has no place for {place}"
        script = before + json.dumps(value) + after
    return script


def _template(name: str) -> str:
    return (resources.files(__package__) / "static" / name).read_text(encoding="utf-8")
