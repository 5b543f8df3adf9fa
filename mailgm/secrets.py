"""Passwords and other secrets: where they come from, and how they stay out of sight."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

from mailgm.engine.said import say

logger = logging.getLogger(__name__)


class SecretError(ValueError):
    """A secret that cannot be had; the message says where it was looked for, and never holds one."""


class Secret(str):
    """A text that may be used, and compared, and sent, but shows nothing of itself where a value is printed for people.

    `repr` is what tracebacks, debuggers and the reprs of whatever holds it print; `str` is the text itself.
    """

    def __repr__(self) -> str:
        return "(secret)" if self else "''"


def from_file(path: Path) -> Secret:
    """The first line of a file, without white space around it; a file that others may read is warned of.

    Raises SecretError when it cannot be read, or when that line is empty.
    """
    try:
        line = path.read_text(encoding="utf-8-sig").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else say("it is not UTF-8 text")
        raise SecretError(say("{path} cannot be read: {error}", path=path, error=reason)) from None
    if not line:
        raise SecretError(say("the first line of {path} is empty", path=path))
    warn_if_open(path)
    return Secret(line)


def from_keyring(service: str, user: str) -> Secret:
    """What the system's keyring holds for a service and a user. Raises SecretError when there is nothing to be had."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise SecretError(say('the keyring is not installed: pip install "mailgm[keyring]"')) from None
    try:
        found = keyring.get_password(service, user)
    except KeyringError as error:
        raise SecretError(
            say("the system's keyring cannot be used ({error})", error=error or type(error).__name__)
        ) from None
    if not found:
        raise SecretError(
            say("the system's keyring has nothing for it: keyring set {service} {user}", service=service, user=user)
        )
    return Secret(found)


def from_environment(variable: str) -> Secret | None:
    """What an environment variable holds; None where it is not set or empty."""
    found = os.environ.get(variable)
    return Secret(found) if found else None


def open_to_others(path: Path) -> str:
    """The mode of a file that others on this machine may read or change ("644"); "" where nobody may."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return ""
    return f"{mode:o}" if os.name == "posix" and mode & 0o077 else ""


def warn_if_open(path: Path) -> None:
    """Log a warning where others on this machine may read a file with a secret."""
    if mode := open_to_others(path):
        logger.warning("others on this machine may read %s, which holds a secret (mode %s): chmod 600 it", path, mode)
