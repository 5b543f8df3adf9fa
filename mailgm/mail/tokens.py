"""Secret reply tokens, and the marks that tell the service's own mail."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from functools import lru_cache

ALPHABET = "123456789abcdefghjkmnpqrstuvwxyz"
"""32 characters, without i, l, o and 0, for tokens that are read out or typed."""

TOKEN_LENGTH = 21
"""Characters of a token: 105 bits."""

_TOKEN_SHAPE = rf"[{ALPHABET}]{{{TOKEN_LENGTH}}}"
_SUBJECT_TOKEN = re.compile(r"\[\s*#\s*([0-9a-z](?:[\s.]*[0-9a-z])*)\s*\]", re.IGNORECASE)
_SHAPED_SUBJECT_TOKEN = re.compile(rf"\[\s*#(?:\s*[{ALPHABET}]){{{TOKEN_LENGTH}}}\s*\]", re.IGNORECASE)
_ANY_PLUS_TOKEN = re.compile(rf"(?:\+|%2B)(?:[\w-]+\.)*{_TOKEN_SHAPE}(?:\.[\w-]+)*(?=@|%40)", re.IGNORECASE)
# A word that can only be a token: at its length, with letters and digits mixed.
_BARE_TOKEN = re.compile(rf"(?<![0-9a-z])(?=[0-9a-z]*[0-9])(?=[0-9a-z]*[a-z]){_TOKEN_SHAPE}(?![0-9a-z])", re.IGNORECASE)


def new_token() -> str:
    """Draw a token of over 100 random bits; it always mixes letters and digits, so that it can be told from a word."""
    while True:
        token = "".join(secrets.choice(ALPHABET) for _ in range(TOKEN_LENGTH))
        if not token.isalpha() and not token.isdigit():
            return token


def plus_address(base: str, *parts: str) -> str:
    """Write `jeu@host` and `abc` as `jeu+abc@host`; several parts are joined by dots.

    Raises ValueError when the base is no address, a part is not made of letters, digits, `-` and `_`, or the result
    is longer than a mail server takes before the @ (64, RFC 5321 §4.5.3.1.1).
    """
    local, at, domain = base.rpartition("@")
    detail = ".".join(parts)
    if not (local and at and domain):
        raise ValueError(f"{base!r} is not an address")
    if not parts or not all(re.fullmatch(r"[A-Za-z0-9_-]+", part) for part in parts):
        raise ValueError(f"cannot write {parts!r} after the + of an address")
    if len(local) + 1 + len(detail) > 64:
        raise ValueError(f"{local}+{detail} is longer than the 64 characters that may stand before the @")
    return f"{local}+{detail}@{domain}"


def find_tokens(recipients: Iterable[str], subject: str, base: str) -> list[str]:
    """Give what stands after the + of the recipients and in `[#...]` of the subject, lower case, without doubles.

    recipients: values of Delivered-To, X-Original-To, To, Cc: each an address or a whole header value.
    base:       the service's own address; only its plus-addresses count, at whatever host: servers rewrite the host,
                and the token is what is secret.
    """
    local = re.escape(base.rpartition("@")[0])
    plus = re.compile(rf"(?<![^\s<>,;:\"'(]){local}\+([a-z0-9_.-]+)@", re.IGNORECASE)
    found = [match for value in recipients for match in plus.findall(value)]
    found += [re.sub(r"\s", "", match) for match in _SUBJECT_TOKEN.findall(subject)]
    return list(dict.fromkeys(token.lower() for token in found))


def subject_with_token(subject: str, token: str) -> str:
    """Put `[#token]` at the end of a subject, in place of one that is there."""
    return f"{_SHAPED_SUBJECT_TOKEN.sub('', subject).rstrip()} [#{token}]".lstrip()


def strip_token(text: str) -> str:
    """Take every token out of a text that is passed on to others: in subjects, in plus-addresses, alone."""
    text = _SHAPED_SUBJECT_TOKEN.sub("", text)
    text = _ANY_PLUS_TOKEN.sub("", text)
    return _BARE_TOKEN.sub("", text)


@lru_cache(maxsize=256)
def loop_mark(secret: bytes, game: str) -> str:
    """The value of X-Mailgm-Loop in a game's mail; nobody can write it who does not know the secret."""
    return hmac.new(secret, b"loop\0" + game.encode(), hashlib.sha256).hexdigest()[:32]


@lru_cache(maxsize=4096)
def message_id(domain: str, *parts: str | int) -> str:
    """Make a Message-ID from what the mail is: the same parts give the same one, and it shows nothing of them.

    It is only as hard to guess as its parts: put a secret among them where an In-Reply-To is to prove something.
    """
    digest = hashlib.sha256(repr(tuple(str(part) for part in parts)).encode()).digest()
    return f"<{base64.b32encode(digest[:20]).decode().lower()}@{domain}>"
