"""Addresses, identifiers and dates out of header values, without ever trusting a display name."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache

from mailgm.mail.reader.decode import decode_words, one_line

_MAX_ADDRESSES = 200
_ADDRESS_RE = re.compile(r"[^\s<>@,;:\"()\[\]\\]{1,128}@[^\s<>@,;:\"()\\]{1,255}")
# The usual forms: ana@example.org, <ana@example.org>, Ana <ana@example.org>, "Ana" <ana@example.org>.
_SIMPLE_RE = re.compile(
    r"\s*(?:(?:\"([^\"\\]{0,200})\""
    r"|([^\"<>@,;:()\\\[\]]{0,200}+))\s*(?=<))?<?([^\s<>@,;:\"()\[\]\\]{1,128}@[^\s<>@,;:\"()\\]{1,255})>?\s*$"
)
# As RFC 5322 §3.3 writes a date; the standard library's reader of all others is slow.
_DATE_RE = re.compile(
    r"\s*(?:[A-Za-z]{3},\s*)?([0-9]{1,2})\s+([A-Za-z]{3})\s+([12][0-9]{3})\s+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?"
    r"\s+([+-][0-9]{2})([0-5][0-9])\s*(?:\([^()]*\)\s*)?$"
)
_MONTHS = {
    "jan": "01", "feb": "02", "mar": "03", "apr": "04", "may": "05", "jun": "06",
    "jul": "07", "aug": "08", "sep": "09", "oct": "10", "nov": "11", "dec": "12",
}  # fmt: skip
_ID_RE = re.compile(r"<[^<>\s]{1,500}>")


@lru_cache(maxsize=16)  # From and To of one mail are asked for again and again
def addresses(value: str) -> tuple[tuple[str, str], ...]:
    """All (display name, bare lower-cased address) of an address header. Linear, never raises; at most 200."""
    simple = _SIMPLE_RE.match(value)
    if simple:
        display = simple[1] or simple[2]
        address = one_line(simple[3].strip(".'").lower(), 400)
        return ((one_line(decode_words(display), 200) if display else "", address),)
    out: list[tuple[str, str]] = []
    name: list[str] = []
    angle: list[str] | None = None
    comment: list[str] = []
    quoted = escaped = False
    depth = 0
    for char in value + ",":
        if escaped:
            escaped = False
            (angle if angle is not None and not quoted else name).append(char)
        elif char == "\\" and (quoted or depth):
            escaped = True
        elif quoted:
            if char == '"':
                quoted = False
            else:
                name.append(char)
        elif depth:
            depth += (char == "(") - (char == ")")
            comment.append(char)
        elif char == '"':
            quoted = True
        elif char == "(":
            depth = 1
        elif char == "<":
            if angle is not None:
                _take(out, name, angle, comment)
                name, comment = [], []
            angle = []
        elif char == ">" and angle is not None:
            _take(out, name, angle, comment)
            name, angle, comment = [], None, []
        elif char in ",;":
            if angle is not None or name:
                _take(out, name, angle, comment)
            name, angle, comment = [], None, []
            if len(out) >= _MAX_ADDRESSES:
                break
        elif char == ":" and angle is None:
            name = []
        else:
            (angle if angle is not None else name).append(char)
    return tuple(out)


def _take(out: list[tuple[str, str]], name: list[str], angle: list[str] | None, comment: list[str]) -> None:
    text = "".join(name).strip()
    found = _ADDRESS_RE.fullmatch("".join(angle).strip() if angle is not None else text)
    if found is None and angle is None:
        # "Ana ana@example.org": an address somewhere among words.
        found = _ADDRESS_RE.search(text)
    if found is None:
        return
    display = text if angle is not None else "".join(comment).rstrip(")")
    out.append((one_line(decode_words(display), 200), one_line(found.group().strip(".'").lower(), 400)))


def sender_of(values: list[str] | None) -> tuple[str, str]:
    """(name, address) of the one author; ("", "") when there is none, or several (RFC 5322 §3.6.2 is refused here)."""
    if not values or len(values) != 1:
        return "", ""
    found = addresses(values[0])
    if len(found) != 1:
        return "", ""
    return found[0]


def message_ids(value: str, limit: int = 100) -> tuple[str, ...]:
    """The last `limit` identifiers "<...>" of a header."""
    return tuple(_ID_RE.findall(value)[-limit:])


def message_id(value: str) -> str:
    found = _ID_RE.search(value)
    return found.group() if found else ""


def date_of(value: str) -> datetime | None:
    """The Date header, aware (UTC where no zone is given); None when it cannot be read. Information only."""
    if not value or len(value) > 200:
        return None
    try:
        usual = _DATE_RE.match(value)
        if usual is None:
            found = parsedate_to_datetime(value)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        day, month, year, hour, minute, second, east, minutes = usual.groups()
        return datetime.fromisoformat(
            f"{year}-{_MONTHS[month.lower()]}-{day:0>2}T{hour:0>2}:{minute}:{second or '00'}{east}:{minutes}"
        )
    except (ValueError, TypeError, LookupError, OverflowError, AttributeError):
        return None
