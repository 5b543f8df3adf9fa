"""Recognises the lines that a mail client writes: titles, blocks of header fields, attributions.

Each function looks at a bounded number of lines, so that a whole body is read in linear time whatever it holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mailgm.mail.reader import languages
from mailgm.mail.reader.lines import Line

_BLOCK_LINES = 40
_ATTRIBUTION_LINES = 6
_ATTRIBUTION_CHARS = 500

RULE_RE = re.compile(r"[-_=*~#—–]{2,}|[_—–]")
_DASHES = "-_=*#~—–─"
_AFTER_WORDS = " .*-—–"
_LAST_WORDS = languages.WROTE_LAST.union(phrase.rsplit(None, 1)[-1] for phrase in languages.REPLY_ABOVE)
_TITLE_EDGE = " \t-_=*~#>:：|.…─—–<>[]\"'«»"
# A time, a year or a day; it begins with a digit, so that the search skips to the digits.
_DATE_RE = re.compile(
    r"\d(?:\d?\s?[:.h]\s?\d{2}(?!\d)|(?:(?<=1)9|(?<=2)0)(?<!\d..)\d{2}(?!\d)|\d?[./-]\d{1,2}[./-]\d{2,4}|\s?[年월月])"
)
_DIGIT_RE = re.compile(r"\d")
_LEAD_DATE_RE = re.compile(
    rf"[-–—*_\s\"'«(]*(?:(?:{languages.LEADS_RE})[\s,]*)?(?:[^\W\d_]{{1,14}}+(?:-[^\W\d_]{{1,14}}+)?[.,'’׳]{{0,2}}\s*,?\s*){{0,3}}\(?\d",
    re.IGNORECASE,
)
_LEAD_RE = re.compile(rf"[-–—*_\s\"'«(]*(?:{languages.LEADS_RE})[\s,]+", re.IGNORECASE)
_TIME_RE = re.compile(r"(?:[^\W\d_]+\s+){0,2}\d{1,2}[:.h]\d{2}")
_GMAIL_BARE_RE = re.compile(r"20\d\d-\d\d-\d\d \d{1,2}:\d\d GMT[+-]\d{1,2}(?::\d\d)? \S")
_RUN_ON_RE = re.compile(r"[:：]\s{2,}\S")
_ADDRESS_END_RE = re.compile(r"[<(\[][^<>\s]*@[^<>\s]*[>)\]]|\"[^\"]*\"|@[^\s<>]+")
_LOTUS_FORWARD_RE = re.compile(r"-{2,}\s*forwarded by .* on .*-{2,}", re.IGNORECASE)
_DASHED_TITLE_RE = re.compile(
    r"(?P<open>[-_=*#~—–─]{2,})\s*(?P<title>[^-_=*#~—–─\s].{1,60}?)\s*[-_=*#~—–─]{2,}:?\s*(?P<rest>.*)"
)
_MESSAGE_DU_RE = re.compile(r"message du\s*:?\s*(?=\d|lun|mar|mer|jeu|ven|sam|dim)", re.IGNORECASE)


@dataclass(slots=True)
class Block:
    """Header fields above an older message: lines[start:end], with the title and the rule above them."""

    start: int
    end: int
    fields: dict[str, str] = field(default_factory=dict)
    title: str = ""  # "forward", "original" or "" for a block without title


def may_open(text: str) -> bool:
    """Could a client have written this line above an older message? Quick, and says no of most lines of people.

    What `title_of`, `header_block` and `attribution_start` look for stands on a line that begins with a dash, holds
    a colon, or ends with a word of their tables.
    """
    if ":" in text or text[0] in _DASHES or "：" in text:
        return True
    folded = text.casefold()
    words = folded.rstrip(_AFTER_WORDS).rsplit(None, 1)
    return (words[-1] in _LAST_WORDS if words else False) or folded.startswith("message du")


def header_field(text: str) -> tuple[str, str] | None:
    """("from", "Ana <ana@x>") for "De : Ana <ana@x>"; None when the line names no field."""
    colon = text.find(":", 0, 40)
    wide = text.find("：", 0, 40)
    if wide >= 0 and (colon < 0 or wide < colon):
        colon = wide
    if colon > 0:
        name = " ".join(text[:colon].strip(" \t*_•|>").casefold().split())
        kind = languages.HEADER_NAMES.get(name)
        if kind:
            return kind, text[colon + 1 :].strip(" \t*_").strip()
    found = _MESSAGE_DU_RE.match(text)
    if found:
        return "date", text[found.end() :].strip()
    return None


def title_of(text: str) -> tuple[str, str] | None:
    """("forward" | "original" | "above", rest of the line) for a title line of a client, else None."""
    first = text[0]
    dashed = first in _DASHES
    if not dashed and text[-1] not in ":：":
        # Without dashes or a colon only the line under which people should not write is known.
        return ("above", "") if len(text) < 80 and text.casefold().strip(" .*") in languages.REPLY_ABOVE_SET else None
    rest = ""
    core = text
    if dashed:
        parts = _DASHED_TITLE_RE.match(text[:4000])
        if parts:
            core, rest = parts["title"], text[parts.start("rest") :]
    name = " ".join(core.strip(_TITLE_EDGE).casefold().split())
    if not name or len(name) > 80:
        return None
    if name in languages.FORWARD_TITLE_SET:
        return ("forward", rest) if dashed or text[-1] in ":：" else None
    if name in languages.ORIGINAL_TITLE_SET:
        return ("original", rest) if dashed or text[-1] in ":：" else None
    if name in languages.REPLY_ABOVE_SET:
        return "above", rest
    if dashed and _LOTUS_FORWARD_RE.match(text[:400]):
        return "forward", ""
    return None


def header_block(lines: list[Line], start: int) -> Block | None:
    """The block of header fields that begins exactly at lines[start], or None.

    Blank lines inside are allowed when another field follows; a folded value belongs to its field.
    """
    first = header_field(lines[start].text)
    if first is None:
        return None
    depth = lines[start].depth
    found: dict[str, str] = {}
    last = ""
    index = start
    limit = min(len(lines), start + _BLOCK_LINES)
    while index < limit:
        line = lines[index]
        if not line.text:
            following = _next_text(lines, index, limit, 2)
            if following is None or header_field(lines[following].text) is None or lines[following].depth != depth:
                break
            index = following
            continue
        if line.depth != depth:
            break
        named = header_field(line.text)
        if named is not None:
            kind, value = named
            if kind in ("from", "subject") and kind in found:
                break
            found[kind] = value if kind not in found else f"{found[kind]} {value}"
            last = kind
        elif _folded(lines, index, limit, last, found):
            found[last] = f"{found[last]} {line.text}"
        else:
            break
        index += 1
    found.pop("other", None)
    return Block(start, index, found) if found else None


def _folded(lines: list[Line], index: int, limit: int, last: str, found: dict[str, str]) -> bool:
    """Is lines[index] the rest of the field above? Only if more fields come, or the value was left open."""
    if last in ("", "subject") and not lines[index].raw[:1].isspace():
        return False
    if last in ("to", "cc", "from") and found[last].endswith((",", ";", "<")):
        return True
    for ahead in range(index + 1, min(index + 3, limit)):
        if header_field(lines[ahead].text) is not None:
            return last not in ("", "other")
        if not lines[ahead].text:
            return False
    return False


def _next_text(lines: list[Line], index: int, limit: int, blanks: int) -> int | None:
    for ahead in range(index, min(limit, index + blanks + 1)):
        if lines[ahead].text:
            return ahead
    return None


def convincing(block: Block, marked: bool) -> bool:
    """Is it the header of a message, or a person's list with colons? marked: a title or a rule stands above it."""
    fields = block.fields
    if "from" not in fields:
        return "subject" in fields and "date" in fields and (marked or "to" in fields)
    if len(fields) >= 3:
        return "@" in "".join(fields.values()) or marked or ("subject" in fields and "date" in fields)
    return len(fields) == 2 and (marked or ("@" in fields["from"] and ("date" in fields or "subject" in fields)))


def attribution_start(lines: list[Line], end: int) -> int | None:
    """Where the attribution ("Le 3 mai à 10:12, Ana <ana@x> a écrit :") that ends at lines[end] begins, or None."""
    text = lines[end].text
    if text[0] == "2" and _GMAIL_BARE_RE.match(text):
        return end
    if text[-1] not in ":：" and not _ends_with_verb(text):
        # Yahoo on Android puts the old text on the same line.
        run_on = _RUN_ON_RE.search(text[:400]) if "@" in text else None
        head = text[: run_on.start() + 1] if run_on else ""
        return end if head and _LEAD_DATE_RE.match(head) and _attributes(head, True, False) else None
    quoted = _quote_follows(lines, end)
    joined = ""
    named: int | None = None  # "Ana <ana@x> wrote:", the shortest that will do
    unknown: int | None = None  # a date and a colon, verb unknown
    blanks = 0
    for index in range(end, max(-1, end - _ATTRIBUTION_LINES), -1):
        line = lines[index]
        if line.depth:
            break
        if not line.text:
            blanks += 1
            if blanks > 1 or not joined.startswith("<"):
                break
            continue
        joined = f"{line.text} {joined}"
        if len(joined) > _ATTRIBUTION_CHARS:
            break
        dated = _DIGIT_RE.search(joined) is not None and _LEAD_DATE_RE.match(joined) is not None
        sure = _attributes(joined, dated, quoted)
        if dated and sure:
            return _stretched(lines, index)
        if sure:
            named = index if named is None else named
        elif quoted and dated and unknown is None and _unknown_verb(joined):
            unknown = index
    found = unknown if named is None else named
    return None if found is None else _stretched(lines, found)


def _stretched(lines: list[Line], start: int) -> int:
    """The first line of an attribution whose last lines were enough to know it: the date, or the name, above."""
    for _ in range(3):
        text = lines[start].text
        lead = _LEAD_RE.match(text)
        if not start or (lead and not _TIME_RE.match(text, lead.end())):
            break
        above = lines[start - 1]
        words = len(above.text.split())
        if above.depth or not 0 < words <= 12:
            break
        opens = _LEAD_DATE_RE.match(above.text) and (
            "," in above.text or _LEAD_RE.match(above.text) or _DATE_RE.search(above.text)
        )
        named = "<" in above.text and "@" in above.text
        bare = text[0] == "<" and words <= 5 and above.text[-1] not in ".!?:;"
        if not (opens or named or bare):
            break
        start -= 1
    return start


def _ends_with_verb(text: str) -> bool:
    tail = text.rstrip("-—– ")
    return tail.rsplit(None, 1)[-1].casefold() in languages.WROTE_LAST if tail else False


def _attributes(joined: str, dated: bool, quoted: bool) -> bool:
    address = "@" in joined
    if not (dated or address or quoted):
        return False
    verb = languages.wrote(joined)
    date = _DATE_RE.search(joined) is not None
    if verb >= 0:
        if dated and date:
            return True
        if address and _ADDRESS_END_RE.search(joined):
            return True
        return quoted and len(joined[:verb].split()) <= 8
    return dated and date and address and joined.rstrip()[-1] in ":：" and _ADDRESS_END_RE.search(joined) is not None


def _unknown_verb(joined: str) -> bool:
    """A date and a colon above a quote: an attribution in a language that the table does not know."""
    return joined.rstrip()[-1] in ":：" and _DATE_RE.search(joined) is not None


def _quote_follows(lines: list[Line], end: int) -> bool:
    for index in range(end + 1, min(len(lines), end + 8)):
        if lines[index].text or lines[index].depth:
            return lines[index].depth > 0
    return False


def split_glued_fields(text: str) -> list[str]:
    """Yahoo's forwards put all fields on one line ("From: Ana <a@x>To: ..."): one line a field again."""
    pieces: list[str] = []
    start = 0
    for found in _GLUED_RE.finditer(text):
        if found.start() > start:
            pieces.append(text[start : found.start()].strip())
        start = found.start()
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def _glued_pattern() -> re.Pattern[str]:
    # Only names that begin with a capital letter on the page, and only where a value ends: ">", a digit or letters
    # of a time zone. "Dw" stands without its colon in Yahoo's Polish.
    names = sorted((n for n in languages.HEADER_NAMES if n[0].isalpha()), key=len, reverse=True)
    forms = "|".join(re.escape(n[0].upper() + n[1:]) for n in names)
    copies = "|".join(re.escape(n.upper()) for n in names if len(n) <= 3)
    return re.compile(rf"(?:{forms}|{copies})\s?[:：]|(?<=>)Dw ")


_GLUED_RE = _glued_pattern()
