"""From the configuration to what proves that we are who we are: access tokens, and the signature of our mail."""

from __future__ import annotations

from mailgm.config import Config, ConfigError
from mailgm.engine.said import say
from mailgm.mail import oauth
from mailgm.mail.dkim import DkimError, Signer
from mailgm.mail.oauth import App, Provider, Tokens
from mailgm.secrets import warn_if_open


def oauth_app(config: Config) -> App | None:
    """mailgm as it is registered with a provider; None without OAuth2. Raises ConfigError."""
    settings = config.oauth
    if settings.provider == "none":
        return None
    if not settings.client_id:
        raise ConfigError(say("[oauth] client_id: it is missing; docs/accounts.md says how to get one"))
    return App(_provider(config), settings.client_id, config.client_secret)


def _provider(config: Config) -> Provider:
    settings = config.oauth
    if settings.provider == "google":
        return oauth.google()
    if settings.provider == "microsoft":
        return oauth.microsoft(settings.tenant)
    for key in ("token_url", "scope"):
        if not getattr(settings, key):
            raise ConfigError(say('[oauth] {key}: provider = "custom" needs it', key=key))
    if not settings.device_url and not settings.authorize_url:
        raise ConfigError(say('[oauth] device_url: provider = "custom" needs it, or authorize_url'))
    return Provider(settings.token_url, settings.scope, settings.device_url, settings.authorize_url)


def tokens(config: Config) -> Tokens | None:
    """The access tokens of the configuration's mailbox; None without OAuth2. Raises ConfigError."""
    app = oauth_app(config)
    return Tokens(app, config.folder / config.oauth.token_file) if app is not None else None


def signer(config: Config) -> Signer | None:
    """What signs outgoing mail; None where it is not signed here. Raises ConfigError."""
    settings = config.dkim
    if not settings.domain:
        if settings.selector or settings.key_file:
            raise ConfigError(say("[dkim] domain: it is missing, though there is a selector or a key_file"))
        return None
    for key in ("selector", "key_file"):
        if not getattr(settings, key):
            raise ConfigError(say("[dkim] {key}: it is missing", key=key))
    ours = config.mailbox.address.rpartition("@")[2].lower()
    theirs = settings.domain.lower()
    if ours != theirs and not ours.endswith(f".{theirs}") and not theirs.endswith(f".{ours}"):
        # RFC 7489 §3.1.1: such a signature says nothing about the sender.
        raise ConfigError(
            say("[dkim] domain: {theirs} cannot sign for {address}", theirs=theirs, address=config.mailbox.address)
        )
    file = config.folder / settings.key_file
    try:
        made = Signer(settings.domain, settings.selector, file.read_bytes())
    except OSError as error:
        raise ConfigError(
            say("[dkim] key_file: {file} cannot be read: {error}", file=file, error=error.strerror)
        ) from None
    except DkimError as error:
        raise ConfigError(say("[dkim] key_file: {file}: {error}", file=file, error=error)) from None
    warn_if_open(file)
    return made
