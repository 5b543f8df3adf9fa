"""A message that is passed on: who wrote it, when, about what, and its text."""

from __future__ import annotations

import re

from mailgm.mail.reader import languages
from mailgm.mail.reader.lines import Line
from mailgm.mail.reader.marks import Block
from mailgm.mail.reader.model import Forwarded

_MAILTO_RE = re.compile(r"<mailto:[^<>\s]*>|\[mailto:([^\[\]\s]*)\]")
_ADDRESS_RE = re.compile(r"[^\s<>\"'()\[\],;:]+@[^\s<>\"'()\[\],;:]+")
_COUNT_RE = re.compile(r"[\[(]\d+[\])]")  # "Re[2]:"
_QUOTED_NAMES = "\"'“”„«»‘’"


def subject_kind(subject: str) -> tuple[str, str]:
    """("forward" | "reply" | "", the subject without its prefixes); the outermost prefix decides."""
    kind = ""
    rest = subject.strip()
    for _ in range(20):
        head, colon, tail = rest.replace("：", ":", 1).partition(":")
        if not colon:
            break
        name = _COUNT_RE.sub("", head).strip(" .").casefold()
        if len(name) > 24:
            break
        if name in languages.FORWARD_PREFIX_SET:
            kind = kind or "forward"
        elif name in languages.REPLY_PREFIX_SET:
            kind = kind or "reply"
        else:
            break
        rest = tail.strip()
    return kind, rest


def split_address(text: str) -> tuple[str, str]:
    """(display name, bare lower-cased address) of a sender as clients print it; either may be ""."""
    text = _MAILTO_RE.sub(lambda found: f"<{found.group(1)}>" if found.group(1) else "", text[:2000])
    found = _ADDRESS_RE.search(text)
    if not found:
        return text.strip(f" \t<>()[],;{_QUOTED_NAMES}"), ""
    address = found.group().strip(".").lower()
    name = text[: found.start()].strip(f" \t<>()[],;:{_QUOTED_NAMES}")
    return name, address


def dequoted(lines: list[Line], depth: int) -> str:
    """The text of lines with `depth` quote marks taken off each of them and common indentation removed."""
    kept: list[str] = []
    for line in lines:
        raw = line.raw
        for _ in range(min(depth, line.depth)):
            raw = raw.lstrip()[1:]
            raw = raw[1:] if raw[:1] == " " else raw
        kept.append(raw.rstrip())
    indents = [len(text) - len(text.lstrip()) for text in kept if text]
    common = min(indents, default=0)
    return "\n".join(text[common:] for text in kept).strip("\n")


def from_block(block: Block, text: str, message: str) -> Forwarded:
    """The forward that a block of header fields opens."""
    sender = block.fields.get("from", "")
    name, address = split_address(sender)
    return Forwarded(
        from_=sender,
        date=block.fields.get("date", ""),
        subject=block.fields.get("subject", ""),
        text=text,
        message=message,
        name=name,
        address=address,
    )


_DATE_PART_RE = re.compile(r"[-–—\s]*(?:[^\W\d_]+[\s.,]+){0,4}\d[\d\s./:,hH-]*")
_TRAILING_RE = re.compile(r"[\s,]*(?:님이.*|[:：–—-]+)\s*$")


def from_attribution(joined: str, subject: str, text: str, message: str) -> Forwarded:
    """The forward that an attribution line opens (Outlook for Mac: "El 28/10/2021 12:46, "Ana" <a@x> escribió:")."""
    stripped = languages.WROTE_RE.sub(" ", _TRAILING_RE.sub("", joined))
    quoted = re.search(r"[\"„“«]([^\"”“»]+)[\"”“»]\s*\(?<?", stripped)
    found = _ADDRESS_RE.search(stripped)
    address = found.group().lower() if found else ""
    if quoted:
        name = quoted.group(1).strip()
    else:
        head = stripped[: found.start()] if found else stripped
        name = _bare_name(head.strip(" <([,"))
    dated = re.search(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[\s,]+\d{1,2}[.:h]\d{2}", stripped)
    date = dated.group() if dated else ""
    sender = f"{name} <{address}>" if name and address else name or address
    return Forwarded(from_=sender, date=date, subject=subject, text=text, message=message, name=name, address=address)


def _bare_name(head: str) -> str:
    """The name at the end of what stands before the address: the words after the last digit, particles off."""
    tail = re.split(r"\d[\d:.h]*(?:\s?[ap]\.?m\.?)?", head, flags=re.IGNORECASE)[-1]
    words = tail.strip(" ,.:;-–—").split()
    while words and (words[0].islower() or words[0].casefold() in languages.LEADS):
        words.pop(0)
    return " ".join(words)
