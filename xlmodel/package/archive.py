"""The zip container, read strictly and rewritten so that untouched members stay byte for byte."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlmodel.errors import DamagedPackage, EncryptedPackage, NotAWorkbook, UnsafePackage, UnsupportedFeature
from xlmodel.package.place import placed

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_END_64 = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR_64 = struct.Struct("<4sIQI")

_STORED, _DEFLATED = 0, 8
_ENCRYPTED, _DESCRIPTOR, _UTF8 = 0x1, 0x8, 0x800
_LEVEL_BITS = 0x6  # which say how hard the deflater tried
_ZIP64 = 0x0001  # the extra field that holds what does not fit in 32 bits
_FULL = 0xFFFFFFFF
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Member:
    """One member: what the central directory says of it, and where its bytes lie in the file."""

    name: str
    method: int
    crc: int
    packed_size: int
    size: int
    start: int
    body: int
    end: int
    record: bytes
    """Its record of the central directory, as found."""


def read_directory(data: bytes) -> list[Member]:
    """The members in the order of the central directory.

    Raises ``NotAWorkbook`` if this is no zip; ``DamagedPackage`` if directory and members disagree in
    size or place; ``UnsafePackage`` if they disagree in name or overlap; ``EncryptedPackage``.
    """
    if not data:
        raise NotAWorkbook("the file is empty, not a zip package")
    if data[:4] != b"PK\x03\x04":
        raise NotAWorkbook("the file is not a zip package")
    start, size, count = _find_directory(data)
    members = []
    position = start
    for _ in range(count):
        member, position = _read_record(data, position, start)
        members.append(member)
    if position != start + size:
        raise DamagedPackage("the zip directory does not have the size that it states")
    _refuse_overlap(members, start)
    return members


def unpack(data: bytes, member: Member) -> Iterator[bytes]:
    """The content of a member in chunks; never more than it declares is held or returned.

    Raises ``DamagedPackage`` for bad data, a wrong size or a wrong CRC; ``UnsafePackage`` if the
    content is longer than declared.
    """
    packed = memoryview(data)[member.body : member.body + member.packed_size]
    crc = size = 0
    with placed(part=member.name):
        for chunk in packed_chunks(packed) if member.method == _STORED else _inflate(packed):
            size += len(chunk)
            if size > member.size:
                raise UnsafePackage(f"the part is longer than the {member.size:,} bytes that it declares")
            crc = zlib.crc32(chunk, crc)
            yield chunk
        if size != member.size or crc != member.crc:
            raise DamagedPackage("the part is corrupt: its size or checksum (CRC) is wrong")


def packed_chunks(packed: memoryview) -> Iterator[bytes]:
    """Stored bytes, a chunk at a time."""
    for position in range(0, len(packed), _CHUNK):
        yield bytes(packed[position : position + _CHUNK])


def _inflate(packed: memoryview) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    waiting: bytes | memoryview = packed
    try:
        while not inflater.eof:
            chunk = inflater.decompress(waiting, _CHUNK)
            waiting = inflater.unconsumed_tail
            if not chunk and not inflater.eof:
                raise DamagedPackage("the part is corrupt: its compressed data end too early")
            yield chunk
    except zlib.error as error:
        raise DamagedPackage(f"the part is corrupt: {error}") from None
    if inflater.unused_data:
        raise DamagedPackage("the part is corrupt: bytes follow its compressed data")


def rewrite(
    data: bytes,
    members: Sequence[Member],
    new: Mapping[str, bytes],
    *,
    drop: Collection[str] = (),
    level: int = 6,
) -> bytes:
    """The whole archive with the content of some members replaced and some members left out.

    Untouched members are copied with header, compressed bytes and descriptor; replaced ones keep
    their date and attributes, so the same content always gives the same bytes.
    """
    pieces: list[bytes] = []
    records: list[bytes] = []
    offset = 0
    for member in members:
        if member.name in drop:
            continue
        if member.name in new:
            local, record = _packed_anew(member, new[member.name], offset, level)
        else:
            local, record = data[member.start : member.end], _moved(member, offset)
        pieces.append(local)
        records.append(record)
        offset += len(local)
    directory = b"".join(records)
    comment = _comment(data)
    count = min(len(records), 0xFFFF)
    end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), offset, len(comment))
    return b"".join((*pieces, directory, end, comment))


# --- reading -------------------------------------------------------------------------------------


def _find_end(data: bytes) -> int:
    # The end record is followed by a comment of the length that it states, and by nothing else.
    lowest = max(0, len(data) - _END.size - 0xFFFF)
    position = len(data)
    while (position := data.rfind(b"PK\x05\x06", lowest, position)) >= 0:
        if position + _END.size <= len(data):
            length = _END.unpack_from(data, position)[-1]
            if position + _END.size + length == len(data):
                return position
    raise NotAWorkbook(
        "the file is not a complete zip package: its directory is missing", remedy="fetch it again"
    )


def _comment(data: bytes) -> bytes:
    return data[_find_end(data) + _END.size :]


def _find_directory(data: bytes) -> tuple[int, int, int]:
    end = _find_end(data)
    _, disk, first_disk, here, count, size, start, _ = _END.unpack_from(data, end)
    place = end - _LOCATOR_64.size
    if place >= 0 and data[place : place + 4] == b"PK\x06\x07":
        end = _LOCATOR_64.unpack_from(data, place)[2]
        if end + _END_64.size > place or data[end : end + 4] != b"PK\x06\x06":
            raise DamagedPackage("the zip directory (zip64) is not where the file says")
        _, _, _, _, disk, first_disk, here, count, size, start = _END_64.unpack_from(data, end)
    if disk or first_disk or here != count:
        raise NotAWorkbook("the file is one volume of a zip that was split")
    if start + size != end:
        raise DamagedPackage("the zip directory is not where the file says")
    return start, size, count


def _read_record(data: bytes, position: int, limit: int) -> tuple[Member, int]:
    body = position + _CENTRAL.size
    if body > len(data) or data[position : position + 4] != b"PK\x01\x02":
        raise DamagedPackage("the zip directory is broken")
    fields = _CENTRAL.unpack_from(data, position)
    flags, method, crc, packed_size, size = fields[3], fields[4], *fields[7:10]
    name_size, extra_size, comment_size = fields[10:13]
    start = fields[16]
    after = body + name_size + extra_size + comment_size
    raw_name = data[body : body + name_size]
    extra = data[body + name_size : body + name_size + extra_size]
    name = _decoded(raw_name, flags)
    with placed(part=name):
        size, packed_size, start = _zip64(extra, size, packed_size, start)
        if flags & _ENCRYPTED:
            raise EncryptedPackage("the part is encrypted")
        if method not in {_STORED, _DEFLATED}:
            raise UnsupportedFeature(f"the part is compressed by method {method}, not by deflate")
        content = _content_start(data, start, raw_name, method, limit)
        end = content + packed_size
        if flags & _DESCRIPTOR:
            end += _descriptor_size(data, end, crc, packed_size, size)
        if end > limit:
            raise DamagedPackage("the part reaches beyond the end of the file")
        record = data[position:after]
        return Member(name, method, crc, packed_size, size, start, content, end, record), after


def _decoded(raw: bytes, flags: int) -> str:
    try:
        return raw.decode("utf-8" if flags & _UTF8 else "cp437")
    except UnicodeDecodeError:
        raise DamagedPackage(f"a part name {raw!r} that is not UTF-8 as the zip directory says") from None


def _content_start(data: bytes, start: int, raw_name: bytes, method: int, limit: int) -> int:
    if start + _LOCAL.size > limit or data[start : start + 4] != b"PK\x03\x04":
        raise DamagedPackage("the part is not where the zip directory says")
    fields = _LOCAL.unpack_from(data, start)
    name_start = start + _LOCAL.size
    if data[name_start : name_start + fields[9]] != raw_name or fields[3] != method:
        raise UnsafePackage("the part has one name or method in the zip directory and another in its header")
    return name_start + int(fields[9]) + int(fields[10])


def _descriptor_size(data: bytes, end: int, crc: int, packed_size: int, size: int) -> int:
    """Bytes of the data descriptor after a member: with or without signature, in 32 or 64 bits."""
    spellings = [struct.pack("<IQQ", crc, packed_size, size)]
    if max(packed_size, size) < _FULL:
        spellings.append(struct.pack("<III", crc, packed_size, size))
    for spelling in spellings:
        for descriptor in (b"PK\x07\x08" + spelling, spelling):
            if data.startswith(descriptor, end):
                return len(descriptor)
    return 0


def _zip64(extra: bytes, *fields: int) -> list[int]:
    """Size, packed size and offset, those that are full taken from the zip64 extra field."""
    wide = b""
    for kind, content in _extras(extra):
        if kind == _ZIP64:
            wide = content
    known = []
    for field in fields:
        value = field
        if field == _FULL:
            if len(wide) < 8:
                raise DamagedPackage("the zip directory lacks the size of the part")
            value, wide = int.from_bytes(wide[:8], "little"), wide[8:]
        known.append(value)
    return known


def _extras(extra: bytes) -> Iterator[tuple[int, bytes]]:
    position = 0
    while position + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, position)
        yield kind, extra[position + 4 : position + 4 + size]
        position += 4 + size


def _refuse_overlap(members: Sequence[Member], limit: int) -> None:
    position = 0
    for member in sorted(members, key=lambda member: member.start):
        if member.start < position:
            raise UnsafePackage("the part overlaps another part of the zip").at(part=member.name)
        position = member.end
    if position > limit:
        raise DamagedPackage("the zip directory overlaps a part")


# --- writing -------------------------------------------------------------------------------------


def _without_zip64(extra: bytes) -> bytes:
    kept = [(kind, content) for kind, content in _extras(extra) if kind != _ZIP64]
    return b"".join(struct.pack("<HH", kind, len(content)) + content for kind, content in kept)


def _record(member: Member, offset: int, **changed: int) -> bytes:
    names = ("flags", "method", "time", "date", "crc", "packed_size", "size")
    fields = list(_CENTRAL.unpack_from(member.record))
    name_size, extra_size = fields[10], fields[11]
    name = member.record[_CENTRAL.size : _CENTRAL.size + name_size]
    extra = member.record[_CENTRAL.size + name_size : _CENTRAL.size + name_size + extra_size]
    comment = member.record[_CENTRAL.size + name_size + extra_size :]
    for index, key in enumerate(names, start=3):
        fields[index] = changed.get(key, fields[index])
    if _FULL in (fields[8], fields[9], fields[16]) or changed:  # no package is large enough to need zip64
        fields[8] = changed.get("packed_size", member.packed_size)
        fields[9] = changed.get("size", member.size)
        extra = _without_zip64(extra)
    fields[11], fields[16] = len(extra), offset
    return _CENTRAL.pack(*fields) + name + extra + comment


def _moved(member: Member, offset: int) -> bytes:
    return _record(member, offset)


def _packed_anew(member: Member, content: bytes, offset: int, level: int) -> tuple[bytes, bytes]:
    deflater = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflater.compress(content) + deflater.flush()
    _, _, version, flags, _, time, date, *_ = _CENTRAL.unpack_from(member.record)
    flags &= ~(_DESCRIPTOR | _LEVEL_BITS)
    crc = zlib.crc32(content)
    record = _record(
        member, offset, flags=flags, method=_DEFLATED, crc=crc, packed_size=len(packed), size=len(content)
    )
    name = member.record[_CENTRAL.size :][: _CENTRAL.unpack_from(member.record)[10]]
    local = _LOCAL.pack(
        b"PK\x03\x04",
        max(20, version),
        flags,
        _DEFLATED,
        time,
        date,
        crc,
        len(packed),
        len(content),
        len(name),
        0,
    )
    return local + name + packed, record
