"""The tree of a MIME message: own splitter, one pass a level, bounded in size, depth and number of parts.

Headers are kept as text, undecoded words and all: structure is parsed first, decoded afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from mailgm.mail.reader.decode import decode_text, decode_transfer

MAX_RAW = 10_000_000
MAX_PARTS = 100
MAX_DEPTH = 20
MAX_HEADERS = 256
MAX_HEADER_CHARS = 65_536
MAX_STRUCTURED_CHARS = 4_096  # of Content-Type and its like

_FIELD_RE = re.compile(r"([!-9;-~]+)[ \t]*:[ \t]*([^\n]*(?:\n[ \t][^\n]*)*)")
# Long, folded and never looked at.
_TRACE = frozenset(
    ("received", "x-received", "received-spf", "dkim-signature", "domainkey-signature", "x-google-dkim-signature",
     "arc-seal", "arc-message-signature", "arc-authentication-results", "x-gm-message-state", "x-google-smtp-source",
     "x-microsoft-antispam-message-info", "x-ms-exchange-antispam-messagedata-0", "x-spam-report")
)  # fmt: skip
_NAMES_RE = re.compile(r"[!-9;-~]*")
_UNFOLDED_RE = re.compile(r"\n(?![ \t])")
_PARAM_RE = re.compile(r";[\s;]*([^\s=;\"]+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^;]*)")


@dataclass(slots=True)
class Part:
    """One node: headers by lower-cased name, the undecoded body, children of a multipart or of a nested message."""

    headers: dict[str, list[str]]
    body: bytes
    type: str = "text/plain"
    params: Mapping[str, str] = field(default_factory=dict)
    children: list[Part] = field(default_factory=list)

    def first(self, name: str) -> str:
        """The first value of a header, "" when absent."""
        values = self.headers.get(name)
        return values[0] if values else ""

    @property
    def disposition(self) -> str:
        values = self.headers.get("content-disposition")
        return values[0].partition(";")[0].strip().lower() if values else ""

    @property
    def filename(self) -> str:
        """The name of an attachment, lower case, undecoded; "" for none."""
        values = self.headers.get("content-disposition")
        name = parameters(values[0]).get("filename", "") if values else ""
        return (name or self.params.get("name", "")).lower()

    def data(self) -> bytes:
        """The body with its transfer encoding undone."""
        return decode_transfer(self.body, self.first("content-transfer-encoding"))

    def text(self) -> tuple[str, bool]:
        """(decoded text, was the charset guessed?)."""
        return decode_text(self.data(), self.params.get("charset", ""))

    def walk(self) -> list[Part]:
        """This part and all below it, in order of the message."""
        found: list[Part] = []
        stack = [self]
        while stack:
            part = stack.pop()
            found.append(part)
            stack.extend(reversed(part.children))
        return found


def parameters(value: str) -> dict[str, str]:
    """The parameters of a structured header, continuations and RFC 2231 charsets joined, quotes removed."""
    out: dict[str, str] = {}
    for name, raw in _PARAM_RE.findall(value[:MAX_STRUCTURED_CHARS]):
        text = raw.strip()
        if text[:1] == '"':
            text = text[1:-1].replace("\\", "") if "\\" in text else text[1:-1]
        key, star, _ = name.lower().partition("*")
        if star and text.count("'") >= 2 and name.endswith("*"):
            text = text.split("'", 2)[2]
        if star:
            out[key] = out.get(key, "") + text
        else:
            out.setdefault(key, text)
    return out


def parse(raw: bytes) -> tuple[Part, bool]:
    """(the tree of a raw mail, was it cut to its limits?). Never raises; memory stays within a few times len(raw)."""
    cut = len(raw) > MAX_RAW
    raw = raw[:MAX_RAW] if cut else raw
    root = _part(_without_envelope(raw), "text/plain")
    count = 1
    todo = [(root, 0)]
    while todo:
        part, depth = todo.pop()
        pieces = _pieces(part)
        if not pieces:
            continue
        if depth >= MAX_DEPTH or count >= MAX_PARTS:
            cut = True
            continue
        default = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
        room = MAX_PARTS - count
        cut = cut or len(pieces) > room
        part.children = [_part(piece, default) for piece in pieces[:room]]
        count += len(part.children)
        todo += [(child, depth + 1) for child in part.children]
    return root, cut


def _without_envelope(raw: bytes) -> bytes:
    """An mbox line or blank lines above the header block are not part of it."""
    if raw[:1] in b"\r\n\t \xef":
        start = raw[:2000].lstrip(b"\r\n\t \xef\xbb\xbf")
        if _FIELD_RE.match(start[:200].decode("latin-1")):
            raw = raw[min(len(raw), 2000) - len(start) :]
    if raw.startswith((b"From ", b">From ")):
        raw = raw[raw.find(b"\n") + 1 :]
    return raw


def _part(raw: bytes, default: str) -> Part:
    headers, body = _split(raw)
    values = headers.get("content-type")
    kind, params = _content_type(values[0][:MAX_STRUCTURED_CHARS]) if values and values[0] else (default, {})
    return Part(headers, body, kind, params)


@lru_cache(maxsize=256)  # "text/plain; charset=utf-8" and its like are nearly all there is
def _content_type(value: str) -> tuple[str, Mapping[str, str]]:
    kind = value.partition(";")[0].strip().lower()
    if kind.count("/") != 1:
        kind = "text/html" if kind == "html" else "text/plain"
    return kind, parameters(value) if ";" in value else {}


def _split(raw: bytes) -> tuple[dict[str, list[str]], bytes]:
    if raw[:1] == b"\n" or raw[:2] == b"\r\n":
        return {}, raw[1:] if raw[:1] == b"\n" else raw[2:]
    head, found, body = _at_blank_line(raw)
    if len(head) > MAX_HEADERS * MAX_HEADER_CHARS:
        head = head[: MAX_HEADERS * MAX_HEADER_CHARS]
    text = decode_text(head)[0] if not head.isascii() else head.decode("ascii")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    fields = _UNFOLDED_RE.split(text)
    headers: dict[str, list[str]] = {}
    for line in fields if len(fields) <= MAX_HEADERS else fields[:MAX_HEADERS]:
        name, colon, value = line.partition(":")
        if not colon:
            return _odd_fields(text, body, found)
        name = name.lower()
        if name in _TRACE:
            continue
        value = _unfolded(value[:MAX_HEADER_CHARS]) if "\n" in value else value[:MAX_HEADER_CHARS].strip()
        if name in headers:
            headers[name].append(value)
        else:
            headers[name] = [value]
    if "" in headers or not _NAMES_RE.fullmatch("".join(headers)):
        return _odd_fields(text, body, found)  # which looks at every name
    return headers, body


def _odd_fields(text: str, body: bytes, found: bool) -> tuple[dict[str, list[str]], bytes]:
    """A header block with lines that are no fields: mbox marks are passed over, at anything else the body begins."""
    headers: dict[str, list[str]] = {}
    at, count, size = 0, 0, len(text)
    while at < size:
        matched = _FIELD_RE.match(text, at)
        if matched is None:
            end = text.find("\n", at)
            if text[at] not in "> \t" and not text[at:end].startswith("From "):
                # Not a header line: the blank line was forgotten, the body begins here (as the stdlib reads it).
                rest = text[at:].encode("utf-8", "replace")
                return headers, rest + b"\n\n" + body if found else rest
            at = size if end < 0 else end + 1
            continue
        at = matched.end() + 1
        if count < MAX_HEADERS:
            value = matched[2][:MAX_HEADER_CHARS]
            headers.setdefault(matched[1].lower(), []).append(_unfolded(value) if "\n" in value else value.rstrip())
            count += 1
    return headers, body


def _at_blank_line(raw: bytes) -> tuple[bytes, bool, bytes]:
    """(headers, is there a blank line?, body), whatever the line ends."""
    end = raw.find(b"\n")
    # The kind of line end that the mail begins with is sought first: the other one then only above it.
    mark, other = (b"\n\r\n", b"\n\n") if raw[end - 1 : end] == b"\r" else (b"\n\n", b"\n\r\n")
    at = raw.find(mark)
    above = raw.find(other, 0, at + 1 if at >= 0 else len(raw))
    if above >= 0:
        at, mark = above, other
    if at >= 0:
        return raw[:at], True, raw[at + len(mark) :]
    if b"\n" not in raw and b"\r\r" in raw:
        head, _, body = raw.partition(b"\r\r")
        return head.replace(b"\r", b"\n"), True, body
    return raw, False, b""


def _unfolded(value: str) -> str:
    return " ".join([line.strip() for line in value.split("\n")]).strip()


def _pieces(part: Part) -> list[bytes]:
    """The raw children of a multipart or of a nested message; [] for a leaf."""
    if part.type in ("message/rfc822", "message/global"):
        return [part.data()]
    if not part.type.startswith("multipart/"):
        return []
    boundary = part.params.get("boundary", "").strip().encode("utf-8", "replace")
    if not boundary:
        return []
    return _delimited(part.body, b"--" + boundary)


def _delimited(body: bytes, mark: bytes) -> list[bytes]:
    """What stands between the delimiter lines (RFC 2046 §5.1.1); a missing close delimiter ends with the body."""
    pieces: list[bytes] = []
    start = -1
    at = body.find(mark)
    while at >= 0 and len(pieces) <= MAX_PARTS:
        end = at + len(mark)
        last = body.startswith(b"--", end)
        line_end = body.find(b"\n", end)
        line_end = len(body) if line_end < 0 else line_end
        if (at == 0 or body[at - 1 : at] == b"\n") and (not body[end : min(line_end, end + 400)].strip() or last):
            if start >= 0:
                stop = at - 2 if body[at - 2 : at] == b"\r\n" else at - 1
                pieces.append(body[start : max(stop, start)])
            start = -1
            if last:
                break
            start = line_end + 1
        at = body.find(mark, end)
    if start >= 0:
        pieces.append(body[start:])
    return pieces
