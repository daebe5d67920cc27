"""XML as bytes: parsed safely with byte offsets, and edited in place so that all else survives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple
from xml.parsers import expat

from xlmodel.errors import DamagedPackage, UnsafePackage, UnsupportedFeature

SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT = "http://purl.oclc.org/ooxml/"
"""How every namespace and relationship type of Strict Open XML begins."""

_TAG = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>"']+)\s*=\s*("[^"]*"|'[^']*')""")
_BLANKS = re.compile(rb"\r\n|[\r\n\t]")  # which in an attribute mean a space
_NAME = re.compile(rb"</?(?:([^\s:/>]+):)?[^\s:/>]+")
_REFERENCE = re.compile("&([^;]*);")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_PLACE = itemgetter(0, 1)
_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")


class Edit(NamedTuple):
    """Bytes ``start`` to ``end`` of a part become ``new``."""

    start: int
    end: int
    new: bytes


def is_utf16(xml: bytes) -> bool:
    """Whether a part is XML in UTF-16, with or without a byte order mark."""
    return xml.startswith(_UTF16)


def parser() -> expat.XMLParserType:
    """An expat parser, aware of namespaces (``uri name``), that refuses a DTD as ``UnsafePackage``."""
    made = expat.ParserCreate(namespace_separator=" ")
    made.buffer_text = True

    def refuse(*_: object) -> None:
        raise UnsafePackage("the part has a document type definition (DTD)")

    made.StartDoctypeDeclHandler = refuse
    return made


def run(made: expat.XMLParserType, xml: bytes) -> None:
    """Parse a whole UTF-8 part.

    Raises ``DamagedPackage`` if it is not well-formed, ``UnsafePackage`` for a DTD, and
    ``UnsupportedFeature`` for another encoding, in which byte offsets and splices would be wrong.
    """

    def declared(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.upper() not in {"UTF-8", "UTF8"}:
            raise UnsupportedFeature(f"the part is encoded in {encoding}, not in UTF-8")

    if is_utf16(xml):
        raise UnsupportedFeature("the part is encoded in UTF-16, not in UTF-8")
    made.XmlDeclHandler = declared
    try:
        made.Parse(xml, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise DamagedPackage(
            f"not well-formed XML: {reason}, line {error.lineno} column {error.offset + 1}"
        ) from None
    except (UnicodeError, ValueError) as error:  # what pyexpat itself makes of a broken encoding
        raise DamagedPackage(f"not well-formed XML: {error}") from None


def each_element(xml: bytes, seen: Callable[[str, dict[str, str]], None]) -> None:
    """Call ``seen`` with the name (``uri local``) and attributes of every element, in order."""
    made = parser()
    made.StartElementHandler = seen
    run(made, xml)


def tag_end(xml: bytes, start: int) -> int:
    """Where the tag that begins at ``start`` ends; a ``>`` inside quotes does not count."""
    match = _TAG.match(xml, start)
    if match is None:
        raise DamagedPackage(f"no tag at byte {start}")
    return match.end()


def start_tag(xml: bytes, start: int) -> bytes:
    """The start tag, ``<c ...>``, or the whole empty element, ``<c .../>``, that begins at ``start``."""
    return xml[start : tag_end(xml, start)]


def element_end(xml: bytes, start: int, end_event: int) -> int:
    """The offset after an element, from the offsets of its start and of expat's end event.

    The event comes at the end tag; for an empty element its offset means nothing.
    """
    end = tag_end(xml, start)
    return end if xml.startswith(b"/>", end - 2) else xml.index(b">", end_event) + 1


def attributes(tag: bytes) -> dict[str, str]:
    """The attributes of a tag, or of what stands in it after its name; names with their prefixes."""
    named = _NAME.match(tag)
    return {
        match[1].decode(): unescaped(_BLANKS.sub(b" ", match[2][1:-1]))
        for match in _ATTRIBUTE.finditer(tag, named.end() if named else 0)
    }


def unescaped(raw: bytes) -> str:
    """The text that bytes of well-formed XML, free of tags, stand for."""
    text = raw.decode()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _REFERENCE.sub(_referred, text) if "&" in text else text


def _referred(match: re.Match[str]) -> str:
    name = match[1]
    if name.startswith("#x"):
        return chr(int(name[2:], 16))
    return chr(int(name[1:])) if name.startswith("#") else _ENTITIES[name]


def prefix(xml: bytes, start: int = 0) -> bytes:
    """The namespace prefix with its colon, ``b"x:"``, or nothing, of the tag that begins at ``start``."""
    match = _NAME.match(xml, start)
    return match[1] + b":" if match and match[1] else b""


def with_attribute(tag: bytes, name: bytes, value: bytes | None) -> bytes:
    """A start tag with one attribute set (where it stands, or last) or, for ``None``, removed."""
    if name in tag:  # perhaps among its attributes
        named = _NAME.match(tag)
        assert named is not None
        position = named.end()
        while match := _ATTRIBUTE.match(tag, position):
            if match[1] == name:
                if value is None:
                    return tag[: match.start()] + tag[match.end() :]
                return tag[: match.start(2)] + b'"' + value + b'"' + tag[match.end(2) :]
            position = match.end()
    if value is None:
        return tag
    end = len(tag[: -2 if tag.endswith(b"/>") else -1].rstrip())
    return tag[:end] + b" " + name + b'="' + value + b'"' + tag[end:]


def opened(tag: bytes) -> bytes:
    """An empty-element tag as a start tag; a start tag as it is."""
    return tag[:-2].rstrip() + b">" if tag.endswith(b"/>") else tag


def escaped(text: str) -> bytes:
    """A text as element content."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode()


def leaf(name: bytes, text: str) -> bytes:
    """An element that holds only text, with ``xml:space`` where blanks at its ends matter."""
    space = b' xml:space="preserve"' if text != text.strip() else b""
    return b"<%b%b>%b</%b>" % (name, space, escaped(text), name)


def edited(xml: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes with all edits made; edits must not overlap, and insertions at one place keep their order
    and go before what begins there.
    """
    pieces: list[bytes] = []
    position = 0
    for start, end, new in sorted(edits, key=_PLACE):
        assert start >= position, "overlapping edits"
        pieces += (xml[position:start], new)
        position = end
    pieces.append(xml[position:])
    return b"".join(pieces)
