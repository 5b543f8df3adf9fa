"""A provider of OAuth2 on this machine, and mail servers that take its tokens."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlencode, urlsplit

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from mailgm.demo.dovecot import Dovecot
from mailgm.mail.oauth import App, Provider
from mailgm.mail.oauth_login import REDIRECT

CLIENT_ID = "mailgm-test"
CLIENT_SECRET = "s3cr3t-of-the-client"
USER = "jeu@x.test"
HOUR = 3600.0


class Clock:
    """The hour, in seconds since 1970."""

    def __init__(self) -> None:
        self.hour = 1_800_000_000.0

    def __call__(self) -> float:
        return self.hour


class TokenServer:
    """Gives codes and tokens as RFC 6749 and 8628 say, and tells a mail server whose a token is (RFC 7662).

    clock: the provider's, in seconds; lifetime: of an access token. `rotates`: a refresh token is good for one time.
    `faults`: answers (status, body) to the next requests for a token, whatever they ask. `asked`: all that were made.
    """

    def __init__(self, user: str) -> None:
        self.user = user
        self.lifetime: float | None = 3600
        self.rotates = False
        self.interval = 5
        self.clock = time.time
        self.faults: list[tuple[int, str]] = []
        self.asked: list[dict[str, str]] = []
        self.access: dict[str, float] = {}
        self.refresh: set[str] = set()
        self.codes: dict[str, dict[str, str]] = {}
        self.pending = 0
        self._numbers = itertools.count(1)
        self._turn = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"provider": self}))
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> TokenServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(10)

    def app(self, *, device: bool = False) -> App:
        """mailgm as it is registered here."""
        flow = {"device_url": f"{self.url}/device"} if device else {"authorize_url": "https://provider.test/authorize"}
        return App(Provider(f"{self.url}/token", "mail offline", **flow), CLIENT_ID, CLIENT_SECRET)

    def secrets(self) -> list[str]:
        """Everything that nobody may read anywhere."""
        return [CLIENT_SECRET, *self.access, *self.refresh]

    def given(self) -> dict[str, Any]:
        """A new pair of tokens, as they are answered."""
        number = next(self._numbers)
        access, refresh = f"access-{number}-zkq8", f"refresh-{number}-w3xv"
        self.access[access] = self.clock() + (self.lifetime or 3600)
        self.refresh.add(refresh)
        answer: dict[str, Any] = {"access_token": access, "token_type": "Bearer", "refresh_token": refresh}
        return answer if self.lifetime is None else {**answer, "expires_in": self.lifetime}

    def revoke(self) -> None:
        """The account's owner takes the permission back."""
        self.refresh.clear()

    def expire(self) -> None:
        """Every access token ends before its time."""
        self.access = dict.fromkeys(self.access, 0.0)

    def consent(self, page: str) -> str:
        """What a person does with the page of the provider: log in and agree; the address where the browser ends."""
        query = {key: values[0] for key, values in parse_qs(urlsplit(page).query).items()}
        assert query["response_type"] == "code"
        assert query["scope"] == "mail offline"
        self.codes["the-code"] = query
        return f"{REDIRECT}?{urlencode({'state': query['state'], 'code': 'the-code', 'scope': 'mail'})}"

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, str]:
        with self._turn:
            if path == "/introspect":
                alive = self.access.get(form["token"], 0.0) > self.clock()
                return 200, json.dumps({"active": alive, **({"username": self.user} if alive else {})})
            self.asked.append(form)
            if self.faults:
                return self.faults.pop(0)
            if form["client_id"] != CLIENT_ID or form.get("client_secret") != CLIENT_SECRET:
                return 401, json.dumps({"error": "invalid_client"})
            if path == "/device":
                return 200, json.dumps(
                    {
                        "device_code": "the-device", "user_code": "ABCD-EFGH", "expires_in": 900,
                        "interval": self.interval, "verification_uri": f"{self.url}/activate",
                    }
                )  # fmt: skip
            return self._token(form)

    def _token(self, form: dict[str, str]) -> tuple[int, str]:
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.refresh:
                return 400, json.dumps({"error": "invalid_grant", "error_description": "Token has been revoked."})
            if self.rotates:
                self.refresh.remove(form["refresh_token"])
            given = self.given()
            if not self.rotates:
                self.refresh.discard(given.pop("refresh_token"))
            return 200, json.dumps(given)
        if form["grant_type"] == "authorization_code":
            asked = self.codes.pop(form["code"], None)
            digest = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
            if asked is None or digest.decode() != asked["code_challenge"] or form["redirect_uri"] != REDIRECT:
                return 400, json.dumps({"error": "invalid_grant"})
            return 200, json.dumps(self.given())
        assert form["device_code"] == "the-device"
        if self.pending:
            self.pending -= 1
            return 400, json.dumps({"error": "authorization_pending"})
        return 200, json.dumps(self.given())


class _Handler(BaseHTTPRequestHandler):
    provider: ClassVar[TokenServer]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        status, text = self.provider.answer(self.path, {key: values[0] for key, values in parse_qs(body).items()})
        self.send_response(status)
        if status in (301, 302, 307):
            self.send_header("Location", text)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


class OAuthDovecot(Dovecot):
    """A Dovecot 2.3 that asks a TokenServer whose a token is; `mechanisms`: besides PLAIN."""

    def __init__(self, folder: Path, provider: TokenServer, mechanisms: str = "xoauth2 oauthbearer") -> None:
        self._provider, self._mechanisms = provider, mechanisms
        super().__init__(folder)

    def _config(self, *arguments: Any) -> str:
        text = super()._config(*arguments)
        backend = self._folder / "oauth2.conf"
        backend.write_text(
            f"introspection_url = {self._provider.url}/introspect\nintrospection_mode = post\n"
            "username_attribute = username\nactive_attribute = active\nactive_value = true\n"
        )
        return (
            f"auth_mechanisms = plain {self._mechanisms}\n"
            f"passdb {{\n  driver = oauth2\n  mechanisms = {self._mechanisms}\n  args = {backend}\n}}\n" + text
        )


class OAuthSmtp(SMTP):
    """An aiosmtpd that takes tokens, and says why it does not as Google does."""

    def __init__(self, provider: TokenServer, taken: list[bytes], logins: list[str], **others: Any) -> None:
        self._provider, self._logins = provider, logins
        super().__init__(_Taken(taken), auth_require_tls=False, auth_required=True, **others)

    async def auth_XOAUTH2(self, _: SMTP, arguments: list[str]) -> AuthResult:
        return await self._log_in(arguments, "user={user}\1auth=Bearer {token}\1\1", b"")

    async def auth_OAUTHBEARER(self, _: SMTP, arguments: list[str]) -> AuthResult:
        return await self._log_in(arguments, "n,a={user},\1auth=Bearer {token}\1\1", b"\1")

    async def _log_in(self, arguments: list[str], form: str, farewell: bytes) -> AuthResult:
        said = base64.b64decode(arguments[1]).decode()
        self._logins.append(arguments[0])
        now = self._provider.clock()
        alive = [token for token, end in self._provider.access.items() if end > now]
        if said in [form.format(user=self._provider.user, token=token) for token in alive]:
            return AuthResult(success=True)
        answer = await self.challenge_auth(json.dumps({"status": "400", "schemes": "Bearer"}))
        assert answer == farewell
        return AuthResult(success=False, handled=False)


class _Taken:
    def __init__(self, taken: list[bytes]) -> None:
        self._taken = taken

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self._taken.append(envelope.content or b"")
        return "250 OK"
