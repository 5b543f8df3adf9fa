"""Bytes to text, whatever the label says: charsets, transfer encodings, encoded words (RFC 2045, 2047, 2231)."""

from __future__ import annotations

import binascii
import codecs
import re
import unicodedata
from functools import lru_cache

_ALIASES = {
    "": "ascii", "us-ascii": "ascii", "ascii": "ascii", "ansi_x3.4-1968": "ascii", "7bit": "ascii", "8bit": "ascii",
    "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "iso_8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252",
    "iso-8859-8-i": "iso8859_8", "iso-8859-8-e": "iso8859_8", "iso-8859-6-i": "iso8859_6", "windows-874": "cp874",
    "ks_c_5601": "cp949", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "ksc5601": "cp949", "gb2312": "gb18030",
    "gbk": "gb18030", "x-gbk": "gb18030", "chinesebig5": "big5", "x-sjis": "cp932", "shift_jis": "cp932",
    "shift-jis": "cp932", "x-windows-949": "cp949", "unicode-1-1-utf-7": "utf-7", "utf8": "utf-8", "uft-8": "utf-8",
    "utf-8mb4": "utf-8", "unicode": "utf-16", "ucs-2": "utf-16", "x-mac-roman": "mac_roman", "macintosh": "mac_roman",
    "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "default": "ascii", "unknown": "ascii",
    "x-unknown": "ascii", "unknown-8bit": "ascii", "x-user-defined": "ascii", "binary": "ascii",
}  # fmt: skip
# Codecs of Python that are no charsets of texts people send; some of them are slow or run escapes.
_NO_CHARSETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem", "utf-8-sig"}
_ENCODED_WORD_RE = re.compile(r"=\?([^?\s]{1,64})\?([bBqQ])\?([^?]*)\?=")
_SURROGATE_RE = re.compile("[\ud800-\udfff]")
_CONTROL_RE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]+"
)
_NOT_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"))
_URLSAFE = bytes.maketrans(b"-_", b"+/")


@lru_cache(maxsize=256)
def _codec(label: str) -> str:
    """Python's name for a charset label; "" when there is none."""
    name = label.strip("\"' \t").lower()
    name = _ALIASES.get(name, name)
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    if not getattr(info, "_is_text_encoding", False) or info.name in _NO_CHARSETS:
        return ""
    return info.name


def decode_text(data: bytes, label: str = "") -> tuple[str, bool]:
    """(text, was the charset guessed?): the declared charset if it fits, then UTF-8, then cp1252. Never raises."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) and len(data) > 3:
        return _plain(data.decode("utf-16", "replace")), False
    codec = _codec(label[:64])
    if codec in ("ascii", "utf-8", ""):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return _western(data), True
        if "\x00" in text and text.count("\x00") * 3 > len(text):
            return _plain(data.decode("utf-16-le" if data[1:2] == b"\x00" else "utf-16-be", "replace")), True
        return text.removeprefix("\ufeff"), codec == "" or (codec == "ascii" and not text.isascii())
    if codec == "cp1252":
        # Mail that says Latin-1 is Windows-1252 in truth; some of it is UTF-8.
        if data.isascii():
            return data.decode("ascii"), False
        try:
            return data.decode("utf-8"), True
        except UnicodeDecodeError:
            return _western(data), False
    try:
        return _plain(data.decode(codec)), False
    except (UnicodeError, ValueError):
        pass
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return _plain(data.decode(codec, "replace")), True


def _western(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _plain(text: str) -> str:
    text = text.removeprefix("\ufeff")
    return _SURROGATE_RE.sub("\ufffd", text) if _SURROGATE_RE.search(text) else text


def decode_transfer(data: bytes, encoding: str) -> bytes:
    """Undo a Content-Transfer-Encoding; broken input gives what can be read of it. Never raises."""
    encoding = encoding.strip("\"' \t;").lower()
    if encoding in ("", "7bit", "8bit", "binary"):
        return data
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding == "base64":
        return decode_base64(data)
    if encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
        return _uudecode(data)
    return data


def decode_base64(data: bytes) -> bytes:
    """What base64 there is in data; other characters and a missing padding do not matter."""
    kept = data.translate(_URLSAFE, _NOT_BASE64) if b"-" in data or b"_" in data else data.translate(None, _NOT_BASE64)
    extra = len(kept) % 4
    if extra == 1:
        kept = kept[:-1]
    elif extra:
        kept += b"=" * (4 - extra)
    try:
        return binascii.a2b_base64(kept)
    except binascii.Error:
        return b""


def _uudecode(data: bytes) -> bytes:
    out: list[bytes] = []
    started = False
    for line in data.splitlines():
        if not started:
            started = line.startswith(b"begin ")
            continue
        if line.rstrip() == b"end":
            break
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            # Some encoders pad a line too long; its first character says how many bytes are meant.
            size = (((line[0] - 32) & 63) * 4 + 5) // 3 if line else 0
            try:
                out.append(binascii.a2b_uu(line[:size]))
            except binascii.Error:
                continue
    return b"".join(out) if started else data


def decode_words(value: str) -> str:
    """A header value with its encoded words decoded (RFC 2047); an unknown charset is guessed. Never raises."""
    if "=?" not in value:
        return value
    out: list[str] = []
    pending = b""
    charset = ""
    end = 0
    for found in _ENCODED_WORD_RE.finditer(value):
        between = value[end : found.start()]
        label = found[1].split("*", 1)[0].lower()
        data = _word_bytes(found[2], found[3])
        if pending and (between.strip() or label != charset):
            out.append(decode_text(pending, charset)[0])
            pending = b""
        if between.strip() or end == 0:
            out.append(between)
        # One character may be split over two words of the same charset.
        pending += data
        charset = label
        end = found.end()
    if pending:
        out.append(decode_text(pending, charset)[0])
    out.append(value[end:])
    return "".join(out)


def _word_bytes(kind: str, payload: str) -> bytes:
    data = payload.encode("utf-8", "replace")
    if kind in "bB":
        return decode_base64(data)
    return binascii.a2b_qp(data, header=True)


def one_line(value: str, limit: int = 1000) -> str:
    """A decoded value fit for display: NFC, one line, no control, bidirectional or zero-width characters."""
    if value.isascii() and value.isprintable():
        return value.strip()[:limit]
    value = _plain(value)
    value = _CONTROL_RE.sub(
        lambda found: " " if any(c in "\t\n\r\v\f\u2028\u2029\x85" for c in found[0]) else "", value
    )
    return unicodedata.normalize("NFC", " ".join(value.split()))[:limit]


def lowered(text: str) -> str:
    """The text in lower case, every character at its place."""
    return text.replace("\u0130", "i").lower() if "\u0130" in text else text.lower()
