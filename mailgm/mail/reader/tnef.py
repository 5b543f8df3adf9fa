"""winmail.dat: the body inside Outlook's TNEF container (MS-OXTNEF), with compressed RTF where that is all there is.

Only the body is taken; attachments are counted. Every size is checked against what is there.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from mailgm.mail.reader import rtf
from mailgm.mail.reader.decode import decode_text

_SIGNATURE = 0x223E9F78
_BODY, _MAPI, _OEM_CODEPAGE, _ATTACH_TITLE = 0x0002800C, 0x00069003, 0x00069007, 0x00018010
_PR_BODY, _PR_RTF, _PR_HTML, _PR_CPID = 0x1000, 0x1009, 0x1013, 0x3FDE
_FIXED = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
_VARIABLE = frozenset((0x0D, 0x1E, 0x1F, 0x102))
_MAX_PROPERTIES = 2000


@dataclass(slots=True)
class Tnef:
    """text or html (bytes in charset), whichever the container holds; attachments: how many files."""

    text: str = ""
    html: bytes = b""
    charset: str = "cp1252"
    attachments: int = 0


def read(data: bytes) -> Tnef | None:
    """The body of a TNEF stream; None when it is none. Never raises; a broken end gives what came before."""
    if len(data) < 6 or struct.unpack_from("<I", data)[0] != _SIGNATURE:
        return None
    found = Tnef()
    plain = b""
    properties: dict[int, tuple[int, bytes]] = {}
    at = 6
    while at + 9 <= len(data):
        _, attribute, size = struct.unpack_from("<BII", data, at)
        value = data[at + 9 : at + 9 + size]
        at += 9 + size + 2
        if attribute == _BODY:
            plain = value
        elif attribute == _OEM_CODEPAGE and len(value) >= 4:
            found.charset = f"cp{struct.unpack_from('<I', value)[0]}"
        elif attribute == _MAPI:
            properties = _properties(value)
        elif attribute == _ATTACH_TITLE:
            found.attachments += 1
    if _PR_CPID in properties and len(properties[_PR_CPID][1]) >= 4:
        codepage = struct.unpack_from("<I", properties[_PR_CPID][1])[0]
        found.charset = "utf-8" if codepage == 65001 else f"cp{codepage}"
    _fill(found, plain, properties)
    return found


def _fill(found: Tnef, plain: bytes, properties: dict[int, tuple[int, bytes]]) -> None:
    kind, body = properties.get(_PR_BODY, (0, b""))
    if kind == 0x1F:
        found.text = body.decode("utf-16-le", "replace").rstrip("\x00")
    elif body or plain:
        found.text = decode_text((body or plain).rstrip(b"\x00"), found.charset)[0]
    found.html = properties.get(_PR_HTML, (0, b""))[1].rstrip(b"\x00")
    if not found.text.strip() and not found.html and _PR_RTF in properties:
        found.text, html = rtf.to_text(rtf.decompress(properties[_PR_RTF][1]))
        if html:
            found.text, found.html, found.charset = "", html.encode(), "utf-8"


def _properties(data: bytes) -> dict[int, tuple[int, bytes]]:
    """MAPI properties by id: (type, first value)."""
    out: dict[int, tuple[int, bytes]] = {}
    try:
        count = struct.unpack_from("<I", data)[0]
        at = 4
        for _ in range(min(count, _MAX_PROPERTIES)):
            kind, number = struct.unpack_from("<HH", data, at)
            at += 4
            if number >= 0x8000:
                at = _skip_name(data, at + 16)
            multiple, kind = bool(kind & 0x1000), kind & 0x0FFF
            values = 1
            if multiple or kind in _VARIABLE:
                values = struct.unpack_from("<I", data, at)[0]
                at += 4
            first = b""
            for index in range(min(values, _MAX_PROPERTIES)):
                size = _FIXED.get(kind, 0)
                if kind in _VARIABLE:
                    size = struct.unpack_from("<I", data, at)[0]
                    at += 4
                elif not size:
                    return out
                if index == 0:
                    first = data[at : at + size]
                at += (size + 3) & ~3
            out.setdefault(number, (kind, first))
    except struct.error:
        pass  # a truncated container: what was read so far is used
    return out


def _skip_name(data: bytes, at: int) -> int:
    kind, size = struct.unpack_from("<II", data, at)
    return at + 8 if kind == 0 else at + 8 + ((size + 3) & ~3)
