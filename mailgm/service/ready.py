"""Whether a configuration is complete: what a single setting cannot tell by itself."""

from __future__ import annotations

from mailgm.config import Config, ConfigError
from mailgm.engine.said import joined, say
from mailgm.mail.compose import address
from mailgm.mail.tls import is_loopback


def faults(config: Config) -> list[str]:
    """What keeps the service from running with these settings, each with its section and key; [] when nothing does."""
    imap, smtp = config.imap, config.smtp
    found = address_faults(config)
    if not imap.host and not config.maildir.path:
        found.append(
            say("[imap] host: the server of the mailbox is missing (or [maildir] path, where it is on this disk)")
        )
    if imap.host and not imap.user:
        found.append(say("[imap] user: the login is missing"))
    if imap.host and imap.folder == imap.processed_folder:
        found.append(
            say(
                "[imap] processed_folder: it must be another one than {folder}, which is read", folder=repr(imap.folder)
            )
        )
    if not smtp.host:
        found.append(say("[smtp] host: the server for outgoing mail is missing"))
    for section, host, security in (("imap", imap.host, imap.security), ("smtp", smtp.host, smtp.security)):
        if security == "none" and host and not is_loopback(host):
            found.append(
                say(
                    "[{section}] security: without encryption only a server on this machine is used, not {host};"
                    ' set "tls" or "starttls"',
                    section=section,
                    host=host,
                )
            )
    return found


def require(config: Config) -> None:
    """Raise ConfigError, with all that is missing, unless the service can run with these settings."""
    _stop_at(faults(config))


def require_address(config: Config) -> None:
    """Raise ConfigError unless the game's address is there: no mail can be written without it."""
    _stop_at(address_faults(config))


def address_faults(config: Config) -> list[str]:
    """What is wrong with the game's address; [] if nothing is."""
    given = config.mailbox.address
    try:
        address(given)
    except ValueError:
        what = say("{given} is not an address", given=repr(given)) if given else say("it is missing")
        return [say("[mailbox] address: {what}; the game's own is wanted, like jeu@example.org", what=what)]
    return []


def _stop_at(found: list[str]) -> None:
    if found:
        raise ConfigError(joined([*found, say("`mailgm init` writes a configuration, `mailgm doctor` tests it")]))
