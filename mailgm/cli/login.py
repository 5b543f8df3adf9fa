"""`mailgm login`: gives mailgm the permission to use the mailbox, for providers that take OAuth2 and no password."""

from __future__ import annotations

import argparse

from mailgm.cli.common import config_argument, configuration, fail, put, tell
from mailgm.engine.said import say


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    config_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Have the permission given in a browser, and keep it. Raises ConfigError, TokenError."""
    from mailgm.mail.oauth import TokenFile
    from mailgm.mail.oauth_login import by_browser, by_device_code
    from mailgm.service.access import oauth_app

    config = configuration(args)
    app = oauth_app(config)
    if app is None:
        return fail(
            say('[oauth] provider is "none": set it to google or microsoft, or give a password to [imap] and [smtp]')
        )
    file = TokenFile(config.folder / config.oauth.token_file, app.client_id)
    # Nobody should go through all the pages for a file that cannot be written.
    file.check()
    token = by_device_code(app, _show) if app.provider.device_url else by_browser(app, _show, _ask)
    file.write(token)
    put(
        "The permission is kept in {path}. `mailgm doctor` tells whether the mailbox can be used with it.",
        path=file.path,
    )
    for section in ("imap", "smtp"):
        if config.password(section):
            put(
                "[{section}] has a password, which is used there instead; take it out to use the permission.",
                section=section,
            )
    return 0


def _show(text: str) -> None:
    print(tell(text))


def _ask(question: str) -> str:
    try:
        return input(tell(question))
    except EOFError:
        return ""
