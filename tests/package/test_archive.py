"""The zip container: read strictly, rewritten without touching what need not be."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.package.packages import DATE, zipped
from xlmodel.errors import (
    DamagedPackage,
    EncryptedPackage,
    NotAWorkbook,
    UnsafePackage,
    UnsupportedFeature,
    XlmodelError,
)
from xlmodel.package.archive import read_directory, rewrite, unpack

TEXTS = {"a.xml": b"<a/>" * 50, "b/c.xml": b"", "d.bin": bytes(range(256)) * 9}


def contents(data: bytes) -> dict[str, bytes]:
    return {member.name: b"".join(unpack(data, member)) for member in read_directory(data)}


class Pipe(io.BytesIO):
    """A file that cannot seek, as a web server's answer."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise OSError

    def seek(self, *_: object) -> int:
        raise OSError


def streamed(texts: dict[str, bytes]) -> bytes:
    """A zip in which the sizes of a member follow it, in a descriptor."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w") as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), text, zipfile.ZIP_DEFLATED)
    return pipe.getvalue()


def in_zip64(texts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            with archive.open(zipfile.ZipInfo(name, DATE), "w", force_zip64=True) as member:
                member.write(text)
    return buffer.getvalue()


WRITERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "plain": zipped,
    "streamed": streamed,
    "zip64": in_zip64,
}


def deflated(text: bytes) -> bytes:
    deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
    return deflater.compress(text) + deflater.flush()


def by_hand(packed: bytes, *, size: int) -> bytes:
    """A zip of one member that declares this size, and a checksum of 0."""
    sizes = len(packed), size, 5
    header = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 0, 0, *sizes, 0)
    record = struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 8, 0, 0, 0, *sizes, *[0] * 6)
    body = header + b"a.xml" + packed
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(record) + 5, len(body), 0)
    return body + record + b"a.xml" + end


def all_zip64(texts: dict[str, bytes], *, descriptor: bytes = b"PK\x07\x08") -> bytes:
    """A zip as a program writes it that always uses 64 bits: sizes, offsets, descriptors, directory."""
    body, directory = b"", b""
    for name, text in texts.items():
        packed, crc, offset = deflated(text), zlib.crc32(text), len(body)
        known = 45, 0x808, 8, 0x53C1, 0x278F
        body += (
            struct.pack("<4sHHHHHIIIHH", b"PK\3\4", *known, 0, 0, 0, len(name.encode()), 0) + name.encode()
        )
        body += packed + descriptor + struct.pack("<IQQ", crc, len(packed), len(text))
        extra = b"\xfe\xca\x02\x00ok" + struct.pack("<HHQQQ", 1, 24, len(text), len(packed), offset)
        full = 0xFFFFFFFF
        directory += struct.pack(
            "<4sHHHHHHIIIHHHHHII", b"PK\1\2", 45, *known, crc, full, full, len(name.encode()), len(extra),
            0, 0, 0, 0, full,
        )  # fmt: skip
        directory += name.encode() + extra
    count = len(texts)
    end = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(directory), len(body))
    end += struct.pack("<4sIQI", b"PK\6\7", 0, len(body) + len(directory), 1)
    return body + directory + end + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, *[0xFFFF] * 2, *[full] * 2, 0)


WRITERS["all zip64"] = all_zip64
WRITERS["descriptors without signature"] = lambda texts: all_zip64(texts, descriptor=b"")


@pytest.mark.parametrize("writer", WRITERS)
def test_reads_and_rewrites_what_zipfile_writes(writer: str) -> None:
    data = WRITERS[writer](TEXTS)
    members = read_directory(data)
    assert contents(data) == TEXTS
    assert [member.name for member in members] == list(TEXTS)
    copy = rewrite(data, members, {"a.xml": b"<new/>"})
    with zipfile.ZipFile(io.BytesIO(copy)) as archive:
        assert archive.testzip() is None
        assert {info.filename: archive.read(info) for info in archive.infolist()} == TEXTS | {
            "a.xml": b"<new/>"
        }
        assert {info.date_time for info in archive.infolist()} == {DATE}
    assert contents(copy) == TEXTS | {"a.xml": b"<new/>"}
    for before, after in zip(members[1:], read_directory(copy)[1:], strict=True):
        assert data[before.start : before.end] == copy[after.start : after.end]


def test_nothing_replaced_gives_the_same_bytes() -> None:
    data = zipped(TEXTS, comment=b"a comment with PK\x05\x06 in it")
    assert rewrite(data, read_directory(data), {}) == data


def test_a_replaced_member_depends_on_its_content_alone() -> None:
    first, second = zipped(TEXTS), zipped(TEXTS | {"a.xml": b"something else"})
    new = {"a.xml": b"new" * 100}
    assert rewrite(first, read_directory(first), new) == rewrite(second, read_directory(second), new)


def test_dropped_members_are_gone() -> None:
    data = zipped(TEXTS)
    copy = rewrite(data, read_directory(data), {}, drop=["b/c.xml"])
    assert contents(copy) == {name: text for name, text in TEXTS.items() if name != "b/c.xml"}


def test_attributes_extra_fields_and_comments_are_kept() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("a.xml", "é.xml"):
            info = zipfile.ZipInfo(name, DATE)
            info.extra, info.comment, info.external_attr = b"\xfe\xca\x02\x00ok", b"why", 0o640 << 16
            archive.writestr(info, b"stored")
    data = buffer.getvalue()
    copy = rewrite(data, read_directory(data), {"é.xml": b"new"})
    with zipfile.ZipFile(io.BytesIO(copy)) as archive:
        for info in archive.infolist():
            assert (info.extra, info.comment, info.external_attr) == (
                b"\xfe\xca\x02\x00ok",
                b"why",
                0o640 << 16,
            )
        assert archive.read("é.xml") == b"new"


# --- what is refused -----------------------------------------------------------------------------


def patched(field: str, value: int, *, local: bool = False) -> bytes:
    """A zip of one member whose directory record, or header, says something else."""
    data = bytearray(zipped({"a.xml": b"<a/>" * 50}))
    record = data.index(b"PK\x01\x02")
    places = {"flags": (8, 6, "<H"), "method": (10, 8, "<H"), "crc": (16, 14, "<I"), "packed": (20, 18, "<I"),
              "size": (24, 22, "<I"), "offset": (42, 0, "<I")}  # fmt: skip
    in_record, in_header, form = places[field]
    struct.pack_into(form, data, in_header if local else record + in_record, value)
    return bytes(data)


END = struct.calcsize("<4sHHHHIIH")
GOOD = zipped({"a.xml": b"<a/>" * 50})

BROKEN = [
    ("empty", b"", NotAWorkbook, "empty"),
    ("text", b"not a zip at all", NotAWorkbook, "not a zip"),
    ("bytes before", b"#!/bin/sh\n" + GOOD, NotAWorkbook, "not a zip"),
    ("bytes after", GOOD + b"x", NotAWorkbook, "directory is missing"),
    ("no end", GOOD[:-END], NotAWorkbook, "directory is missing"),
    ("only an end", GOOD[-END:], NotAWorkbook, "not a zip"),
    ("a byte lost", GOOD[:40] + GOOD[41:], DamagedPackage, "not where the file says"),
    ("split", GOOD[: -END + 4] + b"\x01\x00" + GOOD[-END + 6 :], NotAWorkbook, "volume"),
    ("encrypted", patched("flags", 1), EncryptedPackage, "encrypted"),
    ("method", patched("method", 12), UnsupportedFeature, "method 12"),
    ("method differs", patched("method", 8, local=True)[:8] + b"\0" + patched("method", 8)[9:],
     UnsafePackage, "another in its header"),
    ("crc", patched("crc", 7), DamagedPackage, "CRC"),
    ("longer than it says", patched("size", 199), UnsafePackage, "longer than the 199 bytes"),
    ("shorter than it says", patched("size", 201), DamagedPackage, "size or checksum"),
    ("packed too short", patched("packed", 3), DamagedPackage, "end too early"),
    ("packed too long", patched("packed", 5_000), DamagedPackage, "beyond the end"),
    ("offset", patched("offset", 4), DamagedPackage, "not where the zip directory says"),
    ("offset far away", patched("offset", 1 << 30), DamagedPackage, "not where the zip directory says"),
    ("zip64 without size", patched("size", 0xFFFFFFFF), DamagedPackage, "lacks the size"),
    ("name differs", GOOD.replace(b"a.xml", b"b.xml", 1), UnsafePackage, "another in its header"),
    ("name not UTF-8", zipped({"é.xml": b""}).replace("é".encode(), b"\xe9x"), DamagedPackage, "not UTF-8"),
    ("bytes after its data", by_hand(deflated(b"<a/>") + b"x", size=4), DamagedPackage, "bytes follow"),
    ("zip64 end lost", all_zip64({"a": b""}).replace(b"PK\6\6", b"PK\6\5"), DamagedPackage, "(zip64)"),
    ("a record broken", GOOD.replace(b"PK\x01\x02", b"PK\x01\x03"), DamagedPackage, "directory is broken"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "error", "words"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_refused(data: bytes, error: type[XlmodelError], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        contents(data)
    assert type(caught.value) is error


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_that_overlap_are_refused() -> None:
    # Two records for the bytes of one member: the bomb that no ratio shows.
    data = zipped([("a.xml", b"x" * 99), ("a.xml", b"x" * 99)])
    first, second = (member.start for member in read_directory(data))
    both = bytearray(data)
    record = both.rindex(b"PK\x01\x02")
    assert struct.unpack_from("<I", both, record + 42) == (second,)
    struct.pack_into("<I", both, record + 42, first)
    with pytest.raises(UnsafePackage, match="overlaps") as caught:
        read_directory(bytes(both))
    assert caught.value.place.part == "a.xml"


def test_a_part_that_unpacks_beyond_its_declared_size_is_stopped_early() -> None:
    data = by_hand(deflated(bytes(16 << 20)), size=1 << 20)  # a megabyte is declared, sixteen come out
    (member,) = read_directory(data)
    chunks = unpack(data, member)
    assert len(next(chunks)) == 1 << 20
    with pytest.raises(UnsafePackage, match="longer than"):
        next(chunks)


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255))
def test_one_changed_byte_is_noticed_or_harmless(place: int, byte: int) -> None:
    data = GOOD[:place] + bytes([byte]) + GOOD[place + 1 :]
    try:
        found = contents(data)
    except XlmodelError:
        return
    assert list(found.values()) == [b"<a/>" * 50]
