"""What the receiving mail server found out about a message's sender (RFC 8601), believed of one server only."""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMENT = re.compile(r"\((?:[^()\\]|\\.)*\)")
_RESULT = re.compile(r"^\s*([a-z][a-z0-9-]*)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
_PROPERTY = re.compile(r"\b(header\.d|header\.i|smtp\.mailfrom|header\.from)\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)

PASS, FAIL, NONE = "pass", "fail", "none"


def authenticity(headers: Sequence[str], server: str, sender: str) -> str:
    """Tell whether the From of a message is proven: "pass", "fail" (somebody forged it), or "none" (not known).

    headers: values of Authentication-Results, topmost first. Only the topmost one counts, and only if it bears the
             authserv-id `server`: whatever stands below may have come with the message (RFC 8601 §5, §7.1).
    sender:  the address of From; DKIM and SPF count only for its domain.
    """
    if not headers or not server:
        return NONE
    value = _without_comments(headers[0])
    head, *results = value.split(";")
    if (head.split() or [""])[0].lower() != server.lower():
        return NONE
    found = [(match[1].lower(), match[2].lower(), result) for result in results if (match := _RESULT.match(result))]
    verdicts = {method: result for method, result, _ in found if method == "dmarc"}
    if "dmarc" in verdicts and verdicts["dmarc"] in (PASS, FAIL):
        return verdicts["dmarc"]
    domain = sender.rpartition("@")[2].lower()
    proofs = [entry for entry in found if entry[0] in ("dkim", "spf")]
    aligned = [(method, result) for method, result, text in proofs if _aligned(text, domain)]
    if any(result == PASS for _, result in aligned):
        return PASS
    failed = any(result == FAIL for _, result, _ in proofs)
    return FAIL if failed else NONE


def _aligned(result: str, domain: str) -> bool:
    """Whether a result speaks of the sender's domain, or of one above or below it (RFC 7489 §3.1, relaxed)."""
    for _, value in _PROPERTY.findall(result):
        named = value.rpartition("@")[2].lower().rstrip(".")
        if named and (named == domain or domain.endswith("." + named) or named.endswith("." + domain)):
            return "." in named
    return False


def _without_comments(value: str) -> str:
    """Nested comments are taken out from the inside; what is left of an unbalanced one ends the value."""
    while (shorter := _COMMENT.sub(" ", value)) != value:
        value = shorter
    return value.partition("(")[0]
