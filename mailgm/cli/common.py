"""What the commands share: the configuration option, opening the service's surroundings, errors in plain words."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mailgm.config import Config, load
from mailgm.engine.said import say
from mailgm.phrases import locale_language

if TYPE_CHECKING:
    from mailgm.service.context import Context


def config_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--config FILE`."""
    parser.add_argument(
        "--config",
        type=Path,
        default=Path("config.toml"),
        metavar="FILE",
        help="the configuration (config.toml)",
    )


def reveal_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--reveal`, for a game master who plays too and asks to see what his game hides from him."""
    parser.add_argument("--reveal", action="store_true", help="show roles and orders though the game master plays too")


def configuration(args: argparse.Namespace) -> Config:
    """The configuration that the command line names. Raises ConfigError."""
    return load(args.config)


def context(args: argparse.Namespace) -> Context:
    """The service's surroundings. Raises ConfigError, StoreError."""
    from mailgm.service.ready import require_address
    from mailgm.service.run import open_context

    config = configuration(args)
    require_address(config)
    return open_context(config)


def tell(text: str) -> str:
    """A sentence in the language of whoever reads the screen."""
    from mailgm.service.said import told

    return told(text, locale_language())


def put(template: str, /, **values: Any) -> None:
    """Print a sentence in the reader's language: its template, and what stands in its braces."""
    print(tell(say(template, **values)))


def fail(text: str) -> int:
    """Say what is wrong on standard error; the exit status for it."""
    print(tell(text), file=sys.stderr)
    return 1
