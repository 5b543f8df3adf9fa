"""The settings of an installation: each is declared once, with its type, unit, range, default and a sentence.

`config.example.toml` is written from these declarations and tested against them.
"""

from __future__ import annotations

import json
import textwrap
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from mailgm import secrets
from mailgm.engine.said import joined, say
from mailgm.secrets import Secret, SecretError


class ConfigError(ValueError):
    """A setting that cannot be used; the message names the file, the section, the key and what would be right."""


def setting(
    default: Any,
    about: str,
    *,
    values: tuple[str, ...] = (),
    least: float | None = None,
    most: float | None = None,
    secret: bool = False,
) -> Any:
    """Declare a setting. about: a sentence that names the unit. secret: never shown, may come from elsewhere."""
    metadata = {"about": about, "values": values, "least": least, "most": most, "secret": secret}
    if isinstance(default, list):
        return field(default_factory=lambda: list(default), metadata=metadata)
    return field(default=default, metadata=metadata, repr=not secret)


SECURITY = ("tls", "starttls", "none")


@dataclass(frozen=True)
class Mailbox:
    """The address under which the game master writes, and how its players are recognised."""

    address: str = setting("", "The game's address; players write to it and to secret plus-addresses of it.")
    name: str = setting("Le maître du jeu", "The name shown beside the address.")
    plus_addresses: bool = setting(
        True, "Whether the provider delivers address+anything@host; if not, a secret token goes into the subject."
    )
    trust_from: bool = setting(
        False, "Whether the bare From: address of a registered player is believed without his secret reply address."
    )
    unknown_sender: str = setting(
        "accept",
        "What happens to a message with a player's secret address from an e-mail address never seen: it is played, or"
        " held until the player says that it is his; he is told at once in both cases.",
        values=("accept", "hold"),
    )
    auth_server: str = setting(
        "",
        "The name by which your mail server signs Authentication-Results; what it found forged is then held back, and"
        " trust_from believes only what it found proven.",
    )


@dataclass(frozen=True)
class Imap:
    """The mailbox that is polled."""

    host: str = setting("", "The IMAP server; empty where a Maildir is read instead.")
    port: int = setting(993, "Its port.", least=1, most=65535)
    security: str = setting("tls", "How the connection is protected; none only on this machine.", values=SECURITY)
    user: str = setting("", "The login.")
    password: str = setting(
        "", "The password or app password; better in password_file or MAILGM_IMAP_PASSWORD.", secret=True
    )
    password_file: str = setting("", "A file whose first line is the password.")
    password_keyring: bool = setting(
        False, "Whether the password is in the system's keyring (keyring set mailgm-imap LOGIN)."
    )
    folder: str = setting(
        "INBOX", "The folder that is read; what was in it before the first game was made is left alone."
    )
    processed_folder: str = setting("mailgm-processed", "The folder to which handled mail is moved.")
    poll_seconds: int = setting(60, "Seconds between two looks into the mailbox, IDLE or not.", least=1, most=3600)
    idle: bool = setting(True, "Whether IDLE is used as a hint where the server has it.")
    timeout_seconds: int = setting(60, "Seconds to wait for the server's answer.", least=5, most=600)
    max_megabytes: int = setting(10, "Largest message read whole, in megabytes.", least=1, most=100)
    ca_file: str = setting("", "A PEM file of certificate authorities to trust instead of the system's.")
    verify: bool = setting(True, "Whether the server's certificate is checked.")


@dataclass(frozen=True)
class Maildir:
    """A Maildir on disk as the inbox, for those who run their own mail server."""

    path: str = setting(
        "", "The Maildir; read besides IMAP if both are given; mail from before the first game is left alone."
    )


@dataclass(frozen=True)
class Smtp:
    """The server to which outgoing mail is handed."""

    host: str = setting("", "The SMTP server.")
    port: int = setting(465, "Its port.", least=1, most=65535)
    security: str = setting("tls", "How the connection is protected; none only on this machine.", values=SECURITY)
    user: str = setting("", "The login; empty: none.")
    password: str = setting("", "The password; better in password_file or MAILGM_SMTP_PASSWORD.", secret=True)
    password_file: str = setting("", "A file whose first line is the password.")
    password_keyring: bool = setting(
        False, "Whether the password is in the system's keyring (keyring set mailgm-smtp LOGIN)."
    )
    connections: int = setting(2, "How many connections are used at once.", least=1, most=20)
    per_minute: int = setting(0, "At most so many mails in a minute; 0: no limit.", least=0, most=10000)
    timeout_seconds: int = setting(60, "Seconds to wait for the server's answer.", least=5, most=600)
    ca_file: str = setting("", "A PEM file of certificate authorities to trust instead of the system's.")
    verify: bool = setting(True, "Whether the server's certificate is checked.")


@dataclass(frozen=True)
class OAuth:
    """OAuth2 in place of passwords, where [imap] or [smtp] has a user but no password. See docs/accounts.md."""

    provider: str = setting("none", "Who gives the permission.", values=("none", "google", "microsoft", "custom"))
    client_id: str = setting("", "The id under which you registered mailgm with the provider.")
    client_secret: str = setting(
        "",
        "Its secret, where the provider gave one; better in client_secret_file or MAILGM_OAUTH_CLIENT_SECRET.",
        secret=True,
    )
    client_secret_file: str = setting("", "A file whose first line is that secret.")
    client_secret_keyring: bool = setting(
        False, "Whether that secret is in the system's keyring (keyring set mailgm-oauth CLIENT_ID)."
    )
    tenant: str = setting(
        "common", "Microsoft: the organisation's id or domain; consumers for Outlook.com, common for either."
    )
    token_file: str = setting("oauth-token.json", "Where `mailgm login` keeps the permission; only you can read it.")
    token_url: str = setting("", "custom: where access tokens are asked for.")
    device_url: str = setting("", "custom: where a code for another device is asked for (RFC 8628), if there is that.")
    authorize_url: str = setting("", "custom: the page that asks for the permission, without device_url.")
    scope: str = setting("", "custom: what is asked for, so that mail can be read and sent while nobody is there.")


@dataclass(frozen=True)
class Dkim:
    """Signs outgoing mail, for those who run their own mail server. See docs/accounts.md."""

    domain: str = setting("", "The domain that signs, that of the game's address; empty: mail is not signed here.")
    selector: str = setting("", "The name under which DNS has the public key (SELECTOR._domainkey.DOMAIN).")
    key_file: str = setting("", "The private key (RSA, PEM).")


@dataclass(frozen=True)
class Database:
    """Where everything is kept."""

    url: str = setting(
        "sqlite:///mailgm.sqlite",
        "SQLAlchemy URL; a relative SQLite path is taken from the configuration's folder.",
        secret=True,
    )


@dataclass(frozen=True)
class Paths:
    """Folders of your own, searched before the shipped ones."""

    variants: str = setting("", "Folder of your own games (one folder a game).")
    templates: str = setting("", "Folder of your own wordings (same tree as the shipped templates).")


@dataclass(frozen=True)
class Limits:
    """What protects against floods and outages."""

    stranger_answers_per_day: int = setting(1, "Answers a day to an address that plays no game.", least=0, most=10)
    answers_per_hour: int = setting(
        30, "Answers to one address in an hour, at most; the rest is only logged.", least=1, most=1000
    )
    posts_per_hour: int = setting(
        60,
        "Messages of one player that are passed on to others in an hour, at most; he is told of the rest.",
        least=1,
        most=1000,
    )
    lines_per_message: int = setting(40, "Lines of a message that are read as orders.", least=1, most=1000)
    post_characters: int = setting(
        8000, "Length at which what is passed on is cut, in characters.", least=200, most=100000
    )
    mailbox_wait_minutes: int = setting(
        180,
        "Minutes that a deadline waits for a mailbox that cannot be reached, so that no order in time is lost.",
        least=0,
        most=10080,
    )
    outage_hours: float = setting(
        72.0,
        "After the service was stopped for so many hours, games hold and their game master is asked.",
        least=0.5,
        most=720.0,
    )


@dataclass(frozen=True)
class Config:
    """All settings. `folder` is where the file stands, under the name `file`: relative paths start there."""

    mailbox: Mailbox = Mailbox()
    imap: Imap = Imap()
    maildir: Maildir = Maildir()
    smtp: Smtp = Smtp()
    oauth: OAuth = OAuth()
    dkim: Dkim = Dkim()
    database: Database = Database()
    paths: Paths = Paths()
    limits: Limits = Limits()
    folder: Path = Path()
    file: str = field(default="config.toml", compare=False)

    @property
    def database_url(self) -> str:
        """The database's URL, a relative SQLite path made absolute."""
        prefix = "sqlite:///"
        if self.database.url.startswith(prefix) and not self.database.url.startswith(prefix + "/"):
            return prefix + str((self.folder / self.database.url.removeprefix(prefix)).resolve())
        return self.database.url

    @property
    def templates_path(self) -> list[Path]:
        """The user's own template folders."""
        return [self.folder / self.paths.templates] if self.paths.templates else []

    @property
    def variants_path(self) -> list[Path]:
        """The user's own variant folders."""
        return [self.folder / self.paths.variants] if self.paths.variants else []

    def password(self, section: str) -> Secret:
        """The password of "imap" or "smtp"; "" where there is none. Raises ConfigError.

        From MAILGM_<SECTION>_PASSWORD, else from its file, else from the keyring, else from the setting.
        """
        part: Imap | Smtp = getattr(self, section)
        return self._secret(section, "password", part.user)

    @property
    def client_secret(self) -> Secret:
        """The secret of [oauth] client_id, from where a password may come from too. Raises ConfigError."""
        return self._secret("oauth", "client_secret", self.oauth.client_id)

    def _secret(self, section: str, key: str, user: str) -> Secret:
        part = getattr(self, section)
        path, in_keyring, given = (getattr(part, name) for name in (f"{key}_file", f"{key}_keyring", key))
        if (found := secrets.from_environment(f"MAILGM_{section.upper()}_{key.upper()}")) is not None:
            return found
        try:
            if path:
                return secrets.from_file(self.folder / path)
            if in_keyring:
                return secrets.from_keyring(f"mailgm-{section}", user)
        except SecretError as error:
            raise ConfigError(
                say(
                    "[{section}] {key}_{source}: {error}",
                    section=section,
                    key=key,
                    source="file" if path else "keyring",
                    error=error,
                )
            ) from None
        if given:
            secrets.warn_if_open(self.folder / self.file)
        return Secret(given)


SECTIONS = ("mailbox", "imap", "maildir", "smtp", "oauth", "dkim", "database", "paths", "limits")


def load(path: Path) -> Config:
    """Read a configuration file. Raises ConfigError that lists every fault."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except FileNotFoundError:
        raise ConfigError(say("{path} does not exist; `mailgm init` writes one", path=path)) from None
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(say("{path} cannot be read: {error}", path=path, error=error)) from error
    return parse(data, path.resolve().parent, path.name)


def parse(data: Mapping[str, Any], folder: Path, name: str = "config.toml") -> Config:
    """Make a Config of a parsed file. Raises ConfigError that lists every fault."""
    faults: list[str] = []
    made: dict[str, Any] = {}
    for section, table in data.items():
        if section not in SECTIONS or not isinstance(table, Mapping):
            names = ", ".join(SECTIONS)
            faults.append(say("[{section}]: there is no such section; there are {names}", section=section, names=names))
    for section_field in fields(Config):
        section = section_field.name
        if section not in SECTIONS:
            continue
        table = data.get(section, {})
        cls = type(section_field.default)
        made[section] = _section(cls, section, table if isinstance(table, Mapping) else {}, faults)
    if faults:
        raise ConfigError(joined(say("{name}, {fault}", name=name, fault=fault) for fault in faults))
    return Config(**made, folder=folder, file=name)


def _section(cls: type, section: str, table: Mapping[str, Any], faults: list[str]) -> Any:
    known = {entry.name: entry for entry in fields(cls)}
    values = {}
    for key, value in table.items():
        if key not in known:
            where, names = f"[{section}] {key}", ", ".join(known)
            faults.append(say("{where}: there is no such setting; there are {names}", where=where, names=names))
            continue
        fault = check(known[key], value)
        if fault:
            shown = say("(a secret)") if known[key].metadata["secret"] else repr(value)
            where = f"[{section}] {key}"
            faults.append(say("{where}: {shown} is not {fault}", where=where, shown=shown, fault=fault))
        else:
            values[key] = float(value) if isinstance(default_of(known[key]), float) else value
    return cls(**values)


def check(entry: Field[Any], value: Any) -> str:
    """What a setting would take, in words, if `value` does not fit; "" if it does."""
    default, meta = default_of(entry), entry.metadata
    if meta["values"]:
        return "" if value in meta["values"] else say("one of {names}", names=", ".join(map(repr, meta["values"])))
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else say("true or false")
    if isinstance(default, (int, float)):
        numeric = isinstance(value, int) or (isinstance(default, float) and isinstance(value, float))
        if numeric and not isinstance(value, bool) and meta["least"] <= value <= meta["most"]:
            return ""
        kind = say("a whole number") if isinstance(default, int) else say("a number")
        return say("{kind} from {least} to {most}", kind=kind, least=meta["least"], most=meta["most"])
    return "" if isinstance(value, str) else say("a text in quotes")


def default_of(entry: Field[Any]) -> Any:
    """The default of a declared setting."""
    if entry.default is not MISSING:
        return entry.default
    assert entry.default_factory is not MISSING
    return entry.default_factory()


def example() -> str:
    """The text of config.example.toml: every setting with its sentence, its range and its default."""
    lines = [
        "# Settings of mailgm. Each stands here with its default; lines that begin with # are comments.",
        "# Secrets may come from a file, the environment or the system's keyring instead.",
    ]
    for section in SECTIONS:
        lines += _written(section, {entry.name: default_of(entry) for entry in fields(_class_of(section))})
    return "\n".join(lines) + "\n"


def written(values: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of a configuration file that sets `values` (section → setting → value), each with its sentence."""
    lines = ["# Settings of mailgm. `mailgm init --example` shows all others, with their defaults."]
    for section in SECTIONS:
        if values.get(section):
            lines += _written(section, values[section])
    return "\n".join(lines) + "\n"


def _written(section: str, values: Mapping[str, Any]) -> list[str]:
    cls = _class_of(section)
    lines = ["", *_comment((cls.__doc__ or "").strip()), f"[{section}]"]
    for entry in fields(cls):
        if entry.name not in values:
            continue
        meta = entry.metadata
        right = f" One of: {', '.join(meta['values'])}." if meta["values"] else ""
        if meta["least"] is not None:
            right = f" From {meta['least']} to {meta['most']}."
        lines += [*_comment(meta["about"] + right), f"{entry.name} = {_toml(values[entry.name])}"]
    return lines


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="# ", subsequent_indent="# ", break_long_words=False)


def _class_of(section: str) -> Any:
    return type(next(entry.default for entry in fields(Config) if entry.name == section))


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    # A TOML basic string takes the escapes of a JSON string.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
