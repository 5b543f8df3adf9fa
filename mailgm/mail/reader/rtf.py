"""RTF as Outlook puts it into winmail.dat: LZFu decompression (MS-OXRTFCP) and the text, or the HTML wrapped in it."""

from __future__ import annotations

import re
import struct

_MAX_RAW = 1_000_000
_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS "
    b"Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_TOKEN_RE = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)",
    re.DOTALL,
)
_SKIPPED = frozenset(
    ("fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "generator", "listtable",
     "listoverridetable", "themedata", "colorschememapping", "latentstyles", "datastore", "fldinst", "mhtmltag")
)  # fmt: skip
_CHARS = {"par": "\n", "line": "\n", "tab": "\t", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
          "bullet": "•", "endash": "–", "emdash": "—", "sect": "\n",
          "page": "\n", "row": "\n", "cell": " "}  # fmt: skip


def decompress(data: bytes) -> bytes:
    """Compressed RTF as RTF; b"" when it is broken. At most 1 MB."""
    if len(data) < 16:
        return b""
    size, raw_size, kind = struct.unpack_from("<III", data)
    if kind == 0x414C454D:
        return data[16 : 16 + min(raw_size, _MAX_RAW)]
    window = bytearray(_DICTIONARY.ljust(4096, b"\x00"))
    write = len(_DICTIONARY)
    out = bytearray()
    at, end = 16, min(len(data), size + 4)
    limit = min(raw_size, _MAX_RAW)
    while at < end and len(out) < limit:
        control = data[at]
        at += 1
        for bit in range(8):
            if at >= end:
                break
            if control >> bit & 1:
                if at + 2 > end:
                    return bytes(out)
                reference = data[at] << 8 | data[at + 1]
                at += 2
                offset, count = reference >> 4, (reference & 15) + 2
                if offset == write:
                    return bytes(out)
                chunk = bytearray()
                for i in range(count):
                    byte = window[(offset + i) % 4096]
                    chunk.append(byte)
                    window[write] = byte
                    write = (write + 1) % 4096
                out += chunk
            else:
                out.append(data[at])
                window[write] = data[at]
                write = (write + 1) % 4096
                at += 1
    return bytes(out)


def to_text(data: bytes) -> tuple[str, str]:
    """(plain text, "") of an RTF document, or ("", HTML) when it wraps HTML (MS-OXRTFEX)."""
    source = data.decode("latin-1")
    html = "\\fromhtml" in source[:2000]
    codec = "cp1252"
    page = re.search(r"\\ansicpg(\d{3,5})", source[:2000])
    if page:
        codec = f"cp{page[1]}"
    text = _Reader(html, codec).read(source)
    return ("", text) if html else (text, "")


class _Reader:
    def __init__(self, html: bool, codec: str) -> None:
        self.html = html
        self.codec = codec
        self.out: list[str] = []
        self.bytes = bytearray()
        self.skip = False  # inside a destination that is no text
        self.rtf_only = False  # between \htmlrtf and \htmlrtf0
        self.unicode_skip = 1
        self.drop = 0

    def read(self, source: str) -> str:
        stack: list[tuple[bool, bool, int]] = []
        star = False
        for found in _TOKEN_RE.finditer(source):
            word, number, code, symbol, brace, text = found.groups()
            if brace == "{":
                stack.append((self.skip, self.rtf_only, self.unicode_skip))
            elif brace == "}":
                if stack:
                    self.skip, self.rtf_only, self.unicode_skip = stack.pop()
            elif symbol == "*":
                star = True
                continue
            elif word is not None:
                self._word(word, int(number) if number else None, star)
            elif code is not None:
                self._byte(int(code, 16))
            elif symbol is not None:
                self._write({"~": " ", "_": "-", "-": "", "\n": "\n", "\r": "\n"}.get(symbol, symbol))
            elif text is not None:
                self._write(text)
            star = False
        self._flush()
        return "".join(self.out)

    def _word(self, word: str, number: int | None, star: bool) -> None:
        if word == "htmlrtf":
            self.rtf_only = number != 0
        elif word == "htmltag":
            self.skip = not self.html
        elif star or word in _SKIPPED:
            self.skip = True
        elif word == "uc":
            self.unicode_skip = max(0, min(number if number is not None else 1, 8))
        elif word == "u" and number is not None:
            self._flush()
            point = number % 65536
            self._write("\ufffd" if 0xD800 <= point < 0xE000 else chr(point))
            self.drop = self.unicode_skip
        elif word in _CHARS:
            self._write(_CHARS[word])

    def _byte(self, value: int) -> None:
        if self.drop:
            self.drop -= 1
        elif not self.skip and not self.rtf_only:
            self.bytes.append(value)

    def _flush(self) -> None:
        if self.bytes:
            try:
                self.out.append(self.bytes.decode(self.codec, "replace"))
            except LookupError:
                self.out.append(self.bytes.decode("cp1252", "replace"))
            self.bytes.clear()

    def _write(self, text: str) -> None:
        if self.skip or self.rtf_only:
            return
        self._flush()
        if self.drop and text:
            dropped = min(self.drop, len(text))
            text = text[dropped:]
            self.drop -= dropped
        self.out.append(text)
