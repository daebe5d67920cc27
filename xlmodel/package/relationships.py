"""How the parts of a package hang together: content types and relationships."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from xlmodel.package.markup import each_element

CONTENT_TYPES = "[Content_Types].xml"
ROOT_RELATIONSHIPS = "_rels/.rels"

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types "
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships "


@dataclass(frozen=True, slots=True)
class ContentTypes:
    """The content type of each part: by its name, or else by its extension; all in lower case."""

    by_name: Mapping[str, str]
    by_extension: Mapping[str, str]

    def of(self, part: str) -> str:
        """The content type of a part, empty if it has none."""
        name = part.lower()
        return self.by_name.get(name) or self.by_extension.get(name.rpartition(".")[2], "")


@dataclass(frozen=True, slots=True)
class Relationship:
    """One arrow from a part to another part, or, if ``external``, to somewhere outside."""

    identifier: str
    type: str
    target: str
    external: bool


def read_content_types(xml: bytes) -> ContentTypes:
    """Read ``[Content_Types].xml``."""
    by_name: dict[str, str] = {}
    by_extension: dict[str, str] = {}

    def seen(name: str, attributes: dict[str, str]) -> None:
        if name == _TYPES + "Override":
            by_name[attributes.get("PartName", "").lstrip("/").lower()] = attributes.get(
                "ContentType", ""
            ).lower()
        elif name == _TYPES + "Default":
            by_extension[attributes.get("Extension", "").lower()] = attributes.get("ContentType", "").lower()

    each_element(xml, seen)
    return ContentTypes(by_name, by_extension)


def relationships_part(part: str) -> str:
    """The part that holds the relationships of a part."""
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"


def read_relationships(xml: bytes, source: str) -> list[Relationship]:
    """Read a ``.rels`` part; targets are resolved against the part that they start from."""
    found: list[Relationship] = []

    def seen(name: str, attributes: dict[str, str]) -> None:
        if name == _RELATIONSHIPS + "Relationship":
            external = attributes.get("TargetMode", "").lower() == "external"
            target = attributes.get("Target", "")
            found.append(
                Relationship(
                    attributes.get("Id", ""),
                    attributes.get("Type", ""),
                    target if external else _resolved(target, source),
                    external,
                )
            )

    each_element(xml, seen)
    return found


def _resolved(target: str, source: str) -> str:
    path = unquote(target.partition("#")[0])
    joined = posixpath.join("/", posixpath.dirname(source), path)
    return posixpath.normpath(joined).lstrip("/")
