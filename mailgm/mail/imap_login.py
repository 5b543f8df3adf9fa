"""Getting into an IMAP mailbox: settings, connection, login."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from imapclient.exceptions import IMAPClientAbortError, LoginError

from mailgm.engine.said import say
from mailgm.mail.imap_connection import ImapConnection
from mailgm.mail.inbox import MAX_LETTER_BYTES, InboxError
from mailgm.mail.oauth import AccessTokens, TokenError, first_response, last_response, mechanism
from mailgm.mail.tls import Security, client_context

# What a server says when something fails for now: RFC 5530, and Gmail and Exchange in words.
_LATER = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]", "[OVERQUOTA]", "too many", "try again")

_CHECK_PASSWORD = say("Check user and password (many providers want an app password)")
_CHECK_TOKEN = say(
    "The access token is a fresh one: check that the user is the mailbox for which `mailgm login` was run, and that the"
    " provider allows IMAP for it"
)


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """Where a mailbox is and how to get in.

    security:   `tls`, `starttls`, or `none` (plain text; only for a server on this machine).
    tokens:     gives OAuth2 access tokens, one a connection; None: `password` is used.
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
    tokens: AccessTokens | None = field(default=None, repr=False)
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
            raise InboxError(say("{name}: {error}", name=name, error=error), temporary=False) from error
    client = ImapConnection(s.host, s.port, tls=s.security == "tls", context=context, timeout=s.timeout)
    try:
        if s.security == "starttls":
            if not client.has_capability("STARTTLS"):
                raise InboxError(
                    say(
                        "{name}: the server at port {port} does not offer STARTTLS; nothing was sent. Set"
                        ' security = "tls" and its port (mostly 993)',
                        name=name,
                        port=s.port,
                    ),
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
        if s.tokens is not None:
            _log_in_with_token(client, s.user, s.tokens, name)
        elif client.has_capability("AUTH=PLAIN"):
            client.plain_login(s.user, s.password)  # unlike LOGIN, takes any character
        elif (s.user + s.password).isascii() and (s.user + s.password).isprintable():
            client.login(s.user, s.password)
        else:
            raise InboxError(
                say(
                    "{name}: the server takes only ASCII names and passwords (it has no AUTH=PLAIN): choose"
                    " another password",
                    name=name,
                ),
                temporary=False,
            )
    except IMAPClientAbortError:
        raise
    except LoginError as error:
        later = passes_by_itself(error)
        check = _CHECK_PASSWORD if s.tokens is None else _CHECK_TOKEN
        advice = say("Trying again later") if later else check
        raise InboxError(
            say("{name}: the server refuses the login ({error}). {advice}", name=name, error=error, advice=advice),
            temporary=later,
        ) from error


def _log_in_with_token(client: ImapConnection, user: str, tokens: AccessTokens, name: str) -> None:
    """Log in with an access token; one that is refused, whatever its hour, is replaced once. Raises as `log_in`."""
    how = mechanism(lambda word: bool(client.has_capability(f"AUTH={word}")))
    if how is None:
        raise InboxError(
            say(
                "{name}: the server takes no OAuth2 tokens (it has neither XOAUTH2 nor OAUTHBEARER): set a"
                ' password, or [oauth] provider = "none"',
                name=name,
            ),
            temporary=False,
        )
    for last in (False, True):
        try:
            token = tokens.get()
        except TokenError as error:
            raise InboxError(say("{name}: {error}", name=name, error=error), temporary=error.temporary) from error
        said: list[bytes] = [first_response(how, user, token)]
        try:
            # Asked a second time, the server has told why it refuses, and waits for a word before it ends the login.
            client.sasl_login(how, lambda _, said=said: said.pop() if said else last_response(how))
            return
        except LoginError as error:
            if last or passes_by_itself(error):
                raise
            tokens.refused(token)


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
