"""What the commands share: the configuration option, opening the service's surroundings, errors in plain words."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mailgm.config import Config, load

if TYPE_CHECKING:
    from mailgm.service.context import Context


def config_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--config FILE`."""
    parser.add_argument(
        "--config", type=Path, default=Path("config.toml"), metavar="FILE", help="the configuration (config.toml)"
    )


def reveal_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--reveal`, for a game master who plays too and asks to see what his game hides from him."""
    parser.add_argument("--reveal", action="store_true", help="show roles and orders though the game master plays too")


def locale_language() -> str:
    """French where the locale is, else English."""
    locale = next((value for key in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(key))), "")
    return "fr" if locale.lower().startswith("fr") else "en"


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


def fail(text: str) -> int:
    """Say what is wrong on standard error; the exit status for it."""
    print(text, file=sys.stderr)
    return 1
