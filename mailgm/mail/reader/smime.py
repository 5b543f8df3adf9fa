"""The text inside an opaque S/MIME signature (CMS SignedData, RFC 5652 §5). The signature is not checked."""

from __future__ import annotations

_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_SEQUENCE, _OID, _OCTETS, _CONTEXT_0 = 0x30, 0x06, 0x04, 0xA0
_DEPTH = 12


def signed_content(data: bytes) -> bytes | None:
    """The signed MIME entity; None when it is no readable SignedData (encrypted, broken). Never raises."""
    try:
        found = _element(data, 0)
        if found is None or found[0] != _SEQUENCE:
            return None
        inner = _children(data, found[1], found[2])
        if len(inner) < 2 or inner[0][0] != _OID or data[inner[0][1] : inner[0][2]] != _SIGNED_DATA:
            return None
        wrapped = _children(data, inner[1][1], inner[1][2])
        # SignedData: version, digestAlgorithms, encapContentInfo, ...
        fields = _children(data, wrapped[0][1], wrapped[0][2])
        content = _children(data, fields[2][1], fields[2][2])
        if len(content) < 2 or content[1][0] != _CONTEXT_0:
            return None
        return _octets(data, content[1][1], content[1][2], 0)
    except IndexError:
        return None


def _element(data: bytes, at: int) -> tuple[int, int, int, int] | None:
    """(tag, start, end of the content, start of the next element); an indefinite length ends at its zero bytes."""
    if at + 2 > len(data):
        return None
    tag, size = data[at], data[at + 1]
    start = at + 2
    if size == 0x80:
        end = _indefinite_end(data, start)
        return tag, start, end, end + 2
    if size > 0x80:
        count = size & 0x7F
        size = int.from_bytes(data[start : start + count], "big")
        start += count
    end = min(start + size, len(data))
    return tag, start, end, end


def _indefinite_end(data: bytes, at: int) -> int:
    """Where the content of an element of indefinite length ends: one pass, open lengths counted instead of nested."""
    opened = 1
    while at + 2 <= len(data):
        if data[at] == 0 and data[at + 1] == 0:
            opened -= 1
            if not opened:
                return at
            at += 2
        elif data[at + 1] == 0x80:
            opened += 1
            at += 2
        else:
            found = _element(data, at)
            if found is None:
                break
            at = found[3]
    return len(data)


def _children(data: bytes, at: int, end: int) -> list[tuple[int, int, int]]:
    out: list[tuple[int, int, int]] = []
    while at < end and len(out) < 64:
        found = _element(data, at)
        if found is None or found[3] <= at:
            break
        out.append(found[:3])
        at = found[3]
    return out


def _octets(data: bytes, at: int, end: int, depth: int) -> bytes:
    """The octets of a primitive or constructed OCTET STRING."""
    parts: list[bytes] = []
    while at < end and depth < _DEPTH:
        found = _element(data, at)
        if found is None or found[3] <= at:
            break
        tag, start, stop, at = found
        if tag == _OCTETS:
            parts.append(data[start:stop])
        elif tag & 0x20:
            parts.append(_octets(data, start, stop, depth + 1))
    return b"".join(parts)
