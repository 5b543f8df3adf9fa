"""An outgoing mail, as bytes.

The headers are written here and not by `email.message`: Python 3.11.7 and 3.12.1 turn an encoded line feed in a subject
into a real header line, and fold long words in the middle. The same input always gives the same bytes, for a mail that
is tried again must be the same mail.
"""

from __future__ import annotations

import binascii
import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from email.charset import QP, Charset
from email.header import Header
from email.quoprimime import header_decode
from email.utils import format_datetime
from functools import lru_cache
from typing import Literal

from mailgm.engine.said import say

MAX_LINE = 998
"""RFC 5322 §2.1.1: the longest line, without its CRLF."""

_ENCODED_WORD = re.compile(r"=\?([^?\s]+)\?([bBqQ])\?([^?]*)\?=")
# Between two encoded words white space does not count (RFC 2047 §6.2).
_BETWEEN_ENCODED_WORDS = re.compile(r"(\?=)\s+(?==\?[^?\s]+\?[bBqQ]\?)")
# C0 and C1 controls, line and paragraph separators, bidi controls, zero-width characters, soft hyphen, BOM, surrogates.
_UNWANTED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
_UNWANTED_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_TOKEN = re.compile(r"(\[#[0-9A-Za-z.]+\])")
_OWN_MESSAGE_ID = re.compile(r"<[!-;=?A-~]{1,200}@[A-Za-z0-9.-]{1,253}>")
# Others' need not be well formed: what counts is that a mail program finds the same bytes again.
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,500}>")
_ATOM_PHRASE = re.compile(r"[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]+")
_LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*")

_UTF8 = Charset("utf-8")
_UTF8.header_encoding = QP  # readable in a raw mail, and short for French


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """What is to be written to one person.

    sender_name, sender_address: From, and the name in Reply-To. recipient: the one address in To.
    reply_to:    where answers go (the secret reply address); None: to the sender.
    date:        aware. message_id: `<...@...>`, the same when the mail is tried again.
    in_reply_to: Message-ID of the mail answered; references: those of the thread, oldest first (or one whole header
                 value). They come from other people's mail: what is no Message-ID in them is left out.
    auto_submitted: RFC 3834 §5: `auto-replied` for the answer to a message, else `auto-generated`.
    loop_mark:   tells the service's own mail when it comes back (tokens.loop_mark).
    text, html:  the two forms of the body; html "" for a text-only mail.
    """

    sender_name: str
    sender_address: str
    recipient: str
    subject: str
    date: datetime
    message_id: str
    text: str
    html: str = ""
    reply_to: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    auto_submitted: Literal["auto-generated", "auto-replied"] = "auto-generated"
    loop_mark: str = ""


def compose(mail: OutgoingMail) -> bytes:
    """Write the mail: 7-bit, CRLF lines of at most 998 bytes, UTF-8 as quoted-printable, a text part and an HTML part.

    Raises ValueError for an address or a Message-ID that cannot be written, and for a date without a zone; never
    because of what stands in a name, a subject or a text.
    """
    headers = _headers(mail)
    text = _part("plain", mail.text)
    if mail.html:
        boundary = "=_" + hashlib.sha256(mail.message_id.encode()).hexdigest()[:32]
        headers.append(("Content-Type", f'multipart/alternative; boundary="{boundary}"'))
        edge = b"--" + boundary.encode()
        body = b"\r\n".join([edge, text, edge, _part("html", mail.html), edge + b"--", b""])
    else:
        part_headers, _, body = text.partition(b"\r\n\r\n")
        headers += [tuple(line.split(": ", 1)) for line in part_headers.decode().split("\r\n")]  # type: ignore[misc]
    block = "".join(f"{name}: {value}\r\n" for name, value in headers).encode("ascii")
    _check(block, [name for name, _ in headers])
    return block + b"\r\n" + body


def clean_header(value: str) -> str:
    """Make a text fit for a header: encoded words decoded, any white space made one space, controls taken out.

    Decodes until nothing is left to decode, because the next program might do the same.
    """
    for _ in range(5):
        decoded = _ENCODED_WORD.sub(_decode_word, _BETWEEN_ENCODED_WORDS.sub(r"\1", value))
        if decoded == value:
            break
        value = decoded
    value = _UNWANTED.sub("", value)
    return " ".join(unicodedata.normalize("NFC", value).split())


@lru_cache(maxsize=4096)
def address(value: str) -> str:
    """Check an address and give it as it is written in a mail, an international domain in its ASCII form.

    Raises ValueError when it is no plain `local@domain` that any server takes.
    """
    local, _, domain = value.strip().rpartition("@")
    try:
        domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        domain = ""
    if len(local) > 64 or len(domain) > 253 or not _LOCAL_PART.fullmatch(local) or not _DOMAIN.fullmatch(domain):
        raise ValueError(
            say("{value!r} is not an address that mail can be sent to (local@domain, ASCII before the @)", value=value)
        )
    return f"{local}@{domain}"


def _headers(mail: OutgoingMail) -> list[tuple[str, str]]:
    if mail.date.tzinfo is None:
        raise ValueError(f"naive time: date={mail.date!r}")
    if not _OWN_MESSAGE_ID.fullmatch(mail.message_id):
        raise ValueError(f"{mail.message_id!r} is not a Message-ID")
    headers = [
        ("From", _mailbox("From", mail.sender_name, mail.sender_address)),
        ("To", address(mail.recipient)),
    ]
    if mail.reply_to:
        headers.append(("Reply-To", _mailbox("Reply-To", mail.sender_name, mail.reply_to)))
    headers += [
        ("Subject", _subject(mail.subject)),
        ("Date", format_datetime(mail.date)),
        ("Message-ID", mail.message_id),
    ]
    if answered := _message_ids([mail.in_reply_to or ""]):
        headers.append(("In-Reply-To", answered[0]))
    if thread := _message_ids(mail.references):
        # The root and the newest are what mail programs need to thread; some break on very long headers.
        headers.append(("References", "\r\n ".join(thread if len(thread) <= 20 else thread[:1] + thread[-19:])))
    headers += [("Auto-Submitted", mail.auto_submitted), ("X-Auto-Response-Suppress", "All")]
    if mail.loop_mark:
        headers.append(("X-Mailgm-Loop", re.sub("[^!-~]", "", mail.loop_mark)))
    return [*headers, ("MIME-Version", "1.0")]


def _message_ids(values: Iterable[str]) -> list[str]:
    return [found for value in values for found in _MESSAGE_ID.findall(value)]


@lru_cache(maxsize=4096)
def _mailbox(header: str, name: str, where: str) -> str:
    """`name <address>`; the address is never folded nor encoded."""
    name = clean_header(name)
    if not name:
        return address(where)
    if _ATOM_PHRASE.fullmatch(name) and "=?" not in name and len(name) <= 200:
        phrase = name
    elif name.isascii() and "=?" not in name and len(name) <= 200:
        phrase = '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'
    else:
        phrase = _encoded(name, len(header) + 2)
    written = address(where)
    last_line = phrase.rpartition("\n")[2]
    gap = " " if len(last_line) + len(written) < 74 - len(header) else "\r\n "
    return f"{phrase}{gap}<{written}>"


@lru_cache(maxsize=1024)
def _subject(subject: str) -> str:
    """Encode what must be; tokens `[#...]` stay whole and readable, plain subjects stay on one line."""
    subject = clean_header(subject)
    if subject.isascii() and "=?" not in subject and len(subject) <= 900:
        return subject
    pieces = [piece.strip() for piece in _TOKEN.split(subject)]
    written = [p if _TOKEN.fullmatch(p) else _encoded(p, len("Subject: ")) for p in pieces if p]
    # Each piece begins a line of its own: the line end counts as the one space between them.
    return "\r\n ".join(written)


@lru_cache(maxsize=1024)
def _encoded(value: str, first_line_used: int) -> str:
    """Write a text as encoded words, folded; first_line_used: what stands before it on its line (RFC 2047 §2)."""
    return Header(value, _UTF8, maxlinelen=75, header_name="x" * (first_line_used - 2)).encode(linesep="\r\n")


def _decode_word(match: re.Match[str]) -> str:
    charset, encoding, data = match.groups()
    try:
        if encoding in "bB":
            raw = binascii.a2b_base64(data.encode("ascii", "replace") + b"===")
        else:
            raw = header_decode(data).encode("latin-1", "replace")
    except binascii.Error:
        return data
    try:
        return raw.decode(charset, "replace")
    except (LookupError, UnicodeError, ValueError):
        return raw.decode("utf-8", "replace")


def _part(subtype: str, text: str) -> bytes:
    text = _UNWANTED_IN_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if not text.endswith("\n"):
        text += "\n"
    body = binascii.b2a_qp(text.encode("utf-8"), quotetabs=False, istext=True).replace(b"\n", b"\r\n")
    headers = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    return headers.encode() + body


def _check(block: bytes, names: list[str]) -> None:
    """The last look before a mail leaves: exactly the headers that were meant, no line that a server would refuse."""
    lines = block.decode("ascii").split("\r\n")[:-1]
    found = [line.partition(":")[0] for line in lines if not line.startswith(" ")]
    # Each of the line ends counted here is one that was split at: no line holds another.
    stray = b"\0" in block or not block.count(b"\r") == block.count(b"\n") == len(lines)
    if stray or found != names or max(map(len, lines)) > MAX_LINE or not all(map(str.strip, lines)):
        raise ValueError(f"a header breaks the mail: wrote {names}, came out as {found}")
