"""Encryption of connections to mail servers, the same for IMAP and SMTP."""

from __future__ import annotations

import ipaddress
import ssl
from pathlib import Path
from typing import Literal

Security = Literal["tls", "starttls", "none"]
"""`tls` from the first byte, `starttls` before the login, or `none`: plain text, on the machine itself only."""


def client_context(ca_file: Path | None, verify: bool) -> ssl.SSLContext:
    """Make the TLS settings of a client.

    ca_file: PEM file of the authorities to trust; None: those of the system.
    verify:  check the server's certificate and name.
    Raises OSError, which names the file, when it cannot be read or holds no certificate.
    """
    try:
        context = ssl.create_default_context(cafile=str(ca_file) if ca_file else None)
    except OSError as error:
        raise OSError(f"cannot use the CA file {ca_file}: {error}") from error
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def is_loopback(host: str) -> bool:
    """Tell whether a host name or address can only be this machine."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def certificate_fault(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """Give the refused certificate behind an error, wherever it stands in the chain of causes."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return error
        error = error.__cause__ or error.__context__
    return None
