"""XML parsed safely and edited in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import DamagedPackage, UnsafePackage, UnsupportedFeature, XlmodelError
from xlmodel.package.markup import (
    Edit,
    attributes,
    each_element,
    edited,
    element_end,
    leaf,
    opened,
    parser,
    prefix,
    run,
    start_tag,
    tag_end,
    unescaped,
    with_attribute,
)


@pytest.mark.parametrize(
    ("xml", "error", "words"),
    [
        (b"", DamagedPackage, "no element found, line 1 column 1"),
        (b"<a>", DamagedPackage, "line 1 column 4"),
        (b"<a>\n<b></a>", DamagedPackage, "mismatched tag, line 2 column 6"),
        (b"<a>&nbsp;</a>", DamagedPackage, "undefined entity"),
        (b"<a>\xff</a>", DamagedPackage, "not well-formed"),
        (b"<x:a/>", DamagedPackage, "unbound prefix"),
        (b"<a/><b/>", DamagedPackage, "junk after document element"),
        (b"<!DOCTYPE a><a/>", UnsafePackage, "DTD"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', UnsafePackage, "DTD"),
        (b'<!DOCTYPE a SYSTEM "http://example.invalid/a.dtd"><a/>', UnsafePackage, "DTD"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', UnsupportedFeature, "ISO-8859-1"),
        (b'<?xml version="1.0" encoding="shift_jis"?><a/>', UnsupportedFeature, "shift_jis"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', UnsupportedFeature, "no-such"),
        ("<a/>".encode("utf-16"), UnsupportedFeature, "UTF-16"),
        ("\ufeff<a/>".encode("utf-16-be"), UnsupportedFeature, "UTF-16"),
        ("<a/>".encode("utf-16-le"), UnsupportedFeature, "UTF-16"),
        ("<a/>".encode("utf-16-be"), UnsupportedFeature, "UTF-16"),
    ],
)
def test_refused(xml: bytes, error: type[XlmodelError], words: str) -> None:
    with pytest.raises(error, match=words):
        run(parser(), xml)


@pytest.mark.parametrize(
    "xml",
    [
        b"<a/>",
        b"\xef\xbb\xbf<a/>",
        b'<?xml version="1.0" encoding="utf-8"?><a>\xc3\xa9</a>',
        b"<a><!-- <!DOCTYPE x> --><![CDATA[<!DOCTYPE x>]]></a>",
    ],
)
def test_accepted(xml: bytes) -> None:
    seen: list[str] = []
    each_element(xml, lambda name, _: seen.append(name))
    assert seen == ["a"]


@pytest.mark.parametrize(
    ("tag", "name", "value", "new"),
    [
        (b'<c r="A1">', b"t", b"str", b'<c r="A1" t="str">'),
        (b'<c r="A1"/>', b"t", b"str", b'<c r="A1" t="str"/>'),
        (b'<c r="A1" />', b"t", b"str", b'<c r="A1" t="str" />'),
        (b'<c r="A1" t="s" s="3">', b"t", b"b", b'<c r="A1" t="b" s="3">'),
        (b"<c r='A1' t = 's'>", b"t", b"b", b"<c r='A1' t = \"b\">"),
        (b'<c t="s" r="A1">', b"t", None, b'<c r="A1">'),
        (b'<c r="A1">', b"t", None, b'<c r="A1">'),
        (b"<c>", b"t", b"b", b'<c t="b">'),
        (b"<x:c\n r='>'\n>", b"t", b"b", b"<x:c\n r='>' t=\"b\"\n>"),
        (b"<c x=' t=\"s\"'>", b"t", None, b"<c x=' t=\"s\"'>"),
    ],
)
def test_attribute_set_or_removed(tag: bytes, name: bytes, value: bytes | None, new: bytes) -> None:
    assert with_attribute(tag, name, value) == new


def test_parts_of_a_tag() -> None:
    xml = b"""<x:row r='1'><x:c r="A>1" s='"'/><c  t="a&amp;b&#10;&#x41;&quot;"  ></c></x:row>"""
    assert start_tag(xml, 0) == b"<x:row r='1'>"
    assert prefix(xml) == b"x:"
    cell = xml.index(b"<x:c")
    assert start_tag(xml, cell) == b"""<x:c r="A>1" s='"'/>"""
    assert tag_end(xml, cell) == element_end(xml, cell, cell) == xml.index(b"<c")
    assert attributes(start_tag(xml, cell)) == {"r": "A>1", "s": '"'}
    assert prefix(xml, xml.index(b"<c")) == b""
    assert attributes(start_tag(xml, xml.index(b"<c"))) == {"t": 'a&b\nA"'}
    assert attributes(b'<row a="1\n2\r\n3\t4&#10;5"/>') == {"a": "1 2 3 4\n5"}
    assert attributes(b' a="1"') == {"a": "1"}
    assert unescaped(b"1\r\n2\r3&#13;") == "1\n2\n3\r"
    assert opened(b"<c r='1' />") == b"<c r='1'>"
    assert opened(b"<c>") == b"<c>"


@pytest.mark.parametrize(
    ("text", "xml"),
    [
        ("a", b"<v>a</v>"),
        (" a", b'<v xml:space="preserve"> a</v>'),
        ("a\n", b'<v xml:space="preserve">a\n</v>'),
        ("<&>", b"<v>&lt;&amp;&gt;</v>"),
        ("]]>", b"<v>]]&gt;</v>"),
        ("", b"<v></v>"),
    ],
)
def test_leaf(text: str, xml: bytes) -> None:
    assert leaf(b"v", text) == xml


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r", categories=["L", "N", "P", "S", "Zs"])))
def test_a_leaf_says_what_it_was_given(text: str) -> None:
    found: list[str] = []
    made = parser()
    made.CharacterDataHandler = found.append
    xml = leaf(b"v", text)
    run(made, xml)
    assert "".join(found) == text
    assert unescaped(xml[xml.index(b">") + 1 : xml.rindex(b"<")]) == text


def test_edits_at_one_place_keep_their_order_and_come_in_any() -> None:
    edits = [Edit(4, 5, b"E"), Edit(2, 2, b"y"), Edit(2, 2, b"x"), Edit(2, 3, b"C"), Edit(0, 1, b"")]
    assert edited(b"abcdef", edits) == b"byxCdEf"
    assert edited(b"abcdef", []) == b"abcdef"
