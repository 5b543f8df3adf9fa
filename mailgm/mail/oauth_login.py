"""Giving mailgm the permission to use a mailbox: once, by a person with a browser, on whatever machine.

Two ways. A code that is typed in on another device (RFC 8628), where the provider offers it for mail: Microsoft. Else
the page of the provider sends the browser back to an address on its own machine, which is copied from there.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

from mailgm.engine.said import say
from mailgm.mail.oauth import App, Token, TokenError, credentials, oauthlib_client, post, refusal, request

REDIRECT = "http://127.0.0.1:47133/"
"""Where the browser is sent back to. Nothing listens there (RFC 8252 §7.3): the address itself is the answer."""

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"

Say = Callable[[str], None]


def by_device_code(
    app: App, show: Say, sleep: Callable[[float], None] = time.sleep, now: Callable[[], float] = time.time
) -> Token:
    """Show a code and wait until somebody has typed it in on the provider's page. Raises TokenError.

    show: shows a text to the person. sleep, now: seconds.
    """
    url = app.provider.device_url
    answer = post(url, urlencode({**credentials(app), "scope": app.provider.scope}))
    try:
        given = json.loads(answer)
        if "error" in given:
            raise refusal(url, str(given["error"]), str(given.get("error_description", "")))
        page = given.get("verification_uri") or given["verification_url"]
        user_code, device_code = given["user_code"], given["device_code"]
        pause, ends = float(given.get("interval", 5)), now() + float(given.get("expires_in", 900))
    except (ValueError, KeyError, TypeError):
        raise TokenError(say("{url} gives no code but something unreadable", url=url), temporary=True) from None
    show(
        say(
            "Open {page} on any machine, log in as the game's mailbox, and type the code {code}",
            page=page,
            code=user_code,
        )
    )
    body = urlencode({**credentials(app), "grant_type": DEVICE_GRANT, "device_code": device_code})
    while now() < ends:
        sleep(pause)
        try:
            return request(app, body, now())
        except TokenError as error:
            if error.code == "slow_down":
                pause += 5  # RFC 8628 §3.5
            elif error.code in ("access_denied", "authorization_declined"):
                raise TokenError(say("the permission was refused on the provider's page"), temporary=False) from None
            elif error.code in ("expired_token", "code_expired"):
                break
            elif error.code != "authorization_pending" and not error.temporary:
                raise
    raise TokenError(say("nobody typed in the code in time: run `mailgm login` again"), temporary=False)


def by_browser(app: App, show: Say, ask: Callable[[str], str], now: Callable[[], float] = time.time) -> Token:
    """Show an address to open, and take the one at which the browser ends up. Raises TokenError.

    ask: shows a question and gives the answer. What is pasted is of no use to others (RFC 7636).
    """
    if not app.provider.authorize_url.startswith("https://"):
        raise TokenError(
            say("{url!r} is no https:// URL: check [oauth]", url=app.provider.authorize_url),
            temporary=False,
        )
    client = oauthlib_client(app)
    state, verifier = secrets.token_urlsafe(24), client.create_code_verifier(64)
    page = client.prepare_request_uri(
        app.provider.authorize_url, REDIRECT, app.provider.scope, state, client.create_code_challenge(verifier, "S256"),
        "S256", **dict(app.provider.parameters),
    )  # fmt: skip
    asked = "Open this address in a browser, on any machine, and log in as the game's mailbox:\n\n{page}\n"
    show(say(asked, page=page))
    show(
        say(
            "The browser ends up at an address that begins with {redirect} and cannot be shown. That is right.",
            redirect=REDIRECT,
        )
    )
    code = _code(ask(say("Copy that whole address here: ")), state, app.provider.authorize_url)
    secret = {"client_secret": str(app.client_secret)} if app.client_secret else {}
    return request(
        app, client.prepare_request_body(code, REDIRECT, code_verifier=verifier, **secret), now()
    )  # fmt: skip


def _code(pasted: str, state: str, url: str) -> str:
    """The code in what was pasted: the whole address, or the code alone."""
    pasted = pasted.strip()
    if "=" not in pasted:
        if not pasted:
            raise TokenError(say("nothing was copied: run `mailgm login` again"), temporary=False)
        return pasted
    found = parse_qs(urlsplit(pasted).query or pasted)
    if "error" in found:
        raise refusal(url, found["error"][0], found.get("error_description", [""])[0])
    if "code" not in found:
        raise TokenError(say("that address holds no code: copy the one where the browser ended up"), temporary=False)
    if found.get("state") != [state]:
        raise TokenError(say("that address is of another login: run `mailgm login` again"), temporary=False)
    return found["code"][0]
