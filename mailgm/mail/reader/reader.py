"""Raw bytes to a `Letter`, step by step; the steps are in the other files."""

from __future__ import annotations

import logging
from typing import Any

from mailgm.faults import log_fault
from mailgm.mail.reader import bounce as bounces
from mailgm.mail.reader import mime, robots
from mailgm.mail.reader.body import Body, choose
from mailgm.mail.reader.decode import decode_words, one_line
from mailgm.mail.reader.extract import dissect, plain_text
from mailgm.mail.reader.headers import addresses, date_of, message_id, message_ids, sender_of
from mailgm.mail.reader.mime import Part
from mailgm.mail.reader.model import Bounce, Forwarded, Letter, Parts

log = logging.getLogger(__name__)

_RECIPIENT_HEADERS = (
    "to", "cc", "delivered-to", "x-original-to", "x-forwarded-to", "envelope-to", "x-envelope-to", "x-delivered-to",
    "resent-to", "x-rcpt-to", "apparently-to",
)  # fmt: skip
_KEPT_HEADERS = ("authentication-results", "auto-submitted", "precedence", "list-id", "return-path")
_MAX_RECIPIENTS = 100


def read(raw: bytes, *, own_loop_mark: str | None = None, own_addresses: frozenset[str] = frozenset()) -> Letter:
    """Read one mail as its author meant it.

    raw:           the message as it came (RFC 5322), at most 10 MB are looked at.
    own_loop_mark: what X-Mailgm-Loop holds in mails of this service; None: any such header counts as own.
    own_addresses: bare lower-cased addresses that this service writes from.
    Never raises: a mail that breaks the reader is "unreadable" with the warning "reader-error", and is logged.
    Time and memory are linear in the size; text over 64 kB or 2,000 lines is cut ("cut-size").
    """
    try:
        return _read(raw, own_loop_mark, own_addresses)
    except Exception as error:  # noqa: BLE001 (logged by log_fault)
        log_fault(log, error, "a mail of %d bytes could not be read", len(raw))
        return Letter(kind="unreadable", warnings=("reader-error",), robot_reason="")


def describe(letter: Letter) -> dict[str, Any]:
    """What `mailgm read --json` prints: plain values only."""
    forwarded = letter.forwarded
    return {
        "kind": letter.kind,
        "new_text": letter.new_text,
        "quoted": letter.quoted,
        "signature": letter.signature,
        "forwarded": None
        if forwarded is None
        else {"from": forwarded.from_, "date": forwarded.date, "subject": forwarded.subject, "text": forwarded.text},
        "warnings": list(letter.warnings),
    }


def _read(raw: bytes, own_loop_mark: str | None, own_addresses: frozenset[str]) -> Letter:
    root, cut = mime.parse(raw)
    body = choose(root)
    if cut:
        body.warn("cut-size")
    name, sender = sender_of(root.headers.get("from"))
    subject = _header(root, "subject")
    reason = robots.reason(root, subject, sender, own_loop_mark, own_addresses, body.found)
    bounce = bounces.find(root, subject, sender, reason)
    if bounce is not None and reason != "own":
        reason = "dsn"
    # A report is shown as it is: nothing in it is an order, an answer or a signature.
    parts = Parts(plain_text(body.lines)) if bounce is not None else dissect(body.lines, subject, name, sender)
    forwarded = parts.forwarded or _attached(body, parts)
    for code in parts.warnings:
        body.warn(code)
    if body.encrypted:
        body.warn("encrypted")
    reply_to = addresses(root.first("reply-to")) if "reply-to" in root.headers else ()
    return Letter(
        kind=_kind(reason, bounce, parts, forwarded, body),
        new_text=parts.new_text,
        quoted=parts.quoted,
        signature=parts.signature,
        forwarded=forwarded,
        warnings=tuple(body.warnings),
        sender=sender,
        sender_name=name,
        reply_to=reply_to[0][1] if len(reply_to) == 1 else "",
        subject=subject,
        message_id=message_id(root.first("message-id")),
        in_reply_to=message_id(root.first("in-reply-to")),
        references=message_ids(root.first("references")),
        recipients=_recipients(root),
        date=date_of(root.first("date")),
        headers={key: tuple(root.headers[key]) for key in _KEPT_HEADERS if key in root.headers},
        bounce=bounce,
        robot_reason=reason,
    )


def _header(root: Part, name: str) -> str:
    return one_line(decode_words(root.first(name)))


def _kind(reason: str, bounce: Bounce | None, parts: Parts, forwarded: Forwarded | None, body: Body) -> str:
    if reason == "own":
        return "own"
    if bounce is not None:
        return "bounce"
    if reason == "list":
        return "list"
    if reason:
        return "auto-reply"
    if parts.new_text or forwarded is not None:
        return "message"
    return "unreadable" if body.encrypted else "empty"


def _recipients(root: Part) -> tuple[str, ...]:
    found: dict[str, None] = {}
    headers = root.headers
    for name in [name for name in _RECIPIENT_HEADERS if name in headers]:
        for value in headers[name]:
            for _, address in addresses(value):
                found.setdefault(address)
                if len(found) >= _MAX_RECIPIENTS:
                    return tuple(found)
    return tuple(found)


def _attached(body: Body, parts: Parts) -> Forwarded | None:
    """A message forwarded as an attachment."""
    inner = body.attached
    if inner is None:
        return None
    nested = choose(inner)
    sender = one_line(decode_words(inner.first("from")))
    name, address = sender_of(inner.headers.get("from"))
    text = plain_text(nested.lines)
    return Forwarded(
        sender, one_line(inner.first("date")), _header(inner, "subject"), text, parts.new_text, name, address
    )
