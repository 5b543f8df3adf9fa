"""Delivery reports: which address failed, for good or for now.

In this order: the fields of RFC 3464 (and RFC 6533), X-Failed-Recipients, the lines in which mail servers have
always named the address (qmail, Postfix, Exim, sendmail, Exchange, ...), flufl.bounce as a guarded second opinion,
and at last any address in the words of the report, or the one recipient of the mail that came back.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from email.message import Message

from flufl.bounce import all_failures

from mailgm.mail.reader import robots
from mailgm.mail.reader.bounce_words import (
    ADDRESS_RE,
    DELIVERED_TO_RES,
    FAILS_RE,
    FROM_RE,
    LISTED_HINTS,
    LISTED_LINE_RE,
    LISTED_RE,
    NAMED_RES,
    OPENS_ORIGINAL_RE,
    REPLY_RE,
    STATUS_RE,
    SUBJECT_RE,
    TEMPORARY_HINTS,
    TEMPORARY_RE,
    TEXT_RE,
)
from mailgm.mail.reader.decode import decode_text, decode_transfer, lowered
from mailgm.mail.reader.headers import addresses, message_id, message_ids
from mailgm.mail.reader.html import html_to_text
from mailgm.mail.reader.mime import Part
from mailgm.mail.reader.model import Bounce, BounceRecipient

log = logging.getLogger(__name__)

_MAX_TEXT = 65_536
_MAX_RECIPIENTS = 50
_NEAR_CHARS = 1500  # what is said of an address stands near it
_SECOND_OPINION_CHARS = 3_000  # reports say it at once
_DSN_TYPES = ("message/delivery-status", "message/global-delivery-status", "text/delivery-status")
_HEADER_TYPES = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")
_ORIGINAL_TYPES = ("message/rfc822", "message/global", *_HEADER_TYPES)
_ID_IN_TEXT_RE = re.compile(r"message-id:\s*<?([^<>\s]+@[^<>\s]+)")
_ORIGINAL_ID_RE = re.compile(
    r"\n[ \t>]*(?:message-id|original-message-id|x-original-message-id):[ \t]*(<[^<>\s]{1,500}>)",
    re.IGNORECASE,
)
_TO_RE = re.compile(r"^[ \t>]*(?:to|x-original-to|delivered-to|x-rcpt-to):[ \t]*(.{1,500})$", re.MULTILINE)
_PLUS_CODE_RE = re.compile(r"\+([0-9A-F]{2})")
_HEX_CODE_RE = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")


@dataclass(slots=True)
class _Words:
    """What a report says, with a line end before it. low: in lower case; above: of that, what stands above the mail
    that came back; us: addresses that cannot be the one that failed.
    """

    text: str
    low: str
    above: str
    us: frozenset[str]


def find(root: Part, subject: str, sender: str, reason: str) -> Bounce | None:
    """The delivery report that a mail is; None when it is none.

    reason: what `robots.reason` says. A person's mail is a report only if subject, words and an address all say so,
    and no part of it is an answer.
    """
    if reason in ("own", "mdn", "arf", "calendar", "reaction", "challenge", "subject"):
        return None
    if reason == "dsn":
        parts = root.walk()
        fields = _from_fields(parts)
        if fields:
            return Bounce(tuple(fields[:_MAX_RECIPIENTS]), _original_id(root, parts, ""), _verp(root))
    # No reason at all means that these two signs are missing as well.
    machine = reason == "dsn" or (reason != "" and (robots.is_daemon(root, sender) or robots.null_path(root)))
    titled = SUBJECT_RE.search(lowered(subject)) is not None or "mailer-daemon" in root.first("from").lower()
    if not machine and not titled:
        return None
    parts = root.walk()
    words = _words(root, sender)
    above, us = words.above, words.us
    if reason != "dsn":
        coded = STATUS_RE.search(above) is not None or REPLY_RE.search(above) is not None
        if not (machine and titled):
            worded = TEXT_RE.search(words.low) is not None
            if not worded or not (coded or machine):
                return None
        if not titled and not coded and not _plainly_named(above, us):
            return None
    failed = _from_words(root, parts, words)
    if not failed and not (machine and titled) and reason != "dsn":
        return None
    recipients = tuple([_classified(address, words, permanent) for address, permanent in failed.items()])
    return Bounce(recipients[:_MAX_RECIPIENTS], _original_id(root, parts, words.text), _verp(root))


def _words(root: Part, sender: str) -> _Words:
    text = "\n" + _report_text(root)
    low = lowered(text)
    found = OPENS_ORIGINAL_RE.search(low)
    us = _own_addresses(root, sender) | _identifiers(root, low)
    return _Words(text, low, low[: found.start() + 1] if found else low, us)


def _from_fields(parts: list[Part]) -> list[BounceRecipient]:
    """RFC 3464 §2.3: one group of fields a recipient; the original address before the final one."""
    out: dict[str, BounceRecipient] = {}
    for part in parts:
        if part.type not in _DSN_TYPES:
            continue
        for group in _groups(decode_text(part.data()[:_MAX_TEXT])[0]):
            address = _field_address(group.get("original-recipient", "")) or _field_address(
                group.get("final-recipient", "")
            )
            if not address:
                address = _field_address(group.get("x-actual-recipient", ""))
            if not address or len(out) >= _MAX_RECIPIENTS:
                continue
            out.setdefault(address, _graded(address, group))
    failed = [found for found in out.values() if found.permanent or found.temporary]
    return failed or list(out.values())


def _groups(text: str) -> list[dict[str, str]]:
    groups: list[dict[str, str]] = []
    group: dict[str, str] = {}
    name = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.strip():
            if group:
                groups.append(group)
            group, name = {}, ""
        elif line[0] in " \t" and name:
            group[name] += " " + line.strip()
        elif ":" in line:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            if name in ("final-recipient", "original-recipient") and name in group:
                groups.append(group)
                group = {}
            group[name] = value.strip()
    if group:
        groups.append(group)
    return groups


def _field_address(value: str) -> str:
    if not value:
        return ""
    kind, semicolon, address = value.partition(";")
    text = (address if semicolon else kind).strip().strip("<>\"' ")
    if "+" in text and "@" not in text and kind.strip().lower() == "rfc822":
        text = _PLUS_CODE_RE.sub(lambda found: chr(int(found[1], 16)), text)
    if "\\x{" in text:
        text = _HEX_CODE_RE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)), text)
    found = ADDRESS_RE.search(text)
    return found.group().lower() if found else ""


def _graded(address: str, group: dict[str, str]) -> BounceRecipient:
    action = group.get("action", "").split(None, 1)[0].strip("();").lower() if group.get("action", "").strip() else ""
    diagnostic = group.get("diagnostic-code", "")
    status = found.group() if (found := STATUS_RE.search(group.get("status", ""))) else ""
    better = STATUS_RE.search(diagnostic)
    # A gateway that knows nothing better says 5.0.0; the other server's own words are more exact.
    if better and (not status or status.endswith(".0.0")) and better[1] != "2":
        status = better.group()
    delivered = action in ("delivered", "relayed", "expanded") or status.startswith("2.")
    temporary = not delivered and (action == "delayed" or (action != "failed" and status.startswith("4.")))
    if action == "failed" and status.startswith("4."):
        temporary = True
    return BounceRecipient(address, status, not delivered and not temporary, temporary, diagnostic[:500])


def _from_words(root: Part, parts: list[Part], words: _Words) -> dict[str, bool | None]:
    """The addresses that the words of a report name -> is it final, if somebody says so."""
    low, above, us = words.low, words.above, words.us
    values = root.headers.get("x-failed-recipients", [])
    found = [address for value in values for _, address in addresses(value)]
    if not found:
        found = _plainly_named(above, us) or _named(above, us, NAMED_RES[3:5])
    if not found:
        worded = _named(above, us, NAMED_RES[5:]) or _failing(above, us) or _named(low, us, NAMED_RES[:3])
        likely = [hit for hit in _all_addresses(above) if _foreign(hit, us)]
        # One address in question, and it is no sender's: there is nothing to ask.
        if len(set(likely)) > 1 or not (worded or (likely and not FROM_RE.search(above))):
            second = _second_opinion(root, words.text[1 : len(above) if likely else None], us)
            if second:
                return {**second}
        found = worded or likely[:1]
    return dict.fromkeys(address.lower() for address in found or _returned_to(parts, low, us))


def _plainly_named(above: str, us: frozenset[str]) -> list[str]:
    """The addresses that a mail server names on lines of their own."""
    found = _named(above, us, NAMED_RES[:3], strict=False)
    if not found and any(hint in above for hint in LISTED_HINTS) and (listed := LISTED_RE.search(above)):
        found = _named(above[listed.end() :], us, (LISTED_LINE_RE,))
    return found or _named(above, us, DELIVERED_TO_RES, strict=False)


def _failing(text: str, us: frozenset[str]) -> list[str]:
    """Addresses with words of failure on the same line behind them."""
    hits = [
        found.group()
        for line in text.split("\n")
        if "@" in line
        for found in ADDRESS_RE.finditer(line)
        if FAILS_RE.match(line, found.end())
    ]
    return [hit for hit in dict.fromkeys(hits) if _foreign(hit, us)][:_MAX_RECIPIENTS]


def _named(text: str, us: frozenset[str], patterns: tuple[re.Pattern[str], ...], strict: bool = True) -> list[str]:
    for pattern in patterns:
        hits = [hit.strip(".") for hit in pattern.findall(text)]
        hits = [hit for hit in dict.fromkeys(hits) if (_foreign(hit, us) if strict else hit not in us)]
        if hits:
            return hits[:_MAX_RECIPIENTS]
    return []


def _all_addresses(text: str) -> list[str]:
    return [hit for word in text.split() if "@" in word for hit in ADDRESS_RE.findall(word)]


def _foreign(address: str, us: frozenset[str]) -> bool:
    """Can it be the address that failed: not ours, not the reporting server's own, not an identifier?"""
    local = address.partition("@")[0]
    return address not in us and not local.startswith(
        ("postmaster", "mailer-daemon", "abuse", "mailto:", "//", "helpdesk", "support")
    )


def _second_opinion(root: Part, text: str, us: frozenset[str]) -> dict[str, bool]:
    """What flufl.bounce finds in the words of a report, address -> permanent; it is asked about reports only.

    It gets a message of text alone: it raises on many headers as they come, and fields are read already.
    """
    if "@" not in text:
        return {}
    message = Message()
    message["From"] = root.first("from") or "<>"
    message["X-Mailer"] = root.first("x-mailer")
    message.set_payload(text[:_SECOND_OPINION_CHARS])
    try:
        temporary, permanent = all_failures(message)
    except Exception as error:  # noqa: BLE001 - a library that raises on hostile headers is not the end of the mail
        log.info("flufl.bounce raised %s on a delivery report", type(error).__name__)
        return {}
    out = {_text(address): False for address in sorted(temporary)}
    out.update({_text(address): True for address in sorted(permanent)})
    return {address: kind for address, kind in out.items() if "@" in address and _foreign(address, us)}


def _text(address: str | bytes) -> str:
    return (address.decode("utf-8", "replace") if isinstance(address, bytes) else address).lower()


def _returned_to(parts: list[Part], text: str, us: frozenset[str]) -> list[str]:
    """The recipient of the mail that came back, if it had just one."""
    for part in parts:
        headers: str = ""
        if part.type in _HEADER_TYPES:
            headers = decode_text(part.data()[:_MAX_TEXT])[0]
        elif part.children and part.type.startswith("message/"):
            headers = "\n".join(
                f"{key}: {value}" for key in ("to", "x-original-to") for value in part.children[0].headers.get(key, [])
            )
        hits = _to_lines(headers, us)
        if hits:
            return hits
    return _to_lines(text, us)


def _to_lines(headers: str, us: frozenset[str]) -> list[str]:
    for found in _TO_RE.finditer(lowered(headers)):
        hits = [address for _, address in addresses(found[1]) if _foreign(address, us)]
        if len(hits) == 1:
            return hits
    return []


def _classified(address: str, words: _Words, permanent: bool | None) -> BounceRecipient:
    """Status and kind from the words around the address; in doubt a final report is permanent, a warning is not."""
    low = words.above
    at = low.find(address)
    at, end = (at, at + _NEAR_CHARS) if at >= 0 else (1, len(low))
    status = found.group() if (found := STATUS_RE.search(low, at, end) or STATUS_RE.search(low)) else ""
    if status.startswith("2."):
        return BounceRecipient(address, status)
    if permanent is None:
        if status:
            permanent = status[0] == "5"
        elif reply := REPLY_RE.search(low, at, end):
            permanent = reply[1] == "5"
        else:
            permanent = not _is_temporary(low[:2500])
    line = words.text[at : min(end, len(low))].partition("\n\n")[0]
    return BounceRecipient(address, status, permanent, not permanent, " ".join(line.split())[:500])


def _is_temporary(low: str) -> bool:
    return any(hint in low for hint in TEMPORARY_HINTS) and TEMPORARY_RE.search(low) is not None


def _report_text(root: Part) -> str:
    """The words of the report: its text parts, without the mail that came back."""
    out: list[str] = []
    stack = [root]
    size = 0
    while stack and size < _MAX_TEXT:
        part = stack.pop()
        if part.type in _ORIGINAL_TYPES and part is not root:
            continue
        if part.children:
            stack.extend(reversed(part.children))
        elif part.type == "text/html":
            text = html_to_text(part.text()[0])
            out.append(text)
            size += len(text)
        elif part.type.startswith(("text/", "multipart/")) or part is root or part.type in _DSN_TYPES:
            text = decode_text(
                decode_transfer(part.body[:_MAX_TEXT], part.first("content-transfer-encoding")),
                part.params.get("charset", ""),
            )[0]
            out.append(text)
            size += len(text)
    return "\n\n".join(out)[:_MAX_TEXT].replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")


def _own_addresses(root: Part, sender: str) -> frozenset[str]:
    found = {sender}
    for name in ("to", "delivered-to", "envelope-to", "from", "reply-to", "cc", "errors-to"):
        for value in root.headers.get(name, ()):
            found.update([address for _, address in addresses(value)])
    return frozenset(found)


def _identifiers(root: Part, low: str) -> frozenset[str]:
    """Message identifiers look like addresses and are none."""
    found = _ID_IN_TEXT_RE.findall(low)
    for name in ("message-id", "in-reply-to", "references"):
        if name in root.headers:
            found += [identifier[1:-1].lower() for identifier in message_ids(root.first(name)[:4000])]
    return frozenset(found)


def _original_id(root: Part, parts: list[Part], text: str) -> str:
    for part in parts:
        if part.type.startswith("message/") and part.children:
            found = message_id(part.children[0].first("message-id"))
            if found:
                return found
        if part.type in _HEADER_TYPES:
            text = "\n" + decode_text(part.data()[:_MAX_TEXT])[0]
            break
    named = _ORIGINAL_ID_RE.search(text)
    return named[1] if named else message_id(root.first("in-reply-to"))


def _verp(root: Part) -> str:
    """The address with a plus-part that the report came back to (VERP): it names the mail that failed."""
    for name in ("delivered-to", "x-original-to", "envelope-to", "to"):
        for value in root.headers.get(name, ()):
            if "+" not in value:
                continue
            for _, address in addresses(value):
                if "+" in address.partition("@")[0]:
                    return address
    return ""
