"""What a person reads when a command cannot do its work: one clear sentence, and never a traceback unless asked for."""

from __future__ import annotations

import sys
import traceback

from mailgm.cli.common import tell
from mailgm.config import ConfigError
from mailgm.engine.said import say, sentence


def report(error: Exception, command: str, *, debug: bool) -> int:
    """Print what is wrong on standard error, with the traceback if `debug`; gives the exit status, 1."""
    if debug:
        traceback.print_exception(error)
    else:
        print(tell(explained(error, command)), file=sys.stderr)
    return 1


def explained(error: Exception, command: str) -> str:
    """What is wrong, where, and what to do. An error that nobody foresaw is named as a fault of the program."""
    if isinstance(error, _foreseen()):
        return sentence(error)
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{error.strerror}"
    words = " ".join(str(error).split())
    return say(
        "mailgm {command} stopped at something unforeseen ({kind}: {words}). This is a fault of mailgm or of its"
        " templates or games: `mailgm --debug {command} …` shows where",
        command=command,
        kind=type(error).__name__,
        words=words,
    )


def _foreseen() -> tuple[type[Exception], ...]:
    """The errors whose text is written for its reader; imported only once something has gone wrong."""
    from mailgm.demo.processes import ServerError
    from mailgm.engine.apply import UnknownPlayer
    from mailgm.engine.model import SetupError
    from mailgm.loader import UnknownVariant
    from mailgm.mail.inbox import InboxError
    from mailgm.mail.oauth import TokenError
    from mailgm.render.templates import MissingTemplate
    from mailgm.service.context import NotStarted
    from mailgm.service.create import NewGameError
    from mailgm.service.players import SignUpError
    from mailgm.service.settings import SettingsError
    from mailgm.store import StoreError

    return (
        ConfigError, InboxError, MissingTemplate, NewGameError, NotStarted, ServerError, SettingsError, SetupError,
        SignUpError, StoreError, TokenError, UnknownPlayer, UnknownVariant,
    )  # fmt: skip
