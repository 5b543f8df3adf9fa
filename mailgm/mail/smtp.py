"""Mail handed to an SMTP server, over a few connections that are used again and again, with aiosmtplib."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import re
import ssl
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import aiosmtplib

from mailgm.engine.said import say
from mailgm.mail.oauth import AccessTokens, TokenError, first_response, last_response, mechanism
from mailgm.mail.tls import Security, certificate_fault, client_context, is_loopback

log = logging.getLogger(__name__)

# A server that refuses to relay, or wants a login first, speaks of us and not of the recipient.
_RELAY_DENIED = re.compile(
    r"relay(ing)?( access)? (is )?(denied|not permitted|not allowed|prohibited)"
    r"|(unable|not permitted|not allowed) to relay"
    r"|authentication (is )?required|not authenticated|must authenticate|not logged in",
    re.IGNORECASE,
)

# RFC 4954 §6: a login is wanted, or has become invalid.
_NOT_LOGGED_IN = (530, 535)

_ADDRESS = re.compile(r"""[^\s@<>()\[\],;:\\"]+@[^\s@<>()\[\],;:\\"]+""")


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """Where mail is handed over.

    security:    `tls`, `starttls`, or `none` (plain text; only to a server on this machine).
    user:        None: no login. tokens: gives OAuth2 access tokens instead of the password, one a connection.
    connections: how many at once, at most.
    per_minute:  how many mails in any 60 seconds, at most; None: as fast as it goes.
    timeout:     seconds for connecting and for each answer.
    local_hostname: name given in EHLO; None: the machine's.
    """

    host: str
    port: int = 465
    security: Security = "tls"
    user: str | None = None
    password: str = field(default="", repr=False)
    tokens: AccessTokens | None = field(default=None, repr=False)
    ca_file: Path | None = None
    verify: bool = True
    connections: int = 2
    per_minute: int | None = None
    timeout: float = 60.0
    local_hostname: str | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """One mail for one recipient.

    key:     the caller's name of it, given back in the Delivery.
    sender:  envelope sender, where bounces go (may hold a VERP part); "" for the null sender.
    message: the whole mail, CRLF lines, as `compose` makes it; sent as it is.
    """

    key: str
    sender: str
    recipient: str
    message: bytes


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one mail.

    status: `sent`: the server took it. `temporary`: try again later. `permanent`: never will it go to this recipient.
    code:   the server's answer (RFC 5321 §4.2); None when there was none (network, TLS, or refused before sending).
    text:   what the server or the network said; holds no secret.
    config_problem: a login or a sender that is refused, a certificate: temporary, but somebody has to put it right.
    """

    key: str
    status: Literal["sent", "temporary", "permanent"]
    code: int | None
    text: str
    config_problem: bool = False


class SmtpSender:
    """A pool of SMTP connections; all methods belong to one event loop.

    Nothing that a server or the network does raises: it is told in the Delivery. A connection opens when it is needed,
    and once again when the server has dropped it between two mails.
    """

    def __init__(self, settings: SmtpSettings) -> None:
        if settings.security == "none" and not is_loopback(settings.host):
            raise ValueError(
                f"SMTP without encryption is only for a server on this machine, not for {settings.host}:"
                ' set security = "tls" or "starttls"'
            )
        if settings.connections < 1:
            raise ValueError(f"SMTP needs at least one connection, not {settings.connections}")
        if settings.per_minute is not None and settings.per_minute < 1:
            raise ValueError(f"the rate limit is at least one mail a minute, not {settings.per_minute}")
        self.settings = settings
        self._idle: list[aiosmtplib.SMTP] = []
        self._room = asyncio.Semaphore(settings.connections)
        self._pace = _Pace(settings.per_minute) if settings.per_minute else None
        self._tls: ssl.SSLContext | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def send_many(
        self, envelopes: Iterable[Envelope] | AsyncIterable[Envelope]
    ) -> AsyncIterator[tuple[Envelope, Delivery]]:
        """Send all that comes, over all connections at once; gives each result as soon as it is known.

        The source is only asked for the next envelope when a connection is free. What is under way when the caller
        stops listening may have been sent or not.
        """
        source = _as_async(envelopes)
        taking = asyncio.Lock()
        results: asyncio.Queue[tuple[Envelope, Delivery] | None] = asyncio.Queue()

        async def work() -> None:
            try:
                while True:
                    async with taking:
                        envelope = await anext(source, None)
                    if envelope is None:
                        return
                    results.put_nowait((envelope, await self.send(envelope)))
            finally:
                results.put_nowait(None)

        workers = [asyncio.create_task(work()) for _ in range(self.settings.connections)]
        try:
            running = len(workers)
            while running:
                result = await results.get()
                if result is None:
                    running -= 1
                else:
                    yield result
            await asyncio.gather(*workers)  # the source's own error, if it had one
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def send(self, envelope: Envelope) -> Delivery:
        """Hand one mail over, as soon as a connection is free and the rate limit allows it."""
        if refusal := _unsendable(envelope):
            return refusal
        async with self._room:
            if self._pace is not None:
                await self._pace.turn()
            reused = bool(self._idle)
            client = self._idle.pop() if reused else self._new_client()
            delivery, dropped = await self._attempt(client, envelope)
            if dropped and reused:
                delivery, _ = await self._attempt(self._new_client(), envelope)
            return delivery

    async def check(self) -> Delivery:
        """Connect and log in, without sending: `sent` when a mail could be handed over now."""
        async with self._room:
            client = self._new_client()
            try:
                await self._connect(client)
            except (aiosmtplib.SMTPException, OSError, ValueError, TokenError) as error:
                client.close()
                return self._verdict("", error)
            self._idle.append(client)
            return Delivery("", "sent", 250, f"{self.settings.host}:{self.settings.port} is ready")

    async def close(self) -> None:
        """Take leave of the server on all connections that are not at work; sending opens new ones."""
        idle, self._idle = self._idle, []
        for client in idle:
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):
                await client.quit(timeout=5)
            client.close()

    # One mail

    async def _attempt(self, client: aiosmtplib.SMTP, envelope: Envelope) -> tuple[Delivery, bool]:
        """Try once; also whether the connection was dropped before the mail itself went out."""
        body_sent = False
        try:
            if not client.is_connected:
                await self._connect(client)
            if too_large := _over_size(client, envelope):
                self._idle.append(client)
                return too_large, False
            options = [f"size={len(envelope.message)}"] if client.supports_extension("size") else []
            await client.mail(envelope.sender, options=options)
            await client.rcpt(envelope.recipient)
            body_sent = True
            answer = await client.data(envelope.message)
            delivery = Delivery(envelope.key, "sent", answer.code, _plain(answer.message))
        except (aiosmtplib.SMTPException, OSError, ValueError, TokenError) as error:
            delivery = self._verdict(envelope.key, error)
            gone = isinstance(error, aiosmtplib.SMTPServerDisconnected) or delivery.code == 421
            if self.settings.tokens is not None and delivery.code in _NOT_LOGGED_IN:
                gone = True  # the token ran out within the session
                client.close()
            await self._reset(client, delivery)
            return delivery, gone and not body_sent
        except BaseException:
            client.close()  # cancelled in the middle: the server's next answer belongs to this mail
            raise
        self._idle.append(client)
        return delivery, False

    async def _reset(self, client: aiosmtplib.SMTP, delivery: Delivery) -> None:
        """After a refusal, clear the envelope and keep the connection; drop it if it is of no more use."""
        if client.is_connected and delivery.code not in (None, 421, -1):
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):
                await client.rset()
                self._idle.append(client)
                return
        client.close()

    def _new_client(self) -> aiosmtplib.SMTP:
        s = self.settings
        return aiosmtplib.SMTP(
            hostname=s.host,
            port=s.port,
            timeout=s.timeout,
            use_tls=s.security == "tls",
            start_tls=s.security == "starttls",
            username=None if s.tokens else s.user,
            password=None if s.tokens or s.user is None else s.password,
            local_hostname=s.local_hostname,
        )

    async def _connect(self, client: aiosmtplib.SMTP) -> None:
        if self.settings.security != "none":
            if self._tls is None:
                self._tls = client_context(self.settings.ca_file, self.settings.verify)
            client.tls_context = self._tls
        await client.connect()
        if client.is_ehlo_or_helo_needed:
            try:
                await client.ehlo()
            except aiosmtplib.SMTPHeloError:
                await client.helo()
        if self.settings.tokens is not None:
            await self._log_in_with_token(client, self.settings.tokens)

    async def _log_in_with_token(self, client: aiosmtplib.SMTP, tokens: AccessTokens) -> None:
        """Log in with an access token; one that is refused, whatever its hour, is replaced once.

        Raises TokenError and aiosmtplib's errors.
        """
        how = mechanism(lambda word: word.lower() in client.server_auth_methods)
        if how is None:
            raise aiosmtplib.SMTPNotSupported(
                "the server takes no OAuth2 tokens (it has neither XOAUTH2 nor OAUTHBEARER):"
                ' set a password, or [oauth] provider = "none"'
            )
        for last in (False, True):
            token = await tokens.get_async()
            response = base64.b64encode(first_response(how, self.settings.user or "", token))
            answer = await client.execute_command(b"AUTH", how.encode(), response)
            if answer.code == 334:  # the server has told why it refuses, and waits for a word
                answer = await client.execute_command(base64.b64encode(last_response(how)))
            if answer.code == 235:
                return
            if last or not 500 <= answer.code < 600:
                raise aiosmtplib.SMTPAuthenticationError(answer.code, answer.message)
            tokens.refused(token)

    def _verdict(self, key: str, error: Exception) -> Delivery:
        """Tell what an error means for the mail; doubt is temporary."""
        where = f"{self.settings.host}:{self.settings.port}"
        if isinstance(error, TokenError):
            told = say("{where}: {error}", where=where, error=error)
            return Delivery(key, "temporary", None, told, not error.temporary)
        if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
            error = error.recipients[0]
        if isinstance(error, aiosmtplib.SMTPResponseException):
            code, text = error.code, _plain(error.message)
            if not 500 <= code < 600:
                return Delivery(key, "temporary", code, text)
            if _is_config_problem(error):
                text = say("{where} refuses to take mail from us: {text}", where=where, text=text)
                return Delivery(key, "temporary", code, text, True)
            return Delivery(key, "permanent", code, text)
        if refused := certificate_fault(error):
            text = say(
                "{where}: the server's certificate is refused ({why}). Set ca_file or the host",
                where=where,
                why=refused.verify_message,
            )
            return Delivery(key, "temporary", None, text, True)
        # What is left if it is not the network: no login method in common, no STARTTLS, an unreadable CA file.
        network = isinstance(error, (ConnectionError, TimeoutError, ssl.SSLError))
        return Delivery(key, "temporary", None, f"{where}: {error or type(error).__name__}", not network)


def _is_config_problem(error: aiosmtplib.SMTPResponseException) -> bool:
    if isinstance(error, aiosmtplib.SMTPRecipientRefused):
        return error.code in (530, 535) or bool(_RELAY_DENIED.search(error.message))
    if isinstance(error, aiosmtplib.SMTPSenderRefused):
        return error.code != 552  # too large for the server: that is the mail's own fault
    return not isinstance(error, aiosmtplib.SMTPDataError)


def _plain(text: str) -> str:
    """Make a server's words fit to be stored and shown: one line, no bytes that are no text, not too long."""
    text = text.encode("utf-8", "replace").decode()
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:500]


def _unsendable(envelope: Envelope) -> Delivery | None:
    for what, address in (("sender", envelope.sender), ("recipient", envelope.recipient)):
        usable = address.isascii() and address.isprintable() and _ADDRESS.fullmatch(address)
        if not usable and (address or what == "recipient"):
            return Delivery(envelope.key, "permanent", None, f"{what} {address!r} is no address that can be sent to")
    return None


def _over_size(client: aiosmtplib.SMTP, envelope: Envelope) -> Delivery | None:
    """RFC 1870: what the server says that it does not take need not be sent."""
    limit = client.esmtp_extensions.get("size", "").strip()
    if limit.isdigit() and 0 < int(limit) < len(envelope.message):
        size = len(envelope.message)
        text = say("the mail has {size} bytes, the server takes {limit} at most", size=size, limit=limit)
        return Delivery(envelope.key, "permanent", 552, text)
    return None


class _Pace:
    """At most so many turns in any 60 seconds."""

    def __init__(self, per_minute: int) -> None:
        self._taken: deque[float] = deque(maxlen=per_minute)
        self._lock = asyncio.Lock()

    async def turn(self) -> None:
        async with self._lock:
            loop = asyncio.get_running_loop()
            if len(self._taken) == self._taken.maxlen:
                await asyncio.sleep(max(0.0, self._taken[0] + 60 - loop.time()))
            self._taken.append(loop.time())


async def _as_async(envelopes: Iterable[Envelope] | AsyncIterable[Envelope]) -> AsyncIterator[Envelope]:
    if isinstance(envelopes, AsyncIterable):
        async for envelope in envelopes:
            yield envelope
    else:
        for envelope in envelopes:
            yield envelope
