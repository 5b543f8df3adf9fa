"""Tests an installation part by part and says, for each, that it is well or what is wrong and what to do.

Nothing is left behind: what is written for a test is taken away again.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal

from mailgm.config import Config, ConfigError
from mailgm.engine.said import say
from mailgm.loader import Library
from mailgm.mail.providers import guess, of_server
from mailgm.render import Renderer
from mailgm.service import access, ready
from mailgm.service.context import utc_now
from mailgm.service.doctor_mail import examine_mail
from mailgm.service.finding import Finding
from mailgm.store import StoreError, migrations
from mailgm.store.database import Database, connect

ROUND_TRIP_SECONDS = 90.0
"""How long the mail that the doctor sends to itself may take; the big providers need a few seconds."""


def examine(
    config: Config,
    file: Path,
    *,
    now: Callable[[], datetime] = utc_now,
    wait: float = ROUND_TRIP_SECONDS,
    lang: str = "en",
) -> Iterator[Finding]:
    """Test everything; each finding is given as soon as it is known.

    file: where the configuration stands. wait: seconds that the round trip of a mail may take.
    lang: language of what is known of the provider; the rest is told in any (`said.told`).
    """
    yield from _settings(config)
    yield from _secrets(config, file)
    yield from _database(config)
    yield from _games(config)
    yield from _templates(config)
    yield from examine_mail(config, now, wait)
    yield from _traps(config, lang)


def _settings(config: Config) -> Iterator[Finding]:
    found = [Finding("configuration", "wrong", text, say("Correct it there")) for text in _faults(config)]
    for section, part in (("imap", config.imap), ("smtp", config.smtp)):
        if part.host and not part.verify and part.security != "none":
            text = say(
                "[{section}] verify = false: somebody on the way can read the password and every order", section=section
            )
            advice = say("Set it to true; a certificate of your own goes into ca_file")
            found.append(Finding("configuration", "wrong", text, advice))
    yield from found or [Finding("configuration", "ok", say("for {address}", address=config.mailbox.address))]


def _faults(config: Config) -> Iterator[str]:
    yield from ready.faults(config)
    for part in (access.oauth_app, access.signer):
        try:
            part(config)
        except ConfigError as error:
            yield str(error)


# Secrets ------------------------------------------------------------------------------------------------------------


def _secrets(config: Config, file: Path) -> Iterator[Finding]:
    found = [fault for section in ("imap", "smtp") if (fault := _password(config, section))]
    found += [fault for path in _secret_files(config, file) if (fault := _open_to_others(path))]
    yield from found
    if not found:
        yield Finding("secrets", "ok", say("are there, and nobody else on this machine reads them"))


def _password(config: Config, section: Literal["imap", "smtp"]) -> Finding | None:
    part = config.imap if section == "imap" else config.smtp
    if not part.host or not part.user:
        return None
    try:
        if config.password(section):
            return None
    except ConfigError as error:
        return Finding("secrets", "wrong", str(error), say("Put the password there"))
    if config.oauth.provider == "none":
        text = say("[{section}]: there is no password for {user}", section=section, user=part.user)
        advice = say(
            "Write it into a file and set password_file, or set {variable}",
            variable=f"MAILGM_{section.upper()}_PASSWORD",
        )
        return Finding("secrets", "wrong", text, advice)
    if not (config.folder / config.oauth.token_file).exists():
        return Finding(
            "secrets",
            "wrong",
            say("[{section}]: the permission of [oauth] is missing", section=section),
            say("Run mailgm login"),
        )
    return None


def _secret_files(config: Config, file: Path) -> list[Path]:
    """The files that hold secrets, those that there may be."""
    oauth = config.oauth
    named = [config.imap.password_file, config.smtp.password_file, oauth.client_secret_file, config.dkim.key_file]
    if oauth.provider != "none":
        named.append(oauth.token_file)
    files = [config.folder / name for name in named if name]
    if config.imap.password or config.smtp.password or oauth.client_secret or "@" in config.database.url:
        files.append(file)
    if (database := _sqlite_file(config)) is not None:
        files.append(database)
    return list(dict.fromkeys(files))


def _open_to_others(path: Path) -> Finding | None:
    if os.name != "posix" or not path.exists():
        return None
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & 0o077:
        return None
    return Finding(
        "secrets",
        "wrong",
        say("others on this machine may read {path} (mode {mode})", path=path, mode=f"{mode:o}"),
        f"chmod 600 {path}",
    )


def _sqlite_file(config: Config) -> Path | None:
    url = config.database_url
    return Path(url.removeprefix("sqlite:///").partition("?")[0]) if url.startswith("sqlite:///") else None


# Database -----------------------------------------------------------------------------------------------------------


def _database(config: Config) -> Iterator[Finding]:
    file = _sqlite_file(config)
    if file is not None and not file.exists():
        if os.access(file.parent, os.W_OK):
            yield Finding("database", "ok", say("{file} will be made when the service first starts", file=file))
        else:
            advice = say("Make the folder, or give it to this user; or set [database] url to another place")
            yield Finding(
                "database",
                "wrong",
                say("there is no {file}, and nothing can be written in its folder", file=file),
                advice,
            )
        return
    try:
        database = connect(config.database_url)
        try:
            yield _tables(database)
        finally:
            database.close()
    except StoreError as error:
        held = error.temporary and file
        advice = say("Stop what holds it, or wait") if held else say("Check [database] url, and its server")
        yield Finding("database", "wrong", str(error), advice)


def _tables(database: Database) -> Finding:
    """Write something and take it back; then look at the tables' revision. Raises StoreError."""
    with database.write(patience=3.0) as tx:
        tx.exec_driver_sql("CREATE TABLE mailgm_doctor (x INTEGER)")
        tx.rollback()
    with database.read(patience=3.0) as tx:
        revision = migrations.revision(tx)
        if tx.dialect.name == "sqlite" and tx.exec_driver_sql("PRAGMA journal_mode").scalar() != "wal":
            return Finding(
                "database", "wrong",
                say("{database}: SQLite cannot keep its journal (WAL) there", database=database.name),
                say("Put the file on a disk of this machine, not on a network drive"),
            )  # fmt: skip
    if revision in (None, migrations.HEAD):
        state = say("is up to date") if revision else say("is empty; its tables are made when the service first starts")
        text = say("{database} can be written and {state}", database=database.name, state=state)
        return Finding("database", "ok", text)
    if revision < migrations.HEAD:
        return Finding(
            "database", "wrong",
            say(
                "{database}: its tables are of revision {revision}, this mailgm's are {head}",
                database=database.name, revision=revision, head=migrations.HEAD,
            ),
            say("Make a copy of it; the next start of the service brings it up to date"),
        )  # fmt: skip
    return Finding(
        "database", "wrong",
        say(
            "{database} was written by a newer mailgm (revision {revision})", database=database.name, revision=revision
        ),
        say("Install that version or a later one"),
    )  # fmt: skip


# Games and words ----------------------------------------------------------------------------------------------------


def _games(config: Config) -> Iterator[Finding]:
    if wrong := _missing("games", "variants", config.variants_path):
        yield wrong
        return
    library = Library(config.variants_path)
    names = [*library.ids(), *library.presets()]
    broken = False
    for name in names:
        try:
            library.preset(name)
        except Exception as error:  # noqa: BLE001 - a game of the user's own may fail in any way
            broken = True
            text = say("{name} cannot be loaded: {error}", name=name, error=f"{type(error).__name__}: {error}")
            yield Finding("games", "wrong", text, say("Correct its folder under [paths] variants"))
    if not broken:
        yield Finding("games", "ok", ", ".join(names))


def _templates(config: Config) -> Iterator[Finding]:
    if wrong := _missing("templates", "templates", config.templates_path):
        yield wrong
        return
    try:
        renderer = Renderer(config.templates_path)
        found = renderer.faults()
    except OSError as error:
        found = [f"{error.filename}: {error.strerror}"]
    found += [fault for folder in config.templates_path for fault in _small_words(folder)]
    for fault in found:
        yield Finding(
            "templates", "wrong", fault, say("Correct that line; docs/templates.md says what may stand there")
        )
    if not found:
        yield Finding("templates", "ok", say("in {languages}", languages=", ".join(renderer.languages)))


def _missing(check: str, key: str, folders: list[Path]) -> Finding | None:
    for folder in folders:
        if not folder.is_dir():
            return Finding(
                check,
                "wrong",
                say("[paths] {key}: there is no folder {folder}", key=key, folder=folder),
                say("Make it, or leave it empty"),
            )
    return None


def _small_words(folder: Path) -> Iterator[str]:
    for file in sorted(folder.glob("*/*/words.toml")):
        try:
            tomllib.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            yield f"{file}: {error}"


def _traps(config: Config, lang: str) -> Iterator[Finding]:
    provider = of_server(config.imap.host) or of_server(config.smtp.host) or guess(config.mailbox.address)
    if provider is not None:
        for trap in provider.traps.get(lang, ()):
            yield Finding(provider.title, "note", trap)
