"""Getting into an IMAP mailbox: settings, connection, login."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from imapclient.exceptions import IMAPClientAbortError, LoginError

from mailgm.mail.imap_connection import ImapConnection
from mailgm.mail.inbox import MAX_LETTER_BYTES, InboxError
from mailgm.mail.tls import Security, client_context

# What a server says when something fails for now: RFC 5530, and Gmail and Exchange in words.
_LATER = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]", "[OVERQUOTA]", "too many", "try again")


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """Where a mailbox is and how to get in.

    security:   `tls`, `starttls`, or `none` (plain text; only for a server on this machine).
    token:      gives an OAuth2 access token when called, once a connection (XOAUTH2); None: `password` is used.
    ca_file:    PEM file of authorities to trust instead of the system's; verify: check the server's certificate.
    processed_folder: where handled mail goes; made if missing, within the personal namespace; levels split by `/`.
    timeout:    seconds for connecting and for each answer.
    max_bytes:  size limit of a whole message.
    idle:       use IDLE where the server has it.
    """

    host: str
    user: str
    password: str = field(default="", repr=False)
    port: int = 993
    security: Security = "tls"
    token: Callable[[], str] | None = field(default=None, repr=False)
    ca_file: Path | None = None
    verify: bool = True
    folder: str = "INBOX"
    processed_folder: str = "mailgm-processed"
    timeout: float = 60.0
    max_bytes: int = MAX_LETTER_BYTES
    idle: bool = True


def connect(settings: ImapSettings, name: str) -> ImapConnection:
    """Connect, with encryption where it is asked for. name: of the box, for the errors. Raises InboxError, OSError."""
    s = settings
    context = None
    if s.security != "none":
        try:
            context = client_context(s.ca_file, s.verify)
        except OSError as error:
            raise InboxError(f"{name}: {error}", temporary=False) from error
    client = ImapConnection(s.host, s.port, tls=s.security == "tls", context=context, timeout=s.timeout)
    try:
        if s.security == "starttls":
            if not client.has_capability("STARTTLS"):
                raise InboxError(
                    f"{name}: the server at port {s.port} does not offer STARTTLS; nothing was sent."
                    ' Set security = "tls" and its port (mostly 993)',
                    temporary=False,
                )
            client.starttls(context)
    except BaseException:
        client.cut()
        raise
    return client


def log_in(client: ImapConnection, settings: ImapSettings, name: str) -> None:
    """Log in with a token or a password; no error holds either. Raises InboxError, imaplib's abort, OSError."""
    s = settings
    try:
        if s.token is not None:
            client.oauth2_login(s.user, s.token())
        elif client.has_capability("AUTH=PLAIN"):
            client.plain_login(s.user, s.password)  # unlike LOGIN, takes any character
        elif (s.user + s.password).isascii() and (s.user + s.password).isprintable():
            client.login(s.user, s.password)
        else:
            raise InboxError(
                f"{name}: the server takes only ASCII names and passwords (it has no AUTH=PLAIN):"
                " choose another password",
                temporary=False,
            )
    except IMAPClientAbortError:
        raise
    except LoginError as error:
        later = passes_by_itself(error)
        advice = "Trying again later" if later else "Check user and password (many providers want an app password)"
        raise InboxError(f"{name}: the server refuses the login ({error}). {advice}", temporary=later) from error


def personal_folder(client: ImapConnection, folder: str) -> str:
    """Write a folder's name the server's way: personal prefix ("INBOX." on some) and separator."""
    prefix, delimiter = "", "/"
    if client.has_capability("NAMESPACE"):
        personal = client.namespace().personal
        if personal:
            prefix, delimiter = personal[0]
    name = folder.replace("/", delimiter or "/")
    return name if name.startswith(prefix) else prefix + name


def passes_by_itself(error: Exception) -> bool:
    """Whether a server's refusal says that it is only for now."""
    return any(word.lower() in str(error).lower() for word in _LATER)
