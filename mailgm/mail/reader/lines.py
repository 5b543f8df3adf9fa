"""A decoded body as lines that know how deep they are quoted."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_CHARS = 65_536
MAX_LINES = 2_000

_PREFIX = re.compile(r"[\s>]*>[ \t]?")
# Initials before the mark ("JD> "), as The Bat! and FidoNet readers write them. A longer word is a name in a chat.
_INITIALS = re.compile(r"[A-Z][A-Za-z]{0,2}>(?:\s|$)")
_CLOSES_ADDRESS = re.compile(r"\s*>[^<>]{0,40}[:：]\s*$")
# A mark stands among the first four characters of a line, or nothing is quoted.
_MARKED = re.compile(r"\n[^\S\n]*+[^>\n]{0,3}>")
_INVISIBLE = dict.fromkeys(
    [*range(0x00, 0x09), 0x0B, *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xAD, 0x200B, 0x200C, 0x200E, 0x200F,
     *range(0x2060, 0x2065), 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)  # fmt: skip
_INVISIBLE[0x85] = "\n"
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u200b\u200c\u200e\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]"
)
_UNSEEN_ASCII = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")


@dataclass(slots=True)
class Line:
    """One line. text: without quote marks; depth: how many marks; zone: "" or what the HTML said ("signature")."""

    raw: str
    text: str
    depth: int = 0
    zone: str = ""

    @property
    def blank(self) -> bool:
        return not self.text


def clean(text: str) -> str:
    """The text with line ends as "\\n", without control, bidirectional and invisible characters, NFC."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        text = _UNSEEN_ASCII.sub("", text)
    else:
        text = text.replace("\u2028", "\n").replace("\u2029", "\n").replace("\xa0", " ").replace("\u202f", " ")
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
        if _UNSEEN.search(text):
            text = text.translate(_INVISIBLE)
    return text.replace("\f", "\n") if "\f" in text else text


def bounded(text: str) -> tuple[str, bool]:
    """The first 64 kB and 2,000 lines of a text, and whether something was cut off."""
    cut = len(text) > MAX_CHARS
    if cut:
        text = text[:MAX_CHARS]
    if text.count("\n") >= MAX_LINES:
        text = "\n".join(text.split("\n", MAX_LINES)[:MAX_LINES])
        cut = True
    return text, cut


def split_lines(text: str) -> list[Line]:
    """The lines of a clean text, quote marks counted and taken off."""
    if ">" not in text or not _MARKED.search("\n" + text):
        return [Line(raw, raw.strip()) for raw in text.split("\n")]
    lines: list[Line] = []
    open_brackets = 0
    for raw in text.split("\n"):
        stripped = raw.strip()
        if not stripped:
            lines.append(Line(raw, ""))
            open_brackets = 0
            continue
        # "Bob <bob@example.org" + "> wrote:" is one attribution line that was wrapped inside the address.
        if stripped[0] == ">" and not (open_brackets > 0 and _CLOSES_ADDRESS.match(raw)):
            prefix = _PREFIX.match(raw)
            end = prefix.end() if prefix else 0
            lines.append(Line(raw, raw[end:].strip(), raw.count(">", 0, end)))
            open_brackets = 0
            continue
        if ">" in stripped[1:4]:
            initials = _INITIALS.match(stripped)
            if initials:
                lines.append(Line(raw, stripped[initials.end() :].strip(), 1))
                continue
        lines.append(Line(raw, stripped))
        if "<" in stripped or ">" in stripped:
            open_brackets = max(0, open_brackets + stripped.count("<") - stripped.count(">"))
    return lines
