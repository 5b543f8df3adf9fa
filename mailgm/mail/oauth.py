"""OAuth2 access tokens in place of passwords, for Gmail, Microsoft and whoever else issues them.

The protocol is oauthlib's (requests, answers, error codes); what is here is where the tokens are kept, when they are
renewed, and what a refusal means. Giving the permission in the first place is in `oauth_login`.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import http.client
import json
import logging
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from mailgm.engine.said import say
from mailgm.mail.tls import is_loopback
from mailgm.secrets import Secret, warn_if_open

log = logging.getLogger(__name__)

Mechanism = Literal["XOAUTH2", "OAUTHBEARER"]

MARGIN_SECONDS = 300.0
"""A token is renewed so long before it ends; one that lives shorter than 25 minutes, in its last fifth."""

UNTOLD_LIFETIME = 3600
"""Seconds that a token counts as valid whose server does not say how long it is (RFC 6749 §5.1 lets it)."""

HTTP_SECONDS = 30.0
MAX_ANSWER_BYTES = 1_000_000

LOGIN = say("run `mailgm login`")

# RFC 6749 §5.2 and §4.1.2.1; the last is Google's.
_OURS = ("invalid_client", "unauthorized_client", "deleted_client", "disabled_client", "org_internal")
_PASSING = ("temporarily_unavailable", "server_error", "internal_failure")


class TokenError(Exception):
    """No access token is to be had.

    temporary: True for what may pass by itself (network, a busy server), False for what somebody has to put right.
    The text says what is wrong and what to do, and holds no token and no secret. code: RFC 6749's, or "".
    """

    def __init__(self, text: str, *, temporary: bool, code: str = "") -> None:
        super().__init__(text)
        self.temporary = temporary
        self.code = code


class AccessTokens(Protocol):
    """Gives access tokens to whoever logs in, from any thread. Both ways of asking raise TokenError."""

    def get(self) -> str:
        """A token that is valid now; may go over the network."""

    async def get_async(self) -> str:
        """The same, for an event loop."""

    def refused(self, token: str) -> None:
        """A mail server did not take that token: another one is given from now on."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Where permissions and tokens of one provider come from; every URL is https, or on this machine.

    device_url:    for a code that is typed in on another device (RFC 8628); "" where that is not offered for mail.
    authorize_url: the page that asks for the permission (RFC 6749 §4.1), with `parameters` besides the usual ones.
    scope:         what is asked for: reading and sending mail, and a refresh token.
    """

    token_url: str
    scope: str
    device_url: str = ""
    authorize_url: str = ""
    parameters: tuple[tuple[str, str], ...] = ()


def google() -> Provider:
    """Gmail and Google Workspace; their codes for other devices are not for mail."""
    return Provider(
        token_url="https://oauth2.googleapis.com/token",
        scope="https://mail.google.com/",
        authorize_url="https://accounts.google.com/o/oauth2/v2/auth",
        # Without them a second login brings no refresh token.
        parameters=(("access_type", "offline"), ("prompt", "consent")),
    )


def microsoft(tenant: str) -> Provider:
    """Outlook.com and Microsoft 365; tenant: of an organisation, or common, consumers, organizations."""
    base = f"https://login.microsoftonline.com/{tenant}/oauth2/v2.0"
    return Provider(
        token_url=f"{base}/token",
        scope="https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
        device_url=f"{base}/devicecode",
        authorize_url=f"{base}/authorize",
    )


@dataclass(frozen=True, slots=True)
class App:
    """mailgm as it is registered with a provider; many give no secret to a program that people run themselves."""

    provider: Provider
    client_id: str
    client_secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Token:
    """An access token, and what renews it. renew_at, expires_at: seconds since 1970."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)
    renew_at: float
    expires_at: float


class TokenFile:
    """Where a token is kept, for its owner alone (mode 600); written anew as a whole. Raises TokenError."""

    def __init__(self, path: Path, client_id: str) -> None:
        self.path = path
        self._client_id = client_id

    def read(self) -> Token:
        """The token that was kept last."""
        try:
            kept = json.loads(self.path.read_text("utf-8"))
            token = Token(
                Secret(kept["access_token"]), Secret(kept["refresh_token"]), float(kept["renew_at"]),
                float(kept["expires_at"]),
            )  # fmt: skip
            client_id = kept["client_id"]
        except FileNotFoundError:
            raise TokenError(
                say("{path} does not exist: {login}", path=self.path, login=LOGIN), temporary=False
            ) from None
        except OSError as error:
            raise TokenError(
                say("{path} cannot be read: {error}", path=self.path, error=error.strerror), temporary=False
            ) from None
        except (ValueError, KeyError, TypeError):
            raise TokenError(
                say("{path} does not hold a token: {login}", path=self.path, login=LOGIN), temporary=False
            ) from None
        if client_id != self._client_id:
            text = say(
                "{path} belongs to another client_id than the one in [oauth]: {login}", path=self.path, login=LOGIN
            )
            raise TokenError(text, temporary=False)
        warn_if_open(self.path)
        return token

    def check(self) -> None:
        """Raise TokenError where the file could not be written."""
        if not os.access(self.path.parent, os.W_OK):
            raise TokenError(say("{path} cannot be written to", path=self.path.parent), temporary=False)

    def write(self, token: Token) -> None:
        """Keep a token: the file holds the old one or the new one, whatever happens meanwhile."""
        kept = {
            "client_id": self._client_id, "access_token": token.access, "refresh_token": token.refresh,
            "renew_at": token.renew_at, "expires_at": token.expires_at,
        }  # fmt: skip
        fresh = self.path.with_name(f".{self.path.name}.{os.getpid()}-{threading.get_ident()}")
        try:
            try:
                # Nobody else can read it from its first byte on.
                number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(number, "w", encoding="utf-8") as file:
                    json.dump(kept, file)
                    file.flush()
                    os.fsync(file.fileno())
                fresh.replace(self.path)
            finally:
                fresh.unlink(missing_ok=True)
        except OSError as error:
            raise TokenError(
                say("{path} cannot be written: {error}", path=self.path, error=error.strerror), temporary=False
            ) from None

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold back every other process that would renew the same token meanwhile."""
        try:
            folder = os.open(self.path.parent, os.O_RDONLY)
        except OSError as error:
            raise TokenError(
                say("{path} cannot be opened: {error}", path=self.path.parent, error=error.strerror),
                temporary=False,
            ) from None
        try:
            # Some network drives know no locks: then the file alone must do.
            with contextlib.suppress(OSError):
                fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


class Tokens:
    """The access tokens of one mailbox account, renewed in time; one for all who log in (see AccessTokens)."""

    def __init__(self, app: App, file: Path, now: Callable[[], float] = time.time) -> None:
        """file: where the token is kept, made by `mailgm login`. now: seconds since 1970."""
        self._app = app
        self._file = TokenFile(file, app.client_id)
        self._now = now
        self._lock = threading.Lock()
        self._token: Token | None = None
        self._refused = ""

    def get(self) -> str:
        """As AccessTokens says."""
        with self._lock:
            if not self._usable(self._token):
                with self._file.alone():
                    self._token = self._renewed()
            assert self._token is not None
            return self._token.access

    async def get_async(self) -> str:
        """As AccessTokens says."""
        return await asyncio.to_thread(self.get)

    def refused(self, token: str) -> None:
        """As AccessTokens says."""
        with self._lock:
            self._refused = token

    def _usable(self, token: Token | None) -> bool:
        return token is not None and token.access != self._refused and self._now() < token.renew_at

    def _renewed(self) -> Token:
        """The kept token where somebody else has renewed it meanwhile, else a new one."""
        kept = self._kept()
        if self._usable(kept):
            return kept
        try:
            fresh = request(self._app, refresh_body(self._app, kept.refresh), self._now(), kept.refresh)
        except TokenError as error:
            if error.temporary and kept.access != self._refused and self._now() < kept.expires_at:
                log.warning("the access token is used to its last minute: %s", error)
                return kept
            raise
        try:
            self._file.write(fresh)
        except TokenError as error:
            log.error("%s; the token is kept in memory only, and after a restart you may have to %s", error, LOGIN)
        return fresh

    def _kept(self) -> Token:
        try:
            return self._file.read()
        except TokenError:
            if self._token is None:
                raise
            return self._token  # the file went away under us


# Asking the provider --------------------------------------------------------------------------------------------------


def refresh_body(app: App, refresh_token: str) -> str:
    """The request for a new access token (RFC 6749 §6)."""
    client = oauthlib_client(app)
    body: str = client.prepare_refresh_body(refresh_token=refresh_token, **credentials(app))
    return body


def oauthlib_client(app: App) -> Any:
    """oauthlib's side of an app. Raises TokenError where it is not installed."""
    try:
        from oauthlib.oauth2 import WebApplicationClient
    except ImportError:
        raise TokenError(say('OAuth2 needs oauthlib: pip install "mailgm[oauth]"'), temporary=False) from None
    return WebApplicationClient(app.client_id)


def credentials(app: App) -> dict[str, str]:
    """Who asks, as parameters of a request (RFC 6749 §2.3.1)."""
    secret = {"client_secret": str(app.client_secret)} if app.client_secret else {}
    return {"client_id": app.client_id, **secret}


def request(app: App, body: str, now: float, refresh_token: str = "") -> Token:
    """Ask the token endpoint. refresh_token: the one that stays valid if no other is given. Raises TokenError."""
    from oauthlib.oauth2 import OAuth2Error

    url = app.provider.token_url
    answer = post(url, body)
    try:
        given = oauthlib_client(app).parse_request_body_response(answer)
        lives = float(given.get("expires_in") or UNTOLD_LIFETIME)
    except OAuth2Error as error:
        if error.error != "missing_token":
            raise refusal(url, str(error.error or ""), str(error.description or "")) from None
        given = None
    except (ValueError, TypeError, AttributeError):
        given = None
    if given is None:
        raise TokenError(
            say("{url} gives no token but something unreadable. Trying again later", url=url), temporary=True
        )
    refresh = given.get("refresh_token") or refresh_token
    if not refresh:
        text = say(
            "{url} gives no refresh token: the permission asked for must allow access while you are away", url=url
        )
        raise TokenError(text, temporary=False)
    margin = min(MARGIN_SECONDS, lives / 5)
    return Token(Secret(given["access_token"]), Secret(refresh), now + lives - margin, now + lives)


def refusal(url: str, code: str, said: str) -> TokenError:
    """What an error code of a provider means, and what to do."""
    # Its words are for the reader, but not at any length; a URL of it may hold more than he should see.
    said = " ".join("".join(c if c.isprintable() else " " for c in said).split())[:300]
    what = f"{code}: {said}" if said else code
    told = say("{host} refuses ({what})", host=urlsplit(url).hostname, what=what)
    if code in ("invalid_grant", "interaction_required", "consent_required", "login_required"):
        return TokenError(
            say("{told}. The permission was withdrawn or has expired: {login}", told=told, login=LOGIN),
            temporary=False,
            code=code,
        )
    if code in _OURS:
        return TokenError(
            say("{told}. Check client_id and client_secret in [oauth]", told=told), temporary=False, code=code
        )
    if code in _PASSING or not code:
        return TokenError(say("{told}. Trying again later", told=told), temporary=True, code=code)
    return TokenError(say("{told}. Check [oauth], then {login}", told=told, login=LOGIN), temporary=False, code=code)


def post(url: str, body: str) -> str:
    """Send a form, give the answer: of 200, and of the refusals that carry an error code. Raises TokenError.

    Redirections are not followed: what is sent is for that server alone.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
        raise TokenError(say("{url!r} is no https:// URL, and secrets are sent to no other", url=url), temporary=False)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    asked = urllib.request.Request(url, body.encode(), headers, method="POST")
    try:
        with urllib.request.build_opener(_NoRedirection).open(asked, timeout=HTTP_SECONDS) as answer:
            return str(answer.read(MAX_ANSWER_BYTES).decode("utf-8", "replace"))
    except urllib.error.HTTPError as error:
        with error:
            text = error.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
        if error.code in (400, 401, 403) and '"error"' in text:
            return text
        later = error.code == 429 or error.code >= 500
        advice = say("Trying again later") if later else say("Check [oauth]")
        raise TokenError(
            say("{url} answers HTTP {code}. {advice}", url=url, code=error.code, advice=advice), temporary=later
        ) from None
    except (OSError, http.client.HTTPException) as error:
        # URLError wraps what went wrong, and says "<urlopen error …>".
        reason = getattr(error, "reason", None) or error
        raise TokenError(
            say("{url} cannot be reached: {reason}. Trying again", url=url, reason=reason), temporary=True
        ) from None


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


# Showing a token to a mail server -------------------------------------------------------------------------------------


def mechanism(offered: Callable[[str], bool]) -> Mechanism | None:
    """The way in which a server takes tokens: the big providers' own, else the standard's; None: in neither."""
    if offered("XOAUTH2"):
        return "XOAUTH2"
    return "OAUTHBEARER" if offered("OAUTHBEARER") else None


def first_response(how: Mechanism, user: str, token: str) -> bytes:
    """What a client says to log in (Google's XOAUTH2; RFC 7628 §3.1)."""
    if how == "XOAUTH2":
        return f"user={user}\1auth=Bearer {token}\1\1".encode()
    name = user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={name},\1auth=Bearer {token}\1\1".encode()


def last_response(how: Mechanism) -> bytes:
    """What a client says when the server has told why it refuses, so that it ends the login (RFC 7628 §3.2.3)."""
    return b"" if how == "XOAUTH2" else b"\1"
