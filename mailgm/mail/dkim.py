"""DKIM (RFC 6376): signs a mail, so that others can tell that it is ours; by dkimpy.

For those who run their own mail server: providers sign what goes out through them.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from mailgm.engine.said import say

SIGNED = (
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
    "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
)  # fmt: skip
"""The headers that are signed, each once more than it stands there: another one that is added on the way, and which
some programs would show instead, breaks the signature."""

LEAST_BITS = 1024
"""RFC 8301 §3.2: who verifies takes no shorter key."""

_DOMAIN = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+", re.IGNORECASE)
_SELECTOR = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)


class DkimError(ValueError):
    """A signature that cannot be made; the text says why, and never holds the key."""


class Signer:
    """Signs as one domain: rsa-sha256, relaxed/relaxed. The same mail gets the same signature, byte for byte."""

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        """key: RSA, PEM (PKCS#1 or PKCS#8). Raises DkimError when one of them cannot be used."""
        if not _DOMAIN.fullmatch(domain):
            raise DkimError(say("{domain!r} is not a domain", domain=domain))
        if not _SELECTOR.fullmatch(selector):
            raise DkimError(say("{selector!r} is not a selector", selector=selector))
        if b"ENCRYPTED" in key:
            raise DkimError(say("the key is protected by a password; mailgm needs it without"))
        try:
            from dkim import crypto
        except ImportError:
            raise DkimError(say('signing needs dkimpy: pip install "mailgm[dkim]"')) from None
        try:
            bits = int(crypto.parse_pem_private_key(key)["modulus"]).bit_length()
        except Exception:  # noqa: BLE001 - dkimpy raises whatever its parser stumbles over
            raise DkimError(say("it holds no private RSA key in PEM form")) from None
        if bits < LEAST_BITS:
            raise DkimError(say("its key has {bits} bits, at least {least} are wanted", bits=bits, least=LEAST_BITS))
        self.domain, self.selector = domain.lower(), selector
        self._key = key

    def sign(self, message: bytes, date: datetime) -> bytes:
        """The mail with its signature above it.

        message: CRLF lines. date: of the mail, aware; it stands in the signature in place of the hour of signing, so
        that a mail that is written again is the same mail.
        """
        header: bytes = _dated(message, date).sign(
            self.selector.encode(),
            self.domain.encode(),
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[name.encode() for name in SIGNED * 2],
        )
        return header + message


def _dated(message: bytes, date: datetime) -> Any:
    """dkimpy's signer of one mail, which else takes the hour from the clock."""
    from dkim import DKIM

    class Dated(DKIM):  # type: ignore[misc]
        def gen_header(self, fields: list[tuple[bytes, bytes]], *rest: Any, **others: Any) -> bytes:
            stamp = str(int(date.timestamp())).encode()
            fields = [(tag, stamp if tag == b"t" else value) for tag, value in fields]
            header: bytes = super().gen_header(fields, *rest, **others)
            return header

    return Dated(message, signature_algorithm=b"rsa-sha256")
